// SPDX-License-Identifier: MIT
// Distributes the data of a shared run from rank 0, which has read the scene: the subdomains of the model, the method and its
// parameters, the time step, and when rows, frames and checkpoints are due.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/profile.h"
#include "carom/run.h"
#include "integrator/engines.h"
#include "model/parts/extract.h"
#include "model/parts/owners.h"
#include "parallel/insist.h"
#include "parallel/parallel.h"
#include "sim/parts.h"
#include "sim/sim.h"

// What rank 0 broadcasts of a simulation, before the parameters of the method.
typedef struct plan {
    carom_sharing sharing;
    char integrator[CAROM_NAME_MAX];
    carom_time_def time;
} plan;

// Refuses a model that cannot be shared with that method, before anything is sent.
static carom_status check(const carom_model *model, carom_pick pick, carom_error *error) {
    const carom_integrator *method = (const carom_integrator *)pick.kind;
    carom_status status = carom_integrator_check(method, error);
    if (!status)
        status = carom_integrator_available(pick, error);
    return status ? status : carom_engine_accepts(CAROM_ENGINE_RANKS, method, model, pick.params, error);
}

// Broadcasts the plan and the parameters of the method. `params` is to be freed.
static carom_status report_plan(plan *shared_plan, carom_pick *pick, void **params, carom_error *error) {
    carom_parallel_broadcast(shared_plan, sizeof *shared_plan);
    *params = NULL;
    if (carom_parallel_rank() > 0) {
        pick->kind = carom_catalogue_find(carom_integrators(), shared_plan->integrator);
        if (!pick->kind)
            pick->kind = carom_catalogue_find(carom_analyses(), shared_plan->integrator);
    }
    carom_status status =
        pick->kind ? CAROM_OK
                   : carom_fail(error, CAROM_BAD_INPUT, "%s is not a method of the library and runs on one process only",
                                shared_plan->integrator);
    if (!status) {
        *params = carom_allocate(1, pick->kind->params_size);
        if (!*params)
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the parameters of %s", shared_plan->integrator);
    }
    status = CAROM_PARALLEL_AGREE(status, error);
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

// Distributes the subdomains and the contact space, and connects them. Both are to be released in any case.
static carom_status distribute_model(const carom_model *whole, carom_partition partition, carom_model **own,
                                     carom_model **space, carom_error *error) {
    int *owner = NULL;
    carom_model *copy = NULL;
    carom_status status = CAROM_OK;
    if (whole) {
        owner = carom_allocate(whole->node_count, sizeof *owner);
        status = owner ? carom_owners_find(whole, partition, carom_parallel_size(), owner, error)
                       : carom_fail(error, CAROM_NO_MEMORY, "no memory to share the model");
        if (!status)
            status = carom_model_extract_space(whole, space, error);
    }
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_subdomains_broadcast(*space, &copy, error);
    *space = copy ? copy : *space;
    if (!status)
        status = carom_subdomains_distribute(whole, owner, *space, own, error);
    free(owner);
    return status;
}

// Gives all processes the model of rank 0, which belongs to the caller and may have other simulations: rank 0 gets a view with
// its arrays. Copy and view are to be released in any case.
static carom_status replicate(const carom_model *model, carom_model **copy, carom_model **view, carom_error *error) {
    carom_status status = carom_subdomains_broadcast(model, copy, error);
    if (!status && model) {
        *view = malloc(sizeof **view);
        status = *view ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory to share the model");
    }
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    if (*view) {
        **view = *model;
        (*view)->part.space = *view;
    }
    (*copy ? *copy : *view)->part.replicated = true;
    return CAROM_OK;
}

static carom_status create(const carom_model *model, carom_pick pick, const plan *shared_plan, carom_partition partition,
                           carom_sim **sim, carom_error *error) {
    carom_model *own = NULL, *space = NULL, *view = NULL;
    carom_status status;
    double begin = carom_profile_work();
    if (shared_plan->sharing == CAROM_SHARES_PARTS) {
        status = distribute_model(model, partition, &own, &space, error);
        if (!status)
            status = carom_parallel_insist(carom_sim_create_for(own, model, pick, &shared_plan->time, sim, error), error);
    } else {
        status = replicate(model, &own, &view, error);
        const carom_model *shared = own ? own : view;
        if (!status)
            status = CAROM_PARALLEL_AGREE(carom_sim_create_for(shared, NULL, pick, &shared_plan->time, sim, error), error);
    }
    if (status) {
        carom_sim_release(*sim);
        *sim = NULL;
        carom_subdomains_release(own);
        carom_model_release(space);
        free(view);
        return status;
    }
    (*sim)->own = own;
    (*sim)->view = view;
    (*sim)->own_space = space;
    (*sim)->partition = partition;
    (*sim)->distribution_seconds = carom_profile_work() - begin;
    return CAROM_OK;
}

carom_status carom_sim_create_shared(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                     carom_partition partition, carom_sim **sim, carom_error *error) {
    *sim = NULL;
    if (carom_parallel_size() == 1)
        return carom_sim_create(model, integrator, time, sim, error);
    plan shared_plan = {0};
    void *params = NULL;
    carom_status status = CAROM_OK;
    if (carom_parallel_rank() == 0) {
        status = check(model, integrator, error);
        shared_plan.sharing = ((const carom_integrator *)integrator.kind)->sharing;
        strncpy(shared_plan.integrator, integrator.kind->name, sizeof shared_plan.integrator - 1);
        shared_plan.time = *time;
    }
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = report_plan(&shared_plan, &integrator, &params, error);
    if (!status)
        status = create(model, integrator, &shared_plan, partition, sim, error);
    free(params);
    return status;
}

void carom_run_def_share(carom_run_def *def, carom_output_def *output) {
    bool writes = def->output != NULL;
    if (carom_parallel_rank() == 0 && writes)
        *output = *def->output;
    carom_run_def root_def = *def;
    carom_parallel_broadcast(&writes, sizeof writes);
    carom_parallel_broadcast(&root_def, sizeof root_def);
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
        .discard = root_def.discard,
        .resume = root_def.resume,
        .locked = true,
        .profile = root_def.profile,
        .fixed_threads = root_def.fixed_threads,
        .handle_signals = root_def.handle_signals,
        .progress = CAROM_PROGRESS_NONE,
    };
}
