// SPDX-License-Identifier: MIT
// The catalogues of integrators and of analyses, and queries about their entries.
#include <math.h>
#include <stdlib.h>

#include "base/catalogue.h"
#include "integrator/stepper.h"
#include "model/state.h"

#define KINDS                                                                                                        \
    &carom_integrator_newmark_dcr.kind, &carom_integrator_asynchronous.kind, &carom_integrator_multisymplectic.kind, \
        &carom_integrator_energy_momentum.kind, &carom_integrator_nonsmooth_newmark.kind

static const carom_kind *kinds[CAROM_CATALOGUE_MAX] = {KINDS};
static carom_catalogue catalogue = {"integrator", sizeof((const carom_kind *[]){KINDS}) / sizeof *kinds, kinds};

const carom_catalogue *carom_integrators(void) {
    return &catalogue;
}

carom_status carom_integrator_check(const carom_integrator *integrator, carom_error *error) {
    if (!integrator->accepts || !integrator->setup || !integrator->step || !integrator->release)
        return carom_fail(error, CAROM_BAD_INPUT, "an integrator needs accepts, setup, step and release");
    return CAROM_OK;
}

carom_status carom_register_integrator(const carom_integrator *integrator, carom_error *error) {
    carom_status status = carom_integrator_check(integrator, error);
    return status ? status : carom_catalogue_add(&catalogue, kinds, &integrator->kind, error);
}

const carom_catalogue *carom_analyses(void) {
    static const carom_kind *const analyses[] = {&carom_analysis_static.kind};
    static const carom_catalogue all = {"analysis", sizeof analyses / sizeof *analyses, analyses};
    return &all;
}

carom_status carom_integrator_available(carom_pick integrator, carom_error *error) {
    const carom_integrator *method = (const carom_integrator *)integrator.kind;
    void *params = NULL;
    if (!method->available)
        return CAROM_OK;
    carom_status status = carom_pick_copy(&integrator, &params, error);
    if (!status)
        status = method->available(params, error);
    free(params);
    return status;
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
