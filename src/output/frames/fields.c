// SPDX-License-Identifier: MIT
// Writes the frames of a run, the states that an animation shows. A frame is written to its own .vtu file and then listed in
// fields.pvd, or appended to fields.vtkhdf. In both cases the entry that makes the frame visible comes last, so that a reader
// never finds a partial frame.
#include "output/frames/fields.h"

#include <inttypes.h>
#include <string.h>

#include "base/platform.h"
#include "carom/threads.h"
#ifdef CAROM_HAVE_HDF5
#include "output/frames/vtkhdf.h"
#endif

// Minimum size in bytes of a frame that is written by a separate thread; smaller ones take less than a millisecond.
enum { LARGE_FRAME = 1 << 20 };

bool carom_output_supports(carom_field_format format) {
#ifdef CAROM_HAVE_HDF5
    return format == CAROM_FIELDS_VTU || format == CAROM_FIELDS_VTKHDF || format == CAROM_FIELDS_BOTH;
#else
    return format == CAROM_FIELDS_VTU;
#endif
}

void carom_fields_frame_name(int64_t frame, char name[static 64]) {
    // six digits keep the files in order in any listing; more frames get more digits
    snprintf(name, 64, "fields/frame_%06" PRId64 ".vtu", frame);
}

static void path_of(const carom_fields *fields, const char *name, char path[static CAROM_PATH_MAX]) {
    snprintf(path, CAROM_PATH_MAX, "%s/%s", fields->directory, name);
}

void carom_fields_remove(const char *directory, int64_t first) {
    char path[CAROM_PATH_MAX], name[64];
    // the files are numbered without gaps, so the first one that cannot be removed ends the list
    do {
        carom_fields_frame_name(first++, name);
        snprintf(path, sizeof path, "%s/%s", directory, name);
    } while (unlink(path) == 0);
}

// Creates the list of frames, or cuts it back to the frames of the checkpoint.
static carom_status open_list(carom_fields *fields, int64_t resume_frames, int64_t pvd_size, carom_error *error) {
    char path[CAROM_PATH_MAX];
    path_of(fields, "fields", path);
    carom_status status = carom_file_make_directory(path, error);
    if (status)
        return status;
    path_of(fields, "fields.pvd", path);
    status = carom_pvd_open(&fields->pvd, path, resume_frames >= 0 && pvd_size > 0 ? pvd_size : -1, error);
    // frames after the checkpoint are computed again
    if (!status && resume_frames >= 0)
        carom_fields_remove(fields->directory, resume_frames);
    return status;
}

// Threads that pack a frame during the run: a quarter of those of the run, so that it is not slowed down.
static int helper_count(void) {
    return carom_threads() / 4;
}

// The file of all frames. A resumed run needs no truncation here: carom_vtkhdf_append cuts off later frames.
static carom_status open_vtkhdf(carom_fields *fields, carom_error *error) {
#ifdef CAROM_HAVE_HDF5
    char path[CAROM_PATH_MAX];
    path_of(fields, "fields.vtkhdf", path);
    return carom_vtkhdf_create(path, &fields->vtu, fields->deflate, error);
#else
    (void)fields;
    (void)error;
    return CAROM_OK;
#endif
}

