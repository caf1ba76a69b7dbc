// SPDX-License-Identifier: MIT
// Theory: docs/theory/rigid.md
// Mass, mass centre and principal axes of rigid bodies from their surfaces, and their nodes in the model. Over the triangles
// (a, b, c) of a closed surface that encloses the volume V, with D = a.(b x c) and s = a + b + c,
//
//     V = sum D/6,   V centre = sum D/24 s,   int x x^T dV = sum D/120 (a a^T + b b^T + c c^T + s s^T)
//
// and over those of an open one, with the area A of each,
//
//     A centre = sum A/3 s,   int x x^T dA = sum A/12 (a a^T + b b^T + c c^T + s s^T).
//
// Coordinates are relative to the mean of the nodes, so that no digits are lost far from the origin. With S = int x x^T dm
// about the mass centre, the inertia is J = tr(S) 1 - S.
#include "model/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/mat3.h"
#include "math/sum.h"
#include "math/sym3.h"
#include "mesh/topology.h"
#include "model/build/joints.h"

// The largest principal moment of a body is at most the sum of the two others, and equals it for a flat body. It may exceed the
// sum by this fraction of itself, due to rounding.
static const double flat_inertia = 1e-9;

// Sums over triangles: volume or area, first and second moments in the order of sym3.h.
typedef struct moments {
    carom_sum size, first[3], second[6];
} moments;

static void add_triangle(moments *m, bool closed, const double a[3], const double b[3], const double c[3]) {
    double cross[3], s[3], ab[3], ac[3];
    for (int i = 0; i < 3; i++)
        s[i] = a[i] + b[i] + c[i];
    carom_cross(b, c, cross);
    double size = carom_dot(a, cross) / 6, third = 1.0 / 4, square = 1.0 / 20;
    if (!closed) {
        carom_difference(b, a, ab);
        carom_difference(c, a, ac);
        carom_cross(ab, ac, cross);
        size = 0.5 * carom_norm(cross), third = 1.0 / 3, square = 1.0 / 12;
    }
    carom_sum_add(&m->size, size);
    for (int i = 0; i < 3; i++)
        carom_sum_add(&m->first[i], size * third * s[i]);
    for (int n = 0; n < 6; n++) {
        int i = carom_sym3_row[n], j = carom_sym3_column[n];
        carom_sum_add(&m->second[n], size * square * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]));
    }
}

// Adds a face; a quadrilateral is divided at its smallest node, as contact does.
static void add_facet(moments *m, bool closed, const carom_mesh *mesh, const double origin[3], const int nodes[4]) {
    int size = carom_facet_size(nodes), first = 0;
    double x[4][3];
    for (int i = 0; i < size; i++) {
        first = nodes[i] < nodes[first] ? i : first;
        carom_difference(mesh->nodes[nodes[i]], origin, x[i]);
    }
    first = size == 3 ? 0 : first;
    for (int i = 1; i + 1 < size; i++)
        add_triangle(m, closed, x[first], x[(first + i) % size], x[(first + i + 1) % size]);
}

// True if every edge of a face belongs to exactly one other face, in the opposite direction.
static carom_status is_closed(const carom_boundary *boundary, bool *closed, carom_error *error) {
    int *edges = NULL, count = 0;
    carom_status status = carom_boundary_edges(boundary, &edges, &count, error);
    *closed = !status && count > 0;
    for (int e = 0, end; e < count && *closed && !status; e = end) {
        end = carom_edge_run(edges, count, e);
        *closed =
            end == e + 2 && carom_boundary_edge(boundary, edges[e]).from == carom_boundary_edge(boundary, edges[e + 1]).to;
    }
    free(edges);
    return status;
}

carom_status carom_rigid_mass_axes(const double inertia[6], carom_rigid_mass *found, carom_error *error) {
    double rows[3][3], most = 0, sum = 0, cross[3];
    carom_sym3_eigen(inertia, found->inertia, rows);
    for (int i = 0; i < 3; i++) {
        most = fmax(most, found->inertia[i]);
        sum += found->inertia[i];
    }
    for (int i = 0; i < 3; i++)
        if (!(found->inertia[i] > 0) || !isfinite(found->inertia[i]) || most - (sum - most) > flat_inertia * most)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "impossible principal moments of inertia %g, %g, %g: each must be positive, and at most the sum of the "
                "two others",
                found->inertia[0], found->inertia[1], found->inertia[2]);
    // the axes must form a rotation, not a reflection
    carom_cross(rows[0], rows[1], cross);
    double sign = carom_dot(cross, rows[2]) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            found->axes[i][j] = (j == 2 ? sign : 1) * rows[j][i];
    return CAROM_OK;
}

