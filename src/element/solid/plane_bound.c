// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness of deformed triangles and quadrilaterals, for stable time steps, eight elements at a time. The
// bound k of a quadrature point is an upper bound of the square of its largest frequency, a function of the deformation
// gradient F and of G = sum_a g_a g_a^T/N_a (formulas: material/lanes/point_bound.h; sum over points: solid_bound.c). Each
// kernel is compiled for one element shape. Maps d./dr are 3 x 3 matrices, whose entry normal to the plane is 1 for positions
// and 0 for velocities and accelerations.
#include "element/bound.h"
#include "element/element.h"
#include "element/solid.h"

// Constants of a block for the loops.
typedef struct setting {
    double mu, lambda; // Lame's constants; lambda is reduced for plane stress (plane_kernel.c)
    double full;       // lambda of the law, not reduced
    double thickness;
    bool stress;                     // plane stress
    double M[CAROM_SOLID_POINTS][6]; // sum_a dN_a dN_a^T/N_a at each point
} setting;

static setting setting_of(const carom_block *block) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    const carom_plane_element_params *p = block->params;
    carom_lame m = carom_elastic_lame(block->material_params);
    setting s = {
        .mu = m.mu, .lambda = m.lambda, .full = m.lambda, .thickness = p->thickness, .stress = p->plane == CAROM_PLANE_STRESS};
    if (s.stress)
        s.lambda = 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
    for (int q = 0; q < shape->point_count; q++)
        for (int c = 0; c < 6; c++)
            for (int a = 0; a < shape->node_count; a++)
                s.M[q][c] += shape->dN[q][a][carom_sym3_row[c]] * shape->dN[q][a][carom_sym3_column[c]] / shape->N[q][a];
    return s;
}

// du/dr at a point, for a field u; the entry normal to the plane is `normal`.
CAROM_INLINE void map_at(const carom_solid_shape *shape, int q, const carom_lanes *nodes, double normal, carom_lanes map[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            carom_lanes sum = {0};
            for (int a = 0; i < 2 && j < 2 && a < shape->node_count; a++)
                sum += shape->dN[q][a][j] * nodes[3 * a + i];
            map[3 * i + j] = sum;
        }
    carom_lanes_fill(normal, &map[8]);
}

// The bound k of the stiffness of a point with deformation F, its inverse and J.
CAROM_INLINE void point(const setting *s, carom_kernel_law law, const carom_lanes G[6], const carom_lanes F[9],
                        const carom_lanes inverse[9], const carom_lanes *J, carom_lanes *k) {
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(2, s->mu, s->lambda, G, F, k);
        return;
    }
    carom_lanes lambda = {0}, p;
    if (s->stress) {
        // mu (z - 1) + lambda ln J = 0 normal to the plane, so p = mu z; static condensation of F_33 reduces lambda
        carom_lanes z;
        carom_kernel_thinning(s->mu, s->full, J, &z);
        p = s->mu * z;
        lambda = 2 * s->full * p / (2.0 * p + s->full);
    } else {
        carom_lanes log_J;
        carom_lanes_log(J, &log_J);
        p = s->mu - s->full * log_J;
        carom_lanes_fill(s->full, &lambda);
    }
    carom_bound_neo_hookean(2, s->mu, &lambda, &p, G, inverse, k);
}

// Adds all quadrature points of eight elements to their bounds; `nodes` has the values of each field at the nodes.
CAROM_INLINE void points(const setting *s, const carom_solid_shape *shape, carom_kernel_law law, carom_lanes (*nodes)[12],
                         carom_bounds *bounds) {
    // not unrolled: that would only lengthen the compilation
#pragma GCC unroll 1
    for (int q = 0; q < shape->point_count; q++) {
        carom_lanes maps[CAROM_BOUND_FIELDS][9], Y_inverse[9], y_inverse[9], det, now, M[6], G[6], F[9], inverse[9], k;
#pragma GCC unroll 1
        for (int f = 0; f < CAROM_BOUND_FIELDS; f++)
            map_at(shape, q, nodes[f], f < CAROM_BOUND_VELOCITY, maps[f]);
        carom_kernel_invert(maps[CAROM_BOUND_REFERENCE], Y_inverse, &det);
        carom_kernel_invert(maps[CAROM_BOUND_PRESENT], y_inverse, &now);
        for (int c = 0; c < 6; c++)
            M[c] = (carom_lanes){0} + s->M[q][c];
        carom_bound_congruence(M, Y_inverse, G);
        carom_bound_multiply(maps[CAROM_BOUND_PRESENT], Y_inverse, F);
        carom_bound_multiply(maps[CAROM_BOUND_REFERENCE], y_inverse, inverse);
        carom_lanes J = now / det, volume = (shape->weight[q] * s->thickness) * det;
        point(s, law, G, F, inverse, &J, &k);
        for (int n = 0; n < shape->node_count; n++)
            bounds->share[n] += shape->N[q][n] * volume * k;
        carom_bounds_take(2, maps[CAROM_BOUND_VELOCITY], maps[CAROM_BOUND_ACCELERATION], y_inverse, &J, bounds);
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, const carom_solid_shape *shape, carom_kernel_law law) {
    const double(*fields[CAROM_BOUND_FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    setting s = setting_of(block);
    int n = shape->node_count;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes nodes[CAROM_BOUND_FIELDS][12];
        carom_bounds bounds;
        carom_bounds_clear(&bounds, n);
#pragma GCC unroll 1
        for (int f = 0; f < CAROM_BOUND_FIELDS; f++)
            carom_kernel_gather(block, n, e0, fields[f], nodes[f]);
        points(&s, shape, law, nodes, &bounds);
        carom_bounds_store(&bounds, n, e0, begin, end, share, measures);
    }
}

CAROM_KERNEL_SOME_LAWS(CAROM_FINITE_LAWS, tri3, range(block, begin, end, motion, share, measures, &carom_shape_tri3, law),
                       CAROM_BOUND_KERNEL, CAROM_BOUND_GIVEN)
CAROM_KERNEL_SOME_LAWS(CAROM_FINITE_LAWS, quad4, range(block, begin, end, motion, share, measures, &carom_shape_quad4, law),
                       CAROM_BOUND_KERNEL, CAROM_BOUND_GIVEN)

void carom_plane_bound CAROM_BOUND_KERNEL {
    (carom_solid_shape_of(block) == &carom_shape_tri3 ? tri3 : quad4) CAROM_BOUND_GIVEN;
}
