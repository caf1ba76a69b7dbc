// SPDX-License-Identifier: MIT
// Checks the guards of a run, bounds that a correct run never reaches: the bound of the kinetic energy, and at audits (every 64
// steps) the unexplained energy of the ledger (docs/theory/guards.md). All sums over nodes are exact and over all processes, so
// that the result does not depend on the number of threads and processes.
#include "model/state/guard.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "material/material.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/motion/loads.h"
#include "model/node_terms.h"
#include "model/remote.h"
#include "model/state/ledger.h"

// Leapfrog exchanges energy with the potential within a step: near its stability limit kinetic energy is up to half as large
// again.
static const double kinetic_factor = 1.5;

// Fraction of the scale; allows for the error that an audit tolerates when nearly all energy has been lost to contact.
static const double scale_tolerance = 0.1;

// Multiple of the scale above which the motion is meaningless and energies will soon overflow: the run ends even if `on_event`
// would continue it.
static const double max_scale_multiple = 1e30;

// Rounding error of positions, in units in the last place.
static const double position_ulps = 64;

// Rounding error of the energy of translation over a run, in units in the last place.
static const double translation_ulps = 1e4;

// An audit after which contact has added a larger fraction of the scale counts as a strike ...
static const double strike_fraction = 0.1;
// ... and after an audit with a smaller unexplained fraction the state is kept to return to.
static const double balanced_fraction = 0.025;

// Number of kicks between two measurements of the potential of dead loads.
enum { MEASURE_EVERY = 8 };

typedef struct moving {
    const carom_state *state;
    const double (*v)[3];
} moving;

static void raise_scale(carom_state *state, double value) {
    double *scale = &state->guard[CAROM_GUARD_SCALE];
    if (value > *scale)
        *scale = value;
}

carom_limits carom_guard_limits(const void *unused, const carom_state *state, int64_t i) {
    (void)unused;
    return i == CAROM_GUARD_ROTATED ? carom_limits_element(state->model) : CAROM_LIMITS_NONE;
}

void carom_guard_start(carom_state *state, const double (*w)[3], double h) {
    const carom_model *model = state->model;
    double far = 0, *guard = state->guard;
    for (int k = 0; k < model->part.owned_count; k++)
        far = fmax(far, carom_norm(state->x[k]));
    far = carom_model_most(model, far);
    memset(guard, 0, CAROM_GUARD_NUMBERS * sizeof *guard);
    carom_groups_start(state, w, h, position_ulps * DBL_EPSILON * far / h);
    carom_whole whole = carom_groups_whole(state);
    guard[CAROM_GUARD_PUSH] = sqrt(2 * whole.kick) / h;
    // the first kick measures
    guard[CAROM_GUARD_AGE] = MEASURE_EVERY;
    guard[CAROM_GUARD_TRANSLATION] = whole.translation;
    guard[CAROM_GUARD_ROUNDING] = whole.rounding + translation_ulps * DBL_EPSILON * whole.translation;
    guard[CAROM_GUARD_OSCILLATION] = w ? carom_guard_oscillation(state, w) : 0;
    guard[CAROM_GUARD_BALANCED] = state->time;
    raise_scale(state, whole.lift);
}

// Index of node number i of those whose values are in the arrays of the state.
static int node_at(const carom_remote *others, int i) {
    return others ? others->here[i] : i;
}

static void add_kinetic(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const moving *at = context;
    const carom_model *model = at->state->model;
    const carom_remote *others = carom_state_on_device(at->state, CAROM_ARRAYS_VELOCITIES);
    const double(*v)[3] = at->v;
    for (int i = begin; i < end; i++)
        terms[0][i - begin] = carom_terms_kinetic(model->mass[node_at(others, i)], v[node_at(others, i)]);
    for (int k = begin; model->R && k < end; k++)
        for (int i = 0; i < 3; i++)
            terms[0][k - begin] += 0.5 * model->inertia[k][i] * at->state->spin[k][i] * at->state->spin[k][i];
}

