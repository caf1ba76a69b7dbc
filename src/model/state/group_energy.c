// SPDX-License-Identifier: MIT
// Judges the energy of each group of bodies that nothing has touched by itself, and that of all others, the remainder, together
// (docs/theory/guards.md). Bodies are measured at the start and at audits, by exact sums over nodes and elements, so nothing
// depends on the number of threads and processes.
//
// For a group that is free, with kinetic energy K, stored energy V and potential of dead loads U,
//
//     r = K + V + U + plasticity + viscosity - (K + V + U)(0).
//
// For the remainder all accounts of the ledger are added, since only the remainder has contact, live loads, prescribed motion,
// damping, springs and ties.
#include "model/state/group_energy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "material/material.h"
#include "math/sym3.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "model/motion/springs.h"
#include "model/node_terms.h"
#include "model/remote.h"
#include "model/state/guard.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// Rounding error of stored energies, in units in the last place of shear modulus times volume: rubber laws compute I1 - 3 as a
// difference of numbers near 3, each with an error of a unit or two.
static const double energy_ulps = 4;

// Contact lifts rigid bodies that start below their resting height in the layer by at most 1.25 layers. If nothing else
// happens in the run, that energy must be well below the fraction of the scale that counts as unbalanced, so the scale is at
// least the energy of a lift by this many layers.
static const double lifted_layers = 100;

// Part of the energy of the whole model that is rounding for each of its groups: the accuracy of equations that are solved for
// all bodies together.
static const double shared_rounding = 1e-12;

// Largest relative difference of two sums of the same energies.
static const double same_energy = 1e-9;

// Part of the largest of three vectors below which another one is parallel to the others.
static const double parallel_below = 1e-6;

// Numbers kept for each body; one more set belongs to the remainder.
enum {
    LEADER,                // the first body of its group
    BOUND,                 // not 0: something besides its own forces, dead loads and fixed restraints acts on it
    MASS,                  // mass,
    MOMENTUM,              // momentum and
    ENERGY = MOMENTUM + 3, // energy at the start; of the remainder: that of springs
    OSCILLATION,           // of leapfrog at the start
    HELD,                  // mean of n n^T over loaded nodes, n the direction of the load (math/sym3.h); + 1 with other forces
    KICK = HELD + 6,       // energy of the dead loads in one step, (h^2/2) sum |load|^2/m
    LIFT,                  // energy needed to lift a rigid body by some layers of contact
    ROUNDING,              // energy of motions and stored energy that are rounding
    SCALE,                 // the largest energy so far that is explained
    NUMBERS
};

// Sums over one body, at the start and at audits: the first ones at audits, all at the start.
enum { KINETIC, EXTERNAL, SWING, INTERNAL, SUMS, STARTS = 11 };

// Bodies whose sums processes exchange at once.
enum { AT_ONCE = 16 };

typedef struct of_body {
    const carom_state *state;
    const double (*w)[3];
    int first;
} of_body;

// Energies of one group, or of several together: now, and what is known from the start.
typedef struct group {
    double kinetic, internal, external, swing;
    double energy, oscillation; // at the start
    double mass, momentum[3], held[6], kick, lift, rounding, scale;
    carom_material_losses losses;
    int body;  // the first one; -1: none yet
    int count; // number of bodies
} group;

// Work arrays, allocated with the state.
struct carom_group_work {
    double *values; // SUMS for each body
    double *flags;  // three for each body
    bool *is_free;  // per leader
    group *groups;  // free groups at their leaders, and the remainder behind them
};

bool carom_groups_register(carom_state *state) {
    int64_t count = state->model->body_count;
    state->groups = carom_state_add_silent(state, "group energies", (count + 1) * NUMBERS);
    struct carom_group_work *work = state->group_work = carom_allocate(1, sizeof *work);
    if (!state->groups || !work)
        return false;
    work->values = carom_allocate(count * SUMS, sizeof *work->values);
    work->flags = carom_allocate(3 * count, sizeof *work->flags);
    work->is_free = carom_allocate(count, sizeof *work->is_free);
    work->groups = carom_allocate(count + 1, sizeof *work->groups);
    return work->values && work->flags && work->is_free && work->groups;
}

void carom_groups_release(carom_state *state) {
    if (!state->group_work)
        return;
    free(state->group_work->values);
    free(state->group_work->flags);
    free(state->group_work->is_free);
    free(state->group_work->groups);
    free(state->group_work);
}

