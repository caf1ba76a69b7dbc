// SPDX-License-Identifier: MIT
// The stable step of a whole body.
//
// A single element vibrates faster than it can among its neighbours, so the smallest 2/omega of the elements is up to a quarter
// below the stable step of the body. The largest eigenvalue of the assembled A = M^-1/2 K M^-1/2 is bounded by k steps of the
// Lanczos method. The Ritz value t never exceeds it, and for a start uniform on the sphere of n dimensions
//
//     P( t < (1 - e) lambda_max ) <= 1.648 sqrt(n) exp(-sqrt(e) (2 k - 1)),
//
// J. Kuczynski, H. Wozniakowski, SIAM J. Matrix Anal. Appl. 13 (1992) 1094-1122, theorem 4.2. With k large enough to make the
// right side 1e-12, t/(1 - e) is an upper bound, and the step is at most sqrt(1 - e) below the true one.
//
// K v is computed from the forces at displaced nodes, so no matrix is assembled. M holds the masses of these blocks alone: if
// bodies share nodes, the smallest step of all of them is stable for their sum.
#include "element/body_step.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "material/material.h"
#include "math/vec3.h"

enum {
    CHUNK = 64 * CAROM_LANES, // elements whose forces stay in the second-level cache
    STEPS_MAX = 400,          // more than the bound asks for with 10^9 unknowns and a sharpness of 0.01
};
static const double RISK = 1e-12; // probability that the step is too large

typedef struct lanczos {
    const carom_body_step_def *def;
    carom_block *blocks;  // their nodes count from 0
    int *nodes;           // of all blocks
    const double (*X)[3]; // of the first node on
    int node_count;
    double *root;    // square roots of the masses; 0 for nodes of other bodies
    double shortest; // edge
    double (*x)[3];  // X plus the vector in coordinates
    double *before, *now, *next;
    double *slots;
} lanczos;

// Adds `factor` times the forces at X + scale * now to next.
static void add_forces(lanczos *z, double scale, double factor) {
    for (int k = 0; k < z->node_count; k++)
        for (int i = 0; i < 3; i++)
            z->x[k][i] = z->X[k][i] + (z->root[k] > 0 ? scale * z->now[3 * k + i] / z->root[k] : 0);
    // In parts small enough for the slots to stay in the cache. A part of a block is a block whose pointers are moved along.
    for (int b = 0; b < z->def->block_count; b++)
        for (int begin = 0; begin < z->blocks[b].count; begin += CHUNK) {
            carom_block part = z->blocks[b];
            int n = part.node_count, dofs = 3 * n;
            part.count = part.count - begin < CHUNK ? part.count - begin : CHUNK;
            part.nodes += (ptrdiff_t)begin * n;
            if (part.data)
                part.data += carom_lane(begin, 0, part.data_size);
            part.element->force(&part, 0, part.count, (carom_const_vectors)z->x, z->X, z->slots);
            for (int e = 0; e < part.count; e++)
                for (int d = 0; d < dofs; d++)
                    z->next[3 * part.nodes[n * e + d / 3] + d % 3] += factor * z->slots[carom_lane(e, d, dofs)];
        }
}

// next = A now
// The product is a difference quotient of forces: K v = -(f(X + s v) - f(X))/s, where f(X) = 0 without strain.
static void multiply(lanczos *z) {
    double most = 0;
    for (int i = 0; i < 3 * z->node_count; i++) {
        if (z->root[i / 3] > 0)
            most = fmax(most, fabs(z->now[i]) / z->root[i / 3]);
        z->next[i] = 0;
    }
    // The largest displacement is a small fraction of the shortest edge, so that the forces are linear in it.
    double scale = z->def->scale * z->shortest / most;
    if (z->def->centred) {
        add_forces(z, scale, -0.5);
        add_forces(z, -scale, 0.5);
    } else {
        add_forces(z, scale, -1);
    }
    for (int i = 0; i < 3 * z->node_count; i++)
        z->next[i] = z->root[i / 3] > 0 ? z->next[i] / (scale * z->root[i / 3]) : 0;
}

static double dot(const double *a, const double *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

// A number from (0, 1] by SplitMix64. The generator is fixed, so that the step is the same on every machine.
static double random_unit(uint64_t *seed) {
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)(((z ^ (z >> 31)) >> 11) + 1) * 0x1p-53;
}

// A direction that is uniform on the sphere, as the bound requires: normal deviates (Box and Muller), scaled to unit length.
// Returns the number of dimensions.
static double start(lanczos *z) {
    uint64_t seed = 1;
    double dimensions = 0;
    for (int k = 0; k < z->node_count; k++)
        for (int i = 0; i < 3; i++) {
            bool moves = z->root[k] > 0 && i < z->def->dimension;
            double radius = sqrt(-2 * log(random_unit(&seed))), angle = 6.283185307179586 * random_unit(&seed);
            z->now[3 * k + i] = moves ? radius * cos(angle) : 0;
            z->before[3 * k + i] = 0;
            dimensions += moves;
        }
    double length = sqrt(dot(z->now, z->now, 3 * z->node_count));
    for (int i = 0; i < 3 * z->node_count; i++)
        z->now[i] /= length;
    return dimensions;
}

