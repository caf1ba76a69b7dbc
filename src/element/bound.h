// SPDX-License-Identifier: MIT
// What the bounds of all elements share: the record of eight elements, and how it is stored.
#ifndef CAROM_ELEMENT_BOUND_H
#define CAROM_ELEMENT_BOUND_H

#include "element/kernel_law.h"
#include "element/point_bound.h"

enum { CAROM_BOUND_NODES = 8 };

// Eight elements at a look.
typedef struct carom_bounds {
    carom_lanes share[CAROM_BOUND_NODES]; // per node: sum of stiffness over volume, times the volume of the node
    carom_lanes rate, push;               // largest compression by velocities, and by accelerations
    carom_lanes stretch;                  // largest stretch by velocities, of either sign
    carom_lanes J;                        // smallest volume of a point, relative to the reference
} carom_bounds;

CAROM_INLINE void carom_bounds_clear(carom_bounds *bounds, int node_count) {
    for (int n = 0; n < node_count; n++)
        carom_lanes_fill(0, &bounds->share[n]);
    carom_lanes_fill(0, &bounds->rate);
    carom_lanes_fill(0, &bounds->push);
    carom_lanes_fill(0, &bounds->stretch);
    carom_lanes_fill(__builtin_huge_val(), &bounds->J);
}

// The step in which nothing is compressed by more than CAROM_SQUEEZE_MAX: h rate + h^2/2 push = that.
static inline double carom_bound_limit(double rate, double push) {
    return 2 * CAROM_SQUEEZE_MAX / (rate + __builtin_sqrt(rate * rate + 2 * push * CAROM_SQUEEZE_MAX));
}

static inline void carom_bound_measure(double stretch, double rate, double push, double J, int e, double *measures) {
    measures[carom_lane(e, CAROM_BOUND_RATE, CAROM_BOUND_MEASURES)] = stretch;
    measures[carom_lane(e, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)] = carom_bound_limit(rate, push);
    measures[carom_lane(e, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)] = J;
}

// The elements of the batch that lie in [begin, end).
CAROM_INLINE void carom_bounds_store(const carom_bounds *bounds, int node_count, int e0, int begin, int end, double *share,
                                     double *measures) {
    for (int l = 0; l < CAROM_LANES; l++) {
        int e = e0 + l;
        if (e < begin || e >= end)
            continue;
        for (int n = 0; n < node_count; n++)
            share[carom_lane(e, 3 * n, 3 * node_count)] = bounds->share[n][l];
        carom_bound_measure(bounds->stretch[l], bounds->rate[l], bounds->push[l], bounds->J[l], e, measures);
    }
}

// Isoparametric solids, in space and in the plane. They stiffen by all laws but the linear one.
bool carom_solid_stiffens(const carom_block *block);
void carom_solid_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures);
// Tetrahedra with the reference data of `tet4`.
void carom_tet4_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                      double *measures);
// Any element, from its stable step at the present positions. Knows nothing of compression.
void carom_plain_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures);
// Patches of `nodal`.
void carom_nodal_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures);

#endif
