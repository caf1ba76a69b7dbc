// SPDX-License-Identifier: MIT
// The history of materials in a state. All points of all blocks stand in one array, block after block, in batches
// (carom_block_history); what their elements have lost stands in a second one. A model is constant and may be shared by several
// simulations, so a state of a model with history has a copy of it by itself, whose blocks point into these arrays: whoever is
// given state->model reads the history of that state.
#ifndef CAROM_MODEL_STATE_HISTORY_H
#define CAROM_MODEL_STATE_HISTORY_H

#include "model/state.h"

#define CAROM_STATE_HISTORY "history"
#define CAROM_STATE_MATERIAL_LOSSES "material losses"
#define CAROM_STATE_FLOW_TIME "flow time"

// Numbers of history of a block, and of those before it: where its history begins.
int64_t carom_history_begin(const carom_model *model, int block);
// The first row of lanes, in the whole model, of the batch of a part that begins with this element, counted through all blocks.
int64_t carom_history_first_row(const carom_model *part, int block, int element);
// Rows of the whole model.
int64_t carom_history_whole_rows(const carom_model *part);
bool carom_model_has_history(const carom_model *model);

// Finds points and numbers of a block whose element, material and parameters are set; fails if they do not go together.
carom_status carom_block_find_history(carom_block *block, carom_error *error);

// The history of a block before anything has flowed: every lane of every point, also those behind the last element.
void carom_block_start_history(const carom_block *block, double *history);

// Registers the history of the model of a state, with its values at the start, and binds a model to it, which belongs to the
// state. Nothing happens without history. False if memory is short.
bool carom_history_register(carom_state *state);
void carom_history_release(carom_state *state);

// What the laws are asked for at `time`, before a drift of length `after`: to look, and to commit, from which on the time since
// the last commit begins anew.
carom_flow carom_history_flow(const carom_state *state, carom_use use, double time, double after);
carom_flow carom_history_commit(carom_state *state, double time, double after);

// History, losses and time of the last commit as numbers in a row: how many (0 without history), and to and from them.
int64_t carom_history_buffer(const carom_state *state);
void carom_history_save(const carom_state *state, double *numbers);
void carom_history_restore(carom_state *state, const double *numbers);

// The largest value of an inner variable of all points, of all processes; NaN if no material has it.
double carom_history_most(const carom_state *state, carom_inner what);

// The number, in the whole model, of the first element with a molten point; -1: none.
int carom_history_molten(const carom_state *state);

// Losses of all elements until the time of the state, or of one body (-1: all), and the part of them that lies after it.
typedef struct carom_material_losses {
    double plasticity, viscosity, pending; // `viscosity` is without the pending part
} carom_material_losses;
carom_material_losses carom_history_losses(const carom_state *state, int body);

#endif
