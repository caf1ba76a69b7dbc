// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Two reasons make a drift shorter than the nominal step h0.
//
//     stability     the body has become stiffer: 0.9 of the step that its proven frequency allows (model/stiffening.c). Small
//                   strains change the frequency by less than 2 % and are left alone, so that runs of stiff bodies keep the
//                   nominal step whatever its safety.
//     compression   h r + h^2/2 q <= 1/2, with r and q the largest rates of compression by velocities and accelerations. Then
//                   no element turns inside out in a drift without impacts: the drift makes (I + h L) F of F, and where the
//                   symmetric part of I + h L is positive definite, its determinant is at least that of this part.
//
// Laws with an energy barrier against J = 0 (neo-Hookean) are followed as far as they go. Others pass J = 0 with finite energy,
// and division would never end: compression may ask them for a part of h0/2^8 at most, and the next look finds the element
// inside out.
//
// A look at all elements costs several times their forces, so it waits until some element may have been strained by a tenth
// since the last one, at the rates seen then. Impacts change these rates, but only at the nodes that were hit, and frequencies
// depend on positions: a glance at the elements of those nodes tells whether the wait may go on. In resting contact, with
// impacts in every drift, this costs as much as the surface that is touched, not as the body.
#include "integrator/follow.h"

#include <math.h>
#include <string.h>

#include "integrator/stepper.h"
#include "material/material.h"
#include "math/vec3.h"

// Of the step that the bound allows: the stiffness grows further during the drift.
static const double spare = 0.9;

// Strains that lower the stable step by less than this are small.
static const double small = 0.98;

// Of the smallest distance of nodes: a kick that moves no node farther in a step deforms nothing within the wait for a look.
static const double creep = 1e-6;

// The finest level that compression may ask for where the law has no barrier.
enum { OPEN_LEVEL = 8 };

// Nodes above which threads share the loops over them, and the parts of a sum over them.
enum { SHARED_NODES = 4096, PARTS = 64 };

// The acceleration of node k by the forces that were found, and the velocity at the kick that it would give. Restrained
// components do not accelerate.
static void find_motion_of(carom_follow *follow, const carom_kick_drift *nodes, double last, int k) {
    const carom_newmark_kick *kick = &nodes->kick;
    const carom_restraint *restraint = carom_restraint_of(&kick->restraints, k);
    double f[3];
    carom_copy(kick->force[k], f);
    if (restraint)
        carom_restraint_project(restraint, f);
    for (int i = 0; i < 3; i++) {
        follow->a[k][i] = f[i] / kick->model->mass[k];
        follow->v[k][i] = kick->w[k][i] + 0.5 * last * follow->a[k][i];
    }
}

static void find_motion(carom_follow *follow, const carom_kick_drift *nodes, double last) {
    int n = nodes->kick.model->node_count;
#pragma omp parallel for schedule(static) if (n > SHARED_NODES)
    for (int k = 0; k < n; k++)
        find_motion_of(follow, nodes, last, k);
}

static carom_kinematics motion_of(const carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state) {
    return (carom_kinematics){(carom_const_vectors)nodes->kick.model->X, (carom_const_vectors)state->x,
                              (carom_const_vectors)follow->v, (carom_const_vectors)follow->a};
}

static carom_stiffening look(carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state) {
    carom_kinematics motion = motion_of(follow, nodes, state);
    // forces have been gathered: their slots are free
    return carom_model_stiffening(nodes->kick.model, &motion, nodes->kick.slots, follow->measures);
}

// Nodes that are pressed onto an obstacle do not accelerate, although forces act on them: only accelerations along the motion
// count.
static carom_pace_energy energy_in(const carom_follow *follow, const carom_kick_drift *nodes, int begin, int end) {
    const carom_model *model = nodes->kick.model;
    carom_pace_energy energy = {0};
    for (int k = begin; k < end; k++) {
        const double *w = nodes->kick.w[k], along = carom_dot(follow->a[k], w), square = carom_dot(w, w);
        energy.kinetic += 0.5 * model->mass[k] * carom_dot(follow->v[k], follow->v[k]);
        if (square > 0)
            energy.swing += model->mass[k] * along * along / square;
    }
    return energy;
}

