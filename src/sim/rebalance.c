// SPDX-License-Identifier: MIT
// Decides when a run of several processes gets other subdomains, and how heavy each node counts in them (rebalance.h). The
// measured work is the processor time of the main thread of each process, without the phases of communication. The work of
// elements, kicks, adaptive steps and guards belongs to the nodes that a process owns. The work of contact does not: it is only
// included in the total that an imbalance is compared with.
//
// With the times t_r that processes spend on their nodes, whose weights have the sums W_r, the weight of each node of process r
// is multiplied by t_r / W_r, relative to the mean. This corrects the estimated cost of nodes; nodes of a slow processor become
// heavier each time, so that it gets fewer of them.
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

// The first window and the distance of measured steps, in steps. The distance has no factor in common with the 8 and 64 steps
// between the checks of guards, so that these are measured in proportion to their frequency.
enum { FIRST_WINDOW = 250, SAMPLE_EVERY = 7 };

// Excess work of the busiest process that is tolerated, as a fraction of the mean work of a process.
static const double tolerated_excess = 0.15;

// Nodes are redistributed only if the time saved until the end is at least this multiple of the time it takes; the next window
// lasts until so much time is saved.
static const double gain_per_cost = 2;

// Largest factor by which the weight of a node changes at a time, and the largest weight.
static const double max_weight_factor = 4;
static const double max_weight = 1e9;

// The work of a process in a window.
typedef struct share {
    double nodes; // seconds for its nodes and elements
    double all;   // seconds for everything but communication
    double cost;  // seconds that a redistribution takes
} share;

static share measured(const carom_rebalance *balance, const carom_sim *sim) {
    const double *work = sim->stepper.profile.work;
    if (balance->counts)
        return (share){.nodes = sim->model->part.owned_count, .all = sim->model->part.owned_count};
    share found = {.cost = balance->seconds};
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

// What counts as work if CAROM_REBALANCE has no number of steps: measured times (it is not set), or numbers of nodes ("count").
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
    *balance = (carom_rebalance){.window = FIRST_WINDOW, .begin = sim->state->step, .seconds = sim->distribution_seconds};
    if (!sim->collection)
        return CAROM_OK;
    int64_t asked = BY_TIMES;
    carom_status status = carom_parallel_rank() == 0 ? read_environment(&asked, error) : CAROM_OK;
    balance->share = carom_allocate(carom_parallel_size(), sizeof *balance->share);
    if (!status && !balance->share)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the work of processes");
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    carom_parallel_broadcast(&asked, sizeof asked);
    balance->active = asked != 0;
    balance->counts = asked == BY_COUNTS;
    balance->random_every = asked > 0 ? asked : 0;
    if (balance->random_every)
        balance->window = balance->random_every;
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
    carom_profile_measure_work(&sim->stepper.profile, true);
    balance->samples++;
}

void carom_rebalance_leave_step(carom_rebalance *balance, carom_sim *sim) {
    if (balance->active && sim->stepper.profile.weighs)
        carom_profile_measure_work(&sim->stepper.profile, false);
}

bool carom_rebalance_is_due(const carom_rebalance *balance, const carom_sim *sim) {
    return balance->active && sim->state->step - balance->begin >= balance->window && !carom_sim_done(sim);
}

// Scales the weights of nodes by the measured times (see above).
static void scale(const carom_model *model, const share *shares, const int *owner, const int64_t *sums, int64_t *weight) {
    double times = 0, weights = 0;
    for (int r = 0; r < carom_parallel_size(); r++) {
        times += shares[r].nodes;
        weights += (double)sums[r];
    }
    for (int k = 0; k < model->node_count; k++) {
        int r = owner[k];
        double factor = shares[r].nodes / times * weights / (double)sums[r];
        factor = fmin(fmax(factor, 1 / max_weight_factor), max_weight_factor);
        weight[k] = (int64_t)fmin(fmax(factor * (double)weight[k], 1), max_weight);
    }
}

// New owners on rank 0, by measured weights, or at random.
static carom_status find_owners(carom_rebalance *balance, const carom_sim *sim, int *owner, carom_error *error) {
    const carom_model *model = sim->whole;
    int parts = carom_parallel_size();
    if (balance->random_every) {
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

// Redistributes the nodes. Without memory the run goes on as it is.
static carom_status redistribute(carom_rebalance *balance, carom_sim *sim, carom_error *error) {
    double begin = carom_profile_work();
    carom_error unsaid = {0};
    int *owner = NULL;
    carom_status status = CAROM_OK;
    if (sim->whole) {
        owner = carom_allocate(sim->whole->node_count, sizeof *owner);
        status = owner ? find_owners(balance, sim, owner, &unsaid)
                       : carom_fail(&unsaid, CAROM_NO_MEMORY, "no memory to balance the work of processes");
    }
    status = CAROM_PARALLEL_AGREE(status, &unsaid);
    if (!status)
        status = carom_sim_move(sim, owner, &unsaid);
    free(owner);
    balance->seconds = carom_profile_work() - begin;
    balance->count += !status;
    return !status || status == CAROM_NO_MEMORY ? CAROM_OK : carom_fail(error, status, "%s", unsaid.message);
}

// True if a redistribution saves time; sets the length of the next window in this case.
static bool pays(carom_rebalance *balance, const carom_sim *sim) {
    share mine = measured(balance, sim);
    carom_parallel_exchange(&mine, sizeof mine, balance->share);
    int size = carom_parallel_size();
    double most = 0, nodes = 0, all = 0, cost = 0;
    for (int r = 0; r < size; r++) {
        most = fmax(most, balance->share[r].nodes);
        cost = fmax(cost, balance->share[r].cost);
        nodes += balance->share[r].nodes / size;
        all += balance->share[r].all / size;
    }
    if (!(nodes > 0))
        return false;
    balance->imbalance = most / nodes;
    double gain = (most - nodes) / balance->samples, steps = (double)(carom_sim_step_count(sim) - sim->state->step);
    if (most - nodes <= tolerated_excess * all || gain * steps < gain_per_cost * cost)
        return false;
    double earned = gain_per_cost * cost / gain;
    balance->window = earned > 2 * (double)balance->window ? (int64_t)earned : 2 * balance->window;
    return true;
}

carom_status carom_rebalance_run(carom_rebalance *balance, carom_sim *sim, carom_error *error) {
    carom_status status = CAROM_OK;
    if (pays(balance, sim) || balance->random_every)
        status = redistribute(balance, sim, error);
    if (balance->random_every)
        balance->window = balance->random_every;
    begin_window(balance, sim);
    return status;
}
