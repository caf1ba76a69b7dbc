// SPDX-License-Identifier: MIT
// Theory: docs/theory/energy_momentum.md
// Conserving implicit integration with frictional contact and a velocity update, after
//     G. R. Love, T. A. Laursen: Improved implicit integrators for transient impact problems: dynamic frictional dissipation within an
//     admissible conserving framework. Comput. Methods Appl. Mech. Engrg. 192 (2003) 2223-2248.
//
// One step from (x0, v0), with u = x1 - x0, elements balanced between x0 and x1 (balance.h) and contact forces f_l of the quadrature points l
// by their operators at the middle (quadrature/tractions.h):
//
//     solve    (2/h) m (u/h - v0) = f(x0, x1) + load + sum f_l
//     then     v- = 2 u/h - v0
//     energy   c_l = h area D_l + f_l.u <= 0                     what contact took and friction did not
//     update   k_l (A k + b)_l + c_l = 0,  v1 = v- + sum k_l F_l/m   with the same tractions by the operators at x1 (quadrature/velocity_update.h)
//
// Linear and angular momentum are exact: f_l and f have no moment about the middle positions, F_l has none about x1. Energy changes by
// -h sum area D_l, the power of friction, to the tolerance of the solver.
//
// A step that does not converge, or in which surfaces pass each other farther than contact sees, is done in halves, which are halved in turn; steps grow
// again when some have converged.
#include "integrator/energy_momentum/energy_momentum.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/quadrature/velocity_update.h"
#include "integrator/halving.h"
#include "math/vec3.h"
#include "model/damping.h"
#include "model/ledger.h"
#include "model/restraints.h"

static const double nothing[3] = {0};

static const char *const schemes[] = {"conserving", "midpoint", "newmark", NULL};
static const char *const updates[] = {"off", "on", "smallest-root", NULL};
static const char *const slaves[] = {"first", "second", "both", NULL};
static const char *const quadratures[] = {"gauss", "nodal", NULL};

#define ROW(type_, field_) .type = type_, .offset = offsetof(carom_energy_momentum_params, field_)

static const carom_param params[] = {
    {.name = "scheme",
     ROW(CAROM_PARAM_CHOICE, scheme),
     .unit = "",
     .initial = "conserving",
     .choices = schemes,
     .doc =
         "`conserving`: stresses whose work is the change of stored energy. For comparison, with the same contact: `midpoint`, the "
         "stresses of the middle of the step; `newmark`, Newmark's method with `beta` and `gamma`."},
    {.name = "velocity-update",
     ROW(CAROM_PARAM_CHOICE, velocity_update),
     .unit = "",
     .initial = "on",
     .choices = updates,
     .doc =
         "`on`: impulses at the end of a step give back the energy that contact took and friction did not. `off`: it is lost, and booked "
         "as `projection`. `smallest-root`: by the other root of their equations, for comparison."},
    {.name = "penalty",
     ROW(CAROM_PARAM_REAL, penalty),
     .unit = "force/length^3",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc = "Normal traction per overlap. `auto`: ten times Young's modulus over element size, of the softer body."},
    {.name = "tangential",
     ROW(CAROM_PARAM_REAL, tangential),
     .unit = "force time/length^3",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc = "Tangential traction per slip velocity, as long as it sticks. `auto`: `penalty` times the step."},
    {.name = "slave",
     ROW(CAROM_PARAM_CHOICE, slave),
     .unit = "",
     .initial = "first",
     .choices = slaves,
     .doc = "Which of two bodies carries the contact points: the one named `first` in the scene, the `second`, or `both`."},
    {.name = "quadrature",
     ROW(CAROM_PARAM_CHOICE, quadrature),
     .unit = "",
     .initial = "gauss",
     .choices = quadratures,
     .doc = "Where contact is looked at: `gauss` points of the faces, or the `nodal` points."},
    {.name = "reach",
     ROW(CAROM_PARAM_REAL, reach),
     .unit = "length",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc =
         "How far from a face a point may be, on either side, to see it: at most half of the thinnest body, and more than surfaces "
         "approach in a step. `auto`: the smallest volume over surface of a body."},
    {.name = "augmented",
     ROW(CAROM_PARAM_INT, augmented),
     .unit = "",
     .initial = "auto",
     .min = 0,
     .max = 1000,
     .flags = CAROM_PARAM_ALLOW_AUTO,
     .doc =
         "Most passes of the augmented Lagrangian in a step; they make the overlap as small as one likes. `0`: penalty alone, where "
         "overlap grows in each step as long as contact lasts. `auto`: 20 in steps that end with an overlap of more than a fiftieth of "
         "the smaller elements, and none in others."},
    {.name = "beta",
     ROW(CAROM_PARAM_REAL, beta),
     .unit = "",
     .initial = "0.25",
     .min = 0,
     .max = 1,
     .flags = CAROM_PARAM_OPEN_MIN,
     .doc = "Of `scheme: newmark`."},
    {.name = "gamma",
     ROW(CAROM_PARAM_REAL, gamma),
     .unit = "",
     .initial = "0.5",
     .min = 0,
     .max = 1,
     .doc = "Of `scheme: newmark`."},
    {.name = "tolerance",
     ROW(CAROM_PARAM_REAL, tolerance),
     .unit = "",
     .initial = "1e-11",
     .min = 0,
     .max = 1,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX,
     .doc = "Residual of the balance of momentum, relative to its parts. A loose one shows as a drift of energy."},
    {.name = "iterations",
     ROW(CAROM_PARAM_INT, iterations),
     .unit = "",
     .initial = "40",
     .min = 1,
     .max = 1000,
     .doc = "Most iterations of Newton's method; then contact is softened for a new start, and then the step is halved."},
    {.name = "halvings",
     ROW(CAROM_PARAM_INT, halvings),
     .unit = "",
     .initial = "10",
     .min = 0,
     .max = 30,
     .doc = "How often a step that does not converge may be halved before the run fails."},
};

