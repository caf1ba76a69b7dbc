// SPDX-License-Identifier: MIT
#include "output/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/model.h"
#include "model/state.h"

static uint8_t vtk_type(carom_cell_type type) {
    switch (type) {
    case CAROM_CELL_POINT: return 1;
    case CAROM_CELL_LINE2: return 3;
    case CAROM_CELL_TRI3: return 5;
    case CAROM_CELL_QUAD4: return 9;
    case CAROM_CELL_TET4: return 10;
    case CAROM_CELL_HEX8: return 12;
    case CAROM_CELL_TYPE_COUNT: break;
    }
    return 0;
}

// The union of the fields of all elements; a name means the same wherever it is offered.
static int find_field(const carom_grid *grid, const carom_element_field *field) {
    for (int i = 0; i < grid->field_count; i++)
        if (strcmp(grid->fields[i].name, field->name) == 0 && grid->fields[i].components == field->components)
            return i;
    return -1;
}

static void collect_fields(carom_grid *grid) {
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_element *element = grid->model->blocks[b].element;
        for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
            if (find_field(grid, &element->fields[f]) < 0 && grid->field_count < CAROM_GRID_FIELDS_MAX)
                grid->fields[grid->field_count++] = element->fields[f];
    }
}

static void fill_cells(carom_grid *grid) {
    int cell = 0;
    int64_t place = 0;
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        int size = block->element->node_count;
        for (int e = 0; e < block->count; e++, cell++) {
            for (int i = 0; i < size; i++)
                grid->connectivity[place++] = block->nodes[e * size + i];
            grid->offsets[cell + 1] = place;
            grid->types[cell] = vtk_type(block->element->cell);
            grid->cell_body[cell] = block->body;
        }
    }
}

carom_status carom_grid_create(const carom_model *model, carom_grid *grid, carom_error *error) {
    *grid = (carom_grid){.model = model, .node_count = model->node_count};
    for (int b = 0; b < model->block_count; b++) {
        grid->cell_count += model->blocks[b].count;
        grid->connectivity_count += (int64_t)model->blocks[b].count * model->blocks[b].element->node_count;
    }
    collect_fields(grid);
    int64_t room = 3 * (int64_t)grid->node_count;
    for (int f = 0; f < grid->field_count; f++)
        if ((int64_t)grid->cell_count * grid->fields[f].components > room)
            room = (int64_t)grid->cell_count * grid->fields[f].components;

    grid->connectivity = carom_allocate(grid->connectivity_count, sizeof *grid->connectivity);
    grid->offsets = carom_allocate((int64_t)grid->cell_count + 1, sizeof *grid->offsets);
    grid->types = carom_allocate(grid->cell_count, sizeof *grid->types);
    grid->cell_body = carom_allocate(grid->cell_count, sizeof *grid->cell_body);
    grid->node_body = carom_allocate(grid->node_count, sizeof *grid->node_body);
    grid->values = carom_allocate(room, sizeof *grid->values);
    if (!grid->connectivity || !grid->offsets || !grid->types || !grid->cell_body || !grid->node_body || !grid->values) {
        carom_grid_release(grid);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the grid of the field files");
    }

    fill_cells(grid);
    for (int b = 0; b < model->body_count; b++)
        for (int k = 0; k < model->bodies[b].node_count; k++)
            grid->node_body[model->bodies[b].node_begin + k] = b;
    return CAROM_OK;
}

void carom_grid_release(carom_grid *grid) {
    free(grid->connectivity);
    free(grid->offsets);
    free(grid->types);
    free(grid->cell_body);
    free(grid->node_body);
    free(grid->values);
    *grid = (carom_grid){0};
}

void carom_grid_displacement(carom_grid *grid, const carom_state *state) {
    for (int k = 0; k < grid->node_count; k++)
        for (int i = 0; i < 3; i++)
            grid->values[3 * (int64_t)k + i] = state->x[k][i] - grid->model->X[k][i];
}

void carom_grid_field(carom_grid *grid, const carom_state *state, int field) {
    int components = grid->fields[field].components;
    double *values = grid->values;
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        const carom_element *element = block->element;
        // the number under which this element knows the field
        int own = -1;
        for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
            if (find_field(grid, &element->fields[f]) == field)
                own = f;
        if (own >= 0)
            element->field(block, 0, block->count, (const double(*)[3])state->x, (const double(*)[3])grid->model->X, own,
                           values);
        else
            memset(values, 0, (size_t)block->count * (size_t)components * sizeof *values);
        values += (size_t)block->count * (size_t)components;
    }
}
