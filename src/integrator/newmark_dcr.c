// SPDX-License-Identifier: MIT
// Theory: docs/theory/newmark_dcr.md
// Explicit Newmark (beta = 0, gamma = 1/2) with decomposition contact response, after
//     F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics.
//     International Journal for Numerical Methods in Engineering 64 (2005) 1078-1110.
//
// Written as drift and kick, which is the same map as predictor and corrector: with w the velocity between two times,
//
//     drift   x_{n+1} = x_n + h w_n                     contact happens here
//     kick    w_{n+1} = w_n' + h M^-1 f(x_{n+1})        w_n' is w_n after contact
//     and     v_{n+1} = (w_n' + w_{n+1})/2              the velocity at t_{n+1}, for output, energy and momentum
//
// started with half a kick, w_0 = v_0 + (h/2) M^-1 f(x_0). Contact is resolved in one of two ways:
//
//     drift        at its exact time inside the drift; a kick that presses touching bodies together is answered within the kick.
//                  Positions are never moved by contact. What bounces inside a drift err by goes back to them at the kick after it.
//     projection   after the drift, as in the paper: remove the overlap, then replace the momenta of closing pairs.
//
// Prescribed velocities are those of the middle of the drift. Damping of bodies: -a M v at the velocity v_{n+1} (its matrix is diagonal, so
// that is no equation to solve), -b K w_n' at the velocity before the kick. Then h <= sqrt(b^2 + 4/omega^2) - b.
//
// Linear momentum is exact. Angular momentum is exact where contact acts at coincident points. Without contact, damping and
// loads that change in time the map is symplectic, reversible and of second order, so that energy oscillates and does not drift.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/impact/projection.h"
#include "integrator/accepts.h"
#include "integrator/contact_step.h"
#include "integrator/search.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/damping.h"
#include "model/forces.h"
#include "model/ledger.h"
#include "model/loads.h"
#include "model/model.h"
#include "model/restraints.h"

typedef struct workspace {
    carom_vectors w;        // velocity between two times; part of the state
    double *kick;           // largest speed that the last kick gave to a node; part of the state
    carom_vectors w_before; // before the kick
    carom_vectors force;
    double *slots;               // element forces before they are gathered
    carom_vectors live;          // loads that change in time or follow faces
    carom_vectors drag;          // forces of mass damping; NULL if no body is damped, here and below
    carom_vectors viscous;       // forces of stiffness damping
    double *scratch;             // of stiffness damping
    carom_vectors reaction;      // impulse of each restraint in a kick
    carom_restraints restraints; // those of the model with the velocities of the present drift
    carom_vectors v_before;      // scratch of energy_without_contact and find_mean_forces
    double energy_without_contact;
    carom_mobility mobility;
    carom_search search;
    carom_contact_step contact;
    carom_hits crossings; // pairs of surfaces to be projected
} workspace;

// All forces on the nodes at a time and at the positions of the state, but for the drag of mass damping.
static void find_forces(const carom_model *model, const carom_state *state, double time, workspace *s) {
    carom_const_vectors x = (carom_const_vectors)state->x;
    carom_model_force(model, x, s->slots, s->force);
    carom_model_live_load(model, time, x, s->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, s->live[model->live.nodes[i]], s->force[model->live.nodes[i]]);
    if (!s->scratch)
        return;
    carom_model_viscous_force(model, x, (carom_const_vectors)s->w, s->slots, s->scratch, s->viscous);
    for (int k = 0; k < model->node_count; k++)
        carom_add_scaled(1, s->viscous[k], s->force[k]);
}

// Velocities take in the impulse h f; restrained components keep their prescribed value.
static void kick_nodes(const carom_model *model, double h, workspace *s) {
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (model->node_count > 4096)
    for (int k = 0; k < model->node_count; k++) {
        carom_copy(s->w[k], s->w_before[k]);
        carom_add_scaled(h / model->mass[k], s->force[k], s->w[k]);
        most = fmax(most, h / model->mass[k] * carom_norm(s->force[k]));
    }
    *s->kick = most;
    if (s->drag)
        carom_model_drag(model, &s->restraints, h, (carom_const_vectors)s->w_before, s->w, s->drag, s->force);
    for (int r = 0; r < s->restraints.count; r++) {
        int k = s->restraints.items[r].node;
        carom_restraint_impose(&s->restraints.items[r], s->w[k]);
        for (int i = 0; i < 3; i++)
            s->reaction[r][i] = model->mass[k] * (s->w[k][i] - s->w_before[k][i]) - h * s->force[k][i];
    }
}

