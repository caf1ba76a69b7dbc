// SPDX-License-Identifier: MIT
// Catalogues that grow: the kinds of the library, followed by those that a program has registered.
#ifndef CAROM_BASE_CATALOGUE_H
#define CAROM_BASE_CATALOGUE_H

#include "carom/param.h"

// Kinds of one family, those of the library and registered ones together.
enum { CAROM_CATALOGUE_MAX = 64 };

// A copy of the parameters of a pick in memory of its own, defaults where it has none, checked. Free with free().
carom_status carom_pick_copy(const carom_pick *pick, void **params, carom_error *error);

// Adds a kind to a catalogue whose array of kinds has room for CAROM_CATALOGUE_MAX. Fails with CAROM_BAD_INPUT on a name that
// is taken or cannot be written in a scene, and on a parameter table that contradicts itself.
carom_status carom_catalogue_add(carom_catalogue *catalogue, const carom_kind **kinds, const carom_kind *kind,
                                 carom_error *error);

#endif
