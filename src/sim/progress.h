// SPDX-License-Identifier: MIT
// Progress of a run on stderr: a line rewritten in place on a terminal, otherwise a plain line every ten seconds.
#ifndef CAROM_SIM_PROGRESS_H
#define CAROM_SIM_PROGRESS_H

#include "carom/run.h"

// Start from carom_meter_start.
typedef struct carom_meter {
    carom_progress style;
    int64_t first_step;  // at which this process began
    double begin, shown; // clock at the start and at the last line
    double rate;         // steps per second, smoothed
    double rate_clock;   // when and where the rate was last measured
    int64_t rate_step;
    bool visible; // a line is shown that must be cleared
} carom_meter;

typedef struct carom_meter_reading {
    int64_t step, step_count;
    double time, end;
    double residual; // of the energy scale
    bool divides;    // steps may be divided
    int64_t parts;   // substeps so far
} carom_meter_reading;

carom_meter carom_meter_start(carom_progress style, int64_t step, double seconds);
// Shows the reading if it is due: ten times a second on a terminal, otherwise every ten seconds.
void carom_meter_update(carom_meter *meter, const carom_meter_reading *reading, double seconds);
// Clears the line of a terminal, so that other text can follow.
void carom_meter_clear(carom_meter *meter);

#endif
