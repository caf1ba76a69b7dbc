// SPDX-License-Identifier: MIT
// Meshes: nodes, cells, named sets of nodes. A mesh is geometry only; it becomes a body with an element and a material.
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_cell_type {
    CAROM_CELL_POINT,
    CAROM_CELL_LINE2,
} carom_cell_type;

// Nodes per cell.
CAROM_API int carom_cell_size(carom_cell_type type);

// A run of cells of one type.
typedef struct carom_cell_block {
    carom_cell_type type;
    int count;
    int *nodes; // count * carom_cell_size(type) node indices
} carom_cell_block;

typedef struct carom_node_set {
    char name[CAROM_NAME_MAX];
    int count;
    int *nodes; // ascending, no repetition
} carom_node_set;

// Owns its arrays. Nodes are numbered from 0.
typedef struct carom_mesh {
    int node_count;
    double (*nodes)[3];
    double (*frames)[3][3];  // a rotation per node, for elements that have frames; NULL: the element chooses
    double (*velocities)[3]; // initial velocities of the nodes, added to those of the body; NULL: none
    double (*spins)[3];      // initial angular velocities of the frames, in their own axes, likewise
    int block_count;
    carom_cell_block *blocks;
    int set_count;
    carom_node_set *sets;
} carom_mesh;

CAROM_API void carom_mesh_release(carom_mesh *mesh);

// The set of that name, or NULL.
CAROM_API const carom_node_set *carom_mesh_set(const carom_mesh *mesh, const char *name);

// A generator makes a mesh from parameters.
typedef struct carom_generator {
    carom_kind kind;
    // Fills an empty mesh. `params` has been checked against the table.
    carom_status (*generate)(const void *params, carom_mesh *mesh, carom_error *error);
} carom_generator;

// All generators: "curve", "line", "point".
CAROM_API const carom_catalogue *carom_generators(void);

// Generates the mesh of a pick from carom_generators().
CAROM_API carom_status carom_mesh_generate(carom_pick generator, carom_mesh *mesh, carom_error *error);

// `line`: a straight row of equal two-node cells. Sets: start, end.
typedef struct carom_line_params {
    double from[3], to[3]; // length; the end points
    int elements;          // number of cells
} carom_line_params;

// `curve`: a row of two-node cells with frames, each a helical arc: frame a + 1 is frame a moved by the Cayley map of
// ds (curvature, strain + e3). If `over` is not zero the curve moves to a second shape within that time, and the nodes start with
// the velocities that lead there. Sets: start, end.
typedef struct carom_curve_params {
    double start[3];     // length; the first node
    double turn[3];      // rotation vector of the first frame
    double length;       // length; measured along the curve without strain
    int elements;        // number of cells
    double curvature[3]; // 1 / length; bending about the first two axes, twist about the third
    double strain[3];    // pure number; shear, shear, stretch
    double over;         // time
    double next_start[3], next_turn[3], next_curvature[3], next_strain[3]; // the second shape
} carom_curve_params;

// `point`: one node, one point cell. Set: point.
typedef struct carom_point_params {
    double at[3]; // length
} carom_point_params;

#ifdef __cplusplus
}
#endif
#endif
