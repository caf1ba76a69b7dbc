// SPDX-License-Identifier: MIT
#include "model/guard.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/ledger.h"
#include "model/model.h"

// Sums are made of so many parts of equal length, each by one thread: same bits for any number of threads.
enum { PARTS = 64, SHARED_NODES = 4096 };

// Leapfrog exchanges energy with the potential within a step: near its stability limit half as much again is seen.
static const double growth = 1.5;

// Of the scale; allows for the error that an audit tolerates when nearly all energy has been lost to contact.
static const double slack = 0.1;

// Beyond this multiple of the scale nothing can be told from the motion, and energies will soon overflow: the run ends whatever
// `on_event` says.
static const double beyond_use = 1e30;

// Units in the last place by which positions are off.
static const double last_places = 64;

// An audit at which more than this part of the scale is unexplained counts as a strike ...
static const double unbalanced = 0.1;
// ... and one with less than this leaves a state to return to.
static const double balanced = 0.025;

typedef struct energies {
    double kinetic, external, kick;
} energies;

void carom_guard_start(carom_state *state, double h) {
    const carom_model *model = state->model;
    double mass = 0, far = 0;
    for (int k = 0; k < model->node_count; k++) {
        mass += model->mass[k];
        far = fmax(far, carom_norm(state->x[k]));
    }
    memset(state->guard, 0, CAROM_GUARD_NUMBERS * sizeof *state->guard);
    double speed = last_places * DBL_EPSILON * far / h;
    state->guard[CAROM_GUARD_ROUNDING] = 0.5 * mass * speed * speed;
    state->guard[CAROM_GUARD_BALANCED] = state->time;
}

// The part of the sums that the nodes from `begin` to before `end` bring.
static energies sum_of(const carom_state *state, const double (*v)[3], double h, int begin, int end) {
    const carom_model *model = state->model;
    energies sum = {0};
    for (int k = begin; k < end; k++)
        sum.kinetic += 0.5 * model->mass[k] * carom_dot(v[k], v[k]);
    for (int k = begin; model->R && k < end; k++)
        for (int i = 0; i < 3; i++)
            sum.kinetic += 0.5 * model->inertia[k][i] * state->spin[k][i] * state->spin[k][i];
    for (int k = begin; model->loaded && k < end; k++) {
        const double *load = model->load[k];
        for (int i = 0; i < 3; i++)
            sum.external -= load[i] * (state->x[k][i] - model->X[k][i]);
        // a scene at rest has no energy but that of each kick, which contact takes
        sum.kick += 0.5 * h * h * carom_dot(load, load) / model->mass[k];
    }
    return sum;
}

static energies measure(const carom_state *state, const double (*v)[3], double h) {
    int n = state->model->node_count;
    energies parts[PARTS], sum = {0};
#pragma omp parallel for schedule(static) if (n > SHARED_NODES)
    for (int p = 0; p < PARTS; p++)
        parts[p] = sum_of(state, v, h, (int)((int64_t)n * p / PARTS), (int)((int64_t)n * (p + 1) / PARTS));
    for (int p = 0; p < PARTS; p++) {
        sum.kinetic += parts[p].kinetic;
        sum.external += parts[p].external;
        sum.kick += parts[p].kick;
    }
    return sum;
}

// Kinetic and internal energy together, as the books have them.
static double explained(const carom_state *state, double external, const carom_accounts *accounts) {
    double losses = accounts->friction + accounts->restitution + accounts->projection + accounts->damping;
    return state->books.initial_total - external - losses;
}

// The larger one; what is not a number counts as nothing.
static double larger(double scale, double value) {
    return value > scale ? value : scale;
}

static void raise_scale(carom_state *state, double value) {
    double *scale = &state->guard[CAROM_GUARD_SCALE];
    if (value > *scale)
        *scale = value;
}

// Whether an element can give more energy than went into it.
static bool attracts(const carom_model *model) {
    bool any = false;
    for (int b = 0; b < model->block_count; b++)
        any = any || model->blocks[b].element->attracts;
    return any;
}

// What the books of a state allow the kinetic energy to be.
typedef struct allowed {
    energies now;
    double energy, scale, bound; // the energy that the books explain, the scale with it, and the bound
} allowed;

static allowed allow(const carom_state *state, const double (*v)[3], double h) {
    allowed a = {.now = measure(state, v, h), .scale = state->guard[CAROM_GUARD_SCALE]};
    carom_accounts accounts = carom_ledger_accounts(state);
    double external = a.now.external - accounts.drive_work;
    a.energy = explained(state, external, &accounts);
    a.scale = larger(larger(larger(a.scale, a.energy), fabs(external)), a.now.kick);
    a.bound = growth * fmax(a.energy, 0) + slack * a.scale + state->guard[CAROM_GUARD_ROUNDING];
    return a;
}

// The scale, and how near the kinetic energy came to its bound.
static void note(carom_state *state, const allowed *a) {
    raise_scale(state, a->scale);
    double part = a->bound > 0 ? fmin(a->now.kinetic / a->bound, beyond_use) : 0;
    state->guard[CAROM_GUARD_KINETIC] = fmax(state->guard[CAROM_GUARD_KINETIC], part);
}

bool carom_guard_holds_ahead(carom_state *state, const double (*w)[3], double h) {
    allowed a = allow(state, w, h);
    bool holds = a.now.kinetic <= a.bound;
    if (holds)
        note(state, &a);
    return holds;
}

carom_status carom_guard_kinetic(carom_state *state, const double (*v)[3], double h, bool stops, carom_error *error) {
    allowed a = allow(state, v, h);
    energies now = a.now;
    double energy = a.energy, bound = a.bound;
    note(state, &a);
    if (now.kinetic <= bound || (isfinite(now.kinetic) && attracts(state->model)))
        return CAROM_OK;
    if (!isfinite(now.kinetic) || !isfinite(energy)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    state->books.events[CAROM_EVENT_ENERGY_GROWTH]++;
    if (!stops && now.kinetic < beyond_use * bound)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "the motion is unstable: the kinetic energy is %.3g at time %g (step %lld), the books explain %.3g",
                      now.kinetic, state->time, (long long)state->step, energy);
}

void carom_guard_take_scale(carom_state *state, const carom_ledger_row *row) {
    double losses = row->friction + row->restitution + row->projection + row->damping;
    // negative only where elements attract
    raise_scale(state, fabs(state->books.initial_total - row->external - losses));
    raise_scale(state, fabs(row->external));
    raise_scale(state, losses);
}

double carom_guard_oscillation(const carom_state *state, const double (*w)[3]) {
    double sum = 0;
    for (int k = 0; k < state->model->node_count; k++) {
        double d[3];
        carom_difference(w[k], state->v[k], d);
        sum += 0.5 * state->model->mass[k] * carom_dot(d, d);
    }
    return sum;
}

double carom_guard_audit(carom_state *state, double r, double r_kept) {
    double *guard = state->guard, open = fmin(fabs(r), fabs(r_kept));
    double part = open <= guard[CAROM_GUARD_ROUNDING] ? 0 : open / guard[CAROM_GUARD_SCALE];
    guard[CAROM_GUARD_RESIDUAL] = fmax(guard[CAROM_GUARD_RESIDUAL], fmin(part, beyond_use));
    guard[CAROM_GUARD_STRIKES] = part > unbalanced ? guard[CAROM_GUARD_STRIKES] + 1 : 0;
    if (part < balanced)
        guard[CAROM_GUARD_BALANCED] = state->time;
    return part;
}
