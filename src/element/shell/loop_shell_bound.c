// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// An upper bound of the stiffness of a deformed shell. At a quadrature point the energy is a function of y = (a_1, a_2, a_11,
// a_22, a_12), and y = D u is linear in the nodes. With weights t_a > 0 of the nodes and Q = D T^-1 D^T, a matrix of 5 x 5
// numbers,
//
//     u.K u = dy^T h dy <= lambda sum_a t_a |u_a|^2,    lambda = largest eigenvalue of h Q.
//
// Here h is the Hessian of loop_shell_point.c, and u has a component along the normal a_3 of the point and tangential ones.
// Membrane strains depend on the tangential components alone, and bending strains on the normal one:
//
//     d alpha_ab = sym(a_a.du_b),    d beta_ab = dw_ab - (a_ab.a^c) dw_c,    w = u.a_3.
//
// For a law that is linear in strain each of the two is an eigenvalue problem of 3 x 3 numbers, H (d Q d^T), whose largest
// eigenvalue follows from traces (carom_shell_cap). The geometric terms are problems of 2 x 2 numbers: n^ab for tangential
// components, n^ab - (q.a_3) g^ab for normal ones. One term couples them,
//
//     2 (w_c a^c).(k^d du_d - m^ab du_ab)  <=  2 kappa |u_t| |u_n|,    kappa^2 = (z.Q z) lambda_max(g^-1 Q),
//
// with z = (k^1, k^2, -m^11, -m^22, -2 m^12), and lambda is the larger eigenvalue of ((l_t, kappa), (kappa, l_n)). Other laws
// take h of 15 x 15 numbers and the trace of a power.
//
// The weights t_a are square roots of the diagonal stiffnesses of the nodes at zero strain: for a matrix K = z z^T of rank one,
// of all weights with K <= diag(t_a) the weights t_a = |z_a| sum_b |z_b| have the smallest sum. Patches at a mirror have
// weights D that differ between x, y and z; Q is then a bound for all three.
#include <math.h>
#include <string.h>

#include "element/batch.h"
#include "element/bound.h"
#include "element/shell/loop_shell_bound_body.h"
#include "material/material.h"
#include "math/vec3.h"

enum { Q_SIZE = CAROM_SHELL_ROWS };

// Index at which the numbers of a point begin: Q, then the weights t_a.
static int numbers_of(const carom_shell *s, int q) {
    return carom_shell_bound_begin(s->point_count, carom_shell_weight_size(s->block->variant, s->n), s->n, q);
}

// The Hessian of a shell with layers: as carom_shell_hessian, with the product of tangent and gradients computed only once.
static void layers_hessian(const carom_shell_point *point, const double force[6], double tangent[6][6], double h[15][15]) {
    double d[6][15], turned[6][15];
    carom_shell_strain_gradients(point, d);
    for (int s = 0; s < 6; s++)
        for (int c = 0; c < 15; c++) {
            turned[s][c] = 0;
            for (int t = 0; t < 6; t++)
                turned[s][c] += tangent[s][t] * d[t][c];
        }
    for (int r = 0; r < 15; r++)
        for (int c = 0; c < 15; c++) {
            h[r][c] = 0;
            for (int s = 0; s < 6; s++)
                h[r][c] += d[s][r] * turned[s][c];
        }
    carom_shell_add_geometric(point, force, h);
}

// The Hessian at a point for any law; false if the law is undefined.
static bool hessian_at(const carom_shell *s, int e, int q, const carom_shell_rows *rows, const double (*x)[3], double h[15][15],
                       carom_shell_point *point) {
    double strain[6], resultant[6], tangent[6][6];
    carom_shell_place(s, e, rows, x, point);
    carom_shell_strain(s, e, q, point, strain);
    if (!(carom_shell_law(s, e, q, strain, resultant, tangent, NULL) < HUGE_VAL))
        return false;
    if (s->layers)
        layers_hessian(point, resultant, tangent, h);
    else
        carom_shell_hessian(point, resultant, (const double(*)[6])tangent, h);
    return true;
}

