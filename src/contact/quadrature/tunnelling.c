// SPDX-License-Identifier: MIT
// Detects bodies that pass through each other within a step so far that the search at its end would miss the contact
// (tunnelling.h). A point that meets a face within a step and moves on by d along its normal is at most d behind it at the end.
// If d <= reach, the search at the end of the step finds the face. For a larger d the point may be anywhere at the end, even on
// the other side of the body: this is reported, unless the point ends within reach behind another face of that body, where the
// search finds it. The latter is frequent for bodies that slide on each other and overlap slightly: nodes of one body then
// cross the side faces of the other.
#include "contact/quadrature/tunnelling.h"

#include <math.h>

#include "carom/contact.h"
#include "contact/narrow/face_pairs.h"
#include "contact/quadrature/tractions.h"
#include "math/vec3.h"

// An upper bound of the relative motion of any two nodes: the diagonal of the box of all displacements.
static double largest_relative_motion(const carom_surface *surface, const double (*x0)[3], const double (*x1)[3]) {
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

// The motion of a step.
typedef struct step_motion {
    const carom_surface *surface;
    const double (*x0)[3], (*x1)[3];
    double reach;
    const carom_exclusions *exclusions;
} step_motion;

// True if a point moving from `from` to `to` ends within reach behind a face of a body, and did not start
// farther than that behind it: the search at the end of the step will find it.
static bool is_detected(const step_motion *p, const double from[3], const double to[3], int body) {
    const carom_surface *surface = p->surface;
    for (int f = 0; f < surface->full_count; f++) {
        double height, toward[3], r[3];
        const int *n = surface->faces[f];
        if (surface->body[f] != body || !(carom_face_distance(surface->corners, n, p->x1, to, &height, toward) <= p->reach))
            continue;
        // in front of the face at the end: not behind it
        carom_difference(to, p->x1[n[0]], r);
        if (carom_dot(r, toward) > 0)
            continue;
        carom_face_distance(surface->corners, n, p->x0, from, &height, toward);
        carom_difference(from, p->x0[n[0]], r);
        if (carom_dot(r, toward) >= -p->reach)
            return true;
    }
    return false;
}

// The distance by which two features move on after they have met, along their normal at that time; 0 if
// they do not meet, or if the overlap is detected at the end of the step.
static double passing_depth(const step_motion *p, carom_narrow_kind kind, const int nodes[4], const int body[2]) {
    double from[4][3] = {{0}}, to[4][3] = {{0}}, u[4][3] = {{0}}, at[4][3] = {{0}}, time, relative[3] = {0};
    // positions of the two contact points at the start and the end of the step, by the weights at impact
    double starts[2][3] = {{0}}, ends[2][3] = {{0}};
    int count = carom_narrow_count(kind), split = carom_narrow_split(kind);
    if (carom_exclusions_at_seam(p->exclusions, split, nodes, count - split, nodes + split))
        return 0;
    for (int k = 0; k < count; k++) {
        carom_copy(p->x0[nodes[k]], from[k]);
        carom_copy(p->x1[nodes[k]], to[k]);
        carom_difference(to[k], from[k], u[k]);
    }
    const double(*a)[3] = (carom_const_vectors)from, (*b)[3] = (carom_const_vectors)to;
    if (!carom_narrow_meet(kind, a, b, &time))
        return 0;
    for (int k = 0; k < count; k++) {
        carom_copy(from[k], at[k]);
        carom_add_scaled(time, u[k], at[k]);
    }
    // normal and weights at the time of impact
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)at, (carom_const_vectors)u, &nearest);
    for (int k = 0; k < count; k++) {
        carom_add_scaled(nearest.weight[k], u[k], relative);
        carom_add_scaled(fabs(nearest.weight[k]), from[k], starts[k >= split]);
        carom_add_scaled(fabs(nearest.weight[k]), to[k], ends[k >= split]);
    }
    // the rest of the relative motion along the normal
    double depth = (1 - time) * fabs(carom_dot(relative, nearest.normal));
    if (!(depth > p->reach) || is_detected(p, starts[0], ends[0], body[1]))
        return 0;
    return kind == CAROM_NARROW_EDGE_EDGE && is_detected(p, starts[1], ends[1], body[0]) ? 0 : depth;
}

// Largest relative motion of the corners of two faces, for a quick test.
static double relative_motion(const step_motion *p, const int *a, const int *b) {
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

// The largest passing depth of all pairs of features (nodes, edges, faces) of two faces.
static double passing_depth_of_faces(const step_motion *p, int f, int g) {
    const carom_surface *surface = p->surface;
    carom_face_pair pairs[CAROM_FACE_PAIRS];
    double most = 0;
    if (relative_motion(p, surface->faces[f], surface->faces[g]) <= p->reach)
        return 0;
    for (int i = 0, count = carom_face_pairs_of(surface, f, g, pairs); i < count; i++) {
        int body[2] = {surface->body[pairs[i].swapped ? g : f], surface->body[pairs[i].swapped ? f : g]};
        most = fmax(most, passing_depth(p, pairs[i].kind, pairs[i].nodes, body));
    }
    return most;
}

// Only pairs of faces whose swept boxes overlap can meet.
carom_status carom_surface_tunnelling(carom_tree *tree, const carom_exclusions *exclusions, const bool *immovable,
                                      const double (*x0)[3], const double (*x1)[3], double reach, double *depth, int bodies[2],
                                      carom_error *error) {
    const carom_surface *surface = tree->surface;
    const step_motion step = {surface, x0, x1, reach, exclusions};
    *depth = 0;
    if (!surface || largest_relative_motion(surface, x0, x1) <= reach)
        return CAROM_OK;
    carom_status status = carom_tree_fit(tree, x0, x1, 0, false, error);
    if (!status)
        status = carom_tree_query(tree, exclusions, CAROM_TREE_BETWEEN, error);
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            int f = tree->parts[p].pairs[i][0], g = tree->parts[p].pairs[i][1];
            int a = surface->body[f], b = surface->body[g];
            if (immovable && immovable[a] && immovable[b])
                continue;
            double passed = passing_depth_of_faces(&step, f, g);
            if (passed > *depth) {
                *depth = passed;
                // in ascending order, so that messages do not depend on the tree
                bodies[0] = a < b ? a : b;
                bodies[1] = a < b ? b : a;
            }
        }
    return status;
}
