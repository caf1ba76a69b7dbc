// SPDX-License-Identifier: MIT
// Solves for the positions at the end of a step in which nothing overlaps, in passes (quadratic programmes, sqp.h). One pass at
// the iterate x: `rest` are the positions at the end of the step without contact: the predictor `pre` for an explicit bulk, and
// x - H^-1 R, one step of Newton's method with the residual R and the tangent H of the bulk (implicit_bulk.h), for an implicit
// one. With the normal force lambda and the friction force r of each pair,
//
//     measures   w = g + G (rest - x)                    G = dg/dx at x
//     slip       s = D (rest - x0 - (h/2) v0)             h/2 times its rate at the end, turned to the direction of the middle
//                                                         (turn_slip); by increments D (rest - x0)
//     forces     f = F^T lambda - D^T r                  F = dg/dx, D at the middle of the step, or at its end
//     find       lambda >= 0, |r| <= mu lambda           such that w + G p >= 0, complementary, and r along the slip (cones.h)
//     then       x = rest + p,  p = (h^2/2) M^-1 f  or  H^-1 f
//
// All rows are divided by the size of their pair, so that lambda are forces and measures are distances. A penalty k is a soft
// constraint: w + G p + lambda/k >= 0.
#include "integrator/nonsmooth/sqp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/interrupt.h"
#include "contact/cone.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/motion/loads.h"
#include "model/watch/closing.h"

// A step also ends when its passes stall: if a pass moves nodes by more than half as much as the one before it, and by less
// than a limit, relative to the shortest edge of the surface. The limit in the second half of the passes: corners on corners
// move back and forth within the clearance between them.
static const double stall_motion_late = 2e-9;
// The limit for solids before that: with redundant contacts positions are determined only up to rounding.
static const double stall_motion_solid = 2e-11;

// A pass with new pairs is solved to this fraction of the displacement of the previous pass, the final passes to rounding.
static const double rough_accuracy = 1e-3;

// The direction of friction is turned in the first passes of a step, the second of which makes its error one of second order;
// then it is kept, so that the passes converge.
enum { TURNING_PASSES = 3 };

// It is turned by up to 45 degrees.
static const double min_turn_cosine = 0.7;

void carom_sqp_forces(carom_sqp *sqp, double time, const double (*x)[3]) {
    const carom_live_loads *live = &sqp->model->live;
    carom_phase before = carom_profile_enter(sqp->profile, CAROM_PHASE_ELEMENTS);
    carom_model_force_outputs(sqp->model, x, sqp->slots, sqp->force, &(carom_force_outputs){.flow = sqp->flow});
    carom_profile_enter(sqp->profile, before);
    carom_model_live_load(sqp->model, time, x, sqp->live);
    for (int i = 0; i < live->node_count; i++)
        carom_add_scaled(1, sqp->live[live->nodes[i]], sqp->force[live->nodes[i]]);
    sqp->counts.forces++;
}

// Copies the nodes of a pair into a local simplex numbered from 0, at positions (1 - share) a + share b.
static carom_simplex take_out(const carom_simplex *pair, double share, carom_const_vectors a, carom_const_vectors b,
                              double x[4][3]) {
    carom_simplex local = *pair;
    for (int k = 0; k < pair->count; k++) {
        local.node[k] = k;
        for (int i = 0; i < 3; i++)
            x[k][i] = (1 - share) * a[pair->node[k]][i] + share * b[pair->node[k]][i];
    }
    return local;
}

// The measure as a distance, and its gradient row.
static double row_of(const carom_sqp *sqp, const carom_simplex *local, carom_const_vectors x, double row[4][3]) {
    if (sqp->def.gap)
        return carom_simplex_gap(local, x, row);
    double size = carom_simplex_size(local, x), measure = carom_simplex_measure(local, x, row) / size;
    for (int k = 0; k < local->count; k++)
        for (int i = 0; i < 3; i++)
            row[k][i] /= size;
    return measure;
}

// The value of a row for the displacement from a to b.
static double along(const carom_simplex *pair, const double row[4][3], carom_const_vectors a, carom_const_vectors b) {
    double sum = 0;
    for (int k = 0; k < pair->count; k++)
        for (int i = 0; i < 3; i++)
            sum += row[k][i] * (b[pair->node[k]][i] - a[pair->node[k]][i]);
    return sum;
}

