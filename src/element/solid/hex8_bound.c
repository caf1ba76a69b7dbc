// SPDX-License-Identifier: MIT
// The bounds of deformed bricks, eight at a time (stiffness_bound.h has their stiffness, point_bound.h the formulas). With the
// present map y = dx/dr, its cofactor c and determinant d, a field has grad u = (du/dr) c^T/d.
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/hex8_lanes.h"
#include "element/solid/solid_point.h"
#include "element/solid/stiffness_bound.h"

// The compression of a point by a field with the map U.
CAROM_INLINE void squeeze(const carom_lanes U[9], const carom_hex8_place *present, carom_lanes *rate, carom_lanes *stretch) {
    carom_lanes L[9], over = 1.0 / present->det;
    carom_hex8_product(U, present->C, L);
    for (int i = 0; i < 9; i++)
        L[i] *= over;
    carom_bound_squeeze(3, L, rate, stretch);
}

// The fields of a motion: reference positions, positions, velocities, accelerations.
enum { REFERENCE, PRESENT, VELOCITY, ACCELERATION, FIELDS };

// All points of eight bricks.
CAROM_INLINE void points(const carom_block *block, int e0, const carom_kinematics *motion, carom_kernel_law law, carom_lame m,
                         carom_bounds *bounds) {
    const double(*fields[FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    carom_lanes d[FIELDS][3][4][3], k[8];
    // copies of these loops take the compiler long and gain nothing
    CAROM_ROLLED
    for (int f = 0; f < FIELDS; f++) {
        carom_lanes u[CAROM_HEX8_DOFS];
        carom_kernel_gather(block, 8, e0, fields[f], u);
        carom_hex8_derivatives(u, d[f]);
    }
    CAROM_ROLLED
    for (int q = 0; q < 8; q++) {
        int at[3];
        carom_hex8_point(q, at);
        carom_hex8_place reference, present;
        carom_hex8_take_map(d[REFERENCE], at, &reference);
        carom_hex8_take_map(d[PRESENT], at, &present);
        carom_lanes J = present.det / reference.det, U[9], rate, push, stretch, unused;
        carom_hex8_stiffness(law, m, &reference, &present, &J, &k[q]);
        k[q] *= carom_hex8_cube * reference.det;
        carom_hex8_map_at(d[VELOCITY], at, U);
        squeeze(U, &present, &rate, &stretch);
        carom_hex8_map_at(d[ACCELERATION], at, U);
        squeeze(U, &present, &push, &unused);
        carom_bounds_compress(bounds, &rate, &push, &stretch, &J);
    }
    carom_hex8_deal(k, bounds->share);
}

// Eight bricks with one point.
CAROM_INLINE void one_point(const carom_block *block, int e0, const carom_kinematics *motion, carom_kernel_law law,
                            carom_lame m, double factor, carom_bounds *bounds) {
    const double(*fields[FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    carom_hex8_mean s;
    carom_lanes maps[FIELDS][9], L[9], inverse[9], J, k, rate, push, stretch, unused, *F = maps[PRESENT];
    CAROM_ROLLED
    for (int f = 0; f < FIELDS; f++) {
        carom_lanes u[CAROM_HEX8_DOFS], c[8][3];
        carom_kernel_gather(block, 8, e0, fields[f], u);
        if (f == REFERENCE)
            carom_hex8_mean_of(u, &s);
        carom_hex8_coefficients(u, c);
        carom_hex8_mean_map(c, s.b, &s.over, maps[f]);
    }
    carom_bound_invert(F, inverse, &J);
    carom_hex8_mean_stiffness(law, m, factor, &s, F, inverse, &J, &k);
    for (int n = 0; n < 8; n++)
        bounds->share[n] = s.w[carom_hex8_corner[n]] * k;
    carom_bound_multiply(maps[VELOCITY], inverse, L);
    carom_bound_squeeze(3, L, &rate, &stretch);
    carom_bound_multiply(maps[ACCELERATION], inverse, L);
    carom_bound_squeeze(3, L, &push, &unused);
    carom_bounds_compress(bounds, &rate, &push, &stretch, &J);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law, bool full) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_bounds bounds;
        carom_bounds_clear(&bounds, 8);
        if (full)
            points(block, e0, motion, law, m, &bounds);
        else
            one_point(block, e0, motion, law, m, 0.5 * p->hourglass * m.mu, &bounds);
        carom_bounds_store(&bounds, 8, e0, begin, end, share, measures);
    }
}

#define PARAMETERS \
    (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures)
#define ARGUMENTS (block, begin, end, motion, share, measures)
#define KERNEL(name, law, full) \
    CAROM_KERNEL(name, PARAMETERS, ARGUMENTS, range(block, begin, end, motion, share, measures, law, full))

KERNEL(neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, true)
KERNEL(st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, true)
KERNEL(open_law, CAROM_KERNEL_OPEN, true)
KERNEL(one_neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, false)
KERNEL(one_st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, false)

void carom_hex8_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                      double *measures) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    bool one = carom_solid_is_one_point(block);
    // cells of `nodal`, which are integrated fully
    if (law == CAROM_KERNEL_OPEN)
        open_law(block, begin, end, motion, share, measures);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        (one ? one_st_venant_kirchhoff : st_venant_kirchhoff)(block, begin, end, motion, share, measures);
    else
        (one ? one_neo_hookean : neo_hookean)(block, begin, end, motion, share, measures);
}