typedef struct workspace {
    carom_implicit_contact contact;
    carom_balance balance;
    carom_vectors acceleration; // of newmark, restraints not asked; part of the state
    carom_vectors v;            // at the end of the step, before it is accepted
    carom_vectors before;       // newmark: accelerations at the start
    carom_halving halving;
    carom_update_point *points;
    int *index; // of each of these among the points of contact
    carom_hits hits;
} workspace;

static const carom_energy_momentum_params *params_of(const carom_stepper *stepper) {
    return stepper->params;
}

// ---- the end of a part step ----

// Velocities at the end of the step without the update; those of restrained directions are prescribed. By the forces rather than 2 u/h - v0, which is the
// same but for the residual: momentum then has no error but rounding, and rounding is not divided by h.
static void find_velocities(carom_stepper *stepper, double h, double end) {
    workspace *s = stepper->workspace;
    const carom_energy_momentum_params *p = params_of(stepper);
    const carom_balance *b = &s->balance;
    carom_restraint *items = b->restraints.items;
    for (int k = 0; k < stepper->model->node_count; k++) {
        double m = stepper->model->mass[k], a = carom_model_mass_damping(stepper->model, k);
        for (int i = 0; i < 3; i++) {
            double u = b->u[k][i], v0 = b->v0[k][i];
            if (p->scheme != CAROM_EM_NEWMARK) {
                s->v[k][i] = v0 + h * b->force[k][i] / m - a * u;
                continue;
            }
            double a0 = s->before[k][i], a1 = (u - h * v0 - h * h * (0.5 - p->beta) * a0) / (p->beta * h * h);
            s->v[k][i] = v0 + h * ((1 - p->gamma) * a0 + p->gamma * a1);
        }
    }
    carom_model_drive(stepper->model, end, items);
    for (int r = 0; r < b->restraints.count; r++)
        carom_restraint_impose(&items[r], s->v[items[r].node]);
}

