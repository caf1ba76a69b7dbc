// SPDX-License-Identifier: MIT
// The elastoplastic law `j2` (von Mises) for a batch: one quadrature point in each lane of a vector, eight lanes on the
// processor (j2_kernel.c), one per thread of a device. The theory is in material/flow/j2_body.h. A step maps the trial state
// with the elastic strain e and the stress q = 2 mu sqrt(3/2 e:e) to
//
//     q - 3 mu da = sigma(alpha + da),   r = 3 mu da/q,   e <- (1 - r) e,   q <- (1 - r) q,   tau = kappa ln J I + 2 mu e
//
// where da is the plastic strain of the step and sigma the flow stress. A mask selects the lanes that yield; the plastic part
// is skipped if there are none. The series of the strain (strain.h) has a limited range: lanes beyond it are marked, and the
// caller computes them one by one.
#ifndef CAROM_MATERIAL_LANES_J2_BODY_H
#define CAROM_MATERIAL_LANES_J2_BODY_H

#include <math.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/lanes/j2.h"
#include "material/lanes/johnson_cook.h"
#include "material/lanes/strain.h"

// Stores a value in the lanes of a mask; the other lanes keep their values.
CAROM_INLINE void carom_flow_put(const carom_lanes_bits *mask, const carom_lanes *value, double *slot) {
    carom_lanes old;
    carom_lanes_load(slot, &old);
    carom_lanes_choose(mask, value, &old, &old);
    carom_lanes_store(&old, slot);
}

// Adds the heat of the plastic work to the temperature of the lanes that have yielded.
CAROM_INLINE void carom_flow_heat(const carom_j2_params *p, const carom_lanes *work, const carom_lanes_bits *flows,
                                  double *history) {
    if (isnan(p->heat_capacity))
        return;
    carom_lanes T;
    double *slot = history + CAROM_LANES * CAROM_J2_TEMPERATURE;
    carom_lanes_load(slot, &T);
    T += p->heat_share / (p->elastic.density * p->heat_capacity) * *work;
    carom_flow_put(flows, &T, slot);
}

// The trial state of a step: the plastic strain alpha at its start and the trial stress q. `about` is an approximation of q to
// 3e-5, which is available earlier; only johnson-cook uses it.
typedef struct carom_lanes_elastic {
    carom_lanes alpha, q, about;
} carom_lanes_elastic;

// True if any lane yields. Then sets the plastic strain da of the step (0 in lanes that do not yield), over_q = 3 mu/q, and the
// mask `flows` of the yielding lanes.
CAROM_INLINE bool carom_flow_yield(carom_hardening kind, const carom_j2_params *p, const carom_flow *flow,
                                   const double *history, double mu, const carom_lanes_elastic *elastic, carom_lanes *da,
                                   carom_lanes *over_q, carom_lanes_bits *flows) {
    const carom_lanes *about = &elastic->about, *q = &elastic->q;
    carom_lanes_yielding point;
    carom_lanes theta, sigma, temperature = {0};
    point.params = p;
    point.kind = kind;
    point.stiffness = 3 * mu;
    point.step = flow->before;
    point.alpha = elastic->alpha;
    if (kind == CAROM_HARDENING_JOHNSON_COOK)
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_TEMPERATURE, &temperature);
    point.temperature = temperature;
    carom_kernel_flow_bound(&point, &sigma);
    carom_lanes_bits may = *q > sigma, above;
    if (!carom_lanes_any(&may))
        return false;
    // the division is placed here, since no operation nearby depends on its result
    *over_q = 3 * mu / *q;
    theta = temperature;
    if (kind == CAROM_HARDENING_JOHNSON_COOK)
        carom_kernel_softening(p, &point.temperature, &theta);
    if (kind == CAROM_HARDENING_JOHNSON_COOK) {
        carom_kernel_johnson_cook(&point, about, q, &theta, &may, da, flows);
        return carom_lanes_any(flows);
    }
    carom_kernel_flow_start(&point, &theta, &sigma);
    carom_lanes excess = *q - sigma;
    above = excess > 0.0;
    // the bound decides in every lane, so that the result of a lane does not depend on the others
    carom_lanes_both(&above, &may, &above);
    if (!carom_lanes_any(&above))
        return false;
    carom_kernel_flow_strain(&point, q, &excess, &above, da);
    *flows = *da > 0.0;
    return carom_lanes_any(flows);
}