carom_status carom_fields_open(carom_fields *fields, const carom_fields_def *def, carom_grid *grid, carom_error *error) {
    *fields = (carom_fields){.format = def->format,
                             .deflate = def->deflate,
                             .style = def->style,
                             .grid = *grid,
                             .pvd.fd = -1,
                             .frames = def->resume_frames >= 0 ? def->resume_frames : 0};
    *grid = (carom_grid){0};
    fields->vtu = (carom_vtu){.grid = &fields->grid, .cover = &fields->cover, .style = &fields->style};
    fields->written = fields->frames;
    snprintf(fields->directory, sizeof fields->directory, "%s", def->directory);
    if (!carom_output_supports(def->format))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "this build of carom cannot write .vtkhdf files (build it with the CMake option CAROM_HDF5=ON)");
    const carom_choice choice = carom_choice_make(&fields->grid, &fields->style);
    carom_status status = carom_cover_create(&fields->grid, fields->style.surface, &fields->cover, error);
    // points and cells of a surface are numbered differently from the model: arrays of numbers identify them
    if (!status && ((fields->style.surface && !carom_grid_number(&fields->grid)) ||
                    !carom_frame_create(&fields->grid, &choice, &fields->frame)))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for a frame");
    if (!status && def->format != CAROM_FIELDS_VTKHDF)
        status = open_list(fields, def->resume_frames, def->pvd_size, error);
    if (!status && def->format != CAROM_FIELDS_VTU && def->resume_frames < 0)
        status = open_vtkhdf(fields, error);
    fields->pvd_size = fields->pvd.size;
    if (!status && carom_frame_size(&fields->grid, &choice) >= LARGE_FRAME) {
        status = carom_writer_open(&fields->writer, error);
        fields->vtu.helpers = helper_count();
    }
    return status;
}

// Writes the last frame to the files. The file is complete before the list names it.
static carom_status write_frame(void *context, carom_error *error) {
    carom_fields *fields = context;
    char path[CAROM_PATH_MAX], name[64];
    carom_status status = CAROM_OK;
#ifdef CAROM_HAVE_HDF5
    if (fields->format != CAROM_FIELDS_VTU) {
        path_of(fields, "fields.vtkhdf", path);
        status = carom_vtkhdf_append(path, &fields->vtu, &fields->frame, fields->written, error);
    }
#endif
    if (!status && fields->format != CAROM_FIELDS_VTKHDF) {
        carom_fields_frame_name(fields->written, name);
        path_of(fields, name, path);
        status = carom_vtu_write(&fields->vtu, path, &fields->frame, error);
        if (!status)
            status = carom_pvd_add(&fields->pvd, fields->frame.time, name, error);
    }
    if (!status)
        fields->written++;
    return status;
}

// After a failure the frame does not count.
static carom_status revert_on_failure(carom_fields *fields, carom_status status) {
    if (status) {
        fields->frames = fields->written;
        fields->pvd_size = fields->pvd.size;
    }
    return status;
}

bool carom_fields_is_concurrent(const carom_fields *fields) {
    return fields->writer.is_open;
}

carom_status carom_fields_check(carom_fields *fields, carom_error *error) {
    return revert_on_failure(fields, carom_writer_check(&fields->writer, error));
}

carom_status carom_fields_wait(carom_fields *fields, carom_error *error) {
    return revert_on_failure(fields, carom_writer_wait(&fields->writer, error));
}

carom_status carom_fields_frame(carom_fields *fields, const carom_state *state, carom_error *error) {
    carom_status status = carom_fields_wait(fields, error);
    if (status)
        return status;
    char name[64];
    carom_frame_take(&fields->frame, &fields->grid, state);
    carom_fields_frame_name(fields->frames, name);
    if (carom_fields_is_concurrent(fields))
        carom_writer_begin(&fields->writer, write_frame, fields);
    else
        status = write_frame(fields, error);
    if (status)
        return status;
    fields->frames++;
    if (fields->format != CAROM_FIELDS_VTKHDF)
        fields->pvd_size += carom_pvd_entry_size(carom_state_time(state), name);
    // contact forces of the next frame are means over the time from here
    carom_traces_begin(&fields->grid.traces, state);
    return CAROM_OK;
}

carom_status carom_fields_close(carom_fields *fields, carom_error *error) {
    carom_status status = carom_fields_wait(fields, error);
    carom_writer_close(&fields->writer);
    carom_frame_release(&fields->frame);
    carom_vtu_release(&fields->vtu);
    carom_cover_release(&fields->cover);
    carom_grid_release(&fields->grid);
    carom_status end = carom_pvd_close(&fields->pvd, status ? NULL : error);
    return status ? status : end;
}
