// SPDX-License-Identifier: MIT
#include "contact/impact/contact_solve.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SWEEPS = 1000, SWEEPS_BEFORE_FINISH = 20, SWEEPS_OF_SURFACES = 50, ROUNDS = 30 };

void carom_contact_solve_release(carom_contact_solve *joints) {
    free(joints->items);
    *joints = (carom_contact_solve){0};
}

bool carom_contact_solve_add(carom_contact_solve *joints, const carom_contact *contact, carom_mobility mobility,
                             double friction, double target, const double (*v_before)[3]) {
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    if (!(softness > 0))
        return true;
    carom_solved_contact *items = carom_grow(joints->items, joints->count, &joints->capacity, sizeof *items);
    if (!items)
        return false;
    joints->items = items;
    carom_solved_contact *joint = &items[joints->count++];
    *joint = (carom_solved_contact){.contact = *contact, .friction = friction, .target = target, .softness = softness};
    for (int k = 0; k < contact->count; k++)
        joint->softest += contact->weight[k] * contact->weight[k] / mobility.mass[contact->node[k]];
    carom_contact_velocity(contact, v_before, joint->before);
    return true;
}

// One Gauss-Seidel update of the normal impulse; returns the change of velocity it made.
static double relax_normal(carom_solved_contact *joint, const carom_contact *contact, carom_mobility mobility, double (*v)[3]) {
    double rate = carom_contact_rate(contact, (carom_const_vectors)v);
    double lambda = fmax(0, joint->normal - (rate - joint->target) / joint->softness);
    double change = lambda - joint->normal, J[3];
    joint->normal = lambda;
    for (int i = 0; i < 3; i++)
        J[i] = change * contact->normal[i];
    carom_contact_push(contact, mobility, J, v);
    return fabs(change) * joint->softness;
}

// The same for friction: the impulse that would stop sliding, cut back to the Coulomb cone.
static double relax_tangential(carom_solved_contact *joint, const carom_contact *contact, carom_mobility mobility,
                               double (*v)[3]) {
    double u[3];
    carom_contact_velocity(contact, (carom_const_vectors)v, u);
    carom_add_scaled(-carom_dot(contact->normal, u), contact->normal, u);

    double wanted[3], limit = joint->friction * joint->normal, change[3];
    for (int i = 0; i < 3; i++)
        wanted[i] = joint->tangential[i] - u[i] / joint->softest;
    double size = carom_norm(wanted);
    for (int i = 0; i < 3; i++) {
        if (size > limit)
            wanted[i] *= limit / size;
        change[i] = wanted[i] - joint->tangential[i];
        joint->tangential[i] = wanted[i];
    }
    carom_contact_push(contact, mobility, change, v);
    return carom_norm(change) * joint->softest;
}

static double sweep(carom_contact_solve *joints, carom_mobility mobility, double (*v)[3]) {
    double change = 0;
    for (int i = 0; i < joints->count; i++) {
        carom_solved_contact *joint = &joints->items[i];
        const carom_contact *contact = &joint->contact;
        change = fmax(change, relax_normal(joint, contact, mobility, v));
        if (joint->friction > 0)
            change = fmax(change, relax_tangential(joint, contact, mobility, v));
    }
    return change;
}

// ---- the frictionless problem to the end ----
//
// Gauss-Seidel creeps where masses differ much or contacts form long rows. On the contacts that press, the problem is a linear one with the
// symmetric matrix G_ij = n_i.(dv of i by an impulse at j): conjugate gradients solve it, the set of pressing contacts is corrected, and
// so on until it stays.

static void push_normal(const carom_contact_solve *joints, carom_mobility mobility, int i, double size, double (*v)[3]) {
    const carom_contact *contact = &joints->items[i].contact;
    double J[3];
    for (int k = 0; k < 3; k++)
        J[k] = size * contact->normal[k];
    carom_contact_push(contact, mobility, J, v);
}

static double lack(const carom_contact_solve *joints, int i, const double (*v)[3]) {
    const carom_solved_contact *joint = &joints->items[i];
    return joint->target - carom_contact_rate(&joint->contact, v);
}

