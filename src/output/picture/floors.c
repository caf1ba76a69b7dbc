// SPDX-License-Identifier: MIT
// Contact planes in a picture: their intersection with rays, and the shading of their grid and shadows.
#include "output/picture/floors.h"

#include <math.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SIZE = CAROM_FLOOR_SIZE };

// Colour of the material, and the parts of its light from the sky and from the lamp.
static const double paint[3] = {0.78, 0.79, 0.81};
static const double from_sky = 0.62, from_lamp = 0.38;
// Darkness of grid lines, and their width in pixels.
static const double line_shade = 0.12, line_width = 1.3;
// Distances in units of the scene at which the plane begins to fade and has vanished.
static const double fade_begin = 1.1, fade_end = 3.6;
// Depth to which a plane seen from its edge is drawn.
static const double cut_depth = 0.5;

carom_floor carom_floor_create(const double point[3], const double normal[3], double grid) {
    carom_floor floor = {.grid = grid};
    carom_copy(normal, floor.normal);
    carom_normalize(floor.normal);
    int k = fabs(floor.normal[0]) < 0.9 ? 0 : 1;
    for (int i = 0; i < 3; i++)
        floor.x[i] = (i == k) - floor.normal[k] * floor.normal[i];
    carom_normalize(floor.x);
    carom_cross(floor.normal, floor.x, floor.y);
    // the foot of the centre of the scene, which is the origin
    carom_add_scaled(carom_dot(point, floor.normal), floor.normal, floor.point);
    double back[3];
    carom_difference(floor.point, point, back);
    floor.offset[0] = carom_dot(back, floor.x);
    floor.offset[1] = carom_dot(back, floor.y);
    floor.light = carom_allocate((int64_t)SIZE * SIZE, sizeof *floor.light);
    return floor;
}

void carom_floor_cell(const carom_floor *floor, int row, int column, double position[3]) {
    carom_copy(floor->point, position);
    carom_add_scaled(((column + 0.5) / SIZE * 2 - 1) * CAROM_FLOOR_HALF, floor->x, position);
    carom_add_scaled(((row + 0.5) / SIZE * 2 - 1) * CAROM_FLOOR_HALF, floor->y, position);
}

double carom_floor_meet(const carom_floor *floor, const double from[3], const double along[3]) {
    double down = carom_dot(along, floor->normal), to[3];
    carom_difference(floor->point, from, to);
    return down < 0 ? carom_dot(to, floor->normal) / down : -1;
}

// The light at a position, interpolated between the cells of the map; outside of the map there are no shadows.
static void light_at(const carom_floor *floor, double x, double y, double light[2]) {
    double u = (x / CAROM_FLOOR_HALF + 1) * 0.5 * SIZE - 0.5, v = (y / CAROM_FLOOR_HALF + 1) * 0.5 * SIZE - 0.5;
    light[0] = light[1] = 1;
    if (!(u >= 0 && v >= 0 && u < SIZE - 1 && v < SIZE - 1))
        return;
    int column = (int)u, row = (int)v;
    for (int i = 0; i < 2; i++) {
        const float(*at)[2] = (const float(*)[2]) & floor->light[row * SIZE + column];
        double below = at[0][i] + (u - column) * ((double)at[1][i] - at[0][i]),
               above = at[SIZE][i] + (u - column) * ((double)at[SIZE + 1][i] - at[SIZE][i]);
        light[i] = below + (v - row) * (above - below);
    }
}

// The share of a pixel that a line of the grid covers.
static double line_share(double place, double grid, double pixel) {
    double distance = fabs(place - grid * round(place / grid));
    return fmin(fmax(0.5 + 0.5 * line_width - distance / pixel, 0), 1);
}

double carom_floor_colour(const carom_floor *floor, const double position[3], double pixel, double colour[3]) {
    double to[3], light[2];
    carom_difference(position, floor->point, to);
    double x = carom_dot(to, floor->x), y = carom_dot(to, floor->y);
    light_at(floor, x, y, light);
    double shade = from_sky * light[0] + from_lamp * light[1];
    if (floor->grid > 0)
        shade *= 1 - line_shade * fmax(line_share(x + floor->offset[0], floor->grid, pixel),
                                       line_share(y + floor->offset[1], floor->grid, pixel));
    for (int i = 0; i < 3; i++)
        colour[i] = shade * paint[i];
    double t = (carom_norm(to) - fade_begin) / (fade_end - fade_begin);
    t = fmin(fmax(t, 0), 1);
    return 1 - t * t * (3 - 2 * t);
}

bool carom_floor_is_cut(const carom_floor *floor, const carom_camera *camera) {
    return camera->distance == 0 && fabs(carom_dot(floor->normal, camera->back)) < 1e-9;
}

double carom_floor_cut(const carom_floor *floor, const double position[3], double pixel, double colour[3]) {
    double to[3];
    carom_difference(floor->point, position, to);
    double depth = carom_dot(to, floor->normal);
    bool edge = depth < 2 * line_width * pixel;
    for (int i = 0; i < 3; i++)
        colour[i] = edge ? 0.3 * paint[i] : 0.6 * paint[i];
    return depth < 0 ? 0 : edge ? 1 : fmax(0, 1 - depth / cut_depth);
}
