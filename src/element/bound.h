// SPDX-License-Identifier: MIT
// Results of `bound` of carom_element, the upper bound of the stiffness of deformed elements with the rates of their
// compression: a record of eight elements, and functions that write it to the arrays of a block. Used by all elements.
#ifndef CAROM_ELEMENT_BOUND_H
#define CAROM_ELEMENT_BOUND_H

#include "element/batch.h"
#include "element/functions.h"
#include "material/lanes/point_bound.h"

enum { CAROM_BOUND_NODES = 8 };

// Results of the stability bound for eight elements.
typedef struct carom_bounds {
    carom_lanes share[CAROM_BOUND_NODES]; // per node: stiffness divided by volume, times the volume of the node
    carom_lanes rate, push;               // largest compression by velocities, and by accelerations
    carom_lanes stretch;                  // largest stretch by velocities, of either sign
    carom_lanes J;                        // smallest volume of a point, relative to the reference
} carom_bounds;

CAROM_INLINE void carom_bounds_clear(carom_bounds *bounds, int node_count) {
    const carom_lanes zero = {0};
    for (int n = 0; n < node_count; n++)
        bounds->share[n] = zero;
    bounds->rate = bounds->push = bounds->stretch = zero;
    bounds->J = zero + __builtin_huge_val();
}

// Adds the compression of a point, by velocities and by accelerations, and its volume to the bounds of its element.
CAROM_INLINE void carom_bounds_compress(carom_bounds *bounds, const carom_lanes *rate, const carom_lanes *push,
                                        const carom_lanes *stretch, const carom_lanes *J) {
    carom_lanes_max(&bounds->stretch, stretch, &bounds->stretch);
    carom_lanes_max(&bounds->rate, rate, &bounds->rate);
    carom_lanes_max(&bounds->push, push, &bounds->push);
    carom_lanes_min(&bounds->J, J, &bounds->J);
}

// Adds a point with the inverse of F, J, and the gradients U and A of velocities and accelerations in the reference.
CAROM_INLINE void carom_bounds_take(int dimension, const carom_lanes U[9], const carom_lanes A[9], const carom_lanes inverse[9],
                                    const carom_lanes *J, carom_bounds *bounds) {
    carom_lanes L[9], rate, push, stretch, unused;
    carom_bound_multiply(U, inverse, L);
    carom_bound_squeeze(dimension, L, &rate, &stretch);
    carom_bound_multiply(A, inverse, L);
    carom_bound_squeeze(dimension, L, &push, &unused);
    carom_bounds_compress(bounds, &rate, &push, &stretch, J);
}

// The fields of a motion: reference positions, positions, velocities, accelerations.
enum { CAROM_BOUND_REFERENCE, CAROM_BOUND_PRESENT, CAROM_BOUND_VELOCITY, CAROM_BOUND_ACCELERATION, CAROM_BOUND_FIELDS };

// The parameters of kernels of bounds.
#define CAROM_BOUND_KERNEL \
    (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures)
#define CAROM_BOUND_GIVEN (block, begin, end, motion, share, measures)

// The step h in which no point is compressed by more than CAROM_SQUEEZE_MAX: h rate + h^2/2 push = CAROM_SQUEEZE_MAX.
static inline double carom_bound_limit(double rate, double push) {
    return 2 * CAROM_SQUEEZE_MAX / (rate + __builtin_sqrt(rate * rate + 2 * push * CAROM_SQUEEZE_MAX));
}

static inline void carom_bound_measure(double stretch, double rate, double push, double J, int e, double *measures) {
    measures[carom_lane(e, CAROM_BOUND_RATE, CAROM_BOUND_MEASURES)] = stretch;
    measures[carom_lane(e, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)] = carom_bound_limit(rate, push);
    measures[carom_lane(e, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)] = J;
}

// Writes the elements of a batch that lie in [begin, end), one by one; `shares` and `seen` are lanes. Not inlined: batches at
// the ends of a range are rare.
__attribute__((noinline)) static void carom_bounds_store_some(const double *shares, const double *seen, int node_count, int e0,
                                                              int begin, int end, double *share, double *measures) {
    for (int e = e0 > begin ? e0 : begin; e < end && e < e0 + CAROM_LANES; e++) {
        for (int n = 0; n < node_count; n++)
            share[carom_lane(e, 3 * n, 3 * node_count)] = shares[n * CAROM_LANES + e - e0];
        for (int m = 0; m < CAROM_BOUND_MEASURES; m++)
            measures[carom_lane(e, m, CAROM_BOUND_MEASURES)] = seen[m * CAROM_LANES + e - e0];
    }
}

// Writes the elements of the batch that lie in [begin, end); whole batches at once.
CAROM_INLINE void carom_bounds_store(const carom_bounds *bounds, int node_count, int e0, int begin, int end, double *share,
                                     double *measures) {
    // as carom_bound_limit
    carom_lanes square = bounds->rate * bounds->rate + (2 * CAROM_SQUEEZE_MAX) * bounds->push, root;
    carom_lanes_sqrt(&square, &root);
    carom_lanes seen[CAROM_BOUND_MEASURES];
    seen[CAROM_BOUND_RATE] = bounds->stretch;
    seen[CAROM_BOUND_LIMIT] = 2 * CAROM_SQUEEZE_MAX / (bounds->rate + root);
    seen[CAROM_BOUND_VOLUME] = bounds->J;
    if (e0 < begin || e0 + CAROM_LANES > end) {
        double shares[CAROM_BOUND_NODES * CAROM_LANES], own[CAROM_BOUND_MEASURES * CAROM_LANES];
        memcpy(shares, bounds->share, sizeof shares);
        memcpy(own, seen, sizeof own);
        carom_bounds_store_some(shares, own, node_count, e0, begin, end, share, measures);
        return;
    }
    double *slot = share + carom_lane(e0, 0, 3 * node_count), *measure = measures + carom_lane(e0, 0, CAROM_BOUND_MEASURES);
    for (int n = 0; n < node_count; n++)
        carom_lanes_store(&bounds->share[n], slot + (ptrdiff_t)3 * n * CAROM_LANES);
    for (int m = 0; m < CAROM_BOUND_MEASURES; m++)
        carom_lanes_store(&seen[m], measure + (ptrdiff_t)m * CAROM_LANES);
}

// Isoparametric solids, in space and in the plane. They can stiffen with all laws except the linear one.
bool carom_solid_stiffens(const carom_block *block);
carom_element_bound carom_solid_bound;
// Plane triangles and quadrilaterals with laws that have kernels.
carom_element_bound carom_plane_bound;
// Any element, from its stiffness at the present positions. Does not bound the compression; measures may be NULL.
carom_element_bound carom_plain_bound;
// Patches of `nodal`.
carom_element_bound carom_nodal_bound;

#endif
