// SPDX-License-Identifier: MIT
// Balanced forces of isoparametric solids: their work between two configurations equals the change of the stored energy
// exactly.
#ifndef CAROM_ELEMENT_BALANCED_H
#define CAROM_ELEMENT_BALANCED_H

#include "element/solid_point.h"

// carom_element.balanced of the solids, by quadrature: in batches where there is a kernel, or else element by element.
void carom_solid_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                          const double (*X)[3], double *force, double *tangent);

// The two ways to it, with the same bits.
bool carom_balanced_has_kernel(const carom_block *block);
void carom_balanced_batches(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                            const double (*X)[3], double *force, double *tangent);
void carom_balanced_plain(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                          const double (*X)[3], double *force, double *tangent);

// Adds the contribution of one point to the force on each node and, if not NULL, to the tangent (3 node_count squared).
void carom_solid_balanced_point(const carom_solid_shape *shape, const carom_block *block, const int *nodes,
                                const carom_solid_point *p, const double (*x0)[3], const double (*x1)[3], const double (*X)[3],
                                double (*f)[3], double *K);

#endif
