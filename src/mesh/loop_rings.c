// SPDX-License-Identifier: MIT
// Finds the ring of nodes around a node v of a triangle mesh, for the subdivision surface of shells, by walking around v from
// triangle to triangle, counter-clockwise. Beyond a mirrored edge the walk continues through the images of the same triangles
// in reverse order: a place on the walk is a triangle, its corner at v, and the axes across which it is mirrored.
//
// If the walk ends, between an incoming open edge (a, v) and an outgoing one (v, b), the ring is closed by
//     a, g(a, v), extras, g(v, b), b
// with one ghost point g beyond each open edge (i, j) of a triangle (i, j, k), and max(0, 3 - t) extra points for a walk of t
// triangles; X are reference positions, u displacements:
//     free      x_g = x_i + x_j - x_k           extras 2 x_v - x_o, o the opposite neighbour
//     clamped   u_g = u_k, X_g as if free       extras u = u_o
// C. Loop: Smooth subdivision surfaces based on triangles. Thesis, University of Utah, 1987; F. Cirak, M. Ortiz, P. Schroeder,
// Int. J. Numer. Meth. Engng 47 (2000) 2039-2072.
#include "mesh/loop_rings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

// Kinds of open edges in `across`, negative to differ from neighbours.
enum { FREE = -1, CLAMPED = -2, MIRRORED = -5 }; // mirrored across axis i: MIRRORED + i

static bool is_mirror(int across) {
    return across <= MIRRORED + 2;
}

// A triangle on the walk around one of its corners.
typedef struct place {
    int face, corner;
    unsigned mirror; // bit i: mirrored across axis i
} place;

// An odd number of reflections reverses the orientation.
static bool turned(unsigned mirror) {
    return (mirror ^ mirror >> 1 ^ mirror >> 2) & 1;
}

// The node after v, the one before it, and the sides towards them, counter-clockwise in the image.
static int next_node(const carom_loop_rings *r, place p) {
    return r->faces[p.face][(p.corner + (turned(p.mirror) ? 2 : 1)) % 3];
}

static int last_node(const carom_loop_rings *r, place p) {
    return r->faces[p.face][(p.corner + (turned(p.mirror) ? 1 : 2)) % 3];
}

static int side(place p, bool forward) {
    return forward == turned(p.mirror) ? p.corner : (p.corner + 2) % 3;
}

// Moves to the neighbour; false at an open edge, whose kind is then in *end.
static bool walk(const carom_loop_rings *r, bool forward, place *p, int *end) {
    int across = r->across[p->face][side(*p, forward)];
    *end = across;
    if (is_mirror(across)) {
        p->mirror ^= 1u << (across - MIRRORED);
        return true;
    }
    if (across < 0)
        return false;
    // The neighbour has v among its corners, since it shares an edge at v.
    int v = r->faces[p->face][p->corner], face = across / 3, corner = 0;
    while (r->faces[face][corner] != v)
        corner++;
    p->face = face;
    p->corner = corner;
    return true;
}

carom_loop_point carom_loop_node(int node) {
    return (carom_loop_point){.count = 1, .node = {node}, .weight = {1}};
}

// Adds the image of a node to a point.
static void add_term(const carom_loop_rings *r, int node, unsigned mirror, double weight, carom_loop_point *point) {
    // A node in the plane is its own image.
    mirror &= ~(unsigned)r->plane[node];
    point->node[point->count] = node;
    point->weight[point->count] = weight;
    point->mirror[point->count++] = (unsigned char)mirror;
    // Reflection across x_i = c maps x_i to 2 c - x_i: a sign for the weight and an offset 2 c.
    for (int i = 0; i < 3; i++)
        if (mirror >> i & 1)
            point->offset[i] += 2 * weight * r->ends.plane[i];
}

static void position(const carom_loop_rings *r, const carom_loop_point *point, double x[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = point->offset[i];
        for (int t = 0; t < point->count; t++)
            x[i] += (point->mirror[t] >> i & 1 ? -1 : 1) * point->weight[t] * r->mesh->nodes[point->node[t]][i];
    }
}

