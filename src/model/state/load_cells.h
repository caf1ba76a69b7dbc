// SPDX-License-Identifier: MIT
// Load cells: the contact load on each obstacle, as impulse and angular impulse about a point that moves with the obstacle.
#ifndef CAROM_MODEL_STATE_LOAD_CELLS_H
#define CAROM_MODEL_STATE_LOAD_CELLS_H

#include "contact/response.h"
#include "model/state.h"

// Obstacles with columns in the history.
enum { CAROM_CELLS_MAX = 64 };

// Impulse, then angular impulse, since the start.
enum { CAROM_CELL_FORCE, CAROM_CELL_MOMENT = 3, CAROM_CELL_SUMS = 6 };

// The largest mean force and moment over a window of the run (carom_force_window), and when those windows ended.
typedef struct carom_cell_peaks {
    double force, force_time, moment, moment_time;
} carom_cell_peaks;

// Registers the array of the cells with a new state; without obstacles it has none. False if memory is short.
bool carom_cells_register(carom_state *state);

// The lever arm of a contact impulse: from the point of the load cell if a side is an obstacle, else from the origin. Returns
// that side, or -1.
int carom_cells_arm(const carom_state *state, const carom_hit *hit, double arm[3]);

// Adds a contact impulse to the cells of its sides.
void carom_cells_book(carom_state *state, const carom_hit *hit);

// Ends a force window of length `passed` with this step.
void carom_cells_end_window(carom_state *state, double passed);

// The sums of an obstacle, by the number of its pose.
void carom_cells_sums(const carom_state *state, int pose, double sums[CAROM_CELL_SUMS]);
// Its peaks, including the unfinished window with the length of a whole one.
carom_cell_peaks carom_cells_peaks(const carom_state *state, int pose);

#endif
