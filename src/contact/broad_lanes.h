// SPDX-License-Identifier: MIT
// Four numbers of single precision at once. Exact operations only (order, smaller, larger), so the result is the same on every machine.
#ifndef CAROM_CONTACT_BROAD_LANES_H
#define CAROM_CONTACT_BROAD_LANES_H

enum { CAROM_TREE_WIDTH = 4 };

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128 carom_box_lanes;

static inline carom_box_lanes carom_box_lanes_load(const float *a) {
    return _mm_load_ps(a);
}

static inline void carom_box_lanes_store(float *a, carom_box_lanes v) {
    _mm_store_ps(a, v);
}

static inline carom_box_lanes carom_box_lanes_all(float a) {
    return _mm_set1_ps(a);
}

static inline carom_box_lanes carom_box_lanes_min(carom_box_lanes a, carom_box_lanes b) {
    return _mm_min_ps(a, b);
}

static inline carom_box_lanes carom_box_lanes_max(carom_box_lanes a, carom_box_lanes b) {
    return _mm_max_ps(a, b);
}

static inline carom_box_lanes carom_box_lanes_add(carom_box_lanes a, carom_box_lanes b) {
    return _mm_add_ps(a, b);
}

// Columns become rows.
static inline void carom_box_lanes_turn(carom_box_lanes v[4]) {
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
}

// Bit j: lower[i] <= top[i][j] and bottom[i][j] <= upper[i] for all three i.
static inline int carom_box_lanes_overlap(const carom_box_lanes lower[3], const carom_box_lanes upper[3],
                                          const carom_box_lanes bottom[3], const carom_box_lanes top[3]) {
    carom_box_lanes in = _mm_cmple_ps(lower[0], top[0]);
    in = _mm_and_ps(in, _mm_cmple_ps(bottom[0], upper[0]));
    for (int i = 1; i < 3; i++) {
        in = _mm_and_ps(in, _mm_cmple_ps(lower[i], top[i]));
        in = _mm_and_ps(in, _mm_cmple_ps(bottom[i], upper[i]));
    }
    return _mm_movemask_ps(in);
}

#else

typedef struct carom_box_lanes {
    float v[CAROM_TREE_WIDTH];
} carom_box_lanes;

static inline carom_box_lanes carom_box_lanes_load(const float *a) {
    return (carom_box_lanes){{a[0], a[1], a[2], a[3]}};
}

static inline void carom_box_lanes_store(float *a, carom_box_lanes v) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a[j] = v.v[j];
}

static inline carom_box_lanes carom_box_lanes_all(float a) {
    return (carom_box_lanes){{a, a, a, a}};
}

static inline carom_box_lanes carom_box_lanes_min(carom_box_lanes a, carom_box_lanes b) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a.v[j] = a.v[j] < b.v[j] ? a.v[j] : b.v[j];
    return a;
}

static inline carom_box_lanes carom_box_lanes_max(carom_box_lanes a, carom_box_lanes b) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a.v[j] = a.v[j] > b.v[j] ? a.v[j] : b.v[j];
    return a;
}

static inline carom_box_lanes carom_box_lanes_add(carom_box_lanes a, carom_box_lanes b) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a.v[j] += b.v[j];
    return a;
}

static inline void carom_box_lanes_turn(carom_box_lanes v[4]) {
    for (int i = 0; i < CAROM_TREE_WIDTH; i++)
        for (int j = 0; j < i; j++) {
            float swap = v[i].v[j];
            v[i].v[j] = v[j].v[i];
            v[j].v[i] = swap;
        }
}

static inline int carom_box_lanes_overlap(const carom_box_lanes lower[3], const carom_box_lanes upper[3],
                                          const carom_box_lanes bottom[3], const carom_box_lanes top[3]) {
    int mask = 0;
    for (int j = 0; j < CAROM_TREE_WIDTH; j++) {
        int in = 1;
        for (int i = 0; i < 3; i++)
            in &= lower[i].v[j] <= top[i].v[j] && bottom[i].v[j] <= upper[i].v[j];
        mask |= in << j;
    }
    return mask;
}

#endif
#endif
