// SPDX-License-Identifier: MIT
// Computes the weights by which the nodes of one surface are tied to another surface with a different mesh (mortar.h). Faces of
// the second side are projected along the normal of each face of the first; on each common polygon the products of shape
// functions are integrated, exactly for triangles and parallelograms. The dual functions of a face are
//
//     psi_a = sum_b A_ab N_b,   A = diag(d) m^-1,   d_a = int N_a,   m_ab = int N_a N_b
//
// over the covered part of the face.
#include "tied/mortar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "math/vec3.h"
#include "tied/clip.h"
#include "tied/grid.h"

// Two faces can be tied only if the cosine of the angle between their outward normals is at most this: at least 120 degrees.
static const double facing_cosine = -0.5;

// A face does not contribute if less than this fraction of it is covered: its dual functions would be large.
static const double least_cover = 1e-4;

// A node is tied if at least this fraction of its share of the surface is covered; others stay free.
static const double least_share = 0.05;

// If the covered area exceeds this multiple of the area of a face, faces of the second side overlap each other.
static const double most_cover = 1.05;

// Weights below this fraction of the largest one, and common areas below this fraction of the face, are due to rounding.
static const double negligible_part = 1e-13;

// One entry of the matrix of a node: another node and its weight.
typedef struct entry {
    int node;
    double weight;
} entry;

// Integrals assembled for a node of the first side. Start from {0}.
typedef struct gathering {
    int node;
    double covered, full; // its share of the area, covered and in total
    int count;
    int64_t capacity;
    entry *entries; // int psi_A N_C
} gathering;

typedef struct workspace {
    const carom_mortar_def *def;
    int *place; // per node of the model: its gathering, or -1
    int count;
    gathering *items;
    carom_tie_box *boxes;    // per face of the second side
    carom_tie_plane *planes; // the same
    carom_tie_grid grid;
    double weight[CAROM_TIE_POINTS], at[CAROM_TIE_POINTS][3];
    double sizes[2]; // per side: sum of sizes of faces opposite a face of the other side
    int sized[2];
    bool *opposite;     // per face of the second side
    int *nodes;         // scratch: nodes of a row
    double *weights;    // scratch: weights of a row
    carom_arena *arena; // memory of these arrays
} workspace;

// Integrals over the covered part of one face of the first side.
typedef struct covered {
    double d[4], m[4][4];
    int count;
    int64_t capacity;
    struct {
        int node;
        double with[4]; // int N_a N_C
    } * others;
} covered;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the ties");
}

// Adds a weight to the entry of a node. False if memory is short.
static bool add_entry(gathering *g, int node, double weight) {
    for (int i = 0; i < g->count; i++)
        if (g->entries[i].node == node) {
            g->entries[i].weight += weight;
            return true;
        }
    entry *entries = carom_grow(g->entries, g->count, &g->capacity, sizeof *entries);
    if (!entries)
        return false;
    g->entries = entries;
    entries[g->count++] = (entry){node, weight};
    return true;
}

// The integrals int N_a N_C with the shape function of node C; NULL if memory is short.
static double *with_of(covered *c, int node) {
    for (int i = 0; i < c->count; i++)
        if (c->others[i].node == node)
            return c->others[i].with;
    void *others = carom_grow(c->others, c->count, &c->capacity, sizeof *c->others);
    if (!others)
        return NULL;
    c->others = others;
    c->others[c->count].node = node;
    memset(c->others[c->count].with, 0, sizeof c->others[c->count].with);
    return c->others[c->count++].with;
}