// The sum of parts of equal length, each by one thread: same bits for any number of threads. Few nodes are one part.
static carom_pace_energy energy_of(const carom_follow *follow, const carom_kick_drift *nodes) {
    int n = nodes->kick.model->node_count;
    if (n <= SHARED_NODES)
        return energy_in(follow, nodes, 0, n);
    carom_pace_energy parts[PARTS], energy = {0};
#pragma omp parallel for schedule(static)
    for (int p = 0; p < PARTS; p++)
        parts[p] = energy_in(follow, nodes, (int)((int64_t)n * p / PARTS), (int)((int64_t)n * (p + 1) / PARTS));
    for (int p = 0; p < PARTS; p++) {
        energy.kinetic += parts[p].kinetic;
        energy.swing += parts[p].swing;
    }
    return energy;
}

// The longest drift that the body allows, and the element that asks for it.
static double allowed(const carom_follow *follow, const carom_model *model, const carom_stiffening *seen, int *element) {
    // whole steps with room to spare, so that a divided one comes back
    bool unstrained = seen->stable >= small * follow->reference && !follow->long_step;
    double whole = follow->pace.whole, want = unstrained ? HUGE_VAL : spare * seen->stable;
    double squeeze = isnan(seen->squeeze) ? 0 : seen->squeeze;
    if (seen->squeezed >= 0 && carom_model_block_of(model, seen->squeezed)->material != &carom_material_neo_hookean)
        squeeze = fmax(squeeze, ldexp(whole, -OPEN_LEVEL));
    *element = squeeze < want ? seen->squeezed : seen->stiffest;
    return fmin(want, squeeze);
}

// After a drift with impacts: true if an element whose nodes were hit asks for a shorter drift, or has become so fast that all
// elements have to be looked at.
static bool is_alarmed(carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state, double last) {
    const carom_model *model = nodes->kick.model;
    const carom_impacts *impacts = &nodes->contact_step.impacts;
    // projection moves nodes and keeps no list of them
    if (model->contact.resolve == CAROM_RESOLVE_PROJECTION || impacts->flight_count == 0)
        return true;
    carom_vicinity *hit = &follow->hit;
    for (int i = 0; i < impacts->flight_count; i++)
        carom_vicinity_add(hit, model, impacts->flights[i].node);
    for (int i = 0; i < hit->node_count; i++)
        find_motion_of(follow, nodes, last, hit->nodes[i]);
    carom_kinematics motion = motion_of(follow, nodes, state);
    carom_stiffening seen = carom_model_stiffening_near(model, hit, &motion, nodes->kick.slots, follow->measures);
    carom_vicinity_clear(hit);
    int element;
    // written such that what is not a number is alarming
    bool calm = seen.volume > 0 && allowed(follow, model, &seen, &element) >= carom_pace_step(&follow->pace);
    return carom_pace_note_glance(&follow->pace, seen.rate) || !calm;
}

carom_status carom_follow_create(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    const carom_model *model = nodes->kick.model;
    int n = model->node_count;
    *follow = (carom_follow){.active = true, .pace = carom_pace_create(state, nodes->stepper->step)};
    follow->long_step = nodes->stepper->step > carom_model_stable_step(model) * (1 + 1e-9);
    follow->record = carom_state_add_dormant(state, CAROM_RECORD_NAME, CAROM_RECORD_NUMBERS);
    follow->arena = carom_arena_create();
    bool enough = follow->arena && follow->pace.memory && follow->pace.looks && follow->record;
    follow->v = carom_arena_reserve(follow->arena, n, sizeof *follow->v, &enough);
    follow->a = carom_arena_reserve(follow->arena, n, sizeof *follow->a, &enough);
    follow->hit = carom_vicinity_create(follow->arena, model, &enough);
    follow->measures = carom_arena_reserve(follow->arena, carom_stiffening_room(model), sizeof *follow->measures, &enough);
    if (!enough)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    follow->reference = look(follow, nodes, state).stable;
    return CAROM_OK;
}

carom_status carom_follow_start(carom_follow *follow, carom_kick_drift *nodes, carom_state *state, double *h,
                                carom_error *error) {
    if (!follow->active)
        return CAROM_OK;
    carom_newmark_kick_find_forces(&nodes->kick, state, state->time);
    carom_status status = carom_follow_next(follow, nodes, state, 0, 0, h, error);
    *h = carom_follow_step(follow, nodes);
    return status;
}

