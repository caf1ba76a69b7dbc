// SPDX-License-Identifier: MIT
// Bracketed root finding, after T. R. Chandrupatla: A new hybrid quadratic/bisection algorithm for finding the zero of a
// nonlinear function without using derivatives. Advances in Engineering Software 28 (1997) 145-149.
#ifndef CAROM_MATH_ROOT_H
#define CAROM_MATH_ROOT_H

#include <float.h>
#include <math.h>

// The root of f in [a, b], where f(a) = fa and f(b) = fb have opposite signs, to the last bits of the argument. Returns the end
// of the final bracket with the smaller |f|.
static inline double carom_root(double (*f)(void *context, double t), void *context, double a, double fa, double b, double fb) {
    double t = 0.5;
    for (int iteration = 0; iteration < 200; iteration++) {
        double x = a + t * (b - a), fx = f(context, x), c, fc;
        // [a, b] is the bracket; a is its newest point, and c the point just removed
        if ((fx < 0) == (fa < 0)) {
            c = a, fc = fa;
        } else {
            c = b, fc = fb;
            b = a, fb = fa;
        }
        a = x, fa = fx;
        double best = fabs(fa) < fabs(fb) ? a : b;
        double least = 2 * DBL_EPSILON * fabs(best) / fabs(b - c);
        if (fa == 0 || fb == 0 || !(least < 0.5))
            return best;

        // inverse quadratic interpolation if it is monotone between the points (Chandrupatla's criterion), else bisection
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        t = 0.5;
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
            t = fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        t = fmin(1 - least, fmax(least, t));
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

#endif
