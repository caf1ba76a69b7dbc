// SPDX-License-Identifier: MIT
// Solves the discrete Euler-Lagrange equations of slab.h, which advance nodes from one time level to the next, node by node,
// with energies, momenta and recorded impulses of slabs (the motion between two levels). Nodes without frames are solved in
// closed form; nodes with frames by frame_step.h.
#include "integrator/multisymplectic/slab.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "integrator/multisymplectic/frame_step.h"
#include "math/se3.h"
#include "math/sum.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/model.h"
#include "model/state/ledger.h"

// Frames of nodes as elements read them.
typedef const double (*const_frames)[3][3];

carom_level carom_level_reserve(const carom_slabs *slabs, bool *enough) {
    int n = slabs->model->node_count;
    carom_level level = {0};
    level.x = carom_arena_reserve(slabs->memory, n, sizeof *level.x, enough);
    level.w = carom_arena_reserve(slabs->memory, n, sizeof *level.w, enough);
    level.force = carom_arena_reserve(slabs->memory, n, sizeof *level.force, enough);
    if (!slabs->model->R)
        return level;
    level.R = carom_arena_reserve(slabs->memory, n, sizeof *level.R, enough);
    level.spin = carom_arena_reserve(slabs->memory, n, sizeof *level.spin, enough);
    level.P = carom_arena_reserve(slabs->memory, n, sizeof *level.P, enough);
    level.moment = carom_arena_reserve(slabs->memory, n, sizeof *level.moment, enough);
    return level;
}

carom_status carom_slabs_create(const carom_model *model, const carom_ghosts *ghosts, double *closed, carom_slabs *slabs,
                                carom_error *error) {
    *slabs = (carom_slabs){.model = model, .ghosts = ghosts, .closed = closed, .memory = carom_arena_create()};
    bool enough = slabs->memory;
    slabs->z = carom_arena_reserve(slabs->memory, ghosts ? model->node_count : 0, sizeof *slabs->z, &enough);
    slabs->slots = carom_arena_reserve(slabs->memory, carom_model_slot_count(model), sizeof *slabs->slots, &enough);
    slabs->energies = carom_arena_reserve(slabs->memory, model->element_count, sizeof *slabs->energies, &enough);
    return enough ? CAROM_OK : carom_no_memory(error, "the integrator");
}

void carom_slabs_release(carom_slabs *slabs) {
    carom_arena_release(slabs->memory);
    *slabs = (carom_slabs){0};
}

bool carom_watched_reserve(const carom_slabs *slabs, carom_watched *watched) {
    const carom_model *model = slabs->model;
    const carom_candidates *candidates = &model->candidates;
    bool enough = true;
    watched->candidate = carom_arena_reserve(slabs->memory, candidates->count, sizeof *watched->candidate, &enough);
    watched->softness = carom_arena_reserve(slabs->memory, candidates->count, sizeof *watched->softness, &enough);
    for (int c = 0; enough && c < candidates->count; c++) {
        const carom_contact *contact = &candidates->items[c];
        double softness =
            carom_contact_softness(contact, (carom_mobility){model->mass, &model->restraints, NULL}, contact->normal);
        // contacts with a ghost of length 0 never press
        if (!(softness > 0) || (slabs->ghosts && !(slabs->ghosts->items[c].length > 0)))
            continue;
        watched->softness[watched->count] = softness;
        watched->candidate[watched->count++] = c;
    }
    return enough;
}

// Nodes of beams are restrained completely or not at all (accepts of multisymplectic.c), and clamped or free to rotate.
static carom_fixity hold_of(const carom_model *model, int k) {
    const carom_restraint *r = carom_restraint_of(&model->restraints, k);
    return (carom_fixity){r && r->count == 3, r && r->clamped};
}

