// SPDX-License-Identifier: MIT
// The verdicts of a finished run: whether each gate, a condition under `expect:` in its scene, is met; evaluation and output.
#ifndef CAROM_APP_VERDICTS_H
#define CAROM_APP_VERDICTS_H

#include "carom/scene.h"

// The verdicts of a finished run; free() the array. NULL if there are no gates (or no memory, with *count < 0).
carom_verdict *carom_verdicts_judge(const carom_scene *scene, const carom_sim *sim, const carom_summary *summary, int *count);
int carom_verdicts_failed(const carom_verdict *verdicts, int count);

enum { CAROM_VERDICT_TEXT = 32 };
// The value with that many digits; at the level of rounding only the order of magnitude; "-" for NaN.
void carom_verdict_value(const carom_verdict *verdict, int digits, char text[static CAROM_VERDICT_TEXT]);
// The difference from the exact or published value, in percent, or absolute if that is 0. "" if there is none.
void carom_verdict_error(const carom_verdict *verdict, char text[static CAROM_VERDICT_TEXT]);

// "PASS", "FAIL", in colour on a terminal.
void carom_verdict_print_word(bool passed, FILE *stream);
// A table: PASS energy_error 0.0004 < 0.01
void carom_verdicts_print(const carom_verdict *verdicts, int count, FILE *stream);

#endif
