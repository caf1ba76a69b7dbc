// SPDX-License-Identifier: MIT
// Evaluates the smooth surface over a triangle (its patch: the limit of Loop's subdivision) from the nodes around it, for
// shells. A patch is regular if each corner of the triangle has six neighbours. It is then a quartic box spline; J. Stam,
// course notes on subdivision, SIGGRAPH (1998), lists its functions of the barycentric coordinates u, v, w. With
//
//     12 P(u;v,w) = 6u^4 + 24u^3(v+w) + 24u^2(v^2+w^2) + 60u^2vw + 8u(v^3+w^3) + 36uvw(v+w)
//                 + v^4 + 6v^3w + 12v^2w^2 + 6vw^3 + w^4
//     12 Q(u;v,w) = v^4 + 6v^3w + 12v^2w^2 + 6vw^3 + w^4 + 2u(v^3+w^3) + 6uvw(v+w)
//     12 S(u;v)   = u^4 + 2u^3v
//
// they are P at the corners, Q across the sides, S at the six outer nodes.
//
// Any other patch is subdivided. Of the four children the central one is always regular: its corners are new nodes in the
// middle of edges, which have six neighbours. The barycentre of a triangle is that of its central child; a point near a corner
// is the barycentre of the child there, which is regular if the corner is, and is subdivided once more otherwise. Coordinates
// of children differ from those of their parents by factors of -2 (central) and 2 (corner).
#include "mesh/loop_patch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"

// Value and derivatives with respect to (u, v, w) as if independent: f, u, v, w, uu, vv, ww, uv, vw, wu.
enum { F, U, V, W, UU, VV, WW, UV, VW, WU, PARTIALS };

static void corner_function(double u, double v, double w, double d[PARTIALS]) {
    double v2 = v * v, w2 = w * w, u2 = u * u, v3 = v2 * v, w3 = w2 * w, u3 = u2 * u;
    d[F] = (6 * u2 * u2 + 24 * u3 * (v + w) + 24 * u2 * (v2 + w2) + 60 * u2 * v * w + 8 * u * (v3 + w3) +
            36 * u * v * w * (v + w) + v2 * v2 + 6 * v3 * w + 12 * v2 * w2 + 6 * v * w3 + w2 * w2) /
           12;
    d[U] = (24 * u3 + 72 * u2 * (v + w) + 48 * u * (v2 + w2) + 120 * u * v * w + 8 * (v3 + w3) + 36 * v * w * (v + w)) / 12;
    d[V] = (24 * u3 + 48 * u2 * v + 60 * u2 * w + 24 * u * v2 + 36 * u * (2 * v * w + w2) + 4 * v3 + 18 * v2 * w + 24 * v * w2 +
            6 * w3) /
           12;
    d[W] = (24 * u3 + 48 * u2 * w + 60 * u2 * v + 24 * u * w2 + 36 * u * (2 * v * w + v2) + 4 * w3 + 18 * w2 * v + 24 * w * v2 +
            6 * v3) /
           12;
    d[UU] = (72 * u2 + 144 * u * (v + w) + 48 * (v2 + w2) + 120 * v * w) / 12;
    d[VV] = (48 * u2 + 48 * u * v + 72 * u * w + 12 * v2 + 36 * v * w + 24 * w2) / 12;
    d[WW] = (48 * u2 + 48 * u * w + 72 * u * v + 12 * w2 + 36 * v * w + 24 * v2) / 12;
    d[UV] = (72 * u2 + 96 * u * v + 120 * u * w + 24 * v2 + 72 * v * w + 36 * w2) / 12;
    d[WU] = (72 * u2 + 96 * u * w + 120 * u * v + 24 * w2 + 72 * v * w + 36 * v2) / 12;
    d[VW] = (60 * u2 + 72 * u * (v + w) + 18 * v2 + 48 * v * w + 18 * w2) / 12;
}

