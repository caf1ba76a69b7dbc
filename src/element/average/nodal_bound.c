// SPDX-License-Identifier: MIT
// The bounds of patches, eight of equal size at a time (nodal_patch.c has the equations): with the volumes w_b of its nodes
// that move with a patch, G = V sum_b g_b g_b^T/w_b and K <= k diag(w_b). A node has no volume in a patch only where its
// gradient is zero, so that the patch does not push it.
#include "element/average/nodal.h"
#include "element/average/nodal_lanes.h"
#include "element/bound.h"

// Adds (u_a - u_0) (x) g.
CAROM_INLINE void add_product(const carom_lanes u[3], const carom_lanes first[3], const carom_lanes g[3], carom_lanes out[9]) {
    for (int i = 0; i < 3; i++) {
        carom_lanes d = u[i] - first[i];
        for (int j = 0; j < 3; j++)
            out[3 * i + j] += d * g[j];
    }
}

// G += g g^T/w where there is a volume.
CAROM_INLINE void add_volume(const carom_lanes g[3], const carom_lanes *w, carom_lanes G[6]) {
    carom_lanes inverse;
    for (int l = 0; l < CAROM_LANES; l++)
        inverse[l] = (*w)[l] > 0 ? 1 / (*w)[l] : 0;
    for (int c = 0; c < 6; c++)
        G[c] += g[carom_bound_row[c]] * g[carom_bound_column[c]] * inverse;
}

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law, carom_lame m) {
    int n = block->node_count;
    const int *nodes[CAROM_LANES];
    // lanes past the end repeat the last patch
    for (int l = 0; l < CAROM_LANES; l++)
        nodes[l] = &block->nodes[(ptrdiff_t)(e0 + l < block->count ? e0 + l : block->count - 1) * n];
    const double *data = block->data + carom_lane(e0, 0, block->data_size);
    const double(*fields[3])[3] = {motion->x, motion->v, motion->a};
    carom_lanes first[3][3], maps[3][9] = {{{0}}}, G[6] = {{0}}, rest[3] = {{0}}, g[3], p[3], w, V;
    for (int f = 0; f < 3; f++)
        carom_nodal_place(nodes, 0, fields[f], first[f]);
    for (int a = 1; a < n; a++) {
        for (int i = 0; i < 3; i++) {
            carom_lanes_load(data + CAROM_LANES * (3 * (a - 1) + i), &g[i]);
            rest[i] -= g[i];
        }
        carom_lanes_load(data + CAROM_LANES * carom_nodal_share(n, a), &w);
        add_volume(g, &w, G);
        for (int f = 0; f < 3; f++) {
            carom_nodal_place(nodes, a, fields[f], p);
            add_product(p, first[f], g, maps[f]);
        }
    }
    carom_lanes_load(data + CAROM_LANES * carom_nodal_share(n, 0), &w);
    add_volume(rest, &w, G);
    carom_lanes_load(data + CAROM_LANES * carom_nodal_volume(n), &V);
    for (int c = 0; c < 6; c++)
        G[c] *= V;

    carom_lanes inverse[9], J, k, L[9], A[9], rate, push, stretch, unused;
    carom_bound_invert(maps[0], inverse, &J);
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, maps[0], &k);
    } else {
        carom_lanes log_J, lambda;
        carom_lanes_log(&J, &log_J);
        carom_lanes_fill(m.lambda, &lambda);
        carom_lanes pressure = m.mu - m.lambda * log_J;
        carom_bound_neo_hookean(3, m.mu, &lambda, &pressure, G, inverse, &k);
    }
    carom_bound_multiply(maps[1], inverse, L);
    carom_bound_multiply(maps[2], inverse, A);
    carom_bound_squeeze(3, L, &rate, &stretch);
    carom_bound_squeeze(3, A, &push, &unused);
    for (int l = 0; l < CAROM_LANES; l++) {
        int e = e0 + l;
        if (e < begin || e >= end)
            continue;
        for (int a = 0; a < n; a++)
            share[carom_lane(e, 3 * a, 3 * n)] = k[l] * data[CAROM_LANES * carom_nodal_share(n, a) + l];
        carom_bound_measure(stretch[l], rate[l], push[l], J[l], e, measures);
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law) {
    carom_elastic_params own = carom_nodal_patch_law(block);
    carom_lame m = carom_elastic_lame(&own);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, motion, share, measures, law, m);
}

CAROM_KERNEL(st_venant_kirchhoff,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures),
             range(block, begin, end, motion, share, measures, CAROM_KERNEL_ST_VENANT_KIRCHHOFF))

CAROM_KERNEL(neo_hookean,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures),
             range(block, begin, end, motion, share, measures, CAROM_KERNEL_NEO_HOOKEAN))

void carom_nodal_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    if (carom_nodal_is_split(block)) {
        carom_nodal_split_bound(block, begin, end, motion, share, measures);
        return;
    }
    bool neo = carom_kernel_law_of(block->material) == CAROM_KERNEL_NEO_HOOKEAN;
    (neo ? neo_hookean : st_venant_kirchhoff)(block, begin, end, motion, share, measures);
}
