// SPDX-License-Identifier: MIT
// Theory: docs/theory/multisymplectic.md
// Space-time variational integrator with contact times as unknowns, for bars and geometrically exact beams, after
//     F. Demoures, F. Gay-Balmaz, M. Desbrun, T. S. Ratiu, A. Alejandro: A multisymplectic integrator for elastodynamic
//     frictionless impact problems. Computer Methods in Applied Mechanics and Engineering 315 (2017) 1025-1052.
//
// The discrete Lagrangian belongs to slabs of space-time (slab.h), and so do velocity, momentum and energy: the trajectory is
// piecewise straight. Contact has no loss. It happens by one of three rules:
//
//     kinked   a step is one slab, and nodes in contact change their velocity inside it (kinked_slab.h), or virtual tips close
//              and open inside it (switching.h)
//     printed  the paper's rule: a step is several slabs, one between any two contacts inside it (contact_time.h)
//     carried  the same, for beams, with the energy of the motion as the target after a contact (energy_target.h)
//
// For nodes that change their velocity inside slabs, state and ledger are those of leapfrog. The following is about the other
// slabs.
//
// The state at a time level holds positions and frames there; the velocities and momenta of the slab that ends there, and
// its length, zero at the start; the forces there. v and spin of the state are the discrete Legendre transform at the level,
//
//     v = w + h/(2 m) f,
//
// so that (x, m v) at one level determines the next, and this map is symplectic, reversible and of second order.
//
// The ledger at a time level contains the energy and momenta of the slab that ends there: K(w) + (V(x-) + V(x))/2. This energy,
// which the paper plots, is conserved exactly by contacts; momenta change from slab to slab by the impulses of loads and planes
// at the level between, and are exact otherwise.
//
// Contact time integrator 2 is for bars with massless tips (ghost.h); the state contains the positions of the virtual tips.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "integrator/engines.h"
#include "integrator/multisymplectic/contact_time.h"
#include "integrator/multisymplectic/frame_step.h"
#include "integrator/multisymplectic/kinked_slab.h"
#include "integrator/multisymplectic/switching.h"
#include "integrator/stepper.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/state/ledger.h"

static const char *const rules[] = {"auto", "kinked", "carried", "printed", NULL};
static const char *const starts[] = {"level", "slab", NULL};

// The longest step of beams that touch, in units of the stable one: measured, see docs/theory/multisymplectic.md.
static const double largest_part_of_beams = 0.05;

static const carom_param params[] = {
    CAROM_ROW_NAMED("contact-integrator", carom_multisymplectic_params, contact_integrator, CAROM_PARAM_INT, "", .initial = "1",
                    .min = 1, .max = 2,
                    .doc =
                        "`1`: contact is an impact at its exact time, for all elements. `2`: bars have massless virtual tips "
                        "that stay together as long as they press."),
    CAROM_ROW(carom_multisymplectic_params, contact_rule, CAROM_PARAM_CHOICE, "", .initial = "auto", .choices = rules,
              .doc = "How impacts keep the energy. `kinked`: steps stay whole, and nodes in contact change direction inside "
                     "them, or virtual tips close and open; over any number of bounces no energy is gained or lost. Not for "
                     "beams. `carried`: for beams; an impact begins a new slab and corrects the energy errors of those "
                     "before it. Steps above a twentieth of the stable one are refused. `printed`: the paper's rule, for some "
                     "tens of impacts; over many the energy drifts, at larger steps quickly. `auto`: `kinked`, and "
                     "`carried` for beams."),
    CAROM_ROW(carom_multisymplectic_params, start, CAROM_PARAM_CHOICE, "", .initial = "level", .choices = starts,
              .doc = "What the initial velocities are: those at time 0 (`level`, second order), or those of the whole "
                     "first step (`slab`, as in the paper)."),
};

