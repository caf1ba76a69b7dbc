// SPDX-License-Identifier: MIT
// The surface that takes part in contact: faces, their edges and their nodes, each known once.
//
// Topology only; positions are given where they are needed. In space the faces are triangles (quadrilaterals come split in two,
// and their diagonals count as edges: once the quadrilateral warps they are). In the plane the faces are segments and have no
// edges.
//
// Bodies without faces, the bars, beams and point masses, take part with their lines and points. These are kept as faces with
// repeated nodes, behind all others: the search finds them by the same boxes. A point meets faces; in space a line has two
// nodes that meet faces and an edge that meets edges of faces; in the plane a line is a segment like any other. Lines and
// points do not meet each other here (contact/end_points.h).
#ifndef CAROM_CONTACT_SURFACE_H
#define CAROM_CONTACT_SURFACE_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"

// Definition of a surface: the boundary of all bodies. The arrays are read only while it is built.
typedef struct carom_surface_def {
    int corners;    // 3: triangles in space; 2: segments in the x-y plane
    int node_count; // of the model; only those of faces take part
    int body_count; // tags are 0 to body_count - 1
    int face_count;
    const int *nodes; // [face_count][corners]
    const int *body;  // [face_count] tag of each face
    int thin_count;   // lines and points of bodies that have no faces
    const int (*thin)[2];
    const int *thin_body; // [thin_count]
} carom_surface_def;

// The owner of a node or an edge is the first face that has it. A search that looks only at what its two faces own meets each
// pair of nodes, edges and faces once.
typedef struct carom_surface {
    int corners;
    int node_count;
    int body_count;
    int face_count;       // with lines and points
    int full_count;       // the faces before this one are triangles or segments, the others lines and points of thin bodies
    int (*faces)[3];      // nodes of each face; the last one of a segment or a line is given twice, a point three times
    int *body;            // tag of each face
    int *source;          // number of each face in the list that the surface was built of
    unsigned char *owned; // per face: bit i: it owns its corner i; bit 3 + i: it owns its side i, from corner i to the next
    int (*face_edges)[3]; // per face: its sides as edges
    int vertex_count;
    int *vertices;         // the nodes that have faces, ascending
    int *node_body;        // per node: tag; -1 if it has no face
    int *node_faces_begin; // per node: its faces are those from node_faces[node_faces_begin[k]] to before that of k + 1
    int *node_faces;       // ascending; the first face of a node owns it
    int edge_count;
    int (*edges)[2];       // nodes of each edge, ascending; edges in the order of their nodes
    int *edge_faces_begin; // per edge, in the same way
    int *edge_faces;       // ascending; the first face of an edge owns it
    bool *open; // per body: its faces do not close it (a free or branching edge, neighbours turned the other way, no face)
    bool *thin; // per body: it has lines or points only
    carom_arena *arena;
} carom_surface;

// Builds a surface; start from {0}. A face with the same node twice has no area and is left out: the sides that remain of it
// belong to its neighbours. Fails if a node or a tag is out of range, if a node belongs to two bodies, or if memory is short;
// the surface is then empty. Time grows as faces + nodes.
carom_status carom_surface_build(const carom_surface_def *def, carom_surface *surface, carom_error *error);
void carom_surface_release(carom_surface *surface);

// The faces of a surface without its lines and points, as a surface of its own.
carom_status carom_surface_copy_full(const carom_surface *surface, carom_surface *copy, carom_error *error);

// True if nodes of others can lie on a face: on triangles, and on segments and lines in the plane.
static inline bool carom_surface_bears(const carom_surface *surface, int face) {
    return face < surface->full_count || (surface->corners == 2 && surface->faces[face][0] != surface->faces[face][1]);
}

// The shortest side of all faces and lines at the positions x, where `apart` of their body is negative; that of all if there
// are no others or `apart` is NULL; 0 if there are none.
double carom_surface_shortest_side(const carom_surface *surface, const int *excluded, const double (*x)[3]);

#endif
