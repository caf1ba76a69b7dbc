// SPDX-License-Identifier: MIT
// How far the vertices of a surface have moved against each other since a list was made (docs/theory/broad_phase.md).
//
// Vertices that were far apart may move much before they touch, so that only motion against near vertices need be small. Vertices
// are put into the cells of a grid; near are those in the same or in adjacent cells. What moves together wears nothing: the motion of
// one body is seen from a frame that flies and turns with it.
#ifndef CAROM_CONTACT_BROAD_WEAR_H
#define CAROM_CONTACT_BROAD_WEAR_H

#include "base/sort.h"
#include "contact/broad/tree.h"

// All bodies: vertices count against those of other bodies.
enum { CAROM_WEAR_BETWEEN = -1 };

// Two bodies with near vertices, or one with itself.
typedef struct carom_wear_pair {
    int body[2];    // ascending
    int link_begin; // its links begin there
    double before;  // motion of near vertices before x was taken, at most
    double motion;  // the same up to the last look
} carom_wear_pair;

// Start from {0}. A group is the vertices of one body in one cell.
typedef struct carom_wear {
    const carom_surface *surface;
    int body;          // its vertices against each other, or CAROM_WEAR_BETWEEN
    int count;         // of vertices
    double cell;       // size of the cells: vertices that are not near were farther apart than this
    double side;       // the largest side of a face when the cells were made
    int group_count;   // 0: not started
    int *begin;        // per group: its vertices are those from begin[g] to before begin[g + 1]
    int *group_body;   // per group
    double (*box)[12]; // per group: the least and the largest displacements, now and at the end of the drift
    int link_count;
    int (*links)[2]; // near groups that count, by the pairs of their bodies
    int pair_count;
    carom_wear_pair *pairs;     // in ascending order; one more to end the links
    double far_before;          // motion of any vertices before x was taken, at most
    int *nodes;                 // of the vertices, in the order of the groups
    double (*x)[3];             // where they were; from the centre of the body
    carom_coded *codes, *space; // of the vertices
    carom_coded *link_codes, *link_space;
    int64_t found_capacity, link_capacity, pair_capacity;
    int (*found)[2];              // links as they are found
    double turn[3][3], centre[3]; // the frame of a body: x goes to turn x + centre
} carom_wear;

// The largest motion of two vertices against each other: of near ones, of any.
typedef struct carom_wear_motion {
    double near, far;
} carom_wear_motion;

carom_status carom_wear_create(const carom_surface *surface, int body, carom_wear *wear, carom_error *error);
void carom_wear_release(carom_wear *wear);

// Counts from the positions x on, which must be finite. Faces with vertices that are not near are farther than `room` apart.
carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double room, carom_error *error);

// The motion up to now and up to the end of a drift, at x + h w, also that of each pair of bodies; between the two it is not larger. Infinite if a position is not
// finite or if the wear was not started. The same for any number of threads.
carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h);

// Counts from the positions x on without making new cells: what has been up to now is kept as the motion before.
void carom_wear_pause(carom_wear *wear, const double (*x)[3], const double (*w)[3]);

// Moves the frame of a body to where its vertices are now, as well as a rigid motion can.
void carom_wear_follow(carom_wear *wear, const double (*x)[3]);

// The largest difference of two velocities that count, at most: a bound by boxes. Infinite if one is not finite.
double carom_wear_speed(const carom_wear *wear, const double (*w)[3]);

#endif
