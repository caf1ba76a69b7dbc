// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// Decides from a few elements whether a body has stiffened too much for its step. omega^2 of a body is at most the largest sum
// of stiffness shares s_ea of elements e at a node a over its mass m_a (frequency_bound.c). Let r_ea be the shares at the
// reference, omega_0^2 the largest of their sums, and g = omega_1^2/omega_0^2 > 1 for the frequency omega_1 of the step that
// the body must allow. Where s_ea <= g r_ea for all elements of a node,
//
//     sum_e s_ea/m_a <= g sum_e r_ea/m_a <= omega_1^2:
//
// the node needs no check, whenever its elements were evaluated. Only where one element has grown more, the sum itself decides,
// for which all elements of the node are evaluated at the same time.
#include "model/watch/stiffness_growth.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "element/element.h"
#include "model/collective.h"
#include "model/watch/frequency_bound.h"

// Shares at the reference are stored in single precision, relative to the largest one of their block, so that units do not
// matter. A share that is then not a normal number is stored as 0, so that any current share has grown too much.
static const double rounding = 1e-6;

// Number of batches above which several threads run the loop over them.
enum { SHARED = 512 };

carom_growth carom_growth_create(carom_arena *arena, const carom_model *model, bool *enough) {
    carom_growth growth = {.model = model};
    growth.begin = carom_arena_reserve(arena, model->block_count + 1, sizeof *growth.begin, enough);
    int64_t total = 0, batches = 0;
    for (int b = 0; *enough && b < model->block_count; b++) {
        growth.begin[b] = total;
        batches += (model->blocks[b].count + CAROM_LANES - 1) / CAROM_LANES;
        total += carom_lanes_size(model->blocks[b].count, model->blocks[b].node_count);
    }
    growth.scale = carom_arena_reserve(arena, model->block_count, sizeof *growth.scale, enough);
    growth.rest = carom_arena_reserve(arena, total, sizeof *growth.rest, enough);
    growth.grown = carom_arena_reserve(arena, batches, sizeof *growth.grown, enough);
    growth.limit = carom_arena_reserve(arena, model->body_count, sizeof *growth.limit, enough);
    growth.factor = carom_arena_reserve(arena, model->body_count, sizeof *growth.factor, enough);
    growth.nodes = carom_arena_reserve(arena, model->node_count, sizeof *growth.nodes, enough);
    growth.bodies = carom_arena_reserve(arena, model->node_count, sizeof *growth.bodies, enough);
    growth.has = carom_arena_reserve(arena, model->node_count, sizeof *growth.has, enough);
    if (carom_model_is_subdomain(model))
        growth.flags = carom_arena_reserve(arena, model->node_count, sizeof *growth.flags, enough);
    return growth;
}

// omega^2 for the stable step h of a body with stiffness damping b: h (h + 2 b) = 4/omega^2.
static double frequency_of(const carom_body *body, double step) {
    return 4 / (step * (step + 2 * body->damping.stiffness));
}

// The largest share of a block.
static double largest_of(const carom_block *block, const double *shares) {
    double most = 0;
    for (int e = 0; e < block->count; e++)
        for (int a = 0; a < block->node_count; a++) {
            double share = shares[carom_lane(e, 3 * a, 3 * block->node_count)];
            most = isfinite(share) && share > most ? share : most;
        }
    return most;
}

// The largest power of two not above the value.
static double scale_of(double most) {
    int exponent;
    frexp(most, &exponent);
    return isnormal(most) ? ldexp(1, exponent - 1) : 1;
}

// Stores the shares of a block.
static void keep(const carom_block *block, const double *shares, double scale, float *rest) {
    int n = block->node_count;
    for (int e = 0; e < block->count; e++)
        for (int a = 0; a < n; a++) {
            double share = shares[carom_lane(e, 3 * a, 3 * n)], relative = share / scale;
            bool kept = isnormal(share) && relative >= FLT_MIN;
            rest[carom_lane(e, a, n)] = kept ? (float)relative : 0;
        }
}