void carom_slabs_push_node(const carom_slabs *slabs, const carom_level *from, double h, int k, const double J[3],
                           carom_level *to) {
    const carom_model *model = slabs->model;
    double c = 0.5 * (from->h + h);
    if (!carom_model_has_frame(model, k)) {
        double w[3];
        carom_copy(from->w[k], w);
        // m (w - w-) = c f + J with c = (h- + h)/2
        carom_add_scaled(c / model->mass[k], from->force[k], w);
        if (J)
            carom_add_scaled(1 / model->mass[k], J, w);
        carom_restraints_impose(&model->restraints, k, w);
        carom_copy(w, to->w[k]);
        for (int i = 0; i < 3; i++)
            to->x[k][i] = from->x[k][i] + h * w[i];
        return;
    }

    // momentum in the axes of the node, then the velocity that has it
    double mu[6], body[3];
    memcpy(mu, from->P[k], sizeof mu);
    carom_add_scaled(c, from->moment[k], &mu[0]);
    carom_add_scaled(c, from->force[k], &mu[3]);
    if (J) {
        carom_mat3_apply_transposed((carom_const_vectors)from->R[k], J, body);
        carom_add_scaled(1, body, &mu[3]);
    }
    carom_fixity hold = hold_of(model, k);
    carom_copy(from->spin[k], to->spin[k]);
    carom_frame_velocity(model->inertia[k], model->mass[k], h, hold, mu, to->spin[k], to->w[k]);

    // pose and momentum at the other end
    double turn[3], shift[3], T[3][3], t[3], step[3];
    for (int i = 0; i < 3; i++) {
        turn[i] = h * to->spin[k][i];
        shift[i] = h * to->w[k][i];
    }
    // g' = g tau(h xi): the Cayley map turns and shifts along the body velocity
    carom_cayley(turn, shift, T, t);
    carom_mat3_multiply((carom_const_vectors)from->R[k], (carom_const_vectors)T, to->R[k]);
    carom_mat3_apply((carom_const_vectors)from->R[k], t, step);
    for (int i = 0; i < 3; i++)
        to->x[k][i] = from->x[k][i] + step[i];
    // P' = Ad*_tau mu, the momentum of the slab in the axes of its end
    carom_ad_dual((carom_const_vectors)T, t, &mu[0], &mu[3], &to->P[k][0], &to->P[k][3]);
}

void carom_slabs_advance(const carom_slabs *slabs, const carom_level *from, double h, carom_level *to) {
    const carom_model *model = slabs->model;
    to->h = h;
    to->time = from->time + h;
    if (model->R) {
#pragma omp parallel for schedule(static) if (model->node_count > 512)
        for (int k = 0; k < model->node_count; k++)
            carom_slabs_push_node(slabs, from, h, k, NULL, to);
        return;
    }

    // without frames: a short loop of its own, which compilers vectorize
    double c = 0.5 * (from->h + h);
#pragma omp parallel for schedule(static) if (model->node_count > 16384)
    for (int k = 0; k < model->node_count; k++) {
        double s = c / model->mass[k];
        for (int i = 0; i < 3; i++) {
            double w = from->w[k][i] + s * from->force[k][i];
            to->w[k][i] = w;
            to->x[k][i] = from->x[k][i] + h * w;
        }
    }
    for (int r = 0; r < model->restraints.count; r++)
        // restrained nodes again, with their prescribed velocities
        carom_slabs_push_node(slabs, from, h, model->restraints.items[r].node, NULL, to);
}

void carom_slabs_push(const carom_slabs *slabs, const carom_level *from, double h, const carom_contact *contact, double lambda,
                      carom_level *to) {
    for (int i = 0; i < contact->count; i++) {
        double J[3] = {0};
        carom_add_scaled(lambda * contact->weight[i], contact->normal, J);
        carom_slabs_push_node(slabs, from, h, contact->node[i], J, to);
    }
}

double carom_slabs_gap(const carom_slabs *slabs, int candidate, const carom_level *level) {
    double gap = carom_contact_gap(&slabs->model->candidates.items[candidate], (carom_const_vectors)level->x);
    // ghosts are lengths outside of the nodes
    return slabs->ghosts ? gap - slabs->ghosts->items[candidate].length : gap;
}

double carom_slabs_rate(const carom_slabs *slabs, int candidate, const carom_level *level) {
    const carom_contact *contact = &slabs->model->candidates.items[candidate];
    double rate = 0;
    for (int i = 0; i < contact->count; i++) {
        int k = contact->node[i];
        double v[3];
        carom_copy(level->w[k], v);
        if (carom_model_has_frame(slabs->model, k))
            // the velocity of a frame is in its own axes
            carom_mat3_apply((carom_const_vectors)level->R[k], level->w[k], v);
        rate += contact->weight[i] * carom_dot(contact->normal, v);
    }
    return rate;
}

// The force with which the ghosts of a closed candidate press; 0 if it is open.
static double pressure(const carom_slabs *slabs, int candidate, const carom_level *level) {
    if (!slabs->ghosts || (!slabs->switches && slabs->closed[candidate] == 0))
        return 0;
    double force = -slabs->ghosts->items[candidate].stiffness * carom_slabs_gap(slabs, candidate, level);
    return slabs->switches && !(force > 0 && slabs->ghosts->items[candidate].length > 0) ? 0 : force;
}

