// SPDX-License-Identifier: MIT
// Vectors of four single-precision numbers for tests of bounding boxes (tree.h, sweep.h), with the vector types of GCC and
// Clang. Comparison, minimum and maximum are exact, so the result is the same on every machine.
#ifndef CAROM_CONTACT_BROAD_LANES_H
#define CAROM_CONTACT_BROAD_LANES_H

// Children of a block of the tree, one per lane.
enum { CAROM_TREE_WIDTH = 4 };

typedef __attribute__((vector_size(16), may_alias)) float carom_box_lanes;
typedef __attribute__((vector_size(16))) int carom_lane_masks;

// Addresses must be multiples of 16.
static inline carom_box_lanes carom_box_lanes_load(const float *a) {
    return *(const carom_box_lanes *)__builtin_assume_aligned(a, 16);
}

static inline void carom_box_lanes_store(float *a, carom_box_lanes v) {
    *(carom_box_lanes *)__builtin_assume_aligned(a, 16) = v;
}

static inline carom_box_lanes carom_box_lanes_all(float a) {
    return (carom_box_lanes){a, a, a, a};
}

// Instructions that the compiler does not generate by itself. carom_box_lanes_bits sets bit j if lane j is true.
#if defined(__SSE2__)

static inline carom_box_lanes carom_box_lanes_min(carom_box_lanes a, carom_box_lanes b) {
    return __builtin_ia32_minps(a, b);
}

static inline carom_box_lanes carom_box_lanes_max(carom_box_lanes a, carom_box_lanes b) {
    return __builtin_ia32_maxps(a, b);
}

static inline int carom_box_lanes_bits(carom_lane_masks m) {
    return __builtin_ia32_movmskps((carom_box_lanes)m);
}

#else

static inline carom_box_lanes carom_box_lanes_min(carom_box_lanes a, carom_box_lanes b) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a[j] = a[j] < b[j] ? a[j] : b[j];
    return a;
}

static inline carom_box_lanes carom_box_lanes_max(carom_box_lanes a, carom_box_lanes b) {
    for (int j = 0; j < CAROM_TREE_WIDTH; j++)
        a[j] = a[j] > b[j] ? a[j] : b[j];
    return a;
}

static inline int carom_box_lanes_bits(carom_lane_masks m) {
    return (m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8);
}

#endif

// Transposes a 4 x 4 matrix.
static inline void carom_box_lanes_turn(carom_box_lanes v[4]) {
    carom_box_lanes a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    carom_box_lanes c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// Bit j: lower[i] <= top[i][j] and bottom[i][j] <= upper[i] for all three i.
static inline int carom_box_lanes_overlap(const carom_box_lanes lower[3], const carom_box_lanes upper[3],
                                          const carom_box_lanes bottom[3], const carom_box_lanes top[3]) {
    carom_lane_masks in = (lower[0] <= top[0]) & (bottom[0] <= upper[0]);
    for (int i = 1; i < 3; i++)
        in &= (lower[i] <= top[i]) & (bottom[i] <= upper[i]);
    return carom_box_lanes_bits(in);
}

#endif
