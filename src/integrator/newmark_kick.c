// SPDX-License-Identifier: MIT
#include "integrator/newmark_kick.h"

#include <math.h>
#include <string.h>

#include "device/device.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/forces/peaks.h"
#include "model/motion/damping.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/motion/springs.h"
#include "model/motion/timed_restraints.h"
#include "model/node_terms.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// Nodes above which threads share the loops over them. Below, a loop runs without a team: to form one of a single thread takes
// half a microsecond, a step of 1000 tetrahedra some twenty.
enum { SHARED_NODES = 4096 };

carom_status carom_newmark_kick_create(carom_newmark_kick *kick, const carom_model *model, double step, carom_state *state,
                                       carom_error *error) {
    int n = model->node_count, restraints = model->restraints.count;
    int64_t slots = carom_model_slot_count(model);
    *kick = (carom_newmark_kick){.model = model, .step = step, .restraints = model->restraints};
    // w before the speed: the hash of a state depends on the order of its arrays
    kick->x = (carom_const_vectors)state->x;
    kick->arena = carom_arena_create();
    kick->w = (carom_vectors)carom_state_add_field(state, "drift velocities");
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
    carom_status status = enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    status = carom_model_agree(model, status, error);
    if (status)
        return status;
    if (restraints)
        memcpy(kick->restraints.items, model->restraints.items, (size_t)restraints * sizeof *kick->restraints.items);
    memcpy(kick->w, state->v, (size_t)n * sizeof *kick->w);
    kick->mobility = (carom_mobility){model->mass, &kick->restraints, carom_rigid_kick_carriers(&kick->rigid)};
    return CAROM_OK;
}

void carom_newmark_kick_release(carom_newmark_kick *kick) {
    carom_arena_release(kick->arena);
    *kick = (carom_newmark_kick){0};
}

// True if a device has the motion of this state.
static bool is_away(const carom_newmark_kick *kick, const carom_state *state) {
    return kick->resident && carom_resident_has(kick->resident, state);
}

int carom_newmark_kick_nodes(const carom_newmark_kick *kick, const carom_state *state, const int **nodes) {
    bool away = is_away(kick, state);
    *nodes = away ? kick->resident->here : NULL;
    return away ? kick->resident->count : kick->model->part.owned_count;
}

void carom_newmark_kick_find_forces(carom_newmark_kick *kick, const carom_state *state, double time, carom_use use) {
    const carom_model *model = kick->model;
    // the drift to come is taken to be as long as the one before
    carom_flow flow = carom_history_flow(state, use, time, kick->step);
    carom_const_vectors x = (carom_const_vectors)state->x;
    carom_beside beside = {.energies = kick->row ? kick->energies : NULL, .flow = &flow};
    if (kick->peaks)
        carom_peaks_ask(state, &beside);
    if (is_away(kick, state)) {
        if (beside.energies && !carom_device_stores(*kick->device))
            carom_resident_bring_positions(kick->resident, (carom_state *)state);
        carom_device_force_here(*kick->device, (carom_state *)state, kick->force, &beside);
        state->elsewhere->f_away = true;
    } else if (kick->device && *kick->device)
        carom_device_force(*kick->device, (carom_state *)state, kick->force, &beside);
    else
        carom_model_force_beside(model, x, kick->slots, kick->force, &beside);
    carom_model_add_spring_forces(model, x, kick->force);
    // live loads touch only their own nodes
    carom_model_live_load(model, time, x, kick->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, kick->live[model->live.nodes[i]], kick->force[model->live.nodes[i]]);
    // stiffness damping needs the element forces, which are still in the slots
    if (kick->scratch && kick->device && *kick->device)
        carom_device_viscous_force(*kick->device, (carom_const_vectors)kick->w, kick->viscous);
    else if (kick->scratch)
        carom_model_viscous_force(model, x, (carom_const_vectors)kick->w, kick->slots, kick->scratch, kick->viscous);
    for (int k = 0; k < model->part.owned_count && kick->scratch; k++)
        carom_add_scaled(1, kick->viscous[k], kick->force[k]);
    if (kick->rigid.state)
        carom_rigid_kick_collect(&kick->rigid, x, (carom_const_vectors)kick->force);
}

