// SPDX-License-Identifier: MIT
// The option --threads, which several commands have.
#ifndef CAROM_APP_THREADS_H
#define CAROM_APP_THREADS_H

#include "app/options.h"

// Sets the number of threads if the option was given; returns an exit code after saying what is wrong.
int carom_set_threads_option(const carom_arguments *arguments);
// True if CAROM_THREADS=fixed is in the environment: all threads share every step, whether or not that is the fastest.
bool carom_threads_are_fixed(void);

// Starts the program anew with threads that wait without keeping a processor busy, unless the environment sets how they wait.
// Returns if nothing is to be changed or can be.
void carom_threads_yield(char **argv);

#endif
