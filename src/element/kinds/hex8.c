// SPDX-License-Identifier: MIT
// Eight-node brick with full integration (eight points), or with one point and hourglass control. The brick with an averaged
// change of volume has a table of its own, the last one here, and its functions in mean_dilatation.c.
//
// With one point the element takes the mean F = (1/V) sum_q V_q F_q of the deformation gradient over its volume, which passes
// the patch test for any shape (the gradient at the centre does not). The coefficients c4 ... c7 of rs, st, tr and rst
// (hex8_body.h) would then have almost no stiffness. An hourglass energy holds them to the values that the affine map F gives
// to the reference ones,
//
//     d_a = c_a - F C_a,   E_h = kappa/2 sum_a |d_a|^2,   kappa = hourglass mu V B/2,   B = 8 sum_k |g_k|^2,
//
// with the coefficients C_a of the reference positions and the mean gradients g_k of the shape functions (B = |Y^-1|^2 for a
// parallelepiped with the map Y), after D. P. Flanagan, T. Belytschko, Int. J. Numer. Meth. Engng 17 (1981) 679-706. An affine
// motion has no hourglass energy, for any shape of the element; d_a rotates with the element, so the energy is invariant under
// rotations; and the force is its exact gradient. For a cube, full integration has in place of the factor hourglass mu/2 of c4,
// c5 and c6 the values (lambda + 3 mu)/9 in the two directions in the plane of the mode, as x and y for rs (bending), and 2
// mu/9 in the third (torsion). The first is mu/2 for a Poisson's ratio of 0.3 and locks near 1/2.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/param.h"
#include "element/average/balanced_volume.h"
#include "element/average/isochoric.h"
#include "element/average/mean_dilatation.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/point_law.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

static const char *const integrations[] = {"full", "one-point", "mean-dilatation", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_hex8_params, integration, CAROM_PARAM_CHOICE, "", .initial = "full", .choices = integrations,
              .doc = "`full`: eight points. `one-point`: the mean strain, with stiffness against hourglass modes; faster, "
                     "softer in bending. `mean-dilatation`: eight points, the change of volume averaged over the brick, "
                     "for materials that keep their volume; needs a law that splits."),
    CAROM_ROW(carom_hex8_params, hourglass, CAROM_PARAM_REAL, "", .initial = "auto", .min = 0, .max = 1,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Stiffness against hourglass modes with `one-point`, as a fraction of that of full integration. "
                     "`auto`: 0.1, or 0.005 for elastoplastic materials: this stiffness never yields."),
};

static void settle(void *params_, bool flows) {
    carom_hex8_params *p = params_;
    if (isnan(p->hourglass))
        p->hourglass = flows ? 0.005 : 0.1;
}

// Signs of the nodes in the coefficients c4 ... c7 of rs, st, tr, rst: c_a = sum_k signs_ak x_k/8.
static const double signs[4][8] = {
    {1, -1, 1, -1, 1, -1, 1, -1},
    {1, 1, -1, -1, -1, -1, 1, 1},
    {1, -1, -1, 1, -1, 1, 1, -1},
    {-1, 1, -1, 1, 1, -1, 1, -1},
};

// Shear modulus at zero strain.
static double shear_of(const carom_block *block) {
    return block->material->shear ? block->material->shear(block->material_params)
                                  : carom_elastic_lame(block->material_params).mu;
}

// The hourglass modes gamma with d_a = sum_k gamma_ak x_k; returns their stiffness kappa.
static double hourglass_modes(const carom_block *block, const int *nodes, const carom_solid_point *mean, const double (*X)[3],
                              double gamma[4][8]) {
    for (int a = 0; a < 4; a++) {
        double C[3] = {0};
        for (int k = 0; k < 8; k++)
            carom_add_scaled(signs[a][k] / 8, X[nodes[k]], C);
        for (int k = 0; k < 8; k++)
            gamma[a][k] = signs[a][k] / 8 - carom_dot(mean->g[k], C);
    }
    // B scales as 1/h^2, so that kappa has the dimension of a stiffness
    double square = 0;
    for (int k = 0; k < 8; k++)
        square += 8 * carom_dot(mean->g[k], mean->g[k]);
    const carom_hex8_params *p = block->params;
    return 0.5 * p->hourglass * shear_of(block) * mean->volume * square;
}

