// SPDX-License-Identifier: MIT
// Parallel assembly of the element forces of one body with the same bits as by one thread (shared_assembly.h).
#include "element/shared_assembly.h"

#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"

carom_block carom_body_share_part_of(const carom_block *block, int begin) {
    carom_block part = *block;
    part.count = part.count - begin < CAROM_BODY_SHARE_PART ? part.count - begin : CAROM_BODY_SHARE_PART;
    part.nodes += (ptrdiff_t)begin * part.node_count;
    if (part.data)
        part.data += carom_lane(begin, 0, part.data_size);
    return part;
}

// Lists all parts in the order of the elements, and which belong to each unit.
static bool list_parts(carom_body_share *share, const carom_block *blocks, int block_count) {
    int64_t count = 0;
    int widest = 0;
    for (int b = 0; b < block_count; b++) {
        count += ((int64_t)blocks[b].count + CAROM_BODY_SHARE_PART - 1) / CAROM_BODY_SHARE_PART;
        widest = blocks[b].node_count > widest ? blocks[b].node_count : widest;
    }
    share->slot_size = 3 * widest * CAROM_BODY_SHARE_PART;
    share->parts = carom_allocate(count, sizeof *share->parts);
    share->part_begin = carom_allocate(share->unit_count + 1, sizeof *share->part_begin);
    if (!share->parts || !share->part_begin)
        return false;
    int64_t p = 0;
    for (int b = 0; b < block_count; b++)
        for (int begin = 0; begin < blocks[b].count; begin += CAROM_BODY_SHARE_PART)
            share->parts[p++] = (carom_body_share_part){b, begin};
    for (int u = 0; u <= share->unit_count; u++)
        share->part_begin[u] = (int)(count * u / share->unit_count);
    return true;
}

// Finds the nodes with elements of several units: each unit sets its bit at its nodes. The order in which threads set bits has
// no effect.
static bool find_between(carom_body_share *share, const carom_block *blocks, int node_count) {
    uint64_t *units = carom_allocate(node_count, sizeof *units);
    share->between = carom_allocate(node_count, sizeof *share->between);
    bool enough = units && share->between;
    if (enough) {
#pragma omp parallel for schedule(static, 1)
        for (int u = 0; u < share->unit_count; u++)
            for (int p = share->part_begin[u]; p < share->part_begin[u + 1]; p++) {
                carom_block part = carom_body_share_part_of(&blocks[share->parts[p].block], share->parts[p].begin);
                for (int i = 0; i < part.count * part.node_count; i++) {
#pragma omp atomic
                    units[part.nodes[i]] |= UINT64_C(1) << u;
                }
            }
#pragma omp parallel for schedule(static)
        for (int k = 0; k < node_count; k++)
            share->between[k] = (units[k] & (units[k] - 1)) != 0;
    }
    free(units);
    return enough;
}

// Counts the forces that each unit puts aside; if `nodes` is not NULL, lists their nodes instead.
static void list_aside(carom_body_share *share, const carom_block *blocks, int *nodes) {
#pragma omp parallel for schedule(static, 1)
    for (int u = 0; u < share->unit_count; u++) {
        int64_t place = nodes ? share->aside_begin[u] : 0;
        for (int p = share->part_begin[u]; p < share->part_begin[u + 1]; p++) {
            carom_block part = carom_body_share_part_of(&blocks[share->parts[p].block], share->parts[p].begin);
            for (int i = 0; i < part.count * part.node_count; i++) {
                if (!share->between[part.nodes[i]])
                    continue;
                if (nodes)
                    nodes[place] = part.nodes[i];
                place++;
            }
        }
        if (!nodes)
            share->aside_begin[u + 1] = place;
    }
}

