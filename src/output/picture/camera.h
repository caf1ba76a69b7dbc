// SPDX-License-Identifier: MIT
// The camera of a picture. Positions are in units of the scene: relative to the centre of what is drawn, in units of its
// radius.
#ifndef CAROM_OUTPUT_PICTURE_CAMERA_H
#define CAROM_OUTPUT_PICTURE_CAMERA_H

#include <stdbool.h>

typedef struct carom_camera {
    double right[3], up[3], back[3]; // orthonormal; `back` leads from the scene to the eye
    double distance;                 // of the eye from the origin; 0: a parallel projection
    double scale;                    // pixels per unit at the origin
    double shift[2];                 // pixel of the origin, x to the right, y down
} carom_camera;

// Directed at the origin from an azimuth about `vertical` and an elevation above the plane across it, both in radians.
// Azimuth 0 is the view along -x for a vertical z.
carom_camera carom_camera_aim(const double vertical[3], double azimuth, double elevation, bool parallel);

// The pixel of a position, and a depth that is larger the nearer it is to the eye; all three are linear along lines.
void carom_camera_project(const carom_camera *camera, const double position[3], double pixel[3]);

// The ray through a pixel.
void carom_camera_ray(const carom_camera *camera, const double pixel[2], double from[3], double along[3]);

#endif
