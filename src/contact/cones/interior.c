// SPDX-License-Identifier: MIT
// One step of the interior point method for contacts with friction (interior.h). x0 and xt are the normal force and minus the
// friction force of a contact, u0 and ut its gap and slip, s and nu additional unknowns, mu the coefficient of friction. The
// complementarity conditions are relaxed by tau > 0, which goes to zero (S. J. Wright, Primal-dual interior-point methods, SIAM
// 1997, for contacts without friction):
//     u0 - s = 0,   s x0 = tau,
//     ut + 2 nu xt = 0,   nu c = tau,   c = mu^2 x0^2 - |xt|^2,      s, x0, nu, c > 0.
// As in Coulomb's law, the friction limit does not act on the gap: the equations are not those of a minimum,
// but Newton's method still applies. ds and dnu follow from dx,
//     ds  = (tau - s x0 - s dx0)/x0,
//     dnu = (tau - nu c - 2 nu (mu^2 x0 dx0 - xt.dxt))/c,
// and are eliminated. tau is chosen by predictor and corrector (S. Mehrotra, SIAM J. Optim. 2 (1992)
// 575-601): the admissible length of the step to tau = 0 determines tau, and the products of its changes enter
// the right-hand side of the second step.
#include "contact/cones/interior.h"

#include <math.h>

#include "base/allocate.h"
#include "contact/cone.h"
#include "math/functions.h"
#include "math/vec3.h"

// Largest fraction of the distance to the boundary that a step may take.
static const double step_fraction = 0.99;
// A smaller fraction for the friction cones, whose boundary is curved: a step that ends close to it must be
// followed by short ones. A heuristic.
static const double cone_fraction = 0.85;
// Bound of Mehrotra's correction in units of tau: large products of changes are unreliable.
static const double most_correction = 5;

// c = mu^2 x0^2 - |xt|^2.
static double cone_slack(const carom_cone_row *row, const double x[3]) {
    return carom_cone_slack(carom_hypot(x[1], x[2]), row->friction * x[0]);
}

// Immobile contacts keep x = 0.
static bool is_active(const carom_cone_row *row) {
    return !row->immobile;
}

void carom_cones_interior_start(const carom_cone_system *system, carom_cone_inside *inside) {
    // start with gaps and forces of the size of a tenth of the largest gap or slip, well inside the cones
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
        if (!is_active(row))
            continue;
        row->x[0] = fmax(row->x[0], size / row->block[0][0]);
        // friction at most half of its limit
        double factor = carom_cone_factor(carom_hypot(row->x[1], row->x[2]), 0.5 * row->friction * row->x[0]);
        for (int a = 1; a < row->size; a++)
            row->x[a] *= factor;
        if (row->size > 1)
            inside[i].nu = inside[i].s * row->x[0] / cone_slack(row, row->x);
    }
}

// Mean of all complementarity products at x + t dx: the value of tau of this iterate.
static double mean(const carom_cones_linear *linear, const carom_cone_system *system, const carom_cone_inside *inside,
                   double t) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        if (!is_active(row))
            continue;
        double x[3];
        for (int a = 0; a < 3; a++)
            x[a] = linear->tangents[i].x[a] + t * (row->x[a] - linear->tangents[i].x[a]);
        sum += (inside[i].s + t * inside[i].ds) * x[0];
        count++;
        if (row->size > 1) {
            sum += (inside[i].nu + t * inside[i].dnu) * cone_slack(row, x);
            count++;
        }
    }
    return count ? sum / count : 0;
}

// K (W dx) + L dx = b with ds and dnu eliminated; for the normal row L = s/x0; for the tangential rows L = 2 nu (1 + 2 xt
// xt^T/c) and, in the column of x0, -4 nu mu^2 x0 xt/c.
static void set_matrix(const carom_cone_row *row, const carom_cone_inside *in, carom_cone_tangent *t) {
    double mu2 = row->friction * row->friction, c = row->size > 1 ? cone_slack(row, row->x) : 1;
    for (int a = 0; a < row->size; a++) {
        t->K[a][a] = 1;
        for (int b = 1; b < row->size && a > 0; b++)
            t->L[a][b] = 2 * in->nu * (a == b) + 4 * in->nu / c * row->x[a] * row->x[b];
        t->L[a][0] = a ? -4 * in->nu * mu2 * row->x[0] / c * row->x[a] : in->s / row->x[0];
    }
}

// Right-hand sides for the present targets tau.
static void set_right(const carom_cone_row *row, const carom_cone_inside *in, carom_cone_tangent *t) {
    t->b[0] = in->tau[0] / row->x[0] - t->u[0];
    double c = row->size > 1 ? cone_slack(row, t->x) : 1;
    for (int a = 1; a < row->size; a++)
        t->b[a] = -t->u[a] - 2 * t->x[a] * in->tau[1] / c;
}

