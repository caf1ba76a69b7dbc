// SPDX-License-Identifier: MIT
// Laws with history on batches. `j2` runs on all lanes alike, by the formulas of src/material/trial.c and
// src/material/flow/j2_solid.c: lanes that do not flow are masked, and what only flowing lanes need is left out where none
// does. Lanes with an elastic strain beyond the series, and all other laws, go one by one through the plain law. With t =
// tr b/3 the matrix Z is (b - t I)(b + t I)^-1 = I - 2 t (b + t I)^-1.
#include "element/flow.h"

#include <math.h>

#include "element/kernel_hardening.h"
#include "element/kernel_law.h"
#include "material/flow/j2.h"
#include "material/trial.h"

// R = F S, and F S F^T.
CAROM_INLINE void congruence(const carom_lanes F[9], const carom_lanes S[6], carom_lanes R[9], carom_lanes out[6]) {
    for (int i = 0; i < 9; i += 3) {
        R[i] = F[i] * S[0] + F[i + 1] * S[3] + F[i + 2] * S[5];
        R[i + 1] = F[i] * S[3] + F[i + 1] * S[1] + F[i + 2] * S[4];
        R[i + 2] = F[i] * S[5] + F[i + 1] * S[4] + F[i + 2] * S[2];
    }
    out[0] = R[0] * F[0] + R[1] * F[1] + R[2] * F[2];
    out[1] = R[3] * F[3] + R[4] * F[4] + R[5] * F[5];
    out[2] = R[6] * F[6] + R[7] * F[7] + R[8] * F[8];
    out[3] = R[0] * F[3] + R[1] * F[4] + R[2] * F[5];
    out[4] = R[3] * F[6] + R[4] * F[7] + R[5] * F[8];
    out[5] = R[0] * F[6] + R[1] * F[7] + R[2] * F[8];
}

// A B of matrices with common axes.
CAROM_INLINE void product(const carom_lanes A[6], const carom_lanes B[6], carom_lanes out[6]) {
    carom_lanes x = A[3] * B[3], y = A[4] * B[4], z = A[5] * B[5];
    out[0] = A[0] * B[0] + x + z;
    out[1] = x + A[1] * B[1] + y;
    out[2] = z + y + A[2] * B[2];
    out[3] = A[0] * B[3] + A[3] * B[1] + A[5] * B[4];
    out[4] = A[3] * B[5] + A[1] * B[4] + A[4] * B[2];
    out[5] = A[0] * B[5] + A[3] * B[4] + A[5] * B[2];
}

CAROM_INLINE void cofactor(const carom_lanes A[6], carom_lanes out[6], carom_lanes *det) {
    out[0] = A[1] * A[2] - A[4] * A[4];
    out[1] = A[0] * A[2] - A[5] * A[5];
    out[2] = A[0] * A[1] - A[3] * A[3];
    out[3] = A[4] * A[5] - A[3] * A[2];
    out[4] = A[3] * A[5] - A[0] * A[4];
    out[5] = A[3] * A[4] - A[1] * A[5];
    *det = A[0] * out[0] + A[3] * out[3] + A[5] * out[5];
}

CAROM_INLINE void dot(const carom_lanes A[6], const carom_lanes B[6], carom_lanes *out) {
    *out = A[0] * B[0] + A[1] * B[1] + A[2] * B[2] + 2.0 * (A[3] * B[3] + A[4] * B[4] + A[5] * B[5]);
}

