// SPDX-License-Identifier: MIT
// Triangles of a picture: surfaces with smoothed normals, cylinders for bars, balls for points, and strokes for edges.
#include "output/picture/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"

// Cosine of the largest angle between faces of a smooth surface, about 35 degrees.
static const double smooth_cosine = 0.82;
static const double full_turn = 2 * 3.14159265358979323846;

// Sides of a bar, and rings of a ball.
enum { SIDES = 20, RINGS = 12 };

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the shapes of a picture");
}

void carom_shapes_release(carom_shapes *shapes) {
    free(shapes->shapes);
    free(shapes->strokes);
    *shapes = (carom_shapes){0};
}

static carom_shape *next_shape(carom_shapes *shapes) {
    carom_shape *grown = carom_grow(shapes->shapes, shapes->count, &shapes->capacity, sizeof *grown);
    if (!grown)
        return NULL;
    shapes->shapes = grown;
    carom_shape *shape = &grown[shapes->count++];
    *shape = (carom_shape){0};
    return shape;
}

carom_status carom_shapes_add_stroke(carom_shapes *shapes, const double from[3], const double to[3], carom_error *error) {
    carom_stroke *grown = carom_grow(shapes->strokes, shapes->stroke_count, &shapes->stroke_capacity, sizeof *grown);
    if (!grown)
        return no_memory(error);
    shapes->strokes = grown;
    carom_copy(from, grown[shapes->stroke_count].from);
    carom_copy(to, grown[shapes->stroke_count++].to);
    return CAROM_OK;
}

// Twice the area times the unit normal.
static void face_normal(const double *positions, const int *nodes, double normal[3]) {
    double a[3], b[3];
    carom_difference(&positions[3 * (int64_t)nodes[1]], &positions[3 * (int64_t)nodes[0]], a);
    carom_difference(&positions[3 * (int64_t)nodes[2]], &positions[3 * (int64_t)nodes[0]], b);
    carom_cross(a, b, normal);
}

// The triangles around each node, as two arrays: those of node k are around[begin[k]] to around[begin[k + 1]].
static bool find_around(const carom_triangles *triangles, int **begin, int **around) {
    *begin = carom_allocate((int64_t)triangles->node_count + 2, sizeof **begin);
    *around = carom_allocate(3 * (int64_t)triangles->count, sizeof **around);
    if (!*begin || !*around)
        return false;
    // counting sort: counts are stored two places ahead, so that begin[k] is the beginning of node k after the lists are filled
    for (int i = 0; i < 3 * triangles->count; i++)
        (*begin)[triangles->nodes[i] - triangles->node_begin + 2]++;
    for (int k = 0; k < triangles->node_count; k++)
        (*begin)[k + 2] += (*begin)[k + 1];
    for (int i = 0; i < 3 * triangles->count; i++)
        (*around)[(*begin)[triangles->nodes[i] - triangles->node_begin + 1]++] = i / 3;
    return true;
}

carom_status carom_shapes_add_surface(carom_shapes *shapes, const carom_triangles *triangles, const double *positions,
                                      const double *values, carom_error *error) {
    const int count = triangles->count;
    int *begin = NULL, *around = NULL;
    double(*normals)[3] = carom_allocate(count, sizeof *normals);
    bool good = find_around(triangles, &begin, &around) && normals;
    for (int t = 0; good && t < count; t++)
        face_normal(positions, &triangles->nodes[3 * (int64_t)t], normals[t]);
    for (int t = 0; good && t < count; t++) {
        carom_shape *shape = next_shape(shapes);
        good = shape != NULL;
        if (!good)
            break;
        shape->sheet = triangles->sheet;
        shape->plain = triangles->plain;
        double own[3];
        carom_copy(normals[t], own);
        carom_normalize(own);
        for (int i = 0; i < 3; i++) {
            int node = triangles->nodes[3 * (int64_t)t + i], k = node - triangles->node_begin;
            carom_corner *corner = &shape->corners[i];
            carom_copy(&positions[3 * (int64_t)node], corner->at);
            corner->value = values[node];
            // the mean, weighted by area, over the faces that are nearly parallel to this one
            for (int j = begin[k]; j < begin[k + 1]; j++) {
                const double *other = normals[around[j]];
                if (carom_dot(own, other) >= smooth_cosine * carom_norm(other))
                    carom_add_scaled(1, other, corner->normal);
            }
            carom_normalize(corner->normal);
        }
    }
    free(begin);
    free(around);
    free(normals);
    return good ? CAROM_OK : no_memory(error);
}

