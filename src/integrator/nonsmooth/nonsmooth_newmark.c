// SPDX-License-Identifier: MIT
// Theory: docs/theory/nonsmooth_newmark.md
// Newmark's method with contact fully implicit, for surfaces that need have neither normals nor gaps, after
//     C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis of nonsmooth contact.
//     Comput. Methods Appl. Mech. Engrg. 180 (1999) 1-26;
//     A. Pandolfi, C. Kane, J. E. Marsden, M. Ortiz: Time-discretized variational formulation of non-smooth frictional contact.
//     Int. J. Numer. Meth. Engng 53 (2002) 1801-1829.
//
// One step from (x0, v0), with a the accelerations by elements and loads, and those of contact ac for this step alone:
//
//     predict   pre = x0 + h v0 + (1/2 - beta) h^2 a0
//     solve     x1 = pre + beta h^2 a1 + (h^2/2) ac          where nothing overlaps (sqp.h)
//     then      v1 = v0 + h ((1 - gamma) a0 + gamma a1) + h ac
//
// Linear momentum is exact. With the gradients of the middle, and beta = 0 and gamma = 1/2, so is angular momentum: contact forces have no moment about
// the middle positions. Contact does its work along x1 - x0; what of it is not friction is booked as `projection`. In the plane it is -lambda g(x0) of each pair:
// contact takes energy where pairs had been apart, and the more the nearer to the middle of the step they met. There is no coefficient of restitution.
//
// A step in which contact does not settle is done in halves, which are halved in turn; steps grow again when some have settled.
#include "integrator/nonsmooth/nonsmooth_newmark.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/halving.h"
#include "math/vec3.h"
#include "model/damping.h"
#include "model/ledger.h"
#include "model/loads.h"
#include "model/restraints.h"
#include "model/stiffness.h"

static const double nothing[3] = {0};

// Overlap, in units of a face, that is more than rounding.
static const double seen = 1e-10;

static const char *const gradients[] = {"midpoint", "end", NULL};
static const char *const pairings[] = {"crossed", "closest", NULL};
static const char *const measures[] = {"signed", "gap", NULL};
static const char *const contacts[] = {"constraint", "penalty", NULL};

#define ROW(type_, field_) .type = type_, .offset = offsetof(carom_nonsmooth_newmark_params, field_)

static const carom_param params[] = {
    {.name = "beta",
     ROW(CAROM_PARAM_REAL, beta),
     .unit = "",
     .initial = "0",
     .min = 0,
     .max = 0.5,
     .doc =
         "How implicit the elements are. `0`: explicit, and only contact is implicit; the stable step bounds `time.step`. From a quarter on any step is "
         "stable."},
    {.name = "gamma",
     ROW(CAROM_PARAM_REAL, gamma),
     .unit = "",
     .initial = "0.5",
     .min = 0.5,
     .max = 1,
     .doc = "Above one half high frequencies are damped, at the price of second order."},
    {.name = "gradients",
     ROW(CAROM_PARAM_CHOICE, gradients),
     .unit = "",
     .initial = "midpoint",
     .choices = gradients,
     .doc =
         "Where contact forces take their directions: in the middle of the step, which conserves angular momentum, or at its `end`, as in "
         "the paper."},
    {.name = "pairing",
     ROW(CAROM_PARAM_CHOICE, pairing),
     .unit = "",
     .initial = "crossed",
     .choices = pairings,
     .doc =
         "Against which face of a body a node is held that has come inside: the one that it has `crossed`, or the `closest` one, which "
         "sees nothing that passes through a body in one step."},
    {.name = "measure",
     ROW(CAROM_PARAM_CHOICE, measure),
     .unit = "",
     .initial = "signed",
     .choices = measures,
     .doc =
         "What may not become negative: `signed` area (in the plane) or volume, which needs no normals; or the `gap`, a distance, for smooth "
         "surfaces."},
    {.name = "contact",
     ROW(CAROM_PARAM_CHOICE, contact),
     .unit = "",
     .initial = "constraint",
     .choices = contacts,
     .doc =
         "`constraint`: nothing overlaps at the end of a step. `penalty`: overlap is pushed out by a stiffness, for comparison."},
    {.name = "penalty",
     ROW(CAROM_PARAM_REAL, penalty),
     .unit = "force/length",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc =
         "Stiffness of each pair, of `contact: penalty`. `auto`: 40 times the smallest mass of a node over the square of the step."},
    {.name = "passes",
     ROW(CAROM_PARAM_INT, passes),
     .unit = "",
     .initial = "50",
     .min = 2,
     .max = 10000,
     .doc = "Most quadratic programmes of a step; then the step is halved."},
    {.name = "tolerance",
     ROW(CAROM_PARAM_REAL, tolerance),
     .unit = "",
     .initial = "1e-14",
     .min = 1e-15,
     .max = 1e-6,
     .doc = "How far the last pass of a step may move a node, relative to the largest coordinate."},
    {.name = "halvings",
     ROW(CAROM_PARAM_INT, halvings),
     .unit = "",
     .initial = "10",
     .min = 0,
     .max = 30,
     .doc = "How often a step in which contact does not settle may be halved before the run fails."},
};

