// SPDX-License-Identifier: MIT
// The tables of the constitutive laws of the library, carom_material_##name, and which place a table has in the list of laws
// (laws.h).
#ifndef CAROM_MATERIAL_MATERIAL_H
#define CAROM_MATERIAL_MATERIAL_H

#include "carom/material.h"
#include "material/laws.h"

#define CAROM_LAW(NAME, name, ...) extern const carom_material carom_material_##name;
CAROM_NAMED_LAWS(CAROM_LAW, )
CAROM_INNER_LAWS(CAROM_LAW, )
#undef CAROM_LAW

// Which law of the list a table is, for kernels that are made for it. Properties that a user-defined law has as well are flags
// or functions of its table instead.
carom_law carom_law_of(const carom_material *material);
const carom_material *carom_law_material(carom_law law);

#endif