static void side_function(double u, double v, double w, double d[PARTIALS]) {
    double v2 = v * v, w2 = w * w, v3 = v2 * v, w3 = w2 * w;
    d[F] = (v2 * v2 + 6 * v3 * w + 12 * v2 * w2 + 6 * v * w3 + w2 * w2 + 2 * u * (v3 + w3) + 6 * u * v * w * (v + w)) / 12;
    d[U] = (2 * (v3 + w3) + 6 * v * w * (v + w)) / 12;
    d[V] = (4 * v3 + 18 * v2 * w + 24 * v * w2 + 6 * w3 + 6 * u * v2 + 6 * u * (2 * v * w + w2)) / 12;
    d[W] = (4 * w3 + 18 * w2 * v + 24 * w * v2 + 6 * v3 + 6 * u * w2 + 6 * u * (2 * v * w + v2)) / 12;
    d[UU] = 0;
    d[VV] = (12 * v2 + 36 * v * w + 24 * w2 + 12 * u * (v + w)) / 12;
    d[WW] = (12 * w2 + 36 * v * w + 24 * v2 + 12 * u * (v + w)) / 12;
    d[UV] = d[WU] = (6 * v2 + 12 * v * w + 6 * w2) / 12;
    d[VW] = (18 * v2 + 48 * v * w + 18 * w2 + 12 * u * (v + w)) / 12;
}

static void outer_function(double u, double v, double w, double d[PARTIALS]) {
    (void)w;
    double u2 = u * u;
    memset(d, 0, PARTIALS * sizeof *d);
    d[F] = (u2 * u2 + 2 * u2 * u * v) / 12;
    d[U] = (4 * u2 * u + 6 * u2 * v) / 12;
    d[V] = 2 * u2 * u / 12;
    d[UU] = (12 * u2 + 12 * u * v) / 12;
    d[UV] = 6 * u2 / 12;
}

// The chain rule from (u, v, w), u = 1 - v - w, to the derivatives with respect to v and w.
void carom_loop_basis(double v, double w, double N[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR]) {
    // which function, and its arguments as places in (u, v, w)
    static const struct {
        void (*function)(double, double, double, double *);
        int at[3];
    } of[CAROM_LOOP_REGULAR] = {
        {corner_function, {0, 1, 2}}, {corner_function, {1, 0, 2}}, {corner_function, {2, 0, 1}}, {side_function, {0, 1, 2}},
        {side_function, {1, 0, 2}},   {side_function, {2, 0, 1}},   {outer_function, {0, 2, 1}},  {outer_function, {0, 1, 2}},
        {outer_function, {1, 0, 2}},  {outer_function, {1, 2, 0}},  {outer_function, {2, 1, 0}},  {outer_function, {2, 0, 1}},
    };
    const double at[3] = {1 - v - w, v, w};
    for (int k = 0; k < CAROM_LOOP_REGULAR; k++) {
        double d[PARTIALS], first[3], second[3][3];
        const int *p = of[k].at;
        of[k].function(at[p[0]], at[p[1]], at[p[2]], d);
        first[p[0]] = d[U], first[p[1]] = d[V], first[p[2]] = d[W];
        second[p[0]][p[0]] = d[UU], second[p[1]][p[1]] = d[VV], second[p[2]][p[2]] = d[WW];
        second[p[0]][p[1]] = second[p[1]][p[0]] = d[UV];
        second[p[1]][p[2]] = second[p[2]][p[1]] = d[VW];
        second[p[2]][p[0]] = second[p[0]][p[2]] = d[WU];
        // With u = 1 - v - w: d/dv = f_v - f_u, d/dw = f_w - f_u, and the second derivatives by the same rule twice.
        N[0][k] = d[F];
        N[1][k] = first[1] - first[0];
        N[2][k] = first[2] - first[0];
        N[3][k] = second[1][1] - 2 * second[0][1] + second[0][0];
        N[4][k] = second[2][2] - 2 * second[0][2] + second[0][0];
        N[5][k] = second[1][2] - second[0][1] - second[0][2] + second[0][0];
    }
}

