// SPDX-License-Identifier: MIT
// The kick w+ = w- + h M^-1 f(x) of all nodes (velocity update by forces f with masses M), with its memory and its entries in
// the ledger.
#include "integrator/newmark_kick.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/pieces.h"
#include "device/device.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/forces/peaks.h"
#include "model/motion/damping.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/node_terms.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

carom_status carom_newmark_kick_create(carom_newmark_kick *kick, const carom_model *model, double step, carom_state *state,
                                       carom_error *error) {
    int n = model->node_count, restraints = model->restraints.count;
    int64_t slots = carom_model_slot_count(model);
    *kick = (carom_newmark_kick){.model = model, .state = state, .step = step, .restraints = model->restraints};
    // w before the speed: the hash of a state depends on the order of its arrays
    kick->x = (carom_const_vectors)state->x;
    kick->arena = carom_arena_create();
    kick->w = state->method.w = (carom_vectors)carom_state_add_field(state, "drift velocities");
    kick->speed = carom_state_add_array(state, "kick speed", 1);
    bool enough = kick->arena && kick->w && kick->speed;
    kick->w_before = carom_arena_reserve(kick->arena, carom_model_row_count(model), sizeof *kick->w_before, &enough);
    kick->force = carom_arena_reserve(kick->arena, n, sizeof *kick->force, &enough);
    kick->reaction = carom_arena_reserve(kick->arena, restraints, sizeof *kick->reaction, &enough);
    kick->live = carom_arena_reserve(kick->arena, model->live.count ? n : 0, sizeof *kick->live, &enough);
    kick->slots = carom_arena_reserve(kick->arena, slots, sizeof *kick->slots, &enough);
    kick->energies = carom_arena_reserve(kick->arena, model->element_count, sizeof *kick->energies, &enough);
    kick->restraints.items = carom_arena_reserve(kick->arena, restraints, sizeof *kick->restraints.items, &enough);
    kick->closed = carom_arena_reserve(kick->arena, model->windows.count, sizeof *kick->closed, &enough);
    if (model->damped) {
        kick->drag = carom_arena_reserve(kick->arena, n, sizeof *kick->drag, &enough);
        kick->viscous = carom_arena_reserve(kick->arena, n, sizeof *kick->viscous, &enough);
    }
    if (model->damped && carom_model_is_viscous(model))
        kick->scratch = carom_arena_reserve(kick->arena, slots, sizeof *kick->scratch, &enough);
    kick->damped.pull = carom_arena_reserve(kick->arena, model->springs.count, sizeof *kick->damped.pull, &enough);
    if (enough && model->rigid.count)
        enough = carom_rigid_kick_create(&kick->rigid, model, state, kick->arena);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the integrator");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status)
        return status;
    if (restraints)
        memcpy(kick->restraints.items, model->restraints.items, (size_t)restraints * sizeof *kick->restraints.items);
    memcpy(kick->w, state->v, (size_t)n * sizeof *kick->w);
    kick->mobility = (carom_mobility){model->mass, &kick->restraints, carom_rigid_kick_bodies(&kick->rigid)};
    return CAROM_OK;
}

void carom_newmark_kick_release(carom_newmark_kick *kick) {
    carom_arena_release(kick->arena);
    *kick = (carom_newmark_kick){0};
}

void carom_newmark_kick_add(carom_newmark_kick *kick, carom_kick_part part) {
    assert(kick->part_count < CAROM_KICK_PARTS);
    kick->parts[kick->part_count++] = part;
}

int carom_newmark_kick_nodes(const carom_newmark_kick *kick, const carom_state *state, const int **nodes) {
    const carom_remote *others = carom_state_moved_by(state);
    *nodes = others ? others->here : NULL;
    return others ? others->count : kick->model->part.owned_count;
}

static void find_forces(carom_newmark_kick *kick, const carom_state *state, double time, carom_flow flow) {
    carom_force_outputs outputs = {.energies = kick->row ? kick->energies : NULL, .flow = &flow};
    if (kick->peaks)
        carom_peaks_request(state, &outputs);
    if (kick->device && *kick->device)
        carom_device_force(*kick->device, state, kick->force, &outputs);
    else
        carom_model_force_outputs(kick->model, (carom_const_vectors)state->x, kick->slots, kick->force, &outputs);
    for (int p = kick->part_count - 1; p >= 0; p--)
        if (kick->parts[p].collect)
            kick->parts[p].collect(kick->parts[p].own, kick, time);
}

// Laws with viscosity assume that the next drift is as long as the last one.
void carom_newmark_kick_find_forces(carom_newmark_kick *kick, const carom_state *state, double time, carom_use use) {
    find_forces(kick, state, time, carom_history_flow(state, use, time, kick->step));
}

void carom_newmark_kick_commit_forces(carom_newmark_kick *kick, carom_state *state, double time) {
    find_forces(kick, state, time, carom_history_commit(state, time, kick->step));
    state->books.element_updates += kick->model->part.whole_elements;
}

void carom_newmark_kick_force_at(carom_newmark_kick *kick, carom_state *state, double time, const double (*x)[3],
                                 double (*force)[3]) {
    const carom_model *model = kick->model;
    carom_flow flow = carom_history_flow(state, CAROM_USE_TRIAL, time, kick->step);
    carom_model_force_outputs(model, x, kick->slots, force, &(carom_force_outputs){.flow = &flow});
    carom_model_live_load(model, time, x, kick->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, kick->live[model->live.nodes[i]], force[model->live.nodes[i]]);
}

