// SPDX-License-Identifier: MIT
// Shells with the St. Venant-Kirchhoff law in batches, one element per lane; the formulas are those of loop_shell_point.c. The
// law is linear in strain, so that its stiffness H, times thickness and area, describes it fully: n = H alpha, m = t^2/12 H
// beta.
#include <math.h>
#include <string.h>

#include "element/kernel_law.h"
#include "element/loop_shell_lanes.h"

// The gradient of the energy of a point with respect to the derivatives of the position.
CAROM_INLINE void act(const carom_shell_surface *s, const double *data, double bend, carom_shell_action *out) {
    carom_lanes over_J, g[3], strain[6], n[6];
    carom_shell_resultants(s, data, bend, out->normal, &over_J, g, strain, n);
    carom_shell_act(s, &over_J, g, n, out);
}

// Elements with one point, as dynamics has them. Positions go from the nodes into the derivatives and forces into their slots
// without a stay in memory: a batch has 36 of each, more than there are registers, and to store and load them again took a
// third of the time.
CAROM_INLINE void forces_of_one_point(const carom_shell *s, int variant, int begin, int end, const double (*x)[3],
                                      double *force) {
    const carom_block *block = s->block;
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    double bend = s->thickness * s->thickness / 12;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        const int *nodes[CAROM_LANES];
        const double *data;
        carom_shell_weights w = carom_shell_weights_of(s, e0, 0, &data);
        carom_shell_surface y;
        carom_shell_action t;
        // lanes past the end repeat the last element
        for (int l = 0; l < CAROM_LANES; l++)
            nodes[l] = &block->nodes[(ptrdiff_t)(e0 + l < block->count ? e0 + l : block->count - 1) * n];
        carom_shell_derive_start(&w, variant, &y);
        for (int a = 0; a < n; a++) {
            int node[CAROM_LANES];
            carom_lanes at[3];
            for (int l = 0; l < CAROM_LANES; l++)
                node[l] = nodes[l][a];
            carom_kernel_place(x, node, at);
            carom_shell_derive_node(&w, variant, a, at, &y);
        }
        act(&y, data, bend, &t);
        carom_lanes f[3 * CAROM_SHELL_NODES_MAX], zero = {0};
        bool whole = begin <= e0 && e0 + CAROM_LANES <= end;
        double *slot = whole ? force + carom_lane(e0, 0, 3 * n) : (double *)f;
        for (int a = 0; a < n; a++) {
            carom_lanes g[3];
            carom_shell_spread(&w, variant, a, &t, g);
            for (int i = 0; i < 3; i++) {
                g[i] = zero - g[i];
                carom_lanes_store(&g[i], slot + CAROM_LANES * (3 * a + i));
            }
        }
        if (!whole)
            carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

// Any number of points. Batches begin at multiples of CAROM_LANES whatever the range is, so that an element meets the same
// operations in any range.
CAROM_INLINE void forces_of_points(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    double bend = s->thickness * s->thickness / 12;
    carom_lanes at[ROOM], f[ROOM];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_kernel_gather(s->block, n, e0, x, at);
        for (int k = 0; k < 3 * n; k++)
            f[k] = (carom_lanes){0};
        for (int q = 0; q < s->point_count; q++) {
            const double *data;
            carom_shell_weights w = carom_shell_weights_of(s, e0, q, &data);
            carom_shell_surface y;
            carom_shell_action t;
            carom_shell_derive(&w, variant, at, &y);
            act(&y, data, bend, &t);
            for (int a = 0; a < n; a++) {
                carom_lanes g[3];
                carom_shell_spread(&w, variant, a, &t, g);
                for (int i = 0; i < 3; i++)
                    f[3 * a + i] -= g[i];
            }
        }
        carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

CAROM_INLINE void forces(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force) {
    if (s->point_count == 1)
        forces_of_one_point(s, variant, begin, end, x, force);
    else
        forces_of_points(s, variant, begin, end, x, force);
}

CAROM_KERNEL(regular, (const carom_shell *s, int begin, int end, const double (*x)[3], double *force),
             (s, begin, end, x, force), forces(s, CAROM_SHELL_REGULAR, begin, end, x, force))

CAROM_KERNEL(stored, (const carom_shell *s, int begin, int end, const double (*x)[3], double *force), (s, begin, end, x, force),
             forces(s, CAROM_SHELL_STORED, begin, end, x, force))

CAROM_KERNEL(affine, (const carom_shell *s, int begin, int end, const double (*x)[3], double *force), (s, begin, end, x, force),
             forces(s, CAROM_SHELL_AFFINE, begin, end, x, force))

// One function for each variant, so that the compiler sees it as a constant.
void carom_shell_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force) {
    carom_shell s = carom_shell_of(block);
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular(&s, begin, end, x, force); break;
    case CAROM_SHELL_STORED: stored(&s, begin, end, x, force); break;
    default: affine(&s, begin, end, x, force); break;
    }
}

// Membrane and bending energy of each element in [begin, end); lanes outside are computed and dropped.
CAROM_INLINE void energies(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    double bend = s->thickness * s->thickness / 12;
    carom_lanes at[ROOM];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes sum[2] = {{0}};
        carom_kernel_gather(s->block, n, e0, x, at);
        for (int q = 0; q < s->point_count; q++) {
            const double *data;
            carom_shell_weights w = carom_shell_weights_of(s, e0, q, &data);
            carom_shell_surface y;
            carom_lanes normal[3], over_J, g[3], strain[6], force[6];
            carom_shell_derive(&w, variant, at, &y);
            carom_shell_resultants(&y, data, bend, normal, &over_J, g, strain, force);
            for (int k = 0; k < 3; k++) {
                sum[0] += 0.5 * force[k] * strain[k];
                sum[1] += 0.5 * force[3 + k] * strain[3 + k];
            }
        }
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end) {
                parts[e0 + l - begin][0] = sum[0][l];
                parts[e0 + l - begin][1] = sum[1][l];
            }
    }
}

CAROM_KERNEL(regular_parts, (const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]),
             (s, begin, end, x, parts), energies(s, CAROM_SHELL_REGULAR, begin, end, x, parts))

CAROM_KERNEL(stored_parts, (const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]),
             (s, begin, end, x, parts), energies(s, CAROM_SHELL_STORED, begin, end, x, parts))

CAROM_KERNEL(affine_parts, (const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]),
             (s, begin, end, x, parts), energies(s, CAROM_SHELL_AFFINE, begin, end, x, parts))

void carom_shell_kernel_parts(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    carom_shell s = carom_shell_of(block);
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular_parts(&s, begin, end, x, parts); break;
    case CAROM_SHELL_STORED: stored_parts(&s, begin, end, x, parts); break;
    default: affine_parts(&s, begin, end, x, parts); break;
    }
}
