// SPDX-License-Identifier: MIT
// Suggestions where the cells of a mesh do not fit the element.
#ifndef CAROM_SCENE_CHECK_SUGGEST_H
#define CAROM_SCENE_CHECK_SUGGEST_H

#include <stddef.h>

#include "carom/element.h"
#include "carom/mesh.h"

// Writes a suggestion: other cells of the generator, an element for these cells, or how to obtain a shell from a solid mesh.
// Plane elements are not suggested, since they need a flat mesh. The text begins with a blank, or is empty.
void carom_suggest_cells(const carom_element *element, const carom_kind *mesh, carom_cell_type cells, char *text, size_t size);

// The sets of a mesh for a message: "start, end".
void carom_suggest_sets(const carom_mesh *mesh, char *text, size_t size);

#endif