static double *numbers_of(const carom_state *state, int body) {
    return state->groups + (ptrdiff_t)body * NUMBERS;
}

static void mark(const carom_model *model, double *flags, int node) {
    flags[carom_model_node_body(model, node)] = 1;
}

static bool moves(const carom_model *model, int restraint) {
    const double *v = model->restraints.items[restraint].velocity;
    return model->drives.of_restraint || model->windows.count || v[0] != 0 || v[1] != 0 || v[2] != 0;
}

// Finds the bodies on which more may act than their own forces, dead loads and fixed restraints, all of them if the method
// damps; bodies that exchange momentum with the ground by restraints or joints; and the groups that joints make.
static void find_bonds(const carom_model *model, bool damps, double *bound, double *grounded, double *leader) {
    for (int b = 0; b < model->body_count; b++) {
        const carom_damping *damping = &model->bodies[b].damping;
        bound[b] = damps || carom_poses_has(&model->poses, b) || damping->mass > 0 || damping->stiffness > 0;
        grounded[b] = damping->mass > 0;
        leader[b] = b;
    }
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!block->element->nonnegative || (block->material && !block->material->nonnegative))
            bound[block->body] = 1;
    }
    for (int i = 0; i < model->live.node_count; i++) {
        mark(model, bound, model->live.nodes[i]);
        mark(model, grounded, model->live.nodes[i]);
    }
    for (int r = 0; r < model->restraints.count; r++) {
        mark(model, grounded, model->restraints.items[r].node);
        if (moves(model, r))
            mark(model, bound, model->restraints.items[r].node);
    }
    for (int i = 0; model->ties.rows.count && i < model->ties.rows.begin[model->ties.rows.count]; i++)
        mark(model, bound, model->ties.rows.node[i]);
    for (int i = 0; i < model->ties.tied_count; i++) {
        mark(model, bound, model->ties.tied[i][0]);
        bound[model->ties.tied[i][1]] = 1;
    }
    for (int s = 0; s < 2 * model->springs.count; s++) {
        const int *ends = model->springs.items[s / 2].node;
        if (ends[s % 2] >= 0)
            mark(model, bound, ends[s % 2]);
        if (ends[s % 2] >= 0 && ends[1 - s % 2] < 0)
            mark(model, grounded, ends[s % 2]);
    }
    for (int q = 0; q < model->rigid.linkage_count; q++) {
        const carom_linkage *linkage = &model->rigid.linkages[q];
        int first = model->rigid.items[linkage->bodies[0]].body;
        for (int i = 0; i < linkage->body_count; i++) {
            int body = model->rigid.items[linkage->bodies[i]].body;
            leader[body] = first;
            bound[body] = fmax(bound[body], linkage->driven);
            grounded[body] = fmax(grounded[body], linkage->grounded);
        }
    }
    carom_model_most_of(model, bound, model->body_count);
    carom_model_most_of(model, grounded, model->body_count);
}

// Kinetic energy, potential of dead loads, and the oscillation of leapfrog.
static void of_nodes(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const of_body *at = context;
    const carom_state *state = at->state;
    const carom_model *model = state->model;
    for (int i = begin; i < end; i++) {
        int k = at->first + i;
        double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0, d[3] = {0, 0, 0};
        terms[KINETIC][i - begin] = carom_terms_kinetic(m, state->v[k]);
        for (int j = 0; model->R && j < 3; j++)
            terms[KINETIC][i - begin] += 0.5 * model->inertia[k][j] * state->spin[k][j] * state->spin[k][j];
        terms[EXTERNAL][i - begin] = model->loaded ? carom_terms_external(model->load[k], state->x[k], model->X[k]) : 0;
        if (at->w)
            carom_difference(at->w[k], state->v[k], d);
        terms[SWING][i - begin] = 0.5 * m * carom_dot(d, d);
    }
}

// Mass, momentum, the push of dead loads, and the directions in which they act.
static void of_starts(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const of_body *at = context;
    const carom_model *model = at->state->model;
    for (int i = begin; i < end; i++) {
        int k = at->first + i;
        double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0, f[3] = {0, 0, 0};
        if (model->loaded)
            carom_copy(model->load[k], f);
        double size = carom_norm(f), share = size > 0 ? 1 / size : 0;
        terms[0][i - begin] = m;
        for (int j = 0; j < 3; j++)
            terms[1 + j][i - begin] = m * at->state->v[k][j];
        terms[4][i - begin] = m > 0 ? size * size / m : 0;
        for (int j = 0; j < 6; j++)
            terms[5 + j][i - begin] = f[carom_sym3_row[j]] * share * f[carom_sym3_column[j]] * share;
    }
}

