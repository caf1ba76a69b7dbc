// SPDX-License-Identifier: MIT
// tet4 whose change of volume is averaged around nodes (`volume: nodal`): blocks of cells, which carry the mass and the energy
// of the shape, and blocks of patches, one for each node, which carry that of the volume.
#ifndef CAROM_ELEMENT_AVERAGE_VOLUMES_H
#define CAROM_ELEMENT_AVERAGE_VOLUMES_H

#include "element/solid.h"

extern const carom_solid_element carom_volume_tet4;
extern const carom_element carom_volume_patch;

// The part of the masses of the nodes that moves with the cells when stable steps of single elements are computed; patches have
// the rest.
double carom_volume_cell_share(const carom_block *block);

carom_element_arrange carom_volume_arrange;

// The cells, with data as `tet4` prepares them.
carom_element_values carom_volume_energy, carom_volume_force, carom_volume_stiffness, carom_volume_stable_step;
carom_element_bound carom_volume_bound;
carom_element_body_step carom_volume_body_step;
// Stress and strain of one cell, without the pressure of the patches (solid_tensors.c).
void carom_volume_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                          double strain[6]);

#endif
