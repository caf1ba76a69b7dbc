// SPDX-License-Identifier: MIT
// Principal values and directions of a trial strain: those of the trial state if it has them (large strains), else by an
// eigenvalue solution.
#include "material/trial.h"

#include <string.h>

#include "material/trial_body.h"
#include "math/sym3.h"

void carom_trial_principal(const carom_shape *shape, const carom_trial *trial, carom_principal *law) {
    law->inverse = shape->inverse;
    if (trial->large) {
        memcpy(law->axes, trial->axes, sizeof law->axes);
        memcpy(law->strain, trial->values, sizeof law->strain);
    } else {
        carom_sym3_eigen(trial->e, law->strain, law->axes);
    }
}