// Conjugate gradients on the pressing contacts; v and the impulses follow. True if all lacks are below `floor`.
static bool descend(carom_contact_solve *joints, carom_mobility mobility, double floor, double (*v)[3]) {
    const double(*u)[3] = (carom_const_vectors)v;
    double old = 0;
    for (int i = 0; i < joints->count; i++)
        joints->items[i].search = 0;
    for (int iteration = 0; iteration < 2 * joints->count + 20; iteration++) {
        double rho = 0, largest = 0;
        for (int i = 0; i < joints->count; i++) {
            carom_solved_contact *joint = &joints->items[i];
            if (!joint->presses)
                continue;
            joint->residual = lack(joints, i, u);
            largest = fmax(largest, fabs(joint->residual));
            rho += joint->residual * joint->residual / joint->softness;
        }
        if (!(largest > floor))
            return true;

        // the next direction, and the curvature along it
        double curvature = 0;
        for (int i = 0; i < joints->count; i++) {
            carom_solved_contact *joint = &joints->items[i];
            if (joint->presses)
                joint->search = joint->residual / joint->softness + (iteration ? rho / old * joint->search : 0);
        }
        for (int i = 0; i < joints->count; i++)
            if (joints->items[i].presses)
                push_normal(joints, mobility, i, joints->items[i].search, v);
        for (int i = 0; i < joints->count; i++)
            if (joints->items[i].presses)
                curvature += joints->items[i].search * (joints->items[i].residual - lack(joints, i, u));
        double alpha = curvature > 0 ? rho / curvature : 0;
        for (int i = 0; i < joints->count; i++)
            if (joints->items[i].presses) {
                joints->items[i].normal += alpha * joints->items[i].search;
                push_normal(joints, mobility, i, (alpha - 1) * joints->items[i].search, v);
            }
        if (!(alpha > 0))
            return false;
        old = rho;
    }
    return false;
}

static void finish_frictionless(carom_contact_solve *joints, carom_mobility mobility, double floor, double (*v)[3]) {
    for (int i = 0; i < joints->count; i++)
        joints->items[i].presses = joints->items[i].normal > 0 || lack(joints, i, (carom_const_vectors)v) > floor;
    for (int round = 0; round < ROUNDS; round++) {
        bool solved = descend(joints, mobility, floor, v), changed = false;
        for (int i = 0; i < joints->count; i++) {
            carom_solved_contact *joint = &joints->items[i];
            if (joint->normal < 0) {
                push_normal(joints, mobility, i, -joint->normal, v);
                joint->normal = 0;
                joint->presses = false;
                changed = true;
            } else if (!joint->presses && lack(joints, i, (carom_const_vectors)v) > floor) {
                joint->presses = changed = true;
            }
        }
        if (!changed && solved)
            return;
    }
}

void carom_contact_solve_run(carom_contact_solve *joints, carom_mobility mobility, double floor, double (*v)[3]) {
    bool rough = false, surfaces = false;
    for (int i = 0; i < joints->count; i++) {
        const carom_contact *contact = &joints->items[i].contact;
        rough = rough || joints->items[i].friction > 0;
        surfaces = surfaces || carom_contact_is_between_surfaces(contact);
        for (int k = 0; k < contact->count; k++)
            carom_copy(v[contact->node[k]], joints->items[i].start[k]);
    }
    bool converged = false;
    int sweeps = surfaces ? SWEEPS_OF_SURFACES : rough ? SWEEPS : SWEEPS_BEFORE_FINISH;
    for (int s = 0; s < sweeps && !converged; s++)
        converged = sweep(joints, mobility, v) <= floor;
    if (!converged && !rough && !surfaces)
        finish_frictionless(joints, mobility, floor, v);

    // from the start again, each impulse once
    for (int i = 0; i < joints->count; i++) {
        const carom_contact *contact = &joints->items[i].contact;
        for (int k = 0; k < contact->count; k++)
            carom_copy(joints->items[i].start[k], v[contact->node[k]]);
    }
    for (int i = 0; i < joints->count; i++) {
        const carom_solved_contact *joint = &joints->items[i];
        const carom_contact *contact = &joint->contact;
        double J[3];
        for (int k = 0; k < 3; k++)
            J[k] = joint->normal * contact->normal[k] + joint->tangential[k];
        carom_contact_push(contact, mobility, J, v);
    }
}

carom_hit carom_contact_solve_hit(const carom_solved_contact *joint, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t) {
    const carom_contact *contact = &joint->contact;
    double after[3], mean[3];
    carom_contact_velocity(contact, v, after);
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (joint->before[i] + after[i]);

    carom_hit hit = {.contact = *contact, .normal = joint->normal};
    hit.rate = carom_dot(contact->normal, joint->before);
    hit.restitution = -joint->normal * carom_dot(contact->normal, mean);
    // half of the impulse, on the way from the mean velocity to the last
    hit.late = -0.25 * joint->normal * (carom_dot(contact->normal, mean) + carom_dot(contact->normal, after));
    hit.friction = -carom_dot(joint->tangential, mean);
    hit.slips = joint->friction > 0 && carom_norm(joint->tangential) >= joint->friction * joint->normal * (1 - 1e-12);
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = joint->normal * contact->normal[i] + joint->tangential[i];
    hit.ground = carom_contact_ground(contact, mobility, hit.impulse, x, v, t);
    hit.spot = carom_contact_spot(contact, x, v, t);
    return hit;
}
