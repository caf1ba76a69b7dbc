// SPDX-License-Identifier: MIT
// Computes the largest overlap of a configuration for the ledger, by separating axes. Two triangles are disjoint if and only if
// their projections onto one of these axes are: their two normals, the nine cross products of their sides and, for coplanar
// triangles, the normals of their sides in the common plane. If no axis separates them, the smallest overlap of the projections
// is the length of the shortest translation that does. For segments in the plane the axes are the segments and their normals.
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/simplex/detection.h"
#include "math/vec3.h"

// Sides with a smaller sine of their angle are parallel: their cross product is rounding, and other axes
// cover the case.
static const double parallel_sine = 1e-8;

// The smaller of two finite numbers, faster than fmin.
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

// Overlap of two sets of corners along an axis of any length; HUGE_VAL if the axis is shorter than `least`. Division by the
// length of the axis keeps the order of the projections, so that only the ends of the two intervals are divided.
static double overlap_along(const double axis[3], double least, int corners, const double a[3][3], const double b[3][3]) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, size = carom_norm(axis);
    if (!(size > least))
        return HUGE_VAL;
    for (int k = 0; k < corners; k++)
        for (int side = 0; side < 2; side++) {
            double r[3];
            carom_difference(side ? b[k] : a[k], a[0], r);
            double at = carom_dot(axis, r);
            low[side] = at < low[side] ? at : low[side];
            high[side] = at > high[side] ? at : high[side];
        }
    return smaller(high[0] / size - low[1] / size, high[1] / size - low[0] / size);
}

// For segments: the segments themselves and their normals.
static double depth_of_segments(const double a[3][3], const double b[3][3]) {
    double depth = HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        double d[3];
        carom_difference(side ? b[1] : a[1], side ? b[0] : a[0], d);
        depth = fmin(depth, overlap_along(d, 0, 2, a, b));
        depth = fmin(depth, overlap_along((const double[]){d[1], -d[0], 0}, 0, 2, a, b));
    }
    return depth;
}

double carom_triangles_depth(const double a[3][3], const double b[3][3], double enough) {
    double sides[2][3][3], length[2][3], normal[2][3], depth = HUGE_VAL, axis[3];
    for (int t = 0; t < 2; t++) {
        const double(*c)[3] = t ? b : a;
        for (int i = 0; i < 3; i++)
            carom_difference(c[(i + 1) % 3], c[i], sides[t][i]);
        carom_cross(sides[t][0], sides[t][1], normal[t]);
        depth = smaller(depth, overlap_along(normal[t], 0, 3, a, b));
        // an axis with less than `enough` overlap decides, the others need not be tried
        if (depth < enough)
            return depth;
    }
    for (int i = 0; i < 3; i++)
        for (int t = 0; t < 2; t++)
            length[t][i] = carom_norm(sides[t][i]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3 && depth >= enough; j++) {
            carom_cross(sides[0][i], sides[1][j], axis);
            depth = smaller(depth, overlap_along(axis, parallel_sine * length[0][i] * length[1][j], 3, a, b));
        }
        for (int t = 0; t < 2 && depth >= enough; t++) {
            carom_cross(normal[t], sides[t][i], axis);
            depth = smaller(depth, overlap_along(axis, 0, 3, a, b));
        }
    }
    return depth;
}

// Records an overlap. The relative depth excludes rounding, which depends on the distance from the origin.
static void note(carom_violation_worst *worst, double depth, double rounding, double size, int a, int b) {
    if (size > 0)
        worst->relative = fmax(worst->relative, (depth - rounding) / size);
    if (!(depth > worst->depth))
        return;
    worst->depth = depth;
    worst->body[0] = a;
    worst->body[1] = b;
}

// Size of a face: the root of twice its area, or the length of a segment.
static double size_of(int corners, const double c[3][3]) {
    double n[3];
    carom_corners_normal(corners, c, n);
    return corners == 2 ? carom_norm(n) : sqrt(carom_norm(n));
}

// The overlap of two faces at the configuration.
static void note_faces(const carom_surface *surface, const carom_motion *motion, int f, int g, double rounding,
                       carom_violation_worst *worst) {
    double a[3][3], b[3][3];
    // neighbouring faces always touch
    if (carom_faces_share_a_node(surface->faces[f], surface->faces[g]))
        return;
    // lists of a resumed run may have the faces of a pair in the other order, which must not change rounding
    int low = f < g ? f : g, high = f < g ? g : f;
    for (int k = 0; k < 3; k++) {
        carom_motion_position(motion, surface->faces[low][k], 1, a[k]);
        carom_motion_position(motion, surface->faces[high][k], 1, b[k]);
    }
    const double(*p)[3] = (carom_const_vectors)a, (*q)[3] = (carom_const_vectors)b;
    double depth = surface->corners == 2 ? depth_of_segments(p, q) : carom_triangles_depth(p, q, 0);
    if (depth > 0)
        note(worst, depth, rounding, fmin(size_of(surface->corners, p), size_of(surface->corners, q)), surface->body[f],
             surface->body[g]);
}