// What the array "solver counts" of the state holds.
enum { PASSES, MOST_PASSES, ITERATIONS, HALVED, COUNTS };
static const char *const counters[] = {"passes", "most_passes", "iterations", "halved", NULL};

static const char counts_array[] = "solver counts";

static const carom_method_result results[] = {
    {.name = "solver",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Quadratic programmes of all steps and of the worst step, iterations of their solver, halved steps."},
    {.name = NULL},
};

// A restitution of 0 or 1 is accepted, and both are the same.
static const char *const ignored[] = {"restitution", "resolve", "layer", "return_work", "on_hold", NULL};

typedef struct workspace {
    carom_sqp sqp;
    double *counts;      // part of the state
    carom_vectors force; // of elements and loads at the positions of the state; part of it
    carom_vectors a;     // accelerations at the start of the step, along free directions
    carom_vectors pre;   // the predictor
    carom_vectors v;     // velocities at the end of the step, before it is accepted
    carom_vectors live;  // live loads at its start
    carom_halving halving;
    double overlap; // at the end of the step
    carom_hits hits;
} workspace;

static const carom_nonsmooth_newmark_params *params_of(const carom_stepper *stepper) {
    return stepper->params;
}

// Force on a node with the drag of its body.
static void dragged(const carom_model *model, int k, const double force[3], const double v[3], double total[3]) {
    carom_copy(force, total);
    carom_add_scaled(-carom_model_mass_damping(model, k) * model->mass[k], v, total);
}

// ---- the motion ----

// Positions that the step would reach without contact and without forces at its end; those of restrained directions are prescribed.
static void predict(carom_stepper *stepper, const carom_state *state, double time, double h) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double beta = params_of(stepper)->beta;
    carom_restraint *items = s->sqp.restraints.items;
    carom_model_drive(model, time + 0.5 * h, items);
    for (int k = 0; k < model->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&s->sqp.restraints, k);
        double mean[3], f[3];
        dragged(model, k, s->force[k], state->v[k], f);
        for (int i = 0; i < 3; i++)
            s->a[k][i] = f[i] / model->mass[k];
        if (r)
            carom_restraint_project(r, s->a[k]);
        carom_copy(state->v[k], mean);
        carom_add_scaled((0.5 - beta) * h, s->a[k], mean);
        if (r)
            carom_restraint_impose(r, mean);
        carom_copy(state->x[k], s->pre[k]);
        carom_add_scaled(h, mean, s->pre[k]);
    }
}

