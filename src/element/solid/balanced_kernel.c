// SPDX-License-Identifier: MIT
// Energy-conserving forces and tangents of tetrahedra and bricks, eight elements at a time. The equations are those of
// balanced.c; each lane has the same operations in the same order, so that results have the same bits, which a test compares.
#include "element/batch.h"
#include "element/element.h"
#include "element/solid/balanced.h"
#include "element/solid/shape_body.h"
#include "math/functions.h"
#include "math/lane_masks.h"

// A law of a batch.
typedef struct source {
    carom_kernel_law law;
    carom_lame m;
} source;

#define CAROM_REAL carom_lanes
#define CAROM_REAL_MASK carom_lanes_bits
#define CAROM_REAL_SOURCE source
#define CAROM_REAL_ROOT(x) carom_lanes_sqrt(x, x)
#define CAROM_REAL_CHOOSE carom_lanes_choose
#define CAROM_REAL_ANY carom_lanes_any
#include "element/solid/balanced_text.h"

// Logarithms are those of math/functions.h, computed only in lanes where the law is defined.
CAROM_INLINE void neo_hookean(carom_lame m, const carom_lanes F[9], carom_lanes_bits *good, carom_lanes P[9], carom_lanes *A,
                              carom_lanes *W) {
    carom_lanes G[9], J, excess, growth, log_J = {0}, log_growth = {0};
    carom_text_invert(F, G, &J);
    *good &= J > 0.0;
    for (int l = 0; l < CAROM_LANES; l++)
        if ((*good)[l])
            log_J[l] = carom_log(J[l]);
    carom_text_neo_hookean(m, F, G, &log_J, P, A);
    if (!W)
        return;
    carom_text_excess(F, &excess, &growth);
    for (int l = 0; l < CAROM_LANES; l++)
        if ((*good)[l])
            log_growth[l] = carom_log1p(growth[l]);
    *W = m.mu * (excess - log_growth) + 0.5 * m.lambda * log_J * log_J;
}

CAROM_INLINE void carom_text_law_at(source from, carom_lanes F[9], carom_lanes_bits *good, carom_lanes *P, carom_lanes *A,
                                    carom_lanes *W) {
    carom_lanes unused;
    if (from.law == CAROM_KERNEL_NEO_HOOKEAN)
        neo_hookean(from.m, F, good, P, A, W);
    else
        carom_text_st_venant_kirchhoff(from.m, F, P, A, &unused);
}

// P between F0 and F1 and, if not NULL, its derivative with respect to F1.
CAROM_INLINE void balanced_law(source from, const carom_lanes F0[9], const carom_lanes F1[9], carom_lanes_bits *good,
                               carom_lanes P[9], carom_lanes A[81]) {
    carom_lanes C0[9], C1[9], S[9], M[81], unused[9], det;
    carom_text_cofactor(F1, unused, &det);
    *good = det > 0.0;
    carom_text_square(F0, C0);
    carom_text_square(F1, C1);
    carom_text_stress(from, from.law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF, NULL, C0, C1, good, S, A ? M : NULL);
    carom_text_push(F0, F1, S, M, P, A);
}

// Data of a point for its tangent.
typedef struct point {
    carom_lanes g[CAROM_SOLID_NODES][3], volume, A[81];
} point;

// Row 3 a + i of the tangents of a batch, summed over the points in their order.
CAROM_INLINE void tangent_row(int n, int points, const point *p, int a, int i, carom_lanes *row) {
    memset(row, 0, (size_t)(3 * n) * sizeof *row);
    for (int q = 0; q < points; q++) {
        const carom_lanes *A = &p[q].A[27 * i];
        carom_lanes B[9];
        for (int kl = 0; kl < 9; kl++)
            B[kl] = p[q].volume * (p[q].g[a][0] * A[kl] + p[q].g[a][1] * A[9 + kl] + p[q].g[a][2] * A[18 + kl]);
        for (int b = 0; b < n; b++)
            for (int k = 0; k < 3; k++)
                row[3 * b + k] += B[3 * k] * p[q].g[b][0] + B[3 * k + 1] * p[q].g[b][1] + B[3 * k + 2] * p[q].g[b][2];
    }
}

