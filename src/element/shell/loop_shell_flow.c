// SPDX-License-Identifier: MIT
// Forces of elastoplastic shells, in batches: surface, strains and forces of eight elements as in loop_shell_kernel.c, and in
// every layer (a point across the thickness) the elastic trial state of `j2` by the formulas of src/material/principal_sheet.c
// and src/material/flow/j2_sheet.c. For lanes that do not yield this is the result. Those that yield, at any time a small part
// of a body, are evaluated one by one by the law of a single layer. The result of a lane does not depend on the other lanes.
#include <math.h>

#include "element/batch.h"
#include "element/point_law.h"
#include "element/shell/loop_shell_lanes.h"
#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/lanes/hardening.h"

bool carom_shell_flows_batched(const carom_block *block) {
    return block->history && carom_law_of(block->material) == CAROM_LAW_J2;
}

// A point of eight elements: the reference metric G and its Cholesky factor L; lanes [low, high) belong to the range of the
// caller.
typedef struct spot {
    const carom_shell *s;
    int e0, low, high, q;
    carom_lanes G[3], l11, l21, l22, volume;
    double kappa, mu, across; // moduli, and the elastic strain across the thickness: e_3 = across (e_1 + e_2)
} spot;

// The trial states of eight layers: stress and equivalent stress.
typedef struct trial {
    carom_lanes S[3], q;
    carom_lanes_bits bad; // the layer has no area
} trial;

// 2 e of I + 2 e = K^T L^-1 g L^-T K, with the metric g of the layer and the Cholesky factor K of the history. Computed without
// cancellation where there is no plastic strain, K = I. `k` receives k_11, k_21, k_22.
CAROM_INLINE void strains(const spot *at, const double *history, const carom_lanes E[3], carom_lanes k[3], carom_lanes e[3]) {
    carom_lanes c[3], e11, e12, e22;
    for (int i = 0; i < 3; i++)
        carom_lanes_load(history + CAROM_LANES * i, &c[i]);
    e11 = 2.0 * E[0] / at->G[0];
    e12 = (E[2] / at->l11 - at->l21 * e11) / at->l22;
    e22 = (2.0 * E[1] - at->l21 * (2.0 * at->l22 * e12 + at->l21 * e11)) / (at->l22 * at->l22);
    carom_lanes_sqrt(&c[0], &k[0]);
    k[1] = c[2] / k[0];
    carom_lanes rest = c[1] - k[1] * k[1];
    carom_lanes_sqrt(&rest, &k[2]);
    e[0] = (c[0] + k[1] * k[1] - 1.0) + (c[0] * e11 + 2.0 * k[0] * k[1] * e12 + k[1] * k[1] * e22);
    e[1] = (rest - 1.0) + rest * e22;
    e[2] = k[2] * (k[0] * e12 + k[1] * (1.0 + e22));
}

// Stress and equivalent stress of eight layers without plastic flow in the step.
CAROM_INLINE void elastic(const spot *at, const double *history, const carom_lanes E[3], trial *out) {
    carom_lanes k[3], e[3], zero = {0}, one, size, root, t, c, s, log[2];
    strains(at, history, E, k, e);
    carom_lanes_fill(1, &one);
    // one Jacobi rotation, by the smaller angle
    carom_lanes d = e[1] - e[0], minus = -d;
    carom_lanes_bits falls = d < 0.0;
    carom_lanes_choose(&falls, &minus, &d, &size);
    root = d * d + 4.0 * e[2] * e[2];
    carom_lanes_sqrt(&root, &root);
    size += root;
    carom_lanes_bits turned = size > 0.0;
    carom_lanes_choose(&turned, &size, &one, &size);
    t = 2.0 * e[2] / size;
    minus = -t;
    carom_lanes_choose(&falls, &minus, &t, &t);
    c = t * t + 1.0;
    carom_lanes_sqrt(&c, &c);
    c = 1.0 / c;
    s = t * c;
    carom_lanes square[2] = {e[0] - t * e[2], e[1] + t * e[2]};
    // negated comparisons, so that a NaN is bad
    out->bad = ~((square[0] > -1.0) & (square[1] > -1.0));
    for (int a = 0; a < 2; a++) {
        carom_lanes_choose(&out->bad, &zero, &square[a], &square[a]);
        carom_lanes_log1p(&square[a], &log[a]);
        log[a] = 0.5 * log[a];
    }
    carom_lanes third = at->across * (log[0] + log[1]), trace = log[0] + log[1] + third, mean = trace * (1.0 / 3);
    carom_lanes d0 = log[0] - mean, d1 = log[1] - mean, d2 = third - mean, norm2 = d0 * d0 + d1 * d1 + d2 * d2;
    out->q = 1.5 * norm2;
    carom_lanes_sqrt(&out->q, &out->q);
    out->q = 2 * at->mu * out->q;
    // S = sum_A tau_A N_A (x) N_A/l_A^2 with the principal stresses tau_A, squared stretches l_A^2 and vectors N_A
    carom_lanes pressure = at->kappa * trace,
                part[2] = {(pressure + 2 * at->mu * d0) / (square[0] + 1.0), (pressure + 2 * at->mu * d1) / (square[1] + 1.0)};
    const carom_lanes r[2][2] = {{c, -s}, {s, c}};
    for (int i = 0; i < 3; i++)
        out->S[i] = zero;
    for (int a = 0; a < 2; a++) {
        carom_lanes N1 = (k[1] * r[a][0] + k[2] * r[a][1]) / at->l22, N0 = (k[0] * r[a][0] - at->l21 * N1) / at->l11;
        out->S[0] += part[a] * N0 * N0;
        out->S[1] += part[a] * N1 * N1;
        out->S[2] += part[a] * N0 * N1;
    }
}