void carom_slabs_force(const carom_slabs *slabs, carom_level *level) {
    const carom_model *model = slabs->model;
    const double(*seen)[3] = (carom_const_vectors)level->x;
    if (slabs->ghosts) {
        carom_ghosts_stretch(slabs->ghosts, model->node_count, (carom_const_vectors)level->x, slabs->z);
        // at these positions a whole tip element has the strain of the part that it keeps
        seen = (carom_const_vectors)slabs->z;
    }
    carom_model_force(model, seen, slabs->slots, level->force, NULL);
    if (model->R)
        carom_model_wrench(model, (carom_const_vectors)level->x, (const_frames)level->R, slabs->slots, level->moment,
                           level->force);
    for (int c = 0; slabs->ghosts && c < model->candidates.count; c++) {
        const carom_contact *contact = &model->candidates.items[c];
        double p = pressure(slabs, c, level);
        // closed ghosts are springs between the tips
        for (int i = 0; p != 0 && i < contact->count; i++)
            carom_add_scaled(p * contact->weight[i], contact->normal, level->force[contact->node[i]]);
    }
}

double carom_slabs_kinetic(const carom_slabs *slabs, const carom_level *level) {
    const carom_model *model = slabs->model;
    carom_sum sum = {0};
    for (int k = 0; k < model->node_count; k++) {
        carom_sum_add(&sum, 0.5 * model->mass[k] * carom_dot(level->w[k], level->w[k]));
        for (int i = 0; carom_model_has_frame(model, k) && i < 3; i++)
            carom_sum_add(&sum, 0.5 * model->inertia[k][i] * level->spin[k][i] * level->spin[k][i]);
    }
    return carom_sum_value(&sum);
}

double carom_slabs_internal(const carom_slabs *slabs, const carom_level *level) {
    const carom_model *model = slabs->model;
    if (!slabs->ghosts)
        return carom_model_energy(model, (carom_const_vectors)level->x, (const_frames)level->R, slabs->energies);

    // tip elements count with the length they keep, pressed ghosts with their own
    carom_sum sum = {0};
    int element = 0;
    carom_ghosts_stretch(slabs->ghosts, model->node_count, (carom_const_vectors)level->x, slabs->z);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_block_energy(model, block, (carom_const_vectors)slabs->z, (const_frames)level->R, slabs->energies);
        for (int e = 0; e < block->count; e++)
            carom_sum_add(&sum, slabs->ghosts->element_share[element++] * slabs->energies[e]);
    }
    for (int c = 0; c < model->candidates.count; c++) {
        double p = pressure(slabs, c, level);
        if (p != 0)
            carom_sum_add(&sum, 0.5 * p * p / slabs->ghosts->items[c].stiffness);
    }
    return carom_sum_value(&sum);
}