void carom_newmark_kick_impose(carom_newmark_kick *kick, double time, double (*v)[3]) {
    carom_model_drive(kick->model, time, kick->restraints.items);
    for (int r = 0; r < kick->restraints.count; r++)
        carom_restraint_impose(&kick->restraints.items[r], v[kick->restraints.items[r].node]);
}

void carom_newmark_kick_drive(carom_newmark_kick *kick, double time) {
    carom_model_drive_over(kick->model, time, kick->step, kick->x, kick->restraints.items);
}

void carom_newmark_kick_run(carom_newmark_kick *kick, carom_state *state, double time, double h) {
    carom_newmark_kick_commit_forces(kick, state, time);
    carom_newmark_kick_push(kick, state, time, h, 0.5);
}

// Context of kick_nodes; nodes NULL: the first ones.
typedef struct kicking {
    const carom_newmark_kick *kick;
    const int *nodes;
    double h;
} kicking;

// w+ = w- + h M^-1 f. Returns the largest velocity change, the scale by which contact judges rounding and pressing; NaN does
// not count.
static double kick_nodes(const void *context, int begin, int end) {
    const carom_newmark_kick *kick = ((const kicking *)context)->kick;
    const int *nodes = ((const kicking *)context)->nodes;
    double most = 0;
    for (int i = begin; i < end; i++) {
        int k = nodes ? nodes[i] : i;
        // a node of a rigid body
        if (kick->model->mass[k] == 0)
            continue;
        double scale = ((const kicking *)context)->h / kick->model->mass[k];
        carom_copy(kick->w[k], kick->w_before[k]);
        carom_add_scaled(scale, kick->force[k], kick->w[k]);
        double change = scale * carom_norm(kick->force[k]);
        most = change > most ? change : most;
    }
    return most;
}

// The same for the nodes on a device.
static double kick_others(const carom_newmark_kick *kick, double h, double after) {
    carom_resident *resident = kick->resident;
    double most;
    carom_device_push(resident->device, h, kick->step, after, &most, &resident->fastest, resident->sums);
    return most;
}

void carom_newmark_kick_push(carom_newmark_kick *kick, carom_state *state, double time, double h, double after) {
    const carom_model *model = kick->model;
    const int *nodes;
    int count = carom_newmark_kick_nodes(kick, state, &nodes);
    for (int n = 0; n < model->windows.count; n++)
        kick->closed[n] = kick->restraints.items[model->windows.nodes[n].restraint];
    carom_newmark_kick_drive(kick, time);
    double most = carom_pieces(count, SHARED_NODES, kick_nodes, &(kicking){kick, nodes, h});
    if (nodes)
        most = fmax(most, kick_others(kick, h, after));
    for (int p = 0; p < kick->part_count; p++)
        if (kick->parts[p].push)
            most = fmax(most, kick->parts[p].push(kick->parts[p].own, kick, h));
    *kick->speed = carom_model_most(model, most);
}

void carom_newmark_kick_settle(carom_newmark_kick *kick) {
    for (int p = 0; p < kick->part_count; p++)
        if (kick->parts[p].settle)
            kick->parts[p].settle(kick->parts[p].own, kick);
}

void carom_newmark_kick_book(carom_newmark_kick *kick, carom_state *state, double h, double after) {
    const int *nodes;
    int count = carom_newmark_kick_nodes(kick, state, &nodes);
    carom_ledger_record_kick(state, &(carom_kick){.h = h,
                                                  .after = after,
                                                  .w_before = (carom_const_vectors)kick->w_before,
                                                  .w = (carom_const_vectors)kick->w,
                                                  .reaction = (carom_const_vectors)kick->reaction,
                                                  .live = (carom_const_vectors)kick->live,
                                                  .drag = (carom_const_vectors)kick->drag,
                                                  .viscous = (carom_const_vectors)kick->viscous,
                                                  .nodes = nodes,
                                                  .node_count = count,
                                                  .device_sums = nodes ? kick->resident->sums : NULL});
    for (int p = 0; p < kick->part_count; p++)
        if (kick->parts[p].book)
            kick->parts[p].book(kick->parts[p].own, kick, state, h, after);
}

// Context of find_velocities.
typedef struct settling {
    const carom_newmark_kick *kick;
    const int *nodes; // NULL: the first ones
    double after;
    carom_vectors v;
} settling;

// The velocity of one row; false if it is not finite. The sum of three numbers is finite only if all are.
static inline bool find_velocity(const settling *s, int k, double v[3]) {
    const double *w = s->kick->w[k];
    carom_terms_velocity(s->kick->w_before[k], w, s->after, v);
    return isfinite(w[0] + w[1] + w[2]);
}

// 0 if all are finite.
static double find_velocities(const void *context, int begin, int end) {
    const settling *s = context;
    bool finite = true;
    for (int i = begin; i < end; i++) {
        int k = s->nodes ? s->nodes[i] : i;
        finite &= find_velocity(s, k, s->v[k]);
    }
    return !finite;
}

bool carom_newmark_kick_velocities(const carom_newmark_kick *kick, carom_state *state, double after) {
    const int *nodes;
    int n = carom_newmark_kick_nodes(kick, state, &nodes);
    settling s = {kick, nodes, after, state->v};
    bool finite = true;
    for (int r = 0; r < kick->model->rigid.count; r++)
        finite &= find_velocity(&s, kick->model->node_count + r, state->turn_rate[r]);
    if (nodes)
        finite &= carom_device_settle(kick->resident->device, after);
    finite &= !(carom_pieces(n, SHARED_NODES, find_velocities, &s) > 0);
    return !carom_model_any(kick->model, !finite);
}
