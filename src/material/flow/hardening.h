// SPDX-License-Identifier: MIT
// The flow stress of J2 plasticity and the plastic strain of a step.
#ifndef CAROM_MATERIAL_FLOW_HARDENING_H
#define CAROM_MATERIAL_FLOW_HARDENING_H

#include "base/kernel.h"
#include "carom/material.h"

// Newton iterations, the same in the batched kernels.
enum {
    CAROM_VOCE_ITERATIONS = 12, // 3 or 4 reach rounding but for saturation within a thousandth of strain, or a steep start
    CAROM_JOHNSON_COOK_ITERATIONS = 30, // 8 reach rounding but for exponents below 0.2 at the onset of flow
};

// Relative change of da after which Newton's method has reached rounding: the next change would be its square.
#define CAROM_FLOW_CLOSE 1e-9

// Below this plastic strain a^n of Johnson and Cook, whose slope is infinite at 0, is replaced by a straight line.
#define CAROM_SMALL_STRAIN 1e-6

// A point at the start of a step.
typedef struct carom_yielding {
    const carom_j2_params *params;
    double stiffness;   // 3 mu, or Young's modulus of a bar: decrease of the trial stress per da
    double alpha;       // plastic strain
    double temperature; // NaN if the law has none
    double step;        // time
} carom_yielding;

// The stress at which a point with plastic strain alpha + da flows, da/step its rate; *slope receives the derivative with
// respect to da, where not NULL.
CAROM_SHARED double carom_flow_stress(const carom_yielding *point, double da, double *slope);

// The plastic strain da >= 0 of a step with the trial stress q: the root of q - stiffness da = flow stress, 0 below yield.
// *slope receives the derivative of the flow stress there.
CAROM_SHARED double carom_flow_strain(const carom_yielding *point, double q, double *slope);

// The integral of the flow stress from 0 to da.
double carom_flow_potential(const carom_yielding *point, double da);

// 1 - T*^m; 1 without thermal softening.
CAROM_SHARED double carom_flow_softening(const carom_j2_params *params, double temperature);

// True if a kind of hardening reads the parameter of that name. Second function: the words of the kinds that read it, with
// `between` between them; false if none does.
typedef char carom_hardening_text[160];
bool carom_hardening_reads(int hardening, const char *name);
bool carom_hardening_readers(const char *name, const char *between, carom_hardening_text text);
// The name of a parameter that was given and that this kind of hardening does not read, or NULL.
const char *carom_hardening_unused(const carom_j2_params *params);
// The name of a parameter that contradicts others, or NULL.
const char *carom_hardening_fault(const carom_j2_params *params, carom_error *error);

#endif
