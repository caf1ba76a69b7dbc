// SPDX-License-Identifier: MIT
// The catalogues of the library (integrators, analyses, elements, materials, meshes), in the order of `carom info`.
#ifndef CAROM_APP_FAMILIES_H
#define CAROM_APP_FAMILIES_H

#include "carom/param.h"

enum { CAROM_FAMILIES = 5 };

typedef struct carom_family {
    const char *plural; // "integrators"
    const carom_catalogue *catalogue;
} carom_family;

void carom_families(carom_family families[CAROM_FAMILIES]);

#endif
