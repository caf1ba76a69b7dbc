// SPDX-License-Identifier: MIT
// hex8 and quad4 whose change of volume is averaged over the element (`integration: mean-dilatation`).
#ifndef CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_H
#define CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_H

#include "element/solid.h"

extern const carom_solid_element carom_dilated_hex8, carom_dilated_quad4;

void carom_dilated_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                          double *energy);
void carom_dilated_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *force);
// The same of bricks in batches.
void carom_dilated_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force);
void carom_dilated_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *stiffness);
void carom_dilated_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                         double *measures);
double carom_dilated_body_step(const carom_block *blocks, int block_count, const double (*X)[3]);
// Mean stress and strain of one element (solid_tensors.c).
void carom_dilated_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                           double strain[6]);

static inline bool carom_is_dilated(const carom_block *block) {
    return block->element == &carom_dilated_hex8.element || block->element == &carom_dilated_quad4.element;
}

#endif
