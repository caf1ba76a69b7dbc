// SPDX-License-Identifier: MIT
// The bounds of deformed bricks, eight at a time (point_bound.h has the formulas, solid_bound.c the meaning of G and k).
//
// With Y = dX/dr and y = dx/dr at a Gauss point, both eight times the true ones as hex8_lanes.h leaves them, C and c their
// cofactors, j and d their determinants, and M = sum_a dN_a dN_a^T/N_a = 1.5 I,
//
//     G = 96 C C^T/j^2,   F^-T G F^-1 = 96 c c^T/d^2,   G F^-1 = 96 C c^T/(j d),   grad u = (du/dr) c^T/d,
//
// so the neo-Hookean law needs neither F nor its inverse. Shares follow from k V of the points through the shape functions,
// which are products of one function for each coordinate: three passes over pairs instead of 64 products.
#include "element/bound.h"
#include "element/element.h"
#include "element/hex8_lanes.h"
#include "element/solid_point.h"

// 1.5 by M, 64 by the factor of the maps.
static const double gram = 96;
// The determinant of a map that is eight times the true one.
static const double cube = 1.0 / 512;

// A node of the element by its coordinates: bits r, s, t are 1 at the positive end, as in the numbers of Gauss points.
static const int corner[8] = {0, 1, 3, 2, 4, 5, 7, 6};

// sum_q N_a(q) k_q at all nodes, in the order of Gauss points; in place.
CAROM_INLINE void spread(carom_lanes k[8]) {
    const double near = 0.5 + 0.5 * 0.57735026918962576451, far = 0.5 - 0.5 * 0.57735026918962576451;
    for (int bit = 1; bit < 8; bit *= 2)
        for (int a = 0; a < 8; a++) {
            if (a & bit)
                continue;
            carom_lanes low = k[a], high = k[a + bit];
            k[a] = near * low + far * high;
            k[a + bit] = far * low + near * high;
        }
}

// A B^T; the symmetric one of six numbers for B = A.
CAROM_INLINE void product(const carom_lanes A[9], const carom_lanes B[9], carom_lanes out[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = A[i / 3 * 3] * B[i % 3 * 3] + A[i / 3 * 3 + 1] * B[i % 3 * 3 + 1] + A[i / 3 * 3 + 2] * B[i % 3 * 3 + 2];
}

CAROM_INLINE void square(const carom_lanes A[9], const carom_lanes *factor, carom_lanes out[6]) {
    for (int c = 0; c < 6; c++) {
        int i = 3 * carom_bound_row[c], j = 3 * carom_bound_column[c];
        out[c] = *factor * (A[i] * A[j] + A[i + 1] * A[j + 1] + A[i + 2] * A[j + 2]);
    }
}

// A map and what follows from it.
typedef struct map {
    carom_lanes y[9], C[9], det;
} map;

CAROM_INLINE void map_at(carom_lanes dx[3][4][3], const int at[3], map *m) {
    carom_hex8_map_at(dx, at, m->y);
    carom_kernel_cofactor(m->y, m->C, &m->det);
}

// k of a point.
CAROM_INLINE void stiffness(carom_kernel_law law, carom_lame m, const map *reference, const map *present, const carom_lanes *J,
                            carom_lanes *k) {
    carom_lanes over = 1.0 / reference->det, factor = gram * over * over, G[6], F[9];
    square(reference->C, &factor, G);
    if (law != CAROM_KERNEL_NEO_HOOKEAN) {
        product(present->y, reference->C, F);
        for (int i = 0; i < 9; i++)
            F[i] *= over;
    }
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, F, k);
        return;
    }
    carom_lanes now = 1.0 / present->det, Y[6], mixed[9], CC = {0}, log_J, lambda;
    factor = gram * now * now;
    square(present->C, &factor, Y);
    product(reference->C, present->C, mixed);
    factor = gram * over * now;
    for (int i = 0; i < 9; i++)
        CC += mixed[i] * mixed[i];
    CC *= factor * factor;
    carom_lanes_log(J, &log_J);
    carom_lanes_fill(m.lambda, &lambda);
    carom_lanes p = m.mu - m.lambda * log_J;
    carom_bound_neo_hookean_of(3, m.mu, &lambda, &p, G, Y, &CC, k);
    if (law == CAROM_KERNEL_OPEN)
        carom_bound_open(m, G, F, J, k);
}

