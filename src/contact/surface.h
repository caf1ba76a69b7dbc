// SPDX-License-Identifier: MIT
// The surface that takes part in contact: faces, their edges and their nodes, each once.
//
// Topology only; functions that need positions receive them. In space the faces are triangles (quadrilaterals are split in two,
// and their diagonals count as edges, as quadrilaterals may warp). In the plane the faces are segments and have no edges.
//
// Bodies without faces (bars, beams and point masses) take part with their lines and points. These are stored as faces with
// repeated nodes, after all others, so that the search finds them by the same boxes. Points can touch faces; in space the two
// nodes of a line can touch faces and the line can touch edges; in the plane a line is a segment like any other. Contact of
// lines and points with each other is in contact/end_points.h.
#ifndef CAROM_CONTACT_SURFACE_H
#define CAROM_CONTACT_SURFACE_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"

// Definition of a surface: the boundary of all bodies. The arrays are read only while it is built.
typedef struct carom_surface_def {
    int corners;    // 3: triangles in space; 2: segments in the x-y plane
    int node_count; // of the model; only nodes of faces take part
    int body_count; // tags are 0 to body_count - 1
    int face_count;
    const int *nodes; // [face_count][corners]
    const int *body;  // [face_count] tag of each face
    int thin_count;   // number of lines and points of bodies without faces
    const int (*thin)[2];
    const int *thin_body; // [thin_count]
} carom_surface_def;

// The owner of a node or an edge is the first face that contains it. A search among pairs of faces that tests only the nodes
// and edges they own tests each pair of features once.
typedef struct carom_surface {
    int corners;
    int node_count;
    int body_count;
    int face_count;       // with lines and points
    int full_count;       // the faces before this one are triangles or segments, the others lines and points of thin bodies
    int (*faces)[3];      // nodes of each face; the last one of a segment or a line is given twice, a point three times
    int *body;            // tag of each face
    int *source;          // number of each face in the definition
    unsigned char *owned; // per face: bit i: it owns its corner i; bit 3 + i: it owns its side i, from corner i to the next
    int (*face_edges)[3]; // per face: its sides as edges
    int vertex_count;
    int *vertices;         // the nodes that have faces, ascending
    int *node_body;        // per node: tag; -1 if it has no face
    int *node_faces_begin; // per node: its faces are those from node_faces[node_faces_begin[k]] to before that of k + 1
    int *node_faces;       // ascending; the first face of a node owns it
    int edge_count;
    int (*edges)[2];       // nodes of each edge, ascending; edges in the order of their nodes
    int *edge_faces_begin; // per edge: similarly, in edge_faces
    int *edge_faces;       // ascending; the first face of an edge owns it
    bool *open;            // per body: not closed (a free or branching edge, neighbours of opposite orientation, no face)
    bool *thin;            // per body: it has lines or points only
    carom_arena *arena;
} carom_surface;

// Builds a surface; start from {0}. A face with the same node twice has no area and is skipped: its sides belong to its
// neighbours. Fails if a node or a tag is out of range, if a node belongs to two bodies, or if memory is short; the surface is
// then empty. The time is linear in faces + nodes.
carom_status carom_surface_build(const carom_surface_def *def, carom_surface *surface, carom_error *error);
void carom_surface_release(carom_surface *surface);

// A separate surface of the faces of some bodies (NULL: of all), and of their lines and points if `thin`.
carom_status carom_surface_copy(const carom_surface *surface, const bool *bodies, bool thin, carom_surface *copy,
                                carom_error *error);

// True if nodes can touch the interior of a face: of triangles, and of segments and lines in the plane.
static inline bool carom_surface_face_has_interior(const carom_surface *surface, int face) {
    return face < surface->full_count || (surface->corners == 2 && surface->faces[face][0] != surface->faces[face][1]);
}

// The shortest side, at the positions x, of all faces and lines of bodies b with excluded[b] < 0; of all bodies if there are no
// such sides or `excluded` is NULL; 0 if there are no faces.
double carom_surface_shortest_side(const carom_surface *surface, const int *excluded, const double (*x)[3]);

#endif