// Velocities at the end of the step. Drag acts at both ends; its matrix is diagonal.
static void find_velocities(carom_stepper *stepper, const carom_state *state, double end, double h) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double gamma = params_of(stepper)->gamma;
    for (int k = 0; k < model->node_count; k++) {
        double m = model->mass[k];
        for (int i = 0; i < 3; i++)
            s->v[k][i] =
                (state->v[k][i] + h * ((1 - gamma) * s->a[k][i] + (gamma * s->sqp.force[k][i] + s->sqp.contact[k][i]) / m)) /
                (1 + gamma * h * carom_model_mass_damping(model, k));
    }
    carom_restraint *items = s->sqp.restraints.items;
    carom_model_drive(model, end, items);
    for (int r = 0; r < s->sqp.restraints.count; r++)
        carom_restraint_impose(&items[r], s->v[items[r].node]);
}

// ---- the books ----

// Impulses of a force at both ends of the step, each where it acts; the work of it.
static void book_ends(carom_state *state, const double x0[3], const double x1[3], const double f0[3], const double f1[3],
                      double before, double after, bool works) {
    double J0[3] = {0}, J1[3] = {0}, u[3];
    carom_add_scaled(before, f0, J0);
    carom_add_scaled(after, f1, J1);
    carom_difference(x1, x0, u);
    double share = before / (before + after);
    carom_ledger_book_outside(state, x0, J0, nothing, works ? share * carom_dot(f0, u) : 0);
    carom_ledger_book_outside(state, x1, J1, nothing, works ? (1 - share) * carom_dot(f1, u) : 0);
}

// The restrained part of a vector.
static void held_part(const carom_restraint *r, const double vector[3], double part[3]) {
    double rest[3];
    carom_copy(vector, rest);
    carom_restraint_project(r, rest);
    carom_difference(vector, rest, part);
}

// What a restraint gave is what nothing else did.
static void book_restraint(const carom_stepper *stepper, carom_state *state, double h, const carom_restraint *r) {
    const workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    int k = r->node;
    double m = model->mass[k], gamma = params_of(stepper)->gamma, f0[3], f1[3], f[3], u[3], middle[3];
    const double *x0 = state->x[k], *x1 = s->sqp.x[k], *v0 = state->v[k], *v1 = s->v[k], *contact = s->sqp.contact[k];
    dragged(model, k, s->force[k], v0, f0);
    dragged(model, k, s->sqp.force[k], v1, f1);
    carom_difference(x1, x0, u);
    double impulse[3], couple[3] = {0}, part[3], moment[3];
    for (int i = 0; i < 3; i++) {
        f[i] = (1 - gamma) * f0[i] + gamma * f1[i] + contact[i];
        impulse[i] = m * (v1[i] - v0[i]) - h * f[i];
        middle[i] = 0.5 * (x0[i] + x1[i]);
    }
    const struct {
        double factor;
        const double *x, *of;
    } parts[] = {{m, x1, v1},          {-m, x0, v0},          {-h * (1 - gamma), x0, f0},
                 {-h * gamma, x1, f1}, {-h, middle, contact}, {-1, middle, impulse}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        carom_cross(parts[p].x, parts[p].of, moment);
        carom_add_scaled(parts[p].factor, moment, couple);
    }
    double held0[3], held1[3];
    held_part(r, v0, held0);
    held_part(r, v1, held1);
    held_part(r, f, part);
    double work = 0.5 * m * (carom_dot(held1, held1) - carom_dot(held0, held0)) - carom_dot(part, u);
    carom_ledger_book_outside(state, middle, impulse, couple, work);
}

// Loads, damping and restraints.
static void book_outside(const carom_stepper *stepper, carom_state *state, double h) {
    const workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double gamma = params_of(stepper)->gamma, before = h * (1 - gamma), after = h * gamma;
    for (int k = 0; model->loaded && k < model->node_count; k++)
        book_ends(state, state->x[k], s->sqp.x[k], model->load[k], model->load[k], before, after, false);
    for (int i = 0; i < model->live.node_count; i++) {
        int k = model->live.nodes[i];
        book_ends(state, state->x[k], s->sqp.x[k], s->live[k], s->sqp.live[k], before, after, true);
    }
    for (int k = 0; model->mass_damping && k < model->node_count; k++) {
        double c = model->mass_damping[k] * model->mass[k], f0[3] = {0}, f1[3] = {0}, u[3];
        carom_add_scaled(-c, state->v[k], f0);
        carom_add_scaled(-c, s->v[k], f1);
        book_ends(state, state->x[k], s->sqp.x[k], f0, f1, before, after, false);
        carom_difference(s->sqp.x[k], state->x[k], u);
        state->books.booked.damping -= (1 - gamma) * carom_dot(f0, u) + gamma * carom_dot(f1, u);
    }
    for (int r = 0; r < s->sqp.restraints.count; r++)
        book_restraint(stepper, state, h, &s->sqp.restraints.items[r]);
}

