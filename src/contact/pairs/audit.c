// SPDX-License-Identifier: MIT
// Counts the faces that intersect in a configuration, as a check of the contact solver (audit.h; docs/theory/audit.md): the
// tree finds all pairs of faces with overlapping boxes, and exact predicates decide. Faces with a common node share that point.
// If they have another common point, one also lies on the boundary of one of them, not at the node, so it suffices to test
//     one common node:   the opposite side of each against the other,
//     two (a fold):      the third corner of each against the other, and the free sides of each against
//     those of the other.
// For most neighbours one test of the faces around a common node decides (vertex_fans.h).
#include "contact/pairs/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/contact.h"
#include "contact/pairs/inside.h"
#include "math/vec3.h"

// With fewer pairs of faces (20 ns each), starting threads costs more than it saves.
enum { PARALLEL_PAIRS = 4096 };

carom_status carom_audit_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_audit *audit, carom_error *error) {
    *audit = (carom_audit){.surface = surface, .exclusions = exclusions, .immovable = immovable};
    carom_status status = carom_tree_create(surface, &audit->tree, error);
    if (!status)
        status = carom_folds_create(surface, exclusions, immovable, &audit->folds, error);
    if (status)
        carom_audit_release(audit);
    return status;
}

void carom_audit_release(carom_audit *audit) {
    carom_tree_release(&audit->tree);
    carom_folds_release(&audit->folds);
    free(audit->crossings.pairs);
    *audit = (carom_audit){0};
}

// Two simplices given by three corners each; repeated corners give segments and points.
static bool meet(const double *a0, const double *a1, const double *a2, const double *b0, const double *b1, const double *b2) {
    double a[3][3], b[3][3];
    carom_copy(a0, a[0]);
    carom_copy(a1, a[1]);
    carom_copy(a2, a[2]);
    carom_copy(b0, b[0]);
    carom_copy(b1, b[1]);
    carom_copy(b2, b[2]);
    return carom_triangles_intersect((carom_const_vectors)a, (carom_const_vectors)b);
}

// Moves the common corners of two triangles to the front of both in the same order; returns their number.
static int match(int f[3], int g[3]) {
    int common = 0;
    for (int i = 0; i < 3; i++)
        for (int j = common; j < 3; j++) {
            if (f[i] != g[j])
                continue;
            int node = f[i];
            f[i] = f[common];
            f[common] = node;
            g[j] = g[common];
            g[common++] = node;
            break;
        }
    return common;
}

// The next three functions are cheap sufficient conditions for two faces not to intersect; they hold for most pairs. Rounding
// is far below their margins of 1e-9. This one: two triangles without a common corner; true if a plane normal to the line
// between their centres separates them.
static bool are_separated(const double *const corner[6]) {
    double r[6][3], across[3] = {0}, low = HUGE_VAL, high = -HUGE_VAL, size = 0;
    for (int i = 0; i < 6; i++) {
        carom_difference(corner[i], corner[0], r[i]);
        carom_add_scaled(i < 3 ? 1 : -1, r[i], across);
        size = fmax(size, carom_dot(r[i], r[i]));
    }
    for (int i = 0; i < 3; i++) {
        low = fmin(low, carom_dot(across, r[i]));
        high = fmax(high, carom_dot(across, r[3 + i]));
    }
    return low - high > 1e-9 * size;
}

// Two triangles with the common corner s: true if the plane through s halfway between their directions
// separates the other corners.
static bool are_parted(const double *s, const double *const a[2], const double *const b[2]) {
    double r[4][3], middle[2][3] = {0}, across[3];
    for (int i = 0; i < 4; i++) {
        carom_difference(i < 2 ? a[i] : b[i - 2], s, r[i]);
        if (!(carom_normalize(r[i]) > 0))
            return false;
        carom_add_scaled(1, r[i], middle[i / 2]);
    }
    if (!(carom_normalize(middle[0]) > 0 && carom_normalize(middle[1]) > 0))
        return false;
    carom_difference(middle[0], middle[1], across);
    double margin = 1e-9 * carom_norm(across);
    return carom_dot(across, r[0]) > margin && carom_dot(across, r[1]) > margin && carom_dot(across, r[2]) < -margin &&
           carom_dot(across, r[3]) < -margin;
}

