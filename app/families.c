// SPDX-License-Identifier: MIT
// The list of the catalogues of the library.
#include "app/families.h"

#include "carom/integrator.h"

void carom_families(carom_family families[CAROM_FAMILIES]) {
    families[0] = (carom_family){"integrators", carom_integrators()};
    families[1] = (carom_family){"analyses", carom_analyses()};
    families[2] = (carom_family){"elements", carom_elements()};
    families[3] = (carom_family){"materials", carom_materials()};
    families[4] = (carom_family){"meshes", carom_generators()};
}
