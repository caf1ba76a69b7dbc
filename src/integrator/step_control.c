// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Two reasons make a drift shorter than the nominal step h0.
//
//     stability     the body has become stiffer: 0.9 of the step that its proven frequency allows
//                   (model/watch/frequency_bound.c). Small strains change the frequency by less than 2 % and are left alone, so
//                   that runs of stiff bodies keep the nominal step whatever its safety.
//     compression   h r + h^2/2 q <= 1/2, with r and q the largest rates of compression by velocities and accelerations. Then
//                   no element turns inside out in a drift without impacts: the drift makes (I + h L) F of F, and where the
//                   symmetric part of I + h L is positive definite, its determinant is at least that of this part.
//
// Laws with an energy barrier against J = 0 are followed as far as they go. Others pass J = 0 with finite energy,
// and division would never end: compression may ask them for a part of h0/2^8 at most, and the next look finds the element
// inside out.
//
// A look at all elements costs as much as their forces or more, so each batch of elements is examined at its own times
// (examination_times.c), when it was hit, and at every kick while steps are divided. Where an examined element asks for a
// shorter part, or its stiffness has grown too much (model/watch/stiffness_growth.c), all elements are examined at once, and
// the rule decides (step_division.c).
#include "integrator/step_control.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/pieces.h"
#include "device/device.h"
#include "integrator/stepper.h"
#include "material/material.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/collective.h"

static const double spare = CAROM_SPARE_STEP, small = CAROM_SMALL_STRAIN;

// Kicks between two measurements of the energy, while steps are whole.
enum { MEASURE_EVERY = 32 };

// Nodes and batches above which threads share the loops over them.
enum { SHARED_NODES = 4096, SHARED_BATCHES = 512 };

// The nodes of a list, or the first ones (NULL), after a drift of length `last`.
typedef struct moving {
    const carom_follow *follow;
    const carom_kick_drift *nodes;
    const int *list;
    double last;
} moving;

// The accelerations of nodes by the forces that were found, and the velocities at the kick that they would give. Restrained
// components do not accelerate.
static double find_motions(const void *context, int begin, int end) {
    const moving *all = context;
    const carom_follow *follow = all->follow;
    const carom_newmark_kick *kick = &all->nodes->kick;
    for (int i = begin; i < end; i++) {
        int k = all->list ? all->list[i] : i;
        const carom_restraint *restraint = carom_restraint_of(&kick->restraints, k);
        double f[3];
        carom_copy(kick->force[k], f);
        if (restraint)
            carom_restraint_project(restraint, f);
        // a node of a rigid body belongs to no element that could deform; one that is glued to it does
        if (kick->model->mass[k] == 0)
            carom_rigid_kick_acceleration(&kick->rigid, (carom_const_vectors)kick->force, k, follow->a[k]);
        for (int d = 0; d < 3; d++) {
            if (kick->model->mass[k] > 0)
                follow->a[k][d] = f[d] / kick->model->mass[k];
            follow->v[k][d] = kick->w[k][d] + 0.5 * all->last * follow->a[k][d];
        }
    }
    return 0;
}

// Of the nodes of the vicinity, from number `from` on.
static void find_motion_near(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last, int from) {
    const carom_vicinity *near = &follow->near;
    carom_state_read_rows(state, CAROM_ARRAYS_MOTION | CAROM_ARRAYS_FORCES,
                          (carom_state_rows){.nodes = near->nodes + from, .node_count = near->node_count - from});
    carom_pieces(near->node_count - from, SHARED_NODES, find_motions, &(moving){follow, nodes, near->nodes + from, last});
}

