// SPDX-License-Identifier: MIT
// From a result directory to a picture: choose the field and the frame, make shapes of the bodies, place the camera,
// light the scene, draw it, and write words around it.
#include "carom/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/numerals.h"
#include "carom/text.h"
#include "math/vec3.h"
#include "output/picture/bodies.h"
#include "output/picture/legend.h"
#include "output/picture/light.h"
#include "output/picture/raster.h"
#include "output/picture/units.h"

static const double degree = 3.14159265358979323846 / 180;
// The usual view, in degrees.
static const double usual_azimuth = -62, usual_elevation = 22;
// Colours leave out the largest of this share of the nodes if these are far above the rest: one corner would else take
// the whole range. The place of the largest value is marked.
static const double spared = 0.003, far_above = 1.25;
// A plane further below the bodies than this, in units of the scene, does not widen the view.
static const double ground_near = 1.6;
// Lines on the ground in the diameter of the scene, about.
enum { GRID_LINES = 8 };

typedef struct picture {
    const carom_picture_def *def;
    carom_reel reel;
    int field, frame, space;
    double *positions, *values; // of the nodes in the frame
    carom_framing framing;
    carom_camera camera;
    double vertical[3];
    double grid; // in units of the model
    int floor_count;
    carom_floor *floors;
    carom_shapes shapes;
    carom_colours colours;
    int largest; // node of the largest value
} picture;

static const char suffix[] = "_nodes";

// The name of a field without the mark of a nodal mean, which is how the page and the user call it.
static void plain_name(const carom_reel_field *field, char name[static 2 * CAROM_NAME_MAX]) {
    snprintf(name, 2 * CAROM_NAME_MAX, "%s", field->name);
    char *end = strstr(name, suffix);
    if (end)
        memmove(end, end + strlen(suffix), strlen(end + strlen(suffix)) + 1);
}

static int find_field(const carom_reel *reel, const char *name) {
    for (int f = 0; f < reel->field_count; f++) {
        char plain[2 * CAROM_NAME_MAX];
        plain_name(&reel->fields[f], plain);
        if (strcmp(plain, name) == 0 || strcmp(reel->fields[f].name, name) == 0)
            return f;
    }
    return -1;
}

static carom_status choose_field(picture *p, carom_error *error) {
    const carom_reel *reel = &p->reel;
    const char *asked = p->def->field;
    p->field = find_field(reel, asked ? asked : "von_mises");
    // bars have no von Mises stress: the first field of elements, else the first of nodes
    for (int f = 0; !asked && p->field < 0 && f < reel->field_count; f++)
        if (reel->fields[f].rank == 1)
            p->field = f;
    if (!asked && p->field < 0 && reel->field_count > 0)
        p->field = 0;
    if (p->field >= 0)
        return CAROM_OK;
    char names[CAROM_REEL_FIELDS_MAX][2 * CAROM_NAME_MAX];
    const char *list[CAROM_REEL_FIELDS_MAX];
    carom_text all = {0};
    for (int f = 0; f < reel->field_count; f++) {
        plain_name(&reel->fields[f], names[f]);
        list[f] = names[f];
        carom_text_print(&all, "%s%s", f ? ", " : "", names[f]);
    }
    const char *nearest = asked ? carom_text_nearest(asked, list, reel->field_count) : NULL;
    carom_fail(error, CAROM_BAD_INPUT, "the frames of %s have no field '%s'%s%s%s; there are %.400s", p->def->directory,
               asked ? asked : "", nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "",
               all.data ? all.data : "none");
    carom_text_release(&all);
    return CAROM_BAD_INPUT;
}

// The node whose value is largest, or -1 if no body has one; by magnitude for the choice of a frame.
static int find_largest(const picture *p, bool magnitude) {
    int largest = -1;
    double most = -HUGE_VAL;
    for (int b = 0; b < p->reel.skin.body_count; b++) {
        const carom_skin_body *body = &p->reel.skin.bodies[b];
        for (int k = body->node_begin; carom_reel_has(&p->reel, p->field, b) && k < body->node_begin + body->node_count; k++) {
            double value = magnitude ? fabs(p->values[k]) : p->values[k];
            if (value > most) {
                most = value;
                largest = k;
            }
        }
    }
    return largest;
}