typedef struct counted {
    const carom_model *model;
    const carom_block *block;
    const double *energies;
} counted;

static void of_elements(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const counted *of = context;
    for (int e = begin; e < end; e++) {
        bool here = carom_model_counts(of->model, &of->block->nodes[(ptrdiff_t)e * of->block->node_count]);
        terms[0][e - begin] = here ? of->energies[e] : 0;
    }
}

// The sums of some bodies; `energies` are those of the elements of the first one, and then of the next body.
static const double *add_bodies(const carom_state *state, const double (*w)[3], int begin, int end, const double *energies,
                                carom_exact *sums) {
    const carom_model *model = state->model;
    for (int b = begin; b < end; b++, sums += SUMS) {
        const carom_body *body = &model->bodies[b];
        carom_exact_add_range(sums, INTERNAL, body->node_count, of_nodes, &(of_body){state, w, body->node_begin});
        for (int i = body->block_begin; i < body->block_begin + body->block_count; energies += model->blocks[i++].count)
            carom_exact_add_range(&sums[INTERNAL], 1, model->blocks[i].count, of_elements,
                                  &(counted){model, &model->blocks[i], energies});
    }
    return energies;
}

// SUMS for each body, of the energies of elements in the state.
static const double *measure(const carom_state *state, const double (*w)[3]) {
    const carom_model *model = state->model;
    double *values = state->group_work->values;
    const double *energies = state->element_energy;
    carom_exact sums[AT_ONCE * SUMS] = {0};
    for (int begin = 0; begin < model->body_count; begin += AT_ONCE) {
        int end = begin + AT_ONCE < model->body_count ? begin + AT_ONCE : model->body_count, count = (end - begin) * SUMS;
        energies = add_bodies(state, w, begin, end, energies, sums);
        carom_model_sum(model, sums, count);
        for (int i = 0; i < count; i++) {
            values[begin * SUMS + i] = carom_exact_value(&sums[i]);
            carom_exact_clear(&sums[i]);
        }
    }
    // every process has the rotations of all rigid bodies
    for (int r = 0; r < model->rigid.count; r++) {
        double l[3];
        values[model->rigid.items[r].body * SUMS + KINETIC] += carom_rigid_turning(state, r, l);
    }
    return values;
}

static void add_known(group *to, const carom_state *state, int body) {
    const double *n = numbers_of(state, body);
    to->energy += n[ENERGY];
    to->oscillation += n[OSCILLATION];
    to->mass += n[MASS];
    carom_add_scaled(1, &n[MOMENTUM], to->momentum);
    for (int i = 0; i < 6; i++)
        to->held[i] += n[HELD + i];
    to->kick += n[KICK];
    to->lift += n[LIFT];
    to->rounding += n[ROUNDING];
    to->scale = fmax(to->scale, n[SCALE]);
    if (to->count++ == 0)
        to->body = body;
}

static void add_measured(group *to, const double *values, int body) {
    const double *of = values + (ptrdiff_t)body * SUMS;
    to->kinetic += of[KINETIC];
    to->internal += of[INTERNAL];
    to->external += of[EXTERNAL];
    to->swing += of[SWING];
}

// Kinetic energy of the mass centre along directions that are perpendicular to all forces from outside: these span the columns
// of the matrix, and are found by orthogonalisation, the longest first.
static double translation(const group *of) {
    double A[3][3], p[3], largest = 0;
    carom_copy(of->momentum, p);
    for (int i = 0; i < 9; i++)
        A[i / 3][i % 3] = of->held[carom_sym3_place[i]];
    for (int rank = 0; rank < 3; rank++) {
        double e[3] = {0}, longest = 0;
        for (int i = 0; i < 3; i++)
            if (carom_norm(A[i]) > longest) {
                longest = carom_norm(A[i]);
                carom_copy(A[i], e);
            }
        largest = fmax(largest, longest);
        if (!(longest > parallel_below * largest))
            break;
        for (int i = 0; i < 3; i++)
            e[i] /= longest;
        carom_add_scaled(-carom_dot(e, p), e, p);
        for (int i = 0; i < 3; i++)
            carom_add_scaled(-carom_dot(e, A[i]), e, A[i]);
    }
    return of->mass > 0 ? 0.5 * carom_dot(p, p) / of->mass : 0;
}