void carom_newmark_kick_drive(carom_newmark_kick *kick, double time) {
    carom_model_drive_over(kick->model, time, kick->step, kick->x, kick->restraints.items);
}

void carom_newmark_kick_run(carom_newmark_kick *kick, carom_state *state, double time, double h) {
    carom_newmark_kick_find_forces(kick, state, time, CAROM_USE_COMMIT);
    state->books.element_updates += kick->model->part.whole_elements;
    carom_newmark_kick_push(kick, state, time, h, 0.5);
}

// w+ = w- + h M^-1 f of one node; returns its change of speed.
static inline double kick_node(carom_newmark_kick *kick, int k, double h) {
    // a rigid body carries it
    if (kick->model->mass[k] == 0)
        return 0;
    double scale = h / kick->model->mass[k];
    carom_copy(kick->w[k], kick->w_before[k]);
    carom_add_scaled(scale, kick->force[k], kick->w[k]);
    return scale * carom_norm(kick->force[k]);
}

// All nodes, or those of a list. Returns the largest change, by which contact judges rounding and pressing; numbers that are
// none do not count.
static double kick_nodes(carom_newmark_kick *kick, const int *nodes, int n, double h) {
    double most = 0;
    if (n <= SHARED_NODES) {
        for (int i = 0; i < n; i++) {
            double change = kick_node(kick, nodes ? nodes[i] : i, h);
            most = change > most ? change : most;
        }
        return most;
    }
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int i = 0; i < n; i++) {
        double change = kick_node(kick, nodes ? nodes[i] : i, h);
        most = change > most ? change : most;
    }
    return most;
}

// Those that a device keeps.
static double kick_others(carom_newmark_kick *kick, carom_state *state, double h, double after) {
    carom_resident *resident = kick->resident;
    double most;
    carom_device_push(resident->device, h, kick->step, after, &most, &resident->fastest, resident->sums);
    state->elsewhere->v_away = state->elsewhere->f_away = true;
    return most;
}

// Nodes that are let go with this kick have been held for the first part of it.
static void release_nodes(carom_newmark_kick *kick, double h) {
    const carom_windows *windows = &kick->model->windows;
    for (int n = 0; n < windows->count; n++) {
        const carom_restraint *now = &kick->restraints.items[windows->nodes[n].restraint];
        int k = now->node;
        carom_window_release(&kick->closed[n], now, fmin(1, 0.5 * kick->step / h), h, kick->model->mass[k], kick->force[k],
                             kick->w[k]);
    }
}

// Dampers of springs; rows of carried nodes follow their bodies.
static void damp(carom_newmark_kick *kick, double h) {
    const double(*x)[3] = (carom_const_vectors)kick->rigid.state->x;
    carom_spring_kick_push(kick->model, kick->mobility, x, h, (carom_const_vectors)kick->w_before, kick->w, &kick->damped);
    carom_carriers_spread(&kick->rigid.carriers, x, kick->w);
}