// Loads, damping and restraints: impulses from outside, and the work that has no potential.
static void book_outside(carom_stepper *stepper, carom_state *state, double h) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    const carom_balance *b = &s->balance;
    const carom_energy_momentum_params *p = params_of(stepper);
    bool newmark = p->scheme == CAROM_EM_NEWMARK;
    carom_const_vectors middle = (carom_const_vectors)b->middle;
    for (int k = 0; model->loaded && k < model->node_count; k++) {
        double impulse[3] = {0};
        carom_add_scaled(h, model->load[k], impulse);
        carom_ledger_book_outside(state, middle[k], impulse, nothing, 0);
    }
    for (int i = 0; i < model->live.node_count; i++) {
        int k = model->live.nodes[i];
        double impulse[3] = {0};
        carom_add_scaled(h, b->live[k], impulse);
        carom_ledger_book_outside(state, middle[k], impulse, nothing, carom_dot(b->live[k], b->u[k]));
    }
    for (int k = 0; model->mass_damping && k < model->node_count; k++) {
        double impulse[3] = {0}, a = model->mass_damping[k];
        if (!(a > 0))
            continue;
        carom_add_scaled(-a * model->mass[k], b->u[k], impulse);
        carom_ledger_book_outside(state, middle[k], impulse, nothing, 0);
        state->books.booked.damping += a * model->mass[k] * carom_dot(b->u[k], b->u[k]) / h;
    }

    // what a restraint gave is what nothing else did
    for (int r = 0; r < b->restraints.count; r++) {
        int k = b->restraints.items[r].node;
        double m = model->mass[k], impulse[3], couple[3], mean[3], work, f[3], a = carom_model_mass_damping(model, k);
        for (int i = 0; i < 3; i++) {
            f[i] = b->force[k][i] - a * m * b->u[k][i] / h;
            if (newmark)
                f[i] = p->gamma * f[i] + (1 - p->gamma) * m * b->a0[k][i];
            impulse[i] = m * (s->v[k][i] - b->v0[k][i]) - h * f[i];
            mean[i] = 0.5 * m * (s->v[k][i] + b->v0[k][i]);
        }
        work = 0.5 * m * (carom_dot(s->v[k], s->v[k]) - carom_dot(b->v0[k], b->v0[k])) - carom_dot(f, b->u[k]);
        carom_cross(b->u[k], mean, couple);
        carom_ledger_book_outside(state, middle[k], impulse, couple, work);
    }
}

// The points that push, with the energy that they took and friction did not; *gained is what they gave beyond that.
static int list_points(workspace *s, double h, double *gained) {
    const carom_implicit_contact *contact = &s->contact;
    int count = 0;
    double taken = 0;
    *gained = 0;
    for (int i = 0; i < contact->count; i++) {
        const carom_quadrature_point *p = &contact->points[i];
        const carom_traction *t = &contact->tractions[i];
        if (!(t->normal > 0))
            continue;
        double energy = h * p->area * t->dissipation;
        for (int a = 0; a < carom_quadrature_nodes(p); a++)
            energy += carom_dot(t->force[a], s->balance.u[p->node[a]]);
        // with multipliers a point can have gained energy before the passes have converged
        *gained += fmax(energy, 0);
        taken -= fmin(energy, 0);
        s->index[count] = i;
        s->points[count++] = (carom_update_point){.count = carom_quadrature_nodes(p),
                                                  .node = p->node,
                                                  .force = (carom_const_vectors)t->after,
                                                  .energy = fmin(energy, 0)};
    }
    // the others give back less by that
    double share = taken > 0 ? fmin(*gained / taken, 1) : 0;
    for (int l = 0; l < count; l++)
        s->points[l].energy *= 1 - share;
    *gained -= share * taken;
    return count;
}

// Applies the impulses of the update.
static void push(carom_stepper *stepper, int count) {
    workspace *s = stepper->workspace;
    for (int l = 0; l < count; l++) {
        const carom_update_point *p = &s->points[l];
        for (int a = 0; p->factor != 0 && a < p->count; a++) {
            double f[3];
            carom_copy(p->force[a], f);
            const carom_restraint *r = carom_restraint_of(&s->balance.restraints, p->node[a]);
            if (r)
                carom_restraint_project(r, f);
            carom_add_scaled(p->factor / stepper->model->mass[p->node[a]], f, s->v[p->node[a]]);
        }
    }
}

