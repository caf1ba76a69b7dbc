// SPDX-License-Identifier: MIT
// All conditions hold relaxed by a tau > 0 that goes to zero (S. J. Wright, Primal-dual interior-point methods, SIAM 1997, for the contacts without friction):
//     u0 - s = 0,   s x0 = tau,
//     ut + 2 nu xt = 0,   nu (mu^2 x0^2 - |xt|^2) = tau,      s, x0, nu, mu^2 x0^2 - |xt|^2 > 0.
// As Coulomb's law wants, the limit of friction does not act back on the gap: this is no minimum, but the same Newton's method serves. With c the
// difference in brackets, ds and dnu follow from dx,
//     ds  = (tau - s x0 - s dx0)/x0,
//     dnu = (tau - nu c - 2 nu (mu^2 x0 dx0 - xt.dxt))/c,
// and are eliminated. tau is chosen from how far a step to tau = 0 would get (S. Mehrotra, SIAM J. Optim. 2 (1992) 575-601).
#include "contact/cones/interior.h"

#include <math.h>

#include "math/vec3.h"

// How much of the way to the edge is gone, at most.
static const double most_of_it = 0.99;
// Of the way to the edge of friction, so much less.
static const double less_of_it = 0.85;
// The most that the products of changes may correct, in units of tau.
static const double most_correction = 5;

// c
static double room(const carom_cone_row *row, const double x[3]) {
    return (row->friction * x[0] - hypot(x[1], x[2])) * (row->friction * x[0] + hypot(x[1], x[2]));
}

static bool takes_part(const carom_cone_row *row) {
    return !row->stuck;
}

void carom_cones_interior_start(const carom_cone_system *system, carom_cone_inside *inside) {
    double size = 0;
    for (int i = 0; i < system->count; i++)
        for (int a = 0; a < system->rows[i].size; a++)
            size = fmax(size, fabs(system->rows[i].w[a]));
    size = 0.1 * (size > 0 ? size : 1);
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        inside[i] = (carom_cone_inside){.s = fmax(u[0], size)};
        if (!takes_part(row))
            continue;
        row->x[0] = fmax(row->x[0], size / row->block[0][0]);
        double force = hypot(row->x[1], row->x[2]), limit = 0.5 * row->friction * row->x[0];
        for (int a = 1; a < row->size; a++)
            row->x[a] *= force > limit ? limit / force : 1;
        if (row->size > 1)
            inside[i].nu = inside[i].s * row->x[0] / room(row, row->x);
    }
}

// The mean of all products, of where the variables are or of where a step would bring them.
static double mean(const carom_cones_linear *linear, const carom_cone_system *system, const carom_cone_inside *inside,
                   double t) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        if (!takes_part(row))
            continue;
        double x[3];
        for (int a = 0; a < 3; a++)
            x[a] = linear->tangents[i].x[a] + t * (row->x[a] - linear->tangents[i].x[a]);
        sum += (inside[i].s + t * inside[i].ds) * x[0];
        count++;
        if (row->size > 1) {
            sum += (inside[i].nu + t * inside[i].dnu) * room(row, x);
            count++;
        }
    }
    return count ? sum / count : 0;
}

static void set_matrix(const carom_cone_row *row, const carom_cone_inside *in, carom_cone_tangent *t) {
    double mu2 = row->friction * row->friction, c = row->size > 1 ? room(row, row->x) : 1;
    for (int a = 0; a < row->size; a++) {
        t->K[a][a] = 1;
        for (int b = 1; b < row->size && a > 0; b++)
            t->L[a][b] = 2 * in->nu * (a == b) + 4 * in->nu / c * row->x[a] * row->x[b];
        t->L[a][0] = a ? -4 * in->nu * mu2 * row->x[0] / c * row->x[a] : in->s / row->x[0];
    }
}

static void set_right(const carom_cone_row *row, const carom_cone_inside *in, carom_cone_tangent *t) {
    t->b[0] = in->tau[0] / row->x[0] - t->u[0];
    double c = row->size > 1 ? room(row, t->x) : 1;
    for (int a = 1; a < row->size; a++)
        t->b[a] = -t->u[a] - 2 * t->x[a] * in->tau[1] / c;
}