// A ghost point beyond a clamped edge: it starts at the position of the free one and has the displacement of the node whose
// image it is.
static carom_loop_point clamped_point(const carom_loop_rings *r, const carom_loop_point *free_point, int node,
                                      unsigned mirror) {
    carom_loop_point point = {0};
    double start[3], image[3];
    add_term(r, node, mirror, 1, &point);
    position(r, free_point, start);
    position(r, &point, image);
    for (int i = 0; i < 3; i++)
        // the difference of both positions is constant, since the point moves with the image
        point.offset[i] += start[i] - image[i];
    return point;
}

// The point beyond the open side of a triangle between v and `other`.
static carom_loop_point edge_ghost(const carom_loop_rings *r, place p, int other, int apex, int end) {
    carom_loop_point point = {0};
    add_term(r, r->faces[p.face][p.corner], p.mirror, 1, &point);
    add_term(r, other, p.mirror, 1, &point);
    add_term(r, apex, p.mirror, -1, &point);
    return end == CLAMPED ? clamped_point(r, &point, apex, p.mirror) : point;
}

static carom_loop_point extra_ghost(const carom_loop_rings *r, int v, int opposite, unsigned mirror, bool clamped) {
    carom_loop_point point = {0};
    add_term(r, v, mirror, 2, &point);
    add_term(r, opposite, mirror, -1, &point);
    return clamped ? clamped_point(r, &point, opposite, mirror) : point;
}

static carom_loop_point image(const carom_loop_rings *r, int node, unsigned mirror) {
    carom_loop_point point = {0};
    add_term(r, node, mirror, 1, &point);
    return point;
}

static bool same_place(place a, place b) {
    return a.face == b.face && a.corner == b.corner && a.mirror == b.mirror;
}

// The ring is gathered in two directions from the given triangle; the points beyond the open edges lie between them.
int carom_loop_ring(const carom_loop_rings *r, int face, int corner, carom_loop_point *ring) {
    place start = {face, corner, 0}, p = start, first = start;
    int v = r->faces[face][corner], count = 0, before = 0, end = 0, other_end = 0;
    // Forward to the end of the fan, or once around. A walk does not end at a mirrored edge: it continues among the images.
    do {
        ring[count++] = image(r, next_node(r, p), p.mirror);
        place from = p;
        if (!walk(r, true, &p, &end)) {
            p = from;
            break;
        }
    } while (!same_place(p, start) && count < CAROM_LOOP_VALENCE_MAX);
    // A closed walk, or one closed by its mirror images, needs no ghosts. An open one never exceeds its capacity with them:
    // check_nodes limits the triangles of a node.
    if (end >= 0 || is_mirror(end) || count > CAROM_LOOP_VALENCE_MAX - 6)
        return count;

    // Backward to the other end.
    while (before + count < CAROM_LOOP_VALENCE_MAX) {
        place back = first;
        if (!walk(r, false, &back, &other_end))
            break;
        first = back;
        before++;
    }

    // The ring is closed by a, g(a, v), extras, g(v, b), b.
    int a = last_node(r, p), b = next_node(r, first), triangles = count + before;
    bool clamped = end == CLAMPED || other_end == CLAMPED;
    ring[count++] = image(r, a, p.mirror);
    ring[count++] = edge_ghost(r, p, a, next_node(r, p), end);
    // A fan of one or two triangles has too few neighbours; a regular boundary node has three triangles and two ghosts.
    if (triangles == 2)
        ring[count++] = extra_ghost(r, v, last_node(r, first), first.mirror, clamped);
    if (triangles == 1) {
        ring[count++] = extra_ghost(r, v, b, first.mirror, clamped);
        ring[count++] = extra_ghost(r, v, a, p.mirror, clamped);
    }
    ring[count++] = edge_ghost(r, first, b, last_node(r, first), other_end);
    // The part of the fan behind the start, in counter-clockwise order.
    for (; before > 0 && count < CAROM_LOOP_VALENCE_MAX; before--) {
        ring[count++] = image(r, next_node(r, first), first.mirror);
        walk(r, true, &first, &end);
    }
    return count;
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of a shell");
}

