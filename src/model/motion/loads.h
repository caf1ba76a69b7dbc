// SPDX-License-Identifier: MIT
// Loads of a model: constant dead loads (forces fixed in time and direction), which have a potential, and live loads (all
// others: they change in time, or act along the current normals of faces), whose work is recorded.
#ifndef CAROM_MODEL_MOTION_LOADS_H
#define CAROM_MODEL_MOTION_LOADS_H

#include "model/model.h"

// Builds all loads of a definition. Bodies, nodes and masses exist.
carom_status carom_model_add_loads(carom_model *model, const carom_model_def *def, carom_error *error);

// Lists the nodes on which the live loads of a model act.
carom_status carom_model_survey_live(carom_model *model, carom_error *error);

// The live loads at a time and positions, on the nodes of model->live.nodes; other rows are unchanged.
void carom_model_live_load(const carom_model *model, double time, const double (*x)[3], double (*load)[3]);

// Adds one live load, times a factor, to the nodes it acts on. `time` is passed to a load function of the program.
void carom_live_load_add(const carom_live_load *item, double factor, double time, const double (*x)[3], double (*load)[3]);

// Per node, a bound of the size of all loads on it from the start to a time, with faces in the reference configuration.
void carom_model_load_sizes(const carom_model *model, double time, double *size);

// Continues a hash with the live loads.
uint64_t carom_live_loads_hash(uint64_t h, const carom_live_loads *live);

#endif