// False if a pair has turned so much in the step that forces along the gradients of the middle hardly open it: then the
// gradients at the end of the step are used instead.
static bool opens(const carom_sqp *sqp, const carom_cone *cone) {
    double both = 0, end = 0;
    for (int k = 0; k < cone->count; k++) {
        // obstacles do not move
        if (!(sqp->model->mass[cone->node[k]] > CAROM_MASSLESS))
            continue;
        both += carom_dot(cone->G[k], cone->F[k]) / sqp->model->mass[cone->node[k]];
        end += carom_dot(cone->G[k], cone->G[k]) / sqp->model->mass[cone->node[k]];
    }
    // at least half of the response to forces along the end gradients, both weighted by the inverse masses
    return both > 0.5 * end;
}

// Turns friction from the direction of the sliding at the end of the step, s = D (x - x0) - early, into that of its middle,
// m = D (x - x0), of which the error is of second order. What is added, m s^2/(m.s) - s, is normal to s and vanishes with it:
// sticking still holds the sliding at the end at zero.
static void turn_slip(const carom_sqp *sqp, carom_const_vectors x0, const carom_simplex *pair, const double early[2], int pass,
                      carom_cone *cone, double shift[2]) {
    if (pass <= TURNING_PASSES) {
        double m[2], s[2], square = 0, product = 0;
        for (int a = 0; a < 2; a++) {
            m[a] = along(pair, (carom_const_vectors)cone->D[a], x0, (carom_const_vectors)sqp->x);
            s[a] = m[a] - early[a];
            square += s[a] * s[a];
            product += s[a] * m[a];
        }
        bool turns = product > min_turn_cosine * sqrt(square) * carom_hypot(m[0], m[1]);
        for (int a = 0; a < 2; a++)
            shift[a] = turns ? m[a] * square / product - s[a] : 0;
    }
    for (int a = 0; a < 2; a++)
        cone->slip[a] += shift[a];
}

// Sets the coefficient of friction of a cone, by the slip rate at the beginning of the step, and the slip without contact.
static void set_slip(const carom_sqp *sqp, const carom_contact_law *law, carom_const_vectors x0, const carom_simplex *pair,
                     int pass, carom_cone *cone, double shift[2]) {
    double square = 0, early[2] = {0};
    for (int a = 0; a < cone->tangents; a++) {
        double rate = 0;
        for (int k = 0; k < cone->count; k++)
            rate += carom_dot(cone->D[a][k], sqp->v[cone->node[k]]);
        square += rate * rate;
        early[a] = sqp->def.by_increment ? 0 : 0.5 * sqp->step * rate;
        cone->slip[a] = along(pair, (carom_const_vectors)cone->D[a], x0, (carom_const_vectors)sqp->rest) - early[a];
    }
    cone->friction = carom_contact_law_friction(law, sqrt(square));
    if (cone->tangents == 2 && !sqp->def.by_increment)
        turn_slip(sqp, x0, pair, early, pass, cone, shift);
}

// Sets the rows of a pair at the iterate, not its forces.
static void linearise(const carom_sqp *sqp, const carom_simplex *pair, carom_const_vectors x0, int pass, carom_cone *cone,
                      double shift[2]) {
    carom_const_vectors x = (carom_const_vectors)sqp->x, rest = (carom_const_vectors)sqp->rest;
    double there[4][3], where[4][3];
    carom_simplex local = take_out(pair, 1, x0, x, there);
    cone->count = pair->count;
    memcpy(cone->node, pair->node, sizeof cone->node);
    cone->gap = row_of(sqp, &local, (carom_const_vectors)there, cone->G) + along(pair, (carom_const_vectors)cone->G, x, rest);
    take_out(pair, sqp->def.at_end ? 1 : 0.5, x0, x, where);
    row_of(sqp, &local, (carom_const_vectors)where, cone->F);
    if (!opens(sqp, cone))
        memcpy(cone->F, cone->G, sizeof cone->F);
    carom_contact_law law = carom_contact_law_of(&sqp->model->laws, pair->body);
    cone->tangents = law.friction > 0 ? carom_simplex_slip(&local, (carom_const_vectors)where, cone->D) : 0;
    set_slip(sqp, &law, x0, pair, pass, cone, shift);
    cone->softness = sqp->def.softness;
}

