// SPDX-License-Identifier: MIT
// One varied key of a study and its values.
#ifndef CAROM_SCENE_STUDY_AXIS_H
#define CAROM_SCENE_STUDY_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/study.h"

// Values are listed, or lie in a continuous range that is to be sampled.
typedef struct carom_axis {
    char *key;
    int count;
    char **values; // owned, as they are written behind '='
    bool continuous;
    bool log; // of a continuous range: equal factors are equally likely
    double from, to;
} carom_axis;

// Reads "KEY=VALUES" as carom_study_def describes it. Continuous ranges are refused unless `sampled`. Release in any case.
carom_status carom_axis_read(const char *text, bool sampled, carom_axis *axis, carom_error *error);
void carom_axis_release(carom_axis *axis);

// Adds a value of `size` bytes; blanks around it are removed, and numbers are written in their canonical form.
carom_status carom_axis_add(carom_axis *axis, const char *text, size_t size, carom_error *error);

// Replaces the values of each axis by `samples` random ones: point i of the study has value i of each axis. Axis k has its own
// stream of random numbers, defined by `seed` and k.
carom_status carom_axes_sample(carom_axis *axes, int axis_count, int samples, uint64_t seed, carom_error *error);

#endif
