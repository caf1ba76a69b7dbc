// SPDX-License-Identifier: MIT
// Detects prescribed motions that lead into each other (closing.h): two bodies that come within the height r of the contact
// layer of each other. Each step is checked, but most are excluded: with D the least distance of these bodies at the positions
// of the last search, none have come so near while all displacements since then differ by less than D - r.
#include "model/watch/closing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/pairs/crossing.h"
#include "math/vec3.h"

// The least distance is reduced by this fraction, for rounding.
static const double distance_margin = 1e-9;

// Bodies that start nearer than this many heights of the layer may pass.
static const double touching_layers = 1.01;

typedef struct plane_pair {
    int body, plane;
    double least; // height below which the obstacle has met the plane
} plane_pair;

struct carom_closing {
    const carom_model *model;
    carom_surface surface; // of the bodies that cannot yield
    bool *still;           // per body: does not move, or yields
    int (*passing)[2];     // pairs of bodies that may pass
    int64_t passing_count, passing_capacity;
    carom_exclusions exclusions; // the same
    carom_audit audit;
    plane_pair *planes; // obstacles and planes in front of which they start
    int plane_count;
    double layer;
    double (*start)[3];    // positions at the start of the step
    double (*searched)[3]; // positions of the last search
    double distance;       // there; negative: unknown
};

// True if the prescribed velocity of a body ever differs from zero.
static bool moves(const carom_model *model, int b) {
    const carom_body *body = &model->bodies[b];
    if (carom_poses_has(&model->poses, b))
        return model->poses.items[model->poses.of_body[b]].moves;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        int r = model->restraints.of_node[k];
        if (carom_norm(model->restraints.items[r].velocity) > 0 ||
            (model->drives.of_restraint && model->drives.of_restraint[r].count))
            return true;
    }
    return false;
}

// Lets two bodies pass. False if memory is short.
static bool let_pass(carom_closing *closing, int a, int b) {
    return carom_append(&closing->passing, &closing->passing_count, &closing->passing_capacity, (const int[2]){a, b},
                        sizeof *closing->passing);
}

// Excludes the pairs that may pass from the search.
static carom_status exclude(carom_closing *closing, carom_error *error) {
    carom_exclusions_release(&closing->exclusions);
    return carom_exclusions_build(closing->model->body_count, (const int(*)[2])closing->passing, (int)closing->passing_count,
                                  &closing->exclusions, error);
}

// Lets those pairs pass that intersect or are within the layer at the start.
static carom_status exclude_touching(carom_closing *closing, carom_error *error) {
    carom_const_vectors X = (carom_const_vectors)closing->model->X;
    const int *body = closing->surface.body;
    int64_t count;
    carom_status status = carom_surface_intersections(&closing->audit, X, &count, error);
    for (int64_t i = 0; !status && i < closing->audit.crossings.count; i++) {
        const int *faces = closing->audit.crossings.pairs[i];
        if (!let_pass(closing, body[faces[0]], body[faces[1]]))
            status = carom_no_memory(error, "contact");
    }
    if (!status)
        status = exclude(closing, error);
    double near = touching_layers * closing->layer;
    for (double distance = 0; !status && distance < near;) {
        int faces[2];
        status = carom_surface_distance(&closing->audit, X, near, &distance, faces, error);
        if (!status && distance < near)
            status =
                let_pass(closing, body[faces[0]], body[faces[1]]) ? exclude(closing, error) : carom_no_memory(error, "contact");
    }
    return status;
}

// The height of a point above a plane.
static double height_of(const carom_plane_def *plane, const double x[3]) {
    double arm[3];
    carom_difference(x, plane->point, arm);
    return carom_dot(plane->normal, arm) / carom_norm(plane->normal);
}

// The node of a body that is lowest above a plane.
static int lowest_of(const carom_model *model, int b, const carom_plane_def *plane, const double (*x)[3]) {
    const carom_body *body = &model->bodies[b];
    int lowest = body->node_begin;
    double least = HUGE_VAL;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        double height = carom_dot(plane->normal, x[k]);
        lowest = height < least ? k : lowest;
        least = height < least ? height : least;
    }
    return lowest;
}

