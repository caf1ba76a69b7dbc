// SPDX-License-Identifier: MIT
#include "model/state/guard.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "material/material.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "model/motion/loads.h"
#include "model/node_terms.h"
#include "model/remote.h"
#include "model/state/ledger.h"

// Leapfrog exchanges energy with the potential within a step: near its stability limit half as much again is seen.
static const double growth = 1.5;

// Of the scale; allows for the error that an audit tolerates when nearly all energy has been lost to contact.
static const double slack = 0.1;

// Beyond this multiple of the scale nothing can be told from the motion, and energies will soon overflow: the run ends whatever
// `on_event` says.
static const double beyond_use = 1e30;

// Units in the last place by which positions are off.
static const double last_places = 64;

// Units in the last place of shear modulus times volume by which stored energies are off: laws of rubber find I1 - 3 as a
// difference of numbers near 3, each with a unit or two.
static const double stored_places = 4;

// An audit at which more than this part of the scale is unexplained counts as a strike ...
static const double unbalanced = 0.1;
// ... and one with less than this leaves a state to return to.
static const double balanced = 0.025;

// Contact lifts rigid bodies that start below their resting height in the layer by at most 1.25 of it, and nothing else may
// happen in the run: this must be well below the part that counts.
static const double layers = 100;

// Kicks between two measurements of the energy of dead loads.
enum { MEASURE_EVERY = 8 };

// All sums over nodes are exact, and over all processes: what guards see does not depend on who computes it.

typedef struct moving {
    const carom_state *state;
    const double (*v)[3];
} moving;

enum { MASS, PUSH, STARTS };

static void add_starts(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_model *model = context;
    for (int k = begin; k < end; k++) {
        terms[MASS][k - begin] = model->mass[k];
        bool pushed = model->loaded && model->mass[k] > 0;
        terms[PUSH][k - begin] = pushed ? carom_dot(model->load[k], model->load[k]) / model->mass[k] : 0;
    }
}

static void raise_scale(carom_state *state, double value) {
    double *scale = &state->guard[CAROM_GUARD_SCALE];
    if (value > *scale)
        *scale = value;
}

// The energy that takes the weight of the rigid bodies up by a height.
static double lift(const carom_model *model, double height) {
    double force = 0;
    for (int r = 0; model->loaded && r < model->rigid.count; r++) {
        const carom_rigid_body *one = &model->rigid.items[r];
        for (int i = 0; i < carom_rigid_body_size(one); i++)
            force += carom_norm(model->load[carom_rigid_body_node(one, i)]);
        force += carom_norm(model->load[one->centre]);
    }
    return force * height;
}

// Stiffness against shear over density of a law whose energy cancels: the square of the speed of shear waves. 0: of others.
static double stiffness_of(const carom_block *block) {
    const carom_material *law = block->material;
    if (!law || !law->cancels || !law->density || !law->shear)
        return 0;
    double density = law->density(block->material_params);
    return density > 0 ? law->shear(block->material_params) / density : 0;
}

// Shear modulus times volume of all bodies of such laws, of the stiffest of each.
static double stored_unit(const carom_model *model) {
    double sum = 0;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        double most = 0;
        for (int i = 0; i < body->block_count; i++)
            most = fmax(most, stiffness_of(&model->blocks[body->block_begin + i]));
        sum += carom_model_most(model, most) * body->mass;
    }
    return sum;
}

void carom_guard_start(carom_state *state, double h) {
    const carom_model *model = state->model;
    double far = 0;
    for (int k = 0; k < model->part.owned_count; k++)
        far = fmax(far, carom_norm(state->x[k]));
    far = carom_model_most(model, far);
    carom_exact sums[STARTS] = {0};
    carom_model_sum_nodes(model, sums, STARTS, add_starts, model);
    memset(state->guard, 0, CAROM_GUARD_NUMBERS * sizeof *state->guard);
    state->guard[CAROM_GUARD_PUSH] = sqrt(carom_exact_value(&sums[PUSH]));
    // the first kick measures
    state->guard[CAROM_GUARD_AGE] = MEASURE_EVERY;
    double speed = last_places * DBL_EPSILON * far / h;
    state->guard[CAROM_GUARD_ROUNDING] = 0.5 * carom_exact_value(&sums[MASS]) * speed * speed;
    state->guard[CAROM_GUARD_ROUNDING] += stored_places * DBL_EPSILON * stored_unit(model);
    state->guard[CAROM_GUARD_BALANCED] = state->time;
    raise_scale(state, lift(model, layers * model->contact.layer * model->surface_length));
}