// Lists, for each node between units, the places of its forces in `aside`: a counting sort, which keeps the order of the
// elements.
static bool list_shared(carom_body_share *share, const int *nodes, int64_t count, int node_count) {
    int *number = carom_allocate(node_count, sizeof *number);
    for (int k = 0; number && k < node_count; k++)
        if (share->between[k])
            number[k] = share->shared_count++;
    share->shared = carom_allocate(share->shared_count, sizeof *share->shared);
    share->at_begin = carom_allocate((int64_t)share->shared_count + 1, sizeof *share->at_begin);
    share->at = carom_allocate(count, sizeof *share->at);
    bool enough = number && share->shared && share->at_begin && share->at;
    for (int k = 0; enough && k < node_count; k++)
        if (share->between[k])
            share->shared[number[k]] = k;
    // at_begin[s + 1] is the next free place of node s until all are filled
    int64_t sum = 0;
    for (int64_t i = 0; enough && i < count; i++)
        share->at_begin[number[nodes[i]] + 1]++;
    for (int s = 0; enough && s < share->shared_count; s++) {
        int64_t own = share->at_begin[s + 1];
        share->at_begin[s + 1] = sum;
        sum += own;
    }
    for (int64_t i = 0; enough && i < count; i++)
        share->at[share->at_begin[number[nodes[i]] + 1]++] = (int)i;
    free(number);
    return enough;
}

bool carom_body_share_create(carom_body_share *share, const carom_block *blocks, int block_count, int node_count, int units) {
    *share = (carom_body_share){.unit_count = units < 64 ? units : 64};
    if (!list_parts(share, blocks, block_count) || !find_between(share, blocks, node_count))
        return false;
    share->aside_begin = carom_allocate(share->unit_count + 1, sizeof *share->aside_begin);
    share->slots = carom_allocate((int64_t)share->unit_count * share->slot_size, sizeof *share->slots);
    if (!share->aside_begin || !share->slots)
        return false;
    list_aside(share, blocks, NULL);
    for (int u = 0; u < share->unit_count; u++)
        share->aside_begin[u + 1] += share->aside_begin[u];
    int64_t count = share->aside_begin[share->unit_count];
    if (count > INT_MAX)
        return false;
    int *nodes = carom_allocate(count, sizeof *nodes);
    share->aside = carom_allocate(count, sizeof *share->aside);
    bool enough = nodes && share->aside;
    if (enough)
        list_aside(share, blocks, nodes);
    enough = enough && list_shared(share, nodes, count, node_count);
    free(nodes);
    return enough;
}

void carom_body_share_release(carom_body_share *share) {
    free(share->part_begin);
    free(share->parts);
    free(share->aside_begin);
    free(share->between);
    free(share->shared);
    free(share->at_begin);
    free(share->at);
    free(share->aside);
    free(share->slots);
    *share = (carom_body_share){0};
}

// Adds the forces of a unit to its own nodes, and puts the others aside.
static void add_unit(const carom_body_share *share, int u, const carom_block *blocks, const double (*x)[3],
                     const double (*X)[3], double factor, double *sum) {
    double *slots = share->slots + (ptrdiff_t)u * share->slot_size, (*aside)[3] = share->aside + share->aside_begin[u];
    for (int p = share->part_begin[u]; p < share->part_begin[u + 1]; p++) {
        carom_block part = carom_body_share_part_of(&blocks[share->parts[p].block], share->parts[p].begin);
        int n = part.node_count;
        part.element->force(&part, 0, part.count, x, X, slots);
        for (int e = 0; e < part.count; e++) {
            const double *slot = slots + carom_lane(e, 0, 3 * n);
            for (int a = 0; a < n; a++, slot += 3 * CAROM_LANES) {
                int k = part.nodes[n * e + a];
                if (share->between[k]) {
                    for (int i = 0; i < 3; i++)
                        (*aside)[i] = slot[i * CAROM_LANES];
                    aside++;
                    continue;
                }
                double *own = &sum[3 * (ptrdiff_t)k];
                own[0] += factor * slot[0];
                own[1] += factor * slot[CAROM_LANES];
                own[2] += factor * slot[2 * CAROM_LANES];
            }
        }
    }
}

void carom_body_share_add_forces(const carom_body_share *share, const carom_block *blocks, const double (*x)[3],
                                 const double (*X)[3], double factor, double *sum) {
#pragma omp parallel if (share->unit_count > 1)
    {
#pragma omp for schedule(static, 1)
        for (int u = 0; u < share->unit_count; u++)
            add_unit(share, u, blocks, x, X, factor, sum);
            // The implied barrier: all forces are put aside before any is added.
#pragma omp for schedule(static)
        for (int s = 0; s < share->shared_count; s++)
            for (int64_t i = share->at_begin[s]; i < share->at_begin[s + 1]; i++)
                for (int c = 0; c < 3; c++)
                    sum[3 * (ptrdiff_t)share->shared[s] + c] += factor * share->aside[share->at[i]][c];
    }
}