// The smallest factor c with N <= c M, by bisection: c M - N is positive exactly if its Cholesky factor exists.
static double factor_between(double N[Q_SIZE][Q_SIZE], double M[Q_SIZE][Q_SIZE]) {
    // M is the mean of the matrices of three components, so 1 <= c <= 3
    double low = 1, high = 3;
    for (int round = 0; round < 12; round++) {
        double c = 0.5 * (low + high), L[Q_SIZE][Q_SIZE];
        bool positive = true;
        for (int i = 0; i < Q_SIZE && positive; i++)
            for (int j = 0; j <= i && positive; j++) {
                double sum = c * M[i][j] - N[i][j] + (i == j ? 1e-9 * M[i][i] : 0);
                for (int k = 0; k < j; k++)
                    sum -= L[i][k] * L[j][k];
                positive = i != j || sum > 0;
                L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
            }
        if (positive)
            high = c;
        else
            low = c;
    }
    return high;
}

// Q of a point; for patches at a mirror one that bounds those of all three components.
static void gather_weights(const carom_shell_rows *rows, int n, const double *t, double Q[Q_SIZE][Q_SIZE]) {
    double own[3][Q_SIZE][Q_SIZE], factor = 1;
    memset(Q, 0, sizeof own[0]);
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < Q_SIZE; r++)
            for (int c = 0; c < Q_SIZE; c++) {
                double sum = 0;
                for (int a = 0; a < n; a++)
                    sum += rows->D[(3 * r + i) * n + a] * rows->D[(3 * c + i) * n + a] / t[a];
                own[i][r][c] = sum;
                Q[r][c] += sum / 3;
            }
    for (int i = 0; i < 3; i++)
        if (memcmp(own[i], own[(i + 1) % 3], sizeof own[i]) != 0)
            factor = fmax(factor, factor_between(own[i], Q));
    for (int r = 0; r < Q_SIZE; r++)
        for (int c = 0; c < Q_SIZE; c++)
            Q[r][c] *= factor;
}

void carom_shell_bound_prepare(const carom_block *block, const double (*X)[3]) {
    // the weights are those of a shell without plastic strain, whatever the present history of the block
    carom_block fresh = *block;
    fresh.history = NULL;
    carom_shell s = carom_shell_of(&fresh);
    for (int e = 0; e < block->count; e++)
        for (int q = 0; q < s.point_count; q++) {
            carom_shell_rows rows;
            carom_shell_point point;
            double h[15][15], t[CAROM_SHELL_NODES_MAX] = {0}, Q[Q_SIZE][Q_SIZE], most = 0;
            carom_shell_read_rows(&s, e, q, &rows);
            hessian_at(&s, e, q, &rows, X, h, &point);
            for (int a = 0; a < s.n; a++) {
                for (int r = 0; r < 15; r++)
                    for (int c = r % 3; c < 15; c += 3)
                        t[a] += rows.D[r * s.n + a] * h[r][c] * rows.D[c * s.n + a];
                most = fmax(most, t[a]);
            }
            // a node without stiffness has a positive weight too, because Q contains its inverse
            for (int a = 0; a < s.n; a++)
                t[a] = fmax(sqrt(fmax(t[a], 0) / most), 1e-6);
            gather_weights(&rows, s.n, t, Q);
            int at = numbers_of(&s, q);
            for (int r = 0; r < Q_SIZE; r++)
                for (int c = r; c < Q_SIZE; c++)
                    block->data[carom_lane(e, at + carom_shell_place_of(r, c), block->data_size)] = Q[r][c];
            for (int a = 0; a < s.n; a++)
                block->data[carom_lane(e, at + CAROM_SHELL_BOUND + a, block->data_size)] = t[a];
        }
}

// The ratio of the area of the deformed surface, which has the metric g, to that of the reference.
CAROM_INLINE void area_ratio(const double *data, const carom_lanes g[3], carom_lanes *J) {
    carom_lanes G[3];
    for (int i = 0; i < 3; i++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + i), &G[i]);
    carom_lanes product = (g[0] * g[1] - g[2] * g[2]) / (G[0] * G[1] - G[2] * G[2]);
    carom_lanes_sqrt(&product, J);
}

