// SPDX-License-Identifier: MIT
// Books a kick: impulses of loads, restraints and damping, their moments about the origin, and their work. The sums over nodes
// are exact, and threads share them.
#include "math/exact.h"
#include "math/vec3.h"
#include "model/accounts.h"
#include "model/ledger.h"
#include "model/model.h"
#include "model/shared.h"

// The sums of a kick. Dead loads have only the first ones, live loads and restraints all but the last.
enum { IMPULSE, MOMENT = IMPULSE + 3, WORK = MOMENT + 3, DAMPING, SUMS };

typedef struct kicked {
    const carom_state *state;
    const carom_kick *kick;
} kicked;

// The impulse h f at a node, and its moment.
static void put_impulse(const double x[3], double h, const double force[3], int i, double terms[][CAROM_EXACT_BLOCK]) {
    double moment[3];
    carom_cross(x, force, moment);
    for (int d = 0; d < 3; d++) {
        terms[IMPULSE + d][i] = h * force[d];
        terms[MOMENT + d][i] = h * moment[d];
    }
}

// Work of a force that acts on a node for the time h, at the velocity of the kick.
static double work_of(const carom_kick *kick, int node, double h, const double force[3]) {
    double mean[3];
    for (int i = 0; i < 3; i++)
        // The velocity of a kick is the mean of those before and after it, which makes the work of its force exact.
        mean[i] = 0.5 * (kick->w_before[node][i] + kick->w[node][i]);
    return h * carom_dot(force, mean);
}

// Constant dead loads: their work is in the external potential.
static void of_dead_loads(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    for (int k = begin; k < end; k++)
        put_impulse(at->state->x[k], at->kick->h, at->state->model->load[k], k - begin, terms);
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

// Damping: that of mass takes momentum. The viscous force has neither resultant nor moment, so only its energy is booked.
static void of_damping(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const kicked *at = context;
    const carom_kick *kick = at->kick;
    for (int k = begin; k < end; k++) {
        terms[WORK][k - begin] = 0;
        terms[DAMPING][k - begin] = -work_of(kick, k, kick->h, kick->drag[k]) - work_of(kick, k, kick->h, kick->viscous[k]);
        put_impulse(at->state->x[k], kick->h, kick->drag[k], k - begin, terms);
    }
}

void carom_ledger_book_kick(carom_state *state, const carom_kick *kick) {
    const carom_model *model = state->model;
    const kicked at = {state, kick};
    carom_exact_accounts *booked = &state->books.booked, *pending = &state->books.pending;
    // Pending entries are those of the last kick alone.
    carom_accounts_clear(pending);
    if (!model->loaded && !model->part.whole_live_nodes && !model->part.whole_restraints && !model->damped)
        return;
    carom_exact sums[SUMS] = {0};
    if (model->loaded)
        carom_exact_add_range(sums, WORK, model->part.owned_count, of_dead_loads, &at);
    carom_exact_add_range(sums, DAMPING, model->live.node_count, of_live_loads, &at);
    carom_exact_add_range(sums, DAMPING, model->restraints.count, of_restraints, &at);
    if (model->damped)
        carom_exact_add_range(sums, SUMS, model->part.owned_count, of_damping, &at);
    carom_model_sum(model, sums, SUMS);

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
}