static carom_status choose_frame(picture *p, carom_error *error) {
    const carom_picture_def *def = p->def;
    int count = p->reel.frame_count;
    p->frame = def->moment == CAROM_PICTURE_END ? count - 1 : 0;
    double best = def->moment == CAROM_PICTURE_TIME ? HUGE_VAL : -HUGE_VAL;
    for (int f = 0; def->moment == CAROM_PICTURE_TIME && f < count; f++)
        if (fabs(p->reel.frames[f].time - def->time) < best) {
            best = fabs(p->reel.frames[f].time - def->time);
            p->frame = f;
        }
    carom_status status = CAROM_OK;
    for (int f = 0; def->moment == CAROM_PICTURE_PEAK && f < count && !status; f++) {
        status = carom_reel_look(&p->reel, f, p->field, NULL, p->values, error);
        int node = status ? -1 : find_largest(p, true);
        if (node >= 0 && fabs(p->values[node]) > best) {
            best = fabs(p->values[node]);
            p->frame = f;
        }
    }
    return status ? status : carom_reel_look(&p->reel, p->frame, p->field, p->positions, p->values, error);
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The colours: those asked for, or the range of nearly all nodes.
static carom_status choose_colours(picture *p, carom_error *error) {
    const carom_picture_def *def = p->def;
    p->largest = find_largest(p, false);
    if (isfinite(def->range[0])) {
        double low = def->range[0], high = def->range[1];
        p->colours = carom_colours_between(low, high, low < 0 && low == -high);
        return CAROM_OK;
    }
    double *sorted = carom_allocate(p->reel.skin.node_count, sizeof *sorted);
    int64_t count = 0;
    if (!sorted)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the colours of a picture");
    for (int b = 0; b < p->reel.skin.body_count; b++) {
        const carom_skin_body *body = &p->reel.skin.bodies[b];
        for (int k = body->node_begin; carom_reel_has(&p->reel, p->field, b) && k < body->node_begin + body->node_count; k++)
            if (isfinite(p->values[k]))
                sorted[count++] = p->values[k];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_values);
    double low = 0, high = 0;
    if (count > 0) {
        int64_t left_out = (int64_t)((double)count * spared);
        low = sorted[0];
        high = sorted[count - 1];
        double usual_high = sorted[count - 1 - left_out], usual_low = sorted[left_out];
        if (usual_high > 0 && high > far_above * usual_high)
            high = usual_high;
        if (usual_low < 0 && low < far_above * usual_low)
            low = usual_low;
    }
    p->colours = carom_colours_fit(low, high);
    free(sorted);
    return CAROM_OK;
}

// Dimensions of the frame: 1 if it extends along x only, 2 in x and y, else 3. Solids are always seen in space.
static int find_space(const picture *p) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < 3 * (int64_t)p->reel.skin.node_count; i++) {
        low[i % 3] = fmin(low[i % 3], p->positions[i]);
        high[i % 3] = fmax(high[i % 3], p->positions[i]);
    }
    double most = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    return high[2] - low[2] > 1e-9 * most ? 3 : high[1] - low[1] > 1e-9 * most ? 2 : 1;
}

