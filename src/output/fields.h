// SPDX-License-Identifier: MIT
// The animation: a sequence of frames, as .vtu files listed in fields.pvd, as one .vtkhdf file, or both.
#ifndef CAROM_OUTPUT_FIELDS_H
#define CAROM_OUTPUT_FIELDS_H

#include "carom/output.h"
#include "output/grid.h"
#include "output/pvd.h"

typedef struct carom_fields {
    char directory[CAROM_TEXT_MAX];
    int format; // carom_field_format
    carom_grid grid;
    carom_pvd pvd;
    int64_t frames; // written so far
} carom_fields;

// Opens the files; `result` as in carom_grid_create. With resume_frames < 0 the animation begins empty;
// otherwise it continues after that many frames, and the list of frames is cut to pvd_size bytes.
carom_status carom_fields_open(carom_fields *fields, const char *directory, const carom_model *model,
                               const carom_method_result *result, int format, int64_t resume_frames, int64_t pvd_size,
                               carom_error *error);
carom_status carom_fields_frame(carom_fields *fields, const carom_state *state, carom_error *error);
carom_status carom_fields_close(carom_fields *fields, carom_error *error);

// The name of a frame, relative to the result directory.
void carom_fields_frame_name(int64_t frame, char name[static 64]);

#endif
