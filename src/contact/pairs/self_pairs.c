// SPDX-License-Identifier: MIT
// Lists near faces within each body for the audit of a configuration (audit.h); a list is reused while the body deforms by less
// than half the reach of its list (self_pairs.h).
#include "contact/pairs/self_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/broad/list_validity.h"
#include "math/mat3.h"
#include "math/vec3.h"

// Reach of a list in units of the shortest side of the body. Faces without a common node are rarely nearer unless the surface
// folds, and vibrations of some per cent of a body with ten elements stay within half of it.
static const double reach_of_side = 0.4;

// A new list has a reach only if the deviation from the positions of the previous list is below this fraction of the margin:
// otherwise it would be worn at the next audit.
static const double max_deviation = 0.25;

// Safety factor of the comparison of deviations with half the reach: rounding of rigid motions is far smaller.
static const double deviation_safety = 0.999;

// Distances must exceed the reach by this factor, which covers rounding of unit vectors.
static const double distance_safety = 1 + 1e-9;

// TURNS: iterations for the rotation, which start with that of the last audit. With fewer vertices than PARALLEL_VERTICES,
// starting threads costs more than it saves.
enum { TURNS = 4, PARALLEL_VERTICES = 4096 };

// Sorts the vertices by bodies.
static void sort_vertices(carom_folds *folds) {
    const carom_surface *s = folds->surface;
    int *begin = folds->begin;
    for (int v = 0; v < s->vertex_count; v++)
        begin[s->node_body[s->vertices[v]] + 1]++;
    for (int b = 0; b < s->body_count; b++)
        begin[b + 1] += begin[b];
    for (int v = 0; v < s->vertex_count; v++)
        folds->vertices[begin[s->node_body[s->vertices[v]]]++] = s->vertices[v];
    memmove(begin + 1, begin, (size_t)s->body_count * sizeof *begin);
    begin[0] = 0;
}

carom_status carom_folds_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_folds *folds, carom_error *error) {
    int bodies = surface->body_count;
    *folds = (carom_folds){.surface = surface};
    carom_status status = carom_stars_create(surface, &folds->stars, error);
    if (status)
        return status;
    carom_arena *arena = folds->arena = carom_arena_create();
    bool enough = arena;
    folds->bodies = carom_arena_reserve(arena, bodies, sizeof *folds->bodies, &enough);
    folds->begin = carom_arena_reserve(arena, (int64_t)bodies + 1, sizeof *folds->begin, &enough);
    folds->vertices = carom_arena_reserve(arena, surface->vertex_count, sizeof *folds->vertices, &enough);
    folds->x = carom_arena_reserve(arena, surface->vertex_count, sizeof *folds->x, &enough);
    folds->keys = carom_arena_reserve(arena, bodies, sizeof *folds->keys, &enough);
    folds->numbers = carom_arena_reserve(arena, bodies, sizeof *folds->numbers, &enough);
    folds->reaches = carom_arena_reserve(arena, bodies, sizeof *folds->reaches, &enough);
    if (!enough) {
        carom_folds_release(folds);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the audit of surfaces");
    }
    for (int b = 0; b < bodies; b++) {
        bool skipped = surface->thin[b] || (immovable && immovable[b]) || carom_exclusions_between(exclusions, b, b);
        folds->bodies[b] = (carom_folds_body){.skipped = skipped, .reach = -1};
    }
    sort_vertices(folds);
    return CAROM_OK;
}

void carom_folds_release(carom_folds *folds) {
    carom_stars_release(&folds->stars);
    carom_arena_release(folds->arena);
    free(folds->near.pairs);
    *folds = (carom_folds){0};
}

// Fits the rigid copy to the body. Any rigid motion is valid, so that the fit need not be accurate.
static void fit_copy(carom_folds *folds, int b, const double (*x)[3]) {
    carom_folds_body *body = &folds->bodies[b];
    int begin = folds->begin[b];
    if (!carom_wear_find_frame(folds->vertices + begin, folds->begin[b + 1] - begin, x, (carom_const_vectors)folds->x + begin,
                               TURNS, body->centre, body->turn))
        carom_mat3_identity(body->turn);
}

