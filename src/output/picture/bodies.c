// SPDX-License-Identifier: MIT
// Adds the bodies of a frame to the shapes of a picture: triangles of surfaces, bars as cylinders, points as balls.
#include "output/picture/bodies.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

// Radii of bars and points whose radius is not known, as fractions of the framing radius.
static const double bar_radius = 0.012, point_radius = 0.03;

static double radius_of(const carom_picture_def *def, int body) {
    return body < def->body_count ? def->bodies[body].radius : (double)NAN;
}

void carom_bodies_extend(const carom_cell_surface *surface, const double *positions, const carom_picture_def *def,
                         double box[2][3]) {
    for (int b = 0; b < surface->body_count; b++) {
        const carom_cell_surface_body *body = &surface->bodies[b];
        double radius = body->shape == CAROM_CELL_SURFACE_TRIANGLES ? 0 : radius_of(def, b);
        for (int64_t k = body->node_begin; k < body->node_begin + body->node_count; k++)
            for (int i = 0; i < 3; i++) {
                box[0][i] = fmin(box[0][i], positions[3 * k + i] - (radius > 0 ? radius : 0));
                box[1][i] = fmax(box[1][i], positions[3 * k + i] + (radius > 0 ? radius : 0));
            }
    }
}

carom_framing carom_framing_of(const double box[2][3]) {
    carom_framing framing = {.radius = 0};
    for (int i = 0; i < 3; i++)
        framing.centre[i] = 0.5 * (box[0][i] + box[1][i]);
    double half[3];
    carom_difference(box[1], framing.centre, half);
    framing.radius = carom_norm(half);
    // a single point has no size of its own
    if (!(framing.radius > 0) || !isfinite(framing.radius))
        framing.radius = 1;
    return framing;
}

void carom_framing_apply(const carom_framing *framing, const double position[3], double placed[3]) {
    for (int i = 0; i < 3; i++)
        placed[i] = (position[i] - framing->centre[i]) / framing->radius;
}

int carom_bodies_find(const carom_cell_surface *surface, int node) {
    int body = 0;
    while (node >= surface->bodies[body].node_begin + surface->bodies[body].node_count)
        body++;
    return body;
}

// The radius that a bar or a point is drawn with.
static double drawn_radius(const carom_cell_surface *surface, int body, const carom_framing *framing,
                           const carom_picture_def *def) {
    double radius = radius_of(def, body) / framing->radius;
    return radius > 0 ? radius : surface->bodies[body].shape == CAROM_CELL_SURFACE_POINTS ? point_radius : bar_radius;
}

double carom_bodies_lift(const carom_cell_surface *surface, int node, const carom_framing *framing,
                         const carom_picture_def *def) {
    int body = carom_bodies_find(surface, node);
    return surface->bodies[body].shape == CAROM_CELL_SURFACE_TRIANGLES ? 0 : 1.1 * drawn_radius(surface, body, framing, def);
}

static carom_status add_thin(carom_shapes *shapes, const carom_cell_surface *surface, int b, const double *placed,
                             const double *values, bool plain, double radius, carom_error *error) {
    const carom_cell_surface_body *body = &surface->bodies[b];
    carom_status status = CAROM_OK;
    for (int c = 0; c < body->cell_count && !status; c++) {
        if (body->shape == CAROM_CELL_SURFACE_POINTS) {
            int64_t k = surface->cells[body->place + c];
            status = carom_shapes_add_ball(shapes, &placed[3 * k], radius, values[k], plain, error);
            continue;
        }
        double ends[2][3], at[2];
        for (int e = 0; e < 2; e++) {
            int64_t k = surface->cells[body->place + 2 * (int64_t)c + e];
            carom_copy(&placed[3 * k], ends[e]);
            at[e] = values[k];
        }
        status = carom_shapes_add_bar(shapes, (const double(*)[3])ends, radius, at, plain, error);
    }
    return status;
}

carom_status carom_bodies_add(carom_shapes *shapes, const carom_frame_reader *reader, int field, const carom_framing *framing,
                              const double *positions, const double *values, const carom_picture_def *def, carom_error *error) {
    const carom_cell_surface *surface = &reader->surface;
    double *placed = carom_allocate(3 * (int64_t)surface->node_count, sizeof *placed);
    if (!placed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the positions of a picture");
    for (int64_t k = 0; k < surface->node_count; k++)
        carom_framing_apply(framing, &positions[3 * k], &placed[3 * k]);
    carom_status status = CAROM_OK;
    for (int b = 0; b < surface->body_count && !status; b++) {
        const carom_cell_surface_body *body = &surface->bodies[b];
        bool plain = !carom_frame_reader_has(reader, field, b);
        if (body->shape != CAROM_CELL_SURFACE_TRIANGLES) {
            status = add_thin(shapes, surface, b, placed, values, plain, drawn_radius(surface, b, framing, def), error);
            continue;
        }
        const carom_triangles triangles = {
            &surface->cells[body->place], body->cell_count, body->node_begin, body->node_count, body->dimension == 2, plain};
        status = carom_shapes_add_surface(shapes, &triangles, placed, values, error);
        for (int64_t e = body->edge_begin; def->edges && !status && e < body->edge_begin + body->edge_count; e++)
            status = carom_shapes_add_stroke(shapes, &placed[3 * (int64_t)surface->edges[e][0]],
                                             &placed[3 * (int64_t)surface->edges[e][1]], error);
    }
    free(placed);
    return status;
}
