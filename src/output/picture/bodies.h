// SPDX-License-Identifier: MIT
// The bodies of a frame as shapes, in units of the scene.
#ifndef CAROM_OUTPUT_PICTURE_BODIES_H
#define CAROM_OUTPUT_PICTURE_BODIES_H

#include "carom/picture.h"
#include "output/back/frame_reader.h"
#include "output/picture/shapes.h"

// From positions of the model to units of the scene: (x - centre) / radius.
typedef struct carom_framing {
    double centre[3], radius;
} carom_framing;

// Extends a box (lower and upper corner) by all nodes with their thickness.
void carom_bodies_extend(const carom_cell_surface *surface, const double *positions, const carom_picture_def *def,
                         double box[2][3]);
// The framing of the content of a box; and a position in units of the scene.
carom_framing carom_framing_of(const double box[2][3]);
void carom_framing_apply(const carom_framing *framing, const double position[3], double placed[3]);

// Adds all bodies of a frame reader that has read a frame: positions are those of the model, three numbers for each node.
carom_status carom_bodies_add(carom_shapes *shapes, const carom_frame_reader *reader, int field, const carom_framing *framing,
                              const double *positions, const double *values, const carom_picture_def *def, carom_error *error);

// The number of the body of a node.
int carom_bodies_find(const carom_cell_surface *surface, int node);
// Slightly more than the distance of the surface of a bar or a ball from its nodes, in units of the scene; 0 for others.
double carom_bodies_lift(const carom_cell_surface *surface, int node, const carom_framing *framing,
                         const carom_picture_def *def);

#endif
