// SPDX-License-Identifier: MIT
// The force of one element, for methods in which each element has its own step (asynchronous), by the general functions of
// solids: for plane elements and wedges, whose points do not fill the lanes of a batch.
#include <string.h>

#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

enum { NODES_MAX = 6 };

// Node numbers for an array with the positions of a single element.
static const int own[NODES_MAX] = {0, 1, 2, 3, 4, 5};

static void prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    int n = block->element->node_count;
    for (int d = 0; d < 3 * n; d++)
        data[d] = X[block->nodes[n * e + d / 3]][d % 3];
}

static void force(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    const void *nodes = data;
    carom_const_vectors X = nodes;
    memset(f, 0, (size_t)shape->node_count * sizeof *f);
    for (int point = 0; point < shape->point_count; point++) {
        carom_solid_point p = carom_solid_point_of(shape, block, own, point, X);
        double F[9], P[9];
        carom_solid_deformation(shape, own, &p, q, X, F);
        double scale = carom_solid_law(shape, block, (carom_solid_spot){0}, F, P, NULL) < HUGE_VAL ? -p.volume : NAN;
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < shape->dimension; i++)
                f[a][i] += scale * carom_dot(&P[3 * i], p.g[a]);
    }
}

const carom_single *carom_solid_single(const carom_block *block) {
    static const carom_single three = {9, prepare, force}, four = {12, prepare, force}, six = {18, prepare, force};
    // none for laws with history: their elements are computed by `force` of the element for a range of one
    if (block->point_count)
        return NULL;
    int n = block->element->node_count;
    return n == 3 ? &three : n == 4 ? &four : &six;
}