// Writes the tangents of the elements of a batch that lie in [begin, end), one after another.
CAROM_INLINE void put_tangents(int n, int points, const point *p, int e0, int begin, int end, double *tangent) {
    int dofs = 3 * n;
    for (int r = 0; r < dofs; r++) {
        carom_lanes row[3 * CAROM_SOLID_NODES];
        tangent_row(n, points, p, r / 3, r % 3, row);
        for (int l = 0; l < CAROM_LANES; l++) {
            if (e0 + l < begin || e0 + l >= end)
                continue;
            double *target = tangent + (ptrdiff_t)dofs * dofs * (e0 + l - begin) + dofs * r;
            for (int c = 0; c < dofs; c++)
                target[c] = row[c][l];
        }
    }
}

// Task for the elements [begin, end) of a block: forces between two configurations, and their tangents.
typedef struct task {
    const carom_block *block;
    int begin, end;
    const double (*x0)[3], (*x1)[3], (*X)[3];
    double *force;
} task;

CAROM_INLINE void batch(const task *t, int n, int points, int e0, double *tangent, source from) {
    const carom_solid_shape *shape = carom_solid_shape_of(t->block);
    carom_lanes at[3 * CAROM_SOLID_NODES], u0[3 * CAROM_SOLID_NODES], u1[3 * CAROM_SOLID_NODES], f[3 * CAROM_SOLID_NODES];
    carom_kernel_gather(t->block, n, e0, t->X, at);
    carom_kernel_gather(t->block, n, e0, t->x0, u0);
    carom_kernel_gather(t->block, n, e0, t->x1, u1);
    for (int d = 0; d < 3 * n; d++) {
        u0[d] -= at[d];
        u1[d] -= at[d];
    }
    memset(f, 0, sizeof f);
    point p[CAROM_SOLID_POINTS];
    for (int q = 0; q < points; q++) {
        carom_lanes F0[9], F1[9], P[9], nan;
        carom_lanes_bits good;
        carom_shape_point(shape, n, q, at, p[q].g, &p[q].volume);
        carom_shape_deform(n, u0, p[q].g, F0);
        carom_shape_deform(n, u1, p[q].g, F1);
        balanced_law(from, F0, F1, &good, P, tangent ? p[q].A : NULL);
        carom_lanes_fill(NAN, &nan);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++) {
                carom_lanes *g = p[q].g[a];
                carom_lanes next = f[3 * a + i] - p[q].volume * (P[3 * i] * g[0] + P[3 * i + 1] * g[1] + P[3 * i + 2] * g[2]);
                carom_lanes_choose(&good, &next, &nan, &f[3 * a + i]);
            }
    }
    carom_kernel_scatter(f, 3 * n, e0, t->begin, t->end, t->force);
    if (tangent)
        put_tangents(n, points, p, e0, t->begin, t->end, tangent);
}

CAROM_INLINE void range(const task *t, int n, int points, double *tangent) {
    carom_lame m = carom_elastic_lame(t->block->material_params);
    bool barrier = carom_law_of(t->block->material) == CAROM_LAW_NEO_HOOKEAN;
    // constants in each branch, so that the compiler sees one law, with or without tangents
    for (int e0 = t->begin - t->begin % CAROM_LANES; e0 < t->end; e0 += CAROM_LANES) {
        if (barrier && tangent)
            batch(t, n, points, e0, tangent, (source){CAROM_KERNEL_NEO_HOOKEAN, m});
        else if (barrier)
            batch(t, n, points, e0, NULL, (source){CAROM_KERNEL_NEO_HOOKEAN, m});
        else if (tangent)
            batch(t, n, points, e0, tangent, (source){CAROM_KERNEL_ST_VENANT_KIRCHHOFF, m});
        else
            batch(t, n, points, e0, NULL, (source){CAROM_KERNEL_ST_VENANT_KIRCHHOFF, m});
    }
}

CAROM_KERNEL(tetrahedra, (const task *t, double *tangent), (t, tangent), range(t, 4, 1, tangent))
CAROM_KERNEL(bricks, (const task *t, double *tangent), (t, tangent), range(t, 8, 8, tangent))

bool carom_balanced_has_kernel(const carom_block *block) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    carom_law law = carom_law_of(block->material);
    return (shape == &carom_shape_tet4 || shape == &carom_shape_hex8) &&
           (law == CAROM_LAW_NEO_HOOKEAN || law == CAROM_LAW_ST_VENANT_KIRCHHOFF);
}

void carom_balanced_batches(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                            const double (*X)[3], double *force, double *tangent) {
    const task t = {block, begin, end, x0, x1, X, force};
    if (carom_solid_shape_of(block) == &carom_shape_tet4)
        tetrahedra(&t, tangent);
    else
        bricks(&t, tangent);
}
