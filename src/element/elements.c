// SPDX-License-Identifier: MIT
// The catalogue of elements. A kind that is added here appears in scenes, `carom info`, the schema and the manual.
#include "element/element.h"

static const carom_kind *const kinds[] = {
    &carom_element_bar.kind,          &carom_element_exact_beam.kind,   &carom_element_point_mass.kind,
    &carom_element_loop_shell.kind,   &carom_element_tri3.element.kind, &carom_element_quad4.element.kind,
    &carom_element_tet4.element.kind, &carom_element_hex8.element.kind, &carom_element_nodal.kind,
};

const carom_catalogue *carom_elements(void) {
    static const carom_catalogue catalogue = {"element", sizeof kinds / sizeof *kinds, kinds};
    return &catalogue;
}
