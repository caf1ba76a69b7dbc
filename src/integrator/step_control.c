// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Two reasons make a drift shorter than the nominal step h0.
//
//     stability     the body has become stiffer: h is at most 0.9 of the step that its proven frequency allows
//                   (model/watch/frequency_bound.c). Small strains, which change the frequency by less than 2 %, are ignored,
//                   so that runs of stiff bodies keep the nominal step whatever its safety.
//     compression   h r + h^2/2 q <= 1/2, with r and q the largest rates of compression by velocities and accelerations. Then
//                   no element inverts in a drift without impacts: the drift makes (I + h L) F of F, and if the
//                   symmetric part of I + h L is positive definite, its determinant is at least that of this part.
//
// Laws with an energy barrier against J = 0 may divide the step down to the finest level. Others pass J = 0 with finite energy,
// and division would never end: for these compression may require substeps of h0/2^8 at most, and the next examination finds
// the element inverted.
//
// Examining all elements costs as much as their forces or more, so each batch of elements is examined at its own times
// (examination_times.c), when it was hit, and at every kick while steps are divided. If an examined element requires a shorter
// drift, or its stiffness has grown too much (model/watch/stiffness_growth.c), all elements are examined at once, and
// step_division.c chooses the step.
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
#include "model/limits.h"

static const double step_safety = CAROM_STEP_SAFETY, strain_threshold = CAROM_UNSTRAINED_STEP_RATIO;

// Kicks between two measurements of the energy, while steps are whole.
enum { MEASURE_EVERY = 32 };

// Nodes and batches above which threads share the loops over them.
enum { SHARED_NODES = 4096, SHARED_BATCHES = 512 };

// Context of find_motions: the nodes of a list, or the first ones (NULL), after a drift of length `last`.
typedef struct motion_context {
    const carom_step_control *control;
    const carom_kick_drift *nodes;
    const int *list;
    double last;
} motion_context;

// The accelerations of nodes by the forces of the kick, and the velocities in its middle. Restrained components do not
// accelerate.
static double find_motions(const void *context, int begin, int end) {
    const motion_context *all = context;
    const carom_step_control *control = all->control;
    const carom_newmark_kick *kick = &all->nodes->kick;
    for (int i = begin; i < end; i++) {
        int k = all->list ? all->list[i] : i;
        double f[3];
        carom_copy(kick->force[k], f);
        carom_restraints_project(&kick->restraints, k, f);
        // nodes of rigid bodies belong to no deformable element, but nodes tied to them do
        if (kick->model->mass[k] == 0)
            carom_rigid_kick_acceleration(&kick->rigid, (carom_const_vectors)kick->force, k, control->a[k]);
        for (int d = 0; d < 3; d++) {
            if (kick->model->mass[k] > 0)
                control->a[k][d] = f[d] / kick->model->mass[k];
            control->v[k][d] = kick->w[k][d] + 0.5 * all->last * control->a[k][d];
        }
    }
    return 0;
}

// The same for the nodes of the vicinity, from number `from` on.
static void find_motion_near(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state, double last,
                             int from) {
    const carom_vicinity *near = &control->near;
    carom_state_read_rows(state, CAROM_ARRAYS_MOTION | CAROM_ARRAYS_FORCES,
                          (carom_state_rows){.nodes = near->nodes + from, .node_count = near->node_count - from});
    carom_pieces(near->node_count - from, SHARED_NODES, find_motions,
                 &(motion_context){control, nodes, near->nodes + from, last});
}

static void find_motion(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state, double last) {
    carom_state_read(state, CAROM_ARRAYS_MOTION | CAROM_ARRAYS_FORCES);
    carom_pieces(nodes->kick.model->node_count, SHARED_NODES, find_motions, &(motion_context){control, nodes, NULL, last});
}

static carom_kinematics motion_of(const carom_step_control *control, const carom_kick_drift *nodes, const carom_state *state) {
    return (carom_kinematics){(carom_const_vectors)nodes->kick.model->X, (carom_const_vectors)state->x,
                              (carom_const_vectors)control->v, (carom_const_vectors)control->a};
}

static carom_stiffening evaluate_all(carom_step_control *control, const carom_kick_drift *nodes, const carom_state *state) {
    carom_kinematics motion = motion_of(control, nodes, state);
    // forces have been gathered: their slots are free
    return carom_model_stiffening(nodes->kick.model, &motion, nodes->kick.slots, control->measures);
}

enum { KINETIC, SWING, ENERGIES };