// Lists the obstacles that move and the planes in front of which they start; those that start on one must leave the layer to
// pass it. False if memory is short.
static bool find_planes(carom_closing *closing) {
    const carom_model *model = closing->model;
    closing->planes = carom_allocate((int64_t)model->poses.count * model->contact.plane_count, sizeof *closing->planes);
    for (int i = 0; closing->planes && i < model->poses.count; i++)
        for (int p = 0; p < model->contact.plane_count; p++) {
            const carom_plane_def *plane = &model->contact.planes[p];
            int side[2] = {model->poses.items[i].body, -1 - p};
            double height = height_of(plane, model->X[lowest_of(model, side[0], plane, (carom_const_vectors)model->X)]);
            if (!model->poses.items[i].moves || carom_contact_law_of(&model->laws, side).no_contact || height < -closing->layer)
                continue;
            double least = height < touching_layers * closing->layer ? -touching_layers * closing->layer : closing->layer;
            closing->planes[closing->plane_count++] = (plane_pair){side[0], p, least};
        }
    return closing->planes;
}

// Finds what cannot yield: the surface, what of it is still, and the pairs without contact.
static carom_status find_bodies(carom_closing *closing, int *movers, carom_error *error) {
    const carom_model *model = closing->model;
    bool enough = true;
    for (int b = 0; b < model->body_count; b++) {
        closing->still[b] = !model->immovable[b] || !moves(model, b);
        *movers += !closing->still[b];
        enough = enough && let_pass(closing, b, b);
    }
    for (int i = 0; i < model->laws.count; i++) {
        const int *body = model->laws.exceptions[i].body;
        if (body[0] >= 0 && body[1] >= 0 && model->laws.exceptions[i].law.no_contact)
            enough = enough && let_pass(closing, body[0], body[1]);
    }
    if (!enough)
        return carom_no_memory(error, "contact");
    carom_status status = carom_surface_copy(&model->surface, model->immovable, true, &closing->surface, error);
    if (!status)
        status = exclude(closing, error);
    if (!status)
        status = carom_audit_create(&closing->surface, &closing->exclusions, closing->still, &closing->audit, error);
    return status;
}

carom_status carom_closing_create(const carom_model *model, carom_closing **closing, carom_error *error) {
    *closing = NULL;
    int immovable = 0, movers = 0;
    for (int b = 0; b < model->body_count; b++)
        immovable += model->immovable[b];
    if (!model->contact.enabled || !model->surface.face_count || immovable == 0 ||
        (immovable == 1 && model->contact.plane_count == 0))
        return CAROM_OK;
    carom_closing *c = carom_allocate(1, sizeof *c);
    if (!c)
        return carom_no_memory(error, "contact");
    c->model = model;
    c->distance = -1;
    c->layer = model->contact.layer * model->surface_length;
    c->still = carom_allocate(model->body_count, sizeof *c->still);
    carom_status status = c->still ? find_bodies(c, &movers, error) : carom_no_memory(error, "contact");
    if (!status && movers) {
        c->start = carom_allocate(model->node_count, sizeof *c->start);
        c->searched = carom_allocate(model->node_count, sizeof *c->searched);
        status = c->start && c->searched && find_planes(c) ? exclude_touching(c, error) : carom_no_memory(error, "contact");
    }
    if (status || !movers)
        carom_closing_release(c);
    else
        *closing = c;
    return status;
}

void carom_closing_release(carom_closing *closing) {
    if (!closing)
        return;
    carom_audit_release(&closing->audit);
    carom_exclusions_release(&closing->exclusions);
    carom_surface_release(&closing->surface);
    free(closing->still);
    free(closing->passing);
    free(closing->planes);
    free(closing->start);
    free(closing->searched);
    free(closing);
}