void carom_growth_start(carom_growth *growth, const double *slots, double step) {
    const carom_model *model = growth->model;
    carom_model_bounds(model, slots, growth->factor);
    for (int b = 0; b < model->body_count; b++) {
        double start = growth->factor[b];
        growth->limit[b] = frequency_of(&model->bodies[b], step);
        growth->factor[b] = isinf(start) ? HUGE_VAL : growth->limit[b] / frequency_of(&model->bodies[b], start);
    }
    for (int b = 0; b < model->block_count; b++)
        growth->scale[b] =
            carom_block_stiffens(&model->blocks[b]) ? largest_of(&model->blocks[b], slots + model->block_slot[b]) : 0;
    carom_model_most_of(model, growth->scale, model->block_count);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!carom_block_stiffens(block))
            continue;
        growth->scale[b] = scale_of(growth->scale[b]);
        keep(block, slots + model->block_slot[b], growth->scale[b], growth->rest + growth->begin[b]);
    }
}

static void add(carom_growth *growth, int node, int body) {
    if (growth->has[node])
        return;
    growth->has[node] = true;
    growth->bodies[growth->node_count] = body;
    growth->nodes[growth->node_count++] = node;
}

// Combines the nodes that all processes have found. A node is found by the home of one of its elements; its owner has all of
// its elements, and other processes may be the homes of some.
static void share_nodes(carom_growth *growth) {
    const carom_model *model = growth->model;
    if (carom_model_total(model, growth->node_count) == 0 || !growth->flags)
        return;
    memset(growth->flags, 0, (size_t)model->node_count * sizeof *growth->flags);
    for (int i = 0; i < growth->node_count; i++)
        growth->flags[growth->nodes[i]][0] = 1 + growth->bodies[i];
    carom_halo_most(model->part.halo, growth->flags[0]);
    carom_model_halo(model, growth->flags);
    for (int k = 0; k < model->node_count; k++)
        if (growth->flags[k][0] > 0)
            add(growth, k, (int)growth->flags[k][0] - 1);
}

// True if a share of a batch has grown too much; `adds`: adds its nodes to the list.
static bool has_grown(carom_growth *growth, carom_batch batch, const double *slots, bool adds) {
    const carom_model *model = growth->model;
    const carom_block *block = &model->blocks[batch.block];
    int n = block->node_count;
    double factor = (1 - rounding) * growth->factor[block->body], scale = growth->scale[batch.block];
    const double *share = slots + model->block_slot[batch.block] + carom_lane(batch.begin, 0, 3 * n);
    const float *rest = growth->rest + growth->begin[batch.block] + carom_lane(batch.begin, 0, n);
    bool any = false;
    for (int a = 0; a < n; a++)
        for (int l = 0; l < batch.end - batch.begin; l++) {
            double now = share[3 * CAROM_LANES * a + l];
            // NaN and infinite shares have grown too
            if (isfinite(now) && now <= factor * (double)rest[CAROM_LANES * a + l] * scale)
                continue;
            any = true;
            if (adds)
                add(growth, block->nodes[(ptrdiff_t)n * (batch.begin + l) + a], block->body);
        }
    return any;
}

void carom_growth_find(carom_growth *growth, carom_vicinity *near, const double *slots) {
    const carom_model *model = growth->model;
    // a parallel search first, since few have grown
#pragma omp parallel for schedule(static) if (near->batch_count > SHARED)
    for (int i = 0; i < near->batch_count; i++)
        growth->grown[i] =
            carom_block_stiffens(&model->blocks[near->batches[i].block]) && has_grown(growth, near->batches[i], slots, false);
    for (int i = 0; i < near->batch_count; i++)
        if (growth->grown[i])
            has_grown(growth, near->batches[i], slots, true);
    share_nodes(growth);
    for (int i = 0; i < growth->node_count; i++)
        carom_vicinity_add(near, model, growth->nodes[i], false);
}

bool carom_growth_is_allowed(carom_growth *growth, const double *slots) {
    bool allowed = true;
    for (int i = 0; i < growth->node_count; i++) {
        int node = growth->nodes[i];
        // the owner has all elements of a node
        bool judged = node < growth->model->part.owned_count;
        if (judged)
            allowed = allowed && carom_model_frequency_at(growth->model, node, slots) <= growth->limit[growth->bodies[i]];
        growth->has[node] = false;
    }
    growth->node_count = 0;
    return allowed;
}
