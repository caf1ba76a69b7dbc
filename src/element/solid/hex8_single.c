// SPDX-License-Identifier: MIT
// The force of one brick, for methods in which each element has its own step (asynchronous). Here the lanes of the kernel are
// the eight points of the brick (hex8_body.h has the equations).
//
// With the coefficients c1 ... c7 of the trilinear map as scalars and r, s, t of the points as lanes,
//     dx/dr = c1 + s c4 + t c6 + st c7,   dx/ds = c2 + t c5 + r c4 + tr c7,   dx/dt = c3 + r c6 + s c5 + rs c7.
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// Signs of r, s, t at the nodes.
static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// Coefficients c1 ... c7 of the map, without the factor 1/8.
CAROM_INLINE void coefficients(const double (*q)[3], double c[7][3]) {
    for (int i = 0; i < 3; i++) {
        double p0 = q[0][i] + q[1][i], m0 = q[1][i] - q[0][i], p1 = q[3][i] + q[2][i], m1 = q[2][i] - q[3][i];
        double p2 = q[4][i] + q[5][i], m2 = q[5][i] - q[4][i], p3 = q[7][i] + q[6][i], m3 = q[6][i] - q[7][i];
        double pp0 = p0 + p1, pm0 = p1 - p0, mp0 = m0 + m1, mm0 = m1 - m0;
        double pp1 = p2 + p3, pm1 = p3 - p2, mp1 = m2 + m3, mm1 = m3 - m2;
        c[0][i] = mp0 + mp1;
        c[1][i] = pm0 + pm1;
        c[2][i] = pp1 - pp0;
        c[3][i] = mm0 + mm1;
        c[4][i] = pm1 - pm0;
        c[5][i] = mp1 - mp0;
        c[6][i] = mm1 - mm0;
    }
}

// The eight Gauss points as lanes; r changes fastest.
typedef struct points {
    carom_lanes r, s, t, rs, st, tr;
} points;

CAROM_INLINE void set_points(points *p) {
    const double g = 0.57735026918962576451;
    p->r = (carom_lanes){-g, g, -g, g, -g, g, -g, g};
    p->s = (carom_lanes){-g, -g, g, g, -g, -g, g, g};
    p->t = (carom_lanes){-g, -g, -g, -g, g, g, g, g};
    p->rs = p->r * p->s;
    p->st = p->s * p->t;
    p->tr = p->t * p->r;
}

// y[3 i + k] = dx_i/dr_k at the points.
CAROM_INLINE void derivatives(const points *p, const double c[7][3], carom_lanes y[9]) {
    for (int i = 0; i < 3; i++) {
        y[3 * i] = c[0][i] + p->s * c[3][i] + p->t * c[5][i] + p->st * c[6][i];
        y[3 * i + 1] = c[1][i] + p->t * c[4][i] + p->r * c[3][i] + p->tr * c[6][i];
        y[3 * i + 2] = c[2][i] + p->r * c[5][i] + p->s * c[4][i] + p->rs * c[6][i];
    }
}

// The sum of the lanes in the order of a binary tree, which is also that of horizontal adds of any register width: it has the
// same bits on every processor.
CAROM_INLINE double sum(const carom_lanes *lanes) {
    const carom_lanes a = *lanes;
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

CAROM_INLINE void brick(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3],
                        carom_kernel_law law) {
    points p;
    set_points(&p);
    double c[7][3], R[7][3], h[7][3];
    const void *X = data;
    coefficients(X, R);
    coefficients(q, c);
    carom_lanes Y[9], y[9], C[9], Q[9], j;
    derivatives(&p, (carom_const_vectors)R, Y);
    derivatives(&p, (carom_const_vectors)c, y);
    carom_kernel_cofactor(Y, C, &j);
    carom_kernel_mapped(law, carom_elastic_lame(block->material_params), y, C, &j, Q);

    // the transpose of the above
    for (int i = 0; i < 3; i++) {
        const carom_lanes *a = &Q[3 * i], *b = &Q[3 * i + 1], *d = &Q[3 * i + 2];
        carom_lanes rs = p.s * *a + p.r * *b, st = p.t * *b + p.s * *d, tr = p.t * *a + p.r * *d;
        carom_lanes rst = p.st * *a + p.tr * *b + p.rs * *d;
        h[0][i] = sum(a);
        h[1][i] = sum(b);
        h[2][i] = sum(d);
        h[3][i] = sum(&rs);
        h[4][i] = sum(&st);
        h[5][i] = sum(&tr);
        h[6][i] = sum(&rst);
    }
    // Both maps lack the factor 1/8: it enters once by dx/dr and twice by the cofactors.
    for (int n = 0; n < 8; n++) {
        double r = corner[n][0], s = corner[n][1], t = corner[n][2];
        for (int i = 0; i < 3; i++)
            f[n][i] = (-1.0 / 512) * (r * h[0][i] + s * h[1][i] + t * h[2][i] + r * s * h[3][i] + s * t * h[4][i] +
                                      t * r * h[5][i] + r * s * t * h[6][i]);
    }
}

CAROM_KERNEL_LAWS(force, brick(block, data, q, f, law),
                  (const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]), (block, data, q, f))

static void prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    for (int d = 0; d < CAROM_HEX8_SINGLE; d++)
        data[d] = X[block->nodes[8 * e + d / 3]][d % 3];
}

const carom_single *carom_hex8_single(const carom_block *block) {
    static const carom_single single = {CAROM_HEX8_SINGLE, prepare, force};
    bool serves = !carom_solid_is_one_point(block) && carom_kernel_law_of(block->material) != CAROM_KERNEL_NONE;
    return serves ? &single : NULL;
}