// Goes all the way, and finds ds and dnu.
static carom_status aim(carom_cones_linear *linear, carom_cone_system *system, carom_cone_inside *inside, carom_error *error) {
    for (int i = 0; i < system->count; i++)
        if (takes_part(&system->rows[i]))
            set_right(&system->rows[i], &inside[i], &linear->tangents[i]);
    carom_status status = carom_cones_linear_move(linear, system, error);
    for (int i = 0; i < system->count && !status; i++) {
        const carom_cone_row *row = &system->rows[i];
        const carom_cone_tangent *t = &linear->tangents[i];
        if (!takes_part(row))
            continue;
        double dx[3];
        carom_difference(row->x, t->x, dx);
        inside[i].ds = (inside[i].tau[0] - inside[i].s * row->x[0]) / t->x[0];
        if (row->size == 1)
            continue;
        double c = room(row, t->x), mu2 = row->friction * row->friction;
        double change = 2 * (mu2 * t->x[0] * dx[0] - t->x[1] * dx[1] - t->x[2] * dx[2]);
        inside[i].dnu = (inside[i].tau[1] - inside[i].nu * (c + change)) / c;
    }
    return status;
}

// The part of the step that keeps a > 0 where a becomes a + da.
static double part_of(double a, double da) {
    return da < 0 ? -a / da : INFINITY;
}

// The same for c, which becomes c + 2 b t + a t^2.
static double part_inside(const carom_cone_row *row, const double x[3]) {
    double dx[3], mu2 = row->friction * row->friction;
    carom_difference(row->x, x, dx);
    double a = mu2 * dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
    double b = mu2 * x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
    double c = room(row, x), discriminant = b * b - a * c;
    if (discriminant < 0)
        return INFINITY;
    double below = sqrt(discriminant) - b;
    return below > 0 ? c / below : INFINITY;
}

static double farthest(const carom_cones_linear *linear, const carom_cone_system *system, const carom_cone_inside *inside) {
    double t = 1 / most_of_it;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        const double *x = linear->tangents[i].x;
        if (!takes_part(row))
            continue;
        t = fmin(t, fmin(part_of(inside[i].s, inside[i].ds), part_of(x[0], row->x[0] - x[0])));
        if (row->size == 1)
            continue;
        t = fmin(t, part_of(inside[i].nu, inside[i].dnu));
        t = fmin(t, less_of_it * part_inside(row, x));
    }
    return fmin(1, most_of_it * t);
}

static double within(double value, double limit) {
    return fmax(-limit, fmin(limit, value));
}

// Asks for tau, less what the products of changes would add.
static void correct(const carom_cone_row *row, const carom_cone_tangent *t, double tau, carom_cone_inside *in) {
    double dx[3], mu2 = row->friction * row->friction;
    carom_difference(row->x, t->x, dx);
    in->tau[0] = tau - within(in->ds * dx[0], most_correction * tau);
    double first = 2 * (mu2 * t->x[0] * dx[0] - t->x[1] * dx[1] - t->x[2] * dx[2]);
    double second = mu2 * dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
    in->tau[1] = tau - within(in->dnu * first + (in->nu + in->dnu) * second, most_correction * tau);
}

carom_status carom_cones_interior_step(carom_cones_linear *linear, carom_cone_system *system, carom_cone_inside *inside,
                                       double *step, carom_error *error) {
    if (!carom_cones_linear_make_room(linear, system->count))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &linear->tangents[i];
        const carom_cone_row *row = &system->rows[i];
        *t = (carom_cone_tangent){.closed = takes_part(row)};
        carom_copy(row->x, t->x);
        carom_cone_system_value(system, i, t->u);
        if (t->closed)
            set_matrix(row, &inside[i], t);
        else
            t->L[0][0] = t->L[1][1] = t->L[2][2] = 1;
    }
    carom_status status = carom_cones_linear_factorise(linear, system, error);
    double now = mean(linear, system, inside, 0);

    // what the edge itself would give
    for (int i = 0; i < system->count; i++)
        inside[i].tau[0] = inside[i].tau[1] = 0;
    if (!status)
        status = aim(linear, system, inside, error);
    if (status)
        return status;
    double reached = mean(linear, system, inside, farthest(linear, system, inside)) / now;
    double tau = now * fmax(1e-3, reached * reached * reached);
    for (int i = 0; i < system->count; i++) {
        correct(&system->rows[i], &linear->tangents[i], tau, &inside[i]);
        carom_copy(linear->tangents[i].x, system->rows[i].x);
    }
    carom_cone_system_refresh(system);

    status = aim(linear, system, inside, error);
    if (status)
        return status;
    double t = farthest(linear, system, inside);
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        const double *x = linear->tangents[i].x;
        for (int a = 0; a < row->size; a++)
            row->x[a] = x[a] + t * (row->x[a] - x[a]);
        inside[i].s += t * inside[i].ds;
        inside[i].nu += t * inside[i].dnu;
    }
    carom_cone_system_refresh(system);
    *step = t;
    return CAROM_OK;
}