// Adds the integrals over a polygon, which is divided into a fan of triangles. `to` are the corners of the other face, in
// reversed order.
static bool integrate(const workspace *w, int corners, const double (*polygon)[2], int size, const double (*own)[2],
                      int to_size, const double (*to)[2], const carom_tie_face *other, covered *c) {
    double *with[4];
    for (int b = 0; b < to_size; b++) {
        with[b] = with_of(c, other->nodes[to_size - 1 - b]);
        if (!with[b])
            return false;
    }
    // pointers into the list are valid only after it has grown
    for (int b = 0; b < to_size; b++)
        with[b] = with_of(c, other->nodes[to_size - 1 - b]);
    for (int t = 1; t + 1 < corners; t++) {
        const double *p[3] = {polygon[0], polygon[t], polygon[t + 1]};
        double area = 0.5 * ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]));
        for (int q = 0; q < CAROM_TIE_POINTS; q++) {
            double at[2] = {0}, N[4], M[4];
            for (int i = 0; i < 3; i++)
                for (int d = 0; d < 2; d++)
                    at[d] += w->at[q][i] * p[i][d];
            carom_tie_face_shape(size, own, at, N);
            carom_tie_face_shape(to_size, to, at, M);
            for (int a = 0; a < size; a++) {
                double share = area * w->weight[q] * N[a];
                c->d[a] += share;
                for (int b = 0; b < size; b++)
                    c->m[a][b] += share * N[b];
                for (int b = 0; b < to_size; b++)
                    with[b][a] += share * M[b];
            }
        }
    }
    return true;
}

