// SPDX-License-Identifier: MIT
// Fixed planes of a scene, with the light that arrives on them around the bodies.
#ifndef CAROM_OUTPUT_PICTURE_FLOORS_H
#define CAROM_OUTPUT_PICTURE_FLOORS_H

#include <stdbool.h>

#include "output/picture/camera.h"

enum { CAROM_FLOOR_SIZE = 320 }; // cells of the map of light along a side
#define CAROM_FLOOR_HALF 3.2     // half a side of it, in units of the scene

typedef struct carom_floor {
    double point[3];              // below the centre of the scene
    double normal[3], x[3], y[3]; // orthonormal
    double offset[2];             // of `point` from a line of the grid, along x and y
    double grid;                  // distance of the lines; 0: none
    float (*light)[2];            // from the sky and from the lamp, row after row; the caller's to free
} carom_floor;

// A plane through a point, in units of the scene; its grid lines pass through `point`. Without memory `light` is NULL.
carom_floor carom_floor_create(const double point[3], const double normal[3], double grid);

// The position of a cell of the map.
void carom_floor_cell(const carom_floor *floor, int row, int column, double position[3]);

// The distance along a ray to the plane; negative if the ray does not meet it, or meets it from behind.
double carom_floor_meet(const carom_floor *floor, const double from[3], const double along[3]);

// The colour at a position of the plane, and its opacity there: it fades with the distance. `pixel` is the
// size of a pixel there, in units of the scene.
double carom_floor_colour(const carom_floor *floor, const double position[3], double pixel, double colour[3]);

// The same for a plane that is seen from its edge, as in a plane scene: a position behind it is in the ground.
double carom_floor_cut(const carom_floor *floor, const double position[3], double pixel, double colour[3]);
// True if a parallel projection shows only its edge.
bool carom_floor_is_cut(const carom_floor *floor, const carom_camera *camera);

#endif
