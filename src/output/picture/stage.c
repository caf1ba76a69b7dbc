// SPDX-License-Identifier: MIT
// Fits colours, camera and planes of a picture to the frames that are drawn, and draws them. Frames are read at most three
// times: for their bounds and values, for the extent of their bodies in the picture, and for drawing. The last frame that was
// read stays in memory, so that a single frame is read once.
#include "output/picture/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "output/picture/field.h"
#include "output/picture/legend.h"
#include "output/picture/light.h"
#include "output/picture/raster.h"

static const double degree = 3.14159265358979323846 / 180;
// The default view, in degrees.
static const double default_azimuth = -62, default_elevation = 22;
// The range of colours excludes this share of the nodes if their values exceed the others by `outlier_ratio`: a single corner
// would otherwise determine the range. The node of the largest value is marked.
static const double outlier_share = 0.003, outlier_ratio = 1.25;
// A plane at a larger distance below the bodies than this, in units of the scene, does not widen the view.
static const double ground_distance_max = 1.6;
// Approximate number of grid lines on the ground across the diameter of the scene.
enum { GRID_LINES = 8 };

int carom_stage_largest(const carom_stage *p, bool magnitude) {
    int largest = -1;
    double most = -HUGE_VAL;
    for (int b = 0; b < p->reader.surface.body_count; b++) {
        const carom_cell_surface_body *body = &p->reader.surface.bodies[b];
        for (int k = body->node_begin;
             carom_frame_reader_has(&p->reader, p->field, b) && k < body->node_begin + body->node_count; k++) {
            double value = magnitude ? fabs(p->values[k]) : p->values[k];
            if (value > most) {
                most = value;
                largest = k;
            }
        }
    }
    return largest;
}

carom_status carom_stage_open(carom_stage *p, const carom_picture_def *def, double unit, carom_error *error) {
    *p = (carom_stage){.def = def, .unit = unit, .frame = -1, .shaped = -1};
    carom_status status = carom_frame_reader_begin(&p->reader, def->directory, error);
    if (!status && p->reader.frame_count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s has no frames to draw: run with output.fields.every and format vtu",
                            def->directory);
    if (!status)
        status = carom_field_choose(&p->reader, def->field, &p->field, error);
    if (status)
        return status;
    p->positions = carom_allocate(3 * (int64_t)p->reader.surface.node_count, sizeof *p->positions);
    p->values = carom_allocate(p->reader.surface.node_count, sizeof *p->values);
    if (!p->positions || !p->values)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a frame of %d nodes", p->reader.surface.node_count);
    return CAROM_OK;
}

void carom_stage_release(carom_stage *p) {
    for (int f = 0; f < p->floor_count; f++)
        free(p->floors[f].light);
    free(p->floors);
    free(p->positions);
    free(p->values);
    carom_shapes_release(&p->shapes);
    carom_frame_reader_release(&p->reader);
}

