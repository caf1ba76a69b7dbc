// SPDX-License-Identifier: MIT
// Finds nodes that contact has lost: behind planes, beyond their neighbour on a line, or inside other bodies, by more than the
// method allows.
#include "sim/passage.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/pairs/passed.h"
#include "element/shortest_edge.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/motion/restraints.h"
#include "model/parts/space_link.h"

// Methods that let surfaces overlap lose them at some depth, where contact pushes to the wrong side or not at all. Limits of
// the depth in units of the shortest edge of the two bodies. (Bars in contact by polling, as in the paper, overlap by one.)
static const double max_overlap = 2;
static const double max_overlap_at_planes = 0.5;
// Other methods keep gaps to rounding, far below these limits: of surfaces in units of the shortest edge of the body, of
// contacts with fixed normal in units of the shortest edge of the model.
static const double max_constraint_error = 0.05;
static const double max_gap_error = 1e-6;
// Rounding error of a gap, relative to the coordinates that it is computed from.
static const double gap_rounding = 1e-12;

enum {
    // Number of contacts above which threads share the check, which takes some nanoseconds for each.
    PARALLEL_CONTACTS = 16384,
    // A body that two others close on has touched both within this number of steps.
    LATELY = 8
};

// Penetration depth of a contact with fixed normal, less rounding.
static double depth_of(const carom_contact *contact, const double (*x)[3]) {
    return -carom_contact_gap(contact, x) - gap_rounding * (fabs(contact->offset) + carom_norm(x[contact->node[0]]));
}

// True if a node of the contact can move along its normal, by the restraints of the last step; without memory, by those that
// hold all the time.
static bool is_movable(const carom_sim *sim, const carom_contact *contact) {
    const carom_model *model = sim->model->part.space;
    carom_restraints now = model->restraints;
    carom_restraint *items = carom_allocate(now.count, sizeof *items);
    if (items && now.count) {
        memcpy(items, now.items, (size_t)now.count * sizeof *items);
        carom_model_drive(model, sim->state->time - 0.5 * sim->stepper.step, items);
        now.items = items;
    }
    bool moves = carom_contact_softness(contact, (carom_mobility){model->mass, &now, NULL}, contact->normal) > 0;
    free(items);
    return moves;
}

static carom_status report_fixed(const carom_sim *sim, const carom_contact *contact, double depth, bool overlaps,
                                 carom_error *error) {
    const carom_model *model = sim->model->part.space;
    const char *name[2];
    for (int i = 0; i < 2; i++)
        name[i] =
            contact->body[i] < 0 ? model->contact.planes[-1 - contact->body[i]].name : model->bodies[contact->body[i]].name;
    bool plane = contact->kind == CAROM_CONTACT_NODE_PLANE;
    const carom_body *body = &model->bodies[contact->body[contact->body[0] < 0]];
    long long node = (long long)carom_body_node_id(body, contact->node[contact->body[0] < 0 ? contact->count - 1 : 0]);
    return carom_fail(
        error, CAROM_NUMERICAL, "node %lld of body '%s' is %.3g %s '%s' at time %g (step %lld): %s", node, body->name, depth,
        plane ? "behind plane" : "inside body", name[contact->body[0] >= 0], sim->state->time, (long long)sim->state->step,
        !is_movable(sim, contact)
            ? "its motion is prescribed, and nothing can hold it back; `touch: false` of that pair lets it pass"
        : overlaps ? "contact acts too late to stop it; a smaller time.step may help, or newmark-dcr with resolve: exact"
                   : "contact has lost it, which should not happen");
}

// The largest distance of a node from the origin at the start.
static double farthest(const carom_model *model) {
    double most = 0;
    for (int k = 0; k < model->part.owned_count; k++)
        most = fmax(most, carom_norm(model->X[k]));
    return carom_model_most(model, most);
}

// The allowed depth of a contact: a multiple of the shortest edge of its bodies if the method lets them overlap, else a
// fraction of the shortest edge of the model. Point masses have no edges: between them an overlapping method allows any depth.
static double measure_of(const carom_sim *sim, const carom_contact *contact, bool overlaps) {
    const carom_model *model = sim->model;
    double length = HUGE_VAL;
    for (int i = 0; i < 2 && overlaps; i++)
        if (contact->body[i] >= 0)
            length = fmin(length, sim->edges[contact->body[i]]);
    if (!overlaps)
        length = model->contact_length > 0 ? model->contact_length : sim->farthest;
    return (overlaps ? max_overlap_at_planes : max_gap_error) * length;
}

// Checks contacts with fixed normal: ends of bars, point masses and planes.
static carom_status check_fixed(const carom_sim *sim, bool overlaps, carom_error *error) {
    const carom_candidates *candidates = &sim->model->part.space->candidates;
    const carom_contact *items = candidates->items;
    int count = candidates->count;
    if (count == 0)
        return CAROM_OK;
    carom_const_vectors x = carom_space_positions(sim->model, (carom_const_vectors)sim->state->x);
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (count > PARALLEL_CONTACTS)
    for (int c = 0; c < count; c++)
        most = fmax(most, depth_of(&items[c], x) - measure_of(sim, &items[c], overlaps));
    if (!(most > 0))
        return CAROM_OK;
    int first = 0;
    while (depth_of(&items[first], x) - measure_of(sim, &items[first], overlaps) < most)
        first++;
    return report_fixed(sim, &items[first], -carom_contact_gap(&items[first], x), overlaps, error);
}

