// SPDX-License-Identifier: MIT
// The verdicts of the `expect:` gates, judged and shown.
#ifndef CAROM_APP_VERDICTS_H
#define CAROM_APP_VERDICTS_H

#include "carom/scene.h"

// How a finished run fared; free() the array. NULL if there are no gates (or no memory, with *count < 0).
carom_verdict *carom_verdicts_judge(const carom_scene *scene, const carom_sim *sim, const carom_summary *summary, int *count);
int carom_verdicts_failed(const carom_verdict *verdicts, int count);

// "PASS", "FAIL", in colour on a terminal.
void carom_verdict_print_word(bool passed, FILE *stream);
// A table: PASS energy_drift 0.0004 < 0.01
void carom_verdicts_print(const carom_verdict *verdicts, int count, FILE *stream);

#endif
