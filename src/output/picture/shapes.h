// SPDX-License-Identifier: MIT
// Shapes of a picture: triangles with a normal and a value at each corner, and lines on them.
#ifndef CAROM_OUTPUT_PICTURE_SHAPES_H
#define CAROM_OUTPUT_PICTURE_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

typedef struct carom_corner {
    double at[3], normal[3];
    double value;
    double sky, key; // fractions of the light of the sky and of the lamp that arrive here, 0 to 1
} carom_corner;

typedef struct carom_shape {
    carom_corner corners[3];
    bool sheet; // seen from both sides
    bool plain; // has no value
} carom_shape;

// A line on the surface, such as an edge of an element.
typedef struct carom_stroke {
    double from[3], to[3];
} carom_stroke;

typedef struct carom_shapes {
    int64_t count, capacity;
    carom_shape *shapes;
    int64_t stroke_count, stroke_capacity;
    carom_stroke *strokes;
} carom_shapes;

void carom_shapes_release(carom_shapes *shapes);

// Triangles of three nodes each, whose numbers begin at `node_begin`.
typedef struct carom_triangles {
    const int *nodes;
    int count, node_begin, node_count;
    bool sheet, plain; // as those of carom_shape
} carom_triangles;

// Adds triangles. Normals are smooth across edges that are nearly flat. Positions and values are those of all nodes.
carom_status carom_shapes_add_surface(carom_shapes *shapes, const carom_triangles *triangles, const double *positions,
                                      const double *values, carom_error *error);
// Adds a round bar between two points, with its ends closed.
carom_status carom_shapes_add_bar(carom_shapes *shapes, const double ends[2][3], double radius, const double values[2],
                                  bool plain, carom_error *error);
carom_status carom_shapes_add_ball(carom_shapes *shapes, const double centre[3], double radius, double value, bool plain,
                                   carom_error *error);
carom_status carom_shapes_add_stroke(carom_shapes *shapes, const double from[3], const double to[3], carom_error *error);

#endif
