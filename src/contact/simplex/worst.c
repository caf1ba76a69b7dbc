// SPDX-License-Identifier: MIT
// Two triangles are apart if their projections on one of these axes are: their normals, the products of their sides, and, where they lie in one plane, the normals of
// their sides in it. Otherwise the smallest overlap of the projections is how far the one has to move until they only touch; for segments in the plane the axes are their
// normals and themselves.
#include <math.h>

#include "contact/simplex/look.h"
#include "math/vec3.h"

// Sides whose angle has a smaller sine have no axis.
static const double parallel = 1e-8;

// The overlap of two sets of corners along an axis of any length; HUGE_VAL if it has none.
static double overlap_along(const double axis[3], double least, int corners, const double a[3][3], const double b[3][3]) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, size = carom_norm(axis);
    if (!(size > least))
        return HUGE_VAL;
    for (int k = 0; k < corners; k++)
        for (int side = 0; side < 2; side++) {
            double r[3];
            carom_difference(side ? b[k] : a[k], a[0], r);
            double at = carom_dot(axis, r) / size;
            low[side] = fmin(low[side], at);
            high[side] = fmax(high[side], at);
        }
    return fmin(high[0] - low[1], high[1] - low[0]);
}

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

double carom_violation_depth(const double a[3][3], const double b[3][3], double enough) {
    double sides[2][3][3], normal[2][3], depth = HUGE_VAL, axis[3];
    for (int t = 0; t < 2; t++) {
        const double(*c)[3] = t ? b : a;
        for (int i = 0; i < 3; i++)
            carom_difference(c[(i + 1) % 3], c[i], sides[t][i]);
        carom_cross(sides[t][0], sides[t][1], normal[t]);
        depth = fmin(depth, overlap_along(normal[t], 0, 3, a, b));
    }
    for (int i = 0; i < 3 && depth >= enough; i++) {
        for (int j = 0; j < 3; j++) {
            carom_cross(sides[0][i], sides[1][j], axis);
            depth = fmin(depth, overlap_along(axis, parallel * carom_norm(sides[0][i]) * carom_norm(sides[1][j]), 3, a, b));
        }
        for (int t = 0; t < 2; t++) {
            carom_cross(normal[t], sides[t][i], axis);
            depth = fmin(depth, overlap_along(axis, 0, 3, a, b));
        }
    }
    return depth;
}

// A depth that is more than rounding counts for what is relative.
static void note(carom_violation_worst *worst, double depth, double rounding, double size, int a, int b) {
    if (size > 0)
        worst->relative = fmax(worst->relative, (depth - rounding) / size);
    if (!(depth > worst->depth))
        return;
    worst->depth = depth;
    worst->body[0] = a;
    worst->body[1] = b;
}

static bool share_a_node(const int *f, const int *g) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (f[i] == g[j])
                return true;
    return false;
}

// The size of a face: the root of twice its area, or the length of a segment.
static double size_of(int corners, const double c[3][3]) {
    double a[3], b[3], n[3];
    carom_difference(c[1], c[0], a);
    if (corners == 2)
        return carom_norm(a);
    carom_difference(c[2], c[0], b);
    carom_cross(a, b, n);
    return sqrt(carom_norm(n));
}

static void note_faces(const carom_surface *surface, const carom_way *way, int f, int g, double rounding,
                       carom_violation_worst *worst) {
    double a[3][3], b[3][3];
    if (share_a_node(surface->faces[f], surface->faces[g]))
        return;
    for (int k = 0; k < 3; k++) {
        carom_way_place(way, surface->faces[f][k], 1, a[k]);
        carom_way_place(way, surface->faces[g][k], 1, b[k]);
    }
    const double(*p)[3] = (carom_const_vectors)a, (*q)[3] = (carom_const_vectors)b;
    double depth = surface->corners == 2 ? depth_of_segments(p, q) : carom_violation_depth(p, q, 0);
    if (depth > 0)
        note(worst, depth, rounding, fmin(size_of(surface->corners, p), size_of(surface->corners, q)), surface->body[f],
             surface->body[g]);
}

// Point masses inside closed bodies.
static bool note_isolated(carom_violations *o, const carom_way *way, double rounding, carom_violation_worst *worst) {
    const carom_surface *surface = o->def.surface;
    for (int p = 0; p < o->def.isolated_count; p++) {
        int node = o->def.isolated[p], body = o->def.isolated_body[p];
        int count = carom_violation_gather(o, &o->tree, way, node, body, 0);
        for (int i = 0; i < count; i++) {
            int other = surface->body[o->group[i]];
            double point[3], corners[3][3];
            carom_way_place(way, node, 1, point);
            carom_sight sight = carom_sight_nearest(&o->tree, way, 1, point, other, 1e-12 * o->length);
            if (surface->open[other] || !(sight.height < 0))
                continue;
            for (int k = 0; k < 3; k++)
                carom_way_place(way, surface->faces[sight.face][k], 1, corners[k]);
            note(worst, sight.distance, rounding, size_of(surface->corners, (carom_const_vectors)corners), body, other);
        }
        if (count < 0)
            return false;
    }
    return true;
}

carom_status carom_violations_worst(carom_violations *overlaps, const double (*x)[3], carom_violation_worst *worst,
                                    carom_error *error) {
    const carom_violations_def *def = &overlaps->def;
    const carom_surface *surface = def->surface;
    *worst = (carom_violation_worst){.body = {-1, -1}};
    for (int c = 0; def->candidates && c < def->candidates->count; c++) {
        carom_simplex pair = carom_violation_fixed(&def->candidates->items[c]);
        if (!carom_violation_are_held(def, pair.body[0], pair.body[1]))
            note(worst, -carom_simplex_measure(&pair, x, NULL), 0, overlaps->length, pair.body[0], pair.body[1]);
    }
    if (!surface || !surface->face_count)
        return CAROM_OK;
    const carom_way way = {x, x, surface->corners};
    double rounding = carom_violation_rounding(surface, x);
    carom_tree *tree = &overlaps->tree;
    carom_status status = carom_tree_fit(tree, x, NULL, 0, false, error);
    status = status ? status : carom_tree_query(tree, def->exclusions, CAROM_TREE_ALL, error);
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            int f = tree->parts[p].pairs[i][0], g = tree->parts[p].pairs[i][1];
            if (!carom_violation_are_held(def, surface->body[f], surface->body[g]))
                note_faces(surface, &way, f, g, rounding, worst);
        }
    if (!status && !note_isolated(overlaps, &way, rounding, worst))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return status;
}
