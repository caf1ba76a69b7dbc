// SPDX-License-Identifier: MIT
// Interior nodes of solids and contact planes. As long as no element is inverted, the surface of a body keeps its interior
// nodes in front of a plane, so they are no contact candidates. In an impact above the wave speed they can pass through their
// own surface, and then through the plane.
#ifndef CAROM_MODEL_INTERIOR_NODES_H
#define CAROM_MODEL_INTERIOR_NODES_H

#include "model/model.h"

// Start from {0}.
typedef struct carom_interior_behind {
    double depth; // behind the plane; 0: no interior node is behind any plane
    int node, body, plane;
    double surface; // depth of the surface of that body behind that plane; negative in front of it
} carom_interior_behind;

// True if there are planes and bodies with interior nodes.
bool carom_model_has_interior(const carom_model *model);

// Finds the interior node that is deepest behind a plane that its body can touch.
carom_interior_behind carom_model_interior_behind(const carom_model *model, const double (*x)[3]);

#endif