typedef struct workspace {
    bool kinked;
    carom_kick_drift nodes; // of kinked slabs; the members below are of the others
    carom_switching switching;
    carom_energy_target energy_target;
    carom_ghosts ghosts;
    carom_slabs slabs;
    carom_contact_time contact_time;
    carom_level now;    // all its arrays are part of the state
    double *length;     // of the slab before; part of the state
    carom_level before; // scratch of the ledger
} workspace;

// True if all slabs have the length of the step.
static bool is_regular(const carom_model *model, const carom_multisymplectic_params *p) {
    return !model->R && model->candidates.count > 0 && p->contact_rule != CAROM_RULE_PRINTED;
}

// True if impacts use the energy of the motion as their target: those of beams.
static bool uses_target(const carom_model *model, const carom_multisymplectic_params *p) {
    return model->R && model->candidates.count > 0 && p->contact_rule != CAROM_RULE_PRINTED;
}

static bool is_kinked(const carom_model *model, const carom_multisymplectic_params *p) {
    return p->contact_integrator == 1 && is_regular(model, p);
}

// Sets the velocities of the state from the momenta at the level.
static void show_velocities(const carom_model *model, const workspace *s, carom_state *state) {
    const carom_level *now = &s->now;
    double half = 0.5 * *s->length;
    for (int k = 0; k < model->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&model->restraints, k);
        if (!carom_model_has_frame(model, k)) {
            carom_copy(now->w[k], state->v[k]);
            carom_add_scaled(half / model->mass[k], now->force[k], state->v[k]);
            if (r)
                carom_restraint_impose(r, state->v[k]);
            continue;
        }
        double body[3];
        bool held = r && r->count == 3, clamped = r && r->clamped;
        for (int i = 0; i < 3; i++) {
            body[i] = held ? 0 : (now->P[k][3 + i] + half * now->force[k][i]) / model->mass[k];
            state->spin[k][i] = clamped ? 0 : (now->P[k][i] + half * now->moment[k][i]) / model->inertia[k][i];
        }
        carom_mat3_apply((carom_const_vectors)now->R[k], body, state->v[k]);
    }
}

// Sets the positions of the ends of bars with ghosts: the node moved outward by the length of its ghost, compressed while
// closed. Velocities stay those of the masses: virtual tips have none, and the momentum of the state is the sum of m v.
static void show_tips(const carom_model *model, const workspace *s, carom_state *state) {
    const carom_ghosts *ghosts = s->slabs.ghosts;
    memcpy(state->x, s->now.x, (size_t)model->node_count * sizeof *state->x);
    for (int c = 0; c < model->candidates.count; c++) {
        const carom_contact *contact = &model->candidates.items[c];
        const carom_ghost *ghost = &ghosts->items[c];
        if (!(ghost->length > 0))
            continue;
        double press = s->slabs.closed[c] != 0 ? carom_slabs_gap(&s->slabs, c, &s->now) : 0;
        for (int i = 0; i < contact->count; i++)
            carom_add_scaled(-contact->weight[i] * (ghost->reach[i] + ghost->share[i] * press), contact->normal,
                             state->x[contact->node[i]]);
    }
}

static void show(const carom_model *model, const workspace *s, carom_state *state) {
    show_velocities(model, s, state);
    if (s->slabs.ghosts)
        show_tips(model, s, state);
}

// Energies and momenta of the slab that ends now.
static void measure(const carom_stepper *stepper, const carom_state *state, carom_ledger_row *row) {
    workspace *s = stepper->workspace;
    const carom_slabs *slabs = &s->slabs;
    if (s->kinked) {
        carom_kick_drift_measure(&s->nodes, state, row);
        return;
    }
    carom_level now = s->now;
    now.h = *s->length;
    carom_slabs_go_back(slabs, &now, &s->before);
    row->kinetic = carom_slabs_kinetic(slabs, &now);
    row->internal = 0.5 * (carom_slabs_internal(slabs, &s->before) + carom_slabs_internal(slabs, &now));
    row->external = 0.5 * (carom_slabs_external(slabs, &s->before) + carom_slabs_external(slabs, &now));
    carom_slabs_momenta(slabs, &now, row->momentum, row->angular_momentum);
    if (slabs->switches)
        carom_switching_measure(&s->switching, &s->before, &now, row);
}

