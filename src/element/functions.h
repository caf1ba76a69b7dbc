// SPDX-License-Identifier: MIT
// The types of the function members of carom_element, with which headers declare such functions, and a helper that several
// elements use in them.
#ifndef CAROM_ELEMENT_FUNCTIONS_H
#define CAROM_ELEMENT_FUNCTIONS_H

#include "carom/element.h"

// `energy`, `force`, `stiffness`, `stable_step`: numbers of each element of a range at the positions x.
typedef void carom_element_values(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                                  double *values);
typedef void carom_element_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                                    const double (*X)[3], double *force, double *tangent);
typedef void carom_element_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                                 double *measures);
typedef double carom_element_body_step(const carom_block *blocks, int block_count, const double (*X)[3]);
// `arrange`.
typedef carom_status carom_element_arrange(const void *params, const carom_mesh *mesh, struct carom_arena *arena,
                                           carom_arrangement *arrangement, carom_error *error);

// Lanes of the reference data past the end of a block repeat its last element, so that kernels do not divide by zero there.
static inline void carom_block_repeat_last(const carom_block *block) {
    for (int e = block->count; block->count && e < carom_lanes_size(block->count, 1); e++)
        for (int k = 0; k < block->data_size; k++)
            block->data[carom_lane(e, k, block->data_size)] = block->data[carom_lane(block->count - 1, k, block->data_size)];
}

#endif