// The energy that contact took: its work along the way of the step. Along h (v0 + v1)/2, which kinetic energy would ask for, it has no sign, and lacks in held
// contact what the elements' forces on the same nodes do.
static double taken_by_contact(const carom_stepper *stepper, const carom_state *state) {
    const workspace *s = stepper->workspace;
    double work = 0;
    for (int k = 0; k < stepper->model->node_count; k++) {
        double u[3];
        carom_difference(s->sqp.x[k], state->x[k], u);
        work += carom_dot(s->sqp.contact[k], u);
    }
    return -work;
}

// The impulse of one pair in a part step, as the ledger keeps it, and what its nodes get beyond their shares of that.
static carom_hit hit_of(const carom_stepper *stepper, const carom_state *state, int c, double h, double time,
                        double impulses[4][3]) {
    const workspace *s = stepper->workspace;
    const carom_simplex *pair = &s->sqp.set.items[c];
    const carom_cone *cone = &s->sqp.cones[c];
    carom_hit hit = {.time = time, .contact = {.kind = pair->kind, .count = cone->count, .offset = pair->offset}};
    int first = pair->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
    bool plane = pair->body[1] < 0;

    // what each side gets; the force on the first one is along `out`
    double out[3] = {0}, side[2][3] = {{0}}, size = 0, force = 0;
    for (int k = 0; k < cone->count; k++) {
        const double *x0 = state->x[cone->node[k]], *x1 = s->sqp.x[cone->node[k]];
        double *J = impulses[k], middle[3], moment[3], u[3];
        memset(J, 0, 3 * sizeof *J);
        carom_add_scaled(h * cone->lambda, cone->F[k], J);
        for (int a = 0; a < cone->tangents; a++)
            carom_add_scaled(-h * cone->r[a], cone->D[a][k], J);
        carom_add_scaled(1, J, side[k >= first]);
        if (k < first)
            carom_add_scaled(1, cone->F[k], out);
        hit.rate += carom_dot(cone->G[k], state->v[cone->node[k]]);
        carom_difference(x1, x0, u);
        for (int a = 0; a < cone->tangents; a++)
            hit.friction += cone->r[a] * carom_dot(cone->D[a][k], u);
        for (int i = 0; i < 3; i++)
            middle[i] = 0.5 * (x0[i] + x1[i]);
        if (plane) {
            carom_cross(middle, J, moment);
            carom_add_scaled(1, J, hit.ground.impulse);
            carom_add_scaled(1, moment, hit.ground.moment);
        }
    }
    size = carom_norm(out);
    for (int a = 0; a < cone->tangents; a++)
        force += cone->r[a] * cone->r[a];
    hit.slips = cone->tangents > 0 && sqrt(force) >= cone->friction * cone->lambda * (1 - 1e-9);

    // the normal leads from the first body to the second, from a plane to the body on it
    bool turned = plane || pair->body[0] > pair->body[1];
    hit.contact.body[0] = pair->body[turned && !plane];
    hit.contact.body[1] = pair->body[!turned || plane];
    carom_copy(side[turned ? 0 : 1], hit.impulse);
    carom_add_scaled((turned ? 1 : -1) / size, out, hit.contact.normal);
    hit.normal = carom_dot(hit.contact.normal, hit.impulse);

    // where the two sides meet, by the shares that the nodes have in the force
    hit.spot.gap = carom_simplex_measure(pair, (carom_const_vectors)s->sqp.x, NULL) /
                   carom_simplex_size(pair, (carom_const_vectors)s->sqp.x);
    for (int k = 0; k < cone->count; k++) {
        double share = carom_dot(cone->F[k], out) / (size * size);
        carom_add_scaled((plane ? 1 : 0.5) * (k < first ? share : -share), s->sqp.x[cone->node[k]], hit.spot.point);
        hit.contact.node[k] = cone->node[k];
        hit.contact.weight[k] = turned ? share : -share;
        carom_add_scaled(-hit.contact.weight[k], hit.impulse, impulses[k]);
    }
    return hit;
}