static void add_external(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    const carom_model *model = state->model;
    const carom_remote *others = carom_state_on_device(state, CAROM_ARRAYS_POSITIONS);
    for (int i = begin; i < end; i++) {
        int k = node_at(others, i);
        terms[0][i - begin] = carom_terms_external(model->load[k], state->x[k], model->X[k]);
    }
}

static double total_of(const carom_model *model, carom_exact_fill *fill, const void *context) {
    carom_exact sum = {0};
    carom_model_sum_nodes(model, &sum, 1, fill, context);
    return carom_exact_value(&sum);
}

// The same, plus the sum over the nodes that a device has, which the device has computed.
static double total_with(const carom_state *state, carom_exact_fill *fill, const void *context, const carom_remote *others,
                         const carom_exact *sum_of_others) {
    if (!others)
        return total_of(state->model, fill, context);
    carom_exact sum = {0};
    carom_exact_copy(&sum, sum_of_others);
    carom_exact_add_range(&sum, 1, others->count, fill, context);
    return carom_exact_value(&sum);
}

// Kinetic plus internal energy according to the ledger, less that of translation.
static double explained(const carom_state *state, double external, double losses) {
    return state->books.initial_total - state->guard[CAROM_GUARD_TRANSLATION] - external - losses;
}

// Minus the stored energy of blocks whose energy may be negative.
double carom_guard_released(const carom_state *state) {
    const carom_model *model = state->model;
    carom_exact sum = {0};
    carom_state_read(state, CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_HISTORY);
    // each block in its place: the energies of the others are those of the last row, and groups of bodies need them
    double *energies = state->element_energy;
    for (int b = 0; b < model->block_count; energies += model->blocks[b++].count) {
        const carom_block *block = &model->blocks[b];
        if (block->element->nonnegative && (!block->material || block->material->nonnegative))
            continue;
        carom_block_energy(model, block, (carom_const_vectors)state->x, (const double(*)[3][3])state->R, energies);
        for (int e = 0; e < block->count; e++)
            if (carom_model_counts(model, &block->nodes[(ptrdiff_t)e * block->node_count]))
                carom_exact_add(&sum, energies[e]);
    }
    carom_model_sum(model, &sum, 1);
    return fmax(-carom_exact_value(&sum), 0);
}

double carom_guard_added(const carom_accounts *contact) {
    return fmax(0, -(contact->friction + contact->restitution + contact->projection));
}

// The bound of the kinetic energy, given the potential of dead loads.
static double bound_by(carom_state *state, double external, double *energy) {
    carom_accounts accounts = carom_ledger_accounts(state);
    external -= accounts.drive_work;
    *energy = explained(state, external, accounts.friction + accounts.restitution + accounts.projection + accounts.damping);
    return state->guard[CAROM_GUARD_TRANSLATION] + kinetic_factor * fmax(*energy, 0) +
           scale_tolerance * state->guard[CAROM_GUARD_SCALE] + state->guard[CAROM_GUARD_ROUNDING];
}

// Measures the potential of dead loads, and updates the energy that the ledger explains.
static double measure(carom_state *state, double h, double *energy) {
    double *guard = state->guard;
    const carom_remote *others = carom_state_on_device(state, CAROM_ARRAYS_POSITIONS);
    guard[CAROM_GUARD_EXTERNAL] =
        state->model->loaded ? total_with(state, add_external, state, others, others ? &others->external : NULL) : 0;
    guard[CAROM_GUARD_STRAY] = guard[CAROM_GUARD_AGE] = 0;
    bound_by(state, guard[CAROM_GUARD_EXTERNAL], energy);
    carom_groups_raise(state);
    carom_accounts accounts = carom_ledger_accounts(state);
    raise_scale(state, *energy - carom_guard_added(&accounts));
    raise_scale(state, fabs(guard[CAROM_GUARD_EXTERNAL] - accounts.drive_work));
    // a scene at rest has only the energy of each kick, which contact absorbs
    raise_scale(state, 0.5 * h * h * guard[CAROM_GUARD_PUSH] * guard[CAROM_GUARD_PUSH]);
    return bound_by(state, guard[CAROM_GUARD_EXTERNAL], energy);
}

