// SPDX-License-Identifier: MIT
// The list of hardening laws, in the order of carom_hardening: X(CONSTANT, name, word, parameters, ...), where `parameters` are
// the names of the parameters that the law uses, each between blanks; further arguments are passed on. C and C++.
#ifndef CAROM_MATERIAL_FLOW_HARDENINGS_H
#define CAROM_MATERIAL_FLOW_HARDENINGS_H

#define CAROM_HARDENINGS(X, ...)                                                                                           \
    X(LINEAR, linear, "linear", " yield modulus ", __VA_ARGS__)                                                            \
    X(VOCE, voce, "voce", " yield modulus saturation decay ", __VA_ARGS__)                                                 \
    X(JOHNSON_COOK, johnson_cook, "johnson-cook",                                                                          \
      " yield strength exponent rate reference_rate softening temperature melting heat_capacity heat_share ", __VA_ARGS__) \
    X(TABLE, table, "table", " yield curve ", __VA_ARGS__)                                                                 \
    CAROM_CONCAVE_HARDENINGS(X, __VA_ARGS__)

// Hardening laws whose flow stress is an increasing concave function of the plastic strain alone: Newton's method that starts
// at da = 0 approaches the root from below. Each has a header of its own, included at the end of this file: a macro with the
// stress and its slope for any number type, and macros for its potential and its parameters.
#define CAROM_CONCAVE_HARDENINGS(X, ...) X(SWIFT, swift, "swift", " strength exponent prestrain ", __VA_ARGS__)

#define CAROM_HARDENING_IS(NAME, name, word, reads, kind) || (kind) == CAROM_HARDENING_##NAME
#define CAROM_HARDENING_IS_CONCAVE(kind) (0 CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_IS, kind))

// Defines carom_`name``suffix`(p, a, sigma, slope), the flow stress and its slope, for numbers of type R, whose powers x^n are
// computed by power(x, n, result).
#define CAROM_HARDENING_FUNCTION(NAME, name, word, reads, R, suffix, power)                            \
    CAROM_INLINE void carom_##name##suffix(const carom_j2_params *p, const R *a, R *sigma, R *slope) { \
        CAROM_##NAME##_STRESS(R, power)                                                                \
    }
#define CAROM_HARDENING_CALL(NAME, name, word, reads, suffix, p, a, sigma, slope) \
    case CAROM_HARDENING_##NAME:                                                  \
        carom_##name##suffix(p, a, sigma, slope);                                 \
        break;

#endif

#include "material/flow/swift.h"
