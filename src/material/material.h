// SPDX-License-Identifier: MIT
// The tables of the constitutive laws of the library, carom_material_##name, and the conversion between a table and its
// constant in the list of laws (laws.h).
#ifndef CAROM_MATERIAL_MATERIAL_H
#define CAROM_MATERIAL_MATERIAL_H

#include "carom/material.h"
#include "material/laws.h"

#define CAROM_LAW(NAME, name, ...) extern const carom_material carom_material_##name;
CAROM_NAMED_LAWS(CAROM_LAW, )
CAROM_INNER_LAWS(CAROM_LAW, )
#undef CAROM_LAW

// The constant of the law with this table, to select kernels that are compiled for it. Properties that user-defined laws may
// also have are flags or functions of the table instead.
carom_law carom_law_of(const carom_material *material);
const carom_material *carom_law_material(carom_law law);

#endif
