// SPDX-License-Identifier: MIT
// The catalogues of integrators and of analyses.
#include <math.h>

#include "integrator/stepper.h"
#include "model/state.h"

static const carom_kind *const kinds[] = {
    &carom_integrator_newmark_dcr.kind,     &carom_integrator_asynchronous.kind,      &carom_integrator_multisymplectic.kind,
    &carom_integrator_energy_momentum.kind, &carom_integrator_nonsmooth_newmark.kind,
};

const carom_catalogue *carom_integrators(void) {
    static const carom_catalogue catalogue = {"integrator", sizeof kinds / sizeof *kinds, kinds};
    return &catalogue;
}

const carom_catalogue *carom_analyses(void) {
    static const carom_kind *const analyses[] = {&carom_analysis_static.kind};
    static const carom_catalogue catalogue = {"analysis", sizeof analyses / sizeof *analyses, analyses};
    return &catalogue;
}

double carom_integrator_stability(const carom_integrator *integrator, const void *params) {
    if (integrator->implicit || integrator->substeps)
        return HUGE_VAL;
    return integrator->stability ? integrator->stability(params) : 1;
}

const carom_method_result *carom_integrator_result(const carom_integrator *integrator, carom_method_result_kind kind) {
    for (const carom_method_result *result = integrator->results; result && result->name; result++)
        if (result->kind == kind)
            return result;
    return NULL;
}

const double *carom_method_result_values(const carom_method_result *result, const carom_state *state) {
    const double *values = carom_state_find_array(state, result->array);
    return values ? values + result->begin : NULL;
}