// An hourglass coefficient d. It is taken from displacements, since gamma annihilates the reference shape only up to rounding.
static void mode_of(const double gamma[8], const int *nodes, const double (*x)[3], const double (*X)[3], double d[3]) {
    d[0] = d[1] = d[2] = 0;
    for (int k = 0; k < 8; k++) {
        double u[3];
        carom_difference(x[nodes[k]], X[nodes[k]], u);
        carom_add_scaled(gamma[k], u, d);
    }
}

void carom_hex8_energy_plain(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *energy) {
    if (!carom_solid_is_one_point(block)) {
        carom_solid_energy(block, begin, end, x, X, energy);
        return;
    }
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[8 * e];
        carom_solid_point mean = carom_solid_mean_point(&carom_shape_hex8, block, nodes, X);
        double F[9], gamma[4][8], kappa = hourglass_modes(block, nodes, &mean, X, gamma);
        carom_solid_deformation(&carom_shape_hex8, nodes, &mean, x, X, F);
        energy[e] = mean.volume * carom_point_solid(block, e, 0, mean.volume, F, NULL, NULL);
        for (int a = 0; a < 4; a++) {
            double d[3];
            mode_of(gamma[a], nodes, x, X, d);
            energy[e] += 0.5 * kappa * carom_dot(d, d);
        }
    }
}

void carom_hex8_force_plain(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                            double *force) {
    if (!carom_solid_is_one_point(block)) {
        carom_solid_force(block, begin, end, x, X, force);
        return;
    }
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[8 * e];
        carom_solid_point mean = carom_solid_mean_point(&carom_shape_hex8, block, nodes, X);
        double F[9], P[9], f[8][3], gamma[4][8], kappa = hourglass_modes(block, nodes, &mean, X, gamma);
        carom_solid_deformation(&carom_shape_hex8, nodes, &mean, x, X, F);
        // An element with det F <= 0 may have no stress: NaN indicates this to the integrator.
        bool answer = carom_point_solid(block, e, 0, mean.volume, F, P, NULL) < HUGE_VAL;
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 3; i++)
                f[k][i] = answer ? -mean.volume * carom_dot(&P[3 * i], mean.g[k]) : NAN;
        for (int a = 0; a < 4; a++) {
            double d[3];
            mode_of(gamma[a], nodes, x, X, d);
            for (int k = 0; k < 8; k++)
                carom_add_scaled(-kappa * gamma[a][k], d, f[k]);
        }
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 3; i++)
                force[carom_lane(e, 3 * k + i, 24)] = f[k][i];
    }
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      double *stiffness_) {
    if (!carom_solid_is_one_point(block)) {
        carom_solid_stiffness(block, begin, end, x, X, stiffness_);
        return;
    }
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[8 * e];
        double(*K)[24] = (double(*)[24])(stiffness_ + 576 * (ptrdiff_t)e);
        carom_solid_point mean = carom_solid_mean_point(&carom_shape_hex8, block, nodes, X);
        double F[9], P[9], A[81], gamma[4][8], kappa = hourglass_modes(block, nodes, &mean, X, gamma);
        carom_solid_deformation(&carom_shape_hex8, nodes, &mean, x, X, F);
        carom_point_solid(block, e, 0, mean.volume, F, P, A);
        memset(K, 0, 576 * sizeof(double));
        // The hourglass energy is quadratic and adds a constant matrix.
        carom_solid_add_stiffness(&carom_shape_hex8, &mean, A, &K[0][0]);
        for (int k = 0; k < 8; k++)
            for (int l = 0; l < 8; l++)
                for (int a = 0; a < 4; a++)
                    for (int i = 0; i < 3; i++)
                        K[3 * k + i][3 * l + i] += kappa * gamma[a][k] * gamma[a][l];
    }
}

