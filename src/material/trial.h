// SPDX-License-Identifier: MIT
// The elastic strain of a point with an inner metric C^-1 (of plastic flow, or of a viscous branch) at the start of a step,
// before flow or relaxation changes it, and derived quantities. Theory: docs/theory/inelastic.md
#ifndef CAROM_MATERIAL_TRIAL_H
#define CAROM_MATERIAL_TRIAL_H

#include <stdbool.h>

#include "material/principal.h"
#include "material/shape.h"

// Z : Z above which eigenvalues are used instead of the series: a strain of about 0.1.
#define CAROM_TRIAL_LARGE 0.01

// Degrees at which the series of the logarithm and of the exponential are cut.
enum {
    CAROM_TRIAL_LOG_DEGREE = 9,
    CAROM_TRIAL_EXP_DEGREE = 9, // 0.2^10/10! = 3e-14, 0.1^10/10! = 3e-17
};

// The trial state of a law with plastic flow or of one viscous branch.
typedef struct carom_trial {
    double b[6];       // F C^-1 F^T
    double e[6];       // dev 1/2 ln b
    double norm2;      // e : e
    bool large;        // the strain is beyond the range of the series, and eigenvalues are used
    double values[3];  // if `large`: principal values of e
    double axes[3][3]; // if `large`: their directions, as rows
} carom_trial;

// The trial strain of the inner metric C^-1 (six numbers, determinant 1).
CAROM_SHARED void carom_trial_of(const double F[9], const double metric[6], carom_trial *trial);

// P = (pressure I + factor e) F^-T, added to P if `more`.
CAROM_SHARED void carom_trial_stress(const carom_shape *shape, const carom_trial *trial, double pressure, double factor,
                                     bool more, double P[9]);

// Reduces the elastic strain to (1 - r) e at the same F: C^-1 = F^-1 exp(-2 r e) b F^-T, with determinant 1.
CAROM_SHARED void carom_trial_flow(const carom_shape *shape, const carom_trial *trial, double r, double metric[6]);

// The axes and principal strains for a tangent, whether or not the strain is large: fills axes, strain and inverse of `law`.
void carom_trial_principal(const carom_shape *shape, const carom_trial *trial, carom_principal *law);

#endif
