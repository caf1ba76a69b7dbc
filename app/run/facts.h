// SPDX-License-Identifier: MIT
// Facts about a scene before it is run: masses, sizes, wave speeds, steps, output, memory and time.
#ifndef CAROM_APP_RUN_FACTS_H
#define CAROM_APP_RUN_FACTS_H

#include "carom/scene.h"

// Prints these facts on stdout, indented. The time is estimated from the first steps of a simulation: at least two and
// 0.1 s, or one that takes more than 0.2 s. Notes on stderr report why a run would be refused.
void carom_facts_print(const carom_scene *scene);

// A line or two for the head of a run: mass, box, and with `output` its rows, frames and bytes.
void carom_facts_print_short(const carom_scene *scene, const carom_output_def *output, int64_t steps);

#endif
