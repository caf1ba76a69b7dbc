// SPDX-License-Identifier: MIT
// The catalogue of materials.
#include "base/catalogue.h"
#include "material/material.h"

#define KINDS                                                                                                               \
    &carom_material_linear.kind, &carom_material_st_venant_kirchhoff.kind, &carom_material_neo_hookean.kind,                \
        &carom_material_mooney_rivlin.kind, &carom_material_yeoh.kind, &carom_material_ogden.kind, &carom_material_j2.kind, \
        &carom_material_viscoelastic.kind

static const carom_kind *kinds[CAROM_CATALOGUE_MAX] = {KINDS};
static carom_catalogue catalogue = {"material", sizeof((const carom_kind *[]){KINDS}) / sizeof *kinds, kinds};

const carom_catalogue *carom_materials(void) {
    return &catalogue;
}

carom_status carom_register_material(const carom_material *material, carom_error *error) {
    if (!material->density || (!material->uniaxial && !material->solid && !material->sheet))
        return carom_fail(error, CAROM_BAD_INPUT, "a material needs a density and at least one law: uniaxial, solid or sheet");
    return carom_catalogue_add(&catalogue, kinds, &material->kind, error);
}
