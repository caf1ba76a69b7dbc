// SPDX-License-Identifier: MIT
// The batched kernels of solids.
#ifndef CAROM_ELEMENT_SOLID_SOLID_KERNEL_H
#define CAROM_ELEMENT_SOLID_SOLID_KERNEL_H

#include "element/batch.h"
#include "element/solid.h"
#include "element/solid/tet4_body.h"
#include "element/solid/tet4_single.h"

// Numbers of a brick by itself: its reference positions.
enum { CAROM_HEX8_SINGLE = 24 };

// tri3 and quad4.
void carom_plane_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force);
void carom_plane_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy);
// Solids in space; by the plain functions where the law has no kernel.
void carom_solid_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force);
void carom_solid_kernel_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                               double *energy);
// What their kernels know of a block; forces and energies are stored in [begin, end).
carom_element_batch carom_batch_of(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3]);
// hex8 without batches, for any law.
void carom_hex8_force_plain(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            double *force);
void carom_hex8_energy_plain(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *energy);

// Elements one by one.
const carom_single *carom_hex8_single(const carom_block *block);
const carom_single *carom_solid_single(const carom_block *block);

#endif
