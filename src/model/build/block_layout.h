// SPDX-License-Identifier: MIT
// Layout of the element blocks (runs of equal elements) of bodies. All blocks are counted before any is built, so that their
// array never moves.
#ifndef CAROM_MODEL_BUILD_BLOCK_LAYOUT_H
#define CAROM_MODEL_BUILD_BLOCK_LAYOUT_H

#include "model/build/material_regions.h"
#include "model/model.h"

// The blocks of a body: groups of an arrangement, pieces of several materials, or the blocks of its mesh.
typedef struct carom_body_plan {
    carom_arrangement arrangement;
    carom_piece *pieces; // NULL: the body has one material
    int count;           // number of blocks
} carom_body_plan;

// Plans the bodies of a definition, in the arena, and counts their blocks. Cells must be of the kind that the element requires.
carom_status carom_plan_bodies(const carom_model_def *def, carom_arena *arena, carom_body_plan *plans, int *block_count,
                               carom_error *error);

// Checks that the element of a body has a law for each of its materials; then calls carom_body_def_check.
carom_status carom_plan_check_materials(const carom_body_def *def, carom_error *error);

// Adds the planned blocks of a body whose nodes exist, with their masses, and counts their elements.
carom_status carom_model_add_blocks(carom_model *model, const carom_body_def *def, const carom_body_plan *plan,
                                    carom_body *body, carom_error *error);

#endif
