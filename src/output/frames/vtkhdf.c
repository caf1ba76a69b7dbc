// SPDX-License-Identifier: MIT
// Writes all frames of a run into one HDF5 file, fields.vtkhdf. This is the only source that uses HDF5. The topology is
// constant: the grid is stored once, each frame appends positions and the arrays that change, and the group Steps says where
// the data of each frame begin. The number of steps is written last, so that readers never find an incomplete frame.
#include "output/frames/vtkhdf.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_ROWS = 1 << 16, // of values: 1.5 MB of vectors, about the size of the chunk cache of HDF5
    CHUNK_STEPS = 64,     // of the table of steps: a few hundred bytes
    LEVEL = 4             // of compression: the usual compromise of speed and size
};

// By default HDF5 prints its errors. The handler of a host program is saved and restored around every call.
typedef struct error_handler {
    H5E_auto2_t function;
    void *data;
} error_handler;

static error_handler disable_messages(void) {
    error_handler old = {0};
    H5Eget_auto2(H5E_DEFAULT, &old.function, &old.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return old;
}

static void restore_messages(error_handler old) {
    H5Eset_auto2(H5E_DEFAULT, old.function, old.data);
}

// HDF5 does not pass on errno; a full disk is the usual reason.
static carom_status fail(const char *path, carom_error *error) {
    return carom_fail(error, CAROM_IO, "cannot write %s: HDF5 reports a failure (is the disk full?)", path);
}

// Creation properties of a dataset: without time stamps, so that equal results are equal files. To be closed.
static hid_t new_plan(void) {
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    return plan;
}

// Packs the chunks of a dataset: grouping bytes of equal significance makes numbers compressible.
static void pack(hid_t plan) {
    H5Pset_shuffle(plan);
    H5Pset_deflate(plan, LEVEL);
}

// Creates a dataset that can grow: rows x components, or one-dimensional if components is 0.
static bool create_growing(hid_t where, const char *name, hid_t type, hsize_t components, hsize_t chunk, bool deflate) {
    int rank = components == 0 ? 1 : 2;
    hsize_t now[2] = {0, components}, most[2] = {H5S_UNLIMITED, components}, chunks[2] = {chunk, components};
    hid_t space = H5Screate_simple(rank, now, most);
    hid_t plan = new_plan();
    H5Pset_chunk(plan, rank, chunks);
    if (deflate)
        pack(plan);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

// The types of numbers in the file, and of those that carom_array_fill writes to memory.
static hid_t file_type(carom_number_type type) {
    switch (type) {
    case CAROM_NUMBER_FLOAT64: return H5T_IEEE_F64LE;
    case CAROM_NUMBER_FLOAT32: return H5T_IEEE_F32LE;
    case CAROM_NUMBER_INT64: return H5T_STD_I64LE;
    case CAROM_NUMBER_INT32: return H5T_STD_I32LE;
    case CAROM_NUMBER_UINT8: return H5T_STD_U8LE;
    }
    return H5T_IEEE_F64LE;
}

static hid_t memory_type(carom_number_type type) {
    switch (type) {
    case CAROM_NUMBER_FLOAT64: return H5T_NATIVE_DOUBLE;
    case CAROM_NUMBER_FLOAT32: return H5T_NATIVE_FLOAT;
    case CAROM_NUMBER_INT64: return H5T_NATIVE_INT64;
    case CAROM_NUMBER_INT32: return H5T_NATIVE_INT32;
    case CAROM_NUMBER_UINT8: return H5T_NATIVE_UINT8;
    }
    return H5T_NATIVE_DOUBLE;
}

// The values of all frames. A chunk holds one frame, or a large part of one, so that a compressed chunk is
// seldom written twice.
static bool create_values(hid_t where, const carom_array *array, bool deflate) {
    hsize_t rows = (hsize_t)array->count, chunk = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    return create_growing(where, array->name, file_type(array->type), array->components == 1 ? 0 : (hsize_t)array->components,
                          chunk, deflate);
}

// A column of the table of steps.
static bool create_column(hid_t where, const char *name, hid_t type) {
    return create_growing(where, name, type, 0, CHUNK_STEPS, false);
}

// A dataset that is written once.
static bool create_whole(hid_t where, const char *name, hid_t type, hid_t memory, hsize_t count, const void *values,
                         bool deflate) {
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t plan = new_plan();
    hsize_t chunk = count > CHUNK_ROWS ? CHUNK_ROWS : count;
    if (deflate && count > 0) {
        H5Pset_chunk(plan, 1, &chunk);
        pack(plan);
    }
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    bool done = set >= 0 && (count == 0 || H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0)
        done = H5Dclose(set) >= 0 && done;
    H5Pclose(plan);
    H5Sclose(space);
    return done;
}

// Writes `rows` rows at row `begin` of a growing dataset and ends it there, which also cuts off frames of
// an interrupted run.
static bool append_rows(hid_t where, const char *name, hid_t memory, hsize_t begin, hsize_t rows, hsize_t components,
                        const void *values) {
    hid_t set = H5Dopen2(where, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    // the rank distinguishes columns from tables
    hid_t old = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(old);
    H5Sclose(old);
    hsize_t extent[2] = {begin + rows, components}, start[2] = {begin, 0}, count[2] = {rows, components};
    // shrinks as well as grows
    bool done = H5Dset_extent(set, extent) >= 0;
    hid_t file_space = H5Dget_space(set);
    hid_t memory_space = H5Screate_simple(rank, count, NULL);
    if (rows > 0)
        done = done && H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Dwrite(set, memory, memory_space, file_space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory_space);
    H5Sclose(file_space);
    return H5Dclose(set) >= 0 && done;
}

// Sets an attribute, which is created the first time.
static bool set_integer(hid_t where, const char *name, int64_t value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Aexists(where, name) > 0 ? H5Aopen(where, name, H5P_DEFAULT)
                                                 : H5Acreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0;
    H5Sclose(space);
    return attribute >= 0 && H5Aclose(attribute) >= 0 && done;
}

// Version 2.0 of the format. The type is a string of fixed length, the only form that all readers accept.
static bool mark_root(hid_t root) {
    const int64_t version[2] = {2, 0};
    hsize_t two = 2;
    hid_t space = H5Screate_simple(1, &two, NULL);
    hid_t attribute = H5Acreate2(root, "Version", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, version) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);

    static const char name[] = "UnstructuredGrid";
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(name));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    space = H5Screate(H5S_SCALAR);
    attribute = H5Acreate2(root, "Type", type, space, H5P_DEFAULT, H5P_DEFAULT);
    done = done && attribute >= 0 && H5Awrite(attribute, type, name) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

static hid_t create_group(hid_t where, const char *name) {
    return H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

// All numbers of an array in the form of the file; to be freed.
static void *numbers_of(const carom_array *array) {
    void *bytes = malloc((size_t)carom_array_bytes(array) + 1);
    if (bytes)
        carom_array_fill(array, 0, array->count * array->components, bytes);
    return bytes;
}

// A file that is being written.
typedef struct file {
    const carom_vtu *vtu;
    bool deflate;
    int count;
    carom_array arrays[CAROM_ARRAYS_MAX];
    hid_t root;
} file;

static void list_arrays(file *f, const carom_frame *frame) {
    f->count = carom_arrays_list(f->vtu->grid, f->vtu->cover, f->vtu->style, frame, f->arrays);
}

// The groups of the sections that have arrays of the same names as the .vtu files.
static const char *group_of(const carom_array *array, bool offsets) {
    bool points = array->section == CAROM_ARRAY_POINT_DATA, cells = array->section == CAROM_ARRAY_CELL_DATA;
    return points ? (offsets ? "PointDataOffsets" : "PointData") : cells ? (offsets ? "CellDataOffsets" : "CellData") : NULL;
}

static bool create_number(hid_t root, const char *name, int64_t number) {
    return create_whole(root, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &number, false);
}

// The grid, which is constant. Packing is worthwhile in large models only, as set by the style.
static bool create_topology(const file *f) {
    const carom_cover *c = f->vtu->cover;
    bool deflate = f->vtu->style->compress && f->deflate;
    hsize_t ids = (hsize_t)c->connectivity_count, cells = (hsize_t)c->cell_count;
    return create_number(f->root, "NumberOfPoints", c->point_count) && create_number(f->root, "NumberOfCells", c->cell_count) &&
           create_number(f->root, "NumberOfConnectivityIds", c->connectivity_count) &&
           create_whole(f->root, "Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT64, ids, c->connectivity, deflate) &&
           create_whole(f->root, "Offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, cells + 1, c->offsets, deflate) &&
           create_whole(f->root, "Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, cells, c->types, deflate);
}

// Arrays of points and cells: constant ones are written at once, the others begin empty.
static bool create_array(const file *f, const carom_array *array) {
    bool pack = f->vtu->style->compress && f->deflate;
    if (array->section == CAROM_ARRAY_POINTS) {
        carom_array points = *array;
        points.name = "Points";
        return create_values(f->root, &points, f->deflate);
    }
    const char *group = group_of(array, false);
    if (!group)
        return true;
    hid_t where = H5Gopen2(f->root, group, H5P_DEFAULT);
    bool done = where >= 0;
    if (array->constant) {
        void *numbers = done ? numbers_of(array) : NULL;
        done = numbers && create_whole(where, array->name, file_type(array->type), memory_type(array->type),
                                       (hsize_t)array->count, numbers, pack);
        free(numbers);
    } else {
        done = done && create_values(where, array, f->deflate);
    }
    return where >= 0 && H5Gclose(where) >= 0 && done;
}

// The table of steps: times, and for each array the row at which the data of a step begin. Constant arrays
// always begin at 0.
static bool create_steps(const file *f) {
    static const char *const columns[] = {"PartOffsets", "NumberOfParts", "PointOffsets"};
    hid_t steps = create_group(f->root, "Steps");
    bool done = steps >= 0 && create_column(steps, "Values", H5T_IEEE_F64LE);
    for (int i = 0; i < 3 && done; i++)
        done = create_column(steps, columns[i], H5T_STD_I64LE);

    // the format defines these two as tables with one column
    static const char *const tables[] = {"CellOffsets", "ConnectivityIdOffsets"};
    for (int i = 0; i < 2 && done; i++)
        done = create_growing(steps, tables[i], H5T_STD_I64LE, 1, CHUNK_STEPS, false);

    // where each array begins
    hid_t points = create_group(steps, "PointDataOffsets"), cells = create_group(steps, "CellDataOffsets");
    for (int i = 0; i < f->count && done; i++)
        if (group_of(&f->arrays[i], true))
            done = create_column(f->arrays[i].section == CAROM_ARRAY_POINT_DATA ? points : cells, f->arrays[i].name,
                                 H5T_STD_I64LE);
    H5Gclose(points);
    H5Gclose(cells);
    done = done && set_integer(steps, "NSteps", 0);
    return H5Gclose(steps) >= 0 && done;
}

static bool create_data(const file *f) {
    hid_t points = create_group(f->root, "PointData"), cells = create_group(f->root, "CellData");
    bool done = points >= 0 && cells >= 0;
    H5Gclose(points);
    H5Gclose(cells);
    for (int i = 0; i < f->count && done; i++)
        done = create_array(f, &f->arrays[i]);
    return done;
}

// Creates the file with its group VTKHDF, the grid and empty arrays.
static bool create_file(const char *path, file *f) {
    hid_t id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0)
        return false;
    f->root = create_group(id, "VTKHDF");
    bool done = f->root >= 0 && mark_root(f->root) && create_topology(f) && create_data(f) && create_steps(f);
    H5Gclose(f->root);
    return H5Fclose(id) >= 0 && done;
}

carom_status carom_vtkhdf_create(const char *path, const carom_vtu *vtu, bool deflate, carom_error *error) {
    file f = {.vtu = vtu, .deflate = deflate};
    list_arrays(&f, NULL);
    error_handler old = disable_messages();
    bool done = create_file(path, &f);
    restore_messages(old);
    return done ? CAROM_OK : fail(path, error);
}

// Frame n begins at row n * points or n * cells in every array.
static bool append_values(const file *f, hsize_t number) {
    bool done = true;
    for (int i = 0; i < f->count && done; i++) {
        const carom_array *array = &f->arrays[i];
        if (array->constant)
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s/%s", array->section == CAROM_ARRAY_POINTS ? "." : group_of(array, false),
                 array->section == CAROM_ARRAY_POINTS ? "Points" : array->name);
        void *numbers = numbers_of(array);
        hsize_t rows = (hsize_t)array->count;
        done = numbers &&
               append_rows(f->root, name, memory_type(array->type), number * rows, rows, (hsize_t)array->components, numbers);
        free(numbers);
    }
    return done;
}

// Appends a row to every column of the table of steps.
static bool append_step(const file *f, hid_t steps, double time, hsize_t frame) {
    const int64_t zero = 0, one = 1, point = (int64_t)frame * f->vtu->cover->point_count;
    hid_t integer = H5T_NATIVE_INT64;
    bool done = append_rows(steps, "Values", H5T_NATIVE_DOUBLE, frame, 1, 1, &time) &&
                append_rows(steps, "PartOffsets", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "NumberOfParts", integer, frame, 1, 1, &one) &&
                append_rows(steps, "PointOffsets", integer, frame, 1, 1, &point) &&
                append_rows(steps, "CellOffsets", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "ConnectivityIdOffsets", integer, frame, 1, 1, &zero);
    for (int i = 0; i < f->count && done; i++) {
        const carom_array *array = &f->arrays[i];
        if (!group_of(array, true))
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s/%s", group_of(array, true), array->name);
        const int64_t begin = array->constant ? 0 : (int64_t)frame * array->count;
        done = append_rows(steps, name, integer, frame, 1, 1, &begin);
    }
    return done;
}

// Opens the file, appends one frame and closes it again, so that it is complete between frames.
static bool append_frame(const char *path, file *f, double time, int64_t number) {
    hid_t id = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (id < 0)
        return false;
    f->root = H5Gopen2(id, "VTKHDF", H5P_DEFAULT);
    hid_t steps = H5Gopen2(f->root, "Steps", H5P_DEFAULT);
    bool done = f->root >= 0 && steps >= 0;
    // until NSteps is set, readers find the previous frames only
    done = done && append_values(f, (hsize_t)number) && append_step(f, steps, time, (hsize_t)number);
    done = done && H5Fflush(id, H5F_SCOPE_GLOBAL) >= 0 && set_integer(steps, "NSteps", number + 1);
    H5Gclose(steps);
    H5Gclose(f->root);
    return H5Fclose(id) >= 0 && done;
}

carom_status carom_vtkhdf_append(const char *path, const carom_vtu *vtu, const carom_frame *frame, int64_t number,
                                 carom_error *error) {
    file f = {.vtu = vtu};
    list_arrays(&f, frame);
    error_handler old = disable_messages();
    bool done = append_frame(path, &f, frame->time, number);
    restore_messages(old);
    return done ? CAROM_OK : fail(path, error);
}
