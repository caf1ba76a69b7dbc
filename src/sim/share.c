// SPDX-License-Identifier: MIT
// What all processes must know before a shared run: which part of the model is theirs, by what method and in what steps it is
// advanced, and when rows, frames and checkpoints are due. Rank 0 has read it from the scene.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/run.h"
#include "model/connect.h"
#include "model/extract.h"
#include "model/owners.h"
#include "parallel/parallel.h"
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
        status = method->accepts(model, pick.params, error);
    if (status || method->sharing == CAROM_SHARES_SOLVER)
        return status;
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "beams run on one process: leave out --ranks");
    if (model->contact.resolve == CAROM_RESOLVE_PROJECTION)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.resolve: projection runs on one process: leave out --ranks");
    return CAROM_OK;
}

// Everything that is not the model. `params` of other processes are to be freed.
static carom_status tell_plan(plan *told, carom_pick *pick, void **params, carom_error *error) {
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

// The same model on all processes: packed on rank 0, and unpacked on the others. Agreed upon by all.
static carom_status broadcast_model(const carom_model *model, carom_model **copy, carom_error *error) {
    void *bytes = NULL;
    int64_t size = 0;
    carom_status status = model ? carom_model_pack(model, &bytes, &size, error) : CAROM_OK;
    status = carom_parallel_agree(status, error);
    if (!status) {
        carom_parallel_broadcast(&size, sizeof size);
        if (!model)
            bytes = carom_allocate(size, 1);
        status = carom_parallel_agree(bytes ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the model"), error);
    }
    if (!status) {
        carom_parallel_broadcast(bytes, size);
        if (!model)
            status = carom_model_unpack(bytes, size, copy, error);
        status = carom_parallel_agree(status, error);
    }
    free(bytes);
    return status;
}

// Rank 0 makes the parts of the others one after the other and sends them; its own last. A size below zero says that it failed.
static carom_status send_parts(const carom_model *whole, const int *owner, carom_model **own, carom_error *error) {
    carom_status status = CAROM_OK;
    int parts = carom_parallel_size();
    for (int rank = 1; rank < parts; rank++) {
        carom_model *part = NULL;
        void *bytes = NULL;
        int64_t size = -1;
        if (!status)
            status = carom_model_extract(whole, owner, parts, rank, &part, error);
        if (!status)
            status = carom_model_pack(part, &bytes, &size, error);
        carom_model_release(part);
        size = status ? -1 : size;
        carom_parallel_give(rank, &size, sizeof size);
        if (size >= 0)
            carom_parallel_give(rank, bytes, size);
        free(bytes);
    }
    return status ? status : carom_model_extract(whole, owner, parts, 0, own, error);
}

static carom_status receive_part(carom_model **own, carom_error *error) {
    int64_t size;
    carom_parallel_take(&size, sizeof size);
    // rank 0 tells why
    if (size < 0)
        return CAROM_OK;
    void *bytes = carom_allocate(size, 1);
    // there is no way to refuse what is being sent
    if (!bytes)
        carom_parallel_abort(CAROM_NO_MEMORY);
    carom_parallel_take(bytes, size);
    carom_status status = carom_model_unpack(bytes, size, own, error);
    free(bytes);
    return status;
}

// The parts of all processes and the contact space, connected.
static carom_status deal_model(const carom_model *whole, carom_partition way, carom_model **own, carom_model **space,
                               carom_error *error) {
    int *owner = NULL;
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
        status = carom_parallel_agree(whole ? send_parts(whole, owner, own, error) : receive_part(own, error), error);
    free(owner);
    if (!status)
        status = broadcast_model(*space, space, error);
    return status ? status : carom_part_connect(*own, *space, error);
}

static carom_status create(const carom_model *model, carom_pick pick, const plan *told, carom_partition way, carom_sim **sim,
                           carom_error *error) {
    carom_model *own = NULL, *space = NULL;
    carom_status status;
    if (told->sharing == CAROM_SHARES_PARTS) {
        status = deal_model(model, way, &own, &space, error);
        if (!status)
            status = carom_sim_create_for(own, model, pick, &told->time, sim, error);
    } else {
        status = broadcast_model(model, &own, error);
        // rank 0 has its model from whoever called, and it is the same for all simulations of this program
        carom_model *shared = own ? own : (carom_model *)model;
        shared->part.replicated = true;
        if (!status)
            status = carom_parallel_agree(carom_sim_create_for(shared, NULL, pick, &told->time, sim, error), error);
    }
    if (status) {
        carom_sim_release(*sim);
        *sim = NULL;
        carom_part_disconnect(own);
        carom_model_release(own);
        carom_model_release(space);
        return status;
    }
    (*sim)->own = own;
    (*sim)->own_space = space;
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
        status = tell_plan(&told, &integrator, &params, error);
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
