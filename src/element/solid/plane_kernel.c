// SPDX-License-Identifier: MIT
// Forces and energies of plane elements, eight at a time. There are no stored data: with the map y = dx/dr of the element and
// the cofactors C and determinant j of the reference map dX/dr,
//
//     F = y C^T/j,   Q = w t P C  (conjugate to y; w weight, t thickness)
//
// A triangle has y = (x1 - x0, x2 - x0). A quadrilateral x = c0 + c1 r + c2 s + c3 rs has y = (c1 + c3 s, c2 + c3 r); its
// forces are collected per coefficient and then distributed to the nodes.
//
// In plane stress the linear and the St. Venant-Kirchhoff law have lambda' = 2 lambda mu/(lambda + 2 mu) in place of lambda.
// The neo-Hookean law has P = mu (F - z F^-T) with z = F_33^2 from mu (z - 1) + lambda ln(det F sqrt z) = 0, solved by Newton's
// method, whose iterates from below never pass the root (the left side is increasing and concave). Energies are functions of
// H = F - I, from displacements; that of the neo-Hookean law in plane stress includes F_33 = sqrt z.
#include "element/solid/energy_body.h"
#include "element/solid/plane_lanes.h"

// All constants of the block are gathered once; force components along z stay zero.
CAROM_INLINE void range(const carom_block *block, int n, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force, carom_kernel_law law, bool stress) {
    carom_sheet s = carom_sheet_of(block, law, stress);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes q[CAROM_PLANE_DOFS_MAX], q0[CAROM_PLANE_DOFS_MAX], f[CAROM_PLANE_DOFS_MAX] = {{0}};
        carom_kernel_gather(block, n, e0, x, q);
        carom_kernel_gather(block, n, e0, X, q0);
        if (n == 3)
            carom_plane_triangle(&s, q, q0, f);
        else
            carom_plane_quadrilateral(&s, q, q0, f);
        carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

// Shape and plane stress or strain are constants too, so that the compiler optimises each of the four combinations.
CAROM_INLINE void ranges(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *force, carom_kernel_law law) {
    bool stress = ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    int n = block->element->node_count;
    if (n == 3 && stress)
        range(block, 3, begin, end, x, X, force, law, true);
    else if (n == 3)
        range(block, 3, begin, end, x, X, force, law, false);
    else if (stress)
        range(block, 4, begin, end, x, X, force, law, true);
    else
        range(block, 4, begin, end, x, X, force, law, false);
}

CAROM_KERNEL_LAWS(force_of_law, ranges(block, begin, end, x, X, values, law), CAROM_VALUES, CAROM_VALUES_GIVEN)

void carom_plane_force CAROM_VALUES {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_force CAROM_VALUES_GIVEN;
    else
        force_of_law CAROM_VALUES_GIVEN;
}

// Energy densities of the three laws, as in energy_body.h.
CAROM_INLINE void linear(const carom_sheet *s, const carom_lanes H[4], carom_lanes *W) {
    carom_lanes trace = H[0] + H[3], shear = H[1] + H[2];
    *W = 0.5 * s->lambda * trace * trace + s->mu * (H[0] * H[0] + H[3] * H[3] + 0.5 * shear * shear);
}

CAROM_INLINE void st_venant_kirchhoff(const carom_sheet *s, const carom_lanes H[4], carom_lanes *W) {
    carom_lanes xx = 2.0 * H[0] + (H[0] * H[0] + H[2] * H[2]), yy = 2.0 * H[3] + (H[1] * H[1] + H[3] * H[3]);
    carom_lanes xy = H[1] + H[2] + (H[0] * H[1] + H[2] * H[3]), trace = xx + yy;
    *W = 0.125 * s->lambda * trace * trace + 0.25 * s->mu * (xx * xx + yy * yy + 2.0 * xy * xy);
    if (s->stress) {
        carom_lanes_bits answered = 1.0 - s->full / (s->full + 2 * s->mu) * trace > 0.0;
        carom_kernel_energy_forbid(&answered, W);
    }
}

CAROM_INLINE void neo_hookean(const carom_sheet *s, const carom_lanes H[4], carom_lanes *W) {
    carom_lanes trace = H[0] + H[3], square = H[0] * H[0] + H[1] * H[1] + H[2] * H[2] + H[3] * H[3];
    carom_lanes t = trace + (H[0] * H[3] - H[1] * H[2]), excess = trace + 0.5 * square, log_J;
    carom_lanes_log1p(&t, &log_J);
    if (s->stress) {
        carom_lanes J = t + 1.0, z, log_z;
        carom_kernel_thinning(s->mu, s->full, &J, &z);
        z = z - 1.0;
        carom_lanes_log1p(&z, &log_z);
        excess += 0.5 * z;
        log_J += 0.5 * log_z;
    }
    *W = s->mu * (excess - log_J) + 0.5 * s->full * (log_J * log_J);
    carom_lanes_bits answered = t > -1.0;
    carom_kernel_energy_forbid(&answered, W);
}

// Adds the energy of a point with the map U = du/dr of the displacements.
CAROM_INLINE void add_energy(const carom_sheet *s, double weight, const carom_lanes U[4], const carom_lanes Y[4],
                             carom_lanes *sum) {
    carom_lanes C[4], H[4], W, j;
    carom_plane_unmap(U, Y, H, C, &j);
    if (s->law == CAROM_KERNEL_LINEAR)
        linear(s, H, &W);
    else if (s->law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        st_venant_kirchhoff(s, H, &W);
    else
        neo_hookean(s, H, &W);
    *sum += weight * s->thickness * j * W;
}

// Two by two Gauss points of weight 1.
CAROM_INLINE void quadrilateral(const carom_sheet *s, const carom_lanes *u, const carom_lanes *q, carom_lanes *sum) {
    const double g = CAROM_PLANE_GAUSS;
    carom_lanes c[6], C[6];
    carom_plane_coefficients(u, c);
    carom_plane_coefficients(q, C);
    // not unrolled: that would only lengthen the compilation
#pragma GCC unroll 1
    for (int point = 0; point < 4; point++) {
        double r = point & 1 ? g : -g, t = point & 2 ? g : -g;
        carom_lanes U[4], Y[4];
        carom_plane_map_at(c, r, t, U);
        carom_plane_map_at(C, r, t, Y);
        add_energy(s, 1, U, Y, sum);
    }
}

CAROM_INLINE void energies(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                           double *values, carom_kernel_law law) {
    carom_sheet s =
        carom_sheet_of(block, law, ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS);
    int n = block->element->node_count;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes q[CAROM_PLANE_DOFS_MAX], u[CAROM_PLANE_DOFS_MAX], sum = {0}, U[4], Y[4];
        carom_kernel_gather(block, n, e0, X, q);
        carom_kernel_gather(block, n, e0, x, u);
        for (int c = 0; c < 3 * n; c++)
            u[c] = u[c] - q[c];
        if (n == 3) {
            // one point of weight 1/2
            carom_plane_edges(u, U);
            carom_plane_edges(q, Y);
            add_energy(&s, 0.5, U, Y, &sum);
        } else {
            quadrilateral(&s, u, q, &sum);
        }
        carom_kernel_put(&sum, e0, begin, end, values + e0);
    }
}

CAROM_KERNEL_LAWS(energy_of_law, energies(block, begin, end, x, X, values, law), CAROM_VALUES, CAROM_VALUES_GIVEN)

void carom_plane_energy CAROM_VALUES {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_energy CAROM_VALUES_GIVEN;
    else
        energy_of_law CAROM_VALUES_GIVEN;
}