void carom_loop_points(int count, double N[][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR]) {
    // The barycentres of the three children at the corners.
    static const double at[3][2] = {{1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6}, {1.0 / 6, 2.0 / 3}};
    // One point at the barycentre integrates linear functions exactly, three points quadratic ones.
    if (count == 1)
        carom_loop_basis(1.0 / 3, 1.0 / 3, N[0]);
    for (int q = 0; count == 3 && q < 3; q++)
        carom_loop_basis(at[q][0], at[q][1], N[q]);
}

// Loop's weight of each neighbour of a node with n of them, in one subdivision step; 3/16 for three neighbours and 1/16 for six
// are exact.
static double beta_of(int n) {
    double c = 0.375 + 0.25 * carom_cos(6.283185307179586477 / n);
    return n == 3 ? 0.1875 : n == 6 ? 0.0625 : (0.625 - c * c) / n;
}

double carom_loop_limit(int n) {
    // The weight of each neighbour in the limit position of a node: the left eigenvector of the
    // subdivision matrix for eigenvalue 1.
    return 1 / (0.375 / beta_of(n) + n);
}

// A point is a row of weights: four for each node (x, y, z, mass), then three offsets. A net is a patch under construction: its
// corners and the rings around them, each of which begins at the next corner.
typedef struct net {
    int n[3];
    const double *corner[3];
    const double *ring[3][CAROM_LOOP_VALENCE_MAX];
} net;

typedef struct workshop {
    carom_loop_point rings[3][CAROM_LOOP_VALENCE_MAX];
    net parent, child;
    const double *control[CAROM_LOOP_REGULAR];
    int size;     // of a row
    double *rows; // all of them
    int row_count;
} workshop;

static double *new_row(workshop *s) {
    return s->rows + (ptrdiff_t)s->size * s->row_count++;
}

static void add_row(const workshop *s, double factor, const double *from, double *to) {
    for (int i = 0; i < s->size; i++)
        to[i] += factor * from[i];
}

// Loop's rule for an old node: (1 - n beta) of itself and beta of each neighbour.
static const double *vertex_point(workshop *s, const net *p, int c) {
    double *row = new_row(s), beta = beta_of(p->n[c]);
    add_row(s, 1 - p->n[c] * beta, p->corner[c], row);
    for (int m = 0; m < p->n[c]; m++)
        add_row(s, beta, p->ring[c][m], row);
    return row;
}

// Loop's rule for a new node on the edge from corner c to point m of its ring: 3/8 of both ends, 1/8 of both opposite nodes.
static const double *edge_point(workshop *s, const net *p, int c, int m) {
    double *row = new_row(s);
    int n = p->n[c];
    add_row(s, 0.375, p->corner[c], row);
    add_row(s, 0.375, p->ring[c][m], row);
    add_row(s, 0.125, p->ring[c][(m + 1) % n], row);
    add_row(s, 0.125, p->ring[c][(m + n - 1) % n], row);
    return row;
}

// The twelve points of the central child: its corners are the middles of the sides, and the points around them are the three
// old corners and the other edge points next to those.
static void central(workshop *s, const net *p, const double *control[CAROM_LOOP_REGULAR]) {
    control[0] = edge_point(s, p, 1, 0);
    control[1] = edge_point(s, p, 2, 0);
    control[2] = edge_point(s, p, 0, 0);
    for (int c = 0; c < 3; c++)
        control[3 + c] = vertex_point(s, p, c);
    control[6] = edge_point(s, p, 1, p->n[1] - 1);
    control[7] = edge_point(s, p, 2, 2);
    control[8] = edge_point(s, p, 2, p->n[2] - 1);
    control[9] = edge_point(s, p, 0, 2);
    control[10] = edge_point(s, p, 0, p->n[0] - 1);
    control[11] = edge_point(s, p, 1, 2);
}

