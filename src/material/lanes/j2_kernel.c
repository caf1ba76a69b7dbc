// SPDX-License-Identifier: MIT
// Laws with history for a batch, one point of each of eight elements (j2.h). `j2` runs on all lanes together (j2_body.h). Lanes
// with an elastic strain beyond the series, and all other laws, are evaluated one by one by the law of a single point.
#include "material/lanes/j2.h"

#include <math.h>

#include "material/lanes/j2_body.h"
#include "material/material.h"

// One kernel for each kind of hardening.
#define J2_KERNEL(NAME, name, ...)                                                                                         \
    CAROM_KERNEL(j2_##name,                                                                                                \
                 (const carom_j2_params *p, const carom_flow *flow, double *history, const carom_lanes *F, carom_lanes *P, \
                  carom_flow_result *result, carom_lanes_bits *single),                                                    \
                 (p, flow, history, F, P, result, single),                                                                 \
                 carom_flow_j2(CAROM_HARDENING_##NAME, p, flow, history, F, P, result, single))
#define J2_CASE(NAME, name, ...) \
    case CAROM_HARDENING_##NAME: j2_##name(p, flow, history, F, P, result, single); break;

CAROM_HARDENINGS(J2_KERNEL, )

static void j2_kernel(const carom_j2_params *p, const carom_flow *flow, double *history, const carom_lanes *F, carom_lanes *P,
                      carom_flow_result *result, carom_lanes_bits *single) {
    switch (p->hardening) {
        CAROM_HARDENINGS(J2_CASE, )
    default: break;
    }
}

// The same if the history of only the lanes [low, high) may be written, since another thread may write the others at the same
// time.
static void j2_part(const carom_j2_params *p, const carom_flow *flow, double *history, int low, int high, const carom_lanes *F,
                    carom_lanes *P, carom_flow_result *result, carom_lanes_bits *single) {
    double own[CAROM_LANES * CAROM_HISTORY_MAX];
    int size = carom_material_j2.inelastic->size(p, CAROM_POINT_SOLID);
    memcpy(own, history, (size_t)size * CAROM_LANES * sizeof *own);
    j2_kernel(p, flow, own, F, P, result, single);
    for (int k = 0; k < size; k++)
        for (int l = low; l < high; l++)
            history[CAROM_LANES * k + l] = own[CAROM_LANES * k + l];
}

// Evaluates the lanes of a mask by the law of a single point. History is written in the lanes [written[0], written[1]) alone.
static void one_by_one(const carom_material *material, const void *params, const carom_flow *flow, double *history,
                       const int written[2], const carom_lanes_bits *mask, const carom_lanes F[9], carom_lanes P[9],
                       carom_flow_result *result) {
    int size = material->inelastic->size(params, CAROM_POINT_SOLID);
    for (int l = 0; l < CAROM_LANES; l++) {
        double own[CAROM_HISTORY_MAX], f[9], stress[9];
        carom_losses losses = {0};
        carom_flow use = *flow;
        if (!(*mask)[l])
            continue;
        // the history of the other lanes is not written, but their results are needed
        if (flow->use == CAROM_USE_COMMIT && !(l >= written[0] && l < written[1]))
            use.use = CAROM_USE_TRIAL;
        for (int k = 0; k < size; k++)
            own[k] = history[CAROM_LANES * k + l];
        for (int a = 0; a < 9; a++) {
            f[a] = F[a][l];
            stress[a] = NAN;
        }
        result->energy[l] = material->inelastic->solid(params, &use, own, f, P ? stress : NULL, NULL, &losses);
        for (int a = 0; P && a < 9; a++)
            P[a][l] = stress[a];
        for (int k = 0; k < size && use.use == CAROM_USE_COMMIT; k++)
            history[CAROM_LANES * k + l] = own[k];
        result->plasticity[l] = losses.plasticity;
        result->viscosity[l] = losses.viscosity;
        result->pending[l] = losses.pending;
    }
}

void carom_flow_batch(const carom_material *material, const void *params, const carom_flow *flow, double *history, int low,
                      int high, const carom_lanes F[9], carom_lanes P[9], carom_flow_result *result) {
    carom_lanes_bits single = (carom_lanes_bits){0} - 1;
    bool part = flow->use == CAROM_USE_COMMIT && (low > 0 || high < CAROM_LANES);
    if (carom_law_of(material) != CAROM_LAW_J2)
        memset(result, 0, sizeof *result);
    else if (part)
        j2_part(params, flow, history, low > 0 ? low : 0, high < CAROM_LANES ? high : CAROM_LANES, F, P, result, &single);
    else
        j2_kernel(params, flow, history, F, P, result, &single);
    if (carom_lanes_any(&single))
        one_by_one(material, params, flow, history, (const int[2]){low, high}, &single, F, P, result);
}