// The largest rate of compression of the surface by velocities with the derivatives u: the largest eigenvalue of -g^-1
// sym(a_a.u_b), or 0. `stretch` is the largest rate of compression or extension.
CAROM_INLINE void squeeze(const carom_shell_surface *y, const carom_shell_surface *u, carom_lanes *rate, carom_lanes *stretch) {
    const carom_lanes *a1 = y->y, *a2 = y->y + 3, *u1 = u->y, *u2 = u->y + 3;
    carom_lanes g[3], s[3], other, zero = {0}, root;
    carom_shell_dot(a1, a1, &g[0]);
    carom_shell_dot(a2, a2, &g[1]);
    carom_shell_dot(a1, a2, &g[2]);
    carom_shell_dot(a1, u1, &s[0]);
    carom_shell_dot(a2, u2, &s[1]);
    carom_shell_dot(a1, u2, &s[2]);
    carom_shell_dot(a2, u1, &other);
    s[2] = 0.5 * (s[2] + other);
    carom_lanes over = 1.0 / (g[0] * g[1] - g[2] * g[2]);
    carom_lanes half = -0.5 * over * (g[1] * s[0] + g[0] * s[1] - 2.0 * g[2] * s[2]);
    carom_lanes square = half * half - over * (s[0] * s[1] - s[2] * s[2]);
    carom_lanes_max(&square, &zero, &square);
    carom_lanes_sqrt(&square, &root);
    *rate = half + root;
    carom_lanes_max(rate, &zero, rate);
    // the other eigenvalue, with its sign turned
    carom_lanes longer = root - half;
    carom_lanes_max(&longer, rate, stretch);
}

// A bound of the rate at which bending stretches the outer layers: thickness/2 times the norm of g^-1 b', with the rate b'_ab =
// (u_ab - (a_ab.a^c) u_c).a_3 of the curvature. An impact on a flat shell bends it and does not strain its middle surface.
CAROM_INLINE void bending_rate(const carom_shell_surface *y, const carom_shell_surface *u, double thickness,
                               carom_lanes *rate) {
    const carom_lanes *a1 = y->y, *a2 = y->y + 3;
    carom_lanes g[3], n[3], w[2], b[3], zero = {0};
    carom_shell_dot(a1, a1, &g[0]);
    carom_shell_dot(a2, a2, &g[1]);
    carom_shell_dot(a1, a2, &g[2]);
    carom_lanes over = 1.0 / (g[0] * g[1] - g[2] * g[2]);
    for (int i = 0; i < 3; i++)
        n[i] = a1[(i + 1) % 3] * a2[(i + 2) % 3] - a1[(i + 2) % 3] * a2[(i + 1) % 3];
    carom_shell_dot(u->y, n, &w[0]);
    carom_shell_dot(u->y + 3, n, &w[1]);
    for (int k = 0; k < 3; k++) {
        const carom_lanes *second = y->y + 6 + 3 * (ptrdiff_t)k;
        carom_lanes d1, d2;
        carom_shell_dot(u->y + 6 + 3 * (ptrdiff_t)k, n, &b[k]);
        carom_shell_dot(second, a1, &d1);
        carom_shell_dot(second, a2, &d2);
        b[k] -= over * ((g[1] * d1 - g[2] * d2) * w[0] + (g[0] * d2 - g[2] * d1) * w[1]);
    }
    // n has the length sqrt(det g); the sum of the squares of both eigenvalues is tr^2 - 2 det
    carom_lanes trace = over * (g[1] * b[0] + g[0] * b[1] - 2.0 * g[2] * b[2]);
    carom_lanes square = over * (trace * trace - 2.0 * over * (b[0] * b[1] - b[2] * b[2])), root;
    carom_lanes_max(&square, &zero, &square);
    carom_lanes_sqrt(&square, &root);
    *rate = 0.5 * thickness * root;
}

// Derivatives of velocities: as those of positions, without the offsets of mirrors and clamps.
CAROM_INLINE void derive_motion(const carom_shell_weights *w, int variant, int n, const carom_lanes *v,
                                carom_shell_surface *u) {
    carom_shell_derive(w, variant, v, u);
    for (int k = 0; variant == CAROM_SHELL_AFFINE && k < 15; k++) {
        carom_lanes offset;
        carom_lanes_load(w->own + CAROM_LANES * (16 * (ptrdiff_t)n + k), &offset);
        u->y[k] -= offset;
    }
}

// Bounds of eight elements: stiffness at the nodes, rates of stretch and of compression (by velocities and by accelerations),
// least area ratio.
typedef struct batch_bounds {
    carom_lanes share[CAROM_SHELL_NODES_MAX], stretch, rate, push, J;
} batch_bounds;

static void store(const batch_bounds *l, int n, int e0, int begin, int end, double *share, double *measures) {
    for (int e = e0 > begin ? e0 : begin; e < end && e < e0 + CAROM_LANES; e++) {
        for (int a = 0; a < n; a++)
            share[carom_lane(e, 3 * a, 3 * n)] = l->share[a][e - e0];
        carom_bound_measure(l->stretch[e - e0], l->rate[e - e0], l->push[e - e0], l->J[e - e0], e, measures);
    }
}