// e = dev 1/2 ln b from the cofactors of b + t I and s = 2 t over its determinant: Z = I - s cof. `large` marks lanes beyond
// the series, which is summed from its end on: with S the sum so far, Z^2 S + 1/k.
CAROM_INLINE void log_strain(const carom_lanes cofactors[6], const carom_lanes *s, carom_lanes e[6], carom_lanes_bits *large) {
    carom_lanes Z[6], square[6], cube;
    for (int a = 0; a < 6; a++)
        Z[a] = a < 3 ? 1.0 - *s * cofactors[a] : -*s * cofactors[a];
    product(Z, Z, square);
    carom_lanes I1 = Z[0] + Z[1] + Z[2], size = square[0] + square[1] + square[2], I2 = 0.5 * (I1 * I1 - size);
    dot(square, Z, &cube);
    carom_lanes I3 = (cube - I1 * size + I2 * I1) * (1.0 / 3);
    // written so that a NaN is large
    *large = ~(size <= CAROM_TRIAL_LARGE);
    carom_lanes zero = {0}, p = zero + 1.0 / CAROM_TRIAL_LOG_DEGREE, q = zero, r = zero + 1.0 / (CAROM_TRIAL_LOG_DEGREE - 2);
    for (int k = CAROM_TRIAL_LOG_DEGREE - 4; k > 0; k -= 2) {
        // by Z, twice
        carom_lanes up = p * I1 + q, same = r - p * I2, rest = p * I3;
        p = up * I1 + same;
        q = rest - up * I2;
        r = up * I3 + 1.0 / k;
    }
    carom_lanes P = p * I1 + q, Q = r - p * I2, mean = (P * size + Q * I1) * (1.0 / 3);
    for (int a = 0; a < 6; a++)
        e[a] = P * square[a] + Q * Z[a];
    for (int a = 0; a < 3; a++)
        e[a] -= mean;
}

// Cp^-1 + F^-1 (exp(X) - I) F Cp^-1 with X = -2 r e, made of determinant 1. C are the cofactors of F, R = F Cp^-1, norm2 = e:e.
// exp is summed from its end on: with S the sum so far, X S/k + 1.
CAROM_INLINE void flow_metric(const carom_lanes C[9], const carom_lanes R[9], const carom_lanes *over_J, const carom_lanes e[6],
                              const carom_lanes *norm2, const carom_lanes *r, carom_lanes metric[6]) {
    carom_lanes X[6], square[6], sum[6], T[9], cube, det, two = -2.0 * *r, zero = {0};
    for (int a = 0; a < 6; a++)
        X[a] = two * e[a];
    product(X, X, square);
    dot(square, X, &cube);
    // a deviator has I1 = 0, I2 = -X:X/2, I3 = tr X^3/3
    carom_lanes I2 = -0.5 * two * two * *norm2, I3 = cube * (1.0 / 3), p = zero, q = zero, s = zero + 1.0;
    for (int k = CAROM_TRIAL_EXP_DEGREE; k > 1; k--) {
        carom_lanes up = q * (1.0 / k), same = (s - p * I2) * (1.0 / k);
        s = p * I3 * (1.0 / k) + 1.0;
        p = up;
        q = same;
    }
    carom_lanes last = p * I3;
    for (int a = 0; a < 6; a++)
        sum[a] = q * square[a] + (s - p * I2) * X[a];
    for (int a = 0; a < 3; a++)
        sum[a] += last;
    for (int j = 0; j < 3; j++) {
        T[j] = sum[0] * R[j] + sum[3] * R[3 + j] + sum[5] * R[6 + j];
        T[3 + j] = sum[3] * R[j] + sum[1] * R[3 + j] + sum[4] * R[6 + j];
        T[6 + j] = sum[5] * R[j] + sum[4] * R[3 + j] + sum[2] * R[6 + j];
    }
    // F^-1 is the transpose of the cofactors over J
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int a = 0; a < 6; a++) {
        int i = row[a], j = column[a];
        sum[a] = metric[a] + *over_J * (C[i] * T[j] + C[3 + i] * T[3 + j] + C[6 + i] * T[6 + j]);
    }
    cofactor(sum, square, &det);
    det -= 1.0;
    carom_lanes scale = 1.0 - det * (1.0 / 3) * (1.0 - det * (2.0 / 3));
    for (int a = 0; a < 6; a++)
        metric[a] = sum[a] * scale;
}

// The lanes that may be written: those of others may be written by another thread at the same time.
typedef struct owned {
    int low, high;
    carom_lanes_bits mask; // of these, those that have an answer
} owned;

// Writes the lanes of a mask, all at once if the batch belongs to the caller.
CAROM_INLINE void put(const owned *mine, const carom_lanes_bits *mask, const carom_lanes *value, double *slot) {
    if (mine->low <= 0 && mine->high >= CAROM_LANES) {
        carom_lanes old;
        carom_lanes_load(slot, &old);
        carom_lanes_choose(mask, value, &old, &old);
        carom_lanes_store(&old, slot);
        return;
    }
    for (int l = 0; l < CAROM_LANES; l++)
        if ((*mask)[l])
            slot[l] = (*value)[l];
}

