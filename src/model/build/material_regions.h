// SPDX-License-Identifier: MIT
// Bodies of several materials: which cell has which, and elements divided accordingly.
#ifndef CAROM_MODEL_BUILD_MATERIAL_REGIONS_H
#define CAROM_MODEL_BUILD_MATERIAL_REGIONS_H

#include "base/arena.h"
#include "carom/model.h"

// The material of each cell of a mesh, counted through all blocks: -1 for that of the body, else an entry of
// `def->materials`. Fails with CAROM_BAD_INPUT if an entry names a set that does not exist, has no cells, or has a cell in
// common with an entry before it, or if a cell has no material at all; `*entry` then says which entry is at fault, -1 for none
// of them. With `sets_only` entries by a region are left out, and so are cells without a material: the mesh is not in its
// place yet.
carom_status carom_mixture_find(const carom_body_def *def, const carom_mesh *mesh, bool sets_only, int *of_cell, int *entry,
                                carom_error *error);

// A block to be: elements of one material.
typedef struct carom_piece {
    carom_group group;
    const carom_pick *material;
} carom_piece;

// The elements of a body of several materials as pieces, in the arena: by the groups of the arrangement, or by blocks of the
// mesh where the element has none, and in each of these by material, that of the body first. Elements whose nodes are not
// those of a cell with one material, or have frames, are refused.
carom_status carom_mixture_divide(const carom_body_def *def, const carom_arrangement *arrangement, carom_arena *arena,
                                  carom_piece **pieces, int *count, carom_error *error);

#endif
