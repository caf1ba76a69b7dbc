// SPDX-License-Identifier: MIT
#include "contact/impact/contact_solve.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum {
    // Sweeps at most, for fixed contacts with friction: enough for rows of some tens of contacts to reach rounding.
    SWEEPS = 1000,
    // Without friction, sweeps before the conjugate gradients take over: they leave a good guess of the active set.
    SWEEPS_BEFORE_FINISH = 20,
    // For surfaces, whose impulses need not be exact: the drift catches what still closes.
    SWEEPS_OF_SURFACES = 50,
    // Corrections of the active set. It settles after a few.
    ROUNDS = 30,
    // Iterations of the conjugate gradients beyond twice the number of contacts. In exact arithmetic they need no more than
    // that number; rounding costs some.
    EXTRA_ITERATIONS = 20
};

// A tangential impulse this close to the Coulomb cone slips.
static const double slipping = 1 - 1e-12;

void carom_contact_solve_release(carom_contact_solve *solve) {
    free(solve->items);
    *solve = (carom_contact_solve){0};
}

bool carom_contact_solve_add(carom_contact_solve *solve, const carom_contact *contact, carom_mobility mobility, double friction,
                             double target, const double (*v_before)[3]) {
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    if (!(softness > 0))
        return true;
    carom_solved_contact *items = carom_grow(solve->items, solve->count, &solve->capacity, sizeof *items);
    if (!items)
        return false;
    solve->items = items;
    carom_solved_contact *one = &items[solve->count++];
    *one = (carom_solved_contact){.contact = *contact, .friction = friction, .target = target, .softness = softness};
    for (int k = 0; k < contact->count; k++)
        one->softest += contact->weight[k] * contact->weight[k] / mobility.mass[contact->node[k]];
    carom_contact_velocity(contact, v_before, one->before);
    return true;
}

// One Gauss-Seidel update of the normal impulse; returns the change of velocity it made.
static double relax_normal(carom_solved_contact *one, const carom_contact *contact, carom_mobility mobility, double (*v)[3]) {
    double rate = carom_contact_rate(contact, (carom_const_vectors)v);
    double lambda = fmax(0, one->normal - (rate - one->target) / one->softness);
    double change = lambda - one->normal, J[3];
    one->normal = lambda;
    for (int i = 0; i < 3; i++)
        J[i] = change * contact->normal[i];
    carom_contact_push(contact, mobility, J, v);
    return fabs(change) * one->softness;
}

// The same for friction: the impulse that would stop sliding, cut back to the Coulomb cone.
static double relax_tangential(carom_solved_contact *one, const carom_contact *contact, carom_mobility mobility,
                               double (*v)[3]) {
    double u[3];
    carom_contact_velocity(contact, (carom_const_vectors)v, u);
    carom_add_scaled(-carom_dot(contact->normal, u), contact->normal, u);

    double wanted[3], limit = one->friction * one->normal, change[3];
    for (int i = 0; i < 3; i++)
        wanted[i] = one->tangential[i] - u[i] / one->softest;
    double size = carom_norm(wanted);
    for (int i = 0; i < 3; i++) {
        if (size > limit)
            wanted[i] *= limit / size;
        change[i] = wanted[i] - one->tangential[i];
        one->tangential[i] = wanted[i];
    }
    carom_contact_push(contact, mobility, change, v);
    return carom_norm(change) * one->softest;
}

// One update of all impulses in the order of the list; returns the largest change of a rate.
static double sweep(carom_contact_solve *solve, carom_mobility mobility, double (*v)[3]) {
    double change = 0;
    for (int i = 0; i < solve->count; i++) {
        carom_solved_contact *one = &solve->items[i];
        const carom_contact *contact = &one->contact;
        change = fmax(change, relax_normal(one, contact, mobility, v));
        if (one->friction > 0)
            change = fmax(change, relax_tangential(one, contact, mobility, v));
    }
    return change;
}

// Gauss-Seidel is slow if masses differ a lot or contacts form long rows. On the active set, the contacts that press, the
// frictionless problem is linear with the symmetric matrix G_ij = n_i.(velocity of i by a unit impulse at j). Conjugate
// gradients solve it, the active set is corrected, and so on until it no longer changes.

// Applies a normal impulse at contact i.
static void push_normal(const carom_contact_solve *solve, carom_mobility mobility, int i, double size, double (*v)[3]) {
    const carom_contact *contact = &solve->items[i].contact;
    double J[3];
    for (int k = 0; k < 3; k++)
        J[k] = size * contact->normal[k];
    carom_contact_push(contact, mobility, J, v);
}

// How much the rate of contact i is below its target.
static double lack(const carom_contact_solve *solve, int i, const double (*v)[3]) {
    const carom_solved_contact *one = &solve->items[i];
    return one->target - carom_contact_rate(&one->contact, v);
}

