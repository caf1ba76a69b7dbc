// SPDX-License-Identifier: MIT
// The catalogue of materials, from the list of laws (material/laws.h).
#include "base/catalogue.h"
#include "material/material.h"

#define KIND(NAME, name, ...) &carom_material_##name.kind,
#define ENTRY(NAME, name, ...) [CAROM_LAW_##NAME] = &carom_material_##name,

static const carom_kind *kinds[CAROM_CATALOGUE_MAX] = {CAROM_NAMED_LAWS(KIND, )};
static carom_catalogue catalogue = {"material", sizeof((const carom_kind *[]){CAROM_NAMED_LAWS(KIND, )}) / sizeof *kinds,
                                    kinds};

static const carom_material *const laws[] = {CAROM_NAMED_LAWS(ENTRY, ) CAROM_INNER_LAWS(ENTRY, )};

carom_law carom_law_of(const carom_material *material) {
    int law = 0;
    while (law < CAROM_LAW_OTHER && laws[law] != material)
        law++;
    return (carom_law)law;
}

const carom_material *carom_law_material(carom_law law) {
    return laws[law];
}

const carom_catalogue *carom_materials(void) {
    return &catalogue;
}

carom_status carom_register_material(const carom_material *material, carom_error *error) {
    if (!material->density || (!material->uniaxial && !material->solid && !material->sheet))
        return carom_fail(error, CAROM_BAD_INPUT, "a material needs a density and at least one law: uniaxial, solid or sheet");
    return carom_catalogue_add(&catalogue, kinds, &material->kind, error);
}