void carom_closing_begin(carom_closing *closing, const double (*x)[3]) {
    for (int v = 0; closing && v < closing->surface.vertex_count; v++)
        carom_copy(x[closing->surface.vertices[v]], closing->start[closing->surface.vertices[v]]);
}

carom_status carom_closing_report(const carom_model *model, const int side[2], const char *motions, double time,
                                  carom_error *error) {
    return carom_fail(error, CAROM_NUMERICAL,
                      "the %s of '%s' and '%s' lead into each other at time %g, which no impulse can prevent; disable contact "
                      "between them by contact.pairs with `touch: false`",
                      motions, carom_model_side_name(model, side[0]), carom_model_side_name(model, side[1]), time);
}

carom_status carom_closing_report_squeezed(const carom_model *model, int body, const int by[2], carom_error *error) {
    return carom_fail(
        error, CAROM_NUMERICAL,
        "'%s' is squeezed between '%s' and '%s' and has no space left (use another motion, or `touch: false` of two "
        "of them in contact.pairs)",
        carom_model_side_name(model, body), carom_model_side_name(model, by[0]), carom_model_side_name(model, by[1]));
}

// An upper bound of how much the displacements of any two nodes since the last search differ: the diagonal of their box.
static double relative_motion(const carom_closing *closing, const double (*x)[3]) {
    double low[3] = {0}, high[3] = {0}, range[3];
    for (int v = 0; v < closing->surface.vertex_count; v++) {
        int k = closing->surface.vertices[v];
        for (int i = 0; i < 3; i++) {
            double u = x[k][i] - closing->searched[k][i];
            low[i] = u < low[i] ? u : low[i];
            high[i] = u > high[i] ? u : high[i];
        }
    }
    carom_difference(high, low, range);
    return carom_norm(range);
}

// Finds the least distance at the present positions.
static carom_status search(carom_closing *closing, const double (*x)[3], carom_error *error) {
    double distance;
    carom_status status = carom_surface_distance(&closing->audit, x, HUGE_VAL, &distance, NULL, error);
    closing->distance = (1 - distance_margin) * distance;
    for (int v = 0; v < closing->surface.vertex_count; v++)
        carom_copy(x[closing->surface.vertices[v]], closing->searched[closing->surface.vertices[v]]);
    return status;
}

// The first obstacle that meets a plane in a step.
static carom_crossing find_plane_crossing(const carom_closing *closing, const double (*x)[3]) {
    carom_crossing first = {.part = HUGE_VAL};
    for (int i = 0; i < closing->plane_count; i++) {
        const plane_pair *pair = &closing->planes[i];
        const carom_plane_def *plane = &closing->model->contact.planes[pair->plane];
        int lowest = lowest_of(closing->model, pair->body, plane, x);
        double end = height_of(plane, x[lowest]), start = height_of(plane, closing->start[lowest]);
        double part = start > pair->least ? (start - pair->least) / (start - end) : 0;
        if (end < pair->least && part < first.part)
            first = (carom_crossing){part, {pair->body, -1 - pair->plane}};
    }
    return first;
}

carom_status carom_closing_check(carom_closing *closing, const double (*x)[3], double time, double step, carom_meeting *meeting,
                                 carom_error *error) {
    if (!closing)
        return CAROM_OK;
    carom_crossing first, plane = find_plane_crossing(closing, x);
    bool separate = closing->distance >= 0 && relative_motion(closing, x) < closing->distance - closing->layer;
    if (separate && isinf(plane.part))
        return CAROM_OK;
    carom_const_vectors start = (carom_const_vectors)closing->start;
    carom_status status = carom_surface_crossing(&closing->audit, start, x, closing->layer, &first, error);
    if (status)
        return status;
    first = plane.part < first.part ? plane : first;
    if (!(first.part <= 1))
        return search(closing, x, error);
    *meeting = (carom_meeting){{first.body[0], first.body[1]}, time - (1 - first.part) * step};
    return carom_closing_report(closing->model, meeting->side, "prescribed motions", meeting->time, error);
}