// SWING is a.M a. Nodes pressed onto an obstacle do not accelerate, although forces act on them: only accelerations along the
// motion count.
static void add_energies(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_step_control *control = ((const motion_context *)context)->control;
    const carom_kick_drift *nodes = ((const motion_context *)context)->nodes;
    const double *mass = nodes->kick.model->mass;
    for (int k = begin; k < end; k++) {
        const double *w = nodes->kick.w[k], along = carom_dot(control->a[k], w), square = carom_dot(w, w);
        terms[KINETIC][k - begin] = 0.5 * mass[k] * carom_dot(control->v[k], control->v[k]);
        terms[SWING][k - begin] = square > 0 ? mass[k] * along * along / square : 0;
    }
}

// Exact sums do not depend on the order: the same bits for any number of threads and processes.
static carom_pace_energy energy_of(const carom_step_control *control, const carom_kick_drift *nodes) {
    carom_exact sums[ENERGIES] = {0};
    carom_model_sum_nodes(nodes->kick.model, sums, ENERGIES, add_energies,
                          &(motion_context){.control = control, .nodes = nodes});
    return (carom_pace_energy){.kinetic = carom_exact_value(&sums[KINETIC]), .swing = carom_exact_value(&sums[SWING])};
}

// The longest drift that the body allows, and the element that limits it.
static double allowed(const carom_step_control *control, const carom_model *model, const carom_stiffening *seen, int *element) {
    // small strains do not limit the step, so that whole steps return after a division
    bool unstrained = seen->stable >= strain_threshold * control->reference && !control->long_step;
    double whole = control->pace.whole, want = unstrained ? HUGE_VAL : step_safety * seen->stable;
    double squeeze = isnan(seen->squeeze) ? 0 : seen->squeeze;
    if (seen->squeezed >= 0 && !carom_model_block_of(model, seen->squeezed)->material->barrier)
        squeeze = fmax(squeeze, ldexp(whole, -CAROM_FINEST_LEVEL_WITHOUT_BARRIER));
    *element = squeeze < want ? seen->squeezed : seen->stiffest;
    return fmin(want, squeeze);
}

// Examines the elements of the vicinity, and then all elements of nodes at which one of them has become too stiff. False if an
// element requires a shorter drift or is inverted, in any process.
static bool examine(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state, double last) {
    const carom_model *model = nodes->kick.model;
    carom_kinematics motion = motion_of(control, nodes, state);
    carom_vicinity *near = &control->near;
    bool acceptable = true;
    int batches = 0, seen_nodes = 0;
    // accelerations of ghosts
    carom_model_halo(model, nodes->kick.force);
    // the second round examines what the first has added
    for (int round = 0; round < 2; round++) {
        find_motion_near(control, nodes, state, last, seen_nodes);
        carom_state_read_rows(
            state, CAROM_ARRAYS_HISTORY,
            (carom_state_rows){.batches = near->batches + batches, .batch_count = near->batch_count - batches});
        carom_stiffening seen =
            carom_model_stiffening_near(model, near, batches, &motion, nodes->kick.slots, control->measures);
        int element;
        seen.squeezed = carom_model_global_element(model, seen.squeezed);
        // NaN is not acceptable
        acceptable = acceptable && (seen.smallest < 0 || seen.volume > 0) &&
                     allowed(control, model, &seen, &element) >= carom_pace_step(&control->pace);
        batches = near->batch_count;
        seen_nodes = near->node_count;
        if (round == 0)
            carom_growth_find(&control->growth, near, nodes->kick.slots);
    }
    acceptable = carom_growth_is_allowed(&control->growth, nodes->kick.slots) && acceptable;
    return !carom_model_any(model, !acceptable);
}

// Notes that a batch has been examined.
static void note(carom_step_control *control, const carom_kick_drift *nodes, carom_batch batch) {
    const carom_model *model = nodes->kick.model;
    if (carom_block_stiffens(&model->blocks[batch.block]) && carom_vicinity_is_home(&control->near, model, batch))
        carom_examination_times_note(&control->times, batch, carom_stiffening_rate(model, batch, control->measures),
                                     (carom_const_vectors)nodes->kick.w);
    else
        carom_examination_times_dismiss(&control->times, batch);
}

static void note_all(carom_step_control *control, const carom_kick_drift *nodes) {
    const carom_model *model = nodes->kick.model;
    carom_examination_times_renew(&control->times);
    for (int b = 0; b < model->block_count; b++) {
        int count = model->blocks[b].count;
#pragma omp parallel for schedule(static) if (count > CAROM_LANES * SHARED_BATCHES)
        for (int e = 0; e < count; e += CAROM_LANES)
            note(control, nodes, (carom_batch){b, e, e + CAROM_LANES < count ? e + CAROM_LANES : count});
    }
}

