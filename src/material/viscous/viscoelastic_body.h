// SPDX-License-Identifier: MIT
// The material `viscoelastic` in three dimensions, for the processor (viscoelastic.c) and for devices: the law of slow changes,
// and viscous branches parallel to it.
#ifndef CAROM_MATERIAL_VISCOUS_VISCOELASTIC_BODY_H
#define CAROM_MATERIAL_VISCOUS_VISCOELASTIC_BODY_H

#include <math.h>
#include <string.h>

#include "material/flow/j2.h"
#include "material/rubber/rubber.h"
#include "material/viscous/branches.h"

// The moduli of the law by itself, and its parameters where it is a rubber.
typedef struct carom_viscous_base {
    double shear, bulk;
    carom_mooney_rivlin_params mooney_rivlin;
    carom_yeoh_params yeoh;
    carom_ogden_params ogden;
} carom_viscous_base;

CAROM_LOCAL void carom_viscous_base_of(const carom_viscoelastic_params *p, carom_viscous_base *b) {
    double density = p->j2.elastic.density;
    b->bulk = p->bulk;
    switch (p->law) {
    case CAROM_VISCOELASTIC_MOONEY_RIVLIN:
        b->mooney_rivlin.c10 = p->c10;
        b->mooney_rivlin.c01 = p->c01;
        b->mooney_rivlin.bulk = p->bulk;
        b->mooney_rivlin.density = density;
        b->shear = carom_mooney_rivlin_shear(&b->mooney_rivlin);
        break;
    case CAROM_VISCOELASTIC_YEOH:
        b->yeoh.c1 = p->c1;
        b->yeoh.c2 = p->c2;
        b->yeoh.c3 = p->c3;
        b->yeoh.bulk = p->bulk;
        b->yeoh.density = density;
        b->shear = carom_yeoh_shear(&b->yeoh);
        break;
    case CAROM_VISCOELASTIC_OGDEN:
        b->ogden.terms = p->terms;
        b->ogden.bulk = p->bulk;
        b->ogden.density = density;
        b->shear = carom_ogden_shear(&b->ogden);
        break;
    default:
        b->shear = p->j2.elastic.young / (2 * (1 + p->j2.elastic.poisson));
        b->bulk = p->j2.elastic.young / (3 * (1 - 2 * p->j2.elastic.poisson));
        break;
    }
}

CAROM_LOCAL double carom_viscous_slow(const carom_viscoelastic_params *p, const carom_viscous_base *b, const carom_flow *flow,
                                      double *history, const double F[9], const carom_shape *shape, double P[9], double A[81],
                                      carom_losses *losses) {
    const double identity[6] = {1, 1, 1, 0, 0, 0};
    double kappa = flow->isochoric ? 0 : b->bulk;
    carom_trial trial;
    switch (p->law) {
    case CAROM_VISCOELASTIC_J2: return carom_j2_solid(&p->j2, flow, history, F, P, A, losses);
    case CAROM_VISCOELASTIC_MOONEY_RIVLIN: return carom_mooney_rivlin_solid(&b->mooney_rivlin, kappa, F, P, A);
    case CAROM_VISCOELASTIC_YEOH: return carom_yeoh_solid(&b->yeoh, kappa, F, P, A);
    case CAROM_VISCOELASTIC_OGDEN: return carom_ogden_solid(&b->ogden, kappa, F, P, A);
    default: break;
    }
    carom_trial_of(F, identity, &trial);
    for (int a = 0; P && a < 9; a++)
        P[a] = 0;
    for (int a = 0; A && a < 81; a++)
        A[a] = 0;
    return carom_spring_add(shape, &trial, b->shear, kappa, 1, P, A);
}

CAROM_SHARED double carom_viscoelastic_solid(const void *params, const carom_flow *flow, double *history, const double F[9],
                                             double P[9], double A[81], carom_losses *losses) {
    const carom_viscoelastic_params *p = (const carom_viscoelastic_params *)params;
    carom_viscous_base b;
    carom_shape shape;
    carom_losses sum;
    memset(&sum, 0, sizeof sum);
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    carom_viscous_base_of(p, &b);
    // the history of the law stands in front
    int first = p->law == CAROM_VISCOELASTIC_J2 ? CAROM_J2_SOLID_SIZE + carom_j2_heats(&p->j2) : 0;
    carom_branches branches = {&p->prony, b.shear, flow, history + first};
    double energy = carom_viscous_slow(p, &b, flow, history, F, &shape, P, A, &sum);
    carom_branches_solid(&branches, &shape, F, &energy, P, A, &sum);
    if (losses)
        *losses = sum;
    return energy;
}

#endif