void carom_newmark_kick_push(carom_newmark_kick *kick, carom_state *state, double time, double h, double after) {
    const carom_model *model = kick->model;
    const int *nodes;
    int count = carom_newmark_kick_nodes(kick, state, &nodes);
    for (int n = 0; n < model->windows.count; n++)
        kick->closed[n] = kick->restraints.items[model->windows.nodes[n].restraint];
    carom_newmark_kick_drive(kick, time);
    double most = kick_nodes(kick, nodes, count, h);
    if (nodes)
        most = fmax(most, kick_others(kick, state, h, after));
    if (kick->rigid.state)
        most = fmax(most, carom_rigid_kick_push(&kick->rigid, h, kick->w_before, kick->w));
    *kick->speed = carom_model_most(model, most);
    release_nodes(kick, h);
    if (kick->drag)
        carom_model_drag(model, nodes, count, &kick->restraints, h, (carom_const_vectors)kick->w_before, kick->w, kick->drag,
                         kick->force);

    // the reaction of a restraint is the impulse that the forces lack
    for (int r = 0; r < kick->restraints.count; r++) {
        int k = kick->restraints.items[r].node;
        // ghosts come last
        if (k >= model->part.owned_count)
            break;
        carom_restraint_impose(&kick->restraints.items[r], kick->w[k]);
        // nothing is needed to move an obstacle
        if (!(model->mass[k] > CAROM_MASSLESS))
            continue;
        for (int i = 0; i < 3; i++)
            kick->reaction[r][i] = model->mass[k] * (kick->w[k][i] - kick->w_before[k][i]) - h * kick->force[k][i];
    }
    if (model->springs.damped)
        damp(kick, h);
}

void carom_newmark_kick_settle(carom_newmark_kick *kick) {
    if (kick->rigid.state)
        carom_rigid_kick_settle(&kick->rigid, (carom_const_vectors)kick->w_before, kick->w);
}

void carom_newmark_kick_book(carom_newmark_kick *kick, carom_state *state, double h, double after) {
    const int *nodes;
    int count = carom_newmark_kick_nodes(kick, state, &nodes);
    carom_ledger_book_kick(state, &(carom_kick){.h = h,
                                                .after = after,
                                                .w_before = (carom_const_vectors)kick->w_before,
                                                .w = (carom_const_vectors)kick->w,
                                                .reaction = (carom_const_vectors)kick->reaction,
                                                .live = (carom_const_vectors)kick->live,
                                                .drag = (carom_const_vectors)kick->drag,
                                                .viscous = (carom_const_vectors)kick->viscous,
                                                .nodes = nodes,
                                                .node_count = count,
                                                .elsewhere = nodes ? kick->resident->sums : NULL});
    if (kick->rigid.state)
        carom_rigid_kick_book(&kick->rigid, h, after);
    if (kick->model->springs.count)
        carom_spring_kick_book(&kick->damped, h, after, (carom_const_vectors)state->x, (carom_const_vectors)kick->w_before,
                               (carom_const_vectors)kick->w, state);
}

// The velocity of one node; returns whether it is finite: one number that is not makes the sum of three so.
static inline bool find_velocity(const carom_newmark_kick *kick, int k, double after, double v[3]) {
    const double *w = kick->w[k];
    carom_terms_velocity(kick->w_before[k], w, after, v);
    return isfinite(w[0] + w[1] + w[2]);
}

bool carom_newmark_kick_velocities(const carom_newmark_kick *kick, carom_state *state, double after) {
    bool finite = true;
    for (int r = 0; r < kick->model->rigid.count; r++)
        finite &= find_velocity(kick, kick->model->node_count + r, after, state->turn_rate[r]);
    const int *nodes;
    int n = carom_newmark_kick_nodes(kick, state, &nodes);
    if (nodes) {
        carom_elsewhere *elsewhere = state->elsewhere;
        finite &= carom_device_settle(kick->resident->device, after, &elsewhere->kinetic, &elsewhere->external);
        elsewhere->v_away = true;
    }
    if (n <= SHARED_NODES) {
        for (int i = 0; i < n; i++)
            finite &= find_velocity(kick, nodes ? nodes[i] : i, after, state->v[nodes ? nodes[i] : i]);
        return !carom_model_any(kick->model, !finite);
    }
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (int i = 0; i < n; i++)
        finite = find_velocity(kick, nodes ? nodes[i] : i, after, state->v[nodes ? nodes[i] : i]) && finite;
    return !carom_model_any(kick->model, !finite);
}
