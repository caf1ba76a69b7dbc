// SPDX-License-Identifier: MIT
// The head of a run, printed before its first step: model, steps, contact, and notes about the accuracy.
#ifndef CAROM_APP_RUN_HEAD_H
#define CAROM_APP_RUN_HEAD_H

#include "carom/scene.h"
#include "carom/sim.h"

// Prints title, steps, contact, mass, size and output on stdout. `output` NULL: nothing is written; `forces`: what computes the
// forces of elements, NULL for the processor.
void carom_head_print(const carom_sim *sim, const carom_scene *scene, const carom_output_def *output, const char *title,
                      const char *forces);
// Prints a note on stderr if the step is larger than the stable one.
void carom_head_note_step(const carom_sim *sim);

// Prints a note on stderr about branches of viscoelastic materials that relax within a step.
void carom_note_unresolved(const carom_model *model, double step);

#endif
