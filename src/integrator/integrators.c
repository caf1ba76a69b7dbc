// SPDX-License-Identifier: MIT
// The catalogues of integrators and of analyses.
#include <math.h>

#include "integrator/stepper.h"

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