// A drift that begins at a time, and the kick at one end of it.
static carom_contact_moment moment_of(const carom_stepper *stepper, double time) {
    const workspace *s = stepper->workspace;
    return (carom_contact_moment){
        .neighbours = carom_search_neighbours(&s->search),
        .mobility = s->mobility,
        .node_count = stepper->model->node_count,
        .length = stepper->model->contact_length,
        .reach = carom_search_reach(&s->search),
        .time = time,
        .step = stepper->step,
        .kick_time = time,
        .kick_part = 1,
        .kick_speed = *s->kick,
    };
}

// A kick of length h at the current positions, which are those of `time`, together with the contacts that it presses; `after` is the
// share of it that acts on the time to come.
static carom_status kick(carom_stepper *stepper, carom_state *state, double time, double h, double after, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    find_forces(model, state, time, s);
    state->books.element_updates += model->element_count;
    carom_model_drive(model, time + 0.5 * stepper->step, s->restraints.items);
    kick_nodes(model, h, s);

    // contacts that bounced in the drift before, and those that the kick presses
    carom_hits *hits = &s->contact.impacts.hits;
    int begin = hits->count;
    carom_contact_moment moment = moment_of(stepper, time);
    moment.kick_part = h / stepper->step;
    carom_status status = carom_contact_step_answer(&s->contact, &moment, (carom_const_vectors)state->x,
                                                    (carom_const_vectors)s->w_before, s->w, error);
    if (status)
        return status;
    carom_ledger_book_kick(state, &(carom_kick){.h = h,
                                                .after = after,
                                                .w_before = (carom_const_vectors)s->w_before,
                                                .w = (carom_const_vectors)s->w,
                                                .reaction = (carom_const_vectors)s->reaction,
                                                .live = (carom_const_vectors)s->live,
                                                .drag = (carom_const_vectors)s->drag,
                                                .viscous = (carom_const_vectors)s->viscous});
    if (hits->count > begin)
        carom_ledger_book_hits(state, &stepper->observer, hits->items + begin, hits->count - begin, after);
    return CAROM_OK;
}

// The velocity at a time is the mean of those before and after its kick. False if one is not finite.
static bool update_velocities(const carom_model *model, workspace *s, carom_state *state) {
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite) if (model->node_count > 4096)
    for (int k = 0; k < model->node_count; k++) {
        for (int i = 0; i < 3; i++)
            state->v[k][i] = 0.5 * (s->w_before[k][i] + s->w[k][i]);
        finite = finite && isfinite(s->w[k][0] + s->w[k][1] + s->w[k][2]);
    }
    return finite;
}

// Contact inside the drift: straight flight, impacts resolved at their times.
static carom_status drift_through_impacts(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    bool outran = true;
    for (double allowance = carom_search_allowance(&s->search, (carom_const_vectors)s->w); outran; allowance *= 2) {
        carom_status status =
            carom_search_list(&s->search, (carom_const_vectors)state->x, (carom_const_vectors)s->w, allowance, error);
        if (status)
            return status;
        carom_contact_moment moment = moment_of(stepper, state->time);
        moment.allowance = allowance;
        status = carom_contact_step_drift(&s->contact, &moment, (carom_const_vectors)state->v, state->x, s->w, &state->books,
                                          &outran, error);
        if (status)
            return status;
    }
    return CAROM_OK;
}

// The energy that the map without contact conserves, right after a kick: E - (h^2/8) f.M^-1 f, exact for linear forces (it is
// K(w) + x_n.K x_{n+1}/2), of higher order for others. E itself oscillates about it.
static double conserved_energy(const carom_stepper *stepper, const carom_state *state) {
    const workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double sum = 0;
    for (int k = 0; k < model->node_count; k++) {
        double f[3];
        carom_copy(s->force[k], f);
        const carom_restraint *r = carom_restraint_of(&s->restraints, k);
        if (r)
            carom_restraint_project(r, f);
        sum += carom_dot(f, f) / model->mass[k];
    }
    return carom_stepper_ledger(stepper, state).total - 0.125 * stepper->step * stepper->step * sum;
}

// The energy at the end of the step if nothing touched: the kick that would follow from here. Leaves the state as it was.
static carom_status energy_without_contact(carom_stepper *stepper, carom_state *state, double *energy, carom_error *error) {
    workspace *s = stepper->workspace;
    size_t size = (size_t)stepper->model->node_count * sizeof *state->v;
    carom_books books = state->books;
    memcpy(s->v_before, state->v, size);
    carom_status status = kick(stepper, state, state->time + stepper->step, stepper->step, 0.5, error);
    update_velocities(stepper->model, s, state);
    *energy = conserved_energy(stepper, state);
    memcpy(s->w, s->w_before, size);
    memcpy(state->v, s->v_before, size);
    carom_model_drive(stepper->model, state->time + 0.5 * stepper->step, s->restraints.items);
    state->books = books;
    return status;
}

