// SPDX-License-Identifier: MIT
// The stable time step of a whole body, 2/omega_max of its assembled elements.
//
// A separate element has a higher frequency than the assembly with its neighbours, so the smallest 2/omega of the elements is
// up to a quarter below the stable step of the body. The largest eigenvalue omega_max^2 of the assembled A = M^-1/2 K M^-1/2 is
// bounded by the Lanczos method (math/lanczos.c): after enough iterations the largest Ritz value t is below (1 - e) omega_max^2
// with a probability of at most 1e-12, so t/(1 - e) is an upper bound, and the step is at least sqrt(1 - e) times 2/omega_max.
//
// K v is computed from the forces at displaced nodes, so no matrix is assembled. M holds the masses of these blocks alone: if
// bodies share nodes, the smallest step of all of them is stable for their sum.
#include "element/body_step.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "element/shared_assembly.h"
#include "element/shortest_edge.h"
#include "material/material.h"
#include "math/lanczos.h"
#include "math/vec3.h"

// Minimum number of element nodes for a parallel loop: a loop takes half a nanosecond for each node, the start of threads more
// than fewer nodes would save.
enum { SHARED_NODES = 1 << 16 };

static const double RISK = 1e-12; // probability that the step is too large

typedef struct problem {
    const carom_body_step_def *def;
    carom_block *blocks;  // their nodes count from 0
    int *nodes;           // of all blocks
    const double (*X)[3]; // of the first node on
    int node_count;
    double *root;    // square roots of the masses; 0 for nodes of other bodies
    double shortest; // edge
    double (*x)[3];  // X plus the vector in coordinates
    carom_lanczos krylov;
    double *slots;          // forces of a part of a block, for one thread
    bool shares;            // the products are distributed to all threads
    carom_body_share share; // what each of them computes
} problem;

// x = X + scale M^-1/2 now
static void displace(problem *z, double scale) {
#pragma omp parallel for schedule(static) if (z->shares)
    for (int k = 0; k < z->node_count; k++)
        for (int i = 0; i < 3; i++)
            z->x[k][i] = z->X[k][i] + (z->root[k] > 0 ? scale * z->krylov.now[3 * k + i] / z->root[k] : 0);
}

// Adds `factor` times the forces of a part of a block to next, by one thread; its slots stay in the cache.
static void add_part(problem *z, const carom_block *part, double factor) {
    int n = part->node_count;
    for (int e = 0; e < part->count; e++) {
        const double *slot = z->slots + carom_lane(e, 0, 3 * n);
        for (int a = 0; a < n; a++, slot += 3 * CAROM_LANES) {
            double *next = &z->krylov.next[3 * (ptrdiff_t)part->nodes[n * e + a]];
            next[0] += factor * slot[0];
            next[1] += factor * slot[CAROM_LANES];
            next[2] += factor * slot[2 * CAROM_LANES];
        }
    }
}

// Adds `factor` times the forces at X + scale * now to next.
static void add_forces(problem *z, double scale, double factor) {
    displace(z, scale);
    if (z->shares) {
        carom_body_share_add_forces(&z->share, z->blocks, (carom_const_vectors)z->x, z->X, factor, z->krylov.next);
        return;
    }
    for (int b = 0; b < z->def->block_count; b++)
        for (int begin = 0; begin < z->blocks[b].count; begin += CAROM_BODY_SHARE_PART) {
            carom_block part = carom_body_share_part_of(&z->blocks[b], begin);
            part.element->force(&part, 0, part.count, (carom_const_vectors)z->x, z->X, z->slots);
            add_part(z, &part, factor);
        }
}

// next = A now, by a difference quotient of forces: K v = -(f(X + s v) - f(X))/s, where f(X) = 0 without strain.
static void multiply(void *context) {
    problem *z = context;
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (z->shares)
    for (int i = 0; i < 3 * z->node_count; i++) {
        double size = z->root[i / 3] > 0 ? fabs(z->krylov.now[i]) / z->root[i / 3] : 0;
        most = size > most ? size : most;
        z->krylov.next[i] = 0;
    }
    // The largest displacement is a small fraction of the shortest edge, so that the forces are linear in it.
    double scale = z->def->scale * z->shortest / most;
    if (z->def->centred) {
        add_forces(z, scale, -0.5);
        add_forces(z, -scale, 0.5);
    } else {
        add_forces(z, scale, -1);
    }
#pragma omp parallel for schedule(static) if (z->shares)
    for (int i = 0; i < 3 * z->node_count; i++)
        z->krylov.next[i] = z->root[i / 3] > 0 ? z->krylov.next[i] / (scale * z->root[i / 3]) : 0;
}

static bool moves(const void *context, int i) {
    const problem *z = context;
    return z->root[i / 3] > 0 && i % 3 < z->def->dimension;
}

