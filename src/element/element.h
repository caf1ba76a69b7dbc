// SPDX-License-Identifier: MIT
// The elements of the library: their tables of functions, the check of such a table, and references by name and number.
#ifndef CAROM_ELEMENT_ELEMENT_H
#define CAROM_ELEMENT_ELEMENT_H

#include "element/solid.h"

// True for the solids and plane elements of the library, which all are a carom_solid_element; a user-defined element is not.
bool carom_element_is_solid(const carom_element *element);

// CAROM_BAD_INPUT if a function is missing that every element must have, or if the element and its cell have different numbers
// of nodes.
carom_status carom_element_check(const carom_element *element, carom_error *error);

// References to elements: by the name of the kind of the catalogue that a scene uses, and by a number: 0 is the kind itself,
// others count the elements of the library that replace a kind or are made of its cells by `arrange`. -1 for an element that is
// neither.
int carom_element_number(const carom_element *element);
// The element of that name and number, or NULL.
const carom_element *carom_element_find(const char *name, int number);

extern const carom_element carom_element_bar;
extern const carom_element carom_element_exact_beam;
extern const carom_element carom_element_loop_shell;
extern const carom_element carom_element_nodal;
extern const carom_element carom_element_point_mass;
#define CAROM_SOLID_KIND(name, nodes) extern const carom_solid_element carom_element_##name;
CAROM_PLANES(CAROM_SOLID_KIND)
CAROM_SOLIDS(CAROM_SOLID_KIND)

#endif