static carom_status linearise_all(carom_sqp *sqp, carom_const_vectors x0, int known, int pass, carom_error *error) {
    // new pairs start without forces, known ones with those of the last pass
    for (int64_t c = known; c < sqp->set.count;)
        if (!carom_append(&sqp->cones, &c, &sqp->cone_capacity, &(carom_cone){0}, sizeof *sqp->cones))
            return carom_no_memory(error, "contacts");
    for (int64_t c = known; c < sqp->set.count;)
        if (!carom_append(&sqp->shifts, &c, &sqp->shift_capacity, (double[2]){0}, sizeof *sqp->shifts))
            return carom_no_memory(error, "contacts");
    for (int c = 0; c < sqp->set.count; c++)
        linearise(sqp, &sqp->set.items[c], x0, pass, &sqp->cones[c], sqp->shifts[c]);
    return CAROM_OK;
}

static carom_status apply_bulk(void *context, const double (*force)[3], double (*displacement)[3], carom_error *error) {
    return carom_implicit_bulk_apply(context, force, displacement, error);
}

// Sets `rest`: pre, or a step of Newton's method from the iterate.
static carom_status find_rest(carom_sqp *sqp, double h, double end, carom_const_vectors pre, carom_error *error) {
    const carom_model *model = sqp->model;
    double beta = sqp->def.beta;
    if (beta == 0) {
        memcpy(sqp->rest, pre, (size_t)model->node_count * sizeof *pre);
        return CAROM_OK;
    }
    carom_sqp_forces(sqp, end, (carom_const_vectors)sqp->x);
    // minus the residual
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            sqp->p[k][i] = 2 * beta * sqp->force[k][i] - 2 / (h * h) * model->mass[k] * (sqp->x[k][i] - pre[k][i]);
    carom_status status = carom_implicit_bulk_factorise(&sqp->bulk, h, beta, (carom_const_vectors)sqp->x, error);
    if (!status)
        status = carom_implicit_bulk_apply(&sqp->bulk, (carom_const_vectors)sqp->p, sqp->rest, error);
    sqp->counts.factorisations++;
    for (int k = 0; k < model->node_count; k++)
        carom_add_scaled(1, sqp->x[k], sqp->rest[k]);
    return status;
}

// True if a body or a plane cannot yield.
static bool is_immovable(const carom_model *model, int side) {
    return side < 0 || model->immovable[side];
}

// Names the bodies of a contact that no displacement opens, and what else the body that yields touches and cannot pass.
static carom_status report_stuck(const carom_sqp *sqp, int stuck, carom_error *error) {
    const carom_model *model = sqp->model;
    const int *side = sqp->set.items[stuck].body;
    int yields = is_immovable(model, side[0]), others = 0, by[2] = {side[!yields], side[!yields]};
    for (int i = 0; i < sqp->set.count && is_immovable(model, by[0]); i++) {
        const int *body = sqp->set.items[i].body;
        int other = body[body[0] == side[yields]];
        bool third = (body[0] == side[yields] || body[1] == side[yields]) && other != by[0] && is_immovable(model, other);
        others += third && other != by[1];
        by[1] = third ? other : by[1];
    }
    if (others == 1)
        return carom_closing_report_squeezed(model, side[yields], by, error);
    return carom_fail(error, CAROM_NUMERICAL,
                      "no position of the nodes satisfies all contacts: those of '%s' and '%s' are stuck",
                      carom_model_side_name(model, side[0]), carom_model_side_name(model, side[1]));
}

