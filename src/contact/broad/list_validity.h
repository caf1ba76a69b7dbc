// SPDX-License-Identifier: MIT
// The wear of a list of near pairs: how far the vertices of a surface have moved relative to each other
// since the list was made (docs/theory/broad_phase.md).
//
// Vertices that are far apart may move a lot before they touch, so only the motion relative to near
// vertices needs to be small. Vertices are sorted into the cells of a grid; those in the same or adjacent
// cells are near. Common motion does not count: the motion of a body is measured in a frame that translates
// and rotates with it.
#ifndef CAROM_CONTACT_BROAD_LIST_VALIDITY_H
#define CAROM_CONTACT_BROAD_LIST_VALIDITY_H

#include "base/sort.h"
#include "contact/broad/tree.h"

// Stands for all bodies: vertices are compared with those of other bodies.
enum { CAROM_WEAR_BETWEEN = -1 };

// Two bodies with near vertices, or one with itself.
typedef struct carom_wear_pair {
    int body[2];    // ascending
    int link_begin; // index of its first link
    double before;  // bound of the motion of near vertices before x was stored
    double motion;  // the same up to the last evaluation
} carom_wear_pair;

// Start from {0}. A group is the vertices of one body in one cell.
typedef struct carom_wear {
    const carom_surface *surface;
    int body;                // its vertices against each other, or CAROM_WEAR_BETWEEN
    int count;               // of vertices
    double cell;             // size of the cells: vertices that are not near were farther apart than this
    double side;             // the largest side of a face when the cells were made
    int group_count;         // 0: not started
    int *begin;              // per group: its vertices are those from begin[g] to before begin[g + 1]
    int *group_body;         // per group
    double (*box)[12];       // per group: the least and the largest displacements, now and at the end of the drift
    int *body_groups;        // per body: its groups; CAROM_WEAR_BETWEEN only
    double (*body_box)[12];  // per body: likewise, of all its groups
    double (*body_place)[6]; // per body: around its vertices when the cells were made
    int (*links)[2];         // near groups to be compared, sorted by pairs of bodies
    int pair_count;
    carom_wear_pair *pairs;     // in ascending order; one more to end the links
    double far_before;          // bound of the motion of any two vertices before x was stored
    int *nodes;                 // of the vertices, in the order of the groups
    double (*x)[3];             // their stored positions, relative to the centre of the body
    carom_coded *codes, *space; // of the vertices
    carom_coded *link_codes, *link_space;
    int64_t found_capacity, link_capacity, pair_capacity;
    int (*found)[2];              // links as they are found
    double turn[3][3], centre[3]; // the frame of a body: x goes to turn x + centre
} carom_wear;

// Bounds of the relative motion of two vertices: of near ones, of any.
typedef struct carom_wear_motion {
    double near, far;
} carom_wear_motion;

// The vertices of different bodies against each other; and those of each body that is wanted (NULL: all), one wear for each.
// The others keep an empty one, which never wears.
carom_status carom_wear_create_between(const carom_surface *surface, carom_wear *wear, carom_error *error);
carom_status carom_wear_create_within(const carom_surface *surface, const bool *wanted, carom_wear *wears, carom_error *error);
void carom_wear_release(carom_wear *wear);

// Starts measuring at the positions x, which must be finite. Faces whose vertices are not near are farther
// than `room` apart.
carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double room, carom_error *error);

// The motion up to now and up to the end of a drift at x + h w, also for each pair of bodies; in between it
// is not larger. Infinite if a position is not finite or if the measurement was not started. The same for
// any number of threads.
carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h);

// Continues measuring from the positions x without new cells; the motion so far is added as a bound.
void carom_wear_pause(carom_wear *wear, const double (*x)[3], const double (*w)[3]);

// Moves the frame of a body to the present position of its vertices, as well as a rigid motion can.
void carom_wear_fit_frame(carom_wear *wear, const double (*x)[3]);

// The mean position of some nodes.
void carom_wear_centre(const int *nodes, int count, const double (*x)[3], double centre[3]);
// The centre, and the rotation that leads a rigid copy after some nodes: the copy has them at x0, seen from its centre. The
// search for the rotation starts from `turn` and takes `turns` rounds. False if it finds none.
bool carom_wear_find_frame(const int *nodes, int count, const double (*x)[3], const double (*x0)[3], int turns,
                           double centre[3], double turn[3][3]);

// A bound of the difference of any two velocities that are compared, by boxes. Infinite if one is not
// finite.
double carom_wear_speed(const carom_wear *wear, const double (*w)[3]);

#endif
