// SPDX-License-Identifier: MIT
// A semismooth Newton step for the contacts of an island (newton.h), on the projections that define the solution (P. Alart, A.
// Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353-375):
//     x0 = max(0, x0 - u0/q),   xt = the point of the disc |xt| <= mu x0 closest to z = xt - ut/c,
// with x0, xt the normal force and minus the friction force, u0, ut gap and slip, mu the coefficient of friction, and q, c the
// normal and tangential compliance of the contact itself. The branch that is active at x is linearised:
//     open     x = 0
//     stick    u = 0
//     slip     u0 = 0,   xt = mu x0 e,   e = z/|z|;     de = (1 - e e^T) dz/|z|.
// Without friction this is the primal-dual active set method, which changes all contacts at once.
#include "contact/cones/newton.h"

#include <math.h>

#include "base/allocate.h"
#include "contact/cone.h"
#include "math/functions.h"
#include "math/vec3.h"

// The slip equations multiplied by c: K = (mu x0/|z|) (1 - e e^T), L = c (1 - K), and the coupling to x0.
// In two dimensions e is +-1 and constant.
static void set_slip(const carom_cone_row *row, const double z[2], double limit, carom_cone_tangent *t) {
    double size = carom_hypot(z[0], z[1]), e[2] = {z[0] / size, z[1] / size}, part = carom_cone_factor(size, limit);
    for (int a = 1; a < row->size; a++) {
        for (int b = 1; b < row->size; b++) {
            double across = row->size > 2 ? (a == b) - e[a - 1] * e[b - 1] : 0;
            t->K[a][b] = part * across;
            t->L[a][b] = row->slip_compliance * ((a == b) - part * across);
        }
        t->L[a][0] = -row->slip_compliance * row->friction * e[a - 1];
        t->b[a] = row->slip_compliance * (row->friction * row->x[0] * e[a - 1] - row->x[a]);
    }
}

// The equations of contact i at its present x and u.
static void set_tangent(const carom_cone_system *system, int i, carom_cone_tangent *t) {
    const carom_cone_row *row = &system->rows[i];
    *t = (carom_cone_tangent){0};
    carom_copy(row->x, t->x);
    carom_cone_system_value(system, i, t->u);
    // `trial`: the normal force before projection to x0 >= 0
    double q = row->block[0][0], trial = row->immobile || row->excluded ? 0 : row->x[0] - t->u[0] / q;
    if (!(trial > 0)) {
        for (int a = 0; a < row->size; a++) {
            // open: x goes to zero
            t->L[a][a] = row->immobile ? 1 : q;
            t->b[a] = -t->L[a][a] * row->x[a];
        }
        return;
    }
    t->closed = true;
    t->K[0][0] = 1;
    t->b[0] = -t->u[0];
    if (row->size == 1)
        return;
    // fixed friction: xt stays
    for (int a = 1; a < row->size && system->frozen; a++)
        t->L[a][a] = row->slip_compliance;
    if (system->frozen)
        return;
    double z[2];
    carom_cone_row_trial(row, t->u, z);
    // inside the disc the contact sticks
    double limit = row->friction * trial;
    if (carom_hypot(z[0], z[1]) > limit) {
        set_slip(row, z, limit, t);
        return;
    }
    for (int a = 1; a < row->size; a++) {
        t->K[a][a] = 1;
        t->b[a] = -t->u[a];
    }
}

carom_status carom_cones_newton_step(carom_cones_linear *linear, carom_cone_system *system, carom_error *error) {
    if (!carom_cones_linear_reserve(linear, system->count))
        return carom_no_memory(error, "contacts");
    for (int i = 0; i < system->count; i++)
        set_tangent(system, i, &linear->tangents[i]);
    carom_status status = carom_cones_linear_factorise(linear, system, error);
    if (!status)
        status = carom_cones_linear_move(linear, system, error);
    carom_cone_system_refresh(system);
    return status;
}