static long long id(const carom_mesh *mesh, int node) {
    return (long long)carom_mesh_node_id(mesh, node);
}

// Copies the triangles of all blocks, numbered one after another.
static carom_status take_faces(carom_loop_rings *r, carom_error *error) {
    const carom_mesh *mesh = r->mesh;
    int f = 0;
    for (int b = 0; b < mesh->block_count; b++)
        for (int e = 0; e < mesh->blocks[b].count; e++, f++) {
            int *face = r->faces[f];
            memcpy(face, &mesh->blocks[b].nodes[3 * e], sizeof *r->faces);
            if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0])
                return carom_fail(error, CAROM_BAD_INPUT, "triangle %lld has a node twice",
                                  (long long)carom_mesh_cell_id_at(mesh, f));
        }
    return CAROM_OK;
}

// The plane in which an open edge is mirrored, or -1. A millionth of the edge covers rounding in the coordinates of files.
static int mirror_of(const carom_loop_rings *r, int a, int b) {
    for (int i = 0; i < 3; i++) {
        if (!r->ends.mirrored[i])
            continue;
        const double *p = r->mesh->nodes[a], *q = r->mesh->nodes[b];
        double size = fabs(p[0] - q[0]) + fabs(p[1] - q[1]) + fabs(p[2] - q[2]);
        if (fabs(p[i] - r->ends.plane[i]) <= 1e-6 * size && fabs(q[i] - r->ends.plane[i]) <= 1e-6 * size)
            return i;
    }
    return -1;
}

// Inadmissible edges of a surface: their number, and the first few by name.
typedef struct faults {
    int count;
    char text[256];
    size_t length;
} faults;

static void note(faults *list, const carom_mesh *mesh, carom_edge edge) {
    enum { NAMED = 4 };
    if (list->count++ < NAMED && list->length < sizeof list->text)
        list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length, "%s%lld-%lld",
                                         list->count > 1 ? ", " : "", id(mesh, edge.from), id(mesh, edge.to));
}

static carom_status blame(const faults *crowded, const faults *against, carom_error *error) {
    const faults *list = crowded->count ? crowded : against;
    if (list->count == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      crowded->count
                          ? "%d edge%s (nodes %s%s) with more than two triangles: a shell is a surface without branches"
                          : "%d edge%s (nodes %s%s) with two triangles of opposite orientation: a shell has one outside; "
                            "`carom mesh FILE --fix` turns them",
                      list->count, list->count > 1 ? "s" : "", list->text, list->count > 4 ? ", ..." : "");
}

// Fills `across` from the edges, sorted by their nodes: an edge with one triangle is open, with two it joins them.
static carom_status join(carom_loop_rings *r, const carom_boundary *surface, const int *edges, int edge_count,
                         carom_error *error) {
    faults crowded = {0}, against = {0};
    for (int e = 0, end; e < edge_count; e = end) {
        end = carom_edge_run(edges, edge_count, e);
        carom_edge one = carom_boundary_edge(surface, edges[e]);
        if (end == e + 1) {
            int axis = mirror_of(r, one.from, one.to);
            // An edge is clamped if both of its ends are.
            bool clamped = r->ends.clamped && r->ends.clamped[one.from] && r->ends.clamped[one.to];
            r->across[one.face][one.side] = axis >= 0 ? MIRRORED + axis : clamped ? CLAMPED : FREE;
            if (axis >= 0) {
                r->plane[one.from] |= (unsigned char)(1 << axis);
                r->plane[one.to] |= (unsigned char)(1 << axis);
            }
            continue;
        }
        carom_edge two = carom_boundary_edge(surface, edges[e + 1]);
        if (end > e + 2) {
            note(&crowded, r->mesh, one);
        } else if (one.from == two.from) {
            // Two triangles of the same orientation run along their common edge in opposite directions.
            note(&against, r->mesh, one);
        } else {
            r->across[one.face][one.side] = 3 * two.face + two.side;
            r->across[two.face][two.side] = 3 * one.face + one.side;
        }
    }
    return blame(&crowded, &against, error);
}