static void place_camera(picture *p) {
    const carom_picture_def *def = p->def;
    bool flat = p->space == 2;
    // up is where the first plane lets bodies be; in the plane it is y
    double up[3] = {0, flat, !flat};
    if (!flat && def->plane_count > 0)
        carom_copy(def->planes[0].normal, up);
    carom_normalize(up);
    carom_copy(up, p->vertical);
    switch (def->view) {
    case CAROM_PICTURE_USUAL:
        p->camera = flat ? carom_camera_look(up, -90 * degree, 0, true)
                         : carom_camera_look(up, usual_azimuth * degree, usual_elevation * degree, false);
        break;
    case CAROM_PICTURE_ANGLES: p->camera = carom_camera_look(up, def->azimuth * degree, def->elevation * degree, false); break;
    case CAROM_PICTURE_ALONG_X: p->camera = carom_camera_look((double[3]){0, flat, !flat}, 0, 0, true); break;
    case CAROM_PICTURE_ALONG_Y: p->camera = carom_camera_look((double[3]){0, 0, 1}, -90 * degree, 0, true); break;
    case CAROM_PICTURE_ALONG_Z: p->camera = carom_camera_look((double[3]){0, 1, 0}, -90 * degree, 0, true); break;
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

// Scales and shifts the picture so that the bodies, and the ground below them if it is near, fill it.
static void fit_camera(picture *p) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, margins[4];
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
                if (fabs(height) < ground_near)
                    include(&p->camera, foot, low, high);
            }
        }
    carom_legend_margins(p->def->width, p->def->height, margins);
    double room[2] = {p->def->width - margins[0] - margins[2], p->def->height - margins[1] - margins[3]};
    double scale = fmin(room[0] / fmax(high[0] - low[0], 1e-3), room[1] / fmax(high[1] - low[1], 1e-3));
    for (int i = 0; i < 2; i++)
        p->camera.shift[i] = margins[i] + 0.5 * room[i] - 0.5 * scale * (low[i] + high[i]);
    p->camera.scale = scale;
}

