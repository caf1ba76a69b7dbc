// SPDX-License-Identifier: MIT
// The history variables of materials in a state. Those of all points of all blocks are in one array, block after block, in
// batches (carom_block_history); the energy losses of their elements are in a second one. A model is constant and may be shared
// by several simulations, so a state of a model with history has its own copy of the model, whose blocks point into these
// arrays: state->model gives access to the history of that state.
#ifndef CAROM_MODEL_STATE_HISTORY_H
#define CAROM_MODEL_STATE_HISTORY_H

#include "model/state.h"

#define CAROM_STATE_HISTORY "history"
#define CAROM_STATE_MATERIAL_LOSSES "material losses"
#define CAROM_STATE_FLOW_TIME "flow time"

// Number of history values of all blocks before this one: the offset of its history.
int64_t carom_history_begin(const carom_model *model, int block);
// The first row (CAROM_LANES numbers), in the whole model, of the batch of a subdomain that begins with this element, counted
// through all blocks.
int64_t carom_history_first_row(const carom_model *part, int block, int element);
// Number of rows of the whole model.
int64_t carom_history_whole_rows(const carom_model *part);
bool carom_model_has_history(const carom_model *model);

// Sets the number of points and of history values of a block whose element, material and parameters are set; fails if they do
// not match.
carom_status carom_block_find_history(carom_block *block, carom_error *error);

// Sets the initial history of a block, before any plastic flow: every lane of every point, including those behind the last
// element.
void carom_block_start_history(const carom_block *block, double *history);

// Registers the history of a state, with its initial values, and binds a copy of the model to it, owned by the state. Nothing
// happens without history. False if memory is short.
bool carom_history_register(carom_state *state);
void carom_history_release(carom_state *state);

// Requests to material laws at `time`, before a drift of length `after`: to evaluate, or to commit (make the values final); a
// commit restarts the time since the last commit.
carom_flow carom_history_flow(const carom_state *state, carom_use use, double time, double after);
carom_flow carom_history_commit(carom_state *state, double time, double after);

// History, losses and time of the last commit as an array of numbers: its length (0 without history), save and restore.
int64_t carom_history_buffer(const carom_state *state);
void carom_history_save(const carom_state *state, double *numbers);
void carom_history_restore(carom_state *state, const double *numbers);

// The largest value of an internal variable over all points and processes; NaN if no material has it.
double carom_history_most(const carom_state *state, carom_inner what);

// The number, in the whole model, of the first element with a molten point; -1: none.
int carom_history_molten(const carom_state *state);

// Losses of all elements, or of one body (-1: all), up to the time of the state, and the part of the booked losses after it.
typedef struct carom_material_losses {
    double plasticity, viscosity, pending; // `viscosity` excludes the pending part
} carom_material_losses;
carom_material_losses carom_history_losses(const carom_state *state, int body);

#endif
