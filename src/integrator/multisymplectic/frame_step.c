// SPDX-License-Identifier: MIT
// Solves for the angular and linear velocity (w, g) of a section of a beam, of inertia J and mass m, from its discrete momentum
// mu = (M, N) at a step h (frame_step.h). With s = h/2 and hat(a) b = a x b, the linear part gives g for any w,
//
//     g = (N - s w x N + s^2 w (w.N)) / (m (1 + s^2 w.w)),
//
// and what remains is three equations for w:
//
//     r(w)  = J w + s w x J w + s^2 w (w.J w) + s g x N - M = 0,
//     dr/dw = J + s (hat(w) J - hat(J w)) + s^2 ((w.J w) I + 2 w (J w)^T) - s^2 hat(N) B hat(g),
//     B     = (I - s hat(w) + s^2 w w^T)/(1 + s^2 w.w).
//
// They are well posed while s^2 m |g|^2 is small compared with J: a section must not move by more than its radius of gyration
// in a step.
#include "integrator/multisymplectic/frame_step.h"

#include <math.h>

#include "math/se3.h"
#include "math/vec3.h"

enum { CHORD_MAX = 8, NEWTON_MAX = 40 };

static void hat(const double a[3], double A[3][3]) {
    A[0][0] = A[1][1] = A[2][2] = 0;
    A[0][1] = -a[2], A[1][0] = a[2];
    A[1][2] = -a[0], A[2][1] = a[0];
    A[2][0] = -a[1], A[0][2] = a[1];
}

static void linear_velocity(double m, double s, const double w[3], const double N[3], double g[3]) {
    double cross[3], along = carom_dot(w, N), scale = 1 / (m * (1 + s * s * carom_dot(w, w)));
    carom_cross(w, N, cross);
    for (int i = 0; i < 3; i++)
        g[i] = scale * (N[i] - s * cross[i] + s * s * along * w[i]);
}

static void residual(const double J[3], double s, const double w[3], const double g[3], const double mu[6], double r[3]) {
    double Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]}, turn[3], push[3], along = carom_dot(w, Jw);
    carom_cross(w, Jw, turn);
    carom_cross(g, &mu[3], push);
    for (int i = 0; i < 3; i++)
        r[i] = Jw[i] + s * turn[i] + s * s * along * w[i] + s * push[i] - mu[i];
}

static void derivative(const double J[3], double s, const double w[3], const double g[3], const double N[3], double D[3][3]) {
    double Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]}, along = carom_dot(w, Jw);
    double W[3][3], H[3][3], B[3][3], G[3][3], BG[3][3], NBG[3][3];
    hat(w, W);
    hat(Jw, H);
    double scale = 1 / (1 + s * s * carom_dot(w, w));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            B[i][j] = scale * ((i == j) - s * W[i][j] + s * s * w[i] * w[j]);
    hat(g, G);
    carom_mat3_multiply((carom_const_vectors)B, (carom_const_vectors)G, BG);
    hat(N, G);
    carom_mat3_multiply((carom_const_vectors)G, (carom_const_vectors)BG, NBG);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[i][j] = (i == j ? J[i] + s * s * along : 0) + s * (W[i][j] * J[j] - H[i][j]) + 2 * s * s * w[i] * Jw[j] -
                      s * s * NBG[i][j];
}

// Newton's method with the derivative at the start, without terms in s^2: cheap, with about four digits per iteration when the
// velocity changes little from slab to slab. False if it does not converge fast.
static bool solve_by_chord(const double J[3], double m, double s, const double mu[6], double w[3], double g[3]) {
    double Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]}, W[3][3], H[3][3], D[3][3], c[3][3], last = HUGE_VAL;
    hat(w, W);
    hat(Jw, H);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[i][j] = (i == j ? J[i] : 0) + s * (W[i][j] * J[j] - H[i][j]);
    // the inverse, by cofactors
    for (int i = 0; i < 3; i++)
        carom_cross(D[(i + 1) % 3], D[(i + 2) % 3], c[i]);
    double scale = 1 / carom_dot(D[0], c[0]);

    for (int iteration = 0; iteration < CHORD_MAX; iteration++) {
        double r[3], d[3];
        linear_velocity(m, s, w, &mu[3], g);
        residual(J, s, w, g, mu, r);
        carom_mat3_apply_transposed((carom_const_vectors)c, r, d);
        carom_add_scaled(-scale, d, w);
        double size = fabs(scale) * carom_norm(d), rest = size * fmin(1, size / last);
        // the error after this step, estimated by the ratio of the last two
        if (iteration > 0 && (rest <= 1e-17 * carom_norm(w) || s * rest <= 1e-18)) {
            linear_velocity(m, s, w, &mu[3], g);
            return true;
        }
        if (!(size < 0.1 * last))
            return false;
        last = size;
    }
    return false;
}

// Newton's method. Convergence is quadratic: after a step this small, or by an angle below rounding, the error is negligible.
static bool solve_by_newton(const double J[3], double m, double s, const double mu[6], double w[3], double g[3]) {
    for (int iteration = 0; iteration < NEWTON_MAX; iteration++) {
        double r[3], D[3][3], d[3];
        linear_velocity(m, s, w, &mu[3], g);
        residual(J, s, w, g, mu, r);
        derivative(J, s, w, g, &mu[3], D);
        bool regular = carom_mat3_solve((carom_const_vectors)D, r, d);
        carom_add_scaled(-1, d, w);
        double size = carom_norm(d);
        if (regular && (size <= 1e-8 * carom_norm(w) || s * size <= 1e-17)) {
            linear_velocity(m, s, w, &mu[3], g);
            return true;
        }
    }
    return false;
}

void carom_frame_velocity(const double J[3], double m, double h, carom_fixity hold, double mu[6], double w[3], double g[3]) {
    double s = 0.5 * h;
    for (int i = 0; i < 3; i++) {
        if (hold.place)
            mu[3 + i] = 0;
        if (hold.turn)
            w[i] = 0;
    }
    if (hold.turn) {
        linear_velocity(m, s, w, &mu[3], g);
        for (int i = 0; i < 3; i++)
            mu[i] = 0;
        return;
    }

    double start[3];
    carom_copy(w, start);
    if (solve_by_chord(J, m, s, mu, w, g))
        return;
    carom_copy(start, w);
    if (!solve_by_newton(J, m, s, mu, w, g))
        w[0] = w[1] = w[2] = g[0] = g[1] = g[2] = NAN;
}

void carom_frame_momentum(const double J[3], double m, double h, const double w[3], const double g[3], double mu[6]) {
    double turn[3], shift[3], spin[3], linear[3];
    for (int i = 0; i < 3; i++) {
        turn[i] = h * w[i];
        shift[i] = h * g[i];
        spin[i] = J[i] * w[i];
        linear[i] = m * g[i];
    }
    carom_cayley_dual(turn, shift, spin, linear, &mu[0], &mu[3]);
}
