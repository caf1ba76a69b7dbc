// SPDX-License-Identifier: MIT
// Drifts (straight motion of all nodes between two kicks) with their impacts. A drift with bounces is run several times, since
// the forces at its end are needed inside it.
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "integrator/fly.h"
#include "integrator/kick_drift.h"
#include "integrator/stepper.h"
#include "model/collective.h"
#include "model/motion/restraints.h"
#include "parallel/insist.h"

// The iteration for the kick after a drift contracts at least by this factor if the step is stable; a larger ratio comes from a
// changed set of impacts, and is not extrapolated.
static const double largest_contraction = 0.5;

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

// The prescribed velocities of a drift of length h, also in the contact space.
static void drive_over(carom_kick_drift *nodes, double time, double h) {
    carom_model_drive_over(nodes->kick.model, time, h, nodes->kick.x, nodes->kick.restraints.items);
    if (nodes->space.part)
        carom_model_drive_over(nodes->space.model, time, h, NULL, nodes->space.restraints.items);
}

// Sets w of restrained nodes to the prescribed velocities and records the reaction.
static void drive(carom_kick_drift *nodes, carom_state *state) {
    carom_newmark_kick *kick = &nodes->kick;
    for (int r = 0; r < kick->restraints.count; r++) {
        int k = kick->restraints.items[r].node;
        carom_ledger_impose(state, &kick->restraints.items[r], state->x[k], kick->w[k]);
    }
}

void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    double since = carom_kick_drift_drifted(nodes, state);
    if (nodes->initial_hits_pending && state->step == 0)
        carom_ledger_report_hits(state, &nodes->stepper->observer, hits->items, hits->count);
    nodes->initial_hits_pending = false;
    nodes->energies_time = NAN;
    if (since == 0)
        state->books.contacts = 0;
    hits->count = 0;
    nodes->kick_pending = h == nodes->kick.step;
    drive_over(nodes, state->time + since, h);
    // for a whole drift right after a kick, that kick has imposed these velocities already
    if (!nodes->kick_pending || since > 0)
        drive(nodes, state);
}

void carom_kick_drift_begin_part(carom_kick_drift *nodes, carom_state *state, double h) {
    nodes->contact_step.impacts.hits.count = 0;
    nodes->energies_time = NAN;
    drive_over(nodes, state->time, h);
}

// The drift of length h in progress.
typedef struct flying {
    carom_kick_drift *nodes;
    carom_state *state;
    double h;
    double listed; // the allowance of the list of neighbours at hand; negative if there is none
} flying;

// One pass of a drift. The list of neighbours is complete for nodes that stay within an allowance of their straight paths. In
// the rare case that impacts deflect a node farther, nothing has changed, and the drift is run again with a list for twice the
// allowance. The result does not depend on the allowance.
static carom_status fly_once(flying *flight, const double (*end_kick)[3], carom_error *error) {
    carom_kick_drift *nodes = flight->nodes;
    carom_state *state = flight->state;
    carom_contact_space *space = &nodes->space;
    carom_const_vectors x = (carom_const_vectors)space->x, w = (carom_const_vectors)space->w;
    carom_rigid_kick *rigid = &nodes->kick.rigid;
    double allowance = flight->listed;
    carom_rigid_kick_slow(rigid, carom_search_neighbours(&nodes->search).layer.slow);
    for (bool outran = true; outran; allowance *= 2) {
        carom_status status = carom_rigid_kick_begin(rigid, flight->h, space->w, error);
        if (status)
            return status;
        allowance = fmax(allowance, carom_search_allowance(&nodes->search, w));
        carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_SEARCH);
        if (allowance > flight->listed)
            status = carom_search_list(&nodes->search, x, w, allowance, error);
        carom_profile_enter(&nodes->stepper->profile, before);
        if (status)
            return status;
        flight->listed = allowance;
        carom_contact_interval interval =
            carom_kick_drift_interval(nodes, state, state->time + carom_kick_drift_drifted(nodes, state), flight->h);
        interval.allowance = allowance;
        interval.end_kick = end_kick;
        status = carom_contact_step_drift(&nodes->contact_step, &interval, (carom_const_vectors)space->v, space->x, space->w,
                                          &state->books, &outran, error);
        status = carom_rigid_kick_check_joints(rigid, status, error);
        if (status)
            return status;
    }
    return carom_rigid_kick_finish(rigid, flight->h, state->x, space->w, error);
}