// The child at corner c of the parent, which becomes the first corner of the child.
static void corner(workshop *s, const net *p, int c, net *child) {
    // Both other corners are middles of edges, hence regular: their rings have six points, all of them edge or vertex points
    // of the parent, or points of the ring around corner 0.
    int c1 = (c + 1) % 3, c2 = (c + 2) % 3, n = p->n[c];
    const double *middle = edge_point(s, p, c1, 0), *v = vertex_point(s, p, c);
    child->n[0] = n;
    child->n[1] = child->n[2] = 6;
    for (int m = 0; m < n; m++)
        child->ring[0][m] = edge_point(s, p, c, m);
    child->corner[0] = v;
    child->corner[1] = child->ring[0][0];
    child->corner[2] = child->ring[0][1];
    const double *first[6] = {child->corner[2],       v,     child->ring[0][n - 1], edge_point(s, p, c1, 2),
                              vertex_point(s, p, c1), middle};
    const double *second[6] = {
        v, child->corner[1], middle, vertex_point(s, p, c2), edge_point(s, p, c2, p->n[c2] - 1), child->ring[0][2]};
    memcpy(child->ring[1], first, sizeof first);
    memcpy(child->ring[2], second, sizeof second);
}

// The twelve points in the order of carom_loop_basis, from the rings of the corners.
static const int ring_of[9] = {1, 0, 0, 0, 0, 1, 1, 2, 2}, place_in_ring[9] = {5, 2, 5, 3, 4, 3, 4, 3, 4};

static void regular_points(const net *p, const double *control[CAROM_LOOP_REGULAR]) {
    memcpy(control, p->corner, sizeof p->corner);
    for (int k = 0; k < 9; k++)
        control[3 + k] = p->ring[ring_of[k]][place_in_ring[k]];
}

// The rows of a quadrature point from the twelve points of a regular child, whose coordinates are `scale` times those of the
// patch.
static void evaluate(const workshop *s, double scale, int q, carom_loop_patch *patch) {
    double N[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];
    int n = patch->node_count;
    carom_loop_basis(1.0 / 3, 1.0 / 3, N);
    for (int r = 0; r < CAROM_LOOP_ROWS; r++) {
        // The chain rule: a child of half the size has coordinates that are scaled by two; second
        // derivatives take the square.
        double factor = r == 0 ? 1 : r < 3 ? scale : scale * scale;
        for (int k = 0; k < CAROM_LOOP_REGULAR; k++) {
            const double *row = s->control[k];
            for (int i = 0; i < 3; i++) {
                patch->offset[q][r][i] += factor * N[r][k] * row[4 * n + i];
                for (int a = 0; a < n; a++)
                    patch->weight[q][r][i][a] += factor * N[r][k] * row[4 * a + i];
            }
            for (int a = 0; r == 0 && a < n; a++)
                patch->mass[q][a] += N[0][k] * row[4 * a + 3];
        }
    }
}

// A patch has about a dozen nodes: no search is faster than a linear one.
static int place_of(const carom_loop_patch *patch, int node) {
    int a = 0;
    while (a < patch->node_count && patch->nodes[a] != node)
        a++;
    return a;
}

static void add_nodes(const carom_loop_point *point, carom_loop_patch *patch) {
    for (int t = 0; t < point->count; t++) {
        int a = place_of(patch, point->node[t]);
        if (a == patch->node_count)
            patch->nodes[patch->node_count++] = point->node[t];
        patch->affine = patch->affine || point->mirror[t];
    }
    patch->affine = patch->affine || point->offset[0] != 0 || point->offset[1] != 0 || point->offset[2] != 0;
}