// The mass of the rigid body to which a node belongs, or whose hub the node is.
static double rigid_mass(const carom_model *model, int node) {
    int r = model->rigid.of_node[node];
    return model->rigid.items[r < 0 ? -2 - r : r].mass;
}

static void add_push(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    for (int k = begin; k < end; k++) {
        double m = state->model->mass[k];
        // loads on nodes of rigid bodies are divided by the mass of the body
        m = m > 0 ? m : rigid_mass(state->model, k);
        terms[0][k - begin] = state->load_size[k] * state->load_size[k] / m;
    }
}

// Bound of the kinetic energy that live loads may add before their work is recorded: that of a step from the present
// velocities. Methods that compute work from positions record it only when the nodes have moved.
static double push_of_live_loads(carom_state *state, double kinetic, double h) {
    const carom_model *model = state->model;
    carom_model_load_sizes(model, state->time + h, state->load_size);
    double sum = total_of(model, add_push, state);
    raise_scale(state, 0.5 * h * h * sum);
    return h * sqrt(2 * kinetic * sum) + 0.5 * h * h * sum;
}

// The kinetic energy, the energy that the ledger explains, and the bound.
typedef struct verdict {
    double kinetic, energy, bound;
} verdict;

static verdict check_kinetic(carom_state *state, const double (*v)[3], double h) {
    double *guard = state->guard, l[3];
    const carom_remote *others = carom_state_on_device(state, CAROM_ARRAYS_VELOCITIES);
    verdict found = {.kinetic = total_with(state, add_kinetic, &(moving){state, v}, others, others ? &others->kinetic : NULL)};
    for (int r = 0; r < state->model->rigid.count; r++)
        found.kinetic += carom_rigid_turning(state, r, l);
    guard[CAROM_GUARD_STRAY] += h * guard[CAROM_GUARD_PUSH] * sqrt(2 * found.kinetic);
    guard[CAROM_GUARD_AGE]++;
    if (guard[CAROM_GUARD_AGE] < MEASURE_EVERY) {
        found.bound = bound_by(state, guard[CAROM_GUARD_EXTERNAL] + guard[CAROM_GUARD_STRAY], &found.energy);
        if (found.kinetic <= found.bound)
            return found;
    }
    found.bound = measure(state, h, &found.energy);
    if (found.kinetic > found.bound)
        found.bound += kinetic_factor * (fmax(found.energy + carom_guard_released(state), 0) - fmax(found.energy, 0));
    if (found.kinetic > found.bound && state->model->part.whole_live_nodes)
        found.bound += kinetic_factor * push_of_live_loads(state, found.kinetic, h);
    double part = found.bound > 0 ? fmin(found.kinetic / found.bound, max_scale_multiple) : 0;
    guard[CAROM_GUARD_KINETIC] = fmax(guard[CAROM_GUARD_KINETIC], part);
    return found;
}

bool carom_guard_holds_ahead(carom_state *state, const double (*w)[3], double h) {
    double before[CAROM_GUARD_NUMBERS];
    memcpy(before, state->guard, sizeof before);
    verdict found = check_kinetic(state, w, h);
    bool holds = found.kinetic <= found.bound;
    if (!holds)
        memcpy(state->guard, before, sizeof before);
    // these velocities are not a state of the run
    state->guard[CAROM_GUARD_KINETIC] = before[CAROM_GUARD_KINETIC];
    return holds;
}