// The level reached becomes the present one.
static void take(const carom_model *model, workspace *s, const carom_level *end) {
    size_t n = (size_t)model->node_count;
    *s->length = end->h;
    memcpy(s->now.x, end->x, n * sizeof *end->x);
    memcpy(s->now.w, end->w, n * sizeof *end->w);
    if (!model->R)
        return;
    memcpy(s->now.R, end->R, n * sizeof *end->R);
    memcpy(s->now.spin, end->spin, n * sizeof *end->spin);
    memcpy(s->now.P, end->P, n * sizeof *end->P);
}

static bool is_finite(const carom_model *model, const carom_level *level) {
    double sum = 0;
    for (int k = 0; k < model->node_count; k++)
        sum += level->w[k][0] + level->w[k][1] + level->w[k][2] + (level->R ? carom_dot(level->spin[k], level->spin[k]) : 0);
    return isfinite(sum);
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    if (s->kinked)
        return carom_kinked_slab_step(&s->nodes, state, error);
    state->books.contacts = 0;

    // slabs, with the contacts between them
    carom_level *end = &s->switching.end;
    s->now.time = state->time;
    s->now.h = *s->length;
    carom_phase before = carom_profile_enter(&stepper->profile, CAROM_PHASE_HITS);
    if (s->slabs.switches)
        carom_switching_step(&s->switching, state, &s->now, stepper->step);
    else
        carom_contact_time_step(&s->contact_time, state, &s->now, stepper->step, &end);
    carom_profile_enter(&stepper->profile, before);
    if (!is_finite(model, end)) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite after time %g (step %lld)", state->time,
                          (long long)state->step);
    }

    // the new level
    take(model, s, end);
    carom_profile_enter(&stepper->profile, CAROM_PHASE_ELEMENTS);
    carom_slabs_force(&s->slabs, &s->now);
    carom_profile_enter(&stepper->profile, before);
    state->books.element_updates += model->element_count;
    carom_stepper_advance_time(stepper, state);
    show(model, s, state);
    carom_ledger_note_partings(state);
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_ghosts_release(&s->ghosts);
    carom_slabs_release(&s->slabs);
    if (s->kinked)
        carom_kick_drift_close(&s->nodes);
    free(s);
    stepper->workspace = NULL;
}

static carom_limits length_limits(const void *stepper, const carom_state *state, int64_t i) {
    (void)state, (void)i;
    return (carom_limits){0, 2 * ((const carom_stepper *)stepper)->step, false};
}

// The arrays of the present level are those of the state. False if memory is short.
static bool register_arrays(const carom_model *model, bool ghosts, carom_state *state, workspace *s, double **closed) {
    carom_level *now = &s->now;
    s->length = carom_state_add_array(state, "slab length", 1);
    now->x = ghosts ? (carom_vectors)carom_state_add_nodal(state, "inner positions", 3) : state->x;
    now->w = (carom_vectors)carom_state_add_nodal(state, "slab velocities", 3);
    now->force = (carom_vectors)carom_state_add_nodal(state, "forces", 3);
    *closed = carom_state_add_array(state, "closed ghosts", ghosts ? model->candidates.count : 0);
    bool done = s->length && now->x && now->w && now->force && *closed;
    if (!model->R)
        return done;
    now->R = state->R;
    now->spin = (carom_vectors)carom_state_add_nodal(state, "slab spins", 3);
    now->P = (double(*)[6])carom_state_add_nodal(state, "slab momenta", 6);
    now->moment = (carom_vectors)carom_state_add_nodal(state, "moments", 3);
    return done && now->spin && now->P && now->moment;
}