// The nodes of a patch in the order of their first appearance; those of a regular one in the order of carom_loop_basis.
static void survey(const carom_loop_rings *rings, int face, carom_loop_point (*ring)[CAROM_LOOP_VALENCE_MAX], int n[3],
                   carom_loop_patch *patch) {
    patch->node_count = 0;
    patch->affine = false;
    patch->regular = true;
    for (int c = 0; c < 3; c++)
        patch->nodes[patch->node_count++] = rings->faces[face][c];
    for (int c = 0; c < 3; c++) {
        n[c] = carom_loop_ring(rings, face, c, ring[c]);
        patch->regular = patch->regular && n[c] == 6;
        for (int m = 0; m < n[c]; m++) {
            patch->regular = patch->regular && carom_loop_is_node(&ring[c][m]);
            add_nodes(&ring[c][m], patch);
        }
    }
    // On a small closed surface, such as a tetrahedron, nodes may occur twice.
    patch->regular = patch->regular && patch->node_count == CAROM_LOOP_REGULAR;
    if (!patch->regular)
        return;
    for (int k = 0; k < 9; k++)
        patch->nodes[3 + k] = ring[ring_of[k]][place_in_ring[k]].node[0];
}

void carom_loop_patch_survey(const carom_loop_rings *rings, int face, carom_loop_patch *patch) {
    carom_loop_point ring[3][CAROM_LOOP_VALENCE_MAX];
    int n[3];
    survey(rings, face, ring, n, patch);
}

// The weights of a point of a ring. Mass is counted without mirror images.
static const double *row_of(workshop *s, const carom_loop_point *point, const carom_loop_patch *patch) {
    double *row = new_row(s);
    for (int t = 0; t < point->count; t++) {
        int a = place_of(patch, point->node[t]);
        for (int i = 0; i < 3; i++)
            // A mirror image changes the sign of the coordinate across its plane. The offset of the plane is added below.
            row[4 * a + i] += (point->mirror[t] >> i & 1 ? -1 : 1) * point->weight[t];
        row[4 * a + 3] += point->weight[t];
    }
    for (int i = 0; i < 3; i++)
        row[4 * patch->node_count + i] = point->offset[i];
    return row;
}

static void fill(workshop *s, int point_count, carom_loop_patch *patch) {
    for (int c = 0; c < 3; c++) {
        carom_loop_point node = carom_loop_node(patch->nodes[c]);
        s->parent.corner[c] = row_of(s, &node, patch);
        for (int m = 0; m < s->parent.n[c]; m++)
            s->parent.ring[c][m] = row_of(s, &s->rings[c][m], patch);
    }
    // The barycentre is that of the central child, whose coordinates are scaled by -2.
    if (point_count == 1) {
        central(s, &s->parent, s->control);
        evaluate(s, -2, 0, patch);
        return;
    }
    for (int q = 0; q < 3; q++) {
        corner(s, &s->parent, q, &s->child);
        // The barycentre of the child at a corner is the quadrature point near it; an irregular child takes one more
        // subdivision.
        bool regular = s->child.n[0] == 6;
        if (regular)
            regular_points(&s->child, s->control);
        else
            central(s, &s->child, s->control);
        evaluate(s, regular ? 2 : -4, q, patch);
    }
}

// A regular patch has no weights of its own.
bool carom_loop_patch_create(const carom_loop_rings *rings, int face, int point_count, carom_loop_patch *patch) {
    memset(patch, 0, sizeof *patch);
    workshop *s = carom_allocate(1, sizeof *s);
    bool good = s;
    if (s) {
        survey(rings, face, s->rings, s->parent.n, patch);
        int points = s->parent.n[0] + s->parent.n[1] + s->parent.n[2];
        s->size = 4 * patch->node_count + 3;
        // Holds the rings of the parent, those of one child per point, and the points of a central child.
        s->rows = patch->regular ? NULL : carom_allocate((int64_t)s->size * (4 * points + 96), sizeof *s->rows);
        good = patch->regular || s->rows;
        if (s->rows)
            fill(s, point_count, patch);
        free(s->rows);
    }
    free(s);
    return good;
}