// Finds the displacements p by contact forces. `rounding`: accuracy of the solution, a length.
static carom_status find_contact(carom_sqp *sqp, double h, double rounding, carom_error *error) {
    const carom_model *model = sqp->model;
    carom_cones_counts counts = {0};
    carom_status status = CAROM_OK;
    memset(sqp->p, 0, (size_t)model->node_count * sizeof *sqp->p);
    if (sqp->set.count == 0)
        return CAROM_OK;
    if (sqp->def.beta > 0)
        status = carom_cones_solve_coupled(sqp->space, sqp->cones, sqp->set.count, model->node_count,
                                           (carom_cones_answer){apply_bulk, &sqp->bulk}, rounding, sqp->p, &counts, error);
    else
        status =
            carom_cones_solve(sqp->space, sqp->cones, sqp->set.count, (carom_mobility){model->mass, &sqp->restraints, NULL},
                              0.5 * h * h, rounding, sqp->p, &counts, error);
    sqp->counts.iterations += counts.sweeps + counts.factorisations;
    return status == CAROM_NUMERICAL && counts.stuck ? report_stuck(sqp, counts.stuck - 1, error) : status;
}

// Moves to rest + p. Returns the largest displacement along a coordinate; NaN if one is.
static double move(carom_sqp *sqp) {
    double change = 0;
    for (int k = 0; k < sqp->model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            double to = sqp->rest[k][i] + sqp->p[k][i], displacement = fabs(to - sqp->x[k][i]);
            change = displacement <= change || isnan(change) ? change : displacement;
            sqp->x[k][i] = to;
        }
    return change;
}

