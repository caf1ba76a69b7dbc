// SPDX-License-Identifier: MIT
// tet4 whose change of volume is averaged around nodes (`volume: nodal`): blocks of cells, which carry the mass and the energy
// of the shape, and blocks of patches, one for each node, which carry that of the volume.
#ifndef CAROM_ELEMENT_AVERAGE_VOLUMES_H
#define CAROM_ELEMENT_AVERAGE_VOLUMES_H

#include "element/solid.h"

extern const carom_solid_element carom_volume_tet4;
extern const carom_element carom_volume_patch;

// The part of the masses of the nodes that moves with the cells when steps of elements by themselves are asked for; patches
// have the rest.
double carom_volume_cell_share(const carom_block *block);

carom_status carom_volume_arrange(const void *params, const carom_mesh *mesh, struct carom_arena *arena,
                                  carom_arrangement *arrangement, carom_error *error);

// The cells, with data as `tet4` prepares them.
void carom_volume_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *energy);
void carom_volume_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force);
void carom_volume_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            double *stiffness);
void carom_volume_stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *step);
void carom_volume_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures);
double carom_volume_body_step(const carom_block *blocks, int block_count, const double (*X)[3]);
// Stress and strain of one cell, without the pressure of the patches (solid_tensors.c).
void carom_volume_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                          double strain[6]);

#endif