static double bound(problem *z) {
    z->krylov.size = 3 * z->node_count;
    z->krylov.multiply = multiply;
    z->krylov.context = z;
    double dimensions = carom_lanczos_start(&z->krylov, moves);
    int rounds = carom_lanczos_rounds(dimensions, z->def->sharpness, RISK);
    return carom_lanczos_largest(&z->krylov, rounds) / (1 - z->def->sharpness);
}

// Whether the products are distributed to all threads: not for a small body.
static bool is_shared(const carom_body_step_def *def) {
    int64_t count = 0;
    for (int b = 0; b < def->block_count; b++)
        count += def->blocks[b].count;
    return count >= CAROM_BODY_STEP_SHARED && carom_threads() > 1;
}

// Allocates all memory and copies the blocks; false if memory is short or the blocks have no nodes.
static bool reserve(problem *z, const double (*X)[3]) {
    const carom_body_step_def *def = z->def;
    int64_t size = 0;
    int low = INT_MAX, high = -1, widest = 0;
    for (int b = 0; b < def->block_count; b++) {
        const carom_block *block = &def->blocks[b];
        size += (int64_t)block->count * block->node_count;
        widest = block->node_count > widest ? block->node_count : widest;
        int count = block->count * block->node_count;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high) if (count > SHARED_NODES)
        for (int i = 0; i < count; i++) {
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
    z->krylov.before = carom_allocate(9 * (int64_t)z->node_count, sizeof *z->krylov.before);
    z->shares = is_shared(def);
    z->slots = carom_allocate(z->shares ? 0 : (int64_t)CAROM_BODY_SHARE_PART * 3 * widest, sizeof *z->slots);
    if (!z->blocks || !z->nodes || !z->root || !z->x || !z->krylov.before || !z->slots)
        return false;
    z->krylov.now = z->krylov.before + 3 * (ptrdiff_t)z->node_count;
    z->krylov.next = z->krylov.now + 3 * (ptrdiff_t)z->node_count;

    // Copies of the blocks with nodes counted from 0, their masses, and the shortest distance between two nodes of a cell.
    z->shortest = HUGE_VAL;
    int *nodes = z->nodes;
    for (int b = 0; b < def->block_count; b++) {
        carom_block *block = &z->blocks[b];
        *block = def->blocks[b];
        block->nodes = nodes;
        int64_t count = (int64_t)block->count * block->node_count;
#pragma omp parallel for schedule(static) if (z->shares)
        for (int64_t i = 0; i < count; i++)
            nodes[i] = def->blocks[b].nodes[i] - low;
        nodes += count;
        z->shortest = fmin(z->shortest, carom_block_shortest_edge(block, z->X));
        def->masses(block, z->X, z->root);
    }
    for (int k = 0; k < z->node_count; k++)
        z->root[k] = sqrt(fmax(z->root[k], 0));
    return !z->shares || carom_body_share_create(&z->share, z->blocks, def->block_count, z->node_count, carom_threads());
}

// 2/omega_max, with omega_max^2 bounded from above.
double carom_body_step(const carom_body_step_def *def, const double (*X)[3]) {
    problem z = {.def = def};
    // NaN if memory is short: another estimate of the step would silently change the results
    double step = reserve(&z, X) ? 2 / sqrt(bound(&z)) : NAN;
    free(z.blocks);
    free(z.nodes);
    free(z.root);
    free(z.x);
    free(z.krylov.before);
    free(z.slots);
    carom_body_share_release(&z.share);
    return step;
}

double carom_body_step_smooth(const carom_block *blocks, int block_count, int dimension, double sharpness,
                              carom_body_masses *masses, const double (*X)[3]) {
    // centred differences over a ten thousandth of an edge are accurate to eight digits
    carom_body_step_def def = {blocks, block_count, dimension, sharpness, .scale = 1e-4, .centred = true, .masses = masses};
    return carom_body_step(&def, X);
}

double carom_body_step_elastic(const carom_block *blocks, int block_count, int dimension, carom_body_masses *masses,
                               const double (*X)[3]) {
    carom_block *linear = carom_allocate(block_count, sizeof *linear);
    if (!linear)
        return NAN;
    for (int b = 0; b < block_count; b++) {
        linear[b] = blocks[b];
        linear[b].material = carom_law_material(CAROM_LAW_LINEAR);
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

void carom_block_stable_steps(const carom_block *block, const double (*X)[3], double *step) {
    // Each element takes a microsecond or more: a chunk of this size is worth the start of a thread.
    enum { RUN = 64 };
#pragma omp parallel for schedule(static) if (block->count > 4 * RUN)
    for (int begin = 0; begin < block->count; begin += RUN)
        block->element->stable_step(block, begin, begin + RUN < block->count ? begin + RUN : block->count, X, X, step);
}
