// SPDX-License-Identifier: MIT
// The largest stresses and strains that a body had at any step.
#ifndef CAROM_PEAK_H
#define CAROM_PEAK_H

#include <stdint.h>

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_peak_kind {
    CAROM_PEAK_VON_MISES, // largest von Mises stress
    CAROM_PEAK_PRINCIPAL, // largest principal stress: tension is positive
    CAROM_PEAK_LEAST,     // smallest principal stress: the largest compression
    CAROM_PEAK_STRAIN,    // largest principal strain
    CAROM_PEAK_KINDS
} carom_peak_kind;

// The place and time of a peak. Values are means over an element, those that frames show in its cell.
typedef struct carom_peak {
    char body[CAROM_NAME_MAX];
    carom_peak_kind kind;
    double value;    // force / length^2, or a pure number
    int64_t element; // as the mesh file counts, else from 0; of a shell and of `nodal` the first cell at the node
    int64_t cell;    // the same in the frames
    double x[3];     // the middle of the nodes of the element at that time
    double time;     // of the first such step
} carom_peak;

// The largest filtered acceleration of a probe, or the largest filtered contact force on it.
typedef struct carom_filtered_peak {
    char probe[CAROM_NAME_MAX];
    bool force;
    double value; // size of the vector
    double time;  // the middle of the interval of samples
} carom_filtered_peak;

// "max_filtered_acceleration" or "max_filtered_force".
CAROM_API const char *carom_filtered_name(bool force);

// "max_von_mises", "max_principal", "min_principal", "max_strain".
CAROM_API const char *carom_peak_name(carom_peak_kind kind);

#ifdef __cplusplus
}
#endif
#endif
