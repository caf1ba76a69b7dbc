// SPDX-License-Identifier: MIT
// Factorises the matrix A = G M^-1 G^T of the constraints of joints (G: their gradients, M: masses) for the impulses of a
// linkage (linkage.h; docs/theory/joints.md). Cholesky factorization within its envelope: in a chain a joint is coupled only to
// its neighbours, and the work is linear in its length. The order is that of the scene, so the result has the same bits on all
// machines. Masses are divided by a power of two near the smallest one (`unit`), L L^T = unit A: then the square roots are
// those of numbers without a unit of mass, and a scene in units whose ratios are powers of two has the same bits.
#include <math.h>
#include <stddef.h>

#include "contact/linkage.h"
#include "math/mat3.h"

// A row whose pivot is below this fraction of its diagonal entry is linearly dependent on those before it. Closed loops have
// such rows: all hinges of a plane four-bar linkage keep it in its plane, and one fewer would suffice. For thin bodies, whose
// principal inertias differ, rounding is up to 1e-11.
static const double pivot_threshold = 1e-9;

// a.(M^-1 b) of one body.
static double product(const double a[6], const double b[6], double softness, const double soft[3][3]) {
    double turn[3];
    carom_mat3_apply(soft, b + 3, turn);
    return softness * carom_dot(a, b) + carom_dot(a + 3, turn);
}

static double entry(const carom_linkage *linkage, const carom_link_gradient *gradients, int i, int j, const double *softness,
                    const double (*soft)[3][3]) {
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            int b = linkage->rows[i].body[s];
            if (b >= 0 && b == linkage->rows[j].body[t])
                sum += product(gradients[i].of[s], gradients[j].of[t], softness[b], soft[b]);
        }
    return sum;
}

static double unit_of_mass(const double *softness, int count) {
    double most = 0;
    int exponent;
    for (int b = 0; b < count; b++)
        most = fmax(most, softness[b]);
    frexp(most, &exponent);
    return ldexp(1, -exponent);
}

void carom_link_factor_find(const carom_linkage *linkage, const carom_link_gradient *gradients, const double *softness,
                            const double (*soft)[3][3], const bool *among, carom_link_factor *factor) {
    int n = factor->count;
    factor->unit = unit_of_mass(softness, linkage->body_count);
    for (int i = 0; i < n; i++) {
        double *row = factor->L + (ptrdiff_t)i * n;
        for (int j = factor->first[i]; j <= i; j++) {
            const double *other = factor->L + (ptrdiff_t)j * n;
            double a = factor->unit * entry(linkage, gradients, i, j, softness, soft), sum = a;
            for (int k = factor->first[i] > factor->first[j] ? factor->first[i] : factor->first[j]; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = factor->kept[j] ? sum / other[j] : 0;
            else {
                factor->kept[i] = sum > pivot_threshold * a && (!among || among[i]);
                row[i] = factor->kept[i] ? sqrt(sum) : 0;
            }
        }
    }
}

void carom_link_factor_forward(const carom_link_factor *factor, const double *b, double *y) {
    for (int i = 0; i < factor->count; i++) {
        const double *row = factor->L + (ptrdiff_t)i * factor->count;
        double sum = b[i];
        for (int k = factor->first[i]; k < i; k++)
            sum -= row[k] * y[k];
        y[i] = factor->kept[i] ? sum / row[i] : 0;
    }
}

void carom_link_factor_backward(const carom_link_factor *factor, double *y) {
    for (int i = 0; i < factor->count; i++)
        y[i] *= factor->unit;
    for (int i = factor->count - 1; i >= 0; i--) {
        const double *row = factor->L + (ptrdiff_t)i * factor->count;
        y[i] = factor->kept[i] ? y[i] / row[i] : 0;
        for (int k = factor->first[i]; k < i; k++)
            y[k] -= row[k] * y[i];
    }
}