// Sums over the surface of a mesh, with coordinates relative to `origin`.
static carom_status add_up(const carom_mesh *mesh, const double origin[3], bool *closed, moments *m, carom_error *error) {
    carom_boundary boundary = {0};
    carom_status status = carom_boundary_create(&boundary, mesh, NULL, NULL, error);
    if (!status)
        status = is_closed(&boundary, closed, error);
    for (int f = 0; f < boundary.count && !status; f++)
        add_facet(m, *closed, mesh, origin, carom_boundary_facet(&boundary, f).nodes);
    carom_boundary_release(&boundary);
    return status;
}

static carom_status refuse_open(const carom_rigid_params *params, bool closed, double size, carom_error *error) {
    bool dense = !isnan(params->density), heavy = !isnan(params->mass);
    if (dense == heavy)
        return carom_fail(error, CAROM_BAD_INPUT, "a rigid body has either a density or a mass, found %s",
                          dense ? "both" : "neither");
    if (!closed && !heavy)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "its surface is open, so its mass cannot be computed from a density: give the `mass` instead");
    if (!(fabs(size) > 0) || !isfinite(size))
        return carom_fail(error, CAROM_BAD_INPUT, "its surface has %s of %g", closed ? "a volume" : "an area", size);
    return CAROM_OK;
}

carom_status carom_rigid_mass_find(const carom_mesh *mesh, const carom_rigid_params *params, carom_rigid_mass *found,
                                   carom_error *error) {
    moments m = {0};
    double origin[3] = {0}, inertia[6], second[6], first[3];
    bool closed;
    for (int k = 0; k < mesh->node_count; k++)
        carom_add_scaled(1.0 / mesh->node_count, mesh->nodes[k], origin);
    carom_status status = add_up(mesh, origin, &closed, &m, error);
    double size = carom_sum_value(&m.size);
    if (!status)
        status = refuse_open(params, closed, size, error);
    if (status)
        return status;

    // an inward-oriented surface has a negative volume, and moments of the same sign
    *found = (carom_rigid_mass){.mass = isnan(params->mass) ? params->density * fabs(size) : params->mass};
    for (int i = 0; i < 3; i++) {
        first[i] = carom_sum_value(&m.first[i]) / size;
        found->centre[i] = origin[i] + first[i] + params->offset[i];
    }
    for (int n = 0; n < 6; n++)
        second[n] =
            found->mass * (carom_sum_value(&m.second[n]) / size - first[carom_sym3_row[n]] * first[carom_sym3_column[n]]);
    // the given mass centre may differ from the centroid of the shape; the inertia about the mass centre is that of the shape
    // about its centroid
    double trace = second[0] + second[1] + second[2];
    for (int n = 0; n < 6; n++)
        inertia[n] = (n < 3 ? trace : 0) - second[n];
    if (carom_norm(params->inertia) > 0) {
        carom_copy(params->inertia, inertia);
        carom_copy(params->products, inertia + 3);
    } else if (carom_norm(params->products) > 0)
        return carom_fail(error, CAROM_BAD_INPUT, "`products` requires `inertia`");
    return carom_rigid_mass_axes(inertia, found, error);
}

carom_status carom_model_reserve_rigid(carom_model *model, const carom_model_def *def, carom_error *error) {
    int count = 0;
    for (int b = 0; b < def->body_count; b++)
        count += carom_body_def_is_rigid(&def->bodies[b]);
    if (!count)
        return CAROM_OK;
    carom_rigid_body *items = carom_arena_allocate(model->arena, count, sizeof *items);
    int *of_node = carom_arena_allocate(model->arena, model->node_count, sizeof *of_node);
    carom_vectors shape = carom_arena_allocate(model->arena, model->node_count, sizeof *shape);
    if (!items || !of_node || !shape)
        return carom_no_memory(error, "the model");
    for (int k = 0; k < model->node_count; k++)
        of_node[k] = -1;
    // `linkage` only marks the bodies with joints, which have one more node; carom_model_add_linkages sets it later
    for (int b = 0, r = 0; b < def->body_count; b++)
        if (carom_body_def_is_rigid(&def->bodies[b]))
            items[r++].linkage = carom_model_def_joint(def, def->bodies[b].name) != NULL;
    model->rigid = (carom_rigid_bodies){.items = items, .of_node = of_node, .shape = shape, .first_row = model->node_count};
    return CAROM_OK;
}