// The same if several processes share the model: nodes of contact move in the contact space, the others without contact, and
// ghosts are copied from their owners.
static carom_status fly_shared(flying *flight, bool again, carom_error *error) {
    carom_kick_drift *nodes = flight->nodes;
    carom_state *state = flight->state;
    carom_contact_space *space = &nodes->space;
    const carom_model *model = nodes->kick.model;
    carom_interrupt_hold();
    carom_status status = fly_once(flight, again ? (carom_const_vectors)space->end_kick : NULL, error);
    carom_interrupt_release();
    // other processes may wait for this one inside a collective operation
    status = CAROM_PARALLEL_AGREE(carom_parallel_insist(status, error), error);
    if (status)
        return status;
    carom_contact_space_take(space, (carom_const_vectors)space->x, state->x);
    carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
    carom_contact_space_drift_others(space, flight->h, (carom_const_vectors)nodes->kick.w, state->x);
    carom_model_halo(model, state->x);
    if (nodes->exchange_velocities)
        carom_model_halo(model, nodes->kick.w);
    return CAROM_OK;
}

// Fails if a node moves farther in a step than bodies can be separated. The largest speed of nodes on a device is known.
static carom_status check_paths(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    carom_const_vectors w = (carom_const_vectors)nodes->kick.w;
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    if (here && carom_search_is_slow(&nodes->search, w, here, count, nodes->resident.fastest))
        return CAROM_OK;
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES);
    return carom_search_check_paths(&nodes->search, nodes->kick.model, w, state->time, error);
}

// One pass; `again`: with the kicks at the end of the drift from find_end_kick.
static carom_status fly_pass(void *context, bool again, bool *outran, carom_error *error) {
    flying *flight = context;
    carom_kick_drift *nodes = flight->nodes;
    *outran = false;
    carom_status status = check_paths(nodes, flight->state, error);
    if (status)
        return status;
    status = nodes->space.part ? fly_shared(flight, again, error)
                               : fly_once(flight, again ? (carom_const_vectors)nodes->end_kick : NULL, error);
    // nodes on a device do not depend on the impacts: they drift once
    if (!status && !again)
        carom_resident_drift(&nodes->resident, flight->state, flight->h);
    return status;
}

// The limit of a sequence of which a, b and c are successive elements with errors in geometric progression (Aitken).
static double limit_of(double a, double b, double c) {
    double ratio = (c - b) / (b - a);
    return fabs(ratio) <= largest_contraction ? c + ratio / (1 - ratio) * (c - b) : c;
}

// The velocity changes by the forces with a potential at the end of a drift of length h, in a kick of that length. They depend
// on the impulses of the drift, which in turn depend on them. For linear forces and one impact the iteration is affine, with a
// contraction of at most (h/h_stable)^2/2 at the tip of a bar, and its limit follows from three elements: the kick before the
// drift and the results of two passes.
static void find_end_kick(void *context, bool extrapolates) {
    carom_kick_drift *nodes = ((flying *)context)->nodes;
    carom_state *state = ((flying *)context)->state;
    double h = ((flying *)context)->h;
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    const carom_contact_step *contact = &nodes->contact_step;
    carom_vectors kicks = contact->kept ? contact->kept : contact->impacts.forces;
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_ELEMENTS);
    carom_newmark_kick_find_forces(kick, state, state->time + h, CAROM_USE_TRIAL);
    carom_profile_enter(&nodes->stepper->profile, before);
    nodes->forces_time = NAN;
    state->books.element_updates += model->part.whole_elements;
    const int *here;
    int count = carom_newmark_kick_nodes(kick, state, &here);
