// SPDX-License-Identifier: MIT
// Nodes inside solids and the planes of contact. The surface of a body keeps such nodes away from planes, as long as its
// elements are not inside out, so that they are no candidates of contact. In an impact above the wave speed they can pass their
// own surface, and with it the plane.
#ifndef CAROM_MODEL_INTERIOR_NODES_H
#define CAROM_MODEL_INTERIOR_NODES_H

#include "model/model.h"

// Start from {0}.
typedef struct carom_core_behind {
    double depth; // behind the plane; 0: no inner node is behind any
    int node, body, plane;
    double surface; // depth of the surface of that body behind that plane; negative in front of it
} carom_core_behind;

// True if there are planes and bodies with inner nodes.
bool carom_model_has_core(const carom_model *model);

// The inner node that is deepest behind a plane that its body can touch.
carom_core_behind carom_model_core_behind(const carom_model *model, const double (*x)[3]);

#endif