// Removes the overlap of one contact at the end of the drift and notes it, with its depth, as a hit without impulse.
static carom_status project(carom_stepper *stepper, carom_state *state, const carom_contact *contact, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_hit hit = {.contact = *contact, .time = state->time + stepper->step};
    hit.spot.gap = carom_contact_gap(contact, (carom_const_vectors)state->x);
    if (!(hit.spot.gap < 0))
        return CAROM_OK;
    if (s->contact.impacts.hits.count == 0) {
        carom_status status = energy_without_contact(stepper, state, &s->energy_without_contact, error);
        if (status)
            return status;
    }
    if (carom_projection_run(contact, s->mobility, state->x))
        carom_hits_add(&s->contact.impacts.hits, &hit);
    return CAROM_OK;
}

// The mean of the forces before and after all projections: their work against it is that against linear forces exactly.
static void find_mean_forces(carom_stepper *stepper, const carom_state *state) {
    workspace *s = stepper->workspace;
    size_t size = (size_t)stepper->model->node_count * sizeof *s->force;
    // those before are still there, from the step without contact
    memcpy(s->v_before, s->force, size);
    find_forces(stepper->model, state, state->time + stepper->step, s);
    for (int k = 0; k < stepper->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            s->force[k][i] = 0.5 * (s->force[k][i] + s->v_before[k][i]);
}

// Gives a projected contact its impulse, if it closes. What the impulse pays for its projection is no loss of restitution.
static void answer(const carom_stepper *stepper, const carom_state *state, carom_hit *hit) {
    workspace *s = stepper->workspace;
    const carom_contact contact = hit->contact;
    carom_contact_law law = carom_contact_law_of(&stepper->model->laws, contact.body);
    double rate = carom_contact_rate(&contact, (carom_const_vectors)s->w), target = -law.restitution * rate, time = hit->time;
    bool closes = rate < 0, pays = closes && stepper->model->contact.return_work;
    if (pays)
        target =
            carom_projection_target(&contact, s->mobility, rate, law.restitution,
                                    carom_projection_work(&contact, s->mobility, hit->spot.gap, (carom_const_vectors)s->force));
    if (closes)
        *hit = carom_response(&contact, s->mobility, target, law.friction, s->w);
    if (pays)
        hit->restitution = 0.5 * (1 - law.restitution * law.restitution) * rate * rate /
                           carom_contact_softness(&contact, s->mobility, contact.normal);
    hit->time = time;
    hit->ground =
        carom_contact_ground(&contact, s->mobility, hit->impulse, (carom_const_vectors)state->x, (carom_const_vectors)s->w, 0);
    hit->spot = carom_contact_spot(&contact, (carom_const_vectors)state->x, (carom_const_vectors)s->w, 0);
}

// Contact after the drift: overlap is removed, then closing pairs receive their impulse, one after another.
static carom_status drift_and_project(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    s->crossings.count = 0;
    carom_status status = carom_search_list(&s->search, (carom_const_vectors)state->x, (carom_const_vectors)s->w, 0, error);
    if (status)
        return status;
    carom_neighbours neighbours = carom_search_neighbours(&s->search);
    carom_projection_find(&neighbours, (carom_const_vectors)state->x, (carom_const_vectors)s->w, stepper->step, &s->crossings);
    for (int k = 0; k < model->node_count; k++)
        carom_add_scaled(stepper->step, s->w[k], state->x[k]);
    for (int c = 0; c < model->candidates.count && !status; c++)
        status = project(stepper, state, &model->candidates.items[c], error);
    for (int c = 0; c < s->crossings.count && !status; c++)
        status = project(stepper, state, &s->crossings.items[c].contact, error);
    if (!status && (s->contact.impacts.hits.failed || s->crossings.failed))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    if (status)
        return status;
    if (model->contact.return_work && s->contact.impacts.hits.count)
        find_mean_forces(stepper, state);
    for (int h = 0; h < s->contact.impacts.hits.count; h++)
        answer(stepper, state, &s->contact.impacts.hits.items[h]);
    return CAROM_OK;
}

// What projections, and the kick from projected positions, took beyond restitution and friction: the difference to the step
// without contact. So the contact columns explain all that contact did, and the residual is Newmark's own.
static void book_projections(const carom_stepper *stepper, carom_state *state) {
    const workspace *s = stepper->workspace;
    double explained = 0;
    for (int h = 0; h < s->contact.impacts.hits.count; h++)
        explained += s->contact.impacts.hits.items[h].restitution + s->contact.impacts.hits.items[h].friction;
    state->books.booked.projection += s->energy_without_contact - conserved_energy(stepper, state) - explained;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    bool projects = stepper->model->contact.resolve == CAROM_RESOLVE_PROJECTION;
    // nobody listened when the first half kick was made
    if (state->step == 0)
        carom_ledger_report_hits(state, &stepper->observer, s->contact.impacts.hits.items, s->contact.impacts.hits.count);
    state->books.contacts = 0;
    s->contact.impacts.hits.count = 0;
    carom_model_drive(stepper->model, state->time + 0.5 * stepper->step, s->restraints.items);

    // drift
    carom_status status = projects ? drift_and_project(stepper, state, error) : drift_through_impacts(stepper, state, error);
    if (status)
        return status;
    carom_ledger_book_hits(state, &stepper->observer, s->contact.impacts.hits.items, s->contact.impacts.hits.count, 0);
    bool projected = projects && s->contact.impacts.hits.count;
    state->step++;
    state->time = (double)state->step * stepper->step;

    // kick
    status = kick(stepper, state, state->time, stepper->step, 0.5, error);
    if (status)
        return status;
    if (!update_velocities(stepper->model, s, state)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    if (projected)
        book_projections(stepper, state);
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    free(s->w_before);
    free(s->force);
    free(s->slots);
    free(s->live);
    free(s->drag);
    free(s->viscous);
    free(s->scratch);
    free(s->restraints.items);
    free(s->reaction);
    free(s->v_before);
    carom_contact_step_release(&s->contact);
    carom_search_release(&s->search);
    carom_hits_release(&s->crossings);
    free(s);
    stepper->workspace = NULL;
}

// Room for the forces of damping; false if memory is short.
static bool reserve_damping(const carom_model *model, workspace *s) {
    if (!model->damped)
        return true;
    s->drag = carom_allocate(model->node_count, sizeof *s->drag);
    s->viscous = carom_allocate(model->node_count, sizeof *s->viscous);
    bool viscous = carom_model_is_viscous(model);
    if (viscous)
        s->scratch = carom_allocate(carom_model_slot_count(model), sizeof *s->scratch);
    return s->drag && s->viscous && (s->scratch || !viscous);
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    s->w = (carom_vectors)carom_state_add_array(state, "drift velocities", 3 * (int64_t)model->node_count);
    s->kick = carom_state_add_array(state, "kick speed", 1);
    s->w_before = carom_allocate(model->node_count, sizeof *s->w_before);
    s->force = carom_allocate(model->node_count, sizeof *s->force);
    s->slots = carom_allocate(carom_model_slot_count(model), sizeof *s->slots);
    s->live = carom_allocate(model->live.count ? model->node_count : 0, sizeof *s->live);
    s->reaction = carom_allocate(model->restraints.count, sizeof *s->reaction);
    s->v_before = carom_allocate(model->node_count, sizeof *s->v_before);
    s->restraints = model->restraints;
    s->restraints.items = carom_allocate(model->restraints.count, sizeof *s->restraints.items);
    if (!s->w || !s->kick || !s->w_before || !s->force || !s->slots || !s->live || !s->reaction || !s->v_before ||
        !s->restraints.items || !reserve_damping(model, s))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    if (model->restraints.count)
        memcpy(s->restraints.items, model->restraints.items, (size_t)model->restraints.count * sizeof *s->restraints.items);
    s->mobility = (carom_mobility){model->mass, &s->restraints};
    carom_status status = carom_contact_step_create(&s->contact, model, state, "kicks", error);
    if (status)
        return status;

    // half a kick leads from v_0 to the first drift
    memcpy(s->w, state->v, (size_t)model->node_count * sizeof *s->w);
    status = carom_search_create(model, stepper->step, &s->search, error);
    if (!status)
        status = carom_search_list(&s->search, (carom_const_vectors)state->x, (carom_const_vectors)s->w, 0, error);
    if (status)
        return status;
    return kick(stepper, state, state->time, 0.5 * stepper->step, 1, error);
}

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    return carom_accepts_no_frames(model, "newmark-dcr", error);
}

const carom_integrator carom_integrator_newmark_dcr = {
    .kind = {.name = "newmark-dcr",
             .summary = "Explicit Newmark with decomposition contact response.",
             .reference = "F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics. "
                          "Int. J. Numer. Meth. Engng 64 (2005) 1078-1110."},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = true,
               .order = 2},
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .release = release,
};
