// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness, for stable steps, of deformed patches of `nodal`, eight of equal size at a time
// (nodal_patch.c has the equations, element/solid/solid_bound.c the meaning of G and k): with the volumes w_b of its nodes
// that move with a patch, G = V sum_b g_b g_b^T/w_b and K <= k diag(w_b). A node has no volume in a patch only where its
// gradient is zero, so that the patch does not push it.
#include "element/average/nodal.h"
#include "element/average/nodal_body.h"
#include "element/bound.h"
#include "element/solid/stiffness_bound.h"

// G += g g^T/w where there is a volume.
CAROM_INLINE void add_volume(const carom_lanes g[3], const carom_lanes *w, carom_lanes G[6]) {
    carom_lanes inverse;
    for (int l = 0; l < CAROM_LANES; l++)
        inverse[l] = (*w)[l] > 0 ? 1 / (*w)[l] : 0;
    for (int c = 0; c < 6; c++)
        G[c] += g[carom_sym3_row[c]] * g[carom_sym3_column[c]] * inverse;
}

CAROM_INLINE void batch(const carom_element_batch *at, const carom_kinematics *motion, double *share, double *measures,
                        carom_kernel_law law, carom_lame m) {
    carom_batch_nodes nodes;
    int n = carom_batch_list(at, &nodes);
    const double *data = carom_batch_data(at, at->block->data_size);
    const double(*fields[3])[3] = {motion->x, motion->v, motion->a};
    carom_lanes first[3][3], maps[3][9] = {{{0}}}, G[6] = {{0}}, rest[3] = {{0}}, g[3], p[3], w, V;
    for (int f = 0; f < 3; f++)
        carom_batch_node_of(&nodes, 0, fields[f], first[f]);
    for (int a = 1; a < n; a++) {
        carom_nodal_load(data, a, g);
        for (int i = 0; i < 3; i++)
            rest[i] -= g[i];
        carom_lanes_load(data + CAROM_LANES * carom_nodal_share(n, a), &w);
        add_volume(g, &w, G);
        for (int f = 0; f < 3; f++) {
            carom_batch_node_of(&nodes, a, fields[f], p);
            carom_nodal_add(p, first[f], g, maps[f]);
        }
    }
    carom_lanes_load(data + CAROM_LANES * carom_nodal_share(n, 0), &w);
    add_volume(rest, &w, G);
    carom_lanes_load(data + CAROM_LANES * carom_nodal_volume(n), &V);
    for (int c = 0; c < 6; c++)
        G[c] *= V;

    carom_lanes inverse[9], J, k, L[9], A[9], rate, push, stretch, unused;
    carom_kernel_invert(maps[0], inverse, &J);
    carom_point_stiffness(law, m, G, maps[0], inverse, &J, &k);
    carom_bound_multiply(maps[1], inverse, L);
    carom_bound_multiply(maps[2], inverse, A);
    carom_bound_squeeze(3, L, &rate, &stretch);
    carom_bound_squeeze(3, A, &push, &unused);
    for (int l = 0; l < CAROM_LANES; l++) {
        int e = at->e + l;
        if (e < at->begin || e >= at->end)
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
    carom_element_batch at = {.block = block, .begin = begin, .end = end};
    CAROM_BATCHES(at)
    batch(&at, motion, share, measures, law, m);
}

CAROM_KERNEL_SOME_LAWS(CAROM_FINITE_LAWS, bound_of_law, range(block, begin, end, motion, share, measures, law),
                       CAROM_BOUND_KERNEL, CAROM_BOUND_GIVEN)

void carom_nodal_bound CAROM_BOUND_KERNEL {
    if (carom_nodal_is_split(block))
        carom_nodal_split_bound CAROM_BOUND_GIVEN;
    else
        bound_of_law CAROM_BOUND_GIVEN;
}
