// SPDX-License-Identifier: MIT
// The wear of a list of near pairs: how far the vertices of a surface have moved relative to each other
// since the list was made (docs/theory/broad_phase.md).
//
// Distant vertices may move a lot before they touch, so only the motion relative to near vertices needs to
// be small. Vertices are sorted into the cells of a grid; those in the same or adjacent
// cells are near. Common motion does not count: the motion of a body is measured in a frame that translates
// and rotates with it.
#ifndef CAROM_CONTACT_BROAD_LIST_VALIDITY_H
#define CAROM_CONTACT_BROAD_LIST_VALIDITY_H

#include "base/sort.h"
#include "contact/broad/tree.h"

// The `body` of a wear that compares vertices of different bodies.
enum { CAROM_WEAR_BETWEEN = -1 };

// Two bodies with near vertices, or one with itself.
typedef struct carom_wear_pair {
    int body[2];    // ascending
    int link_begin; // index of its first link
    double before;  // bound of the motion of near vertices before x was stored
    double motion;  // bound of that motion up to the last evaluation
} carom_wear_pair;

// Start from {0}. A group is the vertices of one body in one cell.
typedef struct carom_wear {
    const carom_surface *surface;
    int body;                // the body whose vertices are compared, or CAROM_WEAR_BETWEEN
    int count;               // number of vertices
    double cell;             // size of the cells: vertices that are not near had a larger distance than this
    double side;             // the largest side of a face when the cells were made
    int group_count;         // 0: not started
    int *begin;              // per group: its vertices are those from begin[g] to before begin[g + 1]
    int *group_body;         // per group
    double (*box)[12];       // per group: the least and the largest displacements, now and at the end of the drift
    int *body_groups;        // per body: its groups; CAROM_WEAR_BETWEEN only
    double (*body_box)[12];  // per body: the same for all its groups
    double (*body_place)[6]; // per body: box around its vertices when the cells were made
    int (*links)[2];         // near groups to be compared, sorted by pairs of bodies
    int pair_count;
    carom_wear_pair *pairs;     // in ascending order; a last entry marks the end of the links
    double far_before;          // bound of the motion of any two vertices before x was stored
    int *nodes;                 // nodes of the vertices, in the order of the groups
    double (*x)[3];             // stored positions of the vertices, relative to the centre of the body
    carom_coded *codes, *space; // codes of the vertices, and scratch to sort them
    carom_coded *link_codes, *link_space;
    int64_t found_capacity, link_capacity, pair_capacity;
    int (*found)[2];              // links before sorting
    double turn[3][3], centre[3]; // the frame of a body: x -> turn x + centre
} carom_wear;

// Bounds of the relative motion of two near vertices, and of any two.
typedef struct carom_wear_motion {
    double near, far;
} carom_wear_motion;

// Creates the wear of vertices of different bodies; and one wear per body for the vertices of each `wanted` body (NULL: all).
// The wears of other bodies stay empty: their motion is zero.
carom_status carom_wear_create_between(const carom_surface *surface, carom_wear *wear, carom_error *error);
carom_status carom_wear_create_within(const carom_surface *surface, const bool *wanted, carom_wear *wears, carom_error *error);
void carom_wear_release(carom_wear *wear);

// Starts measuring at the positions x, which must be finite. Faces whose vertices are not near have a larger distance
// than `far`.
carom_status carom_wear_start(carom_wear *wear, const double (*x)[3], double far, carom_error *error);

// A bound of the motion up to now (x) and up to the end of a drift (x + h w), also for each pair of bodies. Infinite if a
// position is not finite or if the measurement was not started. Independent of the number of threads.
carom_wear_motion carom_wear_of(carom_wear *wear, const double (*x)[3], const double (*w)[3], double h);

// Continues measuring from the positions x with the same cells; the bound of the motion so far is added to later ones.
void carom_wear_pause(carom_wear *wear, const double (*x)[3], const double (*w)[3]);

// Fits the frame of a body to the present positions of its vertices.
void carom_wear_fit_frame(carom_wear *wear, const double (*x)[3]);

// The mean position of some nodes.
void carom_wear_centre(const int *nodes, int count, const double (*x)[3], double centre[3]);
// The rigid motion x0 -> turn x0 + centre closest to the positions x of some nodes, where x0 is relative to their centre. The
// iteration for the rotation starts from `turn` and makes `turns` rounds. False if it finds none.
bool carom_wear_find_frame(const int *nodes, int count, const double (*x)[3], const double (*x0)[3], int turns,
                           double centre[3], double turn[3][3]);

// A bound of the difference of any two velocities of compared vertices, by boxes. Infinite if one is not finite.
double carom_wear_speed(const carom_wear *wear, const double (*w)[3]);

#endif
