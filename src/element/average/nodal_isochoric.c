// SPDX-License-Identifier: MIT
// `nodal` for laws without Lame's constants whose energy splits into shape and volume, W_iso + bulk/2 (ln J)^2: elastoplastic
// metals, rubbers. With alpha the stabilisation and bulk~ = min(lambda, 2 mu) + 2 mu/3, as nodal.c has it,
//
//     patches: (1 - alpha) W_iso + (bulk - alpha bulk~)/2 (ln J)^2;   cells: alpha W_iso + alpha bulk~/2 (ln J)^2.
//
// Patches and cells have histories of their own. Strains do not depend on a common scale of moduli and flow stresses, so
// stress, energy and losses are those of the law times the share: the cells yield as well, otherwise they would support the
// body as elastic springs.
#include <math.h>
#include <string.h>

#include "element/average/isochoric.h"
#include "element/average/nodal.h"
#include "element/bound.h"
#include "element/point_law.h"
#include "element/points_body.h"
#include "element/solid/solid_point.h"

bool carom_nodal_is_split(const carom_block *block) {
    return carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE;
}

carom_nodal_part carom_nodal_part_of(const carom_block *block) {
    double alpha = ((const carom_nodal_params *)block->params)->stabilisation;
    double bulk = block->material->bulk(block->material_params), mu = block->material->shear(block->material_params);
    double soft = fmin(bulk - 2 * mu / 3, 2 * mu) + 2 * mu / 3;
    return block->element == &carom_nodal_patch ? (carom_nodal_part){1 - alpha, bulk - alpha * soft}
                                                : (carom_nodal_part){alpha, alpha * soft};
}

// Energy, P and A = dP/dF of point q: P = shape P_iso + bulk ln J F^-T.
static double law_at(const carom_block *block, int e, int q, double volume, const double F[9], double P[9], double A[81]) {
    carom_nodal_part own = carom_nodal_part_of(block);
    double W = carom_point_isochoric(block, e, q, own.shape * volume, F, P, A), C[9], log_J;
    double J = carom_points_volume(F, C, &log_J);
    if (!(W < HUGE_VAL) || !(J > 0))
        return HUGE_VAL;
    if (P)
        carom_points_join(own.shape, own.bulk, J, log_J, C, P);
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = own.shape * A[a] + own.bulk * (C[3 * i + j] * C[3 * k + l] - log_J * C[3 * i + l] * C[3 * k + j]) / (J * J);
    }
    return own.shape * W + 0.5 * own.bulk * log_J * log_J;
}

void carom_nodal_split_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *energy) {
    for (int e = begin; e < end; e++) {
        energy[e] = 0;
        carom_nodal_visit visit = carom_nodal_visit_start(block, e);
        while (carom_nodal_visit_next(&visit, x, X))
            energy[e] += visit.volume * law_at(block, e, visit.q, visit.volume, visit.F, NULL, NULL);
    }
}

void carom_nodal_split_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *force) {
    int n = block->node_count;
    for (int e = begin; e < end; e++) {
        carom_nodal_visit visit = carom_nodal_visit_start(block, e);
        for (int i = 0; i < 3 * n; i++)
            force[carom_lane(e, i, 3 * n)] = 0;
        while (carom_nodal_visit_next(&visit, x, X)) {
            double P[9] = {0};
            // NaN forces indicate to the integrator that a point is inverted
            bool answer = law_at(block, e, visit.q, visit.volume, visit.F, P, NULL) < HUGE_VAL;
            for (int a = 0; a < n; a++) {
                double f[3];
                for (int i = 0; i < 3; i++)
                    f[i] = answer ? force[carom_lane(e, 3 * a + i, 3 * n)] : NAN;
                carom_points_push(visit.volume, P, visit.g[a], f);
                for (int i = 0; i < 3; i++)
                    force[carom_lane(e, 3 * a + i, 3 * n)] = f[i];
            }
        }
    }
}

void carom_nodal_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                           double *K) {
    int n = block->node_count, dofs = 3 * n;
    bool split = carom_nodal_is_split(block);
    carom_elastic_params law = split ? (carom_elastic_params){0} : carom_nodal_patch_law(block);
    for (int e = begin; e < end; e++) {
        double *own = K + (ptrdiff_t)dofs * dofs * e;
        memset(own, 0, (size_t)dofs * (size_t)dofs * sizeof *own);
        carom_nodal_visit visit = carom_nodal_visit_start(block, e);
        while (carom_nodal_visit_next(&visit, x, X)) {
            double P[9], A[81];
            if (split)
                law_at(block, e, visit.q, visit.volume, visit.F, P, A);
            else
                block->material->solid(&law, visit.F, P, A);
            carom_points_add_stiffness(n, visit.volume, (carom_const_vectors)visit.g, A, own);
        }
    }
}

double carom_nodal_split_tangent(const carom_block *block, int e, const double F[9], double A[81]) {
    double P[9];
    return law_at(block, e, 0, 0, F, P, A);
}

// The largest frequency omega of a separate patch, with the masses m_a that move with it, gives the bound K <= omega^2 m_a at
// its nodes; the stable step is 2/omega.
void carom_nodal_split_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share_,
                             double *measures) {
    int n = block->node_count;
    double rho = block->material->density(block->material_params);
    carom_split_bound(block, block, begin, end, motion, share_, measures);
    for (int e = begin; e < end; e++) {
        double step[CAROM_LANES];
        carom_block few = carom_block_at(block, e - e % CAROM_LANES, e % CAROM_LANES + 1);
        few.data += carom_lane(e - e % CAROM_LANES, 0, block->data_size);
        block->element->stable_step(&few, e % CAROM_LANES, e % CAROM_LANES + 1, motion->x, motion->X, step);
        double square = 4 / (step[e % CAROM_LANES] * step[e % CAROM_LANES]);
        for (int a = 0; a < n; a++)
            share_[carom_lane(e, 3 * a, 3 * n)] =
                square * rho * block->data[carom_lane(e, carom_nodal_share(n, a), block->data_size)];
    }
}