// Two triangles with the common side pq: true if they are far from being folded onto each other (angle
// above 26 degrees).
static bool are_unfolded(const double *p, const double *q, const double *a, const double *b) {
    double side[3], r[2][3];
    carom_difference(q, p, side);
    carom_difference(a, p, r[0]);
    carom_difference(b, p, r[1]);
    double square = carom_dot(side, side);
    for (int i = 0; i < 2; i++)
        carom_add_scaled(-carom_dot(r[i], side) / square, side, r[i]);
    return carom_dot(r[0], r[1]) < 0.9 * carom_norm(r[0]) * carom_norm(r[1]);
}

// The tests named at the head of this file, after the cheap sufficient conditions.
static bool triangles_intersect(const int first[3], const int second[3], const double (*x)[3]) {
    int f[3], g[3];
    memcpy(f, first, sizeof f);
    memcpy(g, second, sizeof g);
    int common = match(f, g);
    const double *a0 = x[f[0]], *a1 = x[f[1]], *a2 = x[f[2]], *b0 = x[g[0]], *b1 = x[g[1]], *b2 = x[g[2]];
    switch (common) {
    case 0: return !are_separated((const double *const[]){a0, a1, a2, b0, b1, b2}) && meet(a0, a1, a2, b0, b1, b2);
    case 1:
        return !are_parted(a0, (const double *const[]){a1, a2}, (const double *const[]){b1, b2}) &&
               (meet(a0, a1, a2, b1, b2, b2) || meet(a1, a2, a2, b0, b1, b2));
    case 2:
        if (are_unfolded(a0, a1, a2, b2))
            return false;
        return meet(a0, a1, a2, b2, b2, b2) || meet(a2, a2, a2, b0, b1, b2) || meet(a0, a2, a2, b1, b2, b2) ||
               meet(a1, a2, a2, b0, b2, b2);
    // three common nodes: the same triangle twice
    default: return true;
    }
}

// The same in two dimensions; segments are treated as triangles without area.
static bool segments_intersect(const int first[2], const int second[2], const double (*x)[3]) {
    double a[2][3], b[2][3];
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) {
            a[i][c] = c < 2 ? x[first[i]][c] : 0;
            b[i][c] = c < 2 ? x[second[i]][c] : 0;
        }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (first[i] == second[j]) {
                // a common node: only the other ends can overlap
                const double *p = a[!i], *q = b[!j];
                return first[!i] == second[!j] || meet(p, p, p, b[0], b[1], b[1]) || meet(a[0], a[1], a[1], q, q, q);
            }
    return meet(a[0], a[1], a[1], b[0], b[1], b[1]);
}

// True if two faces intersect. Faces at the seam of tied surfaces are excluded: they are tied in the mean only, and their
// meshes do not match exactly.
static bool intersect(const carom_audit *audit, const int pair[2], const double (*x)[3]) {
    const carom_surface *s = audit->surface;
    const int *f = s->faces[pair[0]], *g = s->faces[pair[1]];
    if (carom_exclusions_at_seam(audit->exclusions, 3, f, 3, g))
        return false;
    return s->corners == 2 ? segments_intersect(f, g, x) : triangles_intersect(f, g, x);
}

static bool add_crossing(carom_audit *audit, const int pair[2]) {
    carom_index_pairs *list = &audit->crossings;
    int(*pairs)[2] = carom_grow(list->pairs, list->count, &list->capacity, sizeof *pairs);
    if (!pairs)
        return false;
    list->pairs = pairs;
    memcpy(pairs[list->count++], pair, sizeof *pairs);
    return true;
}