// Changes the velocities of the state from those of the first slab to those at the level before it.
static void start_from_slab(const carom_model *model, double h, const carom_level *now, carom_state *state) {
    for (int k = 0; k < model->node_count; k++) {
        if (!carom_model_has_frame(model, k)) {
            carom_add_scaled(-0.5 * h / model->mass[k], now->force[k], state->v[k]);
            carom_restraints_impose(&model->restraints, k, state->v[k]);
            continue;
        }
        double body[3], mu[6];
        carom_mat3_apply_transposed((carom_const_vectors)now->R[k], state->v[k], body);
        carom_frame_momentum(model->inertia[k], model->mass[k], h, state->spin[k], body, mu);
        for (int i = 0; i < 3; i++) {
            state->spin[k][i] = (mu[i] - 0.5 * h * now->moment[k][i]) / model->inertia[k][i];
            body[i] = (mu[3 + i] - 0.5 * h * now->force[k][i]) / model->mass[k];
        }
        carom_mat3_apply((carom_const_vectors)now->R[k], body, state->v[k]);
    }
}

// Sets the velocities and momenta of a slab of length 0 at the start to those of the state.
static void start(const carom_model *model, const carom_state *state, carom_level *now) {
    for (int k = 0; k < model->node_count; k++) {
        carom_copy(state->v[k], now->w[k]);
        if (!carom_model_has_frame(model, k))
            continue;
        const carom_restraint *r = carom_restraint_of(&model->restraints, k);
        carom_mat3_apply_transposed((carom_const_vectors)now->R[k], state->v[k], now->w[k]);
        for (int i = 0; i < 3; i++) {
            now->spin[k][i] = r && r->clamped ? 0 : state->spin[k][i];
            now->P[k][i] = model->inertia[k][i] * now->spin[k][i];
            now->P[k][3 + i] = model->mass[k] * now->w[k][i];
        }
    }
}

// An impact between slabs of different lengths changes the energy of the motion irregularly, and the more the longer the step.
// The next impacts can correct only small errors. The printed rule corrects nothing, and its step is not checked.
static carom_status judge_step(const carom_stepper *stepper, const carom_ghosts *ghosts, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_multisymplectic_params *p = stepper->params;
    if (ghosts && stepper->step > ghosts->stable_step)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "time.step: contact-integrator 2 stiffens the tips of bars: it is stable up to %g, not %g",
                          ghosts->stable_step, stepper->step);
    if (p->contact_rule == CAROM_RULE_PRINTED || model->candidates.count == 0 || !model->R)
        return CAROM_OK;
    double limit = largest_part_of_beams * carom_model_stable_step(model);
    if (stepper->step <= limit * (1 + 1e-9))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "time.step: impacts of beams do not keep the energy at steps above %g, and this one is %g (contact_rule: "
                      "printed accepts it)",
                      limit, stepper->step);
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_multisymplectic_params *p = stepper->params;
    bool ghosts = p->contact_integrator == 2 && model->candidates.count > 0;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (s && is_kinked(model, p)) {
        s->kinked = true;
        return carom_kinked_slab_open(&s->nodes, stepper, state, p->start == CAROM_START_SLAB, error);
    }
    double *closed;
    if (!s || !register_arrays(model, ghosts, state, s, &closed))
        return carom_no_memory(error, "the integrator");
    carom_state_limit(state, s->length, length_limits, stepper);
    carom_status status = ghosts ? carom_ghosts_create(model, &s->ghosts, error) : CAROM_OK;
    if (!status)
        status = judge_step(stepper, ghosts ? &s->ghosts : NULL, error);
    if (!status)
        status = carom_slabs_create(model, ghosts ? &s->ghosts : NULL, closed, &s->slabs, error);
    s->slabs.observer = &stepper->observer;
    s->slabs.switches = ghosts && is_regular(model, p);
    if (!status)
        status = s->slabs.switches ? carom_switching_create(&s->slabs, state, &s->switching, error)
                                   : carom_contact_time_create(&s->slabs, &s->contact_time, error);
    if (!status && uses_target(model, p)) {
        status = carom_energy_target_create(&s->slabs, state, &s->energy_target, error);
        s->contact_time.target = &s->energy_target;
    }
    if (status)
        return status;
    bool enough = true;
    s->before = carom_level_reserve(&s->slabs, &enough);
    if (!enough)
        return carom_no_memory(error, "the integrator");

    if (ghosts) {
        memcpy(s->now.x, state->x, (size_t)model->node_count * sizeof *state->x);
        carom_ghosts_shrink(&s->ghosts, s->now.x);
    }
    carom_slabs_force(&s->slabs, &s->now);
    if (p->start == CAROM_START_SLAB)
        start_from_slab(model, stepper->step, &s->now, state);
    start(model, state, &s->now);
    if (s->slabs.switches)
        carom_switching_start(&s->switching, &s->now, stepper->step);
    if (s->contact_time.target)
        carom_energy_target_start(&s->energy_target, &s->now, stepper->step);
    carom_stepper_restart_ledger(stepper, state);
    return CAROM_OK;
}