// Forces of planes on what may touch them: along the normal, and with friction in any direction.
static void add_planes(const carom_model *model, double held[6]) {
    bool rubs = model->laws.general.friction > 0;
    for (int i = 0; i < model->laws.count; i++)
        rubs = rubs || model->laws.exceptions[i].law.friction > 0;
    for (int p = 0; model->contact.enabled && p < model->contact.plane_count; p++) {
        const double *n = model->contact.planes[p].normal;
        for (int i = 0; i < 6; i++)
            held[i] += n[carom_sym3_row[i]] * n[carom_sym3_column[i]];
        for (int i = 0; rubs && i < 3; i++)
            held[i] += 1;
    }
}

// Shear modulus over density (the square of the shear wave speed) of laws whose energy suffers cancellation; 0 for others.
static double stiffness_of(const carom_block *block) {
    const carom_material *law = block->material;
    if (!law || !law->cancels || !law->density || !law->shear)
        return 0;
    double density = law->density(block->material_params);
    return density > 0 ? law->shear(block->material_params) / density : 0;
}

// Shear modulus times volume, of the stiffest block of a body with such a law.
static double stored_unit(const carom_model *model, const carom_body *body) {
    double most = 0;
    for (int i = 0; i < body->block_count; i++)
        most = fmax(most, stiffness_of(&model->blocks[body->block_begin + i]));
    return carom_model_most(model, most) * body->mass;
}

// Energy needed to lift a rigid body against its weight by some layers of contact.
static double lift(const carom_model *model, const carom_rigid_body *one) {
    double force = carom_norm(model->load[one->centre]);
    for (int i = 0; i < carom_rigid_body_size(one); i++)
        force += carom_norm(model->load[carom_rigid_body_node(one, i)]);
    return force * lifted_layers * model->contact.layer * model->surface_length;
}

// The numbers of a body that need no energies.
static void start_body(const carom_state *state, double h, double speed, int body) {
    const carom_model *model = state->model;
    double *n = numbers_of(state, body);
    carom_exact sums[STARTS] = {0};
    const carom_body *of = &model->bodies[body];
    carom_exact_add_range(sums, STARTS, of->node_count, of_starts, &(of_body){state, NULL, of->node_begin});
    carom_model_sum(model, sums, STARTS);
    n[MASS] = carom_exact_value(&sums[0]);
    for (int i = 0; i < 3; i++)
        n[MOMENTUM + i] = carom_exact_value(&sums[1 + i]);
    n[KICK] = 0.5 * h * h * carom_exact_value(&sums[4]);
    double loaded = carom_exact_value(&sums[5]) + carom_exact_value(&sums[6]) + carom_exact_value(&sums[7]);
    for (int i = 0; loaded > 0 && i < 6; i++)
        n[HELD + i] = carom_exact_value(&sums[5 + i]) / loaded;
    n[ROUNDING] = 0.5 * n[MASS] * speed * speed + energy_ulps * DBL_EPSILON * stored_unit(model, of);
}

static bool has_history(const carom_model *model, int body) {
    const carom_body *of = &model->bodies[body];
    for (int b = of->block_begin; b < of->block_begin + of->block_count; b++)
        if (model->blocks[b].material && model->blocks[b].material->inelastic)
            return true;
    return false;
}

// Energy, and losses of materials.
static double energy_of(const group *of) {
    const carom_material_losses *losses = &of->losses;
    return of->kinetic + of->internal + of->external + losses->pending + losses->plasticity + losses->viscosity;
}

// Losses of contact and damping.
static double losses_of(const carom_accounts *a) {
    return a->friction + a->restitution + a->projection + a->damping;
}

// Energies at the start, and bonds. After a change of the motion the accounts of the ledger continue: they belong to the start.
static void start_energies(carom_state *state, const double (*w)[3]) {
    const carom_model *model = state->model;
    int count = model->body_count;
    const double *values = measure(state, w);
    double *bound = state->group_work->flags, *grounded = bound + count, *leader = grounded + count;
    memset(bound, 0, 3 * (size_t)count * sizeof *bound);
    find_bonds(model, state->method.damps, bound, grounded, leader);
    for (int b = 0; b < count; b++) {
        double *n = numbers_of(state, b);
        group now = {0};
        add_measured(&now, values, b);
        if (has_history(model, b))
            now.losses = carom_history_losses(state, b);
        n[ENERGY] = energy_of(&now);
        n[OSCILLATION] = w ? now.swing : 0;
        n[BOUND] = bound[b];
        n[LEADER] = leader[b];
        for (int i = 0; i < 3; i++)
            n[HELD + i] += grounded[b];
    }
    carom_accounts a = carom_ledger_accounts(state);
    double springs = carom_model_spring_energy(model, (carom_const_vectors)state->x);
    numbers_of(state, count)[ENERGY] = springs + losses_of(&a) - a.drive_work;
}