carom_status carom_stage_read(carom_stage *p, int frame, carom_error *error) {
    if (p->frame == frame)
        return CAROM_OK;
    carom_status status = carom_frame_reader_check(&p->reader, frame, p->field, p->positions, p->values, error);
    p->frame = status ? -1 : frame;
    p->largest = status ? -1 : carom_stage_largest(p, false);
    return status;
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The values between which nearly all nodes of this frame lie; extends `range`.
static carom_status extend_range(const carom_stage *p, double range[2], carom_error *error) {
    double *sorted = carom_allocate(p->reader.surface.node_count, sizeof *sorted);
    int64_t count = 0;
    if (!sorted)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the colours of a picture");
    for (int b = 0; b < p->reader.surface.body_count; b++) {
        const carom_cell_surface_body *body = &p->reader.surface.bodies[b];
        for (int k = body->node_begin;
             carom_frame_reader_has(&p->reader, p->field, b) && k < body->node_begin + body->node_count; k++)
            if (isfinite(p->values[k]))
                sorted[count++] = p->values[k];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_values);
    if (count > 0) {
        int64_t left_out = (int64_t)((double)count * outlier_share);
        double low = sorted[0], high = sorted[count - 1];
        double usual_high = sorted[count - 1 - left_out], usual_low = sorted[left_out];
        if (usual_high > 0 && high > outlier_ratio * usual_high)
            high = usual_high;
        if (usual_low < 0 && low < outlier_ratio * usual_low)
            low = usual_low;
        range[0] = fmin(range[0], low);
        range[1] = fmax(range[1], high);
    }
    free(sorted);
    return CAROM_OK;
}

// The colours: the requested range, or that of nearly all nodes.
static carom_colours choose_colours(const carom_picture_def *def, const double fitted[2]) {
    double low = def->range[0], high = def->range[1];
    if (isfinite(low))
        return carom_colours_between(low, high, low < 0 && low == -high);
    return fitted[0] <= fitted[1] ? carom_colours_fit(fitted[0], fitted[1]) : carom_colours_fit(0, 0);
}

static void extend_box(const carom_stage *p, double box[2][3]) {
    for (int64_t i = 0; i < 3 * (int64_t)p->reader.surface.node_count; i++) {
        box[0][i % 3] = fmin(box[0][i % 3], p->positions[i]);
        box[1][i % 3] = fmax(box[1][i % 3], p->positions[i]);
    }
}

// Dimensions of the frames: 1 if they extend along x only, 2 in x and y, else 3. Solids are always seen in space.
static int find_space(const double box[2][3]) {
    double size[3];
    carom_difference(box[1], box[0], size);
    double most = fmax(size[0], fmax(size[1], size[2]));
    return size[2] > 1e-9 * most ? 3 : size[1] > 1e-9 * most ? 2 : 1;
}

static void place_camera(carom_stage *p) {
    const carom_picture_def *def = p->def;
    bool flat = p->space == 2;
    // up is the normal of the first plane; in plane scenes it is y
    double up[3] = {0, flat, !flat};
    if (!flat && def->plane_count > 0)
        carom_copy(def->planes[0].normal, up);
    carom_normalize(up);
    carom_copy(up, p->vertical);
    switch (def->view) {
    case CAROM_PICTURE_USUAL:
        p->camera = flat ? carom_camera_aim(up, -90 * degree, 0, true)
                         : carom_camera_aim(up, default_azimuth * degree, default_elevation * degree, false);
        break;
    case CAROM_PICTURE_ANGLES: p->camera = carom_camera_aim(up, def->azimuth * degree, def->elevation * degree, false); break;
    case CAROM_PICTURE_ALONG_X: p->camera = carom_camera_aim((double[3]){0, flat, !flat}, 0, 0, true); break;
    case CAROM_PICTURE_ALONG_Y: p->camera = carom_camera_aim((double[3]){0, 0, 1}, -90 * degree, 0, true); break;
    case CAROM_PICTURE_ALONG_Z: p->camera = carom_camera_aim((double[3]){0, 1, 0}, -90 * degree, 0, true); break;
    }
}

static void include(const carom_camera *camera, const double position[3], double low[2], double high[2]) {
    double pixel[3];
    carom_camera_project(camera, position, pixel);
    for (int i = 0; i < 2; i++) {
        low[i] = fmin(low[i], pixel[i]);
        high[i] = fmax(high[i], pixel[i]);
    }
}

// The bodies of a frame as shapes, unless they are already present.
static carom_status shape(carom_stage *p, int frame, carom_error *error) {
    carom_status status = carom_stage_read(p, frame, error);
    if (status || p->shaped == frame)
        return status;
    carom_shapes_release(&p->shapes);
    p->shaped = frame;
    return carom_bodies_add(&p->shapes, &p->reader, p->field, &p->framing, p->positions, p->values, p->def, error);
}

// Extends the bounds of the picture by the bodies, and by the ground below them if it is near.
static void include_shapes(const carom_stage *p, double low[2], double high[2]) {
    for (int64_t s = 0; s < p->shapes.count; s++)
        for (int i = 0; i < 3; i++) {
            const double *at = p->shapes.shapes[s].corners[i].at;
            include(&p->camera, at, low, high);
            for (int f = 0; f < p->floor_count; f++) {
                double foot[3], to[3];
                carom_difference(p->floors[f].point, at, to);
                double height = carom_dot(to, p->floors[f].normal);
                carom_copy(at, foot);
                carom_add_scaled(height, p->floors[f].normal, foot);
                if (fabs(height) < ground_distance_max)
                    include(&p->camera, foot, low, high);
            }
        }
}

// Scales and shifts the picture so that the bounds fill it.
static void fit_camera(carom_stage *p, const double low[2], const double high[2]) {
    double margins[4];
    carom_legend_margins(p->unit, margins);
    double space_left[2] = {p->def->width - margins[0] - margins[2], p->def->height - margins[1] - margins[3]};
    double scale = fmin(space_left[0] / fmax(high[0] - low[0], 1e-3), space_left[1] / fmax(high[1] - low[1], 1e-3));
    for (int i = 0; i < 2; i++)
        p->camera.shift[i] = margins[i] + 0.5 * space_left[i] - 0.5 * scale * (low[i] + high[i]);
    p->camera.scale = scale;
}

static carom_status add_floors(carom_stage *p, carom_error *error) {
    const carom_picture_def *def = p->def;
    p->floors = carom_allocate(def->plane_count, sizeof *p->floors);
    if (!p->floors)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the planes of a picture");
    double first;
    p->grid = def->plane_count > 0 && p->space == 3 ? carom_ticks(0, 2 * p->framing.radius, GRID_LINES, &first) : 0;
    for (int i = 0; i < def->plane_count; i++) {
        double point[3];
        carom_framing_apply(&p->framing, def->planes[i].point, point);
        p->floors[i] = carom_floor_create(point, def->planes[i].normal, p->grid / p->framing.radius);
        p->floor_count++;
        if (!p->floors[i].light)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the planes of a picture");
    }
    return CAROM_OK;
}

carom_status carom_stage_fit(carom_stage *p, const int *frames, int frame_count, carom_error *error) {
    double box[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}, thick[2][3],
           range[2] = {HUGE_VAL, -HUGE_VAL}, low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    memcpy(thick, box, sizeof thick);
    carom_status status = CAROM_OK;
    for (int i = 0; i < frame_count && !status; i++) {
        status = carom_stage_read(p, frames[i], error);
        if (status)
            break;
        extend_box(p, box);
        carom_bodies_extend(&p->reader.surface, p->positions, p->def, thick);
        status = extend_range(p, range, error);
    }
    if (status)
        return status;
    p->colours = choose_colours(p->def, range);
    p->space = find_space((const double(*)[3])box);
    p->framing = carom_framing_of((const double(*)[3])thick);
    status = add_floors(p, error);
    place_camera(p);
    for (int i = 0; i < frame_count && !status; i++) {
        status = shape(p, frames[i], error);
        if (!status)
            include_shapes(p, low, high);
    }
    fit_camera(p, low, high);
    return status;
}

// Sheets show the side that faces the eye.
static void turn_sheets(carom_stage *p) {
    for (int64_t s = 0; s < p->shapes.count; s++) {
        carom_shape *shape = &p->shapes.shapes[s];
        double to[3] = {0};
        // from the corner to the eye; in a parallel projection along `back`
        carom_add_scaled(p->camera.distance > 0 ? p->camera.distance : 1, p->camera.back, to);
        if (p->camera.distance > 0)
            carom_add_scaled(-1, shape->corners[0].at, to);
        double mean[3] = {0};
        for (int i = 0; i < 3; i++)
            carom_add_scaled(1, shape->corners[i].normal, mean);
        for (int i = 0; shape->sheet && carom_dot(mean, to) < 0 && i < 3; i++)
            for (int k = 0; k < 3; k++)
                shape->corners[i].normal[k] *= -1;
    }
}

// The pixel of the largest value; the third number is 1 if nothing hides it.
static void mark_largest(const carom_stage *p, double pixel[3]) {
    double placed[3];
    carom_framing_apply(&p->framing, &p->positions[3 * (int64_t)p->largest], placed);
    // nodes of bars and points lie inside the drawn cylinder or ball: the mark is placed on its surface
    carom_add_scaled(carom_bodies_lift(&p->reader.surface, p->largest, &p->framing, p->def), p->camera.back, placed);
    carom_camera_project(&p->camera, placed, pixel);
    bool hidden = false;
    for (int64_t s = 0; s < p->shapes.count && !hidden; s++) {
        double c[3][3], w[3];
        for (int i = 0; i < 3; i++)
            carom_camera_project(&p->camera, p->shapes.shapes[s].corners[i].at, c[i]);
        double area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
        bool inside = area != 0;
        for (int i = 0; i < 3 && inside; i++) {
            const double *a = c[(i + 1) % 3], *b = c[(i + 2) % 3];
            w[i] = ((b[0] - a[0]) * (pixel[1] - a[1]) - (pixel[0] - a[0]) * (b[1] - a[1])) / area;
            inside = w[i] >= 0;
        }
        // nearer by more than a tolerance
        hidden = inside && w[0] * c[0][2] + w[1] * c[1][2] + w[2] * c[2][2] > pixel[2] + 2e-3;
    }
    pixel[2] = !hidden;
}

static void report_facts(const carom_stage *p, carom_picture_facts *facts) {
    *facts = (carom_picture_facts){
        .time = p->reader.frames[p->frame].time, .frame = p->frame + 1, .frame_count = p->reader.frame_count};
    carom_field_plain_name(&p->reader.fields[p->field], facts->field);
    if (p->largest < 0)
        return;
    facts->largest = facts->smallest = p->values[p->largest];
    for (int b = 0; b < p->reader.surface.body_count; b++) {
        const carom_cell_surface_body *body = &p->reader.surface.bodies[b];
        for (int k = body->node_begin;
             carom_frame_reader_has(&p->reader, p->field, b) && k < body->node_begin + body->node_count; k++)
            facts->smallest = fmin(facts->smallest, p->values[k]);
    }
    carom_copy(&p->positions[3 * (int64_t)p->largest], facts->place);
    int body = carom_bodies_find(&p->reader.surface, p->largest);
    if (body < p->def->body_count)
        snprintf(facts->body, sizeof facts->body, "%s", p->def->bodies[body].name);
    else
        snprintf(facts->body, sizeof facts->body, "body %d", body);
}

carom_status carom_stage_draw(carom_stage *p, int frame, carom_image *image, carom_picture_facts *facts, carom_error *error) {
    carom_picture_facts found;
    carom_status status = shape(p, frame, error);
    if (status)
        return status;
    report_facts(p, &found);
    carom_raster_def raster = {
        .camera = &p->camera, .shapes = &p->shapes, .floor_count = p->floor_count, .floors = p->floors, .colours = &p->colours};
    // the sky is above the ground; a plane scene is lit from the side of the eye
    carom_copy(p->space == 2 ? p->camera.back : p->vertical, raster.vertical);
    for (int i = 0; i < 3; i++)
        raster.lamp[i] = 1.1 * raster.vertical[i] - 0.55 * p->camera.right[i] + 0.55 * p->camera.back[i];
    carom_normalize(raster.lamp);
    raster.unlit = p->space == 2 && p->camera.distance == 0;
    turn_sheets(p);
    status = carom_light(&p->shapes, p->floors, p->floor_count, raster.vertical, raster.lamp, error);
    if (!status)
        status = carom_raster(&raster, image, error);
    if (status)
        return status;
    char quantity[CAROM_FIELD_NAME_MAX];
    carom_field_quantity(&p->reader.fields[p->field], p->def->units, quantity);
    carom_legend legend = {.unit = p->unit,
                           .title = p->def->title ? p->def->title : "",
                           .quantity = quantity,
                           .facts = &found,
                           .colours = &p->colours,
                           .camera = &p->camera,
                           .named = p->reader.surface.body_count > 1,
                           .units = p->def->units,
                           .grid = p->grid};
    if (p->largest >= 0)
        mark_largest(p, legend.largest);
    carom_legend_draw(&legend, image);
    if (facts)
        *facts = found;
    return CAROM_OK;
}
