// SPDX-License-Identifier: MIT
// Decides whether the nearest points of two features are also nearest points of the surfaces around them (nearest_feature.h).
// With p the node, c the nearest point and r = p - c: a step from c towards a corner q of a face that contains c shortens the
// distance if r.(q - c) > 0; a step from p towards a corner q of a face around p does if -r.(q - p) > 0. Faces are convex, so
// it is enough to test corners.
#include "contact/impact/nearest_feature.h"

#include "math/vec3.h"

// Directions that shorten the distance by less than these sines count as ties. Between a node and a border: above rounding,
// below any intentionally sharp edge.
static const double border_tie_sine = 1e-3;
// Between two edges: surfaces that lie on each other are never quite flat.
static const double edge_tie_sine = 0.05;

// A face with a corner in a direction with at least this cosine (30 degrees) continues straight towards the other surface.
static const double straight_cosine = 0.87;

// A weight above this belongs to a corner of the feature that contains the nearest point.
static const double weight_threshold = 1e-9;

// True if the vector d from `from` to a corner of the face has r.d > limit |d|. `limit` is |r| times a cosine.
static bool leads_along(const carom_surface *surface, const double (*x)[3], int face, const double from[3], const double r[3],
                        double limit) {
    // lower bound of the square of the limit, which covers rounding
    double squared = (1 - 1e-12) * limit * limit;
    for (int i = 0; i < surface->corners; i++) {
        double to_corner[3];
        carom_difference(x[surface->faces[face][i]], from, to_corner);
        double along = carom_dot(r, to_corner);
        // excludes nearly all corners of surfaces that lie flat on each other without a square root
        if ((along * along < squared * carom_dot(to_corner, to_corner)) | (along == 0))
            continue;
        if (along > limit * carom_norm(to_corner))
            return true;
    }
    return false;
}

// The nearest point c of a face, from its weights, and the vector r from it to the node.
static void find_nearest(const carom_surface *surface, const double (*x)[3], int node, int face, const carom_nearest *nearest,
                         double c[3], double r[3]) {
    for (int d = 0; d < 3; d++)
        c[d] = 0;
    for (int i = 0; i < surface->corners; i++)
        carom_add_scaled(-nearest->weight[1 + i], x[surface->faces[face][i]], c);
    carom_difference(x[node], c, r);
    if (surface->corners == 2)
        r[2] = 0;
}

// True if a face around the node leads to a smaller distance.
static bool leads_back(const carom_surface *surface, const double (*x)[3], int node, const double r[3], double limit) {
    const double back[3] = {-r[0], -r[1], -r[2]};
    for (int i = surface->node_faces_begin[node]; i < surface->node_faces_begin[node + 1]; i++)
        if (leads_along(surface, x, surface->node_faces[i], x[node], back, limit))
            return true;
    return false;
}

bool carom_surface_continues(const carom_surface *surface, const double (*x)[3], int node, int face,
                             const carom_nearest *nearest) {
    double c[3], r[3];
    find_nearest(surface, x, node, face, nearest, c, r);
    return leads_back(surface, x, node, r, straight_cosine * carom_norm(r));
}

bool carom_surface_node_is_nearest(const carom_surface *surface, const double (*x)[3], int node, int face,
                                   const carom_nearest *nearest) {
    // the nearest point, and one corner of the face that it belongs to
    double c[3], r[3];
    find_nearest(surface, x, node, face, nearest, c, r);
    int corner = -1;
    bool used[3] = {false};
    for (int i = 0; i < surface->corners; i++) {
        used[i] = -nearest->weight[1 + i] > weight_threshold;
        if (used[i])
            corner = surface->faces[face][i];
    }
    double length = carom_norm(r);
    if (corner < 0 || !(length > 0))
        return true;

    // all faces that contain the point
    for (int i = surface->node_faces_begin[corner]; i < surface->node_faces_begin[corner + 1]; i++) {
        int other = surface->node_faces[i];
        bool contains = true;
        for (int k = 0; k < surface->corners && contains; k++) {
            bool shared = !used[k];
            for (int j = 0; j < surface->corners && !shared; j++)
                shared = surface->faces[other][j] == surface->faces[face][k];
            contains = shared;
        }
        if (contains && leads_along(surface, x, other, c, r, border_tie_sine * length))
            return false;
    }

    return !leads_back(surface, x, node, r, border_tie_sine * length);
}

bool carom_surface_edges_are_nearest(const carom_surface *surface, const double (*x)[3], const int edges[2],
                                     const carom_nearest *nearest) {
    // the vectors from each of the two points to the other
    double point[2][3] = {{0}}, r[2][3];
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 2; i++)
            carom_add_scaled(fabs(nearest->weight[2 * e + i]), x[surface->edges[edges[e]][i]], point[e]);
    carom_difference(point[1], point[0], r[0]);
    carom_difference(point[0], point[1], r[1]);
    double length = carom_norm(r[0]);

    for (int e = 0; e < 2; e++)
        for (int i = surface->edge_faces_begin[edges[e]]; i < surface->edge_faces_begin[edges[e] + 1]; i++)
            if (leads_along(surface, x, surface->edge_faces[i], point[e], r[e], edge_tie_sine * length))
                return false;
    return true;
}
