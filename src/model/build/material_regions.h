// SPDX-License-Identifier: MIT
// Bodies of several materials: assigns a material to each cell, and divides elements accordingly.
#ifndef CAROM_MODEL_BUILD_MATERIAL_REGIONS_H
#define CAROM_MODEL_BUILD_MATERIAL_REGIONS_H

#include "base/arena.h"
#include "carom/model.h"

// Finds the material of each cell of a mesh, counted through all blocks: -1 for that of the body, else an entry of
// `def->materials`. Fails with CAROM_BAD_INPUT if an entry names a set that does not exist, has no cells, or has a cell in
// common with an earlier entry, or if a cell has no material; `*entry` then is the entry at fault, -1 for none of them. With
// `sets_only`, entries by a region and cells without a material are not checked: the mesh has not been positioned yet.
carom_status carom_mixture_find(const carom_body_def *def, const carom_mesh *mesh, bool sets_only, int *of_cell, int *entry,
                                carom_error *error);

// Elements of one material that will form a block.
typedef struct carom_piece {
    carom_group group;
    const carom_pick *material;
} carom_piece;

// Divides the elements of a body of several materials into pieces, in the arena: by the groups of the arrangement, or by blocks
// of the mesh where the element has none, and within each by material, that of the body first. Refuses elements whose nodes are
// not those of one cell, or have frames.
carom_status carom_mixture_divide(const carom_body_def *def, const carom_arrangement *arrangement, carom_arena *arena,
                                  carom_piece **pieces, int *count, carom_error *error);

#endif
