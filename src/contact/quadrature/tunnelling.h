// SPDX-License-Identifier: MIT
// Surfaces that pass each other in a step by more than a method without continuous collision detection can see.
#ifndef CAROM_CONTACT_QUADRATURE_TUNNELLING_H
#define CAROM_CONTACT_QUADRATURE_TUNNELLING_H

#include "contact/broad/tree.h"

// Looks for nodes and edges of two bodies, not excluded and not both held, that meet on their straight ways from x0 to
// x1, then go on along their normal by more than `reach`, and are not found within reach behind a face of the other body at x1 that they were not farther behind at x0. *depth is how far they go, 0
// if there are none, and bodies[] are those of the two that go farthest. The order of the tree may change. `held`, per body, may be NULL. Costs
// nothing to speak of where no two nodes move by more than `reach` against each other.
carom_status carom_surface_tunnelling(carom_tree *tree, const carom_exclusions *exclusions, const bool *held,
                                      const double (*x0)[3], const double (*x1)[3], double reach, double *depth, int bodies[2],
                                      carom_error *error);

#endif
