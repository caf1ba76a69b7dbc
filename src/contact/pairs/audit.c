// SPDX-License-Identifier: MIT
// Intersections: the tree gives all pairs of faces with overlapping boxes, exact predicates decide. Faces
// with a common node share that point. Any further common point reaches the boundary of one of them away
// from the node, so it suffices to test
//     one common node:   the opposite side of each against the other,
//     two (a fold):      the third corner of each against the other, and the free sides of each against
//     those of the other.
//
// Distance: a descent of the tree against itself, nearer pairs first, that skips all pairs of boxes farther
// apart than the best distance so far. Distances are computed between the features that the two faces own,
// so that each pair of features is met once.
// Theory: docs/theory/audit.md
#include "contact/pairs/audit.h"

#include <math.h>
#include <string.h>

#include "carom/contact.h"
#include "contact/broad/near.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/inside.h"
#include "math/vec3.h"

enum { LANES = CAROM_TREE_WIDTH, CHILDREN = LANES * LANES };

carom_status carom_audit_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_audit *audit, carom_error *error) {
    *audit = (carom_audit){.surface = surface, .exclusions = exclusions, .immovable = immovable};
    return carom_tree_create(surface, &audit->tree, error);
}

void carom_audit_release(carom_audit *audit) {
    carom_tree_release(&audit->tree);
    *audit = (carom_audit){0};
}

