// SPDX-License-Identifier: MIT
// Forces and energies of patches of `nodal` (neighbourhoods of nodes), eight of equal size at a time, and forces of one patch
// for asynchronous methods, in which each element has its own step (nodal_patch.c has the equations).
#include <math.h>
#include <string.h>

#include "element/average/nodal.h"
#include "element/average/nodal_body.h"
#include "element/batch.h"
#include "element/peak_values.h"
#include "element/solid/energy_body.h"
#include "math/vec3.h"

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law) {
    carom_elastic_params own = carom_nodal_patch_law(block);
    carom_element_batch at = {.block = block, .begin = begin, .end = end, .x = x, .force = force};
    at.m = carom_elastic_lame(&own);
    at.whole = carom_elastic_lame(block->material_params);
    CAROM_BATCHES(at)
    carom_patch_force(&at, law, extremes);
}

CAROM_KERNEL_LAWS(force_of_law, range(block, begin, end, x, force, extremes, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], double *force, carom_extremes *extremes),
                  (block, begin, end, x, force, extremes))

void carom_nodal_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes) {
    force_of_law(block, begin, end, x, force, extremes);
}

void carom_nodal_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *force) {
    if (carom_nodal_is_split(block))
        carom_nodal_split_force(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, force, NULL);
}

// V W(H) of eight patches, with the displacement gradient H = F - I.
CAROM_INLINE void energy_batch(const carom_element_batch *at, carom_kernel_law law, double *energy) {
    carom_batch_nodes nodes;
    int n = carom_batch_list(at, &nodes);
    const double *data = carom_batch_data(at, at->block->data_size);
    carom_lanes first[3], start[3], p[3], g[3], V, H[9] = {{0}}, W;
    carom_batch_node(at, &nodes, 0, first);
    carom_batch_node_of(&nodes, 0, at->X, start);
    for (int i = 0; i < 3; i++)
        first[i] = first[i] - start[i];
    for (int a = 1; a < n; a++) {
        carom_batch_node(at, &nodes, a, p);
        carom_batch_node_of(&nodes, a, at->X, start);
        carom_nodal_load(data, a, g);
        for (int i = 0; i < 3; i++)
            p[i] = p[i] - start[i];
        carom_nodal_add(p, first, g, H);
    }
    carom_kernel_energy(law, at->m, H, &W);
    carom_lanes_load(data + CAROM_LANES * carom_nodal_volume(n), &V);
    W = V * W;
    carom_kernel_put(&W, at->e, at->begin, at->end, energy + at->e);
}

CAROM_INLINE void energies(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                           double *energy, carom_kernel_law law) {
    carom_elastic_params own = carom_nodal_patch_law(block);
    carom_element_batch at = {.block = block, .begin = begin, .end = end, .x = x, .X = X, .m = carom_elastic_lame(&own)};
    CAROM_BATCHES(at)
    energy_batch(&at, law, energy);
}

CAROM_KERNEL_LAWS(energy_of_law, energies(block, begin, end, x, X, values, law), CAROM_VALUES, CAROM_VALUES_GIVEN)

void carom_nodal_energy CAROM_VALUES {
    if (carom_nodal_is_split(block))
        carom_nodal_split_energy CAROM_VALUES_GIVEN;
    else
        energy_of_law CAROM_VALUES_GIVEN;
}

// The data of a single patch: the law, the volume, the gradients. Patches of more than SINGLE_MAX nodes, which no regular mesh
// has, have no functions for single elements.
enum { VOLUME = sizeof(carom_elastic_params) / sizeof(double), GRADIENTS, SINGLE_MAX = 64 };

static void prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    (void)X;
    carom_elastic_params law = carom_nodal_patch_law(block);
    int n = block->node_count;
    memcpy(data, &law, sizeof law);
    data[VOLUME] = block->data[carom_lane(e, carom_nodal_volume(n), block->data_size)];
    for (int k = 0; k < 3 * (n - 1); k++)
        data[GRADIENTS + k] = block->data[carom_lane(e, k, block->data_size)];
}

static void force_of_one(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    const void *gradients = data + GRADIENTS;
    carom_const_vectors g = gradients;
    double F[9] = {0}, P[9], rest[3] = {0};
    int n = block->node_count;
    for (int a = 1; a < n; a++)
        for (int i = 0; i < 3; i++) {
            double d = q[a][i] - q[0][i];
            F[3 * i] += d * g[a - 1][0];
            F[3 * i + 1] += d * g[a - 1][1];
            F[3 * i + 2] += d * g[a - 1][2];
        }
    // NaN forces indicate to the integrator that the patch is inverted.
    double scale = block->material->solid(data, F, P, NULL) < HUGE_VAL ? -data[VOLUME] : NAN;
    for (int i = 0; i < 9; i++)
        P[i] *= scale;
    for (int a = 1; a < n; a++)
        for (int i = 0; i < 3; i++) {
            f[a][i] = carom_dot(&P[3 * i], g[a - 1]);
            rest[i] -= f[a][i];
        }
    carom_copy(rest, f[0]);
}

const carom_single *carom_nodal_single(const carom_block *block) {
// carom_single is a constant with the size of its data, so there is one for each number of nodes.
#define ONE(n) \
    { GRADIENTS + 3 * ((n)-1), prepare, force_of_one }
#define FOUR(n) ONE(n), ONE((n) + 1), ONE((n) + 2), ONE((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
    static const carom_single singles[SINGLE_MAX] = {SIXTEEN(1), SIXTEEN(17), SIXTEEN(33), SIXTEEN(49)};
    return block->node_count <= SINGLE_MAX && !carom_nodal_is_split(block) ? &singles[block->node_count - 1] : NULL;
}
