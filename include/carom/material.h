// SPDX-License-Identifier: MIT
// Materials: pointwise laws. A law maps a strain at a point to energy density, stress and tangent; it knows nothing of elements.
#ifndef CAROM_MATERIAL_H
#define CAROM_MATERIAL_H

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Response to one strain component under uniaxial stress (bars): W(e), S = dW/de, C = dS/de.
typedef struct carom_uniaxial {
    double energy;  // per reference volume
    double stress;  // work-conjugate to the strain that was given
    double tangent; // modulus
} carom_uniaxial;

typedef struct carom_material {
    carom_kind kind;
    double (*density)(const void *params);                         // mass per reference volume
    carom_uniaxial (*uniaxial)(const void *params, double strain); // NULL if the law has no uniaxial form
    double (*shear)(const void *params);                           // modulus G without strain; NULL if the law has none
} carom_material;

// All materials: "linear".
CAROM_API const carom_catalogue *carom_materials(void);

// `linear`: isotropic, stress proportional to strain.
typedef struct carom_linear_params {
    double young;   // force / area
    double poisson; // pure number
    double density; // mass / volume
} carom_linear_params;

#ifdef __cplusplus
}
#endif
#endif