#pragma omp parallel for schedule(static) if (count > SHARED_NODES)
    for (int j = 0; j < count; j++) {
        int k = here ? here[j] : j;
        double found[3], *last = nodes->end_kick[k];
        carom_kick_drift_conservative(kick, k, false, found);
        // a node of a rigid body has no mass: its force acts on the body
        for (int i = 0; i < 3; i++)
            found[i] *= model->mass[k] > 0 ? h / model->mass[k] : 0;
        carom_restraints_project(&kick->restraints, k, found);
        for (int i = 0; i < 3; i++)
            last[i] = extrapolates ? limit_of(kicks[k][i], last[i], found[i]) : found[i];
    }
    carom_rigid_kick_end(&kick->rigid, h, nodes->end_kick);
    if (nodes->space.part)
        carom_contact_space_gather(&nodes->space, (carom_const_vectors)nodes->end_kick, nodes->space.end_kick);
}

// Copies positions of the nodes that do not stay on a device.
static void copy_places(const carom_kick_drift *nodes, const carom_state *state, const double (*from)[3], double (*to)[3]) {
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    if (!here)
        memcpy(to, from, (size_t)nodes->kick.model->node_count * sizeof *to);
    for (int i = 0; here && i < count; i++)
        carom_copy(from[here[i]], to[here[i]]);
}

// Restores the positions of all nodes at the start of a drift.
static void put_back(void *context) {
    carom_kick_drift *nodes = ((flying *)context)->nodes;
    carom_contact_space *space = &nodes->space;
    // nodes on a device have drifted once and stay
    copy_places(nodes, ((flying *)context)->state, (carom_const_vectors)nodes->start, ((flying *)context)->state->x);
    if (!space->part)
        return;
    memcpy(space->x, space->start, (size_t)space->model->node_count * sizeof *space->start);
    carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
}

void carom_kick_drift_enter_space(carom_kick_drift *nodes, const carom_state *state) {
    carom_contact_space *space = &nodes->space;
    carom_vectors kept = nodes->contact_step.kept;
    if (carom_contact_space_renew(space, state, (carom_const_vectors)nodes->kick.w) && kept)
        carom_contact_space_gather(space, (carom_const_vectors)kept, carom_contact_step_forces(&nodes->contact_step));
    memcpy(space->start, space->x, (size_t)space->model->node_count * sizeof *space->start);
}

carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    flying flight = {nodes, state, h, -1};
    carom_neighbours neighbours = carom_search_neighbours(&nodes->search);
    bool outran;
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_HITS);
    if (nodes->space.part)
        carom_kick_drift_enter_space(nodes, state);
    if (nodes->start)
        copy_places(nodes, state, (carom_const_vectors)state->x, nodes->start);
    carom_flyer flyer = {.contact = &nodes->contact_step,
                         .rigid = &nodes->kick.rigid,
                         .books = &state->books,
                         .x = nodes->space.x,
                         .w = nodes->space.w,
                         .passes = nodes->passes,
                         .nodes = &flight,
                         .pass = fly_pass,
                         .find_end_kick = find_end_kick,
                         .put_back = put_back};
    carom_status status = carom_fly(&flyer, &neighbours, &outran, error);
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}

// A drift without contact.
static carom_status fly_freely(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_newmark_kick *kick = &nodes->kick;
    carom_status status = carom_rigid_kick_begin(&kick->rigid, h, kick->w, error);
    if (status)
        return status;
    for (int k = 0; k < kick->model->node_count; k++)
        carom_add_scaled(h, kick->w[k], state->x[k]);
    status = carom_rigid_kick_finish(&kick->rigid, h, state->x, kick->w, error);
    if (!status)
        carom_rigid_kick_store(&kick->rigid);
    return status;
}

carom_status carom_kick_drift_drift(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_kick_drift_begin(nodes, state, h);
    carom_status status = nodes->contact ? carom_kick_drift_fly(nodes, state, h, error) : fly_freely(nodes, state, h, error);
    if (status)
        return status;
    if (nodes->contact)
        carom_kick_drift_book(nodes, state);
    nodes->drifted = carom_kick_drift_drifted(nodes, state) + h;
    nodes->drifted_attempt = nodes->stepper->attempt;
    nodes->drifted_step = state->step;
    return CAROM_OK;
}
