// SPDX-License-Identifier: MIT
// The catalogue of elements. A kind that is added here appears in scenes, `carom info`, the schema and the manual.
#include <string.h>

#include "base/catalogue.h"
#include "element/average/mean_dilatation.h"
#include "element/average/nodal.h"
#include "element/average/volumes.h"
#include "element/element.h"
#include "element/line/rigid.h"

#define SOLID_KIND(name, nodes) , &carom_element_##name.element.kind
#define KINDS                                                                                                        \
    &carom_element_bar.kind, &carom_element_exact_beam.kind, &carom_element_point_mass.kind,                         \
        &carom_element_loop_shell.kind CAROM_PLANES(SOLID_KIND) CAROM_SOLIDS(SOLID_KIND), &carom_element_nodal.kind, \
        &carom_element_rigid.kind

// Elements that are not in the catalogue but have the name of a kind in it: `arrange` makes blocks of them, or a setting of the
// kind replaces it by one of them. carom_element_number counts these from 1, and then the cells of rigid bodies.
#define ARRANGED(SOLID, OTHER) \
    SOLID(carom_nodal_tet4)    \
    SOLID(carom_nodal_hex8)    \
    OTHER(carom_nodal_patch)   \
    SOLID(carom_dilated_hex8) SOLID(carom_dilated_quad4) SOLID(carom_volume_tet4) OTHER(carom_volume_patch)

static const carom_kind *kinds[CAROM_CATALOGUE_MAX] = {KINDS};
static carom_catalogue catalogue = {"element", sizeof((const carom_kind *[]){KINDS}) / sizeof *kinds, kinds};

const carom_catalogue *carom_elements(void) {
    return &catalogue;
}

bool carom_element_is_solid(const carom_element *element) {
#define OF_KIND(name, nodes) || element == &carom_element_##name.element
#define OF_ARRANGED(name) || element == &name.element
#define NONE(name)
    return false CAROM_PLANES(OF_KIND) CAROM_SOLIDS(OF_KIND) ARRANGED(OF_ARRANGED, NONE);
}

#define SOLID(name) &name.element,
#define OTHER(name) &name,
#define RIGID(type, nodes) &carom_rigid_cells[type - CAROM_CELL_TRI3],
static const carom_element *const arranged[] = {ARRANGED(SOLID, OTHER) CAROM_FACED_CELLS(RIGID)};

int carom_element_number(const carom_element *element) {
    if (carom_catalogue_find(&catalogue, element->kind.name) == &element->kind)
        return 0;
    for (size_t i = 0; i < sizeof arranged / sizeof *arranged; i++)
        if (element == arranged[i])
            return (int)i + 1;
    return -1;
}

const carom_element *carom_element_find(const char *name, int number) {
    if (number == 0)
        return (const carom_element *)carom_catalogue_find(&catalogue, name);
    bool known = number > 0 && (size_t)number <= sizeof arranged / sizeof *arranged;
    return known && strcmp(arranged[number - 1]->kind.name, name) == 0 ? arranged[number - 1] : NULL;
}

// An element with `arrange` need not have these functions: its blocks have the elements of the groups that `arrange` makes.
static bool is_complete(const carom_element *element) {
    if (element->arrange)
        return true;
    const carom_framed *framed = element->framed;
    if (framed)
        return framed->frames && framed->prepare && framed->energy && framed->wrench && framed->stable_step &&
               (framed->field || !element->fields[0].name);
    return element->prepare && element->energy && element->force && element->stable_step &&
           (element->field || !element->fields[0].name);
}

carom_status carom_element_check(const carom_element *element, carom_error *error) {
    if (!is_complete(element))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an element needs prepare, energy, force and stable_step, and field where it names fields");
    if (element->cell >= CAROM_CELL_TYPE_COUNT || (!element->arrange && element->node_count != carom_cell_size(element->cell)))
        return carom_fail(error, CAROM_BAD_INPUT, "an element without `arrange` has as many nodes as its cell");
    return CAROM_OK;
}

carom_status carom_register_element(const carom_element *element, carom_error *error) {
    carom_status status = carom_element_check(element, error);
    return status ? status : carom_catalogue_add(&catalogue, kinds, &element->kind, error);
}