static void note_near(carom_step_control *control, const carom_kick_drift *nodes) {
    const carom_vicinity *near = &control->near;
#pragma omp parallel for schedule(static) if (near->batch_count > SHARED_BATCHES)
    for (int i = 0; i < near->batch_count; i++)
        note(control, nodes, near->batches[i]);
    carom_examination_times_note_changes(&control->times, near->nodes, near->node_count);
}

// Queries a device for the nodes that the counted kick has changed too much.
static void query_pushed(carom_step_control *control, const carom_kick_drift *nodes) {
    carom_examination_times *times = &control->times;
    carom_device_query_pushed(nodes->resident.device, (carom_device_until){times->until, times->changes, times->change_count},
                              *times->kicks, carom_examination_times_most(times));
    times->change_count = 0;
}

void carom_step_control_query(carom_step_control *control, const carom_kick_drift *nodes, const carom_state *state) {
    carom_examination_times *times = &control->times;
    control->queried_kick = 0;
    if (!control->active || !carom_state_moved_by(state) || carom_pace_level(&control->pace) > 0 || !(*times->kicks > 0))
        return;
    carom_examination_times_derive(times);
    // the query is for the next kick
    ++*times->kicks;
    query_pushed(control, nodes);
    control->queried_kick = *times->kicks;
    --*times->kicks;
}

// Counts a kick, and adds the elements that are due to the vicinity.
static void count_kick(carom_step_control *control, const carom_kick_drift *nodes, const carom_state *state) {
    carom_examination_times *times = &control->times;
    carom_const_vectors w = (carom_const_vectors)nodes->kick.w;
    struct carom_device *device = nodes->resident.device;
    carom_check_remote remote;
    carom_examination_times_start(times);
    bool on_device = carom_state_moved_by(state);
    remote.here_count = carom_newmark_kick_nodes(&nodes->kick, state, &remote.here);
    if (on_device && control->queried_kick != *times->kicks) {
        query_pushed(control, nodes);
        carom_device_wait(device);
    }
    control->queried_kick = 0;
    if (on_device)
        remote.count = carom_device_take_pushed(device, &remote.pushed, &remote.squares);
    carom_examination_times_count(times, w, on_device ? &remote : NULL, &control->near);
}

// At a kick of a whole step: true if all elements must be examined, because some of those that are due or were hit are not
// acceptable, or because these are the majority.
static bool must_examine_all(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state, double last) {
    const carom_model *model = nodes->kick.model;
    const carom_impacts *impacts = &nodes->contact_step.impacts;
    carom_vicinity *near = &control->near;
    bool struck = impacts->hits.count > 0;
    // projection keeps no list of the nodes that it moves
    if (struck && (model->contact.resolve == CAROM_RESOLVE_PROJECTION || impacts->flight_count == 0))
        return true;
    count_kick(control, nodes, state);
    for (int i = 0; struck && i < impacts->flight_count; i++) {
        int node = carom_contact_space_here(&nodes->space, impacts->flights[i].node);
        if (node >= 0)
            carom_vicinity_add(near, model, node, true);
    }
    int64_t due = carom_model_total(model, near->batch_count);
    bool acceptable = 2 * due < control->batches || due == 0;
    acceptable = acceptable && (due == 0 || examine(control, nodes, state, last));
    if (acceptable)
        note_near(control, nodes);
    carom_vicinity_clear(near);
    if (acceptable && fmod(*control->times.kicks, MEASURE_EVERY) == 0) {
        find_motion(control, nodes, state, last);
        carom_pace_note_motion(&control->pace, energy_of(control, nodes).kinetic);
    }
    return !acceptable;
}

carom_status carom_step_control_create(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                       carom_error *error) {
    const carom_model *model = nodes->kick.model;
    int n = model->node_count;
    *control = (carom_step_control){.active = true, .pace = carom_pace_create(state, nodes->stepper->step)};
    control->long_step = nodes->stepper->step > carom_model_stable_step(model) * (1 + 1e-9);
    control->record = carom_record_register(state);
    control->arena = carom_arena_create();
    bool enough = control->arena && control->pace.memory && control->pace.seen && control->record;
    control->v = carom_arena_reserve(control->arena, n, sizeof *control->v, &enough);
    control->a = carom_arena_reserve(control->arena, n, sizeof *control->a, &enough);
    control->near = carom_vicinity_create(control->arena, model, &enough);
    control->times =
        carom_examination_times_create(model, state, nodes->stepper->step, &control->near, control->arena, &enough);
    control->growth = carom_growth_create(control->arena, model, &enough);
    control->measures = carom_arena_reserve(control->arena, carom_stiffening_buffer(model), sizeof *control->measures, &enough);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the integrator");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status)
        return status;
    for (int i = 0; i < control->near.first[model->block_count]; i++)
        control->batches += !model->part.home || model->part.home[i];
    control->batches = carom_model_total(model, control->batches);
    control->reference = evaluate_all(control, nodes, state).stable;
    // the smallest stable step for which drifts stay whole
    double needed = nodes->stepper->step / step_safety;
    carom_growth_start(&control->growth, nodes->kick.slots,
                       control->long_step ? needed : fmin(needed, strain_threshold * control->reference));
    return CAROM_OK;
}

