// SPDX-License-Identifier: MIT
// The rings of nodes around the corners of triangles, closed beyond open edges, for Loop's subdivision scheme.
//
// At an open edge the surface is continued by ghost points, which are affine combinations of nodes (docs/theory/loop_shell.md).
#ifndef CAROM_MESH_LOOP_RINGS_H
#define CAROM_MESH_LOOP_RINGS_H

#include "carom/mesh.h"

enum {
    CAROM_LOOP_TRIANGLES_MAX = 64, // around a node
    CAROM_LOOP_VALENCE_MAX = 520,  // points in a ring: those of 64 triangles and of their seven images, and ghosts
    CAROM_LOOP_TERMS = 3,          // nodes in the combination of a point, at most
};

// The treatment of open edges. All those not named here are free: the surface continues without bending across the edge.
typedef struct carom_loop_ends {
    bool mirrored[3];    // edges in the plane across axis i are mirrored there
    double plane[3];     // its coordinate
    const bool *clamped; // per node: edges between two of them do not turn; NULL: none
} carom_loop_ends;

// A point of a ring: component i is offset[i] + sum of weight[t] s x[node[t]][i], where s is -1 if bit i of mirror[t] is set
// and 1 otherwise.
typedef struct carom_loop_point {
    int count;
    int node[CAROM_LOOP_TERMS];
    double weight[CAROM_LOOP_TERMS];
    unsigned char mirror[CAROM_LOOP_TERMS];
    double offset[3];
} carom_loop_point;

// The triangles of a mesh and their neighbours. Start from {0}.
typedef struct carom_loop_rings {
    const carom_mesh *mesh; // borrowed
    carom_loop_ends ends;
    int face_count;
    int (*faces)[3];      // nodes of all cells, through all blocks
    int (*across)[3];     // the neighbour beyond side i, from corner i to the next: 3 * face + side of the neighbour, or an end
    unsigned char *plane; // per node: bit i is set if one of its edges is mirrored across axis i
} carom_loop_rings;

// Refuses a mesh that is not a consistently oriented surface of triangles: an edge with more than two triangles or with two
// that run along it in the same direction, a triangle with a repeated node, a node at which several parts of the surface touch,
// or one with too many triangles. The message names nodes by their numbers in the file.
carom_status carom_loop_rings_create(carom_loop_rings *rings, const carom_mesh *mesh, const carom_loop_ends *ends,
                                     carom_error *error);
void carom_loop_rings_release(carom_loop_rings *rings);

// The ring around a corner of a triangle, counter-clockwise, beginning at the next corner. Returns its length, at most
// CAROM_LOOP_VALENCE_MAX.
int carom_loop_ring(const carom_loop_rings *rings, int face, int corner, carom_loop_point *ring);

// The node itself as a point.
carom_loop_point carom_loop_node(int node);
// True if the point is a node and nothing else.
static inline bool carom_loop_is_node(const carom_loop_point *point) {
    return point->count == 1 && point->weight[0] == 1 && point->mirror[0] == 0 && point->offset[0] == 0 &&
           point->offset[1] == 0 && point->offset[2] == 0;
}

#endif