// Adds a triangle of corners that have their normals.
static bool add_triangle(carom_shapes *shapes, const carom_corner *a, const carom_corner *b, const carom_corner *c,
                         bool plain) {
    carom_shape *shape = next_shape(shapes);
    if (!shape)
        return false;
    *shape = (carom_shape){.corners = {*a, *b, *c}, .plain = plain};
    return true;
}

// Two directions across an axis of length 1.
static void find_across(const double axis[3], double first[3], double second[3]) {
    const double helper[3] = {axis[0] * axis[0] < 0.5, axis[0] * axis[0] >= 0.5, 0};
    carom_cross(axis, helper, first);
    carom_normalize(first);
    carom_cross(axis, first, second);
}

carom_status carom_shapes_add_bar(carom_shapes *shapes, const double ends[2][3], double radius, const double values[2],
                                  bool plain, carom_error *error) {
    double axis[3], x[3], y[3];
    carom_difference(ends[1], ends[0], axis);
    if (!(carom_normalize(axis) > 0))
        return CAROM_OK;
    find_across(axis, x, y);
    bool good = true;
    for (int s = 0; s < SIDES && good; s++) {
        // [side][end]: corners of the wall; those of the caps have the same positions and other normals
        carom_corner wall[2][2], cap[2][2], middle[2];
        for (int i = 0; i < 2; i++)
            for (int e = 0; e < 2; e++) {
                double angle = full_turn * (s + i) / SIDES, c = carom_cos(angle), d = carom_sin(angle);
                wall[i][e] = (carom_corner){.value = values[e]};
                carom_copy(ends[e], wall[i][e].at);
                for (int k = 0; k < 3; k++)
                    wall[i][e].normal[k] = c * x[k] + d * y[k];
                carom_add_scaled(radius, wall[i][e].normal, wall[i][e].at);
                middle[e] = (carom_corner){.value = values[e]};
                carom_copy(ends[e], middle[e].at);
                carom_add_scaled(e ? 1 : -1, axis, middle[e].normal);
                cap[i][e] = middle[e];
                carom_copy(wall[i][e].at, cap[i][e].at);
            }
        good = add_triangle(shapes, &wall[0][0], &wall[1][0], &wall[1][1], plain) &&
               add_triangle(shapes, &wall[0][0], &wall[1][1], &wall[0][1], plain) &&
               add_triangle(shapes, &middle[0], &cap[1][0], &cap[0][0], plain) &&
               add_triangle(shapes, &middle[1], &cap[0][1], &cap[1][1], plain);
    }
    return good ? CAROM_OK : no_memory(error);
}

// A corner on a ball: ring 0 is the lower pole, RINGS the upper one.
static carom_corner ball_corner(const double centre[3], double radius, double value, int ring, int side) {
    double polar = 0.5 * full_turn * ring / RINGS, angle = full_turn * side / SIDES;
    carom_corner corner = {
        .normal = {carom_sin(polar) * carom_cos(angle), carom_sin(polar) * carom_sin(angle), -carom_cos(polar)},
        .value = value};
    carom_copy(centre, corner.at);
    carom_add_scaled(radius, corner.normal, corner.at);
    return corner;
}

carom_status carom_shapes_add_ball(carom_shapes *shapes, const double centre[3], double radius, double value, bool plain,
                                   carom_error *error) {
    for (int ring = 0; ring < RINGS; ring++)
        for (int side = 0; side < SIDES; side++) {
            carom_corner a = ball_corner(centre, radius, value, ring, side),
                         b = ball_corner(centre, radius, value, ring, side + 1),
                         c = ball_corner(centre, radius, value, ring + 1, side + 1),
                         d = ball_corner(centre, radius, value, ring + 1, side);
            if ((ring > 0 && !add_triangle(shapes, &a, &b, &c, plain)) ||
                (ring < RINGS - 1 && !add_triangle(shapes, &a, &c, &d, plain)))
                return no_memory(error);
        }
    return CAROM_OK;
}
