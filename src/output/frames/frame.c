// SPDX-License-Identifier: MIT
// Allocates the arrays of one frame and fills them with the fields at a state.
#include "output/frames/frame.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/state.h"

// Assigns the next part of the memory to an array, if it is requested.
static void place(bool wanted, int64_t numbers, double **array, double *memory, int64_t *used) {
    *array = wanted && memory ? memory + *used : NULL;
    *used += wanted ? numbers : 0;
}

// Assigns memory to all arrays; returns the total of numbers. Without memory it only counts.
static int64_t divide(const carom_grid *grid, const carom_choice *choice, carom_frame *frame) {
    int64_t points = grid->point_count, used = 0;
    place(true, 3 * points, &frame->positions, frame->memory, &used);
    for (int f = 0; f < grid->point_field_count; f++)
        place(choice->point_fields[f], 3 * points, &frame->point_fields[f], frame->memory, &used);
    for (int f = 0; f < grid->field_count; f++)
        place(carom_choice_needs(grid, choice, f), (int64_t)grid->fields[f].components * grid->cell_count, &frame->fields[f],
              frame->memory, &used);
    for (int f = 0; f < grid->nodal_count; f++)
        place(choice->nodal[f], grid->fields[grid->nodal[f]].components * points, &frame->nodal[f], frame->memory, &used);
    return used;
}

int64_t carom_frame_size(const carom_grid *grid, const carom_choice *choice) {
    carom_frame counted = {0};
    return divide(grid, choice, &counted) * (int64_t)sizeof(double) + grid->point_count * (int64_t)sizeof(int32_t);
}

bool carom_frame_create(const carom_grid *grid, const carom_choice *choice, carom_frame *frame) {
    *frame = (carom_frame){0};
    frame->memory = carom_allocate(divide(grid, choice, frame), sizeof *frame->memory);
    frame->contact_state = carom_allocate(grid->point_count, sizeof *frame->contact_state);
    if (!frame->memory || !frame->contact_state) {
        carom_frame_release(frame);
        return false;
    }
    divide(grid, choice, frame);
    return true;
}

void carom_frame_release(carom_frame *frame) {
    free(frame->memory);
    free(frame->contact_state);
    *frame = (carom_frame){0};
}

void carom_frame_take(carom_frame *frame, carom_grid *grid, const carom_state *state) {
    // The grid fills its scratch, which is temporarily replaced by the arrays of the frame.
    double *values = grid->values;
    int32_t *contact_state = grid->contact_state;
    frame->time = state->time;
    grid->values = frame->positions;
    carom_grid_positions(grid, state);
    grid->contact_state = frame->contact_state;
    carom_grid_contact_state(grid, state);
    for (int f = 0; f < grid->point_field_count; f++) {
        if (!frame->point_fields[f])
            continue;
        grid->values = frame->point_fields[f];
        carom_grid_point_field(grid, state, grid->point_fields[f]);
    }
    // patches have their values at the nodes, one field at a time
    for (int f = 0; grid->around_nodes && f < grid->field_count; f++) {
        if (!frame->fields[f])
            continue;
        grid->values = frame->fields[f];
        carom_grid_field(grid, state, f);
        for (int n = 0; n < grid->nodal_count; n++)
            if (grid->nodal[n] == f && frame->nodal[n])
                carom_nodal_average(grid, n, frame->nodal[n]);
    }
    if (!grid->around_nodes) {
        carom_grid_fields(grid, state, frame->fields);
        carom_nodal_averages(grid, frame->fields, frame->nodal);
    }
    grid->values = values;
    grid->contact_state = contact_state;
}
