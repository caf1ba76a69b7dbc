// SPDX-License-Identifier: MIT
// The effect of deformation on solid elements: some turn inside out, some rotate too far for their law.
#ifndef CAROM_MODEL_WATCH_DEFORMATION_H
#define CAROM_MODEL_WATCH_DEFORMATION_H

#include "model/model.h"

typedef struct carom_deformation {
    // the first element, in the order of the model, that is inside out at one of its points, or a sheet without an answer for
    // its thickness, of those whose law does not take every shape (all but `linear`): "element 17 of body 'block'" with the
    // number of its file; empty: none
    char inverted[2 * CAROM_NAME_MAX];
} carom_deformation;

// The first elements in the order of the model, counted through all blocks, of which something is wrong; -1: none.
typedef struct carom_shapes {
    int inverted; // inside out at one of its points, or a sheet without an answer for its thickness
    int rotated;  // of the law `linear`, turned by more than ten degrees
} carom_shapes;

// How far a body is from what a look would find.
typedef struct carom_shape_buffer {
    double way; // of its nodes against a rigid motion, until an element can be inside out; 0: to be looked at in any case
    // largest of its elements of the law `linear`: axial vector of the deformation gradient, norm of it, and its change with
    // the way of the nodes
    double turn, norm, slope;
} carom_shape_buffer;

// What was known after the last look: positions of all nodes, and the room of each body in the place of its first block.
typedef struct carom_shape_memory {
    double (*x)[3];
    carom_shape_buffer *room;
} carom_shape_memory;

// A look at all solids and shells at positions x. `followed`: those that can stiffen are looked at by whoever follows them;
// `turns`: those of the law `linear` are asked for rotations. With a memory, bodies whose nodes have moved by less than they
// may are left out: the answer is the same.
carom_shapes carom_model_check_shapes(const carom_model *model, const double (*x)[3], bool followed, bool turns,
                                      carom_shape_memory *memory);

// What such a look asks of the elements of a block: whether the height of a solid (height_and_turn.h), or of the map of a
// patch, is positive; whether a solid has turned by more than the sine below; or something else that only this look knows.
enum { CAROM_CHECK_HEIGHT = 1, CAROM_CHECK_TURN = 2, CAROM_CHECK_OTHER = 4 };
int carom_block_checks(const carom_block *block, bool followed);
double carom_deformation_large_turn(void);

// How the elements are at positions x.
carom_deformation carom_model_watch_deformation(const carom_model *model, const double (*x)[3]);

#endif
