// SPDX-License-Identifier: MIT
// The catalogues of integrators and of analyses.
#include "integrator/stepper.h"

static const carom_kind *const kinds[] = {
    &carom_integrator_newmark_dcr.kind,
    &carom_integrator_asynchronous.kind,
    &carom_integrator_multisymplectic.kind,
    &carom_integrator_energy_momentum.kind,
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