// The hourglass energy is quadratic, so that the mean of its forces at both ends of the step conserves energy.
static void balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force, double *tangent) {
    if (!carom_solid_is_one_point(block)) {
        carom_solid_balanced(block, begin, end, x0, x1, X, force, tangent);
        return;
    }
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[8 * e];
        double(*K)[24] = tangent ? (double(*)[24])(tangent + 576 * (ptrdiff_t)(e - begin)) : NULL;
        carom_solid_point mean = carom_solid_mean_point(&carom_shape_hex8, block, nodes, X);
        double f[8][3] = {{0}}, gamma[4][8], kappa = hourglass_modes(block, nodes, &mean, X, gamma);
        if (K)
            memset(K, 0, 576 * sizeof(double));
        carom_balanced_source from = {&carom_shape_hex8, block, {e, 0, mean.volume}, false};
        carom_solid_balanced_point(&from, nodes, &mean, x0, x1, X, f, K ? &K[0][0] : NULL);
        for (int a = 0; a < 4; a++) {
            double d0[3], d1[3];
            mode_of(gamma[a], nodes, x0, X, d0);
            mode_of(gamma[a], nodes, x1, X, d1);
            for (int k = 0; k < 8; k++) {
                carom_add_scaled(-0.5 * kappa * gamma[a][k], d0, f[k]);
                carom_add_scaled(-0.5 * kappa * gamma[a][k], d1, f[k]);
            }
            for (int kl = 0; K && kl < 64; kl++)
                for (int i = 0; i < 3; i++)
                    K[3 * (kl / 8) + i][3 * (kl % 8) + i] += 0.5 * kappa * gamma[a][kl / 8] * gamma[a][kl % 8];
        }
        for (int i = 0; i < 24; i++)
            force[carom_lane(e, i, 24)] = f[i / 3][i % 3];
    }
}

static const carom_element *acting(const void *params_) {
    const carom_hex8_params *p = params_;
    return p->integration == CAROM_HEX8_MEAN_DILATATION ? &carom_dilated_hex8.element : &carom_element_hex8.element;
}

static carom_status accepts(const void *params_, const carom_material *material, carom_error *error) {
    const carom_hex8_params *p = params_;
    carom_status status = carom_solid_accepts(params_, material, error);
    if (status || p->integration == CAROM_HEX8_ONE_POINT)
        return status;
    return p->integration == CAROM_HEX8_FULL
               ? carom_split_refuse_flow("{hex8: {integration: mean-dilatation}}", material, error)
               : carom_split_accepts("integration: mean-dilatation", material, error);
}

#define KIND                                                                                                    \
    {                                                                                                           \
        .name = "hex8",                                                                                         \
        .summary = "Eight-node brick: full integration, mean dilatation, or one point with hourglass control.", \
        .reference = "", CAROM_PARAMS(params, carom_hex8_params)                                                \
    }
#define COMMON                                                                                                \
    .kind = KIND, .nonnegative = true, .cell = CAROM_CELL_HEX8, .node_count = 8, .needs_material = true,      \
    .fields = CAROM_SOLID_FIELDS, .accepts = accepts, .points = carom_solid_points, .settle = settle,         \
    .prepare = carom_solid_prepare, .stable_step = carom_solid_stable_step, .stiffens = carom_solid_stiffens, \
    .turns_freely = carom_solid_turns_freely, .volume = carom_solid_volume, .field = carom_solid_field,       \
    .show = carom_solid_fields

const carom_solid_element carom_element_hex8 = {
    .element = {COMMON, .energy = carom_solid_kernel_energy, .force = carom_solid_kernel_force, .stiffness = stiffness,
                .body_step = carom_solid_body_step, .bound = carom_solid_bound, .single = carom_hex8_single,
                .balanced = balanced, .acting = acting},
    .shape = &carom_shape_hex8,
};

const carom_solid_element carom_dilated_hex8 = {
    .element = {COMMON, .energy = carom_dilated_energy, .force = carom_dilated_hex8_force, .stiffness = carom_dilated_stiffness,
                .body_step = carom_dilated_body_step, .bound = carom_dilated_bound, .balanced = carom_dilated_balanced},
    .shape = &carom_shape_hex8,
};
