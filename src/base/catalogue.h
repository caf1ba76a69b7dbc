// SPDX-License-Identifier: MIT
// Catalogues (lists of materials, elements, integrators or mesh generators, carom/param.h) inside the library: copies of chosen
// kinds (entries) with their parameters, and registration of further kinds. Kinds of the library come first, then those that a
// program has registered.
#ifndef CAROM_BASE_CATALOGUE_H
#define CAROM_BASE_CATALOGUE_H

#include "carom/param.h"

// Largest number of kinds of one family, those of the library and registered ones together.
enum { CAROM_CATALOGUE_MAX = 64 };

// Checks the parameters of a pick and copies them to new memory; without parameters, sets defaults. Free with free().
carom_status carom_pick_copy(const carom_pick *pick, void **params, carom_error *error);

// Adds a kind to a catalogue whose array of kinds has CAROM_CATALOGUE_MAX entries. Fails with CAROM_BAD_INPUT if the name
// exists already or is not a valid key of a scene, or if the parameter table is inconsistent.
carom_status carom_catalogue_add(carom_catalogue *catalogue, const carom_kind **kinds, const carom_kind *kind,
                                 carom_error *error);

#endif
