// SPDX-License-Identifier: MIT
// What is measured is the processor time of the main thread of each process, but for phases in which it exchanges numbers with
// others or waits for them. Elements, kicks, following and guards go with the nodes that a process owns; contact does not, and
// is only part of the whole against which a loss is held.
//
// With the times t_r that processes spend on their nodes, whose weights have the sums W_r, the weight of each node of process r
// is multiplied by t_r / W_r, relative to the mean. If nodes cost more than was thought they have got their price; if a
// processor is slow, each time brings its share nearer to what it can do.
#include "sim/rebalance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/model.h"
#include "model/parts/owners.h"
#include "parallel/parallel.h"
#include "sim/collect.h"
#include "sim/repartition.h"

// The first window, in steps, and the distance of the steps that are measured. It has no factor in common with the guards,
// which look every 8 or 64 steps: they are measured as often as they happen.
enum { FIRST_WINDOW = 250, SAMPLE_EVERY = 7 };

// Of the work of a process in the mean: what the busiest may have in excess.
static const double tolerated = 0.15;

// The time that is gained until the end must be so many times the time of dealing; and a window lasts until it is earned.
static const double worthwhile = 2;

// By how much the price of a node changes at a time, and its bounds.
static const double steepest = 4;
static const double dearest = 1e9;

// The work of a process in a window.
typedef struct share {
    double nodes;   // seconds for its nodes and elements,
    double all;     // for everything,
    double dealing; // and those of a dealing
} share;

static share measured(const carom_rebalance *balance, const carom_sim *sim) {
    const double *work = sim->stepper.profile.work;
    if (balance->counts)
        return (share){.nodes = sim->model->part.owned_count, .all = sim->model->part.owned_count};
    share found = {.dealing = balance->seconds};
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        found.all += i == CAROM_PHASE_EXCHANGE || i == CAROM_PHASE_AGREEMENT ? 0 : work[i];
    found.nodes = work[CAROM_PHASE_ELEMENTS] + work[CAROM_PHASE_NODES] + work[CAROM_PHASE_FOLLOWING] +
                  work[CAROM_PHASE_GUARDS] + work[CAROM_PHASE_PEAKS];
    return found;
}

static void begin_window(carom_rebalance *balance, carom_sim *sim) {
    balance->begin = sim->state->step;
    balance->samples = 0;
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        sim->stepper.profile.work[i] = 0;
}

// What CAROM_REBALANCE may hold instead of a number of steps.
enum { BY_TIMES = -1, BY_COUNTS = -2 };

static carom_status read_environment(int64_t *asked, carom_error *error) {
    const char *text = getenv("CAROM_REBALANCE");
    bool counts = text && strcmp(text, "count") == 0;
    *asked = counts ? BY_COUNTS : BY_TIMES;
    if (!text || !*text || counts)
        return CAROM_OK;
    char *end;
    errno = 0;
    *asked = strtoll(text, &end, 10);
    return errno || *end || *asked < 0
               ? carom_fail(error, CAROM_BAD_INPUT, "CAROM_REBALANCE=%s: expected a whole number of steps, or count", text)
               : CAROM_OK;
}

carom_status carom_rebalance_start(carom_rebalance *balance, const carom_sim *sim, carom_error *error) {
    *balance = (carom_rebalance){.window = FIRST_WINDOW, .begin = sim->state->step, .seconds = sim->dealing_seconds};
    if (!sim->collection)
        return CAROM_OK;
    int64_t asked = BY_TIMES;
    carom_status status = carom_parallel_rank() == 0 ? read_environment(&asked, error) : CAROM_OK;
    balance->share = carom_allocate(carom_parallel_size(), sizeof *balance->share);
    if (!status && !balance->share)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the work of processes");
    status = carom_parallel_agree(status, error);
    if (status)
        return status;
    carom_parallel_broadcast(&asked, sizeof asked);
    balance->active = asked != 0;
    balance->counts = asked == BY_COUNTS;
    balance->chance = asked > 0 ? asked : 0;
    if (balance->chance)
        balance->window = balance->chance;
    return CAROM_OK;
}

void carom_rebalance_release(carom_rebalance *balance) {
    free(balance->weight);
    free(balance->share);
    *balance = (carom_rebalance){0};
}

void carom_rebalance_enter_step(carom_rebalance *balance, carom_sim *sim) {
    if (!balance->active || sim->state->step % SAMPLE_EVERY)
        return;
    carom_profile_weigh(&sim->stepper.profile, true);
    balance->samples++;
}

