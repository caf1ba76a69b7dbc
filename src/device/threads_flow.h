// SPDX-License-Identifier: MIT
// Stress and losses of laws with history (`j2`, `viscoelastic`) and of rubbers at one point of one element, in a thread of a
// device. `j2` uses the formulas of the batched kernels, compiled for one lane (material/lanes/j2_body.h). Where these are not
// applicable it uses the law of a single point (material/flow/j2_body.h), as on the processor; so do the other laws.
#ifndef CAROM_DEVICE_THREADS_FLOW_H
#define CAROM_DEVICE_THREADS_FLOW_H

#include "device/calls.h"
#include "element/point_body.h"
#include "material/lanes/j2_body.h"
#include "material/rubber/rubber.h"
#include "material/viscous/branches.h"
#ifdef __CUDACC__
// the emulation calls the functions of the library
#include "material/flow/hardening_body.h"
#include "material/flow/j2_body.h"
#include "material/rubber/rubber_body.h"
#include "material/trial_body.h"
#include "material/viscous/branches_body.h"
#include "material/viscous/viscoelastic_body.h"
#include "math/functions_body.h"
#endif

// carom_lane, which compilers for devices do not see.
CAROM_INLINE int64_t carom_thread_lane(int e, int size) {
    return (int64_t)(e / CAROM_LANES) * size * CAROM_LANES + e % CAROM_LANES;
}

// The numbers of history of point q of element e: number k at history[CAROM_LANES * k].
CAROM_INLINE double *carom_thread_history(const carom_thread_block *b, int e, int q) {
    return b->history + carom_thread_lane(e, b->history_size) +
           CAROM_LANES * (ptrdiff_t)(q * (b->history_size / b->point_count));
}

// Evaluates the law of a single point; P may be NULL. Returns the energy.
CAROM_SELDOM double carom_thread_plain(const carom_thread_block *b, const carom_flow *flow, double *history,
                                       const carom_lanes F[9], carom_lanes *P, carom_losses *losses) {
    int size = b->history_size / b->point_count;
    double own[CAROM_HISTORY_MAX], f[9], stress[9], energy;
    for (int k = 0; k < size; k++)
        own[k] = history[CAROM_LANES * k];
    for (int a = 0; a < 9; a++) {
        f[a] = F[a][0];
        stress[a] = NAN;
    }
    if (b->flow_law >= CAROM_THREAD_LAW)
        energy = carom_viscoelastic_solid(b->params, flow, own, f, P ? stress : NULL, NULL, losses);
    else
        energy = carom_j2_solid(b->params, flow, own, f, P ? stress : NULL, NULL, losses);
    for (int a = 0; P && a < 9; a++)
        P[a][0] = stress[a];
    for (int k = 0; k < size && flow->use == CAROM_USE_COMMIT; k++)
        history[CAROM_LANES * k] = own[k];
    return energy;
}

#define CAROM_THREAD_J2(NAME, name, ...) \
    case CAROM_HARDENING_##NAME: carom_flow_j2(CAROM_HARDENING_##NAME, p, flow, history, F, P, result, &single); break;
// Evaluates j2 at a point; false if the series are not applicable, and the law of a single point must be used.
CAROM_INLINE bool carom_thread_j2(const carom_thread_block *b, const carom_flow *flow, double *history, const carom_lanes F[9],
                                  carom_lanes *P, carom_flow_result *result) {
    const carom_j2_params *p = (const carom_j2_params *)b->params;
    carom_lanes_bits single;
    switch (b->flow_law) {
        CAROM_HARDENINGS(CAROM_THREAD_J2, )
    default: return false;
    }
    return !carom_lanes_any(&single);
}

#undef CAROM_THREAD_J2

#define CAROM_THREAD_RUBBER(NAME, name, params)                                 \
    case CAROM_LAW_##NAME: {                                                    \
        const carom_##name##_params *p = (const carom_##name##_params *)params; \
        return carom_##name##_solid(p, isochoric ? 0 : p->bulk, F, P, NULL);    \
    }
// Evaluates a rubber, or its isochoric part. Returns the energy.
CAROM_SELDOM double carom_thread_rubber(const carom_thread_block *b, int isochoric, const double F[9], double P[9]) {
    switch (b->flow_law - CAROM_THREAD_LAW) {
        CAROM_RUBBER_LAWS(CAROM_THREAD_RUBBER, b->params)
    default: return HUGE_VAL;
    }
}
#undef CAROM_THREAD_RUBBER

// Evaluates the law at point q of element e with its `volume`, as carom_flow_stress_at; only the isochoric part if `isochoric`.
// Not inlined: kernels of bricks call it eight times.
CAROM_SELDOM void carom_thread_flow(const carom_thread_block *b, const carom_thread_call *call, int e, int q, int isochoric,
                                    const carom_lanes *volume, const carom_lanes F[9], carom_lanes P[9]) {
    double *history = carom_thread_history(b, e, q), energy = HUGE_VAL;
    carom_flow flow = call->flow;
    carom_losses losses;
    carom_flow_result result;
    flow.isochoric = isochoric != 0;
    memset(&losses, 0, sizeof losses);
    if (b->flow_law < CAROM_THREAD_LAW && carom_thread_j2(b, &flow, history, F, P, &result)) {
        energy = result.energy[0];
        losses.plasticity = result.plasticity[0];
    } else
        energy = carom_thread_plain(b, &flow, history, F, P, &losses);
    // if the law failed, nothing was committed
    if (call->flow.use == CAROM_USE_COMMIT && energy < HUGE_VAL)
        carom_point_add_losses(b->losses + (ptrdiff_t)e * CAROM_BLOCK_LOSSES, q, (*volume)[0], &losses);
}

#endif
