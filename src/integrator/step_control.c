// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Examining all elements costs as much as their forces or more, so each batch of elements is examined at its own times
// (examination_times.c), when it was hit, and at every kick while steps are divided. If an examined element requires a shorter
// drift, or its stiffness has grown too much (model/watch/stiffness_growth.c), all elements are examined at once, and
// step_limit.c chooses the step.
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
    return carom_model_stiffening(nodes->kick.model, &motion, nodes->kick.slots, control->limit.measures);
}

static carom_pace_energy energy_of(const carom_step_control *control, const carom_kick_drift *nodes) {
    return carom_step_limit_energy(nodes->kick.model, (carom_const_vectors)control->v, (carom_const_vectors)control->a,
                                   (carom_const_vectors)nodes->kick.w);
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
            carom_model_stiffening_near(model, near, batches, &motion, nodes->kick.slots, control->limit.measures);
        int element;
        seen.squeezed = carom_model_global_element(model, seen.squeezed);
        // NaN is not acceptable
        acceptable = acceptable && (seen.smallest < 0 || seen.volume > 0) &&
                     carom_step_limit_allowed(&control->limit, &seen, &element) >= carom_pace_step(&control->limit.pace);
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
        carom_examination_times_note(&control->times, batch, carom_stiffening_rate(model, batch, control->limit.measures),
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
    if (!control->active || !carom_state_moved_by(state) || carom_pace_level(&control->limit.pace) > 0 || !(*times->kicks > 0))
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
        carom_pace_note_motion(&control->limit.pace, energy_of(control, nodes).kinetic);
    }
    return !acceptable;
}

carom_status carom_step_control_create(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                       carom_error *error) {
    const carom_model *model = nodes->kick.model;
    int n = model->node_count;
    *control = (carom_step_control){.active = true, .arena = carom_arena_create()};
    bool enough = control->arena;
    carom_step_limit_create(&control->limit, nodes->stepper, state, control->arena, &enough);
    control->v = carom_arena_reserve(control->arena, n, sizeof *control->v, &enough);
    control->a = carom_arena_reserve(control->arena, n, sizeof *control->a, &enough);
    control->near = carom_vicinity_create(control->arena, model, &enough);
    control->times =
        carom_examination_times_create(model, state, nodes->stepper->step, &control->near, control->arena, &enough);
    control->growth = carom_growth_create(control->arena, model, &enough);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the integrator");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status)
        return status;
    for (int i = 0; i < control->near.first[model->block_count]; i++)
        control->batches += !model->part.home || model->part.home[i];
    control->batches = carom_model_total(model, control->batches);
    control->limit.reference = evaluate_all(control, nodes, state).stable;
    // the smallest stable step for which drifts stay whole
    double needed = nodes->stepper->step / CAROM_STEP_SAFETY;
    carom_growth_start(&control->growth, nodes->kick.slots,
                       control->limit.long_step ? needed
                                                : fmin(needed, CAROM_UNSTRAINED_STEP_RATIO * control->limit.reference));
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
        nodes->kick.step = nodes->search.step = carom_pace_step(&control->limit.pace);
        nodes->divided = control->limit.record[CAROM_RECORD_LEVEL] > 0;
    }
    return nodes->kick.step;
}

int64_t carom_step_control_advance(const carom_step_control *control, const carom_stepper *stepper, carom_state *state,
                                   int64_t place) {
    const int64_t whole = (int64_t)1 << CAROM_PACE_FINEST;
    int64_t units = control->active ? whole >> carom_pace_level(&control->limit.pace) : whole;
    if (units < whole)
        control->limit.record[CAROM_RECORD_PARTS]++;
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

carom_status carom_step_control_next(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                     double last, int64_t place, double *next, carom_error *error) {
    *next = last;
    if (!control->active)
        return CAROM_OK;
    carom_pace *pace = &control->limit.pace;
    bool whole = carom_pace_level(pace) == 0;
    if (whole && *control->times.kicks > 0 && !must_examine_all(control, nodes, state, last))
        return CAROM_OK;
    carom_model_halo(nodes->kick.model, nodes->kick.force);
    find_motion(control, nodes, state, last);
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    carom_stiffening seen = evaluate_all(control, nodes, state);
    carom_status status =
        carom_step_limit_choose(&control->limit, nodes->stepper, state, &seen, energy_of(control, nodes), place, error);
    if (status)
        return status;
    if (carom_pace_level(pace) == 0)
        note_all(control, nodes);
    *next = carom_pace_step(pace);
    return CAROM_OK;
}