// Bits of the lanes [low, high).
CAROM_INLINE void range(int low, int high, carom_lanes_bits *mask) {
    for (int l = 0; l < CAROM_LANES; l++)
        (*mask)[l] = -(int64_t)(l >= low && l < high);
}

// Heat of the lanes that flowed.
CAROM_INLINE void heat(const carom_j2_params *p, const owned *mine, const carom_lanes *work, const carom_lanes_bits *flows,
                       double *history) {
    if (isnan(p->heat_capacity))
        return;
    carom_lanes T;
    double *slot = history + CAROM_LANES * CAROM_J2_TEMPERATURE;
    carom_lanes_load(slot, &T);
    T += p->heat_share * *work / (p->elastic.density * p->heat_capacity);
    put(mine, flows, &T, slot);
}

// The plastic strain of the step, 0 in lanes that do not flow.
CAROM_INLINE void yield(const carom_j2_params *p, const carom_flow *flow, const double *history, double mu,
                        const carom_lanes *alpha, const carom_lanes *q, carom_lanes *da, carom_lanes_bits *flows) {
    carom_lanes_yielding point = {.params = p, .stiffness = 3 * mu, .step = flow->before, .alpha = *alpha};
    carom_lanes theta = {0}, sigma, zero = {0};
    if (carom_j2_heats(p)) {
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_TEMPERATURE, &point.temperature);
        carom_kernel_softening(p, &point.temperature, &theta);
    }
    carom_kernel_flow_start(&point, &theta, &sigma);
    carom_lanes excess = *q - sigma;
    *flows = excess > 0.0;
    *da = zero;
    if (carom_lanes_any(flows))
        carom_kernel_flow_strain(&point, q, &theta, &excess, flows, da);
    *flows = *da > 0.0;
}

// A batch on its way.
typedef struct batch {
    carom_lanes C[9], R[9];       // cofactors of F, F Cp^-1
    carom_lanes J, over_J, log_J; // det F, its inverse and logarithm
    carom_lanes metric[6], e[6];  // Cp^-1, elastic strain of the trial
    carom_lanes norm2, q, left;   // e:e, stress, 1 - r
    carom_lanes_bits single;      // lanes that the series does not serve
} batch;

CAROM_INLINE void trial(const double *history, const carom_lanes F[9], batch *k) {
    carom_lanes b[6], cofactors[6], det, t;
    carom_kernel_cofactor(F, k->C, &k->J);
    for (int a = 0; a < 6; a++)
        carom_lanes_load(history + CAROM_LANES * a, &k->metric[a]);
    congruence(F, k->metric, k->R, b);
    t = (b[0] + b[1] + b[2]) * (1.0 / 3);
    for (int a = 0; a < 3; a++)
        b[a] += t;
    cofactor(b, cofactors, &det);
    // one division for 1/J and 1/det
    carom_lanes both = 1.0 / (k->J * det);
    k->over_J = both * det;
    t = 2.0 * t * (both * k->J);
    log_strain(cofactors, &t, k->e, &k->single);
    dot(k->e, k->e, &k->norm2);
    carom_lanes_log(&k->J, &k->log_J);
}

// The step of a batch: stress and 1 - r at its end, plastic work, and the history of the lanes that are the caller's.
CAROM_INLINE void step(const carom_j2_params *p, const carom_flow *flow, double mu, double *history, int low, int high,
                       batch *k, carom_lanes *work) {
    carom_lanes alpha, da, last;
    carom_lanes_bits flows;
    owned mine = {.low = low, .high = high};
    k->q = 1.5 * k->norm2;
    carom_lanes_sqrt(&k->q, &k->q);
    k->q = 2 * mu * k->q;
    carom_lanes_load(history + CAROM_LANES * CAROM_J2_ALPHA, &alpha);
    yield(p, flow, history, mu, &alpha, &k->q, &da, &flows);
    bool commits = flow->use == CAROM_USE_COMMIT;
    if (commits) {
        range(low, high, &mine.mask);
        mine.mask &= (k->J > 0.0) & ~k->single;
    }
    if (carom_lanes_any(&flows)) {
        carom_lanes one = k->left, zero = {0}, r = 3 * mu * da / k->q;
        carom_lanes_min(&r, &one, &r);
        carom_lanes_choose(&flows, &r, &zero, &r);
        k->left = 1.0 - r;
        k->q *= k->left;
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_STRESS, &last);
        *work = 0.5 * (last + k->q) * da;
        carom_lanes_choose(&flows, work, &zero, work);
        flows &= mine.mask;
        if (commits && carom_lanes_any(&flows)) {
            flow_metric(k->C, k->R, &k->over_J, k->e, &k->norm2, &r, k->metric);
            for (int a = 0; a < 6; a++)
                put(&mine, &flows, &k->metric[a], history + CAROM_LANES * a);
            alpha += da;
            put(&mine, &flows, &alpha, history + CAROM_LANES * CAROM_J2_ALPHA);
            if (carom_j2_heats(p))
                heat(p, &mine, work, &flows, history);
        }
    }
    if (commits)
        put(&mine, &mine.mask, &k->q, history + CAROM_LANES * CAROM_J2_STRESS);
}

