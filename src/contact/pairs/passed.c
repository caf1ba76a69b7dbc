// SPDX-License-Identifier: MIT
// Finds the node that has penetrated deepest into another body (passed.h). Surfaces intersect if a corner penetrates slightly,
// or if one body passes through another. The distance of an enclosed node from the surface distinguishes these cases.
#include "contact/pairs/passed.h"

#include <math.h>

#include "contact/narrow/narrow.h"
#include "contact/pairs/inside.h"
#include "math/vec3.h"

// The distance of a point from a face.
static double distance_from_face(const carom_surface *s, int face, const double (*x)[3], const double point[3]) {
    carom_narrow_kind kind = s->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
    double y[4][3];
    carom_copy(point, y[0]);
    for (int i = 0; i < s->corners; i++)
        carom_copy(x[s->faces[face][i]], y[1 + i]);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    return nearest.distance;
}

// The distance of a point from the surface of a body.
static double distance_from(const carom_surface *s, int body, const double (*x)[3], const double point[3]) {
    double least = HUGE_VAL;
    for (int f = 0; f < s->full_count; f++)
        if (s->body[f] == body)
            least = fmin(least, distance_from_face(s, f, x, point));
    return least;
}

// Updates `passed` if a node is deeper inside a body than any before it. `face` is one of the body or -1: the distance from it
// is an upper bound of that from the surface, so that most nodes need not be compared with all faces.
static void update_deepest(const carom_audit *audit, const double *length, int node, int body, int face, const double (*x)[3],
                           carom_passed *passed) {
    const carom_surface *s = audit->surface;
    if (body < 0 || s->node_body[node] == body || s->open[body] || !audit->filled || !audit->filled[body] ||
        carom_audit_are_immovable(audit, s->node_body[node], body))
        return;
    double measure = fmin(length[s->node_body[node]], length[body]);
    if ((face >= 0 && !(distance_from_face(s, face, x, x[node]) / measure > passed->part)) ||
        !carom_surface_encloses(s, body, x, x[node]))
        return;
    double depth = distance_from(s, body, x, x[node]);
    if (depth / measure > passed->part)
        *passed = (carom_passed){depth, node, body, depth / measure};
}

carom_passed carom_surface_passed(const carom_audit *audit, const double *length, double beyond, const double (*x)[3]) {
    const carom_surface *s = audit->surface;
    carom_passed passed = {.node = -1, .body = -1, .part = beyond};
    for (int64_t i = 0; i < audit->crossings.count; i++)
        for (int side = 0; side < 2; side++) {
            int face = audit->crossings.pairs[i][side], across = audit->crossings.pairs[i][!side];
            for (int k = 0; k < s->corners && s->body[face] != s->body[across]; k++)
                update_deepest(audit, length, s->faces[face][k], s->body[across], across, x, &passed);
        }
    // elements of nodes entirely inside a body no longer intersect its faces: test all nodes of bars and point masses
    bool thin = s->face_count > s->full_count;
    for (int v = 0; thin && v < s->vertex_count; v++)
        for (int b = 0; b < s->body_count && s->thin[s->node_body[s->vertices[v]]]; b++)
            if (!s->thin[b])
                update_deepest(audit, length, s->vertices[v], b, -1, x, &passed);
    return passed;
}
