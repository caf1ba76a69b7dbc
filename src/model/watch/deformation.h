// SPDX-License-Identifier: MIT
// Detection of solids and shells that are inverted, and of solids rotated too far for the law `linear`.
#ifndef CAROM_MODEL_WATCH_DEFORMATION_H
#define CAROM_MODEL_WATCH_DEFORMATION_H

#include "model/model.h"

typedef struct carom_deformation {
    // the first element, in the order of the model, that is inverted at one of its points, or a sheet whose thickness has no
    // solution, except elements whose law allows any shape (`linear`): "element 17 of body 'block'" with its number in the mesh
    // file; empty: none
    char inverted[2 * CAROM_NAME_MAX];
} carom_deformation;

// The first defective elements in the order of the model, counted through all blocks; -1: none.
typedef struct carom_shapes {
    int inverted; // inverted at one of its points, or a sheet whose thickness has no solution
    int rotated;  // of the law `linear`, rotated by more than ten degrees
} carom_shapes;

// Safety margin of a body: while its nodes move less, a check finds no defect.
typedef struct carom_shape_margin {
    double path; // displacement of its nodes relative to a rigid motion below which no element can be inverted; 0: always check
    // maxima over its elements of the law `linear`: axial vector of the deformation gradient, its norm, and its change per
    // nodal displacement
    double turn, norm, slope;
} carom_shape_margin;

// Results of the last check: positions of all nodes, and per body the margin, at the index of its first block.
typedef struct carom_shape_memory {
    double (*x)[3];
    carom_shape_margin *margin;
} carom_shape_memory;

// Checks all solids and shells at positions x for inversion. `skip_stiffening`: skip elements that can stiffen, which adaptive
// step control checks (integrator/step_control.h); `turns`: also check elements of the law `linear` for large rotations. With a
// memory, bodies whose nodes have moved less than their margin are skipped: the result is the same.
carom_shapes carom_model_check_shapes(const carom_model *model, const double (*x)[3], bool skip_stiffening, bool turns,
                                      carom_shape_memory *memory);

// Properties that this check requires of the elements of a block: positive height of a solid (height_and_turn.h), or of the map
// of a patch; rotation of a solid whose sine is less than carom_deformation_large_turn; or something that only
// carom_model_check_shapes evaluates.
enum { CAROM_CHECK_HEIGHT = 1, CAROM_CHECK_TURN = 2, CAROM_CHECK_OTHER = 4 };
int carom_block_checks(const carom_block *block, bool skip_stiffening);
double carom_deformation_large_turn(void);

// The first element, counted through all blocks, whose law has no answer for its shape although its nodes are at finite places
// x: its energy is not finite. -1: none, or memory is short. R: frames of nodes, as for carom_block_energy.
int carom_model_find_undefined(const carom_model *model, const double (*x)[3], const double (*R)[3][3]);

// Checks the elements at positions x.
carom_deformation carom_model_watch_deformation(const carom_model *model, const double (*x)[3]);

#endif