static carom_status add_floors(picture *p, carom_error *error) {
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

// Sheets show the side that faces the eye.
static void turn_sheets(picture *p) {
    for (int64_t s = 0; s < p->shapes.count; s++) {
        carom_shape *shape = &p->shapes.shapes[s];
        double to[3] = {0};
        // of the perspective too: from the corner to the eye
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

// What engineers call a field; others are called as in the frames, without underscores.
static void name_quantity(const picture *p, char text[static 2 * CAROM_NAME_MAX]) {
    plain_name(&p->reel.fields[p->field], text);
    char unit[CAROM_UNIT_MAX];
    carom_picture_unit(p->def->units, text, unit);
    // a unit beside the name says that it is a stress
    const struct {
        const char *name, *words;
    } known[] = {{"von_mises", *unit ? "von Mises" : "von Mises stress"},
                 {"max_von_mises", "max von Mises"},
                 {"max_principal", "max principal"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].name) == 0)
            snprintf(text, 2 * CAROM_NAME_MAX, "%s", known[i].words);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

// The pixel of the largest value; the third number is 1 if nothing hides it.
static void mark_largest(const picture *p, double pixel[3]) {
    double placed[3];
    carom_framing_apply(&p->framing, &p->positions[3 * (int64_t)p->largest], placed);
    // a bar and a ball hide their own middle: the mark lies on their surface
    carom_add_scaled(carom_bodies_lift(&p->reel.skin, p->largest, &p->framing, p->def), p->camera.back, placed);
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
        // nearer by more than the thickness of nothing
        hidden = inside && w[0] * c[0][2] + w[1] * c[1][2] + w[2] * c[2][2] > pixel[2] + 2e-3;
    }
    pixel[2] = !hidden;
}

static void tell_facts(const picture *p, carom_picture_facts *facts) {
    *facts =
        (carom_picture_facts){.time = p->reel.frames[p->frame].time, .frame = p->frame + 1, .frame_count = p->reel.frame_count};
    plain_name(&p->reel.fields[p->field], facts->field);
    if (p->largest < 0)
        return;
    facts->largest = facts->smallest = p->values[p->largest];
    for (int b = 0; b < p->reel.skin.body_count; b++) {
        const carom_skin_body *body = &p->reel.skin.bodies[b];
        for (int k = body->node_begin; carom_reel_has(&p->reel, p->field, b) && k < body->node_begin + body->node_count; k++)
            facts->smallest = fmin(facts->smallest, p->values[k]);
    }
    carom_copy(&p->positions[3 * (int64_t)p->largest], facts->place);
    int body = carom_bodies_find(&p->reel.skin, p->largest);
    if (body < p->def->body_count)
        snprintf(facts->body, sizeof facts->body, "%s", p->def->bodies[body].name);
    else
        snprintf(facts->body, sizeof facts->body, "body %d", body);
}

static carom_status draw(picture *p, carom_image *image, const carom_picture_facts *facts, carom_error *error) {
    carom_raster_def raster = {
        .camera = &p->camera, .shapes = &p->shapes, .floor_count = p->floor_count, .floors = p->floors, .colours = &p->colours};
    // the sky stands above the ground; a flat scene is lit from the side of the eye
    carom_copy(p->space == 2 ? p->camera.back : p->vertical, raster.vertical);
    for (int i = 0; i < 3; i++)
        raster.lamp[i] = 1.1 * raster.vertical[i] - 0.55 * p->camera.right[i] + 0.55 * p->camera.back[i];
    carom_normalize(raster.lamp);
    raster.unlit = p->space == 2 && p->camera.distance == 0;
    turn_sheets(p);
    carom_status status = carom_light(&p->shapes, p->floors, p->floor_count, raster.vertical, raster.lamp, error);
    if (!status)
        status = carom_raster(&raster, image, error);
    if (status)
        return status;
    char quantity[2 * CAROM_NAME_MAX];
    name_quantity(p, quantity);
    carom_legend legend = {.title = p->def->title ? p->def->title : "",
                           .quantity = quantity,
                           .facts = facts,
                           .colours = &p->colours,
                           .camera = &p->camera,
                           .named = p->reel.skin.body_count > 1,
                           .units = p->def->units,
                           .grid = p->grid};
    if (p->largest >= 0)
        mark_largest(p, legend.largest);
    carom_legend_draw(&legend, image);
    return CAROM_OK;
}

// Everything up to the drawing.
static carom_status prepare(picture *p, carom_error *error) {
    carom_status status = carom_reel_begin(&p->reel, p->def->directory, error);
    if (!status && p->reel.frame_count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s holds no frames to draw: run with output.fields.every and format vtu",
                            p->def->directory);
    if (!status)
        status = choose_field(p, error);
    if (status)
        return status;
    p->positions = carom_allocate(3 * (int64_t)p->reel.skin.node_count, sizeof *p->positions);
    p->values = carom_allocate(p->reel.skin.node_count, sizeof *p->values);
    if (!p->positions || !p->values)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a frame of %d nodes", p->reel.skin.node_count);
    status = choose_frame(p, error);
    if (!status)
        status = choose_colours(p, error);
    if (status)
        return status;
    p->space = find_space(p);
    p->framing = carom_framing_find(&p->reel.skin, p->positions, p->def);
    status = carom_bodies_add(&p->shapes, &p->reel, p->field, &p->framing, p->positions, p->values, p->def, error);
    if (!status)
        status = add_floors(p, error);
    if (status)
        return status;
    place_camera(p);
    fit_camera(p);
    return CAROM_OK;
}

// Numbers are printed with a decimal point whatever the locale says.
carom_status carom_picture_write(const char *path, const carom_picture_def *def, carom_picture_facts *facts,
                                 carom_error *error) {
    picture *p = carom_allocate(1, sizeof *p);
    carom_image image = {0};
    if (!p)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a picture");
    carom_numerals numerals = carom_numerals_enter();
    p->def = def;
    carom_status status = prepare(p, error);
    if (!status) {
        tell_facts(p, facts);
        status = carom_image_create(&image, def->width, def->height, error);
    }
    if (!status)
        status = draw(p, &image, facts, error);
    if (!status)
        status = carom_image_write(&image, path, error);
    carom_numerals_leave(numerals);
    for (int f = 0; f < p->floor_count; f++)
        free(p->floors[f].light);
    free(p->floors);
    free(p->positions);
    free(p->values);
    carom_shapes_release(&p->shapes);
    carom_reel_release(&p->reel);
    carom_image_release(&image);
    free(p);
    return status;
}