CAROM_INLINE void range(const carom_shell *s, int variant, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures) {
    int n = carom_shell_nodes(s, variant);
    double bend = s->thickness * s->thickness / 12;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes x[CAROM_SHELL_CAPACITY], v[CAROM_SHELL_CAPACITY], a[CAROM_SHELL_CAPACITY];
        batch_bounds l = {.stretch = {0}, .rate = {0}, .push = {0}};
        carom_lanes_fill(HUGE_VAL, &l.J);
        carom_kernel_gather(s->block, n, e0, motion->x, x);
        carom_kernel_gather(s->block, n, e0, motion->v, v);
        carom_kernel_gather(s->block, n, e0, motion->a, a);
        for (int q = 0; q < s->point_count; q++) {
            const double *own = s->block->data + carom_lane(e0, numbers_of(s, q), s->block->data_size);
            carom_shell_weights w;
            carom_shell_surface y, u;
            const double *data = carom_shell_check(s, variant, e0, q, x, &w, &y);
            carom_lanes Q[CAROM_SHELL_BOUND], g[3], lambda, J, rate, stretch, bent, t;
            for (int k = 0; k < CAROM_SHELL_BOUND; k++)
                carom_lanes_load(own + CAROM_LANES * (ptrdiff_t)k, &Q[k]);
            carom_shell_stiffness(&y, data, bend, Q, &lambda, g);
            area_ratio(data, g, &J);
            carom_lanes_min(&l.J, &J, &l.J);
            for (int k = 0; k < n; k++) {
                carom_lanes_load(own + CAROM_LANES * (ptrdiff_t)(CAROM_SHELL_BOUND + k), &t);
                l.share[k] = q ? l.share[k] + lambda * t : lambda * t;
            }
            derive_motion(&w, variant, n, v, &u);
            squeeze(&y, &u, &rate, &stretch);
            carom_lanes_max(&l.rate, &rate, &l.rate);
            bending_rate(&y, &u, s->thickness, &bent);
            stretch += bent;
            carom_lanes_max(&l.stretch, &stretch, &l.stretch);
            derive_motion(&w, variant, n, a, &u);
            squeeze(&y, &u, &rate, &stretch);
            carom_lanes_max(&l.push, &rate, &l.push);
        }
        store(&l, n, e0, begin, end, share, measures);
    }
}

CAROM_SHELL_KERNELS(batches, range(s, variant, begin, end, motion, share, measures),
                    (const carom_shell *s, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
                    (s, begin, end, motion, share, measures))

// An upper bound of the largest eigenvalue of h (Q x I), whose eigenvalues are real: the eighth root of the trace of its eighth
// power.
static double eighth_root_bound(double h[15][15], const double Q[CAROM_SHELL_BOUND]) {
    double B[15][15], next[15][15], trace = 0, size = 0;
    for (int i = 0; i < 15; i++)
        for (int j = 0; j < 15; j++) {
            B[i][j] = 0;
            for (int r = 0; r < Q_SIZE; r++)
                B[i][j] += h[i][3 * r + j % 3] * Q[carom_shell_place_of(r, j / 3)];
            size += B[i][j] * B[i][j];
        }
    size = sqrt(size);
    for (int i = 0; i < 225; i++)
        B[i / 15][i % 15] /= size;
    for (int round = 0; round < 2; round++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < 15; i++)
            for (int k = 0; k < 15; k++)
                for (int j = 0; j < 15; j++)
                    next[i][j] += B[i][k] * B[k][j];
        memcpy(B, next, sizeof B);
    }
    for (int i = 0; i < 15; i++)
        for (int j = 0; j < 15; j++)
            trace += B[i][j] * B[j][i];
    return size * sqrt(sqrt(sqrt(trace)));
}

// Derivatives of the velocities of one element at a point.
static void motion_at(const carom_shell *s, int e, const carom_shell_rows *rows, const double (*v)[3],
                      double u[CAROM_SHELL_ROWS][3]) {
    const int *nodes = &s->block->nodes[(ptrdiff_t)s->n * e];
    for (int k = 0; k < 15; k++) {
        double sum = 0;
        for (int a = 0; a < s->n; a++)
            sum += rows->D[k * s->n + a] * v[nodes[a]][k % 3];
        u[k / 3][k % 3] = sum;
    }
}