// Conjugate gradients on the active set, preconditioned by the softness of each contact. G is never formed: a product with it
// is a push of all contacts and a look at their rates. True if all residuals are below `floor`.
static bool descend(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]) {
    const double(*u)[3] = (carom_const_vectors)v;
    double old = 0;
    for (int i = 0; i < solve->count; i++)
        solve->items[i].search = 0;
    for (int iteration = 0; iteration < 2 * solve->count + EXTRA_ITERATIONS; iteration++) {
        double rho = 0, largest = 0;
        for (int i = 0; i < solve->count; i++) {
            carom_solved_contact *one = &solve->items[i];
            if (!one->presses)
                continue;
            one->residual = lack(solve, i, u);
            largest = fmax(largest, fabs(one->residual));
            rho += one->residual * one->residual / one->softness;
        }
        if (!(largest > floor))
            return true;

        // the next direction, and the curvature along it
        double curvature = 0;
        for (int i = 0; i < solve->count; i++) {
            carom_solved_contact *one = &solve->items[i];
            if (one->presses)
                one->search = one->residual / one->softness + (iteration ? rho / old * one->search : 0);
        }
        for (int i = 0; i < solve->count; i++)
            if (solve->items[i].presses)
                push_normal(solve, mobility, i, solve->items[i].search, v);
        for (int i = 0; i < solve->count; i++)
            if (solve->items[i].presses)
                curvature += solve->items[i].search * (solve->items[i].residual - lack(solve, i, u));
        // v already contains the whole search direction: take back the part beyond alpha
        double alpha = curvature > 0 ? rho / curvature : 0;
        for (int i = 0; i < solve->count; i++)
            if (solve->items[i].presses) {
                solve->items[i].normal += alpha * solve->items[i].search;
                push_normal(solve, mobility, i, (alpha - 1) * solve->items[i].search, v);
            }
        if (!(alpha > 0))
            return false;
        old = rho;
    }
    return false;
}

// Solves the frictionless problem to the end by active sets.
static void finish_frictionless(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]) {
    for (int i = 0; i < solve->count; i++)
        solve->items[i].presses = solve->items[i].normal > 0 || lack(solve, i, (carom_const_vectors)v) > floor;
    for (int round = 0; round < ROUNDS; round++) {
        bool solved = descend(solve, mobility, floor, v), changed = false;
        for (int i = 0; i < solve->count; i++) {
            carom_solved_contact *one = &solve->items[i];
            // a contact cannot pull; one that closes must press
            if (one->normal < 0) {
                push_normal(solve, mobility, i, -one->normal, v);
                one->normal = 0;
                one->presses = false;
                changed = true;
            } else if (!one->presses && lack(solve, i, (carom_const_vectors)v) > floor) {
                one->presses = changed = true;
            }
        }
        if (!changed && solved)
            return;
    }
}

void carom_contact_solve_run(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]) {
    bool rough = false, surfaces = false;
    for (int i = 0; i < solve->count; i++) {
        const carom_contact *contact = &solve->items[i].contact;
        rough = rough || solve->items[i].friction > 0;
        surfaces = surfaces || carom_contact_is_between_surfaces(contact);
        for (int k = 0; k < contact->count; k++)
            carom_copy(v[contact->node[k]], solve->items[i].start[k]);
    }
    bool converged = false;
    int sweeps = surfaces ? SWEEPS_OF_SURFACES : rough ? SWEEPS : SWEEPS_BEFORE_FINISH;
    for (int s = 0; s < sweeps && !converged; s++)
        converged = sweep(solve, mobility, v) <= floor;
    if (!converged && !rough && !surfaces)
        finish_frictionless(solve, mobility, floor, v);

    // back to the start, then each impulse once: sweeps have added rounding errors to v
    for (int i = 0; i < solve->count; i++) {
        const carom_contact *contact = &solve->items[i].contact;
        for (int k = 0; k < contact->count; k++)
            carom_copy(solve->items[i].start[k], v[contact->node[k]]);
    }
    for (int i = 0; i < solve->count; i++) {
        const carom_solved_contact *one = &solve->items[i];
        const carom_contact *contact = &one->contact;
        double J[3];
        for (int k = 0; k < 3; k++)
            J[k] = one->normal * contact->normal[k] + one->tangential[k];
        carom_contact_push(contact, mobility, J, v);
    }
}

carom_hit carom_contact_solve_hit(const carom_solved_contact *one, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t, double late) {
    const carom_contact *contact = &one->contact;
    double after[3], mean[3], now[3];
    carom_contact_velocity(contact, v, after);
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (one->before[i] + after[i]);
    for (int i = 0; i < 3; i++)
        now[i] = late == 0.5 ? mean[i] : after[i] - late * (after[i] - one->before[i]);

    carom_hit hit = {.contact = *contact, .normal = one->normal};
    hit.rate = carom_dot(contact->normal, one->before);
    hit.restitution = -one->normal * carom_dot(contact->normal, mean);
    // the late part of the impulse, which acts while the velocity goes from that of the moment to the final one
    hit.late = -0.5 * late * one->normal * (carom_dot(contact->normal, now) + carom_dot(contact->normal, after));
    hit.friction = -carom_dot(one->tangential, mean);
    hit.slips = one->friction > 0 && carom_norm(one->tangential) >= one->friction * one->normal * slipping;
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = one->normal * contact->normal[i] + one->tangential[i];
    hit.ground = carom_contact_ground(contact, mobility, hit.impulse, x, v, t);
    hit.spot = carom_contact_spot(contact, x, v, t);
    return hit;
}