// Eight points of `j2`; `single` receives the lanes that the series does not serve.
CAROM_INLINE void j2_batch(const carom_j2_params *p, const carom_flow *flow, double *history, int low, int high,
                           const carom_lanes F[9], carom_lanes P[9], carom_flow_result *result, carom_lanes_bits *single) {
    carom_lame m = carom_elastic_lame(&p->elastic);
    double kappa = flow->isochoric ? 0 : m.lambda + 2 * m.mu / 3;
    batch k;
    carom_lanes answer, tau[6], infinite;
    trial(history, F, &k);
    carom_lanes_fill(1, &k.left);
    if (flow->use != CAROM_USE_READ)
        step(p, flow, m.mu, history, low, high, &k, &result->plasticity);
    carom_kernel_forbid(&k.J, &answer);
    carom_lanes pressure = kappa * k.log_J, factor = 2 * m.mu * k.left, scale = k.over_J + answer;
    for (int a = 0; a < 6; a++)
        tau[a] = scale * (a < 3 ? factor * k.e[a] + pressure : factor * k.e[a]);
    for (int i = 0; P && i < 3; i++) {
        P[i] = tau[0] * k.C[i] + tau[3] * k.C[3 + i] + tau[5] * k.C[6 + i];
        P[3 + i] = tau[3] * k.C[i] + tau[1] * k.C[3 + i] + tau[4] * k.C[6 + i];
        P[6 + i] = tau[5] * k.C[i] + tau[4] * k.C[3 + i] + tau[2] * k.C[6 + i];
    }
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_lanes_bits good = k.J > 0.0;
    result->energy = 0.5 * pressure * k.log_J + m.mu * k.left * k.left * k.norm2;
    carom_lanes_choose(&good, &result->energy, &infinite, &result->energy);
    *single = k.single & good;
}

CAROM_KERNEL(j2_kernel,
             (const carom_j2_params *p, const carom_flow *flow, double *history, int low, int high, const carom_lanes *F,
              carom_lanes *P, carom_flow_result *result, carom_lanes_bits *single),
             (p, flow, history, low, high, F, P, result, single), j2_batch(p, flow, history, low, high, F, P, result, single))

// The lanes of a mask by the plain law.
static void one_by_one(const carom_material *material, const void *params, const carom_flow *flow, double *history, int low,
                       int high, const carom_lanes_bits *mask, const carom_lanes F[9], carom_lanes P[9],
                       carom_flow_result *result) {
    int size = material->inelastic->size(params, CAROM_POINT_SOLID);
    for (int l = 0; l < CAROM_LANES; l++) {
        double own[CAROM_HISTORY_MAX], f[9], stress[9];
        carom_losses losses = {0};
        carom_flow use = *flow;
        if (!(*mask)[l])
            continue;
        // the history of others is not written, but their results are wanted
        if (flow->use == CAROM_USE_COMMIT && !(l >= low && l < high))
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
    carom_lanes_bits single;
    memset(result, 0, sizeof *result);
    memset(&single, -1, sizeof single);
    if (material == &carom_material_j2)
        j2_kernel(params, flow, history, low, high, F, P, result, &single);
    if (carom_lanes_any(&single))
        one_by_one(material, params, flow, history, low, high, &single, F, P, result);
}
