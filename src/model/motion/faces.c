// SPDX-License-Identifier: MIT
// Selects the faces of bodies on which loads act, and integrates over them. The force of a uniform pressure p on node a of a
// face is -p times the integral of N_a n dA, with N_a the shape function of the node and n dA the current outward area element.
// For
//
//     an edge (a, b) of thickness t     t (b - a) x e_z / 2                              on each node
//     a triangle                        (b - a) x (c - a) / 6                            on each node
//     a bilinear quadrilateral          sum of N_a (x_r x x_s) over 2 x 2 Gauss points, exact for degree 2 in r and s
//
// Over a closed surface these are the derivatives of the enclosed volume: the pressure has the potential p V, no resultant and
// no moment.
#include "model/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "mesh/generate/sides.h"
#include "model/model.h"

// Shape functions of a quadrilateral at a Gauss point, and the tangents x_r, x_s there.
static void quad_point(const carom_load_face *face, const double (*x)[3], int q, double N[4], double normal[3]) {
    static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    // Gauss points at +-1/sqrt(3) with unit weights.
    double r = at[q][0] / sqrt(3.0), s = at[q][1] / sqrt(3.0), x_r[3] = {0}, x_s[3] = {0};
    for (int a = 0; a < 4; a++) {
        const double *c = at[a];
        N[a] = 0.25 * (1 + c[0] * r) * (1 + c[1] * s);
        carom_add_scaled(0.25 * c[0] * (1 + c[1] * s), x[face->nodes[a]], x_r);
        carom_add_scaled(0.25 * c[1] * (1 + c[0] * r), x[face->nodes[a]], x_s);
    }
    carom_cross(x_r, x_s, normal);
}

// Twice the area vector of a triangle, or the vector of an edge.
static void flat_normal(const carom_load_face *face, const double (*x)[3], double normal[3]) {
    static const double up[3] = {0, 0, 1};
    double d1[3], d2[3];
    carom_difference(x[face->nodes[1]], x[face->nodes[0]], d1);
    if (face->nodes[2] < 0) {
        // Outward for an edge that runs counter-clockwise about its body.
        carom_cross(d1, up, normal);
        return;
    }
    carom_difference(x[face->nodes[2]], x[face->nodes[0]], d2);
    carom_cross(d1, d2, normal);
}

// The integration points of a face: the normal at each, and the weight of each node. Returns the number of points.
static int find_points(const carom_load_face *face, const double (*x)[3], double N[4][4], double normal[4][3]) {
    if (face->nodes[3] >= 0) {
        for (int q = 0; q < 4; q++)
            quad_point(face, x, q, N[q], normal[q]);
        return 4;
    }
    flat_normal(face, x, normal[0]);
    for (int a = 0; a < 4; a++)
        // t/2 of an edge for each end, a third of half the cross product for each corner.
        N[0][a] = face->nodes[2] < 0 ? face->thickness / 2 : 1.0 / 6;
    return 1;
}

static int size_of(const carom_load_face *face) {
    return face->nodes[3] >= 0 ? 4 : face->nodes[2] < 0 ? 2 : 3;
}

void carom_load_face_normals(const carom_load_face *face, const double (*x)[3], double area[4][3]) {
    double N[4][4], normal[4][3];
    for (int q = 0, points = find_points(face, x, N, normal); q < points; q++)
        for (int a = 0; a < size_of(face); a++)
            carom_add_scaled(N[q][a], normal[q], area[a]);
}

void carom_load_face_areas(const carom_load_face *face, const double (*x)[3], double area[4]) {
    double N[4][4], normal[4][3];
    for (int q = 0, points = find_points(face, x, N, normal); q < points; q++)
        for (int a = 0; a < size_of(face); a++)
            // Areas rather than area vectors: a traction has its own direction.
            area[a] += N[q][a] * carom_norm(normal[q]);
}

// The nodes of a face, ascending: they identify it from either side.
typedef struct face_key {
    int nodes[4];
} face_key;

static face_key key_of(const int nodes[4]) {
    face_key key;
    memcpy(key.nodes, nodes, sizeof key.nodes);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && key.nodes[j] < key.nodes[j - 1]; j--) {
            int n = key.nodes[j];
            key.nodes[j] = key.nodes[j - 1];
            key.nodes[j - 1] = n;
        }
    return key;
}

static int compare_keys(const void *a, const void *b) {
    const face_key *p = a, *q = b;
    for (int i = 0; i < 4; i++)
        if (p->nodes[i] != q->nodes[i])
            return p->nodes[i] < q->nodes[i] ? -1 : 1;
    return 0;
}

// The faces of a body on which loads may act.
typedef struct boundary {
    carom_facet *facets;
    int count;
    double thickness;
} boundary;