// The impulse of one point in a part step, as the ledger keeps it.
static carom_hit hit_of(const carom_stepper *stepper, int l, double h, double time, double (*impulses)[3]) {
    const workspace *s = stepper->workspace;
    const carom_update_point *update = &s->points[l];
    const carom_quadrature_point *p = &s->contact.points[s->index[l]];
    const carom_traction *t = &s->contact.tractions[s->index[l]];
    carom_hit hit = {.time = time,
                     .rate = -t->rate / h,
                     .friction = h * p->area * t->dissipation,
                     .slips = t->slips,
                     .contact = {.kind = p->corners == 2 ? CAROM_CONTACT_NODE_SEGMENT : CAROM_CONTACT_NODE_FACE,
                                 .body = {p->body[0], p->body[1]}}};
    // the normal leads from the first body to the second, from a plane to the body on it
    bool plane = p->body[1] < 0, frame = p->corners == 0;
    double sign = frame ? 1 : -1;
    for (int i = 0; i < 3; i++)
        hit.contact.normal[i] = sign * t->m[i];
    if (frame) {
        hit.contact.kind = plane ? CAROM_CONTACT_NODE_PLANE : CAROM_CONTACT_END_END;
        hit.contact.offset = p->offset;
    }
    hit.spot.gap = -t->gap;
    carom_copy(t->place, hit.spot.point);

    for (int a = 0; a < update->count; a++) {
        int k = p->node[a];
        double *J = impulses[a], late[3] = {0}, moment[3];
        memset(J, 0, 3 * sizeof *J);
        carom_add_scaled(h, t->force[a], J);
        carom_add_scaled(update->factor, t->after[a], late);
        if (plane) {
            carom_add_scaled(1, J, hit.ground.impulse);
            carom_cross(s->balance.middle[k], J, moment);
            carom_add_scaled(1, moment, hit.ground.moment);
            carom_add_scaled(1, late, hit.ground.impulse);
            carom_cross(s->balance.x1[k], late, moment);
            carom_add_scaled(1, moment, hit.ground.moment);
        }
        carom_add_scaled(1, late, J);
        // what a restrained node does not take of the update
        const carom_restraint *r = carom_restraint_of(&s->balance.restraints, k);
        if (r) {
            double lost[3], part[3];
            carom_copy(late, part);
            carom_restraint_project(r, part);
            carom_difference(part, late, lost);
            carom_add_scaled(1, lost, hit.ground.impulse);
            carom_cross(s->balance.x1[k], lost, moment);
            carom_add_scaled(1, moment, hit.ground.moment);
        }
        // on the second side; on the first one if the second is a plane
        bool counts = plane || (frame ? p->N[a] > 0 : a >= p->slave_count);
        if (counts)
            carom_add_scaled(1, J, hit.impulse);
    }
    hit.normal = carom_dot(hit.contact.normal, hit.impulse);
    return hit;
}