// Checks surfaces, for methods that do not resolve their contact at the time of impact.
static carom_status check_surfaces(carom_sim *sim, bool overlaps, carom_error *error) {
    const carom_model *model = sim->model;
    carom_const_vectors x = (carom_const_vectors)sim->state->x;
    int64_t count = 0;
    carom_status status = CAROM_OK;
    if (!sim->audit.surface) {
        status = carom_audit_create(&model->surface, &model->exclusions, model->immovable, &sim->audit, error);
        sim->audit.filled = model->filled;
    }
    if (!status)
        status = carom_surface_intersections(&sim->audit, x, &count, error);
    if (status)
        return status;
    carom_passed passed;
    status = carom_surface_passed(&sim->audit, sim->edges, overlaps ? max_overlap : max_constraint_error, x, &passed, error);
    if (status || passed.node < 0)
        return status;
    const carom_body *body = &model->bodies[model->surface.node_body[passed.node]];
    return carom_fail(
        error, CAROM_NUMERICAL,
        "node %lld of body '%s' is %.3g inside body '%s' at time %g (step %lld): contact acts too late to stop it; a "
        "smaller time.step may help, or newmark-dcr with resolve: exact",
        (long long)carom_body_node_id(body, passed.node), body->name, passed.depth, model->bodies[passed.body].name,
        sim->state->time, (long long)sim->state->step);
}

// Finds the shortest edge of each body, once.
static carom_status find_edges(carom_sim *sim, carom_error *error) {
    const carom_model *model = sim->model;
    if (sim->edges)
        return CAROM_OK;
    sim->edges = carom_allocate(model->body_count, sizeof *sim->edges);
    carom_status status = sim->edges ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the lengths of bodies");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status)
        return status;
    for (int b = 0; b < model->body_count; b++) {
        sim->edges[b] = HUGE_VAL;
        for (int i = 0; i < model->bodies[b].block_count; i++)
            sim->edges[b] = fmin(sim->edges[b], carom_block_shortest_edge(&model->blocks[model->bodies[b].block_begin + i],
                                                                          (carom_const_vectors)model->X));
    }
    sim->farthest = farthest(model);
    return CAROM_OK;
}

// The number of the other side of a pair that has touched one side lately; -1: it is not of the pair, or does not yield.
static int between(const carom_sim *sim, const carom_pair_record *pair, int side) {
    bool first = pair->body[0] == side;
    int other = pair->body[first];
    bool late = pair->last_step + LATELY >= sim->state->step;
    return late && (first || pair->body[1] == side) && other >= 0 && !sim->model->immovable[other] ? other : -1;
}

// Checks bodies that cannot yield. If they close on another one, which has touched both lately, that body is named.
static carom_status check_closing(const carom_sim *sim, carom_error *error) {
    const carom_state *state = sim->state;
    carom_meeting meeting;
    carom_error reason;
    carom_const_vectors x = (carom_const_vectors)state->x;
    carom_status status = carom_closing_check(sim->closing, x, state->time, sim->stepper.step, &meeting, error);
    int squeezed = INT_MAX;
    for (int i = 0; status == CAROM_NUMERICAL && i < state->pair_count; i++)
        for (int j = 0; j < state->pair_count; j++) {
            int body = between(sim, &state->pairs[i], meeting.side[0]);
            if (body >= 0 && body < squeezed && between(sim, &state->pairs[j], meeting.side[1]) == body)
                squeezed = body;
        }
    if (squeezed == INT_MAX)
        return status;
    carom_closing_report_squeezed(sim->model, squeezed, meeting.side, &reason);
    return carom_fail(error, status, "%s at time %g", reason.message, meeting.time);
}

carom_status carom_watch_passage(carom_sim *sim, bool surfaces, carom_error *error) {
    const carom_model *model = sim->model;
    const carom_integrator *method = sim->stepper.method;
    if (!model->contact.enabled)
        return CAROM_OK;
    bool overlaps = method->overlaps && method->overlaps(model, sim->params);
    carom_status status = find_edges(sim, error);
    if (!status)
        status = check_closing(sim, error);
    if (!status)
        status = check_fixed(sim, overlaps, error);
    // constraints at the ends of steps hold for nodes only, so other features may still pass
    if (!status && surfaces && model->surface.face_count && (overlaps || method->at_ends || !method->divides))
        status = check_surfaces(sim, overlaps, error);
    if (status != CAROM_NUMERICAL)
        return status;
    sim->state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
    sim->advised = true;
    return sim->time.on_event == CAROM_ON_EVENT_STOP ? status : CAROM_OK;
}