// Solves for the full step to the targets tau, and sets ds and dnu.
static carom_status solve_for(carom_cones_linear *linear, carom_cone_system *system, carom_cone_inside *inside,
                              carom_error *error) {
    for (int i = 0; i < system->count; i++)
        if (is_active(&system->rows[i]))
            set_right(&system->rows[i], &inside[i], &linear->tangents[i]);
    carom_status status = carom_cones_linear_move(linear, system, error);
    for (int i = 0; i < system->count && !status; i++) {
        const carom_cone_row *row = &system->rows[i];
        const carom_cone_tangent *t = &linear->tangents[i];
        if (!is_active(row))
            continue;
        double dx[3];
        carom_difference(row->x, t->x, dx);
        inside[i].ds = (inside[i].tau[0] - inside[i].s * row->x[0]) / t->x[0];
        if (row->size == 1)
            continue;
        double c = cone_slack(row, t->x), mu2 = row->friction * row->friction;
        double change = 2 * (mu2 * t->x[0] * dx[0] - t->x[1] * dx[1] - t->x[2] * dx[2]);
        inside[i].dnu = (inside[i].tau[1] - inside[i].nu * (c + change)) / c;
    }
    return status;
}

// Largest t with a + t da >= 0.
static double step_to_zero(double a, double da) {
    return da < 0 ? -a / da : INFINITY;
}

// Largest t with c(x + t dx) = c + 2 b t + a t^2 >= 0, by the root formula without cancellation.
static double step_to_cone(const carom_cone_row *row, const double x[3]) {
    double dx[3], mu2 = row->friction * row->friction;
    carom_difference(row->x, x, dx);
    double a = mu2 * dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
    double b = mu2 * x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
    double c = cone_slack(row, x), discriminant = b * b - a * c;
    if (discriminant < 0)
        return INFINITY;
    double below = sqrt(discriminant) - b;
    return below > 0 ? c / below : INFINITY;
}

// Largest admissible part of a step.
static double largest_step(const carom_cones_linear *linear, const carom_cone_system *system, const carom_cone_inside *inside) {
    double t = 1 / step_fraction;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        const double *x = linear->tangents[i].x;
        if (!is_active(row))
            continue;
        t = fmin(t, fmin(step_to_zero(inside[i].s, inside[i].ds), step_to_zero(x[0], row->x[0] - x[0])));
        if (row->size == 1)
            continue;
        t = fmin(t, step_to_zero(inside[i].nu, inside[i].dnu));
        t = fmin(t, cone_fraction * step_to_cone(row, x));
    }
    return fmin(1, step_fraction * t);
}

static double within(double value, double limit) {
    return fmax(-limit, fmin(limit, value));
}

// Mehrotra's corrector: targets tau minus the products of changes that the predictor would add.
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
    if (!carom_cones_linear_reserve(linear, system->count))
        return carom_no_memory(error, "contacts");
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &linear->tangents[i];
        const carom_cone_row *row = &system->rows[i];
        // all active contacts are closed: the interior point method has no active set
        *t = (carom_cone_tangent){.closed = is_active(row)};
        carom_copy(row->x, t->x);
        carom_cone_system_value(system, i, t->u);
        if (t->closed)
            set_matrix(row, &inside[i], t);
        else
            t->L[0][0] = t->L[1][1] = t->L[2][2] = 1;
    }
    // predictor and corrector use the same factorisation
    carom_status status = carom_cones_linear_factorise(linear, system, error);
    double now = mean(linear, system, inside, 0);

    // predictor: step to tau = 0
    for (int i = 0; i < system->count; i++)
        inside[i].tau[0] = inside[i].tau[1] = 0;
    if (!status)
        status = solve_for(linear, system, inside, error);
    if (status)
        return status;
    double reached = mean(linear, system, inside, largest_step(linear, system, inside)) / now;
    // Mehrotra's rule: the cube of the reduction by the predictor, but at most a factor of 1000 per step
    double tau = now * fmax(1e-3, reached * reached * reached);
    for (int i = 0; i < system->count; i++) {
        correct(&system->rows[i], &linear->tangents[i], tau, &inside[i]);
        // back to the start of the step
        carom_copy(linear->tangents[i].x, system->rows[i].x);
    }
    carom_cone_system_refresh(system);

    status = solve_for(linear, system, inside, error);
    if (status)
        return status;
    // take the corrected step, as far as the cones allow
    double t = largest_step(linear, system, inside);
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