carom_status carom_guard_kinetic(carom_state *state, const double (*v)[3], double h, bool stops, carom_error *error) {
    verdict found = check_kinetic(state, v, h);
    double kinetic = found.kinetic, energy = found.energy, bound = found.bound;
    if (kinetic <= bound)
        return CAROM_OK;
    if (!isfinite(kinetic) || !isfinite(energy)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    state->books.events[CAROM_EVENT_ENERGY_GROWTH]++;
    if (!stops && kinetic < max_scale_multiple * bound)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "the motion is unstable: the kinetic energy is %.3g at time %g (step %lld), the ledger explains %.3g",
                      kinetic, state->time, (long long)state->step, energy + state->guard[CAROM_GUARD_TRANSLATION]);
}

void carom_guard_take_scale(carom_state *state, const carom_ledger_row *row) {
    double losses = row->friction + row->restitution + row->projection + row->damping;
    double energy = explained(state, row->external, losses);
    energy -= carom_guard_added(
        &(carom_accounts){.friction = row->friction, .restitution = row->restitution, .projection = row->projection});
    // negative only if elements release energy below the reference, which then is kinetic
    raise_scale(state, fmax(fabs(energy), energy + carom_guard_released(state)));
    raise_scale(state, fabs(row->external));
    raise_scale(state, losses);
}

static void add_oscillation(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const moving *at = context;
    for (int k = begin; k < end; k++) {
        double d[3];
        carom_difference(at->v[k], at->state->v[k], d);
        terms[0][k - begin] = 0.5 * at->state->model->mass[k] * carom_dot(d, d);
    }
}

double carom_guard_oscillation(const carom_state *state, const double (*w)[3]) {
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES);
    return total_of(state->model, add_oscillation, &(moving){state, w});
}

carom_unexplained carom_guard_whole(const carom_state *state, double r, double kept) {
    const double *guard = state->guard;
    return (carom_unexplained){r, kept, guard[CAROM_GUARD_SCALE], guard[CAROM_GUARD_ROUNDING], -1};
}

carom_unexplained carom_guard_find(carom_state *state, const carom_ledger_row *row, const double (*w)[3], bool records,
                                   double *touched) {
    carom_unexplained found;
    if (carom_groups_judge(state, row, w, records, &found, touched))
        return found;
    double oscillation = w ? carom_guard_oscillation(state, w) - state->guard[CAROM_GUARD_OSCILLATION] : 0;
    // the row may contain the oscillation already
    double r = row->residual + row->oscillation;
    *touched = state->guard[CAROM_GUARD_SCALE];
    return carom_guard_whole(state, r, row->oscillation != 0 ? row->residual : r - oscillation);
}

bool carom_guard_balances(const carom_unexplained *found) {
    return carom_unexplained_share(found) < balanced_fraction;
}

double carom_guard_given(const carom_state *state, double cost, double scale) {
    double given = fmax(state->guard[CAROM_GUARD_COST], cost) - cost;
    return given > state->guard[CAROM_GUARD_ROUNDING] ? given / scale : 0;
}

double carom_guard_audit(carom_state *state, const carom_unexplained *found, double cost, double scale, double limit,
                         bool *added) {
    double *guard = state->guard, part = carom_unexplained_share(found);
    // contact loses energy and never gains any: its accumulated loss does not decrease
    double given = carom_guard_given(state, cost, scale);
    guard[CAROM_GUARD_COST] = fmax(guard[CAROM_GUARD_COST], cost);
    guard[CAROM_GUARD_RESIDUAL] = fmax(guard[CAROM_GUARD_RESIDUAL], fmin(part, max_scale_multiple));
    bool strikes = part > limit || given > strike_fraction;
    guard[CAROM_GUARD_STRIKES] = strikes ? guard[CAROM_GUARD_STRIKES] + 1 : 0;
    *added = given > part;
    part = fmax(part, given);
    if (part < fmin(balanced_fraction, limit))
        guard[CAROM_GUARD_BALANCED] = state->time;
    return part;
}
