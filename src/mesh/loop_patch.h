// SPDX-License-Identifier: MIT
// The smooth surface over a triangle, and its derivatives, as combinations of the nodes around the triangle.
#ifndef CAROM_MESH_LOOP_PATCH_H
#define CAROM_MESH_LOOP_PATCH_H

#include "mesh/loop_rings.h"

enum {
    CAROM_LOOP_REGULAR = 12,   // nodes of a patch whose corners have six neighbours each
    CAROM_LOOP_ROWS = 6,       // value, derivatives 1, 2, 11, 22, 12
    CAROM_LOOP_POINTS_MAX = 3, // quadrature points
    CAROM_LOOP_NODES_MAX = 3 * (CAROM_LOOP_TRIANGLES_MAX + 2),
};

// The twelve functions of a regular patch at the barycentric point (1 - v - w, v, w), with their derivatives with respect to v
// and w: the quartic box spline. On an integer lattice the triangle is (0,0) (1,0) (0,1), and the nodes are, in this order,
// (0,0) (1,0) (0,1) (1,1) (-1,1) (1,-1) (-1,0) (0,-1) (2,-1) (2,0) (0,2) (-1,2).
void carom_loop_basis(double v, double w, double N[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR]);

// Quadrature points of a regular patch: one at its barycentre, or three, each near a corner. Their weights are 1/2 divided by
// their number.
void carom_loop_points(int count, double N[][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR]);

// Loop's weight of each neighbour of a node with n of them, in the limit of infinitely many subdivision steps.
double carom_loop_limit(int n);

// The patch of a triangle. With x_a the nodes, component i of row r at point q is
//     weight[q][r][i][a] x_a[i] summed over a, plus offset[q][r][i]
// in coordinates of the triangle, which may differ from point to point: the area element is correct, directions have no
// meaning. mass[q][a] are the weights of the value without mirror images, by which mass is distributed to nodes.
typedef struct carom_loop_patch {
    int node_count;
    int nodes[CAROM_LOOP_NODES_MAX]; // corners first
    bool regular;                    // twelve nodes in the order of carom_loop_basis; the next members are not set
    bool affine;                     // weights differ between components, or there are offsets
    double mass[CAROM_LOOP_POINTS_MAX][CAROM_LOOP_NODES_MAX];
    double weight[CAROM_LOOP_POINTS_MAX][CAROM_LOOP_ROWS][3][CAROM_LOOP_NODES_MAX];
    double offset[CAROM_LOOP_POINTS_MAX][CAROM_LOOP_ROWS][3];
} carom_loop_patch;

// Nodes and kind of a patch, without weights.
void carom_loop_patch_survey(const carom_loop_rings *rings, int face, carom_loop_patch *patch);
// The whole patch at 1 or 3 points. False if memory is short.
bool carom_loop_patch_create(const carom_loop_rings *rings, int face, int point_count, carom_loop_patch *patch);

#endif