// True if a body has faces, or lines and points that meet those of others.
static bool takes_part(const carom_model *model, int b) {
    const int *begin = model->surface.node_faces_begin;
    const carom_body *body = &model->bodies[b];
    return begin[body->node_begin + body->node_count] > begin[body->node_begin];
}

// Two bodies that may touch with a surface, or one that may touch itself; false if there are none.
static bool find_surface(const carom_model *model, int bodies[2]) {
    const carom_surface *surface = &model->surface;
    bool found = false;
    for (int a = 0; a < model->body_count && surface->face_count; a++)
        for (int b = 0; b < model->body_count && takes_part(model, a) && !surface->thin[a]; b++) {
            if (!takes_part(model, b) || carom_exclusions_between(&model->exclusions, a, b) || (found && a == b))
                continue;
            bodies[0] = a;
            bodies[1] = b;
            found = true;
            // a pair of different bodies is preferred for the message
            if (a != b)
                return true;
        }
    return found;
}

// Fails with the names of two bodies that may touch with a surface, and a remedy.
static carom_status accept_surfaces(const carom_model *model, carom_error *error) {
    int bodies[2] = {0};
    if (!find_surface(model, bodies))
        return CAROM_OK;
    const char *first = model->bodies[bodies[0]].name, *second = model->bodies[bodies[1]].name;
    const carom_element *element = model->blocks[model->bodies[bodies[1]].block_begin].element;
    carom_advice advice = {.method = &carom_integrator_multisymplectic, .model = model, .remedy = "set contact.self: false"};
    if (bodies[0] == bodies[1])
        return carom_refuse_model(
            &advice, error, "multisymplectic does not support contact of surfaces, and the surface of '%s' could touch itself",
            first);
    char remedy[2 * CAROM_NAME_MAX + 128];
    snprintf(remedy, sizeof remedy, "%sdisable this contact: contact.pairs: [{bodies: [%s, %s], touch: false}]",
             element->framed ? "replace this surface by one of contact.planes, or " : "", first, second);
    advice.remedy = remedy;
    return carom_refuse_model(&advice, error,
                              "multisymplectic does not support contact of surfaces, and '%s' could touch the surface of '%s'",
                              second, first);
}