int carom_model_rigid_nodes(const carom_model *model, const carom_body_def *body) {
    return carom_body_def_is_rigid(body) ? 1 + model->rigid.items[model->rigid.count].linkage : 0;
}

carom_status carom_model_add_rigid(carom_model *model, const carom_body_def *def, carom_body *body, carom_error *error) {
    carom_rigid_mass found;
    carom_error reason;
    carom_status status = carom_rigid_mass_find(def->mesh, def->element.params, &found, &reason);
    if (status)
        return carom_fail(error, status, "body '%s': %s", def->name, reason.message);
    if (def->damping.mass > 0 || def->damping.stiffness > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s': a rigid body has no damping: remove it, or add a damper by `springs`", def->name);
    if (def->mesh->velocities)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': nodes of a rigid body have no velocities of their own",
                          def->name);
    int r = model->rigid.count++;
    carom_rigid_body *one = &model->rigid.items[r];
    bool linked = one->linkage;
    *one = (carom_rigid_body){.number = r,
                              .body = (int)(body - model->bodies),
                              .node_begin = body->node_begin,
                              .node_count = body->node_count - 1,
                              .centre = body->node_begin + body->node_count - 1,
                              .linkage = linked,
                              .mass = found.mass};
    carom_copy(found.inertia, one->inertia);
    carom_mat3_copy((carom_const_vectors)found.axes, one->R);
    carom_copy(def->spin, one->spin);
    one->mass_node = one->centre - linked;
    carom_copy(found.centre, model->X[one->mass_node]);
    carom_copy(found.centre, model->X[one->centre]);
    model->rigid.of_node[one->centre] = -2 - r;
    model->mass[one->mass_node] = body->mass = found.mass;
    for (int k = one->node_begin; k < one->centre; k++) {
        double arm[3];
        carom_difference(model->X[k], model->X[one->centre], arm);
        model->rigid.of_node[k] = r;
        carom_mat3_apply_transposed((carom_const_vectors)one->R, arm, model->rigid.shape[k]);
    }
    return CAROM_OK;
}

carom_status carom_model_check_rigid(carom_model *model, const carom_model_def *def, carom_error *error) {
    for (int r = 0; r < model->restraints.count && model->rigid.count; r++) {
        int k = model->restraints.items[r].node;
        const carom_body *body = &model->bodies[carom_model_node_body(model, k)];
        if (model->rigid.of_node[k] >= 0 && carom_model_rigid(model, carom_model_node_body(model, k)) < 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "node %lld of body '%s' is tied to the rigid body '%s' and cannot be restrained: hold that body "
                              "by `joints`, or restrain other nodes",
                              (long long)carom_model_node_id(model, k), body->name,
                              model->bodies[model->rigid.items[model->rigid.of_node[k]].body].name);
        if (model->rigid.of_node[k] != -1)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s' is rigid, and its nodes cannot be restrained: hold it by `joints`; or drive it by "
                              "the `speed` of a joint; or make it an `obstacle`, if all of its motion is given; or give it a "
                              "material and a deformable element",
                              body->name);
    }
    for (int r = 0; r < model->rigid.count && carom_ties_any(&model->ties); r++) {
        const char *name = model->bodies[model->rigid.items[r].body].name;
        for (int c = 0; c < def->connection_count; c++)
            if (strcmp(def->connections[c].from.body, name) == 0 || strcmp(def->connections[c].to.body, name) == 0)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "body '%s' is rigid, and nothing can be connected to it: use `tied` or `joints`", name);
    }
    return CAROM_OK;
}

int carom_model_rigid(const carom_model *model, int body) {
    for (int r = 0; r < model->rigid.count; r++)
        if (model->rigid.items[r].body == body)
            return r;
    return -1;
}

// Maximum rotation per step, in radians. Nodes move along chords of their circles, which deviate from these by at most 0.5 % of
// the radius then.
static const double max_turn_per_step = 0.2;

double carom_model_turn_step(const carom_model *model) {
    double most = 0;
    for (int r = 0; r < model->rigid.count; r++)
        most = fmax(most, carom_norm(model->rigid.items[r].spin));
    return most > 0 ? max_turn_per_step / most : HUGE_VAL;
}
