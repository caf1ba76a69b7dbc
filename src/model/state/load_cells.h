// SPDX-License-Identifier: MIT
// Load cells: what bodies do to each obstacle, as impulse and as moment of impulse about a point that moves with the obstacle.
#ifndef CAROM_MODEL_STATE_LOAD_CELLS_H
#define CAROM_MODEL_STATE_LOAD_CELLS_H

#include "contact/response.h"
#include "model/state.h"

// Obstacles with columns in the history.
enum { CAROM_CELLS_MAX = 64 };

// Impulse, then moment of impulse, since the start.
enum { CAROM_CELL_FORCE, CAROM_CELL_MOMENT = 3, CAROM_CELL_SUMS = 6 };

// The largest mean force and moment over a window of the run (carom_force_window), and when those windows ended.
typedef struct carom_cell_peaks {
    double force, force_time, moment, moment_time;
} carom_cell_peaks;

// Adds the array of the cells to a new state, which has none if there are no obstacles. False if memory is short.
bool carom_cells_register(carom_state *state);

// Where an impulse of contact acts: from the point of the load cell if a side is an obstacle, else from the origin. Returns
// that side, or -1.
int carom_cells_arm(const carom_state *state, const carom_hit *hit, double arm[3]);

// Adds an impulse of contact.
void carom_cells_book(carom_state *state, const carom_hit *hit);

// A window of forces ends with this step; it lasted that long.
void carom_cells_end_window(carom_state *state, double passed);

// The sums of an obstacle, by the number of its pose.
void carom_cells_sums(const carom_state *state, int pose, double sums[CAROM_CELL_SUMS]);
// Its peaks, with the window that has not ended yet, as if it lasted as long as others.
carom_cell_peaks carom_cells_peaks(const carom_state *state, int pose);

#endif
