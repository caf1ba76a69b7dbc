// SPDX-License-Identifier: MIT
// The members of the catalogue of elements.
#ifndef CAROM_ELEMENT_ELEMENT_H
#define CAROM_ELEMENT_ELEMENT_H

#include "carom/element.h"

extern const carom_element carom_element_bar;
extern const carom_element carom_element_exact_beam;
extern const carom_element carom_element_point_mass;

#endif