double carom_follow_step(const carom_follow *follow, carom_kick_drift *nodes) {
    if (follow->active) {
        nodes->kick.step = nodes->search.step = carom_pace_step(&follow->pace);
        nodes->divided = follow->record[CAROM_RECORD_LEVEL] > 0;
    }
    return nodes->kick.step;
}

int64_t carom_follow_advance(const carom_follow *follow, const carom_stepper *stepper, carom_state *state, int64_t place) {
    const int64_t whole = (int64_t)1 << CAROM_PACE_FINEST;
    int64_t units = follow->active ? whole >> carom_pace_level(&follow->pace) : whole;
    if (units < whole)
        follow->record[CAROM_RECORD_PARTS]++;
    if (place + units == whole)
        carom_stepper_advance_time(stepper, state);
    else
        state->time = ((double)state->step + (double)(place + units) / (double)whole) * stepper->step;
    return units;
}

void carom_follow_release(carom_follow *follow) {
    carom_arena_release(follow->arena);
    *follow = (carom_follow){0};
}

// No division is fine enough.
static carom_status give_up(const carom_follow *follow, const carom_model *model, const carom_state *state, int element,
                            carom_error *error) {
    char name[2 * CAROM_NAME_MAX];
    bool nodal = strcmp(carom_model_block_of(model, element)->element->kind.name, "nodal") == 0;
    double volume = carom_stiffening_volume(model, element, follow->measures);
    carom_model_name_element(model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "%s is %s to %.2g of its volume at time %g (step %lld): coarser or rounder elements there%s or "
                      "damping may help",
                      name, volume > 1 ? "stretched" : "crushed", volume, state->time, (long long)state->step + 1,
                      nodal ? "" : ", the element `nodal`,");
}

// An element that is inside out is counted, and ends the run if events do.
static carom_status judge_volume(const carom_kick_drift *nodes, carom_state *state, const carom_stiffening *seen,
                                 carom_error *error) {
    if (seen->volume > 0 || seen->smallest < 0)
        return CAROM_OK;
    state->books.events[CAROM_EVENT_INVERTED]++;
    if (!nodes->stepper->stops)
        return CAROM_OK;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(nodes->kick.model, seen->smallest, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL, "%s is inside out at time %g (step %lld)", name, state->time,
                      (long long)state->step + 1);
}

// The speed of the last kick, by which looks are due. Kicks by rounding, in free flight, are none.
static double speed_of(const carom_kick_drift *nodes, double last) {
    double speed = *nodes->kick.speed;
    return speed * last < creep * nodes->kick.model->contact_length ? 0 : speed;
}

carom_status carom_follow_next(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last,
                               int64_t place, double *next, carom_error *error) {
    *next = last;
    if (!follow->active)
        return CAROM_OK;
    carom_pace *pace = &follow->pace;
    double speed = speed_of(nodes, last);
    bool due = carom_pace_is_due(pace, speed);
    if (!due && nodes->contact_step.impacts.hits.count > 0)
        due = is_alarmed(follow, nodes, state, last);
    if (!due)
        return CAROM_OK;
    find_motion(follow, nodes, last);
    carom_stiffening seen = look(follow, nodes, state);
    carom_status status = judge_volume(nodes, state, &seen, error);
    if (status)
        return status;
    int element;
    double want = allowed(follow, nodes->kick.model, &seen, &element);
    if (!carom_pace_choose(pace, want, place, energy_of(follow, nodes)))
        return give_up(follow, nodes->kick.model, state, element, error);
    // the step of compression knows accelerations as well: in a part of it no more than that part of its limit happens
    carom_pace_note_look(pace, fmax(seen.rate, CAROM_SQUEEZE_MAX / seen.squeeze), speed);
    if (carom_pace_level(pace) > (int)follow->record[CAROM_RECORD_LEVEL]) {
        follow->record[CAROM_RECORD_LEVEL] = carom_pace_level(pace);
        follow->record[CAROM_RECORD_ELEMENT] = 1 + element;
        follow->record[CAROM_RECORD_TIME] = state->time;
    }
    *next = carom_pace_step(pace);
    return CAROM_OK;
}
