// SPDX-License-Identifier: MIT
// Entries of nonsmooth-newmark in the energy ledger. Smooth forces act with the weights 1 - gamma and gamma at the two ends of
// a substep, contact forces at the middle positions.
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cone.h"
#include "integrator/nonsmooth/workspace.h"
#include "model/model.h"
#include "model/state/ledger.h"

static const double nothing[3] = {0};

// Records the impulses of a force at both ends of the step, each at its position, and its work.
static void book_ends(carom_state *state, const double x0[3], const double x1[3], const double f0[3], const double f1[3],
                      double before, double after, bool works) {
    double J0[3] = {0}, J1[3] = {0}, u[3];
    carom_add_scaled(before, f0, J0);
    carom_add_scaled(after, f1, J1);
    carom_difference(x1, x0, u);
    // the work of a changing load is that of the weighted mean of its values at the ends
    double share = before / (before + after);
    carom_ledger_record_external(state, x0, J0, nothing, works ? share * carom_dot(f0, u) : 0);
    carom_ledger_record_external(state, x1, J1, nothing, works ? (1 - share) * carom_dot(f1, u) : 0);
}

// The component of a vector in restrained directions.
static void held_part(const carom_restraint *r, const double vector[3], double part[3]) {
    double rest[3];
    carom_copy(vector, rest);
    carom_restraint_project(r, rest);
    carom_difference(vector, rest, part);
}

// The impulse of a restraint is the change of momentum less the impulses of all other forces; similarly its couple.
static void book_restraint(const carom_stepper *stepper, carom_state *state, double h, const carom_restraint *r) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    int k = r->node;
    // obstacles have no momentum
    double m = model->mass[k] > CAROM_MASSLESS ? model->mass[k] : 0, gamma = carom_nonsmooth_params_of(stepper)->gamma, f0[3],
           f1[3], f[3], u[3], middle[3];
    const double *x0 = state->x[k], *x1 = s->sqp.x[k], *v0 = state->v[k], *v1 = s->v[k], *contact = s->sqp.contact[k];
    carom_nonsmooth_drag(model, k, s->force[k], v0, f0);
    carom_nonsmooth_drag(model, k, s->sqp.force[k], v1, f1);
    carom_difference(x1, x0, u);
    // the couple is the change of angular momentum less the moments of all impulses about the origin
    double impulse[3], couple[3] = {0}, part[3], moment[3];
    for (int i = 0; i < 3; i++) {
        f[i] = (1 - gamma) * f0[i] + gamma * f1[i] + contact[i];
        impulse[i] = m * (v1[i] - v0[i]) - h * f[i];
        middle[i] = 0.5 * (x0[i] + x1[i]);
    }
    // angular momentum at the end, less that at the start, less the moments of all known impulses
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
    // The kinetic energy of restrained directions changes by the work of the restraint and of all forces along them.
    double work = 0.5 * m * (carom_dot(held1, held1) - carom_dot(held0, held0)) - carom_dot(part, u);
    carom_ledger_record_external(state, middle, impulse, couple, work);
}

// The energy that gamma > 1/2 takes from the elements in a substep, whose forces change by df along u = x1 - x0:
// -(gamma - 1/2) (df.u + kappa h^2 |df|^2/m), kappa = gamma/2 - beta; the second term of free directions of nodes without
// contact, since those that are held have none. It is not negative if the elements are linear and the step is stable.
static double numerical_damping(const carom_stepper *stepper, const carom_state *state, double h) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    const carom_nonsmooth_newmark_params *p = carom_nonsmooth_params_of(stepper);
    double kappa = 0.5 * p->gamma - p->beta, sum = 0;
    for (int k = 0; k < model->node_count; k++) {
        double df[3], live[3], u[3];
        // obstacles have no elements
        if (!(model->mass[k] > CAROM_MASSLESS))
            continue;
        // dead loads do not change; live loads are 0 at all nodes on which there are none
        carom_difference(s->sqp.force[k], s->force[k], df);
        carom_difference(s->sqp.live[k], s->live[k], live);
        carom_add_scaled(-1, live, df);
        carom_difference(s->sqp.x[k], state->x[k], u);
        sum += carom_dot(df, u);
        carom_restraints_project(&s->sqp.restraints, k, df);
        if (!(carom_norm(s->sqp.contact[k]) > 0))
            sum += kappa * h * h * carom_dot(df, df) / model->mass[k];
    }
    return -(p->gamma - 0.5) * sum;
}

void carom_nonsmooth_book_outside(const carom_stepper *stepper, carom_state *state, double h) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double gamma = carom_nonsmooth_params_of(stepper)->gamma, before = h * (1 - gamma), after = h * gamma;
    carom_exact *damping = &state->books.booked.of[CAROM_ACCOUNT_DAMPING];
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
        carom_exact_add(damping, -((1 - gamma) * carom_dot(f0, u) + gamma * carom_dot(f1, u)));
    }
    if (gamma > 0.5)
        carom_exact_add(damping, numerical_damping(stepper, state, h));
    for (int r = 0; r < s->sqp.restraints.count; r++)
        book_restraint(stepper, state, h, &s->sqp.restraints.items[r]);
}