// Node number i of those that the arrays of the state have.
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

// The same with the nodes that a remote has, whose sum it has found.
static double total_with(const carom_state *state, carom_exact_fill *fill, const void *context, const carom_remote *others,
                         const carom_exact *sum_of_others) {
    if (!others)
        return total_of(state->model, fill, context);
    carom_exact sum = {0};
    carom_exact_copy(&sum, sum_of_others);
    carom_exact_add_range(&sum, 1, others->count, fill, context);
    return carom_exact_value(&sum);
}

// Kinetic and internal energy together, as the books have them.
static double explained(const carom_state *state, double external, const carom_accounts *accounts) {
    double losses = accounts->friction + accounts->restitution + accounts->projection + accounts->damping;
    return state->books.initial_total - external - losses;
}

// Energy that elements have given away beyond that of the reference: minus the stored energy of those blocks that may have
// less than none. It is asked for only where the bound without it is met.
static double given_away(const carom_state *state) {
    const carom_model *model = state->model;
    carom_exact sum = {0};
    carom_state_read(state, CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_HISTORY);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (block->element->nonnegative && (!block->material || block->material->nonnegative))
            continue;
        double *energies = state->element_energy;
        carom_block_energy(model, block, (carom_const_vectors)state->x, (const double(*)[3][3])state->R, energies);
        carom_exact_add_all(&sum, energies, carom_block_counted(model, block, 0, block->count, energies));
    }
    carom_model_sum(model, &sum, 1);
    return fmax(-carom_exact_value(&sum), 0);
}

// The bound of the kinetic energy, given the energy of dead loads.
static double bound_by(carom_state *state, double external, double *energy) {
    carom_accounts accounts = carom_ledger_accounts(state);
    external -= accounts.drive_work;
    *energy = explained(state, external, &accounts);
    return growth * fmax(*energy, 0) + slack * state->guard[CAROM_GUARD_SCALE] + state->guard[CAROM_GUARD_ROUNDING];
}

// Measures the energy of dead loads, and what the books explain with it.
static double measure(carom_state *state, double h, double *energy) {
    double *guard = state->guard;
    const carom_remote *others = carom_state_on_device(state, CAROM_ARRAYS_POSITIONS);
    guard[CAROM_GUARD_EXTERNAL] =
        state->model->loaded ? total_with(state, add_external, state, others, others ? &others->external : NULL) : 0;
    guard[CAROM_GUARD_STRAY] = guard[CAROM_GUARD_AGE] = 0;
    bound_by(state, guard[CAROM_GUARD_EXTERNAL], energy);
    raise_scale(state, *energy);
    raise_scale(state, fabs(guard[CAROM_GUARD_EXTERNAL] - carom_ledger_accounts(state).drive_work));
    // a scene at rest has no energy but that of each kick, which contact takes
    raise_scale(state, 0.5 * h * h * guard[CAROM_GUARD_PUSH] * guard[CAROM_GUARD_PUSH]);
    return bound_by(state, guard[CAROM_GUARD_EXTERNAL], energy);
}

// The mass of the rigid body that carries a node, or has its hub there.
static double rigid_mass(const carom_model *model, int node) {
    int r = model->rigid.of_node[node];
    return model->rigid.items[r < 0 ? -2 - r : r].mass;
}

static void add_push(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_state *state = context;
    for (int k = begin; k < end; k++) {
        double m = state->model->mass[k];
        // loads on nodes of rigid bodies are counted at the mass of the body
        m = m > 0 ? m : rigid_mass(state->model, k);
        terms[0][k - begin] = state->load_size[k] * state->load_size[k] / m;
    }
}

