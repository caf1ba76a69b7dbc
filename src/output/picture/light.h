// SPDX-License-Identifier: MIT
// Illumination of surfaces by a uniform sky and by an extended lamp. Shadows are soft for that reason, and sharp only near the
// body that casts them.
#ifndef CAROM_OUTPUT_PICTURE_LIGHT_H
#define CAROM_OUTPUT_PICTURE_LIGHT_H

#include "output/picture/floors.h"
#include "output/picture/shapes.h"

// Fills `sky` and `key` of all corners and the light on all planes. The scene has about radius 1; `vertical` leads to
// the zenith, `lamp` to the lamp, both of length 1. Normals of sheets must point to the visible side.
carom_status carom_light(carom_shapes *shapes, carom_floor *floors, int floor_count, const double vertical[3],
                         const double lamp[3], carom_error *error);

#endif