// The largest eigenvalue of -m^-1 s, or 0. `stretch` is raised to the largest magnitude of the eigenvalues.
static double compression(const double m[3], const double s[3], double *stretch) {
    double over = 1 / (m[0] * m[1] - m[2] * m[2]), half = -0.5 * over * (m[1] * s[0] + m[0] * s[1] - 2 * m[2] * s[2]);
    double root = sqrt(fmax(0, half * half - over * (s[0] * s[1] - s[2] * s[2])));
    *stretch = fmax(*stretch, fabs(half) + root);
    return fmax(0, half + root);
}

// The largest rate of compression of the layers of a shell by velocities with the derivatives u: of those at the outer points
// of the quadrature and in the middle. Their metric is that of the middle surface plus 2 z (b - B). As for solids, the limit
// protects a law that is undefined once a layer has no area. `stretch` includes extension.
static double fastest_layer(const carom_shell *s, int e, int q, const carom_shell_point *point, double u[CAROM_SHELL_ROWS][3],
                            double *stretch) {
    double middle[3], bent[3], most = 0;
    middle[0] = carom_dot(point->y[0], u[0]);
    middle[1] = carom_dot(point->y[1], u[1]);
    middle[2] = 0.5 * (carom_dot(point->y[0], u[1]) + carom_dot(point->y[1], u[0]));
    for (int k = 0; k < 3; k++) {
        bent[k] = carom_dot(u[2 + k], point->normal);
        for (int c = 0; c < 2; c++)
            bent[k] -= carom_dot(point->y[2 + k], point->up[c]) * carom_dot(u[c], point->normal);
    }
    // without layers sqrt(3/5), the outer of three Gauss points
    double outer = s->layers ? s->layers->at[s->layers->count - 1] : 0.774596669241483377;
    for (int layer = -1; layer <= 1; layer++) {
        double z = 0.5 * outer * layer * s->thickness, m[3], rate[3];
        for (int k = 0; k < 3; k++) {
            m[k] = point->g[k] + 2 * z * (point->b[k] - *carom_shell_data(s, e, q, CAROM_SHELL_CURVATURE + k));
            rate[k] = middle[k] + z * bent[k];
        }
        most = fmax(most, compression(m, rate, stretch));
    }
    return most;
}

// One point of any law: adds its shares, and updates the measures of the element: rate and push of compression, area, stretch.
static void point_of(const carom_shell *s, int e, int q, const carom_kinematics *motion, double *share, double measure[4]) {
    const carom_block *block = s->block;
    carom_shell_rows rows;
    carom_shell_point point;
    double h[15][15], Q[CAROM_SHELL_BOUND], G[3], unused = 0, u[CAROM_SHELL_ROWS][3];
    carom_shell_read_rows(s, e, q, &rows);
    for (int k = 0; k < CAROM_SHELL_BOUND; k++)
        Q[k] = block->data[carom_lane(e, numbers_of(s, q) + k, block->data_size)];
    for (int k = 0; k < 3; k++)
        G[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
    bool good = hessian_at(s, e, q, &rows, motion->x, h, &point);
    double lambda = good ? eighth_root_bound(h, Q) : HUGE_VAL;
    for (int a = 0; a < s->n; a++)
        share[a] += lambda * block->data[carom_lane(e, numbers_of(s, q) + CAROM_SHELL_BOUND + a, block->data_size)];
    motion_at(s, e, &rows, motion->v, u);
    measure[0] = fmax(measure[0], fastest_layer(s, e, q, &point, u, &measure[3]));
    motion_at(s, e, &rows, motion->a, u);
    measure[1] = fmax(measure[1], fastest_layer(s, e, q, &point, u, &unused));
    measure[2] = fmin(measure[2], good ? point.J / sqrt(G[0] * G[1] - G[2] * G[2]) : 0);
}

// Any law, one element after another.
static void one_by_one(const carom_shell *s, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    for (int e = begin; e < end; e++) {
        double own[CAROM_SHELL_NODES_MAX] = {0}, measure[4] = {0, 0, HUGE_VAL, 0};
        for (int q = 0; q < s->point_count; q++)
            point_of(s, e, q, motion, own, measure);
        for (int a = 0; a < s->n; a++)
            share[carom_lane(e, 3 * a, 3 * s->n)] = own[a];
        carom_bound_measure(measure[3], measure[0], measure[1], measure[2], e, measures);
    }
}

void carom_shell_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    carom_shell s = carom_shell_of(block);
    if (carom_shell_is_batched(block))
        batches(&s, begin, end, motion, share, measures);
    else
        one_by_one(&s, begin, end, motion, share, measures);
}