// Evaluates the lanes of a mask by the law of a single layer, which also commits and records losses if the block requires it.
// Lanes outside [low, high) are skipped.
static __attribute__((noinline)) void one_by_one(const spot *at, int layer, const carom_lanes *volume,
                                                 const carom_lanes_bits *mask, const carom_lanes E[3], carom_lanes S[3]) {
    for (int l = at->low; l < at->high; l++) {
        if (!(*mask)[l])
            continue;
        const double metric[3] = {at->G[0][l], at->G[1][l], at->G[2][l]}, strain[3] = {E[0][l], E[1][l], E[2][l]};
        double stress[3];
        double energy = carom_point_sheet(at->s->block, at->e0 + l, at->q * at->s->layers->count + layer, (*volume)[l], metric,
                                          strain, stress, NULL, NULL);
        for (int k = 0; k < 3; k++)
            S[k][l] = energy < HUGE_VAL ? stress[k] : NAN;
    }
}

// Stress of one layer.
CAROM_INLINE void layer_of(const spot *at, int layer, const carom_lanes *volume, const carom_lanes E[3], carom_lanes S[3]) {
    const carom_block *block = at->s->block;
    const carom_j2_params *p = block->material_params;
    carom_use use = carom_block_use(block);
    double *history = block->history + carom_block_history(block, at->e0, at->q * at->s->layers->count + layer, 0);
    trial y;
    elastic(at, history, E, &y);
    carom_lanes_bits single = y.bad;
    if (use != CAROM_USE_READ) {
        carom_lanes_yielding point = {.params = p, .stiffness = 3 * at->mu, .step = block->flow->before};
        carom_lanes theta = {0}, sigma;
        carom_lanes_load(history + CAROM_LANES * CAROM_J2_SHEET_ALPHA, &point.alpha);
        if (carom_j2_heats(p)) {
            carom_lanes_load(history + CAROM_LANES * CAROM_J2_SHEET_TEMPERATURE, &point.temperature);
            carom_kernel_softening(p, &point.temperature, &theta);
        }
        carom_kernel_flow_start(&point, &theta, &sigma);
        single |= ~(y.q <= sigma);
    }
    if (use == CAROM_USE_COMMIT)
        for (int l = at->low; l < at->high; l++)
            if (!single[l])
                history[CAROM_LANES * CAROM_J2_SHEET_STRESS + l] = y.q[l];
    if (carom_lanes_any(&single))
        one_by_one(at, layer, volume, &single, E, y.S);
    for (int k = 0; k < 3; k++)
        S[k] = y.S[k];
}

// Resultants of all layers of a point.
CAROM_INLINE void resultants(spot *at, const double *data, const carom_lanes strain[6], carom_lanes n[6]) {
    const carom_layers *layers = at->s->layers;
    carom_lanes area, rest;
    for (int k = 0; k < 3; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &at->G[k]);
    carom_lanes_load(data + CAROM_LANES * CAROM_SHELL_AREA, &area);
    area = at->s->thickness * area;
    carom_lanes_sqrt(&at->G[0], &at->l11);
    at->l21 = at->G[2] / at->l11;
    rest = at->G[1] - at->l21 * at->l21;
    carom_lanes_sqrt(&rest, &at->l22);
    for (int k = 0; k < 6; k++)
        n[k] = (carom_lanes){0};
    for (int p = 0; p < layers->count; p++) {
        double z = 0.5 * at->s->thickness * layers->at[p];
        carom_lanes E[3], S[3], volume = layers->weight[p] * area;
        for (int k = 0; k < 3; k++)
            E[k] = strain[k] + z * strain[3 + k];
        layer_of(at, p, &volume, E, S);
        for (int k = 0; k < 3; k++) {
            carom_lanes part = volume * S[k];
            n[k] += part;
            n[3 + k] += z * part;
        }
    }
}

CAROM_INLINE void forces(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force) {
    int n = carom_shell_nodes(s, variant);
    carom_lame m = carom_elastic_lame(&((const carom_j2_params *)s->block->material_params)->elastic);
    carom_lanes at[CAROM_SHELL_CAPACITY], f[CAROM_SHELL_CAPACITY];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        spot here = {.s = s,
                     .e0 = e0,
                     .low = begin > e0 ? begin - e0 : 0,
                     .high = end < e0 + CAROM_LANES ? end - e0 : CAROM_LANES,
                     .kappa = m.lambda + 2 * m.mu / 3,
                     .mu = m.mu,
                     .across = -m.lambda / (m.lambda + 2 * m.mu)};
        carom_kernel_gather(s->block, n, e0, x, at);
        carom_lanes_clear(3 * n, f);
        for (here.q = 0; here.q < s->point_count; here.q++) {
            carom_shell_weights w;
            carom_shell_surface y;
            carom_shell_action t;
            carom_lanes over_J, g[3], strain[6], conjugate[6];
            const double *data = carom_shell_check(s, variant, e0, here.q, at, &w, &y);
            carom_shell_strains(&y, data, t.normal, &over_J, g, strain);
            resultants(&here, data, strain, conjugate);
            carom_shell_act(&y, &over_J, g, conjugate, &t);
            carom_shell_add_forces(&w, variant, n, &t, f);
        }
        carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

CAROM_SHELL_KERNELS(forces_of_shell, forces(s, variant, begin, end, x, force),
                    (const carom_shell *s, int begin, int end, const double (*x)[3], double *force), (s, begin, end, x, force))

void carom_shell_flow_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force) {
    carom_shell s = carom_shell_of(block);
    forces_of_shell(&s, begin, end, x, force);
}