// The energy that contact removed: minus its work along the displacement x1 - x0 of the step. Work along h (v0 + v1)/2, which
// would match the kinetic energy, has no definite sign, and in persistent contact omits the work of elements on the same nodes.
static double taken_by_contact(const carom_stepper *stepper, const carom_state *state) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    double work = 0;
    for (int k = 0; k < stepper->model->node_count; k++) {
        double u[3];
        carom_difference(s->sqp.x[k], state->x[k], u);
        work += carom_dot(s->sqp.contact[k], u);
    }
    return -work;
}

// The impulse of one pair in a substep, as a hit of the ledger. `impulses`: the remainder at each node, beyond its weight times
// the impulse of the hit.
static carom_hit hit_of(const carom_stepper *stepper, const carom_state *state, int c, double h, double time,
                        double impulses[4][3]) {
    const carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_simplex *pair = &s->sqp.set.items[c];
    const carom_cone *cone = &s->sqp.cones[c];
    carom_hit hit = {.time = time, .contact = {.kind = pair->kind, .count = cone->count, .offset = pair->offset}};
    int first = pair->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
    bool plane = pair->body[1] < 0;

    // the impulse of each side; the force on the first one is along `out`
    double out[3] = {0}, side[2][3] = {{0}}, size = 0, force = 0, early = 0;
    for (int k = 0; k < cone->count; k++) {
        // Normal and frictional forces of a pair act on its nodes at the middle of the step.
        const double *x0 = state->x[cone->node[k]], *x1 = s->sqp.x[cone->node[k]];
        double *J = impulses[k], middle[3], moment[3], u[3];
        memset(J, 0, 3 * sizeof *J);
        // normal force along F, friction along the tangents D
        carom_add_scaled(h * cone->lambda, cone->F[k], J);
        for (int a = 0; a < cone->tangents; a++)
            carom_add_scaled(-h * cone->r[a], cone->D[a][k], J);
        carom_add_scaled(1, J, side[k >= first]);
        if (k < first)
            carom_add_scaled(1, cone->F[k], out);
        hit.rate += carom_dot(cone->G[k], state->v[cone->node[k]]);
        carom_difference(x1, x0, u);
        for (int a = 0; a < cone->tangents; a++) {
            hit.friction += cone->r[a] * carom_dot(cone->D[a][k], u);
            early += 0.5 * h * cone->r[a] * carom_dot(cone->D[a][k], state->v[cone->node[k]]);
        }
        for (int i = 0; i < 3; i++)
            middle[i] = 0.5 * (x0[i] + x1[i]);
        if (plane) {
            carom_cross(middle, J, moment);
            carom_add_scaled(1, J, hit.ground.impulse);
            carom_add_scaled(1, moment, hit.ground.moment);
        }
    }
    // sliding may turn within a step; friction opposes it at the end, and what it returns before is an error of the step
    if (!s->sqp.def.by_increment)
        hit.friction -= fmin(early, 0);
    size = carom_norm(out);
    // the pair slips if |r| = mu lambda, and sticks if |r| is less
    for (int a = 0; a < cone->tangents; a++)
        force += cone->r[a] * cone->r[a];
    // on the cone, up to rounding
    hit.slips = cone->tangents > 0 && carom_cone_slips(sqrt(force), cone->friction * cone->lambda, 1e-9);

    // the normal points from the first body to the second, from a plane to the body on it
    bool turned = plane || pair->body[0] > pair->body[1];
    hit.contact.body[0] = pair->body[turned && !plane];
    hit.contact.body[1] = pair->body[!turned || plane];
    carom_copy(side[turned ? 0 : 1], hit.impulse);
    carom_add_scaled((turned ? 1 : -1) / size, out, hit.contact.normal);
    hit.normal = carom_dot(hit.contact.normal, hit.impulse);

    // the contact point, weighted with the fractions of the force at the nodes
    hit.spot.gap = carom_simplex_measure(pair, (carom_const_vectors)s->sqp.x, NULL) /
                   carom_simplex_size(pair, (carom_const_vectors)s->sqp.x);
    for (int k = 0; k < cone->count; k++) {
        double share = carom_dot(cone->F[k], out) / (size * size);
        carom_add_scaled((plane ? 1 : 0.5) * (k < first ? share : -share), s->sqp.x[cone->node[k]], hit.spot.point);
        hit.contact.node[k] = cone->node[k];
        hit.contact.weight[k] = turned ? share : -share;
        // the remainder: rows F of the nodes need not be parallel to the common normal
        carom_add_scaled(-hit.contact.weight[k], hit.impulse, impulses[k]);
    }
    return hit;
}

carom_status carom_nonsmooth_book_contact(carom_stepper *stepper, carom_state *state, double h, double time,
                                          carom_error *error) {
    carom_nonsmooth_workspace *s = stepper->workspace;
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
        return carom_no_memory(error, "contacts");
    // without contact the sum would only be rounding
    if (s->hits.count)
        carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_PROJECTION], taken_by_contact(stepper, state) - rubbed);
    carom_ledger_record_hits(state, &stepper->observer, s->hits.items, s->hits.count, 0, state->step + 1);
    state->books.events[CAROM_EVENT_CONTACT_AMBIGUOUS] += s->sqp.ambiguous;
    return CAROM_OK;
}
