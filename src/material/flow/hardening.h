// SPDX-License-Identifier: MIT
// The flow stress of J2 plasticity and the plastic strain of a step.
#ifndef CAROM_MATERIAL_FLOW_HARDENING_H
#define CAROM_MATERIAL_FLOW_HARDENING_H

#include "base/kernel.h"
#include "carom/material.h"

// Maximum numbers of Newton iterations, also of the batched kernels.
enum {
    CAROM_VOCE_ITERATIONS = 12,         // 3 or 4 suffice unless the law saturates within a strain of 1e-3 or is steep at 0
    CAROM_JOHNSON_COOK_ITERATIONS = 30, // 8 suffice except for exponents below 0.2 at the onset of yielding
};

// Newton's method ends when the relative change of da is below this number: the next change would be about its square, which is
// below rounding.
#define CAROM_FLOW_CLOSE 1e-9

// Below this plastic strain a the term a^n of Johnson and Cook, whose slope is infinite at 0, is replaced by a straight line.
#define CAROM_SMALL_STRAIN 1e-6

// State of a material point at the start of a step.
typedef struct carom_yielding {
    const carom_j2_params *params;
    double stiffness;   // 3 mu, or Young's modulus of a bar: decrease of the trial stress per da
    double alpha;       // plastic strain
    double temperature; // NaN if the law has none
    double step;        // its duration
} carom_yielding;

// The flow stress at the plastic strain alpha + da and the plastic strain rate da/step; *slope, unless NULL, receives its
// derivative with respect to da.
CAROM_SHARED double carom_flow_stress(const carom_yielding *point, double da, double *slope);

// The plastic strain da >= 0 of a step with the trial stress q: the root of q - stiffness da = flow stress, 0 below yield.
// *slope receives the derivative of the flow stress there.
CAROM_SHARED double carom_flow_strain(const carom_yielding *point, double q, double *slope);

// The integral of the flow stress over the plastic strain of the step, from 0 to da.
double carom_flow_potential(const carom_yielding *point, double da);

// The thermal softening factor 1 - T*^m of Johnson and Cook; 1 without thermal softening.
CAROM_SHARED double carom_flow_softening(const carom_j2_params *params, double temperature);

// carom_hardening_reads: true if a kind of hardening uses the parameter of that name. carom_hardening_readers: lists the words
// of the kinds that use it, separated by `between`; false if none does.
typedef char carom_hardening_text[160];
bool carom_hardening_reads(int hardening, const char *name);
bool carom_hardening_readers(const char *name, const char *between, carom_hardening_text text);
// The name of a parameter that was given although this kind of hardening does not use it, or NULL.
const char *carom_hardening_unused(const carom_j2_params *params);
// The name of a parameter that contradicts others, or NULL.
const char *carom_hardening_fault(const carom_j2_params *params, carom_error *error);

#endif
