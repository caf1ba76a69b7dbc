// SPDX-License-Identifier: MIT
// Draws shapes and planes into an image: the nearest surface at each of several samples of a pixel, shaded.
#ifndef CAROM_OUTPUT_PICTURE_RASTER_H
#define CAROM_OUTPUT_PICTURE_RASTER_H

#include "output/picture/colours.h"
#include "output/picture/floors.h"
#include "output/picture/image.h"
#include "output/picture/shapes.h"

typedef struct carom_raster_def {
    const carom_camera *camera;
    const carom_shapes *shapes;
    int floor_count;
    const carom_floor *floors;
    const carom_colours *colours;
    double vertical[3], lamp[3]; // directions to the zenith and to the lamp
    bool unlit;                  // colours as they are, for flat scenes
} carom_raster_def;

// Draws over the whole image.
carom_status carom_raster(const carom_raster_def *def, carom_image *image, carom_error *error);

#endif
