// SPDX-License-Identifier: MIT
// The only file that uses HDF5. The topology is constant: the grid is stored once, each frame appends
// positions and the arrays that change, and the group Steps says where the data of each frame begin. The
// number of steps is written last, so that a reader never sees an incomplete frame.
#include "output/vtkhdf.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

enum {
    CHUNK_ROWS = 1 << 16, // of values: 1.5 MB of vectors, about the size of the chunk cache of HDF5
    CHUNK_STEPS = 64      // of the table of steps: a few hundred bytes
};

// By default HDF5 prints its errors. The handler of a host program is saved and restored around every call.
typedef struct error_handler {
    H5E_auto2_t function;
    void *data;
} error_handler;

static error_handler silence(void) {
    error_handler old = {0};
    H5Eget_auto2(H5E_DEFAULT, &old.function, &old.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return old;
}

static void unsilence(error_handler old) {
    H5Eset_auto2(H5E_DEFAULT, old.function, old.data);
}

// HDF5 does not pass on errno; a full disk is the usual reason.
static carom_status fail(const char *path, carom_error *error) {
    return carom_fail(error, CAROM_IO, "cannot write %s: HDF5 reports a failure (is the disk full?)", path);
}

// How a dataset is made: without the time of day, so that equal results are equal files. To be closed.
static hid_t new_plan(void) {
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    return plan;
}

// Creates a dataset that can grow: rows x components, or one-dimensional if components is 0.
static bool create_growing(hid_t where, const char *name, hid_t type, hsize_t components, hsize_t chunk, bool deflate) {
    int rank = components == 0 ? 1 : 2;
    hsize_t now[2] = {0, components}, most[2] = {H5S_UNLIMITED, components}, chunks[2] = {chunk, components};
    hid_t space = H5Screate_simple(rank, now, most);
    hid_t plan = new_plan();
    H5Pset_chunk(plan, rank, chunks);
    if (deflate) {
        // grouping bytes of equal significance makes doubles compressible; level 4 is the usual compromise
        // of speed and size
        H5Pset_shuffle(plan);
        H5Pset_deflate(plan, 4);
    }
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

// Creates the values of all frames. A chunk holds one frame, or a large part of one, so that a compressed
// chunk is seldom written twice.
static bool create_values(hid_t where, const char *name, hsize_t rows, int components) {
    hsize_t chunk = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    return create_growing(where, name, H5T_IEEE_F64LE, components == 1 ? 0 : (hsize_t)components, chunk, true);
}

// A column of the table of steps.
static bool create_column(hid_t where, const char *name, hid_t type) {
    return create_growing(where, name, type, 0, CHUNK_STEPS, false);
}

// A dataset that is written once.
static bool create_whole(hid_t where, const char *name, hid_t type, hid_t memory, hsize_t count, const void *values) {
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t plan = new_plan();
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
    // the rank tells columns from tables
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
    if (H5Aexists(where, name) > 0) {
        hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
        bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0;
        return attribute >= 0 && H5Aclose(attribute) >= 0 && done;
    }
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
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

// The grid and all that is constant.
static bool create_topology(hid_t root, const carom_grid *grid) {
    const int64_t points = grid->point_count, cells = grid->cell_count, ids = grid->connectivity_count;
    return create_whole(root, "NumberOfPoints", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &points) &&
           create_whole(root, "NumberOfCells", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &cells) &&
           create_whole(root, "NumberOfConnectivityIds", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &ids) &&
           create_whole(root, "Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT64, (hsize_t)ids, grid->connectivity) &&
           create_whole(root, "Offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, (hsize_t)cells + 1, grid->offsets) &&
           create_whole(root, "Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, (hsize_t)cells, grid->types) &&
           create_values(root, "Points", (hsize_t)points, 3);
}

// Arrays of points and cells: constant ones are written at once, the others begin empty.
static bool create_data(hid_t root, const carom_grid *grid) {
    hsize_t points = (hsize_t)grid->point_count, cells = (hsize_t)grid->cell_count;
    hid_t point_data = create_group(root, "PointData"), cell_data = create_group(root, "CellData");
    bool done = point_data >= 0 && cell_data >= 0 &&
                create_whole(point_data, "body", H5T_STD_I32LE, H5T_NATIVE_INT32, points, grid->point_body) &&
                create_whole(point_data, "mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, points, grid->point_mass) &&
                create_whole(cell_data, "body", H5T_STD_I32LE, H5T_NATIVE_INT32, cells, grid->cell_body);
    if (grid->numbered)
        done = done && create_whole(point_data, "number", H5T_STD_I64LE, H5T_NATIVE_INT64, points, grid->node_number) &&
               create_whole(cell_data, "number", H5T_STD_I64LE, H5T_NATIVE_INT64, cells, grid->cell_number);
    done = done && create_growing(point_data, "contact_state", H5T_STD_I32LE, 0,
                                  points < 1            ? 1
                                  : points > CHUNK_ROWS ? CHUNK_ROWS
                                                        : points,
                                  true);
    for (int f = 0; f < grid->point_field_count && done; f++)
        done = create_values(point_data, carom_point_field_name(grid, grid->point_fields[f]), points, 3);
    for (int f = 0; f < grid->field_count && done; f++)
        done = create_values(cell_data, grid->fields[f].name, cells, grid->fields[f].components);
    for (int f = 0; f < grid->nodal_count && done; f++)
        done = create_values(point_data, grid->nodal_names[f], points, grid->fields[grid->nodal[f]].components);
    H5Gclose(point_data);
    H5Gclose(cell_data);
    return done;
}

// The table of steps: times, and for each array the row at which the data of a step begin. Constant arrays
// always begin at 0.
static bool create_steps(hid_t root, const carom_grid *grid) {
    static const char *const columns[] = {"PartOffsets", "NumberOfParts", "PointOffsets"};
    hid_t steps = create_group(root, "Steps");
    bool done = steps >= 0 && create_column(steps, "Values", H5T_IEEE_F64LE);
    for (int i = 0; i < 3 && done; i++)
        done = create_column(steps, columns[i], H5T_STD_I64LE);

    // the format defines these two as tables with one column
    static const char *const tables[] = {"CellOffsets", "ConnectivityIdOffsets"};
    for (int i = 0; i < 2 && done; i++)
        done = create_growing(steps, tables[i], H5T_STD_I64LE, 1, CHUNK_STEPS, false);

    // where each array begins
    hid_t points = create_group(steps, "PointDataOffsets"), cells = create_group(steps, "CellDataOffsets");
    done = done && create_column(points, "body", H5T_STD_I64LE) && create_column(points, "mass", H5T_STD_I64LE) &&
           create_column(points, "contact_state", H5T_STD_I64LE);
    for (int f = 0; f < grid->point_field_count && done; f++)
        done = create_column(points, carom_point_field_name(grid, grid->point_fields[f]), H5T_STD_I64LE);
    done = done && create_column(cells, "body", H5T_STD_I64LE);
    if (grid->numbered)
        done = done && create_column(points, "number", H5T_STD_I64LE) && create_column(cells, "number", H5T_STD_I64LE);
    for (int f = 0; f < grid->field_count && done; f++)
        done = create_column(cells, grid->fields[f].name, H5T_STD_I64LE);
    for (int f = 0; f < grid->nodal_count && done; f++)
        done = create_column(points, grid->nodal_names[f], H5T_STD_I64LE);
    H5Gclose(points);
    H5Gclose(cells);
    done = done && set_integer(steps, "NSteps", 0);
    return H5Gclose(steps) >= 0 && done;
}

// Creates the file with its group VTKHDF, the grid and empty arrays.
static bool create_file(const char *path, const carom_grid *grid) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        return false;
    hid_t root = create_group(file, "VTKHDF");
    bool done =
        root >= 0 && mark_root(root) && create_topology(root, grid) && create_data(root, grid) && create_steps(root, grid);
    H5Gclose(root);
    return H5Fclose(file) >= 0 && done;
}

carom_status carom_vtkhdf_create(const char *path, const carom_grid *grid, carom_error *error) {
    error_handler old = silence();
    bool done = create_file(path, grid);
    unsilence(old);
    return done ? CAROM_OK : fail(path, error);
}

// Frame n begins at row n * points or n * cells in every array.
static bool append_values(hid_t root, const carom_grid *grid, const carom_frame *frame, hsize_t number) {
    hsize_t points = (hsize_t)grid->point_count, cells = (hsize_t)grid->cell_count;
    bool done =
        append_rows(root, "Points", H5T_NATIVE_DOUBLE, number * points, points, 3, frame->positions) &&
        append_rows(root, "PointData/contact_state", H5T_NATIVE_INT32, number * points, points, 1, frame->contact_state);
    for (int f = 0; f < grid->point_field_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "PointData/%s", carom_point_field_name(grid, grid->point_fields[f]));
        done = append_rows(root, name, H5T_NATIVE_DOUBLE, number * points, points, 3, frame->point_fields[f]);
    }
    for (int f = 0; f < grid->field_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "CellData/%s", grid->fields[f].name);
        done = append_rows(root, name, H5T_NATIVE_DOUBLE, number * cells, cells, (hsize_t)grid->fields[f].components,
                           frame->fields[f]);
    }
    for (int f = 0; f < grid->nodal_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "PointData/%s", grid->nodal_names[f]);
        done = append_rows(root, name, H5T_NATIVE_DOUBLE, number * points, points,
                           (hsize_t)grid->fields[grid->nodal[f]].components, frame->nodal[f]);
    }
    return done;
}

// Appends a row to every column of the table of steps.
static bool append_step(hid_t steps, const carom_grid *grid, double time, hsize_t frame) {
    const int64_t zero = 0, one = 1;
    const int64_t point = (int64_t)frame * grid->point_count, cell = (int64_t)frame * grid->cell_count;
    hid_t integer = H5T_NATIVE_INT64;
    bool done = append_rows(steps, "Values", H5T_NATIVE_DOUBLE, frame, 1, 1, &time) &&
                append_rows(steps, "PartOffsets", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "NumberOfParts", integer, frame, 1, 1, &one) &&
                append_rows(steps, "PointOffsets", integer, frame, 1, 1, &point) &&
                append_rows(steps, "CellOffsets", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "ConnectivityIdOffsets", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "PointDataOffsets/body", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "PointDataOffsets/mass", integer, frame, 1, 1, &zero) &&
                append_rows(steps, "PointDataOffsets/contact_state", integer, frame, 1, 1, &point) &&
                append_rows(steps, "CellDataOffsets/body", integer, frame, 1, 1, &zero);
    if (grid->numbered)
        done = done && append_rows(steps, "PointDataOffsets/number", integer, frame, 1, 1, &zero) &&
               append_rows(steps, "CellDataOffsets/number", integer, frame, 1, 1, &zero);
    for (int f = 0; f < grid->point_field_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "PointDataOffsets/%s", carom_point_field_name(grid, grid->point_fields[f]));
        done = append_rows(steps, name, integer, frame, 1, 1, &point);
    }
    for (int f = 0; f < grid->field_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "CellDataOffsets/%s", grid->fields[f].name);
        done = append_rows(steps, name, integer, frame, 1, 1, &cell);
    }
    for (int f = 0; f < grid->nodal_count && done; f++) {
        char name[128];
        snprintf(name, sizeof name, "PointDataOffsets/%s", grid->nodal_names[f]);
        done = append_rows(steps, name, integer, frame, 1, 1, &point);
    }
    return done;
}

// Opens the file, appends one frame and closes it again, so that it is complete between frames.
static bool append_frame(const char *path, const carom_grid *grid, const carom_frame *frame, int64_t number) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (file < 0)
        return false;
    hid_t root = H5Gopen2(file, "VTKHDF", H5P_DEFAULT), steps = H5Gopen2(root, "Steps", H5P_DEFAULT);
    bool done = root >= 0 && steps >= 0;
    // until NSteps is set, a reader sees the previous frames only
    done = done && append_values(root, grid, frame, (hsize_t)number) && append_step(steps, grid, frame->time, (hsize_t)number);
    done = done && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && set_integer(steps, "NSteps", number + 1);
    H5Gclose(steps);
    H5Gclose(root);
    return H5Fclose(file) >= 0 && done;
}

carom_status carom_vtkhdf_append(const char *path, const carom_grid *grid, const carom_frame *frame, int64_t number,
                                 carom_error *error) {
    error_handler old = silence();
    bool done = append_frame(path, grid, frame, number);
    unsilence(old);
    return done ? CAROM_OK : fail(path, error);
}
