// SPDX-License-Identifier: MIT
// Laws of rubber (rubber_body.h): layers without stress across them, and the tables of the laws of the first invariant.
#include <math.h>

#include "material/principal_sheet.h"
#include "material/rubber/rubber_table.h"

// with the tables of their laws
#include "material/rubber/rubber_body.h"
#include "math/functions.h"

enum { ITERATIONS = 60 }; // limit of Newton's method for tau_33 = 0; a few suffice

double carom_rubber_layer(const carom_rubber *rubber, const carom_sheet_axes *axes, const carom_sheet_side *side,
                          carom_principal *law) {
    // initial value: constant volume, since rubber is nearly incompressible
    double e[3] = {axes->strain[0], axes->strain[1], -axes->strain[0] - axes->strain[1]}, energy = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        energy = carom_rubber_principal(rubber, e, law);
        if (!(energy < HUGE_VAL))
            return HUGE_VAL;
        double stress = law->stress[2] + (side ? side->stress + side->slope * e[2] : 0);
        double slope = law->slope[2][2] + (side ? side->slope : 0), step = fmin(fmax(-stress / slope, -0.5), 0.5);
        if (!(slope > 0) || isnan(step))
            return HUGE_VAL;
        // the additional stress may be large, so that rounding alone would exceed the tighter tolerance
        if (fabs(step) < (side ? 4e-16 * (1 + fabs(e[2])) : 1e-16))
            break;
        e[2] += step;
    }
    return energy;
}

double carom_rubber_sheet(const carom_rubber *rubber, const double metric[3], const double strain[3], double stress[3],
                          double tangent[3][3], double *thinning) {
    carom_sheet_axes axes;
    carom_principal law;
    if (!carom_sheet_axes_of(metric, strain, NULL, &axes))
        return HUGE_VAL;
    double energy = carom_rubber_layer(rubber, &axes, NULL, &law);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    carom_sheet_response(&axes, &law, stress, tangent);
    if (thinning)
        *thinning = carom_exp(law.strain[2]);
    return energy;
}
