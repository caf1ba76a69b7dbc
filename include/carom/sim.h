// SPDX-License-Identifier: MIT
// A simulation: a model, an integrator and a state, advanced step by step. This is the whole of carom for a program that brings
// its own loop; carom_run (run.h) adds output, progress, checkpoints and signals.
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/integrator.h"
#include "carom/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_time_def {
    double end;    // time; the run ends with the first whole step at or after it
    double step;   // time; NaN: safety times the stable step
    double safety; // pure number, used with an automatic step
    int on_event;  // carom_on_event
} carom_time_def;

CAROM_API carom_time_def carom_default_time_def(void);
CAROM_API const carom_param *carom_time_params(int *count);

// The time of a static analysis (carom_analyses): load factors from 0 to 1.
CAROM_API carom_time_def carom_static_time(const carom_static_params *params);

typedef struct carom_sim carom_sim;

// The model must outlive the simulation. `integrator` is a pick from carom_integrators().
CAROM_API carom_status carom_sim_create(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                        carom_sim **sim, carom_error *error);
CAROM_API void carom_sim_release(carom_sim *sim);

CAROM_API const carom_model *carom_sim_model(const carom_sim *sim);
CAROM_API const carom_state *carom_sim_state(const carom_sim *sim);
CAROM_API const carom_kind *carom_sim_integrator(const carom_sim *sim);
// The books at this moment: energies and momenta as the integrator defines them, and where they went.
CAROM_API carom_ledger_row carom_sim_ledger(const carom_sim *sim);
// The step in use, and how many steps lead to the end.
CAROM_API double carom_sim_step_size(const carom_sim *sim);
CAROM_API int64_t carom_sim_step_count(const carom_sim *sim);
CAROM_API bool carom_sim_done(const carom_sim *sim);

// One step; positions, velocities and books are then all at the time of the state. On CAROM_NUMERICAL the state is an admissible one of at most 64 steps before.
CAROM_API carom_status carom_sim_step(carom_sim *sim, carom_error *error);

// Writes all of the state to a file (atomically), and reads it back into a simulation of the same model and integrator.
CAROM_API carom_status carom_sim_save(const carom_sim *sim, const char *path, carom_error *error);
CAROM_API carom_status carom_sim_load(carom_sim *sim, const char *path, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