// Two immovable bodies may overlap: nothing can change that.
static bool are_immovable(const carom_audit *audit, int a, int b) {
    return audit->immovable && a >= 0 && b >= 0 && audit->immovable[a] && audit->immovable[b];
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

// Quick and certain answers come first, since most faces lie side by side; rounding is far below the
// margins 1e-9.
// Two triangles without a common corner: true if a plane normal to the line between their centres separates
// them.
static bool are_apart(const double *const corner[6]) {
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

// The tests named in the head of this file, after the quick answers.
static bool triangles_intersect(const int first[3], const int second[3], const double (*x)[3]) {
    int f[3], g[3];
    memcpy(f, first, sizeof f);
    memcpy(g, second, sizeof g);
    int common = match(f, g);
    const double *a0 = x[f[0]], *a1 = x[f[1]], *a2 = x[f[2]], *b0 = x[g[0]], *b1 = x[g[1]], *b2 = x[g[2]];
    switch (common) {
    case 0: return !are_apart((const double *const[]){a0, a1, a2, b0, b1, b2}) && meet(a0, a1, a2, b0, b1, b2);
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

// In the plane; segments are triangles without area.
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

// Parts are examined in parallel; their number and content do not depend on threads.
carom_status carom_surface_intersections(carom_audit *audit, const double (*x)[3], int64_t *count, carom_error *error) {
    const carom_surface *s = audit->surface;
    carom_tree *tree = &audit->tree;
    *count = 0;
    carom_status status = carom_tree_fit(tree, x, NULL, 0, false, error);
    if (!status)
        status = carom_tree_query(tree, audit->exclusions, CAROM_TREE_ALL, error);
    if (status)
        return status;
    int64_t sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int p = 0; p < CAROM_TREE_PARTS; p++) {
        // the pairs that intersect stay in the part, in their order
        carom_index_pairs *part = &tree->parts[p];
        int64_t kept = 0;
        for (int64_t i = 0; i < part->count; i++) {
            int f = part->pairs[i][0], g = part->pairs[i][1];
            if (are_immovable(audit, s->body[f], s->body[g]))
                continue;
            bool crossing = s->corners == 2 ? segments_intersect(s->faces[f], s->faces[g], x)
                                            : triangles_intersect(s->faces[f], s->faces[g], x);
            if (!crossing)
                continue;
            part->pairs[kept][0] = f;
            part->pairs[kept++][1] = g;
        }
        part->count = kept;
        sum += kept;
    }
    *count = sum;
    if (audit->filled)
        *count += carom_surface_points_inside(s, audit->filled, audit->exclusions, audit->immovable, x);
    return CAROM_OK;
}

// A search for the smallest distance.
typedef struct search {
    const carom_audit *audit;
    const double (*x)[3];
    double best;     // smallest distance so far
    double rounding; // of distances
    int faces[2];
} search;

static bool are_excluded(const carom_exclusions *exclusions, int a, int b) {
    if (!exclusions || !exclusions->begin)
        return false;
    for (int i = exclusions->begin[a]; i < exclusions->begin[a + 1]; i++)
        if (exclusions->others[i] == b)
            return true;
    return false;
}

// True if two tags of boxes may hide two bodies that are compared.
static bool count_for(const carom_audit *audit, int a, int b) {
    if (a == CAROM_TREE_EMPTY || b == CAROM_TREE_EMPTY)
        return false;
    if (a < 0 || b < 0)
        return true;
    if (audit->surface->thin[a] && audit->surface->thin[b])
        return false;
    return a != b && !are_immovable(audit, a, b) && !are_excluded(audit->exclusions, a, b);
}

// True if a pair of features can be closer than the best so far, by a cheap lower bound.
static bool can_be_nearer(const search *s, carom_narrow_kind kind, const int *nodes) {
    double reach = s->best + s->rounding;
    switch (kind) {
    case CAROM_NARROW_NODE_FACE: return carom_near_node_face(nodes, s->x, s->x, reach) <= reach;
    case CAROM_NARROW_EDGE_EDGE: return carom_near_edge_edge(nodes, s->x, s->x, reach) <= reach;
    default: return carom_near_node_segment(nodes, s->x, s->x, reach) <= reach;
    }
}

// The distance of a pair of features; relative coordinates keep it accurate far from the origin.
static void note(search *s, carom_narrow_kind kind, const int *nodes, int f, int g) {
    if (isfinite(s->best) && !can_be_nearer(s, kind, nodes))
        return;
    int count = carom_narrow_count(kind);
    double x[4][3];
    carom_nearest nearest;
    for (int k = 0; k < count; k++)
        carom_difference(s->x[nodes[k]], s->x[nodes[0]], x[k]);
    carom_narrow_nearest(kind, (carom_const_vectors)x, NULL, &nearest);
    if (nearest.distance < s->best) {
        s->best = nearest.distance;
        s->faces[0] = f;
        s->faces[1] = g;
    }
}

// Nodes owned by face f against face g.
static void note_nodes(search *s, int f, int g) {
    const carom_surface *surface = s->audit->surface;
    carom_narrow_kind kind = surface->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
    const int *corners = surface->faces[g];
    if (!carom_surface_bears(surface, g))
        return;
    for (int i = 0; i < surface->corners; i++)
        if (surface->owned[f] & 1 << i) {
            int nodes[4] = {surface->faces[f][i], corners[0], corners[1], corners[2]};
            note(s, kind, nodes, f, g);
        }
}

// All features owned by two faces.
static void note_faces(search *s, int f, int g) {
    const carom_surface *surface = s->audit->surface;
    note_nodes(s, f, g);
    note_nodes(s, g, f);
    for (int i = 0; i < 3 && surface->corners == 3; i++)
        for (int j = 0; j < 3; j++)
            if (surface->owned[f] & 8 << i && surface->owned[g] & 8 << j) {
                const int *a = surface->edges[surface->face_edges[f][i]], *b = surface->edges[surface->face_edges[g][j]];
                int nodes[4] = {a[0], a[1], b[0], b[1]};
                note(s, CAROM_NARROW_EDGE_EDGE, nodes, f, g);
            }
}

// Lower bound of the distance between two boxes.
static double apart(const carom_block_boxes *p, int k, const carom_block_boxes *q, int j, double scale) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double gap = fmax((double)p->lower[i][k] - q->upper[i][j], (double)q->lower[i][j] - p->upper[i][k]);
        sum += gap > 0 ? gap * gap : 0;
    }
    return sqrt(sum) / scale;
}

// A pair of boxes one level below, and the bound of their distance.
typedef struct child {
    double bound;
    int a, b;
} child;

// All pairs of faces below blocks a <= b of a level, nearest boxes first.
static void descend(search *s, int level, int a, int b) {
    const carom_tree *t = &s->audit->tree;
    int here = t->level_begin[level];
    const carom_block_boxes *p = &t->boxes[here + a], *q = &t->boxes[here + b];
    child children[CHILDREN];
    int count = 0;
    for (int k = 0; k < LANES; k++)
        for (int j = a == b ? (level ? k : k + 1) : 0; j < LANES; j++) {
            if (!count_for(s->audit, t->tags[here + a][k], t->tags[here + b][j]))
                continue;
            child next = {apart(p, k, q, j, t->scale), LANES * a + k, LANES * b + j};
            // insertion sort by bound: at most 16 children
            int place = count++;
            for (; place > 0 && children[place - 1].bound > next.bound; place--)
                children[place] = children[place - 1];
            children[place] = next;
        }
    for (int c = 0; c < count && children[c].bound < s->best; c++) {
        if (level)
            descend(s, level - 1, children[c].a, children[c].b);
        else
            note_faces(s, t->order[children[c].a], t->order[children[c].b]);
    }
}

carom_status carom_surface_distance(carom_audit *audit, const double (*x)[3], double *distance, int faces[2],
                                    carom_error *error) {
    search s = {.audit = audit, .x = x, .best = HUGE_VAL};
    carom_status status = carom_tree_fit(&audit->tree, x, NULL, 0, false, error);
    if (status)
        return status;
    for (int v = 0; v < audit->surface->vertex_count; v++)
        s.rounding = fmax(s.rounding, 1e-14 * carom_norm(x[audit->surface->vertices[v]]));
    if (audit->tree.level_count)
        descend(&s, audit->tree.level_count - 1, 0, 0);
    *distance = s.best;
    if (!faces)
        return CAROM_OK;
    const int *body = audit->surface->body;
    // the face of the smaller body first
    bool turn = isfinite(s.best) && body[s.faces[0]] > body[s.faces[1]];
    faces[0] = s.faces[turn];
    faces[1] = s.faces[!turn];
    return CAROM_OK;
}