// Tests faces of different bodies whose boxes overlap. False if memory is short. Parts are tested in parallel; their number and
// content do not depend on threads.
static bool cross_between(carom_audit *audit, const double (*x)[3]) {
    const carom_surface *s = audit->surface;
    carom_tree *tree = &audit->tree;
    int64_t pairs = 0;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        pairs += tree->parts[p].count;
#pragma omp parallel for schedule(dynamic) if (pairs > PARALLEL_PAIRS)
    for (int p = 0; p < CAROM_TREE_PARTS; p++) {
        // the pairs that intersect stay in the part, in their order
        carom_index_pairs *part = &tree->parts[p];
        int64_t kept = 0;
        for (int64_t i = 0; i < part->count; i++)
            if (!carom_audit_are_immovable(audit, s->body[part->pairs[i][0]], s->body[part->pairs[i][1]]) &&
                intersect(audit, part->pairs[i], x))
                memcpy(part->pairs[kept++], part->pairs[i], sizeof *part->pairs);
        part->count = kept;
    }
    bool good = true;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++)
            good = good && add_crossing(audit, tree->parts[p].pairs[i]);
    return good;
}

// Tests near faces of one body. They rarely intersect, so a first parallel pass only counts intersections.
static bool cross_near(carom_audit *audit, const double (*x)[3]) {
    const carom_index_pairs *near = &audit->folds.near;
    int64_t count = 0;
    bool good = true;
#pragma omp parallel for schedule(static) reduction(+ : count) if (near->count > PARALLEL_PAIRS)
    for (int64_t i = 0; i < near->count; i++)
        count += intersect(audit, near->pairs[i], x);
    for (int64_t i = 0; count && i < near->count; i++)
        if (intersect(audit, near->pairs[i], x))
            good = good && add_crossing(audit, near->pairs[i]);
    return good;
}

// True if node k is the smallest common node of two faces, and none of their common nodes has an unfolded star. Stars do not
// decide about two faces with the same nodes.
static bool decides(const carom_audit *audit, int k, const int f[3], const int g[3]) {
    const bool *unfolded = audit->folds.stars.unfolded;
    int common = 0;
    bool least = true, decided = false;
    // the last corner of a segment is given twice
    for (int i = 0; i < audit->surface->corners; i++)
        if (f[i] == g[0] || f[i] == g[1] || f[i] == g[2]) {
            common++;
            least = least && f[i] >= k;
            decided = decided || (unfolded && unfolded[f[i]]);
        }
    return least && !(decided && common < audit->surface->corners);
}

// Tests faces around the nodes whose stars are not known to be unfolded.
static bool cross_neighbours(carom_audit *audit, const double (*x)[3]) {
    const carom_surface *s = audit->surface;
    const bool *unfolded = audit->folds.stars.unfolded;
    bool good = true;
    for (int v = 0; v < s->vertex_count; v++) {
        int k = s->vertices[v], begin = s->node_faces_begin[k], end = s->node_faces_begin[k + 1];
        if ((unfolded && unfolded[k]) || audit->folds.bodies[s->node_body[k]].skipped)
            continue;
        for (int i = begin; i < end; i++)
            for (int j = begin; j < i; j++) {
                int pair[2] = {s->node_faces[j], s->node_faces[i]};
                if (decides(audit, k, s->faces[pair[0]], s->faces[pair[1]]) && intersect(audit, pair, x))
                    good = good && add_crossing(audit, pair);
            }
    }
    return good;
}

carom_status carom_surface_intersections(carom_audit *audit, const double (*x)[3], int64_t *count, carom_error *error) {
    *count = 0;
    audit->crossings.count = 0;
    carom_status status = carom_folds_update(&audit->folds, &audit->tree, x, error);
    if (!status)
        status = carom_tree_fit(&audit->tree, x, NULL, 0, false, error);
    if (!status)
        status = carom_tree_query(&audit->tree, audit->exclusions, CAROM_TREE_BETWEEN, error);
    if (status)
        return status;
    if (!cross_between(audit, x) || !cross_near(audit, x) || !cross_neighbours(audit, x))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the audit of surfaces");
    *count = audit->crossings.count;
    if (audit->filled)
        *count += carom_surface_points_inside(audit->surface, audit->filled, audit->exclusions, audit->immovable, x);
    return CAROM_OK;
}
