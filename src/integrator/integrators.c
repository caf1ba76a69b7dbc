// SPDX-License-Identifier: MIT
// The catalogue of integrators.
#include "integrator/stepper.h"

static const carom_kind *const kinds[] = {
    &carom_integrator_newmark_dcr.kind,
    &carom_integrator_asynchronous.kind,
    &carom_integrator_multisymplectic.kind,
};

const carom_catalogue *carom_integrators(void) {
    static const carom_catalogue catalogue = {"integrator", sizeof kinds / sizeof *kinds, kinds};
    return &catalogue;
}