void carom_groups_start(carom_state *state, const double (*w)[3], double h, double speed) {
    const carom_model *model = state->model;
    memset(state->groups, 0, (size_t)(model->body_count + 1) * NUMBERS * sizeof *state->groups);
    carom_state_read(state, CAROM_ARRAYS_ALL);
    for (int b = 0; b < model->body_count; b++)
        start_body(state, h, speed, b);
    for (int r = 0; model->loaded && r < model->rigid.count; r++)
        numbers_of(state, model->rigid.items[r].body)[LIFT] += lift(model, &model->rigid.items[r]);
    double *energies = state->element_energy;
    for (int b = 0; b < model->block_count; energies += model->blocks[b++].count)
        carom_block_energy(model, &model->blocks[b], (carom_const_vectors)state->x, (const double(*)[3][3])state->R, energies);
    start_energies(state, w);
}

carom_whole carom_groups_whole(const carom_state *state) {
    const carom_model *model = state->model;
    group all = {0};
    for (int b = 0; b < model->body_count; b++)
        add_known(&all, state, b);
    add_planes(model, all.held);
    return (carom_whole){.kick = all.kick, .lift = all.lift, .rounding = all.rounding, .translation = translation(&all)};
}

static void add_remainder(group *rest, const carom_state *state) {
    const double *n = numbers_of(state, state->model->body_count);
    rest->energy += n[ENERGY];
    rest->scale = fmax(rest->scale, n[SCALE]);
    add_planes(state->model, rest->held);
}

// Per leader: nothing besides its own forces has acted on the group so far. False if that holds for no group.
static bool find_free(const carom_state *state, bool *is_free) {
    int count = state->model->body_count;
    bool any = false;
    for (int b = 0; b < count; b++)
        is_free[b] = state->pair_count < CAROM_PAIR_RECORDS_MAX;
    for (int b = 0; b < count; b++)
        if (numbers_of(state, b)[BOUND] != 0)
            is_free[(int)numbers_of(state, b)[LEADER]] = false;
    for (int p = 0; p < state->pair_count; p++)
        for (int side = 0; side < 2; side++) {
            int body = state->pairs[p].body[side];
            if (body >= 0)
                is_free[(int)numbers_of(state, body)[LEADER]] = false;
        }
    for (int b = 0; b < count; b++)
        any = any || is_free[(int)numbers_of(state, b)[LEADER]];
    return any;
}

static void add_losses(carom_material_losses *to, double factor, carom_material_losses losses) {
    to->plasticity += factor * losses.plasticity;
    to->viscosity += factor * losses.viscosity;
    to->pending += factor * losses.pending;
}

// Energies of free groups, at their leaders, and of the remainder, behind them.
static void find_groups(const carom_state *state, const double *values, const bool *is_free, group *groups) {
    const carom_model *model = state->model;
    int count = model->body_count;
    group *rest = &groups[count];
    add_losses(&rest->losses, 1, carom_history_losses(state, -1));
    for (int b = 0; b < count; b++) {
        int leader = (int)numbers_of(state, b)[LEADER];
        group *to = is_free[leader] ? &groups[leader] : rest;
        add_known(to, state, b);
        add_measured(to, values, b);
        if (to == rest || !has_history(model, b))
            continue;
        carom_material_losses losses = carom_history_losses(state, b);
        add_losses(&to->losses, 1, losses);
        add_losses(&rest->losses, -1, losses);
    }
    rest->internal += carom_model_spring_energy(model, (carom_const_vectors)state->x);
    add_remainder(rest, state);
}