static carom_status book_contact(carom_stepper *stepper, carom_state *state, int count, double h, double time, double lost,
                                 carom_error *error) {
    workspace *s = stepper->workspace;
    s->hits.count = 0;
    for (int l = 0; l < count; l++) {
        double impulses[CAROM_QUADRATURE_NODES][3];
        carom_hit hit = hit_of(stepper, l, h, time, impulses);
        for (int a = 0; a < s->points[l].count; a++)
            carom_add_scaled(1, impulses[a], state->impulse[s->points[l].node[a]]);
        carom_hits_add(&s->hits, &hit);
    }
    if (s->hits.failed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    carom_ledger_book_hits(state, &stepper->observer, s->hits.items, s->hits.count, 0);
    state->books.booked.projection += lost;
    return CAROM_OK;
}

// ---- one part step ----

// Surfaces that passed each other farther than contact sees: the step is too large, or this is counted and shown as overlap if it cannot be smaller.
static carom_status look_for_passing(carom_stepper *stepper, carom_state *state, bool smallest, double *depth,
                                     carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    int bodies[2];
    carom_status status =
        carom_implicit_contact_tunnelling(&s->contact, s->balance.x0, (carom_const_vectors)s->balance.x1, depth, bodies, error);
    if (status || *depth == 0)
        return status;
    if (smallest) {
        state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
        return CAROM_OK;
    }
    return carom_fail(error, CAROM_NUMERICAL, "'%s' and '%s' approach by more than the reach of contact",
                      model->bodies[bodies[0]].name, model->bodies[bodies[1]].name);
}

// Advances the state by h from `time`. On CAROM_NUMERICAL it is as it was. Nothing is refused for its size if the step is the smallest one.
static carom_status advance(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                            carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    const carom_energy_momentum_params *p = params_of(stepper);
    carom_balance *b = &s->balance;
    bool newmark = p->scheme == CAROM_EM_NEWMARK;

    // the balance of momentum
    int64_t iterations = b->counts.iterations;
    carom_status status = carom_balance_solve(b, time, h, (carom_const_vectors)state->x, (carom_const_vectors)state->v,
                                              newmark ? (carom_const_vectors)s->acceleration : NULL, p->augmented, error);
    state->books.element_updates += (b->counts.iterations - iterations) * model->element_count;
    double passed = 0;
    if (!status)
        status = look_for_passing(stepper, state, smallest, &passed, error);
    if (status)
        return status;
    for (int k = 0; newmark && k < model->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&b->restraints, k);
        carom_copy(s->acceleration[k], s->before[k]);
        if (r)
            carom_restraint_project(r, s->before[k]);
    }
    find_velocities(stepper, h, time + h);
    book_outside(stepper, state, h);

    // energy that contact took and friction did not: given back, or lost
    double gained, lost = 0;
    int count = list_points(s, h, &gained);
    if (p->velocity_update != CAROM_EM_UPDATE_OFF && !newmark && count) {
        carom_mobility mobility = {model->mass, &b->restraints};
        carom_root root = p->velocity_update == CAROM_EM_UPDATE_SMALLEST ? CAROM_ROOT_SMALLEST : CAROM_ROOT_POSITIVE;
        status = carom_velocity_update(s->points, count, mobility, (carom_const_vectors)s->v, root, &lost, error);
        if (status)
            return status;
        push(stepper, count);
    } else
        for (int l = 0; l < count; l++)
            lost -= s->points[l].energy;
    // forces at the end of a step of newmark do no such work: what it gains or loses stays unexplained
    status = book_contact(stepper, state, count, h, time + h, newmark ? 0 : lost - gained, error);
    if (status)
        return status;

    // the end of the step
    for (int k = 0; k < model->node_count; k++) {
        for (int i = 0; newmark && i < 3; i++)
            s->acceleration[k][i] = b->force[k][i] / model->mass[k];
        carom_copy(b->x1[k], state->x[k]);
        carom_copy(s->v[k], state->v[k]);
    }
    state->books.overlap = fmax(carom_implicit_contact_overlap(&s->contact), passed);
    return CAROM_OK;
}

