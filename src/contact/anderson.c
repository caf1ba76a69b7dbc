// SPDX-License-Identifier: MIT
// Accelerates the iteration by which linkage_flight.c finds the impulses of joints: Anderson acceleration (D. G. Anderson,
// J. ACM 12 (1965) 547-560) of the fixed-point iteration z <- z + f(z). With the differences dz and df of the last iterations
// as columns, the next change of z is
//
//     f - (dz + df) c,   c such that |f - df c| is least,
//
// which is Newton's method in the subspace of these differences. The caller gives f once more, scaled to the units of this norm
// (`weighed`). The normal equations are solved by Cholesky factorization; linearly dependent differences are skipped.
#include <math.h>
#include <string.h>

#include "contact/linkage.h"

// A pivot below this fraction of its diagonal entry consists of rounding errors only.
static const double pivot_threshold = 1e-12;

static double product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Computes c, one coefficient for each of the last `count` iterations.
static void solve(const carom_link_rounds *rounds, int count, double c[CAROM_LINK_ROUNDS]) {
    double L[CAROM_LINK_ROUNDS][CAROM_LINK_ROUNDS];
    for (int i = 0; i < count; i++) {
        c[i] = product(rounds->df_weighed[i], rounds->weighed, rounds->size);
        for (int j = 0; j <= i; j++) {
            double a = product(rounds->df_weighed[i], rounds->df_weighed[j], rounds->size), sum = a;
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (j < i)
                L[i][j] = L[j][j] > 0 ? sum / L[j][j] : 0;
            else
                L[i][i] = sum > pivot_threshold * a ? sqrt(sum) : 0;
        }
        for (int k = 0; k < i; k++)
            c[i] -= L[i][k] * c[k];
        c[i] = L[i][i] > 0 ? c[i] / L[i][i] : 0;
    }
    for (int i = count - 1; i >= 0; i--) {
        c[i] = L[i][i] > 0 ? c[i] / L[i][i] : 0;
        for (int k = 0; k < i; k++)
            c[k] -= L[i][k] * c[i];
    }
}

void carom_link_rounds_improve(carom_link_rounds *rounds) {
    int n = rounds->size, round = rounds->count++, count = round < CAROM_LINK_ROUNDS ? round : CAROM_LINK_ROUNDS;
    if (round > 0) {
        int place = (round - 1) % CAROM_LINK_ROUNDS;
        for (int i = 0; i < n; i++) {
            rounds->dz[place][i] = rounds->last_step[i];
            rounds->df[place][i] = rounds->change[i] - rounds->last[i];
            rounds->df_weighed[place][i] = rounds->weighed[i] - rounds->last_weighed[i];
        }
    }
    memcpy(rounds->last, rounds->change, (size_t)n * sizeof *rounds->last);
    memcpy(rounds->last_weighed, rounds->weighed, (size_t)n * sizeof *rounds->last_weighed);
    double c[CAROM_LINK_ROUNDS];
    solve(rounds, count, c);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < n; i++)
            rounds->change[i] -= c[j] * (rounds->dz[j][i] + rounds->df[j][i]);
    memcpy(rounds->last_step, rounds->change, (size_t)n * sizeof *rounds->last_step);
}