// Finds faces of solids, or edges of plane bodies, that belong to one cell only; or the cells of shells.
static carom_status find_boundary(const carom_body_def *def, boundary *found, carom_error *error) {
    const carom_element *element = (const carom_element *)def->element.kind;
    int dimension = carom_contact_dimension(element);
    *found = (boundary){.thickness = 1};
    // Shells are bodies in space: their faces are their cells.
    if (dimension == 3)
        return carom_mesh_surface(def->mesh, &found->facets, &found->count, error);
    if (element->cell != CAROM_CELL_TRI3 && element->cell != CAROM_CELL_QUAD4)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s' has no faces: pressure and traction act on solids, shells and plane bodies", def->name);
    found->thickness = element->section ? element->section(def->element.params) : 1;
    return carom_mesh_rim(def->mesh, &found->facets, &found->count, error);
}

// Appends the faces of one body; `keys` is as long as the face set.
static carom_status choose(const carom_body_def *def, const carom_body *body, const carom_face_set *set, const bool *marked,
                           const boundary *from, carom_load_face *faces, int *count, face_key *keys, carom_error *error) {
    for (int i = 0; set && i < set->count; i++)
        keys[i] = key_of(set->nodes[i]);
    if (set)
        // Sorted once, so that each face of the surface is found by bisection.
        qsort(keys, (size_t)set->count, sizeof *keys, compare_keys);
    int found = 0;
    for (int f = 0; f < from->count; f++) {
        face_key key = key_of(from->facets[f].nodes);
        // A face of the set that is not on the surface is an error of the input, reported below.
        if (set && !bsearch(&key, keys, (size_t)set->count, sizeof *keys, compare_keys))
            continue;
        found++;
        bool whole = true;
        carom_load_face face = {.nodes = {-1, -1, -1, -1}, .thickness = from->thickness};
        for (int i = 0; i < 4 && from->facets[f].nodes[i] >= 0; i++) {
            face.nodes[i] = body->node_begin + from->facets[f].nodes[i];
            whole = whole && marked[face.nodes[i]];
        }
        // Both must hold: the conditions on nodes, and membership in the face set.
        if (whole)
            faces[(*count)++] = face;
    }
    if (set && found < set->count)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': %d of %d faces of set '%s' are not on its surface", def->name,
                          set->count - found, set->count, set->name);
    return CAROM_OK;
}

// Appends the selected faces of one body to a growing list.
static carom_status select_in(const carom_body_def *def, const carom_body *body, const char *set_name, const bool *marked,
                              carom_load_face **faces, int *count, carom_error *error) {
    boundary from;
    carom_status status = find_boundary(def, &from, error);
    if (status)
        return status;
    const carom_face_set *set = set_name[0] ? carom_mesh_face_set(def->mesh, set_name) : NULL;
    face_key *keys = carom_allocate(set ? set->count : 0, sizeof *keys);
    // For all faces of the body, used or not; one more keeps realloc from size zero.
    carom_load_face *grown = realloc(*faces, ((size_t)*count + (size_t)from.count + 1) * sizeof *grown);
    if (grown)
        *faces = grown;
    if (!keys || !grown)
        status = carom_no_memory(error, "the faces of a load");
    else
        status = choose(def, body, set, marked, &from, *faces, count, keys, error);
    free(from.facets);
    free(keys);
    return status;
}

// Marks the nodes that satisfy the conditions; a face set is tested with the faces.
static carom_status mark_nodes(const carom_model *model, const carom_model_def *def, const carom_selection *where, bool *marked,
                               carom_error *error) {
    carom_selection conditions = *where;
    for (int b = 0; b < model->body_count; b++)
        if (carom_body_is_called(&model->bodies[b], where->body) && carom_mesh_face_set(def->bodies[b].mesh, where->set))
            // The name of a face set is not that of a node set.
            conditions.set[0] = 0;
    int *nodes, count;
    carom_status status = carom_model_select(model, &conditions, &nodes, &count, error);
    for (int i = 0; i < count; i++)
        marked[nodes[i]] = true;
    free(nodes);
    return status;
}

carom_status carom_model_select_faces(const carom_model *model, const carom_model_def *def, const carom_selection *where,
                                      carom_load_face **faces, int *count, carom_error *error) {
    *faces = NULL;
    *count = 0;
    if (where->node != CAROM_AUTO || where->nearest.given)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a single node of body '%s' has no faces: select a side by `set`, or a region such as `in_box`",
                          where->body);
    bool *marked = carom_allocate(model->node_count, sizeof *marked);
    carom_status status = marked ? mark_nodes(model, def, where, marked, error) : carom_no_memory(error, "the faces of a load");
    for (int b = 0; b < model->body_count && !status; b++)
        if (carom_body_is_called(&model->bodies[b], where->body))
            status = select_in(&def->bodies[b], &model->bodies[b], where->set, marked, faces, count, error);
    free(marked);
    if (!status && *count == 0)
        status = carom_fail(
            error, CAROM_BAD_INPUT,
            "no face of body '%s' is selected: none has all of its nodes there; select a side by `set`, or a larger region",
            where->body);
    if (status) {
        free(*faces);
        *faces = NULL;
        *count = 0;
    }
    return status;
}