static carom_status book_contact(carom_stepper *stepper, carom_state *state, double h, double time, carom_error *error) {
    workspace *s = stepper->workspace;
    double rubbed = 0;
    s->hits.count = 0;
    for (int c = 0; c < s->sqp.set.count; c++) {
        double impulses[4][3];
        if (!(s->sqp.cones[c].lambda > 0))
            continue;
        carom_hit hit = hit_of(stepper, state, c, h, time, impulses);
        for (int k = 0; k < s->sqp.cones[c].count; k++)
            carom_add_scaled(1, impulses[k], state->impulse[s->sqp.cones[c].node[k]]);
        rubbed += hit.friction;
        carom_hits_add(&s->hits, &hit);
    }
    if (s->hits.failed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    if (s->hits.count)
        state->books.booked.projection += taken_by_contact(stepper, state) - rubbed;
    carom_ledger_book_hits(state, &stepper->observer, s->hits.items, s->hits.count, 0);
    state->books.events[CAROM_EVENT_CONTACT_AMBIGUOUS] += s->sqp.ambiguous;
    return CAROM_OK;
}

// Tells what of two sides overlaps.
static carom_status tell_overlap(const carom_model *model, const carom_violation_worst *worst, carom_error *error) {
    const char *first = carom_model_side_name(model, worst->body[0]);
    if (worst->body[0] == worst->body[1])
        return carom_fail(error, CAROM_NUMERICAL, "'%s' overlaps itself by %g", first, worst->depth);
    return carom_fail(error, CAROM_NUMERICAL, "'%s' and '%s' overlap by %g", first,
                      carom_model_side_name(model, worst->body[1]), worst->depth);
}

// The overlap that is left, by a look of its own at all that may touch, whether or not anything was found to touch. What passes did not see is a reason for a smaller
// step; if this is the smallest one, it is shown, and the first one of a step is counted.
static carom_status audit(carom_stepper *stepper, carom_state *state, double h, bool smallest, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_violation_worst worst = {0};
    bool soft = params_of(stepper)->contact == CAROM_NONSMOOTH_PENALTY;
    // where nothing is near nothing overlaps, unless it did before
    if (s->sqp.set.count || carom_violations_any_near(&s->sqp.overlaps) || state->books.overlap > 0) {
        carom_status status = carom_violations_worst(&s->sqp.overlaps, (carom_const_vectors)s->sqp.x, &worst, error);
        if (status)
            return status;
    }
    s->overlap = worst.depth;
    if (soft || worst.relative <= seen)
        return CAROM_OK;
    carom_error reason = {0};
    carom_status status = tell_overlap(stepper->model, &worst, &reason);
    if (!smallest)
        return carom_fail(error, status, "%s", reason.message);
    if (!stepper->missed.message[0]) {
        state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
        carom_fail(&stepper->missed, status, "%s, even in a step of %g", reason.message, h);
    }
    return CAROM_OK;
}

// ---- one part step ----

// Advances the state by h from `time`. On CAROM_NUMERICAL it is as it was. No overlap is refused if the step is the smallest one.
static carom_status advance(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                            carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    size_t size = (size_t)model->node_count * sizeof *state->x;
    carom_sqp_counts *counts = &s->sqp.counts, before = *counts;
    counts->most_passes = 0;

    // the motion
    carom_model_live_load(model, time, (carom_const_vectors)state->x, s->live);
    predict(stepper, state, time, h);
    carom_status status =
        carom_sqp_solve(&s->sqp, h, time + h, (carom_const_vectors)state->x, (carom_const_vectors)s->pre, error);
    s->counts[PASSES] += (double)(counts->passes - before.passes);
    s->counts[ITERATIONS] += (double)(counts->iterations - before.iterations);
    s->counts[MOST_PASSES] = fmax(s->counts[MOST_PASSES], (double)counts->most_passes);
    counts->most_passes = counts->most_passes > before.most_passes ? counts->most_passes : before.most_passes;
    if (!status)
        status = audit(stepper, state, h, smallest, error);
    if (!status) {
        carom_sqp_forces(&s->sqp, time + h, (carom_const_vectors)s->sqp.x);
        find_velocities(stepper, state, time + h, h);
    }
    state->books.element_updates += (counts->forces - before.forces) * model->element_count;
    if (status)
        return status;

    // its books
    book_outside(stepper, state, h);
    status = book_contact(stepper, state, h, time + h, error);
    if (status)
        return status;
    memcpy(state->x, s->sqp.x, size);
    memcpy(state->v, s->v, size);
    memcpy(s->force, s->sqp.force, size);
    state->books.overlap = s->overlap;
    return CAROM_OK;
}

// ---- the method ----

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_halving *halving = &s->halving;
    state->books.contacts = 0;
    stepper->missed.message[0] = 0;
    carom_error reason = {0};
    carom_status status = carom_halving_run(halving, stepper, state, &reason);
    if (status)
        return carom_fail(error, status, "%s at time %g (step %lld), even in a step of %g", reason.message, halving->time,
                          (long long)state->step + 1, halving->length);
    s->counts[HALVED] += (double)halving->halved;
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_sqp_release(&s->sqp);
    carom_state_release(s->halving.start);
    carom_hits_release(&s->hits);
    free(s->a);
    free(s->pre);
    free(s->v);
    free(s->live);
    free(s);
    stepper->workspace = NULL;
}

