// SPDX-License-Identifier: MIT
// What all processes must know before a shared run: which part of the model is theirs, by what method and in what steps it is
// advanced, and when rows, frames and checkpoints are due. Rank 0 has read it from the scene.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/profile.h"
#include "carom/run.h"
#include "model/parts/extract.h"
#include "model/parts/owners.h"
#include "parallel/insist.h"
#include "parallel/parallel.h"
#include "sim/parts.h"
#include "sim/sim.h"

// What rank 0 tells the others of a simulation, before the parameters of the method.
typedef struct plan {
    carom_sharing sharing;
    char integrator[CAROM_NAME_MAX];
    carom_time_def time;
} plan;

// Why a model cannot be shared by that method. All of this is known before anything is sent.
static carom_status check(const carom_model *model, carom_pick pick, carom_error *error) {
    const carom_integrator *method = (const carom_integrator *)pick.kind;
    if (method->sharing == CAROM_SHARES_NOTHING)
        return carom_fail(error, CAROM_BAD_INPUT, "%s runs on one process: leave out --ranks", pick.kind->name);
    carom_status status = carom_integrator_check(method, error);
    if (!status)
        status = carom_integrator_available(pick, error);
    if (!status)
        status = carom_integrator_accepts(method, model, pick.params, error);
    if (status || method->sharing == CAROM_SHARES_SOLVER)
        return status;
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "beams run on one process: leave out --ranks");
    if (model->rigid.count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "rigid bodies run on one process, since an impact moves all nodes of a body: leave out --ranks");
    if (carom_ties_any(&model->ties))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "`tied` and `connections` run on one process with %s: leave out --ranks, or use energy-momentum",
                          pick.kind->name);
    if (model->contact.resolve == CAROM_RESOLVE_PROJECTION)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.resolve: projection runs on one process: leave out --ranks");
    return CAROM_OK;
}

// Everything that is not the model. `params` of other processes are to be freed.
static carom_status report_plan(plan *told, carom_pick *pick, void **params, carom_error *error) {
    carom_parallel_broadcast(told, sizeof *told);
    *params = NULL;
    if (carom_parallel_rank() > 0) {
        pick->kind = carom_catalogue_find(carom_integrators(), told->integrator);
        if (!pick->kind)
            pick->kind = carom_catalogue_find(carom_analyses(), told->integrator);
    }
    carom_status status = pick->kind ? CAROM_OK
                                     : carom_fail(error, CAROM_BAD_INPUT,
                                                  "%s is no method of the library: it runs on one process", told->integrator);
    if (!status) {
        *params = carom_allocate(1, pick->kind->params_size);
        if (!*params)
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the parameters of %s", told->integrator);
    }
    status = carom_parallel_agree(status, error);
    if (status)
        return status;
    if (carom_parallel_rank() == 0 && pick->params)
        memcpy(*params, pick->params, pick->kind->params_size);
    else if (carom_parallel_rank() == 0)
        carom_param_defaults(pick->kind->params, pick->kind->param_count, *params);
    carom_parallel_broadcast(*params, (int64_t)pick->kind->params_size);
    pick->params = *params;
    return CAROM_OK;
}

// The parts of all processes and the contact space, connected. Both are to be released in any case.
static carom_status distribute_model(const carom_model *whole, carom_partition way, carom_model **own, carom_model **space,
                                     carom_error *error) {
    int *owner = NULL;
    carom_model *copy = NULL;
    carom_status status = CAROM_OK;
    if (whole) {
        owner = carom_allocate(whole->node_count, sizeof *owner);
        status = owner ? carom_owners_find(whole, way, carom_parallel_size(), owner, error)
                       : carom_fail(error, CAROM_NO_MEMORY, "no memory to share the model");
        if (!status)
            status = carom_model_extract_space(whole, space, error);
    }
    status = carom_parallel_agree(status, error);
    if (!status)
        status = carom_subdomains_broadcast(*space, &copy, error);
    *space = copy ? copy : *space;
    if (!status)
        status = carom_subdomains_distribute(whole, owner, *space, own, error);
    free(owner);
    return status;
}

static carom_status create(const carom_model *model, carom_pick pick, const plan *told, carom_partition way, carom_sim **sim,
                           carom_error *error) {
    carom_model *own = NULL, *space = NULL;
    carom_status status;
    double begin = carom_profile_work();
    if (told->sharing == CAROM_SHARES_PARTS) {
        status = distribute_model(model, way, &own, &space, error);
        if (!status)
            status = carom_parallel_insist(carom_sim_create_for(own, model, pick, &told->time, sim, error), error);
    } else {
        status = carom_subdomains_broadcast(model, &own, error);
        // rank 0 has its model from whoever called, and it is the same for all simulations of this program
        carom_model *shared = own ? own : (carom_model *)model;
        if (!status) {
            shared->part.replicated = true;
            status = carom_parallel_agree(carom_sim_create_for(shared, NULL, pick, &told->time, sim, error), error);
        }
    }
    if (status) {
        carom_sim_release(*sim);
        *sim = NULL;
        carom_subdomains_release(own);
        carom_model_release(space);
        return status;
    }
    (*sim)->own = own;
    (*sim)->own_space = space;
    (*sim)->partition = way;
    (*sim)->dealing_seconds = carom_profile_work() - begin;
    return CAROM_OK;
}

carom_status carom_sim_create_shared(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                     carom_partition partition, carom_sim **sim, carom_error *error) {
    *sim = NULL;
    if (carom_parallel_size() == 1)
        return carom_sim_create(model, integrator, time, sim, error);
    plan told = {0};
    void *params = NULL;
    carom_status status = CAROM_OK;
    if (carom_parallel_rank() == 0) {
        status = check(model, integrator, error);
        told.sharing = ((const carom_integrator *)integrator.kind)->sharing;
        strncpy(told.integrator, integrator.kind->name, sizeof told.integrator - 1);
        told.time = *time;
    }
    status = carom_parallel_agree(status, error);
    if (!status)
        status = report_plan(&told, &integrator, &params, error);
    if (!status)
        status = create(model, integrator, &told, partition, sim, error);
    free(params);
    return status;
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
    output->fields_name_count = 0;
    output->fields_names = NULL;
    output->fields_at = NULL;
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
