// SPDX-License-Identifier: MIT
// Energies of plane elements, eight at a time: those of H = F - I, from displacements (plane_kernel.c has the maps). In plane
// stress the neo-Hookean law adds F_33 = sqrt z, the others take lambda' in place of lambda.
#include "element/solid/energy_body.h"
#include "element/solid/plane_lanes.h"

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

// Adds the energy of a point with the map U of displacements.
CAROM_INLINE void add_energy(const carom_sheet *s, double weight, const carom_lanes U[4], const carom_lanes Y[4],
                             carom_lanes *sum) {
    carom_lanes C[4] = {Y[3], -Y[2], -Y[1], Y[0]}, H[4], W, j = Y[0] * Y[3] - Y[1] * Y[2], scale = 1.0 / j;
    for (int a = 0; a < 4; a++)
        H[a] = scale * (U[a & 2] * C[2 * (a & 1)] + U[(a & 2) + 1] * C[2 * (a & 1) + 1]);
    if (s->law == CAROM_KERNEL_LINEAR)
        linear(s, H, &W);
    else if (s->law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        st_venant_kirchhoff(s, H, &W);
    else
        neo_hookean(s, H, &W);
    *sum += weight * s->thickness * j * W;
}

// Edges of a triangle from its first node.
CAROM_INLINE void edges(const carom_lanes *q, carom_lanes y[4]) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            y[2 * i + k] = q[3 * (k + 1) + i] - q[i];
}

// The map of a quadrilateral at (r, t), with coefficients c[3 i + k] of r, s and rs.
CAROM_INLINE void map_at(const carom_lanes c[6], double r, double t, carom_lanes y[4]) {
    for (int i = 0; i < 2; i++) {
        y[2 * i] = c[3 * i] + t * c[3 * i + 2];
        y[2 * i + 1] = c[3 * i + 1] + r * c[3 * i + 2];
    }
}

// 1/sqrt(3)
static const double gauss = 0.57735026918962576451;

// Two by two Gauss points of weight 1.
CAROM_INLINE void quadrilateral(const carom_sheet *s, const carom_lanes *u, const carom_lanes *q, carom_lanes *sum) {
    carom_lanes c[6], C[6];
    carom_plane_coefficients(u, c);
    carom_plane_coefficients(q, C);
    // four copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
    for (int point = 0; point < 4; point++) {
        double r = point & 1 ? gauss : -gauss, t = point & 2 ? gauss : -gauss;
        carom_lanes U[4], Y[4];
        map_at(c, r, t, U);
        map_at(C, r, t, Y);
        add_energy(s, 1, U, Y, sum);
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
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
            edges(u, U);
            edges(q, Y);
            add_energy(&s, 0.5, U, Y, &sum);
        } else {
            quadrilateral(&s, u, q, &sum);
        }
        carom_kernel_put(&sum, e0, begin, end, energy + e0);
    }
}

CAROM_KERNEL_LAWS(energy_of_law, range(block, begin, end, x, X, energy, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy),
                  (block, begin, end, x, X, energy))

void carom_plane_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_energy(block, begin, end, x, X, energy);
    else
        energy_of_law(block, begin, end, x, X, energy);
}
