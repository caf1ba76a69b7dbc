// SPDX-License-Identifier: MIT
// Detects surfaces that pass through each other in a step so far that a method without continuous
// collision detection would miss the contact.
#ifndef CAROM_CONTACT_QUADRATURE_TUNNELLING_H
#define CAROM_CONTACT_QUADRATURE_TUNNELLING_H

#include "contact/broad/tree.h"

// Searches for nodes and edges of two bodies, not excluded and not both immovable, that meet on their
// straight paths from x0 to x1, then move on along their common normal by more than `reach`, and are not
// found within reach behind a face of the other body at x1 (unless they were farther behind it at x0).
// *depth receives how far they move on, 0 if there are none, and bodies[] the two bodies of the largest
// depth. The order of the tree may change. `immovable`, per body, may be NULL. The cost is negligible if no
// two nodes move by more than `reach` relative to each other.
carom_status carom_surface_tunnelling(carom_tree *tree, const carom_exclusions *exclusions, const bool *immovable,
                                      const double (*x0)[3], const double (*x1)[3], double reach, double *depth, int bodies[2],
                                      carom_error *error);

#endif
