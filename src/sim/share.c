// SPDX-License-Identifier: MIT
// What all processes must know before a shared run: which part of the model is theirs, by what method and in what steps it is
// advanced, and when rows, frames and checkpoints are due. Rank 0 has read it from the scene.
#include "carom/run.h"
#include "parallel/parallel.h"
#include "sim/sim.h"

carom_status carom_sim_create_shared(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                     carom_sim **sim, carom_error *error) {
    *sim = NULL;
    if (carom_parallel_size() == 1)
        return carom_sim_create(model, integrator, time, sim, error);
    return carom_fail(error, CAROM_BAD_INPUT, "a run of several processes is not possible yet: leave out --ranks");
}

void carom_run_def_share(carom_run_def *def, carom_output_def *output) {
    bool writes = def->output != NULL;
    if (carom_parallel_rank() == 0 && writes)
        *output = *def->output;
    carom_run_def told = *def;
    carom_parallel_broadcast(&writes, sizeof writes);
    carom_parallel_broadcast(&told, sizeof told);
    if (writes)
        carom_parallel_broadcast(output, sizeof *output);
    if (carom_parallel_rank() == 0)
        return;
    // Pointers are those of another process.
    output->probe_count = 0;
    output->probes = NULL;
    *def = (carom_run_def){
        .output = writes ? output : NULL,
        .discard = told.discard,
        .resume = told.resume,
        .locked = true,
        .profile = told.profile,
        .fixed_threads = told.fixed_threads,
        .handle_signals = told.handle_signals,
        .progress = CAROM_PROGRESS_NONE,
    };
}
