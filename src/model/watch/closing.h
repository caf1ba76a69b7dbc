// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md#prescribed-motions
// Detects prescribed motions that lead into each other: of obstacles, of bodies all of whose nodes are restrained, and of
// obstacles into planes. Contact does not act between them.
#ifndef CAROM_MODEL_WATCH_CLOSING_H
#define CAROM_MODEL_WATCH_CLOSING_H

#include "model/model.h"

typedef struct carom_closing carom_closing;

typedef struct carom_meeting {
    int side[2]; // bodies; -1 - p for plane p
    double time;
} carom_meeting;

// Watches the bodies of a model that cannot yield; *closing is NULL if no two of them can meet. Those that touch, intersect or
// are within the contact layer of each other in the reference configuration may always pass, as those without contact may. The
// model is kept by reference.
carom_status carom_closing_create(const carom_model *model, carom_closing **closing, carom_error *error);
void carom_closing_release(carom_closing *closing);

// Keeps the positions at the start of a step. Does nothing if `closing` is NULL, like the next one.
void carom_closing_begin(carom_closing *closing, const double (*x)[3]);

// CAROM_NUMERICAL, with both names and the time, if two of these bodies, or an obstacle and a plane, come within the contact
// layer of each other on the straight paths from the kept positions to those at the end of the step, x. Costs some nanoseconds
// per node of these bodies, except in a step in which they may meet. `meeting` receives the two sides and the time.
carom_status carom_closing_check(carom_closing *closing, const double (*x)[3], double time, double step, carom_meeting *meeting,
                                 carom_error *error);

// The message that the motions of two bodies, or of a body and a plane, lead into each other: CAROM_NUMERICAL.
carom_status carom_closing_report(const carom_model *model, const int side[2], const char *motions, double time,
                                  carom_error *error);
// The message, without the time, that two bodies or planes leave no space for a body between them: CAROM_NUMERICAL.
carom_status carom_closing_report_squeezed(const carom_model *model, int body, const int by[2], carom_error *error);

#endif