// Largest coordinate magnitude of x0 and the predictor.
static double size_of(const carom_sqp *sqp, carom_const_vectors x0, carom_const_vectors pre) {
    double size = 0;
    for (int k = 0; k < sqp->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            size = fmax(size, fmax(fabs(x0[k][i]), fabs(pre[k][i])));
    return size;
}

// Sets the contact forces on all nodes.
static void finish(carom_sqp *sqp) {
    memset(sqp->contact, 0, (size_t)sqp->model->node_count * sizeof *sqp->contact);
    for (int c = 0; c < sqp->set.count; c++) {
        const carom_cone *cone = &sqp->cones[c];
        for (int k = 0; k < cone->count; k++) {
            carom_add_scaled(cone->lambda, cone->F[k], sqp->contact[cone->node[k]]);
            for (int a = 0; a < cone->tangents; a++)
                carom_add_scaled(-cone->r[a], cone->D[a][k], sqp->contact[cone->node[k]]);
        }
    }
    sqp->counts.most_pairs = sqp->set.count > sqp->counts.most_pairs ? sqp->set.count : sqp->counts.most_pairs;
}

// Adds the pairs that the iterate violates.
static carom_status add_violated_pairs(carom_sqp *sqp, carom_const_vectors x0, int *added, carom_error *error) {
    int ambiguous = 0;
    *added = 0;
    if (!sqp->model->contact.enabled)
        return CAROM_OK;
    carom_phase before = carom_profile_enter(sqp->profile, CAROM_PHASE_SEARCH);
    carom_status status =
        carom_violations_add(&sqp->overlaps, x0, (carom_const_vectors)sqp->x, &sqp->set, added, &ambiguous, error);
    carom_profile_enter(sqp->profile, before);
    sqp->ambiguous += ambiguous;
    return status;
}

carom_status carom_sqp_solve(carom_sqp *sqp, double h, double end, const double (*x0)[3], const double (*pre)[3],
                             carom_error *error) {
    bool implicit = sqp->def.beta > 0;
    int added = 0, known = 0;
    double change = HUGE_VAL, size = size_of(sqp, x0, pre);
    bool solid = sqp->model->surface.corners == 3;
    double rounding = 4 * DBL_EPSILON * size;
    sqp->ambiguous = 0;
    sqp->counts.solves++;
    sqp->step = h;
    carom_violation_set_clear(&sqp->set);
    memcpy(sqp->x, pre, (size_t)sqp->model->node_count * sizeof *pre);
    // the predictor of an explicit bulk is final if it violates no constraint
    carom_status status = implicit ? CAROM_OK : add_violated_pairs(sqp, x0, &added, error);
    bool settled = !implicit && !added;
    for (int pass = 1; !status && !settled; pass++) {
        if (carom_interrupt_is_wanted())
            return carom_interrupt_check(error);
        if (pass > sqp->def.passes)
            return carom_fail(error, CAROM_NUMERICAL,
                              "contact does not settle in %d passes (%d pairs, the last pass still moved nodes by %g)",
                              sqp->def.passes, sqp->set.count, change);
        sqp->counts.passes++;
        sqp->counts.most_passes = pass > sqp->counts.most_passes ? pass : sqp->counts.most_passes;

        // one quadratic programme; approximately if pairs have just been added
        bool rough = added && pass > 1;
        carom_phase outer = carom_profile_enter(sqp->profile, CAROM_PHASE_SOLVING);
        status = find_rest(sqp, h, end, pre, error);
        carom_profile_enter(sqp->profile, CAROM_PHASE_HITS);
        if (!status)
            status = linearise_all(sqp, x0, known, pass, error);
        known = sqp->set.count;
        if (!status)
            status = find_contact(sqp, h, rough ? fmax(rounding, rough_accuracy * change) : rounding, error);
        carom_profile_enter(sqp->profile, outer);
        if (status)
            return status;
        double before = change;
        change = move(sqp);
        if (!isfinite(change))
            return carom_fail(error, CAROM_NUMERICAL, "positions are not finite after %d passes", pass);
        // positions need not be unique where contacts are redundant
        bool late = 2 * pass > sqp->def.passes, stalls = change > 0.5 * before && (solid || late);
        settled =
            !rough && (change <= sqp->def.tolerance * size ||
                       (stalls && change <= (late ? stall_motion_late : stall_motion_solid) * sqp->model->surface_length));

        // pairs violated now; an implicit bulk first converges without contact
        added = 0;
        if (settled || sqp->set.count)
            status = add_violated_pairs(sqp, x0, &added, error);
        settled = settled && !added;
    }
    if (!status)
        finish(sqp);
    return status;
}

void carom_sqp_release(carom_sqp *sqp) {
    carom_violations_release(&sqp->overlaps);
    carom_violation_set_release(&sqp->set);
    carom_cones_release(sqp->space);
    carom_implicit_bulk_release(&sqp->bulk);
    carom_isolated_release(&sqp->isolated);
    carom_arena_release(sqp->memory);
    free(sqp->cones);
    free(sqp->shifts);
    *sqp = (carom_sqp){0};
}

// Pairs of surfaces, and of nodes of bars and point masses, which have no surface, with surfaces.
static carom_status create_overlaps(carom_sqp *sqp, carom_error *error) {
    const carom_model *model = sqp->model;
    carom_status status = carom_isolated_create(model, &sqp->isolated, error);
    if (status)
        return status;
    carom_violations_def def = {.candidates = &model->candidates,
                                .rule = sqp->def.rule,
                                .thickness = model->contact.thickness,
                                .soft = sqp->def.softness > 0};
    carom_isolated_define(&sqp->isolated, model, &def);
    return carom_violations_create(&def, &sqp->overlaps, error);
}

carom_status carom_sqp_create(const carom_model *model, const carom_sqp_def *def, carom_sqp *sqp, carom_error *error) {
    int n = model->node_count;
    *sqp = (carom_sqp){.model = model, .def = *def};
    sqp->memory = carom_arena_create();
    bool enough = sqp->memory;
    carom_restraints_reserve(&model->restraints, sqp->memory, &sqp->restraints, &enough);
    sqp->slots = carom_arena_reserve(sqp->memory, carom_model_slot_count(model), sizeof *sqp->slots, &enough);
    sqp->rest = carom_arena_reserve(sqp->memory, n, sizeof *sqp->rest, &enough);
    sqp->p = carom_arena_reserve(sqp->memory, n, sizeof *sqp->p, &enough);
    sqp->x = carom_arena_reserve(sqp->memory, n, sizeof *sqp->x, &enough);
    sqp->contact = carom_arena_reserve(sqp->memory, n, sizeof *sqp->contact, &enough);
    sqp->force = carom_arena_reserve(sqp->memory, n, sizeof *sqp->force, &enough);
    sqp->live = carom_arena_reserve(sqp->memory, n, sizeof *sqp->live, &enough);
    sqp->space = carom_cones_create();
    if (!sqp->space || !enough)
        return carom_no_memory(error, "the integrator");
    carom_status status = model->contact.enabled ? create_overlaps(sqp, error) : CAROM_OK;
    if (!status && def->beta > 0)
        status = carom_implicit_bulk_create(model, &sqp->bulk, error);
    return status;
}