// The triangles of a node must all be on one walk around it, and be neither too few nor too many.
static carom_status check_nodes(const carom_loop_rings *r, int *triangles, carom_error *error) {
    for (int f = 0; f < r->face_count; f++)
        for (int c = 0; c < 3; c++)
            triangles[r->faces[f][c]]++;
    for (int f = 0; f < r->face_count; f++)
        for (int c = 0; c < 3; c++) {
            int v = r->faces[f][c];
            if (triangles[v] == 0)
                continue;
            carom_loop_point ring[CAROM_LOOP_VALENCE_MAX];
            if (triangles[v] > CAROM_LOOP_TRIANGLES_MAX)
                return carom_fail(error, CAROM_BAD_INPUT, "node %lld has %d triangles around it: at most %d", id(r->mesh, v),
                                  triangles[v], CAROM_LOOP_TRIANGLES_MAX);
            int valence = carom_loop_ring(r, f, c, ring), passed = 0;
            place start = {f, c, 0}, p = start;
            int end;
            bool whole = false;
            do {
                // Images are not counted: each triangle of the mesh is met once with no reflection.
                passed += p.mirror == 0;
                if (!walk(r, true, &p, &end))
                    break;
                whole = same_place(p, start);
            } while (!whole);
            for (p = start; !whole && walk(r, false, &p, &end);)
                passed += p.mirror == 0;
            if (passed != triangles[v])
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "parts of the surface touch at node %lld only: a shell needs an edge between them",
                                  id(r->mesh, v));
            if (valence < 3)
                return carom_fail(error, CAROM_BAD_INPUT, "node %lld has %d triangles around it: a shell needs three",
                                  id(r->mesh, v), valence);
            // Each node is checked once.
            triangles[v] = 0;
        }
    return CAROM_OK;
}

// The edges of the surface are sorted by their nodes, so that equal ones are consecutive.
carom_status carom_loop_rings_create(carom_loop_rings *rings, const carom_mesh *mesh, const carom_loop_ends *ends,
                                     carom_error *error) {
    *rings = (carom_loop_rings){.mesh = mesh, .ends = *ends};
    for (int b = 0; b < mesh->block_count; b++)
        rings->face_count += mesh->blocks[b].count;
    rings->faces = carom_allocate(rings->face_count, sizeof *rings->faces);
    rings->across = carom_allocate(rings->face_count, sizeof *rings->across);
    rings->plane = carom_allocate(mesh->node_count, sizeof *rings->plane);
    int *edges = NULL, edge_count = 0, *triangles = carom_allocate(mesh->node_count, sizeof *triangles);
    carom_boundary surface = {0};
    carom_status status = CAROM_OK;
    if (!rings->faces || !rings->across || !rings->plane || !triangles)
        status = no_memory(error);
    if (!status)
        status = take_faces(rings, error);
    if (!status)
        status = carom_boundary_create(&surface, mesh, NULL, NULL, error);
    if (!status)
        status = carom_boundary_edges(&surface, &edges, &edge_count, error);
    if (!status)
        status = join(rings, &surface, edges, edge_count, error);
    if (!status)
        status = check_nodes(rings, triangles, error);
    free(edges);
    free(triangles);
    carom_boundary_release(&surface);
    if (status)
        carom_loop_rings_release(rings);
    return status;
}

void carom_loop_rings_release(carom_loop_rings *rings) {
    free(rings->faces);
    free(rings->across);
    free(rings->plane);
    *rings = (carom_loop_rings){0};
}
