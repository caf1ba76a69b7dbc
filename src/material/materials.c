// SPDX-License-Identifier: MIT
// The catalogue of materials. A law that is added here appears in scenes, `carom info`, the schema and the manual.
#include "material/material.h"

static const carom_kind *const kinds[] = {
    &carom_material_linear.kind,
    &carom_material_st_venant_kirchhoff.kind,
    &carom_material_neo_hookean.kind,
};

const carom_catalogue *carom_materials(void) {
    static const carom_catalogue catalogue = {"material", sizeof kinds / sizeof *kinds, kinds};
    return &catalogue;
}