static void find_motion(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last) {
    carom_state_read(state, CAROM_ARRAYS_MOTION | CAROM_ARRAYS_FORCES);
    carom_pieces(nodes->kick.model->node_count, SHARED_NODES, find_motions, &(moving){follow, nodes, NULL, last});
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

enum { KINETIC, SWING, ENERGIES };

// Nodes that are pressed onto an obstacle do not accelerate, although forces act on them: only accelerations along the motion
// count.
static void add_energies(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_follow *follow = ((const moving *)context)->follow;
    const carom_kick_drift *nodes = ((const moving *)context)->nodes;
    const double *mass = nodes->kick.model->mass;
    for (int k = begin; k < end; k++) {
        const double *w = nodes->kick.w[k], along = carom_dot(follow->a[k], w), square = carom_dot(w, w);
        terms[KINETIC][k - begin] = 0.5 * mass[k] * carom_dot(follow->v[k], follow->v[k]);
        terms[SWING][k - begin] = square > 0 ? mass[k] * along * along / square : 0;
    }
}

// Exact sums have no order: the same bits for any number of threads and processes.
static carom_pace_energy energy_of(const carom_follow *follow, const carom_kick_drift *nodes) {
    carom_exact sums[ENERGIES] = {0};
    carom_model_sum_nodes(nodes->kick.model, sums, ENERGIES, add_energies, &(moving){.follow = follow, .nodes = nodes});
    return (carom_pace_energy){.kinetic = carom_exact_value(&sums[KINETIC]), .swing = carom_exact_value(&sums[SWING])};
}

// The longest drift that the body allows, and the element that asks for it.
static double allowed(const carom_follow *follow, const carom_model *model, const carom_stiffening *seen, int *element) {
    // whole steps with room to spare, so that a divided one comes back
    bool unstrained = seen->stable >= small * follow->reference && !follow->long_step;
    double whole = follow->pace.whole, want = unstrained ? HUGE_VAL : spare * seen->stable;
    double squeeze = isnan(seen->squeeze) ? 0 : seen->squeeze;
    if (seen->squeezed >= 0 && !carom_model_block_of(model, seen->squeezed)->material->barrier)
        squeeze = fmax(squeeze, ldexp(whole, -CAROM_OPEN_LEVEL));
    *element = squeeze < want ? seen->squeezed : seen->stiffest;
    return fmin(want, squeeze);
}

// Examines the elements of the vicinity, and then all elements of nodes where one of them has become too stiff. False if an
// element asks for a shorter drift or is inside out, in any process.
static bool examine(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last) {
    const carom_model *model = nodes->kick.model;
    carom_kinematics motion = motion_of(follow, nodes, state);
    carom_vicinity *near = &follow->near;
    bool calm = true;
    int batches = 0, seen_nodes = 0;
    // accelerations of ghosts
    carom_model_halo(model, nodes->kick.force);
    // the second round examines what the first has added
    for (int round = 0; round < 2; round++) {
        find_motion_near(follow, nodes, state, last, seen_nodes);
        carom_state_read_rows(
            state, CAROM_ARRAYS_HISTORY,
            (carom_state_rows){.batches = near->batches + batches, .batch_count = near->batch_count - batches});
        carom_stiffening seen = carom_model_stiffening_near(model, near, batches, &motion, nodes->kick.slots, follow->measures);
        int element;
        seen.squeezed = carom_model_global_element(model, seen.squeezed);
        // written such that what is not a number is alarming
        calm = calm && (seen.smallest < 0 || seen.volume > 0) &&
               allowed(follow, model, &seen, &element) >= carom_pace_step(&follow->pace);
        batches = near->batch_count;
        seen_nodes = near->node_count;
        if (round == 0)
            carom_growth_find(&follow->growth, near, nodes->kick.slots);
    }
    calm = carom_growth_is_allowed(&follow->growth, nodes->kick.slots) && calm;
    return !carom_model_any(model, !calm);
}

// Notes a look at a batch.
static void note(carom_follow *follow, const carom_kick_drift *nodes, carom_batch batch) {
    const carom_model *model = nodes->kick.model;
    if (carom_block_stiffens(&model->blocks[batch.block]) && carom_vicinity_is_home(&follow->near, model, batch))
        carom_examination_times_note(&follow->times, batch, carom_stiffening_rate(model, batch, follow->measures),
                                     (carom_const_vectors)nodes->kick.w);
    else
        carom_examination_times_dismiss(&follow->times, batch);
}

static void note_all(carom_follow *follow, const carom_kick_drift *nodes) {
    const carom_model *model = nodes->kick.model;
    carom_examination_times_renew(&follow->times);
    for (int b = 0; b < model->block_count; b++) {
        int count = model->blocks[b].count;
#pragma omp parallel for schedule(static) if (count > CAROM_LANES * SHARED_BATCHES)
        for (int e = 0; e < count; e += CAROM_LANES)
            note(follow, nodes, (carom_batch){b, e, e + CAROM_LANES < count ? e + CAROM_LANES : count});
    }
}

static void note_near(carom_follow *follow, const carom_kick_drift *nodes) {
    const carom_vicinity *near = &follow->near;
#pragma omp parallel for schedule(static) if (near->batch_count > SHARED_BATCHES)
    for (int i = 0; i < near->batch_count; i++)
        note(follow, nodes, near->batches[i]);
    carom_examination_times_note_changes(&follow->times, near->nodes, near->node_count);
}

// Asks a device which of its nodes were pushed, for the kick that is counted.
static void ask_pushed(carom_follow *follow, const carom_kick_drift *nodes) {
    carom_examination_times *times = &follow->times;
    carom_device_ask_pushed(nodes->resident.device, (carom_device_until){times->until, times->changes, times->change_count},
                            *times->kicks, carom_examination_times_most(times));
    times->change_count = 0;
}

void carom_follow_ask(carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state) {
    carom_examination_times *times = &follow->times;
    follow->asked = 0;
    if (!follow->active || !carom_state_moved_by(state) || carom_pace_level(&follow->pace) > 0 || !(*times->kicks > 0))
        return;
    carom_examination_times_derive(times);
    // the kick to come
    ++*times->kicks;
    ask_pushed(follow, nodes);
    follow->asked = *times->kicks;
    --*times->kicks;
}

// Counts a kick, and adds the elements that are due to the vicinity. A device tells which of its nodes were pushed.
static void count_kick(carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state) {
    carom_examination_times *times = &follow->times;
    carom_const_vectors w = (carom_const_vectors)nodes->kick.w;
    struct carom_device *device = nodes->resident.device;
    carom_check_remote elsewhere;
    carom_examination_times_start(times);
    bool away = carom_state_moved_by(state);
    elsewhere.here_count = carom_newmark_kick_nodes(&nodes->kick, state, &elsewhere.here);
    if (away && follow->asked != *times->kicks) {
        ask_pushed(follow, nodes);
        carom_device_wait(device);
    }
    follow->asked = 0;
    if (away)
        elsewhere.count = carom_device_take_pushed(device, &elsewhere.pushed, &elsewhere.squares);
    carom_examination_times_count(times, w, away ? &elsewhere : NULL, &follow->near);
}

// A kick of a whole step: true if all elements have to be examined, because some of those that are due or were hit are not
// calm, or because they are most of them.
static bool is_alarmed(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last) {
    const carom_model *model = nodes->kick.model;
    const carom_impacts *impacts = &nodes->contact_step.impacts;
    carom_vicinity *near = &follow->near;
    bool struck = impacts->hits.count > 0;
    // projection moves nodes and keeps no list of them
    if (struck && (model->contact.resolve == CAROM_RESOLVE_PROJECTION || impacts->flight_count == 0))
        return true;
    count_kick(follow, nodes, state);
    for (int i = 0; struck && i < impacts->flight_count; i++) {
        int node = carom_contact_space_here(&nodes->space, impacts->flights[i].node);
        if (node >= 0)
            carom_vicinity_add(near, model, node, true);
    }
    int64_t due = carom_model_total(model, near->batch_count);
    bool calm = 2 * due < follow->batches || due == 0;
    calm = calm && (due == 0 || examine(follow, nodes, state, last));
    if (calm)
        note_near(follow, nodes);
    carom_vicinity_clear(near);
    if (calm && fmod(*follow->times.kicks, MEASURE_EVERY) == 0) {
        find_motion(follow, nodes, state, last);
        carom_pace_note_motion(&follow->pace, energy_of(follow, nodes).kinetic);
    }
    return !calm;
}

carom_status carom_follow_create(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    const carom_model *model = nodes->kick.model;
    int n = model->node_count;
    *follow = (carom_follow){.active = true, .pace = carom_pace_create(state, nodes->stepper->step)};
    follow->long_step = nodes->stepper->step > carom_model_stable_step(model) * (1 + 1e-9);
    follow->record = state->method.division = carom_state_add_dormant(state, CAROM_RECORD_NAME, CAROM_RECORD_NUMBERS);
    follow->arena = carom_arena_create();
    bool enough = follow->arena && follow->pace.memory && follow->pace.seen && follow->record;
    follow->v = carom_arena_reserve(follow->arena, n, sizeof *follow->v, &enough);
    follow->a = carom_arena_reserve(follow->arena, n, sizeof *follow->a, &enough);
    follow->near = carom_vicinity_create(follow->arena, model, &enough);
    follow->times = carom_examination_times_create(model, state, nodes->stepper->step, &follow->near, follow->arena, &enough);
    follow->growth = carom_growth_create(follow->arena, model, &enough);
    follow->measures = carom_arena_reserve(follow->arena, carom_stiffening_buffer(model), sizeof *follow->measures, &enough);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the integrator");
    status = carom_model_agree(model, status, error);
    if (status)
        return status;
    for (int i = 0; i < follow->near.first[model->block_count]; i++)
        follow->batches += !model->part.home || model->part.home[i];
    follow->batches = carom_model_total(model, follow->batches);
    follow->reference = look(follow, nodes, state).stable;
    // the shortest stable step for which a drift stays whole
    double needed = nodes->stepper->step / spare;
    carom_growth_start(&follow->growth, nodes->kick.slots,
                       follow->long_step ? needed : fmin(needed, small * follow->reference));
    return CAROM_OK;
}

carom_status carom_follow_start(carom_follow *follow, carom_kick_drift *nodes, carom_state *state, double *h,
                                carom_error *error) {
    if (!follow->active)
        return CAROM_OK;
    carom_newmark_kick_find_forces(&nodes->kick, state, state->time, CAROM_USE_READ);
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

void carom_record_note(double *record, int level, int element, double time) {
    if (level <= (int)record[CAROM_RECORD_LEVEL])
        return;
    record[CAROM_RECORD_LEVEL] = level;
    record[CAROM_RECORD_ELEMENT] = 1 + element;
    record[CAROM_RECORD_TIME] = time;
}

carom_status carom_record_inverted(carom_state *state, int element, double time, bool stops, carom_error *error) {
    char name[2 * CAROM_NAME_MAX];
    state->books.events[CAROM_EVENT_INVERTED]++;
    if (!stops)
        return CAROM_OK;
    carom_model_name_element(state->model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL, "%s is inside out at time %g (step %lld)", name, time,
                      (long long)state->step + 1);
}

carom_status carom_follow_next(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last,
                               int64_t place, double *next, carom_error *error) {
    *next = last;
    if (!follow->active)
        return CAROM_OK;
    carom_pace *pace = &follow->pace;
    bool whole = carom_pace_level(pace) == 0;
    if (whole && *follow->times.kicks > 0 && !is_alarmed(follow, nodes, state, last))
        return CAROM_OK;
    carom_model_halo(nodes->kick.model, nodes->kick.force);
    find_motion(follow, nodes, state, last);
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    carom_stiffening seen = look(follow, nodes, state);
    bool inverted = seen.smallest >= 0 && !(seen.volume > 0);
    if (inverted && carom_record_inverted(state, seen.smallest, state->time, nodes->stepper->stops, error))
        return CAROM_NUMERICAL;
    int element;
    double want = allowed(follow, nodes->kick.model, &seen, &element);
    if (!carom_pace_choose(pace, want, place, energy_of(follow, nodes)))
        return give_up(follow, nodes->kick.model, state, element, error);
    if (carom_pace_level(pace) == 0)
        note_all(follow, nodes);
    carom_record_note(follow->record, carom_pace_level(pace), element, state->time);
    *next = carom_pace_step(pace);
    return CAROM_OK;
}