static const carom_lack lacks[] = {
    {CAROM_NEED_OBSTACLES},         {CAROM_NEED_RIGID},    {CAROM_NEED_WINDOWS}, {CAROM_NEED_SCHEDULES}, {CAROM_NEED_DAMPING},
    {CAROM_NEED_STIFFNESS_DAMPING}, {CAROM_NEED_TIES},     {CAROM_NEED_HISTORY}, {CAROM_NEED_BRANCHES},  {CAROM_NEED_SURFACES},
    {CAROM_NEED_RESTITUTION},       {CAROM_NEED_FRICTION}, {CAROM_NEED_NONE},
};

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    const carom_multisymplectic_params *p = params_;
    if (model->candidates.count > 0 && (model->contact.restitution != 1 || model->contact.friction != 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "multisymplectic contact has no losses: contact requires restitution: 1 and friction: 0");
    carom_status surfaces = accept_surfaces(model, error);
    if (surfaces)
        return surfaces;
    for (int r = 0; model->R && r < model->restraints.count; r++) {
        const carom_restraint *item = &model->restraints.items[r];
        if (model->inertia[item->node][0] > 0 && (item->count < 3 || carom_norm(item->velocity) > 0))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "a restrained node of a beam cannot move: use fix: xyz, and `clamped` if it must not rotate either");
    }
    if (p->contact_rule == CAROM_RULE_KINKED && model->candidates.count > 0 && model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "contact_rule: beams have no kinked slabs, use carried or printed");
    if (p->contact_rule == CAROM_RULE_TARGET && model->candidates.count > 0 && !model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "contact_rule: carried is for beams, use kinked or printed");
    // the energy balance of a printed impact does not include the work of prescribed motion
    bool balances = p->contact_integrator == 1 && model->candidates.count > 0 && !is_kinked(model, p);
    for (int r = 0; balances && r < model->restraints.count; r++)
        if (carom_norm(model->restraints.items[r].velocity) > 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact_rule: printed does not support prescribed motion together with contact (kinked, "
                              "contact-integrator 2 and newmark-dcr do)");
    if (p->contact_integrator != 2 || model->candidates.count == 0)
        return CAROM_OK;
    carom_ghosts ghosts;
    carom_status status = carom_ghosts_create(model, &ghosts, error);
    if (!status)
        carom_ghosts_release(&ghosts);
    return status;
}

// Impacts need steps well below the stable one: otherwise the energy balance of a jump may have no root. Half for bars and a
// twentieth for beams, measured on the scenes of the gallery (docs/theory/multisymplectic.md).
static double advised_step(const carom_model *model, const void *params_) {
    const carom_multisymplectic_params *p = params_;
    double step = carom_model_stable_step(model);
    carom_ghosts ghosts;
    if (model->candidates.count == 0)
        return step;
    if (p->contact_integrator == 2 && carom_ghosts_create(model, &ghosts, NULL) == CAROM_OK) {
        step = fmin(step, ghosts.stable_step);
        carom_ghosts_release(&ghosts);
    }
    return step * (model->R ? largest_part_of_beams : 0.5);
}

// Settings of contact without meaning for this method: it has no contact layer, and holds no clusters.
static const char *const ignored[] = {"resolve", "layer", "return_work", "moves", "return_spin", "on_hold", NULL};

// Surfaces may overlap at levels, since the times of contact are inside slabs.
static bool overlaps(const carom_model *model, const void *params_) {
    (void)model;
    (void)params_;
    return true;
}

const carom_integrator carom_integrator_multisymplectic = {
    .kind = {.name = "multisymplectic",
             .summary =
                 "Space-time variational integrator with exact contact times for bars and beams; solids by the same steps.",
             .reference =
                 "F. Demoures, F. Gay-Balmaz, M. Desbrun, T. S. Ratiu, A. Alejandro: A multisymplectic integrator for "
                 "elastodynamic frictionless impact problems. Comput. Methods Appl. Mech. Engrg. 315 (2017) 1025-1052.",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_multisymplectic_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = false,
               .symplectic = true,
               .reversible = true,
               .order = 2},
    .remedy = ", or another contact_rule than printed",
    .conditions =
        "Kinked slabs keep the energy over any number of impacts, except for an account that is open for some steps and "
        "is reported. They are for bars, point masses, and solids against planes. Impacts of beams keep it up to an "
        "error of second order that does not grow. With the printed rule it drifts: a run stops if the error "
        "exceeds a tenth.",
    .ignored = ignored,
    .lacks = lacks,
    .accepts = accepts,
    .overlaps = overlaps,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .measure = measure,
    .release = release,
};
