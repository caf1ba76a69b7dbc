// SPDX-License-Identifier: MIT
// The stable time step of explicit methods for a whole body without strain: 2/omega_max of its assembled elements, a sharper
// limit than that of the stiffest element alone.
#ifndef CAROM_ELEMENT_BODY_STEP_H
#define CAROM_ELEMENT_BODY_STEP_H

#include "carom/element.h"

// Minimum number of elements for parallel products with the matrix of a body, which take one thread about 30 ns for each
// element; starting the threads takes about 30 us. Smaller bodies are processed one per thread.
enum { CAROM_BODY_STEP_SHARED = 4096 };

// Adds the masses of a block.
typedef void carom_body_masses(const carom_block *block, const double (*X)[3], double *mass);

typedef struct carom_body_step_def {
    const carom_block *blocks; // with the law that defines the tangent
    int block_count;
    int dimension;    // components that move: 2 or 3
    double sharpness; // the result is at least sqrt(1 - sharpness) times 2/omega_max
    double scale;     // largest displacement in difference quotients of forces, relative to the shortest edge
    bool centred;     // centred differences, for forces that are not linear; else one-sided ones
    carom_body_masses *masses;
} carom_body_step_def;

// carom_body_step for solids of `linear`, `st-venant-kirchhoff` and `neo-hookean`: without strain these have the tangent of the
// linear law, whose kernel replaces theirs. At most 2.5 percent below 2/omega_max; NaN if memory is short.
double carom_body_step_elastic(const carom_block *blocks, int block_count, int dimension, carom_body_masses *masses,
                               const double (*X)[3]);
// carom_body_step with forces that are smooth, but not linear in the displacements.
double carom_body_step_smooth(const carom_block *blocks, int block_count, int dimension, double sharpness,
                              carom_body_masses *masses, const double (*X)[3]);

// 2/omega_max of each separate element of a block without frames, at the reference positions; elements are distributed to
// threads.
void carom_block_stable_steps(const carom_block *block, const double (*X)[3], double *step);

// A lower bound of 2/omega_max, with the masses of these blocks, which fails with a probability below 1e-12; NaN if memory is
// short.
double carom_body_step(const carom_body_step_def *def, const double (*X)[3]);

#endif
