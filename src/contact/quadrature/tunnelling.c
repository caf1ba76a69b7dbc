// SPDX-License-Identifier: MIT
// A point that meets a face within a step and goes on by d along its normal is at most d behind it at the end. With d within reach a search at the end of
// the step sees the face; beyond, the point may be anywhere, also on the other side of the body. A point that is behind another face of that body and
// within reach of it has come in there: bodies that slide on each other overlap a little, and their sides meet nodes.
#include "contact/quadrature/tunnelling.h"

#include <math.h>

#include "carom/contact.h"
#include "contact/narrow/narrow.h"
#include "contact/quadrature/tractions.h"
#include "math/vec3.h"

// No two nodes move farther against each other than this.
static double spread(const carom_surface *surface, const double (*x0)[3], const double (*x1)[3]) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, range[3];
    for (int v = 0; v < surface->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            double u = x1[surface->vertices[v]][i] - x0[surface->vertices[v]][i];
            low[i] = fmin(low[i], u);
            high[i] = fmax(high[i], u);
        }
    carom_difference(high, low, range);
    return surface->vertex_count ? carom_norm(range) : 0;
}

// One look at a configuration.
typedef struct passage {
    const carom_surface *surface;
    const double (*x0)[3], (*x1)[3];
    double reach;
} passage;

// Whether a point that moves from one place to another is behind a face of a body at the end and within reach of it, and has not come from far behind.
static bool is_seen(const passage *p, const double from[3], const double to[3], int body) {
    const carom_surface *surface = p->surface;
    for (int f = 0; f < surface->face_count; f++) {
        double plane, toward[3], r[3];
        const int *n = surface->faces[f];
        if (surface->body[f] != body || !(carom_face_distance(surface->corners, n, p->x1, to, &plane, toward) <= p->reach))
            continue;
        carom_difference(to, p->x1[n[0]], r);
        if (carom_dot(r, toward) > 0)
            continue;
        carom_face_distance(surface->corners, n, p->x0, from, &plane, toward);
        carom_difference(from, p->x0[n[0]], r);
        if (carom_dot(r, toward) >= -p->reach)
            return true;
    }
    return false;
}

// How far two features of some bodies go past each other, along their normal where they meet; 0 if they do not or if the end of the step shows it.
static double past(const passage *p, carom_narrow_kind kind, const int nodes[4], const int body[2]) {
    double from[4][3] = {{0}}, to[4][3] = {{0}}, u[4][3] = {{0}}, at[4][3] = {{0}}, time, way[3] = {0};
    double starts[2][3] = {{0}}, ends[2][3] = {{0}};
    int count = carom_narrow_count(kind), split = carom_narrow_split(kind);
    for (int k = 0; k < count; k++) {
        carom_copy(p->x0[nodes[k]], from[k]);
        carom_copy(p->x1[nodes[k]], to[k]);
        carom_difference(to[k], from[k], u[k]);
    }
    const double(*a)[3] = (carom_const_vectors)from, (*b)[3] = (carom_const_vectors)to;
    bool meet = kind == CAROM_NARROW_NODE_FACE   ? carom_ccd_node_face(a, b, 0, &time)
                : kind == CAROM_NARROW_EDGE_EDGE ? carom_ccd_edge_edge(a, b, 0, &time)
                                                 : carom_ccd_node_segment(a, b, 0, &time);
    if (!meet)
        return 0;
    for (int k = 0; k < count; k++) {
        carom_copy(from[k], at[k]);
        carom_add_scaled(time, u[k], at[k]);
    }
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)at, (carom_const_vectors)u, &nearest);
    for (int k = 0; k < count; k++) {
        carom_add_scaled(nearest.weight[k], u[k], way);
        carom_add_scaled(fabs(nearest.weight[k]), from[k], starts[k >= split]);
        carom_add_scaled(fabs(nearest.weight[k]), to[k], ends[k >= split]);
    }
    double depth = (1 - time) * fabs(carom_dot(way, nearest.normal));
    if (!(depth > p->reach) || is_seen(p, starts[0], ends[0], body[1]))
        return 0;
    return kind == CAROM_NARROW_EDGE_EDGE && is_seen(p, starts[1], ends[1], body[0]) ? 0 : depth;
}

// How far corners of two faces move against each other at most.
static double motion(const passage *p, const int *a, const int *b) {
    double most = 0;
    for (int i = 0; i < p->surface->corners; i++)
        for (int j = 0; j < p->surface->corners; j++) {
            double u[3], v[3];
            carom_difference(p->x1[a[i]], p->x0[a[i]], u);
            carom_difference(p->x1[b[j]], p->x0[b[j]], v);
            carom_add_scaled(-1, v, u);
            most = fmax(most, carom_norm(u));
        }
    return most;
}

// The same of two faces: their nodes and their sides.
static double past_faces(const passage *p, int f, int g) {
    const int *a = p->surface->faces[f], *b = p->surface->faces[g];
    int body[2] = {p->surface->body[f], p->surface->body[g]}, swapped[2] = {body[1], body[0]};
    bool solid = p->surface->corners == 3;
    carom_narrow_kind kind = solid ? CAROM_NARROW_NODE_FACE : CAROM_NARROW_NODE_SEGMENT;
    double most = 0;
    if (motion(p, a, b) <= p->reach)
        return 0;
    for (int i = 0; i < p->surface->corners; i++) {
        most = fmax(most, past(p, kind, (const int[]){a[i], b[0], b[1], b[2]}, body));
        most = fmax(most, past(p, kind, (const int[]){b[i], a[0], a[1], a[2]}, swapped));
        for (int j = 0; j < 3 && solid; j++)
            most = fmax(most, past(p, CAROM_NARROW_EDGE_EDGE, (const int[]){a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}, body));
    }
    return most;
}

carom_status carom_surface_tunnelling(carom_tree *tree, const carom_exclusions *exclusions, const bool *held,
                                      const double (*x0)[3], const double (*x1)[3], double reach, double *depth, int bodies[2],
                                      carom_error *error) {
    const carom_surface *surface = tree->surface;
    const passage look = {surface, x0, x1, reach};
    *depth = 0;
    if (!surface || spread(surface, x0, x1) <= reach)
        return CAROM_OK;
    carom_status status = carom_tree_fit(tree, x0, x1, 0, false, error);
    if (!status)
        status = carom_tree_query(tree, exclusions, CAROM_TREE_BETWEEN, error);
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            int f = tree->parts[p].pairs[i][0], g = tree->parts[p].pairs[i][1];
            int a = surface->body[f], b = surface->body[g];
            if (held && held[a] && held[b])
                continue;
            double way = past_faces(&look, f, g);
            if (way > *depth) {
                *depth = way;
                bodies[0] = a < b ? a : b;
                bodies[1] = a < b ? b : a;
            }
        }
    return status;
}
