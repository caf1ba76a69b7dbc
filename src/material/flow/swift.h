// SPDX-License-Identifier: MIT
// Swift's hardening law sigma(a) = K (e0 + a)^n for metals with a plastic prestrain e0; the initial yield stress is K e0^n.
//
// H. W. Swift: Plastic instability under plane stress. Journal of the Mechanics and Physics of Solids 1 (1952) 1-18.
#ifndef CAROM_MATERIAL_FLOW_SWIFT_H
#define CAROM_MATERIAL_FLOW_SWIFT_H

#define CAROM_SWIFT_STRESS(R, power)  \
    R base = p->prestrain + *a;       \
    power(&base, p->exponent, sigma); \
    *sigma = p->strength * *sigma;    \
    *slope = p->exponent * *sigma / base;

// The integral of the flow stress up to a.
#define CAROM_SWIFT_POTENTIAL(p, a) ((p)->strength * carom_pow((p)->prestrain + (a), (p)->exponent + 1) / ((p)->exponent + 1))

#define CAROM_SWIFT_ROWS(owner, at, of)                                                                               \
    CAROM_ROW_NAMED("prestrain", owner, at(prestrain), CAROM_PARAM_REAL, "", .initial = "0", CAROM_RANGE_NONNEGATIVE, \
                    .doc = of "swift: e0 of K (e0 + a)^n, > 0; K is `strength`, n is `exponent`."),

#define CAROM_SWIFT_NEEDS(p) (!((p)->strength > 0) ? "strength" : !((p)->prestrain > 0) ? "prestrain" : NULL)

#endif
