// SPDX-License-Identifier: MIT
// Theory: docs/theory/loop_shell.md
// A shell whose law has history: n Gauss points across the thickness, each with a history of its own. At the height z the
// strain is alpha + z beta, and the stresses of the layers make up forces and moments,
//
//     n^ab = sum_p w_p S^ab(z_p),   m^ab = sum_p w_p z_p S^ab(z_p),
//
// which are the derivatives of the sum of w_p W(alpha + z_p beta), as without history. The energy of layers does not separate
// into a membrane and a bending part; the membrane energy of the output is that of the mean stress with Hooke's compliance.
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "element/point_law.h"
#include "element/shell/loop_shell.h"
#include "math/functions.h"

static carom_layers tables[CAROM_LAYERS_MAX + 1];

// Legendre's polynomial P_n at x, and its derivative.
static double legendre(int n, double x, double *slope) {
    double last = 1, value = x;
    for (int k = 2; k <= n; k++) {
        double next = ((2 * k - 1) * x * value - (k - 1) * last) / k;
        last = value;
        value = next;
    }
    *slope = n * (x * value - last) / (x * x - 1);
    return value;
}

// Gauss points and weights: roots of Legendre's polynomials by Newton's method, exactly symmetric about the middle.
static void make_tables(void) {
    const double pi = 3.14159265358979323846;
    for (int n = CAROM_LAYERS_MIN; n <= CAROM_LAYERS_MAX; n++) {
        carom_layers *t = &tables[n];
        t->count = n;
        for (int i = 0; i < (n + 1) / 2; i++) {
            double x = 2 * i + 1 == n ? 0 : carom_cos(pi * (i + 0.75) / (n + 0.5)), slope;
            for (int round = 0; round < 6; round++)
                x -= legendre(n, x, &slope) / slope;
            x = 2 * i + 1 == n ? 0 : x;
            legendre(n, x, &slope);
            t->at[i] = -x;
            t->at[n - 1 - i] = x;
            t->weight[i] = t->weight[n - 1 - i] = 1 / ((1 - x * x) * slope * slope);
        }
    }
}

const carom_layers *carom_layers_of(int count) {
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_tables);
    return &tables[count];
}

int carom_shell_points(const carom_block *block, carom_point_form *form) {
    const carom_loop_shell_params *params = block->params;
    *form = CAROM_POINT_SHEET;
    bool known = params->layers >= CAROM_LAYERS_MIN && params->layers <= CAROM_LAYERS_MAX;
    return known ? carom_shell_point_count(params) * params->layers : 0;
}

// T^a_b = S^ac g_cb: the sum and the sum of squares of its eigenvalues, the principal stresses.
static void invariants(const double S[3], const double g[3], double *sum, double *squares) {
    double t11 = S[0] * g[0] + S[2] * g[2], t22 = S[2] * g[2] + S[1] * g[1];
    double t12 = S[0] * g[2] + S[2] * g[1], t21 = S[2] * g[0] + S[1] * g[2];
    *sum = t11 + t22;
    *squares = t11 * t11 + t22 * t22 + 2 * t12 * t21;
}

// The metric G of the reference and the metric g = G + 2 E at the strain E.
static void metrics(const carom_shell *s, int e, int q, const double E[3], double G[3], double g[3]) {
    for (int k = 0; k < 3; k++) {
        G[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
        g[k] = G[k] + (k == 2 ? 1 : 2) * E[k];
    }
}

// Energy of the mean stress T: ((1 + nu) T:T - nu (tr T)^2)/(2 E), at most `all`; equal to `all` if the law has no such moduli.
static double membrane_part(const carom_shell *s, int e, int q, const double strain[6], const double force[6], double volume,
                            double all) {
    const carom_material *law = s->block->material;
    if (!law->young || !law->shear)
        return all;
    double young = law->young(s->block->material_params), nu = 0.5 * young / law->shear(s->block->material_params) - 1;
    double G[3], g[3], S[3], sum, squares;
    metrics(s, e, q, strain, G, g);
    for (int k = 0; k < 3; k++)
        S[k] = force[k] / volume;
    invariants(S, g, &sum, &squares);
    return fmin(all, volume * ((1 + nu) * squares - nu * sum * sum) / (2 * young));
}

double carom_shell_layers_law(const carom_shell *s, int e, int q, const double strain[6], double force[6], double tangent[6][6],
                              double *membrane) {
    const carom_layers *layers = s->layers;
    double own[6], metric[3], volume = *carom_shell_data(s, e, q, CAROM_SHELL_AREA) * s->thickness, energy = 0;
    if (!force && membrane)
        force = own;
    for (int k = 0; k < 3; k++)
        metric[k] = *carom_shell_data(s, e, q, CAROM_SHELL_METRIC + k);
    if (force)
        memset(force, 0, 6 * sizeof *force);
    if (tangent)
        memset(tangent, 0, 36 * sizeof **tangent);
    for (int p = 0; p < layers->count; p++) {
        double z = 0.5 * s->thickness * layers->at[p], E[3], S[3], C[3][3], scale = layers->weight[p] * volume;
        for (int k = 0; k < 3; k++)
            E[k] = strain[k] + z * strain[3 + k];
        double w =
            carom_point_sheet(s->block, e, q * layers->count + p, scale, metric, E, force ? S : NULL, tangent ? C : NULL, NULL);
        if (!(w < HUGE_VAL))
            return HUGE_VAL;
        energy += scale * w;
        for (int k = 0; force && k < 3; k++) {
            force[k] += scale * S[k];
            force[3 + k] += scale * z * S[k];
        }
        for (int k = 0; tangent && k < 9; k++) {
            int i = k / 3, j = k % 3;
            double c = scale * C[i][j];
            tangent[i][j] += c;
            tangent[i][3 + j] += z * c;
            tangent[3 + i][j] += z * c;
            tangent[3 + i][3 + j] += z * z * c;
        }
    }
    if (membrane)
        *membrane = membrane_part(s, e, q, strain, force, volume, energy);
    return energy;
}

carom_shell_shown carom_shell_layers_show(const carom_shell *s, int e, int q, const double strain[6]) {
    const carom_layers *layers = s->layers;
    carom_shell_shown shown = {0};
    for (int p = 0; p < layers->count; p++) {
        double z = 0.5 * s->thickness * layers->at[p], E[3], S[3], G[3], g[3], thinning, sum, squares;
        for (int k = 0; k < 3; k++)
            E[k] = strain[k] + z * strain[3 + k];
        metrics(s, e, q, E, G, g);
        if (!(carom_point_sheet(s->block, e, q * layers->count + p, 0, G, E, S, NULL, &thinning) < HUGE_VAL))
            continue;
        // the Cauchy stress is the Kirchhoff stress divided by J
        invariants(S, g, &sum, &squares);
        double J = thinning * sqrt((g[0] * g[1] - g[2] * g[2]) / (G[0] * G[1] - G[2] * G[2]));
        shown.von_mises = fmax(shown.von_mises, sqrt(fmax(0, 1.5 * squares - 0.5 * sum * sum)) / J);
        shown.thinning += layers->weight[p] * thinning;
    }
    return shown;
}