// What live loads may add to the kinetic energy ahead of their work in the books: that of a step from the present velocities.
// Methods that book work by positions learn of it only when the nodes have moved.
static double push_of_live_loads(carom_state *state, double kinetic, double h) {
    const carom_model *model = state->model;
    carom_model_load_sizes(model, state->time + h, state->load_size);
    double sum = total_of(model, add_push, state);
    raise_scale(state, 0.5 * h * h * sum);
    return h * sqrt(2 * kinetic * sum) + 0.5 * h * h * sum;
}

// The kinetic energy, what the books explain, and the bound.
typedef struct verdict {
    double kinetic, energy, bound;
} verdict;

static verdict judge(carom_state *state, const double (*v)[3], double h) {
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
        found.bound += growth * (fmax(found.energy + given_away(state), 0) - fmax(found.energy, 0));
    if (found.kinetic > found.bound && state->model->part.whole_live_nodes)
        found.bound += growth * push_of_live_loads(state, found.kinetic, h);
    double part = found.bound > 0 ? fmin(found.kinetic / found.bound, beyond_use) : 0;
    guard[CAROM_GUARD_KINETIC] = fmax(guard[CAROM_GUARD_KINETIC], part);
    return found;
}

bool carom_guard_holds_ahead(carom_state *state, const double (*w)[3], double h) {
    double before[CAROM_GUARD_NUMBERS];
    memcpy(before, state->guard, sizeof before);
    verdict found = judge(state, w, h);
    bool holds = found.kinetic <= found.bound;
    if (!holds)
        memcpy(state->guard, before, sizeof before);
    // it is not a value of the run
    state->guard[CAROM_GUARD_KINETIC] = before[CAROM_GUARD_KINETIC];
    return holds;
}

carom_status carom_guard_kinetic(carom_state *state, const double (*v)[3], double h, bool stops, carom_error *error) {
    verdict found = judge(state, v, h);
    double kinetic = found.kinetic, energy = found.energy, bound = found.bound;
    if (kinetic <= bound)
        return CAROM_OK;
    if (!isfinite(kinetic) || !isfinite(energy)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    state->books.events[CAROM_EVENT_ENERGY_GROWTH]++;
    if (!stops && kinetic < beyond_use * bound)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "the motion is unstable: the kinetic energy is %.3g at time %g (step %lld), the books explain %.3g",
                      kinetic, state->time, (long long)state->step, energy);
}

void carom_guard_take_scale(carom_state *state, const carom_ledger_row *row) {
    double losses = row->friction + row->restitution + row->projection + row->damping;
    double energy = state->books.initial_total - row->external - losses;
    // negative only where elements give more than they had, which then is kinetic
    raise_scale(state, fmax(fabs(energy), energy + given_away(state)));
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

double carom_guard_unexplained(const carom_state *state, double r, double r_kept) {
    double open = fmin(fabs(r), fabs(r_kept));
    return open <= state->guard[CAROM_GUARD_ROUNDING] ? 0 : open / state->guard[CAROM_GUARD_SCALE];
}

bool carom_guard_balances(const carom_state *state, double r, double r_kept) {
    return carom_guard_unexplained(state, r, r_kept) < balanced;
}

double carom_guard_given(const carom_state *state, double cost) {
    double given = fmax(state->guard[CAROM_GUARD_COST], cost) - cost;
    return given > state->guard[CAROM_GUARD_ROUNDING] ? given / state->guard[CAROM_GUARD_SCALE] : 0;
}

double carom_guard_audit(carom_state *state, double r, double r_kept, double cost, bool *added) {
    double *guard = state->guard, part = carom_guard_unexplained(state, r, r_kept);
    // impacts, friction and contact handling may cost energy, and never give any: their cost does not fall
    double given = carom_guard_given(state, cost);
    guard[CAROM_GUARD_COST] = fmax(guard[CAROM_GUARD_COST], cost);
    guard[CAROM_GUARD_RESIDUAL] = fmax(guard[CAROM_GUARD_RESIDUAL], fmin(part, beyond_use));
    *added = given > part;
    part = fmax(part, given);
    guard[CAROM_GUARD_STRIKES] = part > unbalanced ? guard[CAROM_GUARD_STRIKES] + 1 : 0;
    if (part < balanced)
        guard[CAROM_GUARD_BALANCED] = state->time;
    return part;
}