// Forty times what an explicit step could follow of the lightest node, over four.
static double penalty_of(const carom_stepper *stepper) {
    const carom_nonsmooth_newmark_params *p = params_of(stepper);
    if (!isnan(p->penalty))
        return p->penalty;
    double least = HUGE_VAL;
    for (int k = 0; k < stepper->model->node_count; k++)
        least = fmin(least, stepper->model->mass[k]);
    return 40 * least / (stepper->step * stepper->step);
}

// What is kept with the state; the same in the copy to return to.
static bool add_arrays(const carom_model *model, carom_state *state) {
    return carom_state_add_array(state, "pace", 2) && carom_state_add_array(state, counts_array, COUNTS) &&
           carom_state_add_array(state, "forces", 3 * (int64_t)model->node_count);
}

static bool reserve(const carom_model *model, carom_state *state, workspace *s) {
    int n = model->node_count;
    s->a = carom_allocate(n, sizeof *s->a);
    s->pre = carom_allocate(n, sizeof *s->pre);
    s->v = carom_allocate(n, sizeof *s->v);
    s->live = carom_allocate(n, sizeof *s->live);
    if (!s->a || !s->pre || !s->v || !s->live || !add_arrays(model, state) || !add_arrays(model, s->halving.start))
        return false;
    s->halving.pace = carom_state_find_array(state, "pace");
    s->counts = carom_state_find_array(state, counts_array);
    s->force = (carom_vectors)carom_state_find_array(state, "forces");
    return true;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_nonsmooth_newmark_params *p = params_of(stepper);
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    s->halving.advance = advance;
    s->halving.halvings = params_of(stepper)->halvings;
    carom_sqp_def def = {.beta = p->beta,
                         .at_end = p->gradients == CAROM_NONSMOOTH_END,
                         .gap = p->measure == CAROM_NONSMOOTH_GAP,
                         .rule = p->pairing == CAROM_NONSMOOTH_CLOSEST ? CAROM_VIOLATION_CLOSEST : CAROM_VIOLATION_CROSSED,
                         .softness = p->contact == CAROM_NONSMOOTH_PENALTY ? 1 / penalty_of(stepper) : 0,
                         .tolerance = p->tolerance,
                         .passes = p->passes};
    carom_status status = carom_sqp_create(model, &def, &s->sqp, error);
    if (!status)
        status = carom_state_create(model, &s->halving.start, error);
    if (status)
        return status;
    if (!reserve(model, state, s))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    carom_sqp_forces(&s->sqp, state->time, (carom_const_vectors)state->x);
    memcpy(s->force, s->sqp.force, (size_t)model->node_count * sizeof *s->force);
    return CAROM_OK;
}