// Solves m A^T = diag(d) in place: m is symmetric and positive definite. False if it is singular.
static bool find_dual(int n, const double d[4], double m[4][4], double A[4][4]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            A[a][b] = a == b ? d[a] : 0;
    // Gauss-Jordan elimination with diagonal pivots, applied to the rows of m and the columns of A.
    for (int i = 0; i < n; i++) {
        if (!(m[i][i] > 0))
            return false;
        for (int j = 0; j < n; j++) {
            double factor = j == i ? 0 : m[j][i] / m[i][i];
            for (int k = 0; factor != 0 && k < n; k++)
                m[j][k] -= factor * m[i][k];
            for (int k = 0; factor != 0 && k < n; k++)
                A[k][j] -= factor * A[k][i];
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            A[a][b] /= m[b][b];
    return true;
}

static carom_tie_box box_of(const carom_tie_face *face, const double (*X)[3], double beyond) {
    carom_tie_box box;
    for (int d = 0; d < 3; d++) {
        box.low[d] = HUGE_VAL;
        box.high[d] = -HUGE_VAL;
        for (int a = 0; a < carom_tie_face_size(face); a++) {
            box.low[d] = fmin(box.low[d], X[face->nodes[a]][d] - beyond);
            box.high[d] = fmax(box.high[d], X[face->nodes[a]][d] + beyond);
        }
    }
    return box;
}

// Adds the integrals over the part of a face that another one covers, if any.
static bool cover(workspace *w, const carom_tie_plane *plane, int size, const double (*own)[2], int other, covered *c) {
    const carom_tie_face *face = &w->def->faces[1][other];
    int to_size = carom_tie_face_size(face);
    double to[4][2], height[4], mean = 0, common[CAROM_CLIP_MAX][2];
    if (carom_dot(plane->normal, w->planes[other].normal) > facing_cosine)
        return true;
    carom_tie_face_flatten(face, w->def->X, plane, true, to, height);
    for (int a = 0; a < to_size; a++)
        mean += height[a] / to_size;
    if (mean > w->def->range || mean < -w->def->behind)
        return true;
    int corners = carom_clip(size, own, to_size, (const double(*)[2])to, common);
    // slivers along a common side are due to rounding
    if (carom_clip_area(corners, (const double(*)[2])common) <= negligible_part * plane->size * plane->size)
        return true;
    if (!w->opposite[other]) {
        w->opposite[other] = true;
        w->sizes[1] += w->planes[other].size;
        w->sized[1]++;
    }
    return integrate(w, corners, (const double(*)[2])common, size, own, to_size, (const double(*)[2])to, face, c);
}

// Adds the integrals of a face to its nodes, with its dual functions.
static bool assemble_face(workspace *w, const carom_tie_face *face, covered *c) {
    int n = carom_tie_face_size(face);
    double A[4][4];
    if (!find_dual(n, c->d, c->m, A))
        return true;
    for (int a = 0; a < n; a++) {
        gathering *g = &w->items[w->place[face->nodes[a]]];
        g->covered += c->d[a];
        for (int i = 0; i < c->count; i++) {
            double weight = 0;
            for (int b = 0; b < n; b++)
                weight += A[a][b] * c->others[i].with[b];
            if (!add_entry(g, c->others[i].node, weight))
                return false;
        }
    }
    return true;
}

// Adds each pair of a node of a face and a node of the faces that cover it to the seam.
static bool add_to_seam(const carom_tie_face *face, const covered *c, carom_seam *seam) {
    bool enough = true;
    for (int a = 0; a < carom_tie_face_size(face); a++)
        for (int i = 0; i < c->count && enough; i++)
            enough = carom_seam_add(seam, face->nodes[a], c->others[i].node);
    return enough;
}

// The share of each corner of a face in its area.
static double find_shares(const workspace *w, int size, const double (*own)[2], double share[4]) {
    double total = 0;
    memset(share, 0, 4 * sizeof *share);
    for (int t = 1; t + 1 < size; t++) {
        const double corners[3][2] = {{own[0][0], own[0][1]}, {own[t][0], own[t][1]}, {own[t + 1][0], own[t + 1][1]}};
        double area = 0.5 * carom_clip_area(3, corners);
        for (int q = 0; q < CAROM_TIE_POINTS; q++) {
            double at[2] = {0}, N[4];
            for (int i = 0; i < 3; i++)
                for (int d = 0; d < 2; d++)
                    at[d] += w->at[q][i] * corners[i][d];
            carom_tie_face_shape(size, own, at, N);
            for (int a = 0; a < size; a++)
                share[a] += area * w->weight[q] * N[a];
        }
        total += area;
    }
    return total;
}

static carom_status tie_face(workspace *w, const carom_tie_face *face, covered *c, carom_seam *seam, carom_error *error) {
    const carom_mortar_def *def = w->def;
    int size = carom_tie_face_size(face);
    double own[4][2], height[4], share[4], found = 0;
    carom_tie_plane plane;
    if (!carom_tie_plane_of(face, def->X, &plane))
        return CAROM_OK;
    carom_tie_face_flatten(face, def->X, &plane, false, own, height);
    double area = find_shares(w, size, (const double(*)[2])own, share);
    for (int a = 0; a < size; a++)
        w->items[w->place[face->nodes[a]]].full += share[a];
    c->count = 0;
    memset(c->d, 0, sizeof c->d);
    memset(c->m, 0, sizeof c->m);
    // in ascending order, so that sums do not depend on the grid
    carom_tie_box near = box_of(face, def->X, def->range);
    int count = carom_tie_grid_search(&w->grid, &near);
    for (int i = 0; i < count; i++)
        if (!cover(w, &plane, size, (const double(*)[2])own, w->grid.found[i], c))
            return no_memory(error);
    if (!add_to_seam(face, c, seam))
        return no_memory(error);
    for (int a = 0; a < size; a++)
        found += c->d[a];
    if (found > most_cover * area)
        return carom_fail(error, CAROM_BAD_INPUT, "the faces of `to` overlap, as seen from a face of `from`");
    if (found < least_cover * area)
        return CAROM_OK;
    w->sizes[0] += plane.size;
    w->sized[0]++;
    return assemble_face(w, face, c) ? CAROM_OK : no_memory(error);
}

static int by_node(const void *a, const void *b) {
    const entry *p = a, *q = b;
    return (p->node > q->node) - (p->node < q->node);
}

// The row of one node, with weights that sum up to 1.
static bool add_row(const workspace *w, gathering *g, carom_tie_rows *rows, carom_mortar_result *result) {
    int *nodes = w->nodes, count = 1;
    double *weights = w->weights, sum = 0, most = 0, at[3] = {0}, offset[3];
    qsort(g->entries, (size_t)g->count, sizeof *g->entries, by_node);
    for (int i = 0; i < g->count; i++)
        most = fmax(most, fabs(g->entries[i].weight));
    for (int i = 0; i < g->count; i++)
        if (fabs(g->entries[i].weight) > negligible_part * most)
            sum += g->entries[i].weight;
    nodes[0] = g->node;
    weights[0] = 1;
    for (int i = 0; i < g->count; i++) {
        if (fabs(g->entries[i].weight) <= negligible_part * most)
            continue;
        nodes[count] = g->entries[i].node;
        weights[count] = -g->entries[i].weight / sum;
        carom_add_scaled(-weights[count], w->def->X[nodes[count]], at);
        count++;
    }
    carom_difference(at, w->def->X[g->node], offset);
    if (carom_norm(offset) > result->distance || result->tied == 0) {
        result->distance = carom_norm(offset);
        result->farthest = g->node;
    }
    result->tied++;
    return carom_tie_rows_add(rows, count, nodes, weights);
}

static bool open(workspace *w) {
    const carom_mortar_def *def = w->def;
    bool enough = carom_arena_renew(&w->arena);
    w->place = carom_arena_reserve(w->arena, def->node_count, sizeof *w->place, &enough);
    w->items = carom_arena_reserve(w->arena, 4 * (int64_t)def->face_count[0], sizeof *w->items, &enough);
    w->boxes = carom_arena_reserve(w->arena, def->face_count[1], sizeof *w->boxes, &enough);
    w->planes = carom_arena_reserve(w->arena, def->face_count[1], sizeof *w->planes, &enough);
    w->opposite = carom_arena_reserve(w->arena, def->face_count[1], sizeof *w->opposite, &enough);
    w->nodes = carom_arena_reserve(w->arena, 4 * (int64_t)def->face_count[1] + 1, sizeof *w->nodes, &enough);
    w->weights = carom_arena_reserve(w->arena, 4 * (int64_t)def->face_count[1] + 1, sizeof *w->weights, &enough);
    if (!enough)
        return false;
    // number the nodes in ascending order
    for (int f = 0; f < def->face_count[0]; f++)
        for (int a = 0; a < carom_tie_face_size(&def->faces[0][f]); a++)
            w->place[def->faces[0][f].nodes[a]] = 1;
    for (int k = 0; k < def->node_count; k++) {
        if (w->place[k])
            w->items[w->count].node = k;
        w->place[k] = w->place[k] ? w->count++ : -1;
    }
    for (int f = 0; f < def->face_count[1]; f++) {
        // a face without area has normal zero and is never opposite another face
        carom_tie_plane_of(&def->faces[1][f], def->X, &w->planes[f]);
        w->boxes[f] = box_of(&def->faces[1][f], def->X, 0);
    }
    carom_tie_quadrature(w->weight, w->at);
    return carom_tie_grid_create(def->face_count[1], w->boxes, &w->grid);
}

static void close_workspace(workspace *w) {
    for (int i = 0; i < w->count; i++)
        free(w->items[i].entries);
    carom_tie_grid_release(&w->grid);
    carom_arena_release(w->arena);
}

carom_status carom_mortar_tie(const carom_mortar_def *def, carom_tie_rows *rows, carom_seam *seam, carom_mortar_result *result,
                              carom_error *error) {
    workspace w = {.def = def};
    covered c = {0};
    *result = (carom_mortar_result){.farthest = -1};
    carom_status status = open(&w) ? CAROM_OK : no_memory(error);
    for (int f = 0; f < def->face_count[0] && !status; f++)
        status = tie_face(&w, &def->faces[0][f], &c, seam, error);
    for (int i = 0; i < w.count && !status; i++) {
        gathering *g = &w.items[i];
        if (g->covered < least_share * g->full || g->count == 0)
            result->left++;
        else if (!add_row(&w, g, rows, result))
            status = no_memory(error);
    }
    rows->surfaces = rows->count;
    for (int side = 0; side < 2; side++)
        result->mean[side] = w.sized[side] ? w.sizes[side] / w.sized[side] : 0;
    free(c.others);
    close_workspace(&w);
    return status;
}
