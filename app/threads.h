// SPDX-License-Identifier: MIT
// The option --threads, which several commands have.
#ifndef CAROM_APP_THREADS_H
#define CAROM_APP_THREADS_H

#include "app/options.h"

// Sets the number of threads if the option was given; returns an exit code after a message.
int carom_set_threads_option(const carom_arguments *arguments);
// True if CAROM_THREADS=fixed is in the environment: all threads are used in every step.
bool carom_threads_are_fixed(void);

// Executes the program again with settings by which waiting threads release the processor, unless the environment sets this.
// Returns if nothing is to be changed, or if it fails.
void carom_threads_yield(char **argv);

#endif
