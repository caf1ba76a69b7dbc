// SPDX-License-Identifier: MIT
// How far the vertices of a surface have moved against each other since a list was made (docs/theory/broad_phase.md).
//
// Vertices that were far apart may move much before they touch, so that only motion against near vertices need be small. Vertices
// are put into the cells of a grid; near are those in the same or in adjacent cells. What moves together wears nothing.
#ifndef CAROM_CONTACT_BROAD_WEAR_H
#define CAROM_CONTACT_BROAD_WEAR_H

#include "contact/broad_sort.h"
#include "contact/surface.h"

// Start from {0}. A group is the vertices of one body in one cell.
typedef struct carom_wear {
    const carom_surface *surface;
    bool between;                 // vertices of different bodies count; false: those of the same body
    double cell;                  // size of the cells: vertices that are not near were farther apart than this
    double side;                  // the largest side of a face when the list was made
    int group_count;              // 0: not started
    int *begin;                   // per group: its vertices are those from begin[g] to before begin[g + 1]
    int *body;                    // per group
    double (*low)[3], (*high)[3]; // per group: displacements
    int *link_begin;              // per group: the near ones of no smaller number
    int *links;
    int64_t link_capacity;
    int *nodes;                 // of the vertices, in the order of the groups
    double (*x)[3];             // where they were
    carom_coded *codes, *space; // of the vertices
    double (*body_low)[3], (*body_high)[3];
} carom_wear;

// The largest motion of two vertices against each other: of near ones, of any.
typedef struct carom_wear_motion {
    double near, far;
} carom_wear_motion;

carom_status carom_wear_create(const carom_surface *surface, bool between, carom_wear *wear, carom_error *error);
void carom_wear_release(carom_wear *wear);

// Counts from the positions x on, which must be finite. Faces with vertices that are not near are farther than `room` apart.
carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double room, carom_error *error);

// The motion up to now and up to the end of a drift, at x + h w; between the two it is not larger. Infinite if a position is not
// finite or if the wear was not started. The same for any number of threads.
carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h);

// The largest difference of two velocities that count, at most: a bound by boxes. Infinite if one is not finite.
double carom_wear_speed(carom_wear *wear, const double (*w)[3]);

#endif