// Point masses inside closed bodies. Open surfaces have no inside.
static bool note_isolated(carom_violations *work, const carom_motion *motion, double rounding, carom_violation_worst *worst) {
    const carom_surface *surface = work->def.surface;
    carom_violation_part *part = work->parts;
    for (int p = 0; p < work->def.isolated_count; p++) {
        int node = work->def.isolated[p], body = work->def.isolated_body[p];
        int count = carom_violations_gather_faces(work, &work->tree, motion, node, body, 0, part);
        for (int i = 0; i < count; i++) {
            int other = surface->body[part->nearby[i]];
            double point[3], corners[3][3];
            carom_motion_position(motion, node, 1, point);
            carom_closest closest = carom_closest_on_body(&work->tree, motion, 1, point, other, 1e-12 * work->length);
            if (carom_violations_two_sided(&work->def, other) || !(closest.height < 0))
                continue;
            for (int k = 0; k < 3; k++)
                carom_motion_position(motion, surface->faces[closest.face][k], 1, corners[k]);
            note(worst, closest.distance, rounding, size_of(surface->corners, (carom_const_vectors)corners), body, other);
        }
        if (count < 0)
            return false;
    }
    return true;
}

// True if the last check of faces was made at x: faces that overlap are then among those it kept.
static bool is_known(const carom_violations *work, const double (*x)[3]) {
    const carom_surface *surface = work->def.surface;
    bool same = work->close_valid && work->def.isolated_count == 0;
    for (int v = 0; v < surface->vertex_count && same; v++)
        same = memcmp(x[surface->vertices[v]], work->close_x[v], sizeof *x) == 0;
    return same;
}

// Records the overlaps of the pairs `begin` to `end` of the tree, numbered through all portions.
static void note_share(const carom_violations *work, const carom_motion *motion, int64_t begin, int64_t end, double rounding,
                       carom_violation_worst *worst) {
    const carom_surface *surface = work->def.surface;
    const carom_index_pairs *found = work->tree.parts;
    int64_t first = 0;
    for (int p = 0; p < CAROM_TREE_PARTS && first < end; first += found[p++].count)
        for (int64_t i = begin > first ? begin - first : 0; i < found[p].count && first + i < end; i++) {
            int f = found[p].pairs[i][0], g = found[p].pairs[i][1];
            if (!carom_violations_are_immovable(&work->def, surface->body[f], surface->body[g]))
                note_faces(surface, motion, f, g, rounding, worst);
        }
}

// Records the overlaps of all pairs of the tree. Portions are joined in order: of equal depths the first is kept, as on one
// thread.
static void note_all(const carom_violations *work, const carom_motion *motion, double rounding, carom_violation_worst *worst) {
    carom_violation_worst portions[CAROM_VIOLATION_PARTS];
    int64_t pairs = 0;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        pairs += work->tree.parts[p].count;
    int parts = carom_violation_part_count(pairs);
#pragma omp parallel for schedule(dynamic) if (parts > 1)
    for (int p = 0; p < parts; p++) {
        portions[p] = (carom_violation_worst){.body = {-1, -1}};
        note_share(work, motion, carom_violation_part_begin(pairs, parts, p), carom_violation_part_begin(pairs, parts, p + 1),
                   rounding, &portions[p]);
    }
    for (int p = 0; p < parts; p++) {
        worst->relative = fmax(worst->relative, portions[p].relative);
        if (!(portions[p].depth > worst->depth))
            continue;
        worst->depth = portions[p].depth;
        memcpy(worst->body, portions[p].body, sizeof worst->body);
    }
}

carom_status carom_violations_worst(carom_violations *violations, const double (*x)[3], carom_violation_worst *worst,
                                    carom_error *error) {
    const carom_violations_def *def = &violations->def;
    const carom_surface *surface = def->surface;
    *worst = (carom_violation_worst){.body = {-1, -1}};
    // planes and ends: the negative measure is the depth
    for (int c = 0; def->candidates && c < def->candidates->count; c++) {
        carom_simplex pair = carom_simplex_of_candidate(&def->candidates->items[c]);
        if (!carom_violations_are_immovable(def, pair.body[0], pair.body[1]))
            note(worst, -carom_simplex_measure(&pair, x, NULL), 0, violations->length, pair.body[0], pair.body[1]);
    }
    if (!surface || !surface->face_count)
        return CAROM_OK;
    // a motion without displacement
    const carom_motion motion = {x, x, surface->corners};
    double rounding = carom_violations_rounding(surface, x);
    if (is_known(violations, x)) {
        for (int64_t i = 0; i < violations->close_count; i++)
            note_faces(surface, &motion, violations->close[i][0], violations->close[i][1], rounding, worst);
        return CAROM_OK;
    }
    carom_tree *tree = &violations->tree;
    carom_status status = carom_tree_fit(tree, x, NULL, 0, false, error);
    status = status ? status : carom_tree_query(tree, def->exclusions, CAROM_TREE_ALL, error);
    if (!status)
        note_all(violations, &motion, rounding, worst);
    if (!status && !note_isolated(violations, &motion, rounding, worst))
        status = carom_no_memory(error, "contact");
    return status;
}
