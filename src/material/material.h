// SPDX-License-Identifier: MIT
// The members of the catalogue of materials.
#ifndef CAROM_MATERIAL_MATERIAL_H
#define CAROM_MATERIAL_MATERIAL_H

#include "carom/material.h"

extern const carom_material carom_material_linear;
extern const carom_material carom_material_st_venant_kirchhoff;
extern const carom_material carom_material_neo_hookean;

#endif
