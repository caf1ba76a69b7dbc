// SPDX-License-Identifier: MIT
// Computes the contact tractions at one quadrature point, the nodal forces and their tangent (tractions.h), with the contact
// operators of
//     G. R. Love, T. A. Laursen: Improved implicit integrators for transient impact problems: dynamic
//     frictional dissipation within an admissible conserving framework. Comput. Methods Appl. Mech. Engrg.
//     192 (2003) 2223-2248.
//
// A face x_m(xi) has tangents tau_a and the normal m = tau_1 x tau_2/|.|; a segment of the plane has tau_2
// = e_z. The projection is not clamped to the face, so that x_s - x_m = -g m exactly. With P_A =
// N_A(slave), -N_A(xi) (master), and P_A,a = 0, -N_A,a(xi),
//
//     A_ab = tau_a.tau_b + g m.x_,ab      N_A = P_A m      D^a_A = (A^-1)_ab (P_A tau_b + g P_A,b m)
//     dg = -sum N_A.dx_A                  dxi^a = sum D^a_A.dx_A
//     sum N_A = sum D_A = 0,   sum x_A x N_A = sum x_A x D_A = 0
//
// Tractions of a step dd = x1 - x0 by the operators of the midpoint positions (`plain`: by those at x1, with g(x1) instead of
// the minimum), eps the penalties, l the multipliers:
//
//     dt v_N = -sum N_A.dd_A          v_T^a = sum D^a_A.dd_A/dt
//     t_N = <l_N + eps_N min(g(x1), dt v_N)>
//     t_tr_a = l_a + eps_T m_ab v_T^b,   t_T = t_tr if |t_tr| < mu t_N (stick), mu t_N t_tr/|t_tr|
//     otherwise (slip)
//     D = t_T.v_T of a slipping point, not less than zero
//     f_A = area (t_N N_A - t_Ta D^a_A)
//
// The tangent is computed by a complex step of 1e-30 in each coordinate; branches are decided by real
// parts. The projection is found in real arithmetic; one more Newton iteration in complex arithmetic then
// has the exact derivative.
#include "contact/quadrature/tractions.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"

typedef double complex number;

enum {
    NODES = CAROM_QUADRATURE_NODES,
    ITERATIONS = 40, // of Newton's method for a projection; it converges in a few unless the face is badly warped
    FEW = 6          // after which steps that no longer decrease are rounding
};

// The operators of a point at one configuration; names as in the head of this file.
typedef struct operators {
    number g;
    number m[3];
    number metric[2][2];
    number N[NODES][3];
    number D[2][NODES][3];
} operators;

