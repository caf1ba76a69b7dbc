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

// The moduli of the law without branches.
typedef struct carom_viscous_base {
    double shear, bulk;
} carom_viscous_base;

#define CAROM_VISCOUS_SHEAR(NAME, name, ...) \
    case CAROM_VISCOELASTIC_##NAME: b.shear = carom_##name##_shear(&p->name); break;
CAROM_LOCAL carom_viscous_base carom_viscous_base_of(const carom_viscoelastic_params *p) {
    carom_viscous_base b;
    b.bulk = p->bulk;
    switch (p->law) {
        CAROM_RUBBER_LAWS(CAROM_VISCOUS_SHEAR, )
    default:
        b.shear = p->j2.elastic.young / (2 * (1 + p->j2.elastic.poisson));
        b.bulk = p->j2.elastic.young / (3 * (1 - 2 * p->j2.elastic.poisson));
        break;
    }
    return b;
}
#undef CAROM_VISCOUS_SHEAR

#define CAROM_VISCOUS_SOLID(NAME, name, ...) \
    case CAROM_VISCOELASTIC_##NAME: return carom_##name##_solid(&p->name, kappa, F, P, A);
CAROM_LOCAL double carom_viscous_slow(const carom_viscoelastic_params *p, const carom_viscous_base *b, const carom_flow *flow,
                                      double *history, const double F[9], const carom_shape *shape, double P[9], double A[81],
                                      carom_losses *losses) {
    const double identity[6] = {1, 1, 1, 0, 0, 0};
    double kappa = flow->isochoric ? 0 : b->bulk;
    carom_trial trial;
    switch (p->law) {
    case CAROM_VISCOELASTIC_J2:
        return carom_j2_solid(&p->j2, flow, history, F, P, A, losses);
        CAROM_RUBBER_LAWS(CAROM_VISCOUS_SOLID, )
    default: break;
    }
    carom_trial_of(F, identity, &trial);
    for (int a = 0; P && a < 9; a++)
        P[a] = 0;
    for (int a = 0; A && a < 81; a++)
        A[a] = 0;
    return carom_spring_add(shape, &trial, b->shear, kappa, 1, P, A);
}
#undef CAROM_VISCOUS_SOLID

CAROM_SHARED double carom_viscoelastic_solid(const void *params, const carom_flow *flow, double *history, const double F[9],
                                             double P[9], double A[81], carom_losses *losses) {
    const carom_viscoelastic_params *p = (const carom_viscoelastic_params *)params;
    carom_viscous_base b = carom_viscous_base_of(p);
    carom_shape shape;
    carom_losses sum;
    memset(&sum, 0, sizeof sum);
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    // the history of the law precedes that of the branches
    int first = p->law == CAROM_VISCOELASTIC_J2 ? CAROM_J2_SOLID_SIZE + carom_j2_heats(&p->j2) : 0;
    carom_branches branches = {&p->prony, b.shear, flow, history + first};
    double energy = carom_viscous_slow(p, &b, flow, history, F, &shape, P, A, &sum);
    carom_branches_solid(&branches, &shape, F, &energy, P, A, &sum);
    if (losses)
        *losses = sum;
    return energy;
}

#endif
