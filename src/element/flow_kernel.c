// SPDX-License-Identifier: MIT
// Laws with history on batches. `j2` runs on all lanes alike, by the formulas of src/material/trial.c and
// src/material/flow/j2_solid.c: lanes that do not flow are masked, and what only flowing lanes need is left out where none
// does. Lanes with an elastic strain beyond the series, and all other laws, go one by one through the plain law. Here Z is
// (b - t I)(b + t I)^-1 with t = tr b/3, one division less.
#include "element/flow.h"

#include <math.h>

#include "element/kernel_hardening.h"
#include "element/kernel_law.h"
#include "material/flow/j2.h"
#include "material/trial.h"

// A symmetric matrix F S F^T: rows of `F` given as they are, or those of its transpose (columns = true).
CAROM_INLINE void congruence(const carom_lanes F[9], bool columns, const carom_lanes S[6], carom_lanes out[6]) {
    carom_lanes R[3][3], f[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            f[i][j] = F[columns ? 3 * j + i : 3 * i + j];
        R[i][0] = f[i][0] * S[0] + f[i][1] * S[3] + f[i][2] * S[5];
        R[i][1] = f[i][0] * S[3] + f[i][1] * S[1] + f[i][2] * S[4];
        R[i][2] = f[i][0] * S[5] + f[i][1] * S[4] + f[i][2] * S[2];
    }
    out[0] = R[0][0] * f[0][0] + R[0][1] * f[0][1] + R[0][2] * f[0][2];
    out[1] = R[1][0] * f[1][0] + R[1][1] * f[1][1] + R[1][2] * f[1][2];
    out[2] = R[2][0] * f[2][0] + R[2][1] * f[2][1] + R[2][2] * f[2][2];
    out[3] = R[0][0] * f[1][0] + R[0][1] * f[1][1] + R[0][2] * f[1][2];
    out[4] = R[1][0] * f[2][0] + R[1][1] * f[2][1] + R[1][2] * f[2][2];
    out[5] = R[0][0] * f[2][0] + R[0][1] * f[2][1] + R[0][2] * f[2][2];
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

CAROM_INLINE void dot(const carom_lanes A[6], carom_lanes *out) {
    *out = A[0] * A[0] + A[1] * A[1] + A[2] * A[2] + 2.0 * (A[3] * A[3] + A[4] * A[4] + A[5] * A[5]);
}

// e = dev 1/2 ln b; `large` marks lanes beyond the series.
CAROM_INLINE void log_strain(const carom_lanes b[6], carom_lanes e[6], carom_lanes_bits *large) {
    carom_lanes less[6], more[6], inverse[6], Z[6], square[6], det, size, t = (b[0] + b[1] + b[2]) * (1.0 / 3);
    for (int a = 0; a < 6; a++) {
        less[a] = a < 3 ? b[a] - t : b[a];
        more[a] = a < 3 ? b[a] + t : b[a];
    }
    cofactor(more, inverse, &det);
    product(less, inverse, Z);
    det = 1.0 / det;
    for (int a = 0; a < 6; a++)
        Z[a] *= det;
    dot(Z, &size);
    // written so that a NaN is large
    *large = ~(size <= CAROM_TRIAL_LARGE);
    product(Z, Z, square);
    carom_lanes minors[6], I3, I1 = Z[0] + Z[1] + Z[2];
    cofactor(Z, minors, &I3);
    carom_lanes I2 = minors[0] + minors[1] + minors[2], p = {0}, q = p + 1.0, r = p, P = p, Q = q;
    for (int k = 2; k <= CAROM_TRIAL_LOG_DEGREE; k++) {
        carom_lanes up = p * I1 + q, same = r - p * I2;
        r = p * I3;
        p = up;
        q = same;
        if (k % 2) {
            P += p * (1.0 / k);
            Q += q * (1.0 / k);
        }
    }
    carom_lanes mean = (P * (square[0] + square[1] + square[2]) + Q * I1) * (1.0 / 3);
    for (int a = 0; a < 6; a++)
        e[a] = P * square[a] + Q * Z[a];
    for (int a = 0; a < 3; a++)
        e[a] -= mean;
}

// Cp^-1 after flow. C are the cofactors of F, over_J is 1/J.
CAROM_INLINE void flow_metric(const carom_lanes C[9], const carom_lanes *over_J, const carom_lanes b[6], const carom_lanes e[6],
                              const carom_lanes *r, carom_lanes metric[6]) {
    carom_lanes X[6], square[6], minors[6], sum[6], change[6], inner[6], I3, det, two = -2.0 * *r;
    for (int a = 0; a < 6; a++)
        X[a] = two * e[a];
    product(X, X, square);
    cofactor(X, minors, &I3);
    carom_lanes I2 = minors[0] + minors[1] + minors[2], p = {0}, q = p + 1.0, rest = p, P = p, Q = q, R = p;
    for (int k = 2; k <= CAROM_TRIAL_EXP_DEGREE; k++) {
        carom_lanes same = (rest - p * I2) * (1.0 / k), up = q * (1.0 / k);
        rest = p * I3 * (1.0 / k);
        p = up;
        q = same;
        P += p;
        Q += q;
        R += rest;
    }
    for (int a = 0; a < 6; a++)
        sum[a] = P * square[a] + Q * X[a];
    for (int a = 0; a < 3; a++)
        sum[a] += R;
    product(sum, b, change);
    // F^-1 is the transpose of the cofactors over J
    congruence(C, true, change, inner);
    carom_lanes scale = *over_J * *over_J;
    for (int a = 0; a < 6; a++)
        sum[a] = metric[a] + scale * inner[a];
    cofactor(sum, minors, &det);
    det -= 1.0;
    scale = 1.0 - det * (1.0 / 3) * (1.0 - det * (2.0 / 3));
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

// Eight points of `j2`; `single` receives the lanes that the series does not serve.
CAROM_INLINE void j2_batch(const carom_j2_params *p, const carom_flow *flow, double *history, int low, int high,
                           const carom_lanes F[9], carom_lanes P[9], carom_flow_result *result, carom_lanes_bits *single) {
    carom_lame m = carom_elastic_lame(&p->elastic);
    double kappa = flow->isochoric ? 0 : m.lambda + 2 * m.mu / 3;
    carom_lanes C[9], J, log_J, answer, metric[6], b[6], e[6], norm2, r = {0}, q, da = {0}, alpha, last;
    carom_lanes_bits flows = {0};
    carom_kernel_cofactor(F, C, &J);
    carom_lanes_log(&J, &log_J);
    carom_kernel_forbid(&J, &answer);
    for (int a = 0; a < 6; a++)
        carom_lanes_load(history + CAROM_LANES * a, &metric[a]);
    congruence(F, false, metric, b);
    log_strain(b, e, single);
    dot(e, &norm2);
    carom_lanes over_J = 1.0 / J, left = r + 1.0;
    if (flow->use != CAROM_USE_READ) {
        q = 1.5 * norm2;
        carom_lanes_sqrt(&q, &q);
        q = 2 * m.mu * q;
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_ALPHA, &alpha);
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_STRESS, &last);
        yield(p, flow, history, m.mu, &alpha, &q, &da, &flows);
        carom_lanes one = left, zero = r;
        r = 3 * m.mu * da / q;
        carom_lanes_min(&r, &one, &r);
        carom_lanes_choose(&flows, &r, &zero, &r);
        left = 1.0 - r;
        q *= left;
        result->plasticity = 0.5 * (last + q) * da;
        carom_lanes_choose(&flows, &result->plasticity, &zero, &result->plasticity);
    }
    if (flow->use == CAROM_USE_COMMIT) {
        owned mine = {.low = low, .high = high};
        range(low, high, &mine.mask);
        mine.mask &= (J > 0.0) & ~*single;
        put(&mine, &mine.mask, &q, history + CAROM_LANES * CAROM_J2_STRESS);
        flows &= mine.mask;
        if (carom_lanes_any(&flows)) {
            flow_metric(C, &over_J, b, e, &r, metric);
            for (int a = 0; a < 6; a++)
                put(&mine, &flows, &metric[a], history + CAROM_LANES * a);
            alpha += da;
            put(&mine, &flows, &alpha, history + CAROM_LANES * CAROM_J2_ALPHA);
            if (carom_j2_heats(p))
                heat(p, &mine, &result->plasticity, &flows, history);
        }
    }
    carom_lanes pressure = kappa * log_J, factor = 2 * m.mu * left;
    over_J += answer;
    for (int a = 0; a < 6; a++)
        b[a] = factor * e[a];
    for (int a = 0; a < 3; a++)
        b[a] += pressure;
    for (int i = 0; P && i < 3; i++) {
        P[i] = over_J * (b[0] * C[i] + b[3] * C[3 + i] + b[5] * C[6 + i]);
        P[3 + i] = over_J * (b[3] * C[i] + b[1] * C[3 + i] + b[4] * C[6 + i]);
        P[6 + i] = over_J * (b[5] * C[i] + b[4] * C[3 + i] + b[2] * C[6 + i]);
    }
    carom_lanes infinite;
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_lanes_bits good = J > 0.0;
    result->energy = 0.5 * pressure * log_J + m.mu * left * left * norm2;
    carom_lanes_choose(&good, &result->energy, &infinite, &result->energy);
    *single &= good;
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