// The largest eigenvalue of a symmetric tridiagonal matrix by bisection within Gershgorin's bound. A pivot of middle I - T that
// is not positive tells that an eigenvalue lies above (Sturm sequence).
static double largest(const double *diagonal, const double *side, int size) {
    double low = 0, high = 0;
    for (int i = 0; i < size; i++)
        high = fmax(high, fabs(diagonal[i]) + (i > 0 ? side[i - 1] : 0) + (i + 1 < size ? side[i] : 0));
    while (high - low > 1e-13 * high) {
        double middle = 0.5 * (low + high), pivot = 1;
        bool above = false;
        for (int i = 0; i < size && !above; i++) {
            pivot = middle - diagonal[i] - (i > 0 ? side[i - 1] * side[i - 1] / pivot : 0);
            above = pivot <= 0;
        }
        if (above)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// The Lanczos recurrence without reorthogonalisation: lost orthogonality repeats Ritz values but does not raise the largest
// one.
static double bound(lanczos *z) {
    double diagonal[STEPS_MAX], side[STEPS_MAX], scale = 0, dimensions = start(z);
    int size = 3 * z->node_count, count = 0;
    int most = (int)ceil(0.5 * (log(1.648 * sqrt(dimensions) / RISK) / sqrt(z->def->sharpness) + 1));
    while (count < most && count < STEPS_MAX) {
        multiply(z);
        double a = dot(z->now, z->next, size), b = count ? side[count - 1] : 0;
        for (int i = 0; i < size; i++)
            z->next[i] -= a * z->now[i] + b * z->before[i];
        diagonal[count] = a;
        side[count] = sqrt(dot(z->next, z->next, size));
        scale = fmax(scale, fabs(a) + b);
        count++;
        // The Krylov space is exhausted: the Ritz values are eigenvalues.
        if (!(side[count - 1] > 1e-12 * scale))
            break;
        for (int i = 0; i < size; i++) {
            z->before[i] = z->now[i];
            z->now[i] = z->next[i] / side[count - 1];
        }
    }
    return largest(diagonal, side, count) / (1 - z->def->sharpness);
}

// All memory at once; false if it is short, or if the blocks have no nodes.
static bool reserve(lanczos *z, const double (*X)[3]) {
    const carom_body_step_def *def = z->def;
    int64_t size = 0;
    int low = INT_MAX, high = -1, widest = 0;
    for (int b = 0; b < def->block_count; b++) {
        const carom_block *block = &def->blocks[b];
        size += (int64_t)block->count * block->node_count;
        widest = block->node_count > widest ? block->node_count : widest;
        for (int i = 0; i < block->count * block->node_count; i++) {
            low = block->nodes[i] < low ? block->nodes[i] : low;
            high = block->nodes[i] > high ? block->nodes[i] : high;
        }
    }
    if (high < 0)
        return false;
    // Nodes of a body are numbered together, so the range from the lowest to the highest one is compact.
    z->X = &X[low];
    z->node_count = high - low + 1;
    z->blocks = carom_allocate(def->block_count, sizeof *z->blocks);
    z->nodes = carom_allocate(size, sizeof *z->nodes);
    z->root = carom_allocate(z->node_count, sizeof *z->root);
    z->x = carom_allocate(z->node_count, sizeof *z->x);
    z->before = carom_allocate(9 * (int64_t)z->node_count, sizeof *z->before);
    z->slots = carom_allocate((int64_t)CHUNK * 3 * widest, sizeof *z->slots);
    if (!z->blocks || !z->nodes || !z->root || !z->x || !z->before || !z->slots)
        return false;
    z->now = z->before + 3 * (ptrdiff_t)z->node_count;
    z->next = z->now + 3 * (ptrdiff_t)z->node_count;

    // Copies of the blocks with nodes counted from 0, their masses, and the shortest distance between two nodes of a cell.
    z->shortest = HUGE_VAL;
    int *nodes = z->nodes;
    for (int b = 0; b < def->block_count; b++) {
        carom_block *block = &z->blocks[b];
        *block = def->blocks[b];
        block->nodes = nodes;
        int n = block->node_count, cell = block->element->node_count;
        for (int i = 0; i < block->count * n; i++)
            nodes[i] = def->blocks[b].nodes[i] - low;
        for (int e = 0; e < block->count; e++, nodes += n)
            for (int i = 0; i < cell; i++)
                for (int j = 0; j < i; j++) {
                    double edge[3];
                    carom_difference(z->X[nodes[i]], z->X[nodes[j]], edge);
                    z->shortest = fmin(z->shortest, carom_norm(edge));
                }
        def->masses(block, z->X, z->root);
    }
    for (int k = 0; k < z->node_count; k++)
        z->root[k] = sqrt(fmax(z->root[k], 0));
    return true;
}

// 2/omega_max, with omega_max^2 bounded from above.
double carom_body_step(const carom_body_step_def *def, const double (*X)[3]) {
    lanczos z = {.def = def};
    // a caller that took another step for want of memory would silently compute something else
    double step = reserve(&z, X) ? 2 / sqrt(bound(&z)) : NAN;
    free(z.blocks);
    free(z.nodes);
    free(z.root);
    free(z.x);
    free(z.before);
    free(z.slots);
    return step;
}

double carom_body_step_elastic(const carom_block *blocks, int block_count, int dimension,
                               void (*masses)(const carom_block *block, const double (*X)[3], double *mass),
                               const double (*X)[3]) {
    carom_block *linear = carom_allocate(block_count, sizeof *linear);
    if (!linear)
        return NAN;
    for (int b = 0; b < block_count; b++) {
        linear[b] = blocks[b];
        linear[b].material = &carom_material_linear;
    }
    carom_body_step_def def = {
        .blocks = linear,
        .block_count = block_count,
        .dimension = dimension,
        // The step is within 2.5 percent of the true one after some 75 products; half the margin would take half as many again.
        .sharpness = 0.05,
        // The forces are linear up to rounding, but plane stress needs a thickness that stays positive.
        .scale = 1e-3,
        .masses = masses,
    };
    double step = carom_body_step(&def, X);
    free(linear);
    return step;
}