// The return mapping of a batch, from the trial state `k`: computes r = 3 mu da/q and the plastic work, and updates the
// history.
CAROM_INLINE void carom_flow_step(carom_hardening kind, const carom_j2_params *p, const carom_flow *flow, double mu,
                                  double *history, const carom_lanes F[9], const carom_lanes_trial *k, carom_lanes *r,
                                  carom_lanes *work) {
    bool commits = flow->use == CAROM_USE_COMMIT;
    carom_lanes da, over_q, last, q = 1.5 * k->norm2, zero = {0}, one = zero + 1.0;
    carom_lanes_elastic elastic = {.about = zero};
    // `answers`: lanes with a valid result, whose history may be updated
    carom_lanes_bits flows, answers = k->J > 0.0;
    carom_lanes_both(&answers, &k->served, &answers);
    carom_lanes_sqrt(&q, &q);
    q = 2 * mu * q;
    if (kind == CAROM_HARDENING_JOHNSON_COOK) {
        carom_kernel_strain_about(k, &elastic.about);
        carom_lanes_sqrt(&elastic.about, &elastic.about);
        elastic.about = 2 * mu * elastic.about;
    }
    carom_lanes_load(history + CAROM_LANES * CAROM_J2_ALPHA, &elastic.alpha);
    elastic.q = q;
    if (carom_flow_yield(kind, p, flow, history, mu, &elastic, &da, &over_q, &flows)) {
        *r = da * over_q;
        carom_lanes_min(r, &one, r);
        carom_lanes_choose(&flows, r, &zero, r);
        q *= 1.0 - *r;
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_STRESS, &last);
        *work = 0.5 * (last + q) * da;
        carom_lanes_choose(&flows, work, &zero, work);
        if (commits) {
            carom_lanes metric[6];
            carom_kernel_flow_metric(k, F, r, history, metric);
            carom_lanes_both(&flows, &answers, &flows);
            for (int a = 0; a < 6; a++)
                carom_flow_put(&flows, &metric[a], history + CAROM_LANES * a);
            elastic.alpha += da;
            carom_flow_put(&flows, &elastic.alpha, history + CAROM_LANES * CAROM_J2_ALPHA);
            if (kind == CAROM_HARDENING_JOHNSON_COOK)
                carom_flow_heat(p, work, &flows, history);
        }
    }
    if (commits)
        carom_flow_put(&answers, &q, history + CAROM_LANES * CAROM_J2_STRESS);
}

// The law `j2` for a batch. `single` becomes the mask of the lanes whose strain is beyond the range of the series (strain.h).
CAROM_INLINE void carom_flow_j2(carom_hardening kind, const carom_j2_params *p, const carom_flow *flow, double *history,
                                const carom_lanes F[9], carom_lanes P[9], carom_flow_result *result, carom_lanes_bits *single) {
    carom_lame m = carom_elastic_lame(&p->elastic);
    double kappa = flow->isochoric ? 0 : m.lambda + 2 * m.mu / 3;
    carom_lanes_trial k;
    carom_lanes answer, tau[6], infinite, zero = {0}, r = zero;
    carom_kernel_trial(history, F, &k);
    result->plasticity = result->viscosity = result->pending = zero;
    if (flow->use != CAROM_USE_READ)
        carom_flow_step(kind, p, flow, m.mu, history, F, &k, &r, &result->plasticity);
    carom_kernel_forbid(&k.J, &answer);
    carom_lanes pressure = kappa * k.log_J, left = 1.0 - r, scale = k.over_J + answer,
                factor = 2 * m.mu * left * scale * k.over_t;
    // tau/J = s0 I + s1 D + s2 adj D
    carom_lanes s1 = factor * k.A, s2 = factor * k.over_t * k.B, s0 = scale * pressure + s2 * k.j2 * (1.0 / 3);
    for (int a = 0; a < 6; a++)
        tau[a] = s1 * k.D[a] + s2 * k.adj[a];
    for (int a = 0; a < 3; a++)
        tau[a] += s0;
    for (int i = 0; P && i < 3; i++) {
        P[i] = tau[0] * k.C[i] + tau[3] * k.C[3 + i] + tau[5] * k.C[6 + i];
        P[3 + i] = tau[3] * k.C[i] + tau[1] * k.C[3 + i] + tau[4] * k.C[6 + i];
        P[6 + i] = tau[5] * k.C[i] + tau[4] * k.C[3 + i] + tau[2] * k.C[6 + i];
    }
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_lanes_bits good = k.J > 0.0;
    result->energy = 0.5 * pressure * k.log_J + m.mu * left * left * k.norm2;
    carom_lanes_choose(&good, &result->energy, &infinite, &result->energy);
    carom_lanes_bits large = ~k.served;
    carom_lanes_both(&large, &good, single);
}

#endif