// The largest deviation of a vertex from the rigid copy; NaN or infinite if a position is.
static double deviation_of(const carom_folds *folds, int b, const double (*x)[3]) {
    const carom_folds_body *body = &folds->bodies[b];
    double square = 0, spoilt = 0;
    for (int v = folds->begin[b]; v < folds->begin[b + 1]; v++) {
        double r[3], s[3];
        carom_difference(x[folds->vertices[v]], body->centre, r);
        carom_mat3_apply_transposed((carom_const_vectors)body->turn, r, s);
        carom_difference(s, folds->x[v], r);
        double deviation = carom_dot(r, r);
        square = deviation > square ? deviation : square;
        // zero times NaN or infinity is NaN
        spoilt += 0 * deviation;
    }
    return sqrt(square) + spoilt;
}

// The shortest side of the faces of a body.
static double shortest_side(const carom_folds *folds, int b, const double (*x)[3]) {
    const carom_surface *s = folds->surface;
    double square = HUGE_VAL;
    for (int v = folds->begin[b]; v < folds->begin[b + 1]; v++) {
        int node = folds->vertices[v];
        for (int n = s->node_faces_begin[node]; n < s->node_faces_begin[node + 1]; n++) {
            const int *face = s->faces[s->node_faces[n]];
            // each face is visited at its first corner only
            for (int i = 0; i < s->corners && face[0] == node; i++) {
                double side[3];
                carom_difference(x[face[(i + 1) % s->corners]], x[face[i]], side);
                square = fmin(square, carom_dot(side, side));
            }
        }
    }
    return isfinite(square) ? sqrt(square) : 0;
}

// Decides whether the list of a body is worn, and the reach of the next one. A body that deforms much between two audits gets a
// list with reach 0, valid for one audit.
static void check_list(carom_folds *folds, int b, const double (*x)[3]) {
    carom_folds_body *body = &folds->bodies[b];
    bool listed = body->reach >= 0;
    body->worn = false;
    if (body->skipped)
        return;
    if (listed) {
        fit_copy(folds, b, x);
        body->deviation = deviation_of(folds, b, x);
        if (body->deviation <= deviation_safety * 0.5 * body->reach)
            return;
    } else
        body->margin = reach_of_side * shortest_side(folds, b, x);
    body->worn = true;
    body->reach = listed && body->deviation <= max_deviation * body->margin ? body->margin : 0;
}

// Stores the present positions as those of the list.
static void start(carom_folds *folds, int b, const double (*x)[3]) {
    carom_folds_body *body = &folds->bodies[b];
    carom_wear_centre(folds->vertices + folds->begin[b], folds->begin[b + 1] - folds->begin[b], x, body->centre);
    carom_mat3_identity(body->turn);
    for (int v = folds->begin[b]; v < folds->begin[b + 1]; v++)
        carom_difference(x[folds->vertices[v]], body->centre, folds->x[v]);
}

static bool are_neighbours(const int f[3], const int g[3]) {
    for (int i = 0; i < 3; i++)
        if (f[i] == g[0] || f[i] == g[1] || f[i] == g[2])
            return true;
    return false;
}

// True if the projections of two triangles onto d have a distance of more than `reach`.
static bool separates(const double (*f)[3], const double (*g)[3], const double d[3], double reach) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        double a = carom_dot(d, f[i]), b = carom_dot(d, g[i]);
        low[0] = a < low[0] ? a : low[0], high[0] = a > high[0] ? a : high[0];
        low[1] = b < low[1] ? b : low[1], high[1] = b > high[1] ? b : high[1];
    }
    double up = low[0] - high[1], down = low[1] - high[0], gap = up > down ? up : down;
    return gap > distance_safety * reach * carom_norm(d);
}

