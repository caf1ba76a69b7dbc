// SPDX-License-Identifier: MIT
// Theory: docs/theory/newmark_dcr.md
// Explicit Newmark (beta = 0, gamma = 1/2) with decomposition contact response, after
//     F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics.
//     International Journal for Numerical Methods in Engineering 64 (2005) 1078-1110.
//
// The paper's predictor and corrector,
//
//     predictor   x_{n+1} = x_n + h v_n + (h^2/2) M^-1 f(x_n)
//     corrector   v_{n+1} = v_n + (h/2) M^-1 (f(x_n) + f(x_{n+1})),
//
// become drift and kick when they are written with the velocity between two times, w_n = v_n + (h/2) M^-1 f(x_n):
//
//     drift       x_{n+1} = x_n + h w_n                       contact happens here: w_n becomes w_n'
//     kick        w_{n+1} = w_n' + h M^-1 f(x_{n+1})
//     velocity    v_{n+1} = (w_n' + w_{n+1})/2                for output, energy and momentum
//
// The run starts with half a kick, w_0 = v_0 + (h/2) M^-1 f(x_0). During the drift every node flies straight, which makes it
// the natural place for contact. There are two ways to resolve it:
//
//     drift       at the exact time of each impact; positions are never moved by contact, and nothing overlaps. A kick that
//                 presses touching bodies together is answered within the kick, so that bodies can rest on each other. The
//                 energy error of bounces inside a drift is returned at the kick after it.
//     projection  after the drift, as in the paper: overlap is removed by moving nodes, then closing pairs exchange momentum
//                 (newmark_projection.c).
//
// Prescribed velocities are those of the middle of the drift. Bodies may be damped: by -a M v_{n+1}, whose matrix is diagonal,
// and by -b K w_n', which keeps the method explicit and makes the stable step h <= sqrt(b^2 + 4/omega^2) - b (newmark_kick.h).
//
// Linear momentum is exact. Angular momentum is exact if contact acts at coincident points. Without contact, damping and
// time-dependent loads the map is symplectic, reversible and of second order, so the energy oscillates but does not drift.
#include <stdlib.h>

#include "base/allocate.h"
#include "integrator/accepts.h"
#include "integrator/contact_step.h"
#include "integrator/newmark_kick.h"
#include "integrator/newmark_projection.h"
#include "integrator/search.h"
#include "integrator/stepper.h"
#include "model/ledger.h"

typedef struct workspace {
    carom_newmark_kick kick; // forces and velocities
    carom_search search;     // which surfaces are near each other
    carom_contact_step contact;
    carom_newmark_projection projection;
} workspace;

// The drift that begins at a time, and the kick at that time.
static carom_contact_moment moment_of(const workspace *s, double time) {
    const carom_newmark_kick *kick = &s->kick;
    return (carom_contact_moment){
        .neighbours = carom_search_neighbours(&s->search),
        .mobility = kick->mobility,
        .node_count = kick->model->node_count,
        .length = kick->model->contact_length,
        .reach = carom_search_reach(&s->search),
        .time = time,
        .step = kick->step,
        .kick_time = time,
        .kick_part = 1,
        .kick_speed = *kick->speed,
    };
}

// x_{n+1} = x_n + h w_n, interrupted by impacts. The list of neighbours is complete for nodes that stay within an allowance of
// their straight paths; in the rare case that impacts lead one farther, the drift is run again with a list made for twice as
// much. The result does not depend on the allowance.
static carom_status drift_through_impacts(workspace *s, carom_state *state, carom_error *error) {
    carom_const_vectors x = (carom_const_vectors)state->x, w = (carom_const_vectors)s->kick.w;
    bool outran = true;
    for (double allowance = carom_search_allowance(&s->search, w); outran; allowance *= 2) {
        carom_status status = carom_search_list(&s->search, x, w, allowance, error);
        if (status)
            return status;
        carom_contact_moment moment = moment_of(s, state->time);
        moment.allowance = allowance;
        status = carom_contact_step_drift(&s->contact, &moment, (carom_const_vectors)state->v, state->x, s->kick.w,
                                          &state->books, &outran, error);
        if (status)
            return status;
    }
    return CAROM_OK;
}

// w_{n+1} = w_n' + h M^-1 f, and the impulses of the contacts that bounced in the drift or that the forces press together.
// `after` is the share of the kick that acts on the time to come.
static carom_status kick(carom_stepper *stepper, carom_state *state, double h, double after, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_hits *hits = &s->contact.impacts.hits;
    int begin = hits->count;
    carom_newmark_kick_run(&s->kick, state, state->time, h);
    carom_contact_moment moment = moment_of(s, state->time);
    moment.kick_part = h / stepper->step;
    carom_status status = carom_contact_step_answer(&s->contact, &moment, (carom_const_vectors)state->x,
                                                    (carom_const_vectors)s->kick.w_before, s->kick.w, error);
    if (status)
        return status;
    carom_newmark_kick_book(&s->kick, state, h, after);
    if (hits->count > begin)
        carom_ledger_book_hits(state, &stepper->observer, hits->items + begin, hits->count - begin, after);
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_hits *hits = &s->contact.impacts.hits;
    bool projects = stepper->model->contact.resolve == CAROM_RESOLVE_PROJECTION;
    // the first half kick was made before anyone could listen
    if (state->step == 0)
        carom_ledger_report_hits(state, &stepper->observer, hits->items, hits->count);
    state->books.contacts = 0;
    hits->count = 0;

    // drift: x_n to x_{n+1}
    carom_newmark_kick_drive(&s->kick, state->time);
    carom_status status = projects ? carom_newmark_projection_drift(&s->projection, &s->kick, &s->search, state, hits, error)
                                   : drift_through_impacts(s, state, error);
    if (status)
        return status;
    carom_ledger_book_hits(state, &stepper->observer, hits->items, hits->count, 0);
    bool projected = projects && hits->count;
    state->step++;
    state->time = (double)state->step * stepper->step;

    // kick: w_n' to w_{n+1}, half of it for the time that is over
    status = kick(stepper, state, stepper->step, 0.5, error);
    if (status)
        return status;

    // velocity: v_{n+1}
    if (!carom_newmark_kick_velocities(&s->kick, state)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }
    if (projected)
        carom_newmark_projection_book(&s->projection, &s->kick, hits, state);
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_newmark_projection_release(&s->projection);
    carom_contact_step_release(&s->contact);
    carom_search_release(&s->search);
    carom_newmark_kick_release(&s->kick);
    free(s);
    stepper->workspace = NULL;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    carom_status status = carom_newmark_kick_create(&s->kick, model, stepper->step, state, error);
    if (!status)
        status = carom_contact_step_create(&s->contact, model, state, "kicks", error);
    if (!status)
        status = carom_newmark_projection_create(&s->projection, stepper, error);
    if (!status)
        status = carom_search_create(model, stepper->step, &s->search, error);
    if (!status)
        status = carom_search_list(&s->search, (carom_const_vectors)state->x, (carom_const_vectors)s->kick.w, 0, error);

    // half a kick leads from v_0 to w_0
    return status ? status : kick(stepper, state, 0.5 * stepper->step, 1, error);
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
