// SPDX-License-Identifier: MIT
// Four numbers of single precision at once. Exact operations only (order, smaller, larger), so the result is the same on every machine.
#ifndef CAROM_CONTACT_BROAD_LANES_H
#define CAROM_CONTACT_BROAD_LANES_H

enum { CAROM_LANES = 4 };

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128 carom_lanes;

static inline carom_lanes carom_lanes_load(const float *a) {
    return _mm_load_ps(a);
}

static inline void carom_lanes_store(float *a, carom_lanes v) {
    _mm_store_ps(a, v);
}

static inline carom_lanes carom_lanes_all(float a) {
    return _mm_set1_ps(a);
}

static inline carom_lanes carom_lanes_min(carom_lanes a, carom_lanes b) {
    return _mm_min_ps(a, b);
}

static inline carom_lanes carom_lanes_max(carom_lanes a, carom_lanes b) {
    return _mm_max_ps(a, b);
}

static inline carom_lanes carom_lanes_add(carom_lanes a, carom_lanes b) {
    return _mm_add_ps(a, b);
}

// Columns become rows.
static inline void carom_lanes_turn(carom_lanes v[4]) {
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
}

// Bit j: lower[i] <= top[i][j] and bottom[i][j] <= upper[i] for all three i.
static inline int carom_lanes_overlap(const carom_lanes lower[3], const carom_lanes upper[3], const carom_lanes bottom[3],
                                      const carom_lanes top[3]) {
    carom_lanes in = _mm_cmple_ps(lower[0], top[0]);
    in = _mm_and_ps(in, _mm_cmple_ps(bottom[0], upper[0]));
    for (int i = 1; i < 3; i++) {
        in = _mm_and_ps(in, _mm_cmple_ps(lower[i], top[i]));
        in = _mm_and_ps(in, _mm_cmple_ps(bottom[i], upper[i]));
    }
    return _mm_movemask_ps(in);
}

#else

typedef struct carom_lanes {
    float v[CAROM_LANES];
} carom_lanes;

static inline carom_lanes carom_lanes_load(const float *a) {
    return (carom_lanes){{a[0], a[1], a[2], a[3]}};
}

static inline void carom_lanes_store(float *a, carom_lanes v) {
    for (int j = 0; j < CAROM_LANES; j++)
        a[j] = v.v[j];
}

static inline carom_lanes carom_lanes_all(float a) {
    return (carom_lanes){{a, a, a, a}};
}

static inline carom_lanes carom_lanes_min(carom_lanes a, carom_lanes b) {
    for (int j = 0; j < CAROM_LANES; j++)
        a.v[j] = a.v[j] < b.v[j] ? a.v[j] : b.v[j];
    return a;
}

static inline carom_lanes carom_lanes_max(carom_lanes a, carom_lanes b) {
    for (int j = 0; j < CAROM_LANES; j++)
        a.v[j] = a.v[j] > b.v[j] ? a.v[j] : b.v[j];
    return a;
}

static inline carom_lanes carom_lanes_add(carom_lanes a, carom_lanes b) {
    for (int j = 0; j < CAROM_LANES; j++)
        a.v[j] += b.v[j];
    return a;
}

static inline void carom_lanes_turn(carom_lanes v[4]) {
    for (int i = 0; i < CAROM_LANES; i++)
        for (int j = 0; j < i; j++) {
            float swap = v[i].v[j];
            v[i].v[j] = v[j].v[i];
            v[j].v[i] = swap;
        }
}

static inline int carom_lanes_overlap(const carom_lanes lower[3], const carom_lanes upper[3], const carom_lanes bottom[3],
                                      const carom_lanes top[3]) {
    int mask = 0;
    for (int j = 0; j < CAROM_LANES; j++) {
        int in = 1;
        for (int i = 0; i < 3; i++)
            in &= lower[i].v[j] <= top[i].v[j] && bottom[i].v[j] <= upper[i].v[j];
        mask |= in << j;
    }
    return mask;
}

#endif
#endif