// True if the row contains the energies of positions and velocities: a method may define others.
static bool is_same(const carom_ledger_row *row, const carom_accounts *recorded, const group *groups, int count) {
    double kinetic = 0, total = -recorded->drive_work;
    for (int g = 0; g <= count; g++) {
        kinetic += groups[g].kinetic;
        total += groups[g].kinetic + groups[g].internal + groups[g].external + groups[g].losses.pending;
    }
    double size = fabs(row->kinetic) + fabs(row->internal) + fabs(row->external);
    return fabs(kinetic - row->kinetic) <= same_energy * row->kinetic && fabs(total - row->total) <= same_energy * size;
}

// The energy scale of a group: what was there at the start counts, too, since a group may be new. `recorded`: the accounts of
// the ledger; zero of a free group. `released`: the energy that elements have given below that of the reference.
static double scale_of(const group *of, const carom_accounts *recorded, double released) {
    double external = of->external - recorded->drive_work, losses = losses_of(recorded);
    double start = of->energy - translation(of), energy = start - external - losses - carom_guard_added(recorded);
    double scale = fmax(fmax(of->scale, fabs(start)), fmax(fabs(energy), energy + released));
    return fmax(fmax(scale, fmax(fabs(external), losses)), fmax(of->lift, of->kick));
}

// The unexplained energy of a group. `swing` is the oscillation that is subtracted.
static carom_unexplained judge(const carom_state *state, const group *of, const carom_accounts *recorded, double swing,
                               double released) {
    const double *guard = state->guard;
    double r = energy_of(of) - recorded->drive_work + losses_of(recorded) - of->energy;
    double noise = of->rounding + shared_rounding * (guard[CAROM_GUARD_SCALE] + guard[CAROM_GUARD_TRANSLATION]);
    return (carom_unexplained){r, r - swing, scale_of(of, recorded, released), noise, of->body};
}

double carom_unexplained_share(const carom_unexplained *of) {
    double open = fmin(fabs(of->r), fabs(of->kept));
    return open <= of->noise ? 0 : open / of->scale;
}

// The worst of all groups. The oscillation in the row is that of all bodies.
static void judge_all(carom_state *state, const carom_ledger_row *row, const carom_accounts *recorded, const group *groups,
                      bool records, carom_unexplained *worst, double *remainder) {
    int count = state->model->body_count;
    const carom_accounts none = {0};
    double shown = row->oscillation;
    *worst = (carom_unexplained){.body = -1, .scale = 1};
    *remainder = 0;
    for (int g = 0; g <= count; g++) {
        const group *of = &groups[g];
        double swing = of->swing - of->oscillation;
        if (of->count == 0)
            continue;
        bool rest = g == count;
        if (rest && row->oscillation != 0)
            swing = shown;
        shown -= swing;
        double released = rest ? carom_guard_released(state) : 0;
        carom_unexplained found = judge(state, of, rest ? recorded : &none, swing, released);
        if (rest) {
            found.body = -1;
            *remainder = found.scale;
        }
        if (records)
            numbers_of(state, g)[SCALE] = found.scale;
        // written such that NaN is the worst
        if (!(carom_unexplained_share(&found) <= carom_unexplained_share(worst)))
            *worst = found;
    }
}

void carom_groups_raise(carom_state *state) {
    int count = state->model->body_count;
    if (count < 2 || state->model->loaded || state->guard[CAROM_GUARD_UNASSIGNED] != 0)
        return;
    bool *is_free = state->group_work->is_free;
    if (!find_free(state, is_free))
        return;
    carom_accounts recorded = carom_ledger_accounts(state);
    group rest = {0};
    for (int b = 0; b < count; b++)
        if (!is_free[(int)numbers_of(state, b)[LEADER]])
            add_known(&rest, state, b);
    add_remainder(&rest, state);
    numbers_of(state, count)[SCALE] = scale_of(&rest, &recorded, 0);
}

bool carom_groups_judge(carom_state *state, const carom_ledger_row *row, const double (*w)[3], bool records,
                        carom_unexplained *worst, double *remainder) {
    const carom_model *model = state->model;
    int count = model->body_count;
    if (count < 2 || state->guard[CAROM_GUARD_UNASSIGNED] != 0)
        return false;
    bool *is_free = state->group_work->is_free;
    group *groups = state->group_work->groups;
    if (!find_free(state, is_free))
        return false;
    carom_accounts recorded = carom_ledger_accounts(state);
    memset(groups, 0, (size_t)(count + 1) * sizeof *groups);
    find_groups(state, measure(state, w), is_free, groups);
    if (!is_same(row, &recorded, groups, count))
        return false;
    judge_all(state, row, &recorded, groups, records, worst, remainder);
    return true;
}