void carom_rebalance_leave_step(carom_rebalance *balance, carom_sim *sim) {
    if (balance->active && sim->stepper.profile.weighs)
        carom_profile_weigh(&sim->stepper.profile, false);
}

bool carom_rebalance_is_due(const carom_rebalance *balance, const carom_sim *sim) {
    return balance->active && sim->state->step - balance->begin >= balance->window && !carom_sim_done(sim);
}

// The price of each node of a process changes as the times tell.
static void scale(const carom_model *model, const share *shares, const int *owner, const int64_t *sums, int64_t *weight) {
    double times = 0, weights = 0;
    for (int r = 0; r < carom_parallel_size(); r++) {
        times += shares[r].nodes;
        weights += (double)sums[r];
    }
    for (int k = 0; k < model->node_count; k++) {
        int r = owner[k];
        double factor = shares[r].nodes / times * weights / (double)sums[r];
        factor = fmin(fmax(factor, 1 / steepest), steepest);
        weight[k] = (int64_t)fmin(fmax(factor * (double)weight[k], 1), dearest);
    }
}

// New owners on rank 0, by what nodes have cost, or by chance.
static carom_status find_owners(carom_rebalance *balance, const carom_sim *sim, int *owner, carom_error *error) {
    const carom_model *model = sim->whole;
    int parts = carom_parallel_size();
    if (balance->chance) {
        carom_owners_by_chance(model, (uint64_t)sim->state->step, parts, owner);
        return CAROM_OK;
    }
    int64_t *sums = carom_allocate(parts, sizeof *sums);
    if (!balance->weight) {
        balance->weight = carom_allocate(model->node_count, sizeof *balance->weight);
        if (balance->weight)
            carom_partition_weigh(model, balance->weight);
    }
    if (!balance->weight || !sums) {
        free(sums);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to balance the work of processes");
    }
    carom_collection_owners(sim->collection, owner);
    for (int k = 0; k < model->node_count; k++)
        sums[owner[k]] += balance->weight[k];
    scale(model, balance->share, owner, sums, balance->weight);
    free(sums);
    return carom_owners_by_weight(model, sim->partition, balance->weight, parts, owner, error);
}

// Deals the nodes anew. Lack of memory is no failure of the run.
static carom_status deal(carom_rebalance *balance, carom_sim *sim, carom_error *error) {
    double begin = carom_profile_work();
    carom_error unsaid = {0};
    int *owner = NULL;
    carom_status status = CAROM_OK;
    if (sim->whole) {
        owner = carom_allocate(sim->whole->node_count, sizeof *owner);
        status = owner ? find_owners(balance, sim, owner, &unsaid)
                       : carom_fail(&unsaid, CAROM_NO_MEMORY, "no memory to balance the work of processes");
    }
    status = carom_parallel_agree(status, &unsaid);
    if (!status)
        status = carom_sim_move(sim, owner, &unsaid);
    free(owner);
    balance->seconds = carom_profile_work() - begin;
    balance->count += !status;
    return !status || status == CAROM_NO_MEMORY ? CAROM_OK : carom_fail(error, status, "%s", unsaid.message);
}

// Whether it pays, and how long the next window is if it does.
static bool pays(carom_rebalance *balance, const carom_sim *sim) {
    share mine = measured(balance, sim);
    carom_parallel_exchange(&mine, sizeof mine, balance->share);
    int size = carom_parallel_size();
    double most = 0, nodes = 0, all = 0, dealing = 0;
    for (int r = 0; r < size; r++) {
        most = fmax(most, balance->share[r].nodes);
        dealing = fmax(dealing, balance->share[r].dealing);
        nodes += balance->share[r].nodes / size;
        all += balance->share[r].all / size;
    }
    if (!(nodes > 0))
        return false;
    balance->imbalance = most / nodes;
    double gain = (most - nodes) / balance->samples, steps = (double)(carom_sim_step_count(sim) - sim->state->step);
    if (most - nodes <= tolerated * all || gain * steps < worthwhile * dealing)
        return false;
    double earned = worthwhile * dealing / gain;
    balance->window = earned > 2 * (double)balance->window ? (int64_t)earned : 2 * balance->window;
    return true;
}

carom_status carom_rebalance_run(carom_rebalance *balance, carom_sim *sim, carom_error *error) {
    carom_status status = CAROM_OK;
    if (pays(balance, sim) || balance->chance)
        status = deal(balance, sim, error);
    if (balance->chance)
        balance->window = balance->chance;
    begin_window(balance, sim);
    return status;
}