// True if the distance of two faces certainly exceeds the reach. Boxes of inclined faces overlap at much larger distances: most
// pairs that the tree finds are separated along the line between their centres, a face normal, or an in-plane normal of a side.
static bool are_far(const int first[3], const int second[3], const double (*x)[3], double reach) {
    double f[3][3], g[3][3], d[3] = {0}, normal[2][3], side[3];
    for (int i = 0; i < 3; i++) {
        carom_difference(x[first[i]], x[first[0]], f[i]);
        carom_difference(x[second[i]], x[first[0]], g[i]);
        carom_add_scaled(1, f[i], d);
        carom_add_scaled(-1, g[i], d);
    }
    carom_const_vectors a = (carom_const_vectors)f, b = (carom_const_vectors)g;
    if (!(reach > 0) || separates(a, b, d, reach))
        return reach > 0;
    for (int k = 0; k < 2; k++) {
        carom_const_vectors corner = k ? b : a;
        double u[3], v[3];
        carom_difference(corner[1], corner[0], u);
        carom_difference(corner[2], corner[0], v);
        carom_cross(u, v, normal[k]);
        if (separates(a, b, normal[k], reach))
            return true;
        for (int i = 0; i < 3; i++) {
            carom_difference(corner[(i + 1) % 3], corner[i], side);
            carom_cross(side, normal[k], d);
            if (separates(a, b, d, reach))
                return true;
        }
    }
    return false;
}

// Replaces the pairs of worn bodies by those that the query has found. False if memory is short.
static bool take_pairs(carom_folds *folds, const carom_tree *tree, const double (*x)[3]) {
    const carom_surface *s = folds->surface;
    carom_index_pairs *near = &folds->near;
    int64_t kept = 0;
    for (int64_t i = 0; i < near->count; i++)
        if (!folds->bodies[s->body[near->pairs[i][0]]].worn)
            memcpy(near->pairs[kept++], near->pairs[i], sizeof *near->pairs);
    near->count = kept;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            const int *pair = tree->parts[p].pairs[i];
            const int *f = s->faces[pair[0]], *g = s->faces[pair[1]];
            if (are_neighbours(f, g) || (s->corners == 3 && are_far(f, g, x, folds->bodies[s->body[pair[0]]].reach)))
                continue;
            int(*pairs)[2] = carom_grow(near->pairs, near->count, &near->capacity, sizeof *pairs);
            if (!pairs)
                return false;
            near->pairs = pairs;
            memcpy(pairs[near->count++], pair, sizeof *pairs);
        }
    return true;
}

// Lists the pairs of worn bodies.
static carom_status list(carom_folds *folds, carom_tree *tree, const double (*x)[3], carom_error *error) {
    carom_body_pairs asked = {.keys = folds->keys, .number = folds->numbers, .reach = folds->reaches};
    for (int b = 0; b < folds->surface->body_count; b++)
        if (folds->bodies[b].worn) {
            folds->keys[asked.count] = carom_body_pair_key(b, b);
            folds->reaches[asked.count++] = folds->bodies[b].reach;
        }
    if (!asked.count)
        return CAROM_OK;
    tree->asked = &asked;
    carom_status status = carom_tree_fit(tree, x, NULL, 0, false, error);
    if (!status)
        status = carom_tree_query(tree, NULL, CAROM_TREE_WITHIN, error);
    tree->asked = NULL;
    if (!status && !take_pairs(folds, tree, x))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the audit of surfaces");
    return status;
}

carom_status carom_folds_update(carom_folds *folds, carom_tree *tree, const double (*x)[3], carom_error *error) {
    int bodies = folds->surface->body_count, vertices = folds->surface->vertex_count;
#pragma omp parallel for schedule(dynamic) if (bodies > 1 && vertices > PARALLEL_VERTICES)
    for (int b = 0; b < bodies; b++)
        check_list(folds, b, x);
    carom_status status = list(folds, tree, x, error);
    for (int b = 0; b < bodies; b++) {
        if (!folds->bodies[b].worn)
            continue;
        if (status)
            folds->bodies[b].reach = -1;
        else
            start(folds, b, x);
    }
    carom_stars_examine(&folds->stars, x);
    return status;
}