// Without complex conjugation: the functions must be analytic for the complex step.
static number dot(const number a[3], const number b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const number a[3], const number b[3], number c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Shape functions of a face and their derivatives. The only second derivative that does not vanish is N_,12
// of a quadrilateral.
static void shape(int corners, const number xi[2], number N[4], number dN[2][4], double mixed[4]) {
    static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    memset(mixed, 0, 4 * sizeof *mixed);
    switch (corners) {
    case 2:
        N[0] = 1 - xi[0], N[1] = xi[0];
        dN[0][0] = -1, dN[0][1] = 1;
        dN[1][0] = dN[1][1] = 0;
        break;
    case 3:
        N[0] = 1 - xi[0] - xi[1], N[1] = xi[0], N[2] = xi[1];
        dN[0][0] = dN[1][0] = -1;
        dN[0][1] = dN[1][2] = 1;
        dN[0][2] = dN[1][1] = 0;
        break;
    default:
        for (int a = 0; a < 4; a++) {
            number r = 1 + at[a][0] * xi[0], s = 1 + at[a][1] * xi[1];
            N[a] = 0.25 * r * s;
            dN[0][a] = 0.25 * at[a][0] * s;
            dN[1][a] = 0.25 * at[a][1] * r;
            mixed[a] = 0.25 * at[a][0] * at[a][1];
        }
    }
}

// A face at xi: the vector r from it to the point, its tangents, and x_,12.
typedef struct face_point {
    number N[4], dN[2][4], r[3], tau[2][3], warp[3];
} face_point;

static void evaluate_face(int corners, const number (*x)[3], const number point[3], const number xi[2], face_point *f) {
    double mixed[4];
    shape(corners, xi, f->N, f->dN, mixed);
    memcpy(f->r, point, sizeof f->r);
    memset(f->tau, 0, sizeof f->tau);
    memset(f->warp, 0, sizeof f->warp);
    for (int a = 0; a < corners; a++)
        for (int i = 0; i < 3; i++) {
            f->r[i] -= f->N[a] * x[a][i];
            f->tau[0][i] += f->dN[0][a] * x[a][i];
            f->tau[1][i] += f->dN[1][a] * x[a][i];
            f->warp[i] += mixed[a] * x[a][i];
        }
    // in the plane the second tangent is e_z
    if (corners == 2)
        f->tau[1][2] = 1;
}

// One Newton iteration for r.tau_a = 0; the Hessian is tau_a.tau_b - r.x_,ab.
static void newton_update(int corners, const face_point *f, number xi[2]) {
    number h11 = dot(f->tau[0], f->tau[0]), h12 = dot(f->tau[0], f->tau[1]) - dot(f->r, f->warp);
    number h22 = dot(f->tau[1], f->tau[1]), b1 = dot(f->r, f->tau[0]), b2 = dot(f->r, f->tau[1]);
    if (corners == 2) {
        xi[0] += b1 / h11;
        return;
    }
    number det = h11 * h22 - h12 * h12;
    xi[0] += (h22 * b1 - h12 * b2) / det;
    xi[1] += (h11 * b2 - h12 * b1) / det;
}

// The projection of a point onto a face, once it is known.
typedef struct foot {
    bool known;
    double xi[2];
} foot;

// Steps of a projection below this can be rounding of positions, which is relative to the distance from
// the origin and not to the size of the face: a face of size 1e-3 at a distance of 1000 has steps of 1e-10 that never decrease.
static const double rounding_step = 1e-6;

// Projects a point onto the face extended beyond its edges, in real arithmetic; false if the iteration does
// not converge.
static bool find_foot(int corners, const number (*x)[3], const number point[3], foot *at) {
    number real_x[4][3], real_point[3], xi[2];
    face_point f;
    for (int i = 0; i < 3; i++) {
        real_point[i] = creal(point[i]);
        for (int a = 0; a < corners; a++)
            real_x[a][i] = creal(x[a][i]);
    }
    // start at the centre of the face
    xi[0] = corners == 2 ? 0.5 : corners == 3 ? 1.0 / 3 : 0;
    xi[1] = corners == 3 ? 1.0 / 3 : 0;
    double last = HUGE_VAL;
    for (int n = 0; n < ITERATIONS && !at->known; n++) {
        double old[2] = {creal(xi[0]), creal(xi[1])};
        evaluate_face(corners, (const number(*)[3])real_x, real_point, xi, &f);
        newton_update(corners, &f, xi);
        double step = fmax(fabs(creal(xi[0]) - old[0]), fabs(creal(xi[1]) - old[1]));
        // rounding, relative to the coordinates
        at->known = step <= 1e-14 * (1 + fabs(old[0]) + fabs(old[1])) ||
                    (n >= FEW && step <= rounding_step * (1 + fabs(old[0]) + fabs(old[1])) && step >= 0.5 * last);
        last = step;
        // divergence, or NaN
        if (!(step < 1e3))
            return false;
    }
    at->xi[0] = creal(xi[0]);
    at->xi[1] = creal(xi[1]);
    return at->known;
}

// The projection of a point with its derivatives, by one complex Newton iteration at the real solution.
static bool project(int corners, const number (*x)[3], const number point[3], foot *at, number xi[2], face_point *f) {
    if (!at->known && !find_foot(corners, x, point, at))
        return false;
    xi[0] = at->xi[0];
    xi[1] = at->xi[1];
    evaluate_face(corners, x, point, xi, f);
    newton_update(corners, f, xi);
    evaluate_face(corners, x, point, xi, f);
    return true;
}

// m = tau_1 x tau_2/|tau_1 x tau_2|
static void normal_of(const face_point *f, number m[3]) {
    cross(f->tau[0], f->tau[1], m);
    number length = csqrt(dot(m, m));
    for (int i = 0; i < 3; i++)
        m[i] /= length;
}

// Operators of a fixed frame (a plane, or ends on a line): weights of the nodes, one normal, orthonormal
// tangents.
static void frame_operators(const carom_quadrature_point *p, const number (*x)[3], operators *o) {
    o->g = p->offset;
    for (int i = 0; i < 3; i++)
        o->m[i] = p->normal[i];
    o->metric[0][0] = o->metric[1][1] = 1;
    o->metric[0][1] = o->metric[1][0] = 0;
    for (int a = 0; a < p->slave_count; a++) {
        o->g -= p->N[a] * dot(o->m, x[a]);
        for (int i = 0; i < 3; i++) {
            o->N[a][i] = p->N[a] * p->normal[i];
            o->D[0][a][i] = p->N[a] * p->tangent[0][i];
            o->D[1][a][i] = p->N[a] * p->tangent[1][i];
        }
    }
}

// The operators of a point at the positions x of its nodes; false if there is no projection.
static bool find_operators(const carom_quadrature_point *p, const number (*x)[3], foot *at, operators *o) {
    if (p->corners == 0) {
        frame_operators(p, x, o);
        return true;
    }
    int n = p->slave_count;
    number point[3] = {0}, xi[2];
    face_point f;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            point[i] += p->N[a] * x[a][i];
    if (!project(p->corners, x + n, point, at, xi, &f))
        return false;
    normal_of(&f, o->m);
    o->g = -dot(o->m, f.r);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            o->metric[a][b] = dot(f.tau[a], f.tau[b]);

    // the inverse of A
    number a11 = o->metric[0][0], a22 = o->metric[1][1], a12 = o->metric[0][1] + o->g * dot(o->m, f.warp);
    number det = a11 * a22 - a12 * a12;
    number inverse[2][2] = {{a22 / det, -a12 / det}, {-a12 / det, a11 / det}};
    for (int A = 0; A < n + p->corners; A++) {
        number P = A < n ? p->N[A] : -f.N[A - n];
        number dP[2] = {A < n ? 0 : -f.dN[0][A - n], A < n ? 0 : -f.dN[1][A - n]};
        for (int i = 0; i < 3; i++) {
            number t0 = P * f.tau[0][i] + o->g * dP[0] * o->m[i], t1 = P * f.tau[1][i] + o->g * dP[1] * o->m[i];
            o->N[A][i] = P * o->m[i];
            o->D[0][A][i] = inverse[0][0] * t0 + inverse[0][1] * t1;
            o->D[1][A][i] = inverse[1][0] * t0 + inverse[1][1] * t1;
        }
    }
    return true;
}

// A traction in complex numbers; names as in carom_traction.
typedef struct trial_traction {
    number gap, rate, normal, tangential[2], slip[2], size;
    bool slips;
} trial_traction;

// Coulomb's law: the trial traction if the point sticks, otherwise its projection onto the friction cone.
// Norms of covariant components use the inverse metric.
static void apply_coulomb(const carom_quadrature_point *p, const operators *o, trial_traction *t) {
    const number(*g)[2] = o->metric;
    number trial[2];
    for (int a = 0; a < 2; a++)
        trial[a] = p->multiplier_t[a] + p->tangential * (g[a][0] * t->slip[0] + g[a][1] * t->slip[1]);
    number det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    number square = (g[1][1] * trial[0] * trial[0] - 2 * g[0][1] * trial[0] * trial[1] + g[0][0] * trial[1] * trial[1]) / det;
    double most = p->friction * creal(t->normal);
    t->slips = creal(square) >= most * most && creal(square) > 0;
    number scale = t->slips ? p->friction * t->normal / csqrt(square) : 1;
    for (int a = 0; a < 2; a++)
        t->tangential[a] = scale * trial[a];
    t->size = t->slips ? p->friction * t->normal : csqrt(square);
}

// The traction of a point: operators `by` for rates, the gap of `end`.
static void find_traction(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const operators *by,
                          const operators *end, const number (*dd)[3], trial_traction *t) {
    int n = carom_quadrature_nodes(p);
    memset(t, 0, sizeof *t);
    t->gap = end->g + rule->thickness;
    for (int A = 0; A < n; A++) {
        t->rate -= dot(by->N[A], dd[A]);
        for (int a = 0; a < 2; a++)
            t->slip[a] += dot(by->D[a][A], dd[A]) / rule->step;
    }
    number depth = rule->plain || creal(t->gap) < creal(t->rate) ? t->gap : t->rate;
    // the smaller of overlap and overlap gained: a contact that opens must not pull
    t->normal = p->multiplier + p->penalty * depth;
    if (!(creal(t->normal) > 0)) {
        t->normal = 0;
        return;
    }
    if (p->friction > 0)
        apply_coulomb(p, by, t);
}

// f_A = area (t_N N_A - t_Ta D^a_A)
static void nodal_forces(const carom_quadrature_point *p, const trial_traction *t, const operators *o, number (*f)[3]) {
    for (int A = 0; A < carom_quadrature_nodes(p); A++)
        for (int i = 0; i < 3; i++)
            f[A][i] = p->area * (t->normal * o->N[A][i] - t->tangential[0] * o->D[0][A][i] - t->tangential[1] * o->D[1][A][i]);
}

// One evaluation with coordinate `column` of x1 displaced by i 1e-30, or none if it is negative. feet[0]
// and feet[1] are the projections at the end and at the midpoint; they are kept between columns.
static bool evaluate(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const double (*x0)[3],
                     const double (*x1)[3], int column, foot feet[2], operators *by, operators *end, trial_traction *t) {
    number middle[NODES][3], after[NODES][3], dd[NODES][3];
    for (int A = 0; A < carom_quadrature_nodes(p); A++)
        for (int i = 0; i < 3; i++) {
            double from = x0[p->node[A]][i], to = x1[p->node[A]][i];
            number step = 3 * A + i == column ? 1e-30 * I : 0;
            after[A][i] = to + step;
            dd[A][i] = to - from + step;
            middle[A][i] = 0.5 * (from + to) + 0.5 * step;
        }
    if (!find_operators(p, (const number(*)[3])after, &feet[0], end))
        return false;
    // An open point without a multiplier has no traction at any rate; most points that the pairing finds are open.
    if (p->multiplier == 0 && creal(end->g) + rule->thickness <= 0) {
        *t = (trial_traction){.gap = end->g + rule->thickness};
        return true;
    }
    if (rule->plain)
        *by = *end;
    else if (!find_operators(p, (const number(*)[3])middle, &feet[1], by))
        return false;
    find_traction(p, rule, by, end, (const number(*)[3])dd, t);
    return true;
}

// Complex functions evaluated at real arguments: one implementation serves values and derivatives.
bool carom_quadrature_traction(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const double (*x0)[3],
                               const double (*x1)[3], carom_traction *traction) {
    operators by, end;
    trial_traction t;
    foot feet[2] = {{0}};
    memset(traction, 0, sizeof *traction);
    traction->gap = -HUGE_VAL;
    if (!evaluate(p, rule, x0, x1, -1, feet, &by, &end, &t))
        return false;
    traction->gap = creal(t.gap);
    traction->rate = creal(t.rate);
    traction->normal = creal(t.normal);
    traction->size = creal(t.size);
    traction->slips = t.slips;
    // dissipation is counted for slipping points only: a sticking point stores what it resists
    double power = 0;
    for (int a = 0; a < 2; a++) {
        traction->tangential[a] = creal(t.tangential[a]);
        traction->slip[a] = creal(t.slip[a]);
        power += traction->tangential[a] * traction->slip[a];
    }
    traction->power = power;
    traction->dissipation = t.slips ? fmax(power, 0) : 0;
    for (int i = 0; i < 3; i++) {
        traction->m[i] = creal(end.m[i]);
        // a fixed frame has weights of both signs; the first side is the one with positive weights
        for (int a = 0; a < p->slave_count; a++)
            traction->place[i] += (p->corners || p->N[a] > 0 ? p->N[a] : 0) * x1[p->node[a]][i];
    }
    if (!(traction->normal > 0))
        return true;
    number f[NODES][3], after[NODES][3];
    nodal_forces(p, &t, &by, f);
    nodal_forces(p, &t, &end, after);
    for (int A = 0; A < carom_quadrature_nodes(p); A++)
        for (int i = 0; i < 3; i++) {
            traction->force[A][i] = creal(f[A][i]);
            traction->after[A][i] = creal(after[A][i]);
            traction->press[A][i] = p->area * traction->normal * creal(end.N[A][i]);
            traction->drag[A][i] =
                p->area * (traction->tangential[0] * creal(end.D[0][A][i]) + traction->tangential[1] * creal(end.D[1][A][i]));
        }
    return true;
}

void carom_quadrature_tangent(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const double (*x0)[3],
                              const double (*x1)[3], double *K) {
    int n = carom_quadrature_nodes(p), dofs = 3 * n;
    foot feet[2] = {{0}};
    memset(K, 0, (size_t)(dofs * dofs) * sizeof *K);
    for (int j = 0; j < dofs; j++) {
        operators by, end;
        trial_traction t;
        number f[NODES][3];
        if (!evaluate(p, rule, x0, x1, j, feet, &by, &end, &t) || !(creal(t.normal) > 0))
            continue;
        nodal_forces(p, &t, &by, f);
        // derivative = imaginary part / step, without cancellation
        for (int i = 0; i < dofs; i++)
            K[i * dofs + j] = -cimag(f[i / 3][i % 3]) / 1e-30;
    }
}

double carom_quadrature_slide(const carom_quadrature_point *p, const double (*x)[3], const double (*v)[3]) {
    number at[NODES][3];
    operators o;
    foot place = {0};
    double slip[2] = {0}, square = 0;
    for (int A = 0; A < carom_quadrature_nodes(p); A++)
        for (int i = 0; i < 3; i++)
            at[A][i] = x[p->node[A]][i];
    if (!find_operators(p, (const number(*)[3])at, &place, &o))
        return 0;
    for (int a = 0; a < 2; a++)
        for (int A = 0; A < carom_quadrature_nodes(p); A++)
            for (int i = 0; i < 3; i++)
                slip[a] += creal(o.D[a][A][i]) * v[p->node[A]][i];
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            square += creal(o.metric[a][b]) * slip[a] * slip[b];
    return sqrt(fmax(0, square));
}

double carom_side_distance(const double a[3], const double b[3], const double point[3]) {
    double d[3], r[3];
    carom_difference(b, a, d);
    carom_difference(point, a, r);
    double square = carom_dot(d, d), s = square > 0 ? fmin(fmax(carom_dot(r, d) / square, 0), 1) : 0;
    carom_add_scaled(-s, d, r);
    return carom_norm(r);
}

double carom_face_distance(int corners, const int *nodes, const double (*x)[3], const double point[3], double *height,
                           double toward[3]) {
    number at[4][3], place[3], xi[2], m[3];
    face_point f;
    foot nearest = {0};
    for (int i = 0; i < 3; i++) {
        place[i] = point[i];
        for (int a = 0; a < corners; a++)
            at[a][i] = x[nodes[a]][i];
    }
    bool found = project(corners, (const number(*)[3])at, place, &nearest, xi, &f);
    double u = nearest.xi[0], v = nearest.xi[1], distance = HUGE_VAL;
    *height = 0;
    if (found) {
        normal_of(&f, m);
        *height = creal(dot(m, f.r));
        for (int i = 0; i < 3; i++)
            toward[i] = creal(m[i]);
    }
    // inside the parameter range of the face the distance is the height, otherwise that of the nearest side
    bool inside = corners == 2   ? u >= 0 && u <= 1
                  : corners == 3 ? u >= 0 && v >= 0 && u + v <= 1
                                 : fabs(u) <= 1 && fabs(v) <= 1;
    if (!found)
        return HUGE_VAL;
    if (inside)
        return fabs(*height);
    for (int e = 0; e < (corners == 2 ? 1 : corners); e++)
        distance = fmin(distance, carom_side_distance(x[nodes[e]], x[nodes[(e + 1) % corners]], point));
    return distance;
}
