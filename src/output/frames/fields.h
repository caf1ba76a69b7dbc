// SPDX-License-Identifier: MIT
// The animation: a sequence of frames, as .vtu files listed in fields.pvd, as one .vtkhdf file, or both.
#ifndef CAROM_OUTPUT_FRAMES_FIELDS_H
#define CAROM_OUTPUT_FRAMES_FIELDS_H

#include "carom/output.h"
#include "output/frames/pvd.h"
#include "output/frames/vtu.h"
#include "output/frames/writer.h"

// It must not move while it is open.
typedef struct carom_fields {
    char directory[CAROM_TEXT_MAX];
    int format;   // carom_field_format
    bool deflate; // .vtkhdf files are packed
    carom_style style;
    carom_grid grid;
    carom_cover cover;
    carom_vtu vtu;       // used by the thread of the writer while it writes a frame
    carom_pvd pvd;       // as vtu
    carom_frame frame;   // the last one; as vtu
    int64_t frames;      // so far; the last one may still be being written
    int64_t pvd_size;    // of the list with all of them
    int64_t written;     // frames that are complete in their files
    carom_writer writer; // of large frames; not open if frames are small
} carom_fields;

// Definition of an animation.
typedef struct carom_fields_def {
    const char *directory;
    int format;   // carom_field_format
    bool deflate; // .vtkhdf files are packed
    carom_style style;
    int64_t resume_frames; // < 0: the animation begins empty; else it continues after that many frames
    int64_t pvd_size;      // and the list of frames is cut to so many bytes
} carom_fields_def;

// Opens the files. Takes ownership of the grid, also on failure: close the fields in any case.
carom_status carom_fields_open(carom_fields *fields, const carom_fields_def *def, carom_grid *grid, carom_error *error);
// Takes a frame of the state. A small one is in its file when the function returns. A large one is written by a separate thread
// during the run (carom_fields_is_concurrent): a failure is then returned by the next call, or by carom_fields_check and
// carom_fields_wait, and that frame does not count. Waits for the frame before.
carom_status carom_fields_frame(carom_fields *fields, const carom_state *state, carom_error *error);
bool carom_fields_is_concurrent(const carom_fields *fields);
// carom_fields_check returns a failure of the last frame that is already known; carom_fields_wait waits until the frame is
// written.
carom_status carom_fields_check(carom_fields *fields, carom_error *error);
carom_status carom_fields_wait(carom_fields *fields, carom_error *error);
carom_status carom_fields_close(carom_fields *fields, carom_error *error);

// The name of a frame, relative to the result directory.
void carom_fields_frame_name(int64_t frame, char name[static 64]);
// Removes the frames from this one on.
void carom_fields_remove(const char *directory, int64_t first);

#endif
