// SPDX-License-Identifier: MIT
#include "output/frame.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/state.h"

// Doubles of all arrays but the contact states.
static int64_t number_count(const carom_grid *grid) {
    int64_t points = grid->point_count, count = 3 * points * (1 + (int64_t)grid->point_field_count);
    for (int f = 0; f < grid->field_count; f++)
        count += (int64_t)grid->fields[f].components * grid->cell_count;
    for (int f = 0; f < grid->nodal_count; f++)
        count += grid->fields[grid->nodal[f]].components * points;
    return count;
}

int64_t carom_frame_size(const carom_grid *grid) {
    return number_count(grid) * (int64_t)sizeof(double) + grid->point_count * (int64_t)sizeof(int32_t);
}

bool carom_frame_create(const carom_grid *grid, carom_frame *frame) {
    int64_t points = grid->point_count;
    *frame = (carom_frame){.memory = carom_allocate(number_count(grid), sizeof *frame->memory),
                           .contact_state = carom_allocate(points, sizeof *frame->contact_state)};
    if (!frame->memory || !frame->contact_state) {
        carom_frame_release(frame);
        return false;
    }
    double *next = frame->memory;
    frame->positions = next;
    next += 3 * points;
    for (int f = 0; f < grid->point_field_count; f++, next += 3 * points)
        frame->point_fields[f] = next;
    for (int f = 0; f < grid->field_count; next += (int64_t)grid->fields[f++].components * grid->cell_count)
        frame->fields[f] = next;
    for (int f = 0; f < grid->nodal_count; next += grid->fields[grid->nodal[f++]].components * points)
        frame->nodal[f] = next;
    return true;
}

void carom_frame_release(carom_frame *frame) {
    free(frame->memory);
    free(frame->contact_state);
    *frame = (carom_frame){0};
}

void carom_frame_take(carom_frame *frame, carom_grid *grid, const carom_state *state) {
    // The grid fills its scratch; for a moment the arrays of the frame stand in its place.
    double *values = grid->values;
    int32_t *contact_state = grid->contact_state;
    frame->time = state->time;
    grid->values = frame->positions;
    carom_grid_positions(grid, state);
    grid->contact_state = frame->contact_state;
    carom_grid_contact_state(grid, state);
    for (int f = 0; f < grid->point_field_count; f++) {
        grid->values = frame->point_fields[f];
        carom_grid_point_field(grid, state, grid->point_fields[f]);
    }
    // patches have their values at the nodes, one field at a time
    for (int f = 0; grid->around_nodes && f < grid->field_count; f++) {
        grid->values = frame->fields[f];
        carom_grid_field(grid, state, f);
        for (int n = 0; n < grid->nodal_count; n++)
            if (grid->nodal[n] == f)
                carom_nodal_average(grid, n, frame->nodal[n]);
    }
    if (!grid->around_nodes) {
        carom_grid_fields(grid, state, frame->fields);
        carom_nodal_averages(grid, frame->fields, frame->nodal);
    }
    grid->values = values;
    grid->contact_state = contact_state;
}
