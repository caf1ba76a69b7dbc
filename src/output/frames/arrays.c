// SPDX-License-Identifier: MIT
// The table of the arrays of a frame: name, type and number of values of each, for VTU and VTKHDF files.
#include "output/frames/arrays.h"

#include <string.h>

int carom_number_bytes(carom_number_type type) {
    static const int bytes[] = {[CAROM_NUMBER_FLOAT64] = 8,
                                [CAROM_NUMBER_FLOAT32] = 4,
                                [CAROM_NUMBER_INT64] = 8,
                                [CAROM_NUMBER_INT32] = 4,
                                [CAROM_NUMBER_UINT8] = 1};
    return bytes[type];
}

int64_t carom_array_bytes(const carom_array *array) {
    return array->count * array->components * carom_number_bytes(array->type);
}

// A table under construction.
typedef struct list {
    const carom_cover *cover;
    const carom_style *style;
    int count;
    carom_array *arrays;
} list;

static void add(list *l, carom_array array) {
    bool cells = array.section == CAROM_ARRAY_CELL_DATA;
    array.kept = array.type;
    if (array.type == CAROM_NUMBER_FLOAT64 && l->style->single)
        array.type = CAROM_NUMBER_FLOAT32;
    // the sizes of the arrays of the section CELLS are set by the caller
    if (array.section != CAROM_ARRAY_CELLS) {
        array.from = cells ? l->cover->cells : l->cover->points;
        array.count = cells ? l->cover->cell_count : l->cover->point_count;
    }
    l->arrays[l->count++] = array;
}

static void add_real(list *l, carom_array_section section, const char *name, int components, const double *values) {
    add(l, (carom_array){section, name, CAROM_NUMBER_FLOAT64, 0, components, 0, false, NULL, values});
}

static void add_constant(list *l, carom_array_section section, const char *name, carom_number_type type, const void *values) {
    add(l, (carom_array){section, name, type, 0, 1, 0, true, NULL, values});
}

static void list_point_data(list *l, const carom_grid *grid, const carom_choice *choice, const carom_frame *frame) {
    const carom_array_section section = CAROM_ARRAY_POINT_DATA;
    for (int f = 0; f < grid->point_field_count; f++)
        if (choice->point_fields[f])
            add_real(l, section, carom_point_field_name(grid, grid->point_fields[f]), 3, frame ? frame->point_fields[f] : NULL);
    add_constant(l, section, "body", CAROM_NUMBER_INT32, grid->point_body);
    if (choice->contact_state)
        add(l, (carom_array){section, "contact_state", CAROM_NUMBER_INT32, 0, 1, 0, false, NULL,
                             frame ? frame->contact_state : NULL});
    if (choice->mass)
        add_constant(l, section, "mass", CAROM_NUMBER_FLOAT64, grid->point_mass);
    if (grid->numbered)
        add_constant(l, section, "number", CAROM_NUMBER_INT64, grid->node_number);
    // the index of each point in the whole grid, as in contacts.csv
    if (l->cover->points) {
        add_constant(l, section, "point", CAROM_NUMBER_INT32, l->cover->points);
        l->arrays[l->count - 1].from = NULL;
    }
    for (int f = 0; f < grid->nodal_count; f++)
        if (choice->nodal[f])
            add_real(l, section, grid->nodal_names[f], grid->fields[grid->nodal[f]].components, frame ? frame->nodal[f] : NULL);
}

// Connectivity and ends of cells. In packed files they are integers of four bytes, which every reader of VTK accepts.
static void list_cells(list *l, const carom_cover *cover) {
    bool narrow = l->style->compress && cover->connectivity_count <= INT32_MAX;
    carom_array whole = {.section = CAROM_ARRAY_CELLS, .type = CAROM_NUMBER_INT64, .components = 1, .constant = true};
    whole.name = "connectivity";
    whole.count = cover->connectivity_count;
    whole.values = cover->connectivity;
    add(l, whole);
    // VTK requires the end of each cell, without the leading 0
    whole.name = "offsets";
    whole.count = cover->cell_count;
    whole.values = cover->offsets + 1;
    add(l, whole);
    for (int i = l->count - 2; i < l->count && narrow; i++)
        l->arrays[i].type = CAROM_NUMBER_INT32;
    whole.name = "types";
    whole.type = CAROM_NUMBER_UINT8;
    whole.values = cover->types;
    add(l, whole);
}

int carom_arrays_list(const carom_grid *grid, const carom_cover *cover, const carom_style *style, const carom_frame *frame,
                      carom_array arrays[static CAROM_ARRAYS_MAX]) {
    const carom_choice choice = carom_choice_make(grid, style);
    list l = {cover, style, 0, arrays};
    list_point_data(&l, grid, &choice, frame);
    add_constant(&l, CAROM_ARRAY_CELL_DATA, "body", CAROM_NUMBER_INT32, grid->cell_body);
    if (grid->numbered)
        add_constant(&l, CAROM_ARRAY_CELL_DATA, "number", CAROM_NUMBER_INT64, grid->cell_number);
    for (int f = 0; f < grid->field_count; f++)
        if (choice.fields[f])
            add_real(&l, CAROM_ARRAY_CELL_DATA, grid->fields[f].name, grid->fields[f].components,
                     frame ? frame->fields[f] : NULL);
    add_real(&l, CAROM_ARRAY_POINTS, "position", 3, frame ? frame->positions : NULL);
    list_cells(&l, cover);
    return l.count;
}

// One number in memory to one in a file. A real beyond the range of four bytes becomes infinite there.
static void convert(const carom_array *a, int64_t place, char *bytes) {
    if (a->kept == a->type) {
        size_t size = (size_t)carom_number_bytes(a->type);
        memcpy(bytes, (const char *)a->values + (size_t)place * size, size);
    } else if (a->type == CAROM_NUMBER_FLOAT32) {
        float number = (float)((const double *)a->values)[place];
        memcpy(bytes, &number, sizeof number);
    } else {
        int32_t number = (int32_t)((const int64_t *)a->values)[place];
        memcpy(bytes, &number, sizeof number);
    }
}

void carom_array_fill(const carom_array *a, int64_t begin, int64_t end, void *bytes) {
    size_t size = (size_t)carom_number_bytes(a->type);
    char *next = bytes;
    if (!a->from && a->kept == a->type) {
        memcpy(next, (const char *)a->values + (size_t)begin * size, (size_t)(end - begin) * size);
        return;
    }
    if (!a->from && a->type == CAROM_NUMBER_FLOAT32) {
        // the usual case in large frames has a separate loop
        const double *values = (const double *)a->values + begin;
        float *numbers = bytes;
        for (int64_t i = 0; i < end - begin; i++)
            numbers[i] = (float)values[i];
        return;
    }
    for (int64_t i = begin; i < end; i++, next += size) {
        int64_t tuple = i / a->components;
        convert(a, (a->from ? a->from[tuple] : tuple) * a->components + i % a->components, next);
    }
}
