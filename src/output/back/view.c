// SPDX-License-Identifier: MIT
// Computes the points, cells and fields that frames show without files, for a program that reads them from memory
// (carom/view.h).
#include "carom/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/text.h"
#include "model/state.h"
#include "output/frames/grid.h"

enum { FIELDS_MAX = 1 + CAROM_POINT_FIELDS + 2 * CAROM_GRID_FIELDS_MAX };

// Source of a field: one of the three tables of the grid, or the positions.
typedef enum source { POSITION, POINT, CELL, NODAL } source;

struct carom_view {
    carom_grid grid;
    int count;
    carom_view_field fields[FIELDS_MAX];
    source sources[FIELDS_MAX];
    int numbers[FIELDS_MAX]; // in the table of its source
};

static void add(carom_view *view, source from, int number, const char *name, int components) {
    view->sources[view->count] = from;
    view->numbers[view->count] = number;
    view->fields[view->count++] = (carom_view_field){name, components, from != CELL};
}

carom_status carom_view_create(const carom_model *model, const carom_kind *integrator, carom_view **view, carom_error *error) {
    *view = carom_allocate(1, sizeof **view);
    if (!*view)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a view");
    carom_grid *grid = &(*view)->grid;
    const carom_method_result *result =
        integrator ? carom_integrator_result((const carom_integrator *)integrator, CAROM_RESULT_NODAL) : NULL;
    carom_status status = carom_grid_create(model, result, grid, error);
    if (status) {
        free(*view);
        *view = NULL;
        return status;
    }
    add(*view, POSITION, 0, "position", 3);
    // the contact force is a mean since the last frame and is not defined without frames
    for (int f = 0; f < grid->point_field_count; f++)
        if (grid->point_fields[f] != CAROM_POINT_CONTACT_FORCE)
            add(*view, POINT, grid->point_fields[f], carom_point_field_name(grid, grid->point_fields[f]), 3);
    for (int f = 0; f < grid->field_count; f++)
        add(*view, CELL, f, grid->fields[f].name, grid->fields[f].components);
    for (int f = 0; f < grid->nodal_count; f++)
        add(*view, NODAL, f, grid->nodal_names[f], grid->fields[grid->nodal[f]].components);
    return CAROM_OK;
}

void carom_view_release(carom_view *view) {
    if (!view)
        return;
    carom_grid_release(&view->grid);
    free(view);
}

int carom_view_point_count(const carom_view *view) {
    return view->grid.point_count;
}

int carom_view_cell_count(const carom_view *view) {
    return view->grid.cell_count;
}

carom_view_cell carom_view_cell_at(const carom_view *view, int cell) {
    const carom_grid *grid = &view->grid;
    return (carom_view_cell){
        .vtk_type = grid->types[cell],
        .body = grid->cell_body[cell],
        .point_count = (int)(grid->offsets[cell + 1] - grid->offsets[cell]),
        .points = &grid->connectivity[grid->offsets[cell]],
    };
}

int carom_view_field_count(const carom_view *view) {
    return view->count;
}

carom_view_field carom_view_field_at(const carom_view *view, int field) {
    return view->fields[field];
}

static carom_status unknown(const carom_view *view, const char *name, carom_error *error) {
    const char *names[FIELDS_MAX];
    for (int f = 0; f < view->count; f++)
        names[f] = view->fields[f].name;
    const char *nearest = carom_text_nearest(name, names, view->count);
    return carom_fail(error, CAROM_BAD_INPUT, "the model has no field '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

carom_status carom_view_read(carom_view *view, const carom_state *state, const char *name, double *values, int64_t count,
                             carom_error *error) {
    carom_grid *grid = &view->grid;
    int f = 0;
    while (f < view->count && strcmp(view->fields[f].name, name) != 0)
        f++;
    if (f == view->count)
        return unknown(view, name, error);
    if (state->model != grid->model)
        return carom_fail(error, CAROM_BAD_INPUT, "the state is one of another model than the view");
    const carom_view_field *field = &view->fields[f];
    int64_t needed = (int64_t)field->components * (field->at_points ? grid->point_count : grid->cell_count);
    if (count != needed)
        return carom_fail(error, CAROM_BAD_INPUT, "field '%s' has %lld numbers, but the array holds %lld", name,
                          (long long)needed, (long long)count);
    switch (view->sources[f]) {
    case POSITION: carom_grid_positions(grid, state); break;
    case POINT: carom_grid_point_field(grid, state, (carom_point_field)view->numbers[f]); break;
    case CELL: carom_grid_field(grid, state, view->numbers[f]); break;
    case NODAL: carom_grid_nodal_field(grid, state, view->numbers[f]); break;
    }
    memcpy(values, view->sources[f] == NODAL ? grid->nodal_values : grid->values, (size_t)needed * sizeof *values);
    return CAROM_OK;
}
