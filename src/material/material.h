// SPDX-License-Identifier: MIT
// The members of the catalogue of materials.
#ifndef CAROM_MATERIAL_MATERIAL_H
#define CAROM_MATERIAL_MATERIAL_H

#include "carom/material.h"

extern const carom_material carom_material_linear;
extern const carom_material carom_material_st_venant_kirchhoff;
extern const carom_material carom_material_neo_hookean;
extern const carom_material carom_material_mooney_rivlin;
extern const carom_material carom_material_yeoh;
extern const carom_material carom_material_ogden;
extern const carom_material carom_material_j2;
extern const carom_material carom_material_viscoelastic;
// The neo-Hookean law without a barrier, for elements that only stabilise others: below the volume CAROM_OPEN_VOLUME its
// dependence on the volume goes on as a parabola, so that it has an answer for every F. Not offered to scenes.
extern const carom_material carom_material_open_neo_hookean;

#endif