// A restitution that the method cannot give; 0 and 1 run, so that a scene can be compared as it is.
static bool promises(double restitution) {
    return restitution != 0 && restitution != 1;
}

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    const carom_nonsmooth_newmark_params *p = params_;
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "nonsmooth-newmark cannot turn frames: use multisymplectic for beams");
    if (carom_model_is_viscous(model))
        return carom_fail(error, CAROM_BAD_INPUT, "nonsmooth-newmark has no stiffness damping: use newmark-dcr");
    if (p && p->beta > 0) {
        carom_status status = carom_model_has_stiffness(model, error);
        if (status)
            return carom_fail(error, status, "nonsmooth-newmark with beta > 0: %s; beta: 0 needs none",
                              error ? error->message : "");
        if (model->damped)
            return carom_fail(error, CAROM_BAD_INPUT, "nonsmooth-newmark has damping with beta: 0 only");
    }
    bool touches = model->contact.enabled && (model->surface.face_count > 0 || model->candidates.count > 0);
    bool refused = promises(model->contact.restitution);
    for (int i = 0; i < model->laws.count; i++)
        refused = refused || (!model->laws.exceptions[i].law.apart && promises(model->laws.exceptions[i].law.restitution));
    if (touches && refused)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "nonsmooth-newmark has no coefficient of restitution, what comes back depends on the step: contact "
                          "wants restitution: 0 or 1, which are the same here");
    return CAROM_OK;
}

// Of Newmark's method: omega h <= 1/sqrt(gamma/2 - beta).
static double stability(const void *params_) {
    const carom_nonsmooth_newmark_params *p = params_;
    double rest = 0.5 * p->gamma - p->beta;
    return rest > 0 ? 0.5 / sqrt(rest) : HUGE_VAL;
}

// An implicit bulk follows waves as long as a step is not many times the explicit one.
static double advised_step(const carom_model *model, const void *params_) {
    return fmin(stability(params_), 10) * carom_model_stable_step(model);
}

carom_sqp_counts carom_nonsmooth_counts(const carom_stepper *stepper) {
    return ((const workspace *)stepper->workspace)->sqp.counts;
}

const carom_integrator carom_integrator_nonsmooth_newmark = {
    .kind = {.name = "nonsmooth-newmark",
             .summary = "Newmark with implicit contact as constrained minimisation, for corners and edges without normals.",
             .reference =
                 "C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis of nonsmooth contact. Comput. "
                 "Methods Appl. Mech. Engrg. 180 (1999) 1-26; A. Pandolfi, C. Kane, J. E. Marsden, M. Ortiz: Time-discretized "
                 "variational formulation of non-smooth frictional contact. Int. J. Numer. Meth. Engng 53 (2002) 1801-1829.",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_nonsmooth_newmark_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = true,
               .order = 2},
    .results = results,
    .ignored = ignored,
    .conditions =
        "With the default parameters. Angular momentum needs beta: 0, gamma: 0.5 and gradients: midpoint. A step of contact adds "
        "no energy in the plane, to rounding; in space, or where nodes meet nodes, it may add up to some 1e-7 of it.",
    .stability = stability,
    .accepts = accepts,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .release = release,
};
