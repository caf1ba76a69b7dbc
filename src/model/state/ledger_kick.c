// SPDX-License-Identifier: MIT
// Records a kick (velocity update by forces) in the ledger: impulses of loads, restraints and damping, their moments about the
// origin, and their work. The sums over nodes are exact, and several threads compute them.
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/node_terms.h"
#include "model/state/accounts.h"
#include "model/state/ledger.h"

// The sums of a kick. Dead loads have only the first ones, live loads and restraints all but the last.
enum {
    IMPULSE = CAROM_KICK_IMPULSE,
    MOMENT = CAROM_KICK_MOMENT,
    WORK = CAROM_KICK_WORK,
    DAMPING = CAROM_KICK_DAMPING,
    SUMS = CAROM_KICK_SUMS,
    // work of live loads after the time of the kick, less the fraction of their whole work
    LATE = SUMS,
    ALL
};

typedef struct kicked {
    const carom_state *state;
    const carom_kick *kick;
} kicked;

// The impulse h f at a node, and its moment.
static void put_impulse(const double x[3], double h, const double force[3], int i, double terms[][CAROM_EXACT_BLOCK]) {
    double impulse[3], moment[3];
    carom_terms_impulse(x, h, force, impulse, moment);
    for (int d = 0; d < 3; d++) {
        terms[IMPULSE + d][i] = impulse[d];
        terms[MOMENT + d][i] = moment[d];
    }
}

// Work of a force that acts on a node for the time h, at the velocity of the kick.
static double work_of(const carom_kick *kick, int node, double h, const double force[3]) {
    return carom_terms_work(h, force, kick->w_before[node], kick->w[node]);
}

// Index of node number i of those that are summed here.
static int node_at(const kicked *at, int i) {
    return at->kick->nodes ? at->kick->nodes[i] : i;
}

// Constant dead loads: their work is in the potential.
static void of_dead_loads(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    for (int i = begin; i < end; i++)
        put_impulse(at->state->x[node_at(at, i)], at->kick->h, at->state->model->load[node_at(at, i)], i - begin, terms);
}

// A node of another process has no terms here.
static void put_nothing(int i, double terms[][CAROM_EXACT_BLOCK]) {
    for (int a = 0; a < SUMS; a++)
        terms[a][i] = 0;
}

// Loads that have no potential: impulse and work.
static void of_live_loads(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    const carom_kick *kick = at->kick;
    for (int i = begin; i < end; i++) {
        int k = at->state->model->live.nodes[i];
        if (k >= at->state->model->part.owned_count) {
            put_nothing(i - begin, terms);
            continue;
        }
        terms[WORK][i - begin] = work_of(kick, k, kick->h, kick->live[k]);
        put_impulse(at->state->x[k], kick->h, kick->live[k], i - begin, terms);
    }
}

// The fraction a of the kick that acts after its time does so while the velocity grows from v = a w- + (1 - a) w+ to w+, at
// the mean (v + w+)/2 instead of (w- + w+)/2: its work is larger than the fraction a by a (1 - a) h f.(w+ - w-)/2. Otherwise
// the work up to that time would be (h^2/8) f.M^-1 f too large.
static void of_late_work(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    const carom_kick *kick = at->kick;
    for (int i = begin; i < end; i++) {
        int k = at->state->model->live.nodes[i];
        double change[3] = {0, 0, 0};
        if (k < at->state->model->part.owned_count)
            carom_difference(kick->w[k], kick->w_before[k], change);
        terms[0][i - begin] = 0.5 * kick->after * (1 - kick->after) * kick->h * carom_dot(kick->live[k], change);
    }
}

// Restraints: impulse, and work where the motion is prescribed.
static void of_restraints(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    const carom_kick *kick = at->kick;
    for (int r = begin; r < end; r++) {
        int k = at->state->model->restraints.items[r].node;
        if (k >= at->state->model->part.owned_count) {
            put_nothing(r - begin, terms);
            continue;
        }
        terms[WORK][r - begin] = work_of(kick, k, 1, kick->reaction[r]);
        put_impulse(at->state->x[k], 1, kick->reaction[r], r - begin, terms);
    }
}

// Damping: mass damping changes momentum. The viscous force has neither resultant nor moment, so only its energy is recorded.
static void of_damping(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    const carom_kick *kick = at->kick;
    for (int i = begin; i < end; i++) {
        int k = node_at(at, i);
        terms[WORK][i - begin] = 0;
        terms[DAMPING][i - begin] = -work_of(kick, k, kick->h, kick->drag[k]) - work_of(kick, k, kick->h, kick->viscous[k]);
        put_impulse(at->state->x[k], kick->h, kick->drag[k], i - begin, terms);
    }
}

void carom_ledger_record_kick(carom_state *state, const carom_kick *kick) {
    const carom_model *model = state->model;
    const kicked at = {state, kick};
    carom_exact_accounts *booked = &state->books.booked, *pending = &state->books.pending;
    // Pending entries are those of the last kick only.
    carom_accounts_clear(pending);
    if (!model->loaded && !model->part.whole_live_nodes && !model->part.whole_restraints && !model->damped)
        return;
    carom_exact sums[ALL] = {0};
    int count = kick->nodes ? kick->node_count : model->part.owned_count;
    for (int a = 0; kick->device_sums && a < SUMS; a++)
        carom_exact_copy(&sums[a], &kick->device_sums[a]);
    if (model->loaded)
        carom_exact_add_range(sums, WORK, count, of_dead_loads, &at);
    carom_exact_add_range(sums, DAMPING, model->live.node_count, of_live_loads, &at);
    carom_exact_add_range(&sums[LATE], 1, model->live.node_count, of_late_work, &at);
    carom_exact_add_range(sums, DAMPING, model->restraints.count, of_restraints, &at);
    if (model->damped)
        carom_exact_add_range(sums, SUMS, count, of_damping, &at);
    carom_model_sum(model, sums, ALL);

    static const int accounts[SUMS] = {CAROM_ACCOUNT_IMPULSE,
                                       CAROM_ACCOUNT_IMPULSE + 1,
                                       CAROM_ACCOUNT_IMPULSE + 2,
                                       CAROM_ACCOUNT_ANGULAR_IMPULSE,
                                       CAROM_ACCOUNT_ANGULAR_IMPULSE + 1,
                                       CAROM_ACCOUNT_ANGULAR_IMPULSE + 2,
                                       CAROM_ACCOUNT_DRIVE_WORK,
                                       CAROM_ACCOUNT_DAMPING};
    for (int a = 0; a < SUMS; a++) {
        carom_exact_merge(&booked->of[accounts[a]], &sums[a]);
        carom_exact_add(&pending->of[accounts[a]], kick->after * carom_exact_value(&sums[a]));
    }
    carom_exact_add(&pending->of[CAROM_ACCOUNT_DRIVE_WORK], carom_exact_value(&sums[LATE]));
}
