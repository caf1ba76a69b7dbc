// SPDX-License-Identifier: MIT
// Contributions to a kick (velocity update by forces) beyond those of elements: rigid bodies, restraints, damping, live loads,
// springs.
#include "integrator/newmark_kick.h"

#include <math.h>

#include "device/device.h"
#include "model/motion/damping.h"
#include "model/motion/loads.h"
#include "model/motion/springs.h"
#include "model/motion/timed_restraints.h"

// Rigid bodies.
static void collect_bodies(void *own, carom_newmark_kick *kick, double time) {
    (void)time;
    carom_rigid_kick_collect(own, kick->x, (carom_const_vectors)kick->force);
}

static double push_bodies(void *own, carom_newmark_kick *kick, double h) {
    return carom_rigid_kick_push(own, h, kick->w_before, kick->w);
}

static void settle_bodies(void *own, carom_newmark_kick *kick) {
    carom_rigid_kick_settle(own, (carom_const_vectors)kick->w_before, kick->w);
}

static void book_bodies(void *own, const carom_newmark_kick *kick, carom_state *state, double h, double after) {
    (void)kick, (void)state, (void)h;
    carom_rigid_kick_book(own, after);
}

// Nodes released with this kick have been restrained during the first fraction of it.
static double release_nodes(void *own, carom_newmark_kick *kick, double h) {
    (void)own;
    const carom_windows *windows = &kick->model->windows;
    for (int n = 0; n < windows->count; n++) {
        const carom_restraint *now = &kick->restraints.items[windows->nodes[n].restraint];
        int k = now->node;
        carom_window_release(&kick->closed[n], now, fmin(1, 0.5 * kick->step / h), h, kick->model->mass[k], kick->force[k],
                             kick->w[k]);
    }
    return 0;
}

// Stiffness damping needs the element forces, which are still in the slots.
static void collect_viscous(void *own, carom_newmark_kick *kick, double time) {
    (void)own, (void)time;
    if (kick->device && *kick->device)
        carom_device_viscous_force(*kick->device, (carom_const_vectors)kick->w, kick->viscous);
    else
        carom_model_viscous_force(kick->model, kick->x, (carom_const_vectors)kick->w, kick->slots, kick->scratch,
                                  kick->viscous);
    for (int k = 0; k < kick->model->part.owned_count; k++)
        carom_add_scaled(1, kick->viscous[k], kick->force[k]);
}

// Mass damping.
static double push_drag(void *own, carom_newmark_kick *kick, double h) {
    (void)own;
    const int *nodes;
    int count = carom_newmark_kick_nodes(kick, kick->state, &nodes);
    carom_model_drag(kick->model, nodes, count, &kick->restraints, h, (carom_const_vectors)kick->w_before, kick->w, kick->drag,
                     kick->force);
    return 0;
}

// Live loads: only their own nodes change.
static void collect_live(void *own, carom_newmark_kick *kick, double time) {
    (void)own;
    const carom_live_loads *live = &kick->model->live;
    carom_model_live_load(kick->model, time, kick->x, kick->live);
    for (int i = 0; i < live->node_count; i++)
        carom_add_scaled(1, kick->live[live->nodes[i]], kick->force[live->nodes[i]]);
}

// Prescribed velocities. The reaction of a restraint is its momentum change less the impulse of the forces.
static double push_restraints(void *own, carom_newmark_kick *kick, double h) {
    const carom_restraints *restraints = own;
    const carom_model *model = kick->model;
    for (int r = 0; r < restraints->count; r++) {
        int k = restraints->items[r].node;
        // ghosts come last
        if (k >= model->part.owned_count)
            break;
        carom_restraint_impose(&restraints->items[r], kick->w[k]);
        // obstacles have no mass
        if (!(model->mass[k] > CAROM_MASSLESS))
            continue;
        for (int i = 0; i < 3; i++)
            kick->reaction[r][i] = model->mass[k] * (kick->w[k][i] - kick->w_before[k][i]) - h * kick->force[k][i];
    }
    return 0;
}

// Springs, and their dampers; then the rows of nodes of rigid bodies are recomputed.
static void collect_springs(void *own, carom_newmark_kick *kick, double time) {
    (void)own, (void)time;
    carom_model_add_spring_forces(kick->model, kick->x, kick->force);
}

static double push_dampers(void *own, carom_newmark_kick *kick, double h) {
    if (!kick->model->springs.damped)
        return 0;
    carom_spring_kick_push(kick->model, kick->mobility, kick->x, h, (carom_const_vectors)kick->w_before, kick->w, own);
    carom_rigid_bodies_spread(&kick->rigid.rigid_bodies, kick->x, kick->w);
    return 0;
}

static void book_springs(void *own, const carom_newmark_kick *kick, carom_state *state, double h, double after) {
    carom_spring_kick_book(own, h, after, kick->x, (carom_const_vectors)kick->w_before, (carom_const_vectors)kick->w, state);
}

void carom_newmark_kick_add_parts(carom_newmark_kick *kick) {
    const carom_model *model = kick->model;
    const struct {
        bool there;
        carom_kick_part part;
    } all[] = {
        {model->rigid.count, {&kick->rigid, collect_bodies, push_bodies, settle_bodies, book_bodies}},
        {model->windows.count, {.push = release_nodes}},
        {kick->drag != NULL, {.push = push_drag}},
        {kick->scratch != NULL, {.collect = collect_viscous}},
        {model->live.count, {.collect = collect_live}},
        {kick->restraints.count, {.own = &kick->restraints, .push = push_restraints}},
        {model->springs.count, {.own = &kick->damped, .collect = collect_springs, .push = push_dampers, .book = book_springs}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].there)
            carom_newmark_kick_add(kick, all[i].part);
}
