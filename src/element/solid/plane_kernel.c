// SPDX-License-Identifier: MIT
// Forces of plane elements, eight at a time. Nothing is stored: with the map y = dx/dr of the element and the cofactors C and
// determinant j of the reference map dX/dr,
//
//     F = y C^T/j,   Q = w t P C  (conjugate to y; w weight, t thickness)
//
// A triangle has y = (x1 - x0, x2 - x0). A quadrilateral x = c0 + c1 r + c2 s + c3 rs has y = (c1 + c3 s, c2 + c3 r); its
// forces are collected per coefficient and then distributed to the nodes.
//
// In plane stress the linear and the St. Venant-Kirchhoff law take lambda' = 2 lambda mu/(lambda + 2 mu) in place of lambda.
// The neo-Hookean law takes z = F_33^2 from mu (z - 1) + lambda ln(det F sqrt z) = 0, by Newton's method, which never passes
// the root from below (the left side is increasing and concave), and P = mu (F - z F^-T).
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

// Shape and kind of plane are constants too, so that the compiler sees one of the four combinations at a time.
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

CAROM_KERNEL_LAWS(force_of_law, ranges(block, begin, end, x, X, force, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
                  (block, begin, end, x, X, force))

void carom_plane_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *force) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_force(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, X, force);
}
