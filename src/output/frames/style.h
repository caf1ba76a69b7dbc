// SPDX-License-Identifier: MIT
// How frames are written: which fields, how precisely, compressed or not, all of the grid or its surface. A scene may leave
// each of these to carom (`auto`); then small models are written in full, and large ones so that all frames together stay below
// two gigabytes.
#ifndef CAROM_OUTPUT_FRAMES_STYLE_H
#define CAROM_OUTPUT_FRAMES_STYLE_H

#include "carom/output.h"
#include "output/frames/surface_cells.h"

// The style of the frames of a run, after `auto` was resolved.
typedef struct carom_style {
    bool single;   // reals of four bytes
    bool compress; // packed by zlib
    bool surface;  // of solids only the outer faces
    bool reduced;  // without the fields that large models leave out; has no effect with a list of names
    int name_count;
    const char (*names)[CAROM_NAME_MAX]; // fields to write; name_count 0: all, or those of `reduced`
} carom_style;

// Which fields of a grid are written.
typedef struct carom_choice {
    bool contact_state, mass;
    bool point_fields[CAROM_POINT_FIELDS]; // in the order of grid->point_fields
    bool fields[CAROM_GRID_FIELDS_MAX];
    bool nodal[CAROM_GRID_FIELDS_MAX];
} carom_choice;

carom_choice carom_choice_make(const carom_grid *grid, const carom_style *style);
// True if a field of cells is needed: to be written, or for its nodal mean.
bool carom_choice_needs(const carom_grid *grid, const carom_choice *choice, int field);

// The frames of a run, as far as they are known before it begins.
typedef struct carom_frame_plan {
    carom_style style;
    int every;          // steps between frames; 0: none but those at given times
    int thinned;        // 1: as many frames as usual; n: only every n-th of these
    int64_t count;      // of frames, estimated from above
    double frame_bytes; // of one, estimated from above
    double fixed_bytes; // written once: the grid of a .vtkhdf file
} carom_frame_plan;

// Resolves `auto` for a run of that many steps.
carom_status carom_frame_plan_make(const carom_output_def *def, const carom_grid *grid, int64_t steps, carom_frame_plan *plan,
                                   carom_error *error);
// The plan in the form that is reported to the user.
carom_frame_forecast carom_frame_plan_report(const carom_frame_plan *plan);

// Fails if the list of names has one that the model does not have; `wrong`, if not NULL, becomes its index.
carom_status carom_style_check(const carom_output_def *def, const carom_model *model, const carom_method_result *result,
                               int *wrong, carom_error *error);
// A hash of the names that does not depend on their order; 0 if there are none.
uint64_t carom_style_names_hash(const carom_output_def *def);

#endif