// ---- the method ----

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_halving *halving = &s->halving;
    state->books.contacts = 0;
    carom_status status = carom_halving_run(halving, stepper, state, error);
    if (status == CAROM_NUMERICAL)
        return carom_fail(error, status,
                          "the balance of momentum has no solution at time %g (step %lld), not even in steps of %g: %s",
                          halving->time, (long long)state->step + 1, halving->length, s->balance.stalled);
    if (!status)
        carom_ledger_note_partings(state);
    return status;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_balance_release(&s->balance);
    carom_implicit_contact_release(&s->contact);
    carom_state_release(s->halving.start);
    carom_hits_release(&s->hits);
    free(s->v);
    free(s->before);
    free(s->points);
    free(s->index);
    free(s);
    stepper->workspace = NULL;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_energy_momentum_params *p = params_of(stepper);
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    s->halving.advance = advance;
    s->halving.halvings = params_of(stepper)->halvings;
    bool newmark = p->scheme == CAROM_EM_NEWMARK;
    carom_implicit_contact_def contact = {.slave = (carom_slave)p->slave,
                                          .quadrature = (carom_quadrature)p->quadrature,
                                          .penalty = p->penalty,
                                          .tangential = p->tangential,
                                          .reach = p->reach,
                                          .plain = newmark};
    carom_balance_def balance = {.scheme = (carom_energy_momentum_scheme)p->scheme,
                                 .beta = p->beta,
                                 .gamma = p->gamma,
                                 .tolerance = p->tolerance,
                                 .iterations = p->iterations};
    carom_status status = carom_implicit_contact_create(model, &contact, stepper->step, &s->contact, error);
    if (!status)
        status = carom_balance_create(model, &balance, &s->contact, &s->balance, error);
    if (!status)
        status = carom_state_create(model, &s->halving.start, error);
    if (status)
        return status;
    s->halving.pace = carom_state_add_array(state, "pace", 2);
    s->acceleration =
        (carom_vectors)carom_state_add_array(state, "accelerations", newmark ? 3 * (int64_t)model->node_count : 0);
    s->v = carom_allocate(model->node_count, sizeof *s->v);
    s->before = carom_allocate(newmark ? model->node_count : 0, sizeof *s->before);
    s->points = carom_allocate(s->contact.site_count, sizeof *s->points);
    s->index = carom_allocate(s->contact.site_count, sizeof *s->index);
    if (!s->halving.pace || !s->acceleration || !s->v || !s->before || !s->points || !s->index ||
        !carom_state_add_array(s->halving.start, "pace", 2) ||
        !carom_state_add_array(s->halving.start, "accelerations", newmark ? 3 * (int64_t)model->node_count : 0))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    if (newmark) {
        carom_balance_forces_at(&s->balance, state->time, (carom_const_vectors)state->x, s->acceleration);
        for (int k = 0; k < model->node_count; k++)
            for (int i = 0; i < 3; i++)
                s->acceleration[k][i] /= model->mass[k];
    }
    return CAROM_OK;
}

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    (void)params_;
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "energy-momentum cannot turn frames: use multisymplectic for beams");
    for (int s = 0; s < model->block_count; s++)
        if (!model->blocks[s].element->balanced)
            return carom_fail(error, CAROM_BAD_INPUT, "energy-momentum has no conserving stress for element '%s' of body '%s'",
                              model->blocks[s].element->kind.name, model->bodies[model->blocks[s].body].name);
    if (carom_model_is_viscous(model))
        return carom_fail(error, CAROM_BAD_INPUT, "energy-momentum has no stiffness damping: use newmark-dcr");
    bool touches = model->contact.enabled && (model->surface.face_count > 0 || model->candidates.count > 0);
    bool loses = model->contact.restitution != 1;
    for (int i = 0; i < model->laws.count; i++)
        loses = loses || (!model->laws.exceptions[i].law.apart && model->laws.exceptions[i].law.restitution != 1);
    if (touches && loses)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "energy-momentum loses energy by friction only: contact wants restitution: 1");
    return CAROM_OK;
}

// Waves are followed as long as a step is not many times the explicit one.
static double advised_step(const carom_model *model, const void *params_) {
    (void)params_;
    return 10 * carom_model_stable_step(model);
}

const carom_implicit_contact *carom_energy_momentum_contact(const carom_stepper *stepper) {
    return &((const workspace *)stepper->workspace)->contact;
}

carom_balance_counts carom_energy_momentum_counts(const carom_stepper *stepper) {
    return ((const workspace *)stepper->workspace)->balance.counts;
}

static const char *const ignored[] = {"resolve", "layer", "return_work", "on_hold", NULL};

const carom_integrator carom_integrator_energy_momentum = {
    .kind = {.name = "energy-momentum",
             .summary = "Implicit and conserving, with penalty contact, friction and a velocity update; large steps.",
             .reference =
                 "G. R. Love, T. A. Laursen: Improved implicit integrators for transient impact problems: dynamic frictional "
                 "dissipation within an admissible conserving framework. Comput. Methods Appl. Mech. Engrg. 192 (2003) "
                 "2223-2248.",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_energy_momentum_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_EXACT,
               .contact_energy = true,
               .symplectic = false,
               .reversible = true,
               .order = 2},
    .implicit = true,
    .ignored = ignored,
    .accepts = accepts,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .release = release,
};
