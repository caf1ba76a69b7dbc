// SPDX-License-Identifier: MIT
// Forces and energies of shells with the St. Venant-Kirchhoff law in batches, one element per lane; the formulas are those of
// loop_shell_point.c. The law is linear in strain, so that its stiffness H, times thickness and area, describes it fully: n = H
// alpha, m = t^2/12 H beta. Where the largest stresses are recorded, they are computed in the same pass (peak_values.h).
#include <math.h>
#include <string.h>

#include "element/batch.h"
#include "element/peak_settle.h"
#include "element/peak_values.h"
#include "element/shell/loop_shell_faces.h"

// The gradient of the energy of a point with respect to the derivatives of the position.
CAROM_INLINE void act(const carom_shell_surface *s, const double *data, double bend, carom_shell_action *out) {
    carom_lanes over_J, g[3], strain[6], n[6];
    carom_shell_resultants(s, data, bend, out->normal, &over_J, g, strain, n);
    carom_shell_act(s, &over_J, g, n, out);
}

// Compares the stresses of eight elements from e0 on with the recorded extremes. If one of the stresses is not computed in the
// batch, all are evaluated one by one, with the same bits.
CAROM_INLINE void compare(const carom_shell *s, int e0, const double (*x)[3], carom_shell_mean *mean,
                          carom_extremes *extremes) {
    carom_lanes stress;
    if (!carom_shell_mean_end(mean, &stress))
        for (int l = 0; l < CAROM_LANES; l++)
            stress[l] = carom_shell_von_mises(s->block, e0 + l < s->block->count ? e0 + l : s->block->count - 1, x);
    carom_extremes_take_von_mises(extremes, e0, &stress);
}

// Elements with one point, as usual in dynamics. Positions are added to the derivatives as they are gathered, and forces are
// stored as they are computed: a batch has 36 of each, more than there are registers, and an intermediate array of them took a
// third of the time.
CAROM_INLINE void forces_of_one_point(const carom_shell *s, int variant, int begin, int end, const double (*x)[3],
                                      double *force, carom_extremes *extremes) {
    const carom_block *block = s->block;
    carom_shell_faces faces = carom_shell_faces_of(s);
    int n = carom_shell_nodes(s, variant);
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
        if (extremes) {
            carom_shell_mean mean;
            carom_shell_mean_start(&mean);
            carom_shell_mean_add(&faces, &y, data, &mean);
            compare(s, e0, x, &mean, extremes);
        }
        carom_lanes f[CAROM_SHELL_CAPACITY], zero = {0};
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

// Any number of points. Batches begin at multiples of CAROM_LANES whatever the range is, so that an element undergoes the same
// operations in any range.
CAROM_INLINE void forces_of_points(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force,
                                   carom_extremes *extremes) {
    int n = carom_shell_nodes(s, variant);
    double bend = s->thickness * s->thickness / 12;
    carom_shell_faces faces = carom_shell_faces_of(s);
    carom_lanes at[CAROM_SHELL_CAPACITY], f[CAROM_SHELL_CAPACITY];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_shell_mean mean;
        carom_shell_mean_start(&mean);
        carom_kernel_gather(s->block, n, e0, x, at);
        carom_lanes_clear(3 * n, f);
        for (int q = 0; q < s->point_count; q++) {
            carom_shell_weights w;
            carom_shell_surface y;
            carom_shell_action t;
            const double *data = carom_shell_check(s, variant, e0, q, at, &w, &y);
            act(&y, data, bend, &t);
            if (extremes)
                carom_shell_mean_add(&faces, &y, data, &mean);
            carom_shell_add_forces(&w, variant, n, &t, f);
        }
        if (extremes)
            compare(s, e0, x, &mean, extremes);
        carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

CAROM_INLINE void forces(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force,
                         carom_extremes *extremes) {
    if (s->point_count == 1)
        forces_of_one_point(s, variant, begin, end, x, force, extremes);
    else
        forces_of_points(s, variant, begin, end, x, force, extremes);
}

CAROM_SHELL_KERNELS(plain_forces, forces(s, variant, begin, end, x, force, NULL),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double *force), (s, begin, end, x, force))
CAROM_SHELL_KERNELS(watched_forces, forces(s, variant, begin, end, x, force, extremes),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double *force, carom_extremes *extremes),
                    (s, begin, end, x, force, extremes))

void carom_shell_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force) {
    carom_shell s = carom_shell_of(block);
    plain_forces(&s, begin, end, x, force);
}

void carom_shell_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes) {
    carom_shell s = carom_shell_of(block);
    watched_forces(&s, begin, end, x, force, extremes);
}

// Membrane and bending energy of each element in [begin, end); lanes outside are computed and dropped.
CAROM_INLINE void energies(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    int n = carom_shell_nodes(s, variant);
    double bend = s->thickness * s->thickness / 12;
    carom_lanes at[CAROM_SHELL_CAPACITY];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes sum[2] = {{0}};
        carom_kernel_gather(s->block, n, e0, x, at);
        for (int q = 0; q < s->point_count; q++) {
            carom_shell_weights w;
            carom_shell_surface y;
            carom_lanes normal[3], over_J, g[3], strain[6], force[6];
            const double *data = carom_shell_check(s, variant, e0, q, at, &w, &y);
            carom_shell_resultants(&y, data, bend, normal, &over_J, g, strain, force);
            carom_shell_add_energy(strain, force, sum);
        }
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end) {
                parts[e0 + l - begin][0] = sum[0][l];
                parts[e0 + l - begin][1] = sum[1][l];
            }
    }
}

CAROM_SHELL_KERNELS(energy_parts, energies(s, variant, begin, end, x, parts),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]),
                    (s, begin, end, x, parts))

void carom_shell_kernel_parts(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    carom_shell s = carom_shell_of(block);
    energy_parts(&s, begin, end, x, parts);
}