double carom_slabs_external(const carom_slabs *slabs, const carom_level *level) {
    const carom_model *model = slabs->model;
    carom_sum sum = {0};
    for (int k = 0; model->loaded && k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            // potential of dead loads
            carom_sum_add(&sum, -model->load[k][i] * (level->x[k][i] - model->X[k][i]));
    return carom_sum_value(&sum);
}

void carom_slabs_go_back(const carom_slabs *slabs, const carom_level *level, carom_level *before) {
    const carom_model *model = slabs->model;
    double h = level->h;
    for (int k = 0; k < model->node_count; k++) {
        double turn[3], shift[3];
        if (!carom_model_has_frame(model, k)) {
            for (int i = 0; i < 3; i++)
                before->x[k][i] = level->x[k][i] - h * level->w[k][i];
            continue;
        }
        for (int i = 0; i < 3; i++) {
            turn[i] = -h * level->spin[k][i];
            shift[i] = -h * level->w[k][i];
        }
        // tau(-h xi) is the inverse of tau(h xi)
        carom_pose_move(level->x[k], (carom_const_vectors)level->R[k], turn, shift, before->x[k], before->R[k]);
    }
}

void carom_slabs_momenta(const carom_slabs *slabs, const carom_level *level, double linear[3], double angular[3]) {
    const carom_model *model = slabs->model;
    carom_sum p[3] = {{0}}, l[3] = {{0}};
    for (int k = 0; k < model->node_count; k++) {
        double momentum[3], moment[3], own[3] = {0};
        for (int i = 0; i < 3; i++)
            momentum[i] = model->mass[k] * level->w[k][i];
        if (carom_model_has_frame(model, k)) {
            // momenta of frames are kept in body axes; the sums are in space
            carom_mat3_apply((carom_const_vectors)level->R[k], &level->P[k][0], own);
            carom_mat3_apply((carom_const_vectors)level->R[k], &level->P[k][3], momentum);
        }
        carom_cross(level->x[k], momentum, moment);
        for (int i = 0; i < 3; i++) {
            carom_sum_add(&p[i], momentum[i]);
            carom_sum_add(&l[i], moment[i]);
            carom_sum_add(&l[i], own[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        linear[i] = carom_sum_value(&p[i]);
        angular[i] = carom_sum_value(&l[i]);
    }
}

// The impulse of a restraint: the change of momentum of its node, less force and contact.
static void book_restraint(const carom_slabs *slabs, carom_state *state, const carom_restraint *r, const carom_level *from,
                           const carom_level *to, const double J[3]) {
    const carom_model *model = slabs->model;
    int k = r->node;
    double c = 0.5 * (from->h + to->h), reaction[3], couple[3] = {0};
    if (!carom_model_has_frame(model, k)) {
        for (int i = 0; i < 3; i++)
            reaction[i] = model->mass[k] * (to->w[k][i] - from->w[k][i]) - c * from->force[k][i] - J[i];
        // a prescribed velocity does work with the reaction
        carom_ledger_record_external(state, from->x[k], reaction, couple, carom_dot(reaction, r->velocity));
        return;
    }
    double body[3];
    for (int i = 0; i < 3; i++)
        // a restrained frame has no momentum after the slab: the reaction removes all of it
        body[i] = -(from->P[k][3 + i] + c * from->force[k][i]);
    carom_mat3_apply((carom_const_vectors)from->R[k], body, reaction);
    carom_add_scaled(-1, J, reaction);
    if (r->clamped) {
        for (int i = 0; i < 3; i++)
            body[i] = -(from->P[k][i] + c * from->moment[k][i]);
        carom_mat3_apply((carom_const_vectors)from->R[k], body, couple);
    }
    carom_ledger_record_external(state, from->x[k], reaction, couple, 0);
}

// The impulse of a contact on one node.
static void add_share(const carom_contact *contact, int node, double lambda, double J[3]) {
    for (int i = 0; i < contact->count; i++)
        if (contact->node[i] == node)
            carom_add_scaled(lambda * contact->weight[i], contact->normal, J);
}

void carom_slabs_book(const carom_slabs *slabs, carom_state *state, const carom_level *from, const carom_level *to, int count,
                      const int *candidates, const double *lambda) {
    const carom_model *model = slabs->model;
    double c = 0.5 * (from->h + to->h);
    if (model->loaded) {
        static const double origin[3] = {0};
        double impulse[3] = {0}, couple[3] = {0};
        for (int k = 0; k < model->node_count; k++) {
            double moment[3];
            carom_cross(from->x[k], model->load[k], moment);
            carom_add_scaled(c, model->load[k], impulse);
            carom_add_scaled(c, moment, couple);
        }
        carom_ledger_record_external(state, origin, impulse, couple, 0);
    }
    for (int r = 0; r < model->restraints.count; r++) {
        double J[3] = {0};
        for (int i = 0; i < count; i++)
            add_share(&model->candidates.items[candidates[i]], model->restraints.items[r].node, lambda[i], J);
        book_restraint(slabs, state, &model->restraints.items[r], from, to, J);
    }
    for (int i = 0; slabs->ghosts && i < model->candidates.count; i++) {
        double p = c * pressure(slabs, i, from);
        if (p == 0)
            continue;
        carom_hit hit = carom_slabs_hit(slabs, i, p, from);
        carom_ledger_record_pressure(state, slabs->observer, &hit);
    }
}

carom_hit carom_slabs_hit(const carom_slabs *slabs, int candidate, double lambda, const carom_level *level) {
    const carom_contact *contact = &slabs->model->candidates.items[candidate];
    carom_hit hit = {.contact = *contact, .time = level->time, .normal = lambda};
    carom_add_scaled(lambda, contact->normal, hit.impulse);
    hit.rate = carom_slabs_rate(slabs, candidate, level);
    hit.spot = carom_contact_spot(contact, (carom_const_vectors)level->x, (carom_const_vectors)level->x, 0);
    if (contact->kind == CAROM_CONTACT_NODE_PLANE) {
        carom_copy(hit.impulse, hit.ground.impulse);
        carom_cross(level->x[contact->node[0]], hit.impulse, hit.ground.moment);
    }
    return hit;
}