// The compression of a point by a field with the map U.
CAROM_INLINE void squeeze(const carom_lanes U[9], const map *present, carom_lanes *rate, carom_lanes *stretch) {
    carom_lanes L[9], over = 1.0 / present->det;
    product(U, present->C, L);
    for (int i = 0; i < 9; i++)
        L[i] *= over;
    carom_bound_squeeze(3, L, rate, stretch);
}

// The fields of a motion: reference positions, positions, velocities, accelerations.
enum { REFERENCE, PRESENT, VELOCITY, ACCELERATION, FIELDS };

// All points of eight bricks.
CAROM_INLINE void points(const carom_block *block, int e0, const carom_kinematics *motion, carom_kernel_law law, carom_lame m,
                         carom_bounds *bounds) {
    const double(*fields[FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    carom_lanes d[FIELDS][3][4][3], k[8];
    // copies of these loops take the compiler long and gain nothing
#pragma GCC unroll 1
    for (int f = 0; f < FIELDS; f++) {
        carom_lanes u[CAROM_HEX8_DOFS];
        carom_kernel_gather(block, 8, e0, fields[f], u);
        carom_hex8_derivatives(u, d[f]);
    }
#pragma GCC unroll 1
    for (int q = 0; q < 8; q++) {
        int at[3];
        carom_hex8_point(q, at);
        map reference, present;
        map_at(d[REFERENCE], at, &reference);
        map_at(d[PRESENT], at, &present);
        carom_lanes J = present.det / reference.det, U[9], rate, push, stretch, unused;
        stiffness(law, m, &reference, &present, &J, &k[q]);
        k[q] *= cube * reference.det;
        carom_hex8_map_at(d[VELOCITY], at, U);
        squeeze(U, &present, &rate, &stretch);
        carom_hex8_map_at(d[ACCELERATION], at, U);
        squeeze(U, &present, &push, &unused);
        carom_bounds_compress(bounds, &rate, &push, &stretch, &J);
    }
    spread(k);
    for (int n = 0; n < 8; n++)
        bounds->share[n] = k[corner[n]];
}

// Gradients g of the nodes at the mean point and their shares w of the volume.
typedef struct mean {
    carom_lanes R[8][3], b[7][3], over; // coefficients of X, mean gradients of coefficients, 1/j
    carom_lanes g[8][3], w[8], volume;
} mean;

CAROM_INLINE void mean_of(const carom_lanes *X, mean *s) {
    carom_lanes dX[3][4][3], j, zero = {0};
    carom_hex8_coefficients(X, s->R);
    carom_hex8_mean_gradients(s->R, s->b, &j);
    s->over = 1.0 / j;
    carom_hex8_derivatives(X, dX);
    s->volume = zero;
#pragma GCC unroll 1
    for (int p = 0; p < 8; p++) {
        int at[3];
        carom_hex8_point(p, at);
        map reference;
        map_at(dX, at, &reference);
        s->w[p] = cube * reference.det;
        s->volume += s->w[p];
    }
    spread(s->w);
    // the transpose of carom_hex8_coefficients, node by node in the order of Gauss points
    for (int n = 0; n < 8; n++) {
        double r = n & 1 ? 1 : -1, t = n & 2 ? 1 : -1, z = n & 4 ? 1 : -1;
        for (int i = 0; i < 3; i++)
            s->g[n][i] = s->over * (r * s->b[1][i] + t * s->b[2][i] + z * s->b[3][i] + r * t * s->b[4][i] + t * z * s->b[5][i] +
                                    z * r * s->b[6][i]);
    }
}

// The trace of the hourglass stiffness kappa sum_m gamma_m gamma_m^T over the volumes of the nodes.
CAROM_INLINE void hourglass(double factor, const mean *s, carom_lanes *k) {
    carom_lanes squares = {0}, sum = {0};
    for (int n = 0; n < 8; n++)
        squares += 8.0 * (s->g[n][0] * s->g[n][0] + s->g[n][1] * s->g[n][1] + s->g[n][2] * s->g[n][2]);
    for (int n = 0; n < 8; n++) {
        double r = n & 1 ? 1 : -1, t = n & 2 ? 1 : -1, z = n & 4 ? 1 : -1;
        const double signs[4] = {r * t, t * z, z * r, r * t * z};
        carom_lanes own = {0};
        for (int mode = 0; mode < 4; mode++) {
            const carom_lanes *C = s->R[4 + mode];
            carom_lanes gamma = 0.125 * (signs[mode] - (s->g[n][0] * C[0] + s->g[n][1] * C[1] + s->g[n][2] * C[2]));
            own += gamma * gamma;
        }
        sum += own / s->w[n];
    }
    *k += factor * s->volume * squares * sum;
}

// Eight bricks with one point.
CAROM_INLINE void one_point(const carom_block *block, int e0, const carom_kinematics *motion, carom_kernel_law law,
                            carom_lame m, double factor, carom_bounds *bounds) {
    const double(*fields[FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    mean s;
    carom_lanes maps[FIELDS][9], L[9], inverse[9], J, G[6], k, rate, push, stretch, unused, *F = maps[PRESENT];
#pragma GCC unroll 1
    for (int f = 0; f < FIELDS; f++) {
        carom_lanes u[CAROM_HEX8_DOFS], c[8][3];
        carom_kernel_gather(block, 8, e0, fields[f], u);
        if (f == REFERENCE)
            mean_of(u, &s);
        carom_hex8_coefficients(u, c);
        carom_hex8_mean_map(c, s.b, &s.over, maps[f]);
    }
    carom_bound_invert(F, inverse, &J);
    // K <= k diag(w): the law of the point has the volume of the element in front
    memset(G, 0, sizeof G);
    for (int n = 0; n < 8; n++) {
        carom_lanes weight = s.volume / s.w[n];
        for (int c = 0; c < 6; c++)
            G[c] += weight * s.g[n][carom_bound_row[c]] * s.g[n][carom_bound_column[c]];
    }
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, F, &k);
    } else {
        carom_lanes log_J, lambda;
        carom_lanes_log(&J, &log_J);
        carom_lanes_fill(m.lambda, &lambda);
        carom_lanes p = m.mu - m.lambda * log_J;
        carom_bound_neo_hookean(3, m.mu, &lambda, &p, G, inverse, &k);
    }
    hourglass(factor, &s, &k);
    for (int n = 0; n < 8; n++)
        bounds->share[n] = s.w[corner[n]] * k;
    carom_bound_multiply(maps[VELOCITY], inverse, L);
    carom_bound_squeeze(3, L, &rate, &stretch);
    carom_bound_multiply(maps[ACCELERATION], inverse, L);
    carom_bound_squeeze(3, L, &push, &unused);
    carom_bounds_compress(bounds, &rate, &push, &stretch, &J);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law, bool full) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_bounds bounds;
        carom_bounds_clear(&bounds, 8);
        if (full)
            points(block, e0, motion, law, m, &bounds);
        else
            one_point(block, e0, motion, law, m, 0.5 * p->hourglass * m.mu, &bounds);
        carom_bounds_store(&bounds, 8, e0, begin, end, share, measures);
    }
}

#define PARAMETERS \
    (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures)
#define ARGUMENTS (block, begin, end, motion, share, measures)
#define KERNEL(name, law, full) \
    CAROM_KERNEL(name, PARAMETERS, ARGUMENTS, range(block, begin, end, motion, share, measures, law, full))

KERNEL(neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, true)
KERNEL(st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, true)
KERNEL(open_law, CAROM_KERNEL_OPEN, true)
KERNEL(one_neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, false)
KERNEL(one_st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, false)

void carom_hex8_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                      double *measures) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    bool one = carom_solid_is_one_point(block);
    // cells of `nodal`, which are integrated fully
    if (law == CAROM_KERNEL_OPEN)
        open_law(block, begin, end, motion, share, measures);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        (one ? one_st_venant_kirchhoff : st_venant_kirchhoff)(block, begin, end, motion, share, measures);
    else
        (one ? one_neo_hookean : neo_hookean)(block, begin, end, motion, share, measures);
}