carom_status carom_step_control_start(carom_step_control *control, carom_kick_drift *nodes, carom_state *state, double *h,
                                      carom_error *error) {
    if (!control->active)
        return CAROM_OK;
    carom_newmark_kick_find_forces(&nodes->kick, state, state->time, CAROM_USE_READ);
    carom_status status = carom_step_control_next(control, nodes, state, 0, 0, h, error);
    *h = carom_step_control_step(control, nodes);
    return status;
}

double carom_step_control_step(const carom_step_control *control, carom_kick_drift *nodes) {
    if (control->active) {
        nodes->kick.step = nodes->search.step = carom_pace_step(&control->pace);
        nodes->divided = control->record[CAROM_RECORD_LEVEL] > 0;
    }
    return nodes->kick.step;
}

int64_t carom_step_control_advance(const carom_step_control *control, const carom_stepper *stepper, carom_state *state,
                                   int64_t place) {
    const int64_t whole = (int64_t)1 << CAROM_PACE_FINEST;
    int64_t units = control->active ? whole >> carom_pace_level(&control->pace) : whole;
    if (units < whole)
        control->record[CAROM_RECORD_PARTS]++;
    if (place + units == whole)
        carom_stepper_advance_time(stepper, state);
    else
        state->time = ((double)state->step + (double)(place + units) / (double)whole) * stepper->step;
    return units;
}

void carom_step_control_release(carom_step_control *control) {
    carom_arena_release(control->arena);
    *control = (carom_step_control){0};
}

// The error if no division is fine enough.
static carom_status give_up(const carom_step_control *control, const carom_model *model, const carom_state *state, int element,
                            carom_error *error) {
    char name[2 * CAROM_NAME_MAX];
    bool nodal = strcmp(carom_model_block_of(model, element)->element->kind.name, "nodal") == 0;
    double volume = carom_stiffening_volume(model, element, control->measures);
    carom_model_name_element(model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "%s is %s to %.2g of its volume at time %g (step %lld): coarser or rounder elements there%s or "
                      "damping may help",
                      name, volume > 1 ? "stretched" : "crushed", volume, state->time, (long long)state->step + 1,
                      nodal ? "" : ", the element `nodal`,");
}

static carom_limits record_limits(const void *unused, const carom_state *state, int64_t i) {
    (void)unused;
    return i == CAROM_RECORD_LEVEL     ? (carom_limits){0, CAROM_PACE_FINEST, true}
           : i == CAROM_RECORD_ELEMENT ? carom_limits_element(state->model)
           : i == CAROM_RECORD_PARTS   ? CAROM_LIMITS_COUNT
                                       : CAROM_LIMITS_NONE;
}

double *carom_record_register(carom_state *state) {
    double *record = carom_state_add_dormant(state, CAROM_RECORD_NAME, CAROM_RECORD_NUMBERS);
    carom_state_limit(state, record, record_limits, NULL);
    return state->method.division = record;
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

carom_status carom_step_control_next(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                     double last, int64_t place, double *next, carom_error *error) {
    *next = last;
    if (!control->active)
        return CAROM_OK;
    carom_pace *pace = &control->pace;
    bool whole = carom_pace_level(pace) == 0;
    if (whole && *control->times.kicks > 0 && !must_examine_all(control, nodes, state, last))
        return CAROM_OK;
    carom_model_halo(nodes->kick.model, nodes->kick.force);
    find_motion(control, nodes, state, last);
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    carom_stiffening seen = evaluate_all(control, nodes, state);
    bool inverted = seen.smallest >= 0 && !(seen.volume > 0);
    if (inverted && carom_record_inverted(state, seen.smallest, state->time, nodes->stepper->stops, error))
        return CAROM_NUMERICAL;
    int element;
    double want = allowed(control, nodes->kick.model, &seen, &element);
    if (!carom_pace_choose(pace, want, place, energy_of(control, nodes)))
        return give_up(control, nodes->kick.model, state, element, error);
    if (carom_pace_level(pace) == 0)
        note_all(control, nodes);
    carom_record_note(control->record, carom_pace_level(pace), element, state->time);
    *next = carom_pace_step(pace);
    return CAROM_OK;
}
