// SPDX-License-Identifier: MIT
// Feasible translations of bodies that overlap at the start, and their description in messages.
#include "model/build/separation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "model/motion/obstacle_motion.h"

// Two directions whose cosine is below this are perpendicular, up to rounding.
static const double right_angle = 1e-9;

// A plane inclined by less than this to the plane a body stands on is avoided by lifting the body.
static const double flat_slope = 1e-2;

// Relative rounding of coordinates.
static const double rounding = 1e-12;

// Rounds up to four digits; a value that differs from a number of four digits by rounding only becomes that number.
static double round_up(double value) {
    char text[32], unit[32];
    snprintf(text, sizeof text, "%.3e", value);
    double rounded = strtod(text, NULL);
    if (rounded >= value * (1 - 1e-12))
        return rounded;
    // add one unit of the fourth digit, with the exponent of the text
    snprintf(unit, sizeof unit, "1%s", strchr(text, 'e'));
    double next = rounded + 1e-3 * strtod(unit, NULL);
    return isfinite(next) ? next : value;
}

void carom_advice_print(const double n[3], double distance, char text[CAROM_ADVICE_MAX]) {
    int axes = (n[0] != 0) + (n[1] != 0) + (n[2] != 0);
    // Components of an oblique direction are printed with six digits, whose rounding the factor covers.
    double length = round_up(axes > 1 ? distance * (1 + 2e-6) : distance);
    double part[3];
    for (int i = 0; i < 3; i++)
        // avoids a negative zero
        part[i] = n[i] != 0 ? length * n[i] : 0;
    snprintf(text, CAROM_ADVICE_MAX, "[%.6g, %.6g, %.6g]", part[0], part[1], part[2]);
}

static void print_length(double length, char text[CAROM_ADVICE_MAX]) {
    snprintf(text, CAROM_ADVICE_MAX, "%.6g", round_up(length));
}

static void normal_of(const carom_plane_def *plane, double n[3]) {
    carom_copy(plane->normal, n);
    carom_normalize(n);
}

// The plane that a body was placed on; NULL: none.
static const carom_plane_def *plane_under(const carom_model *model, int body) {
    int p = model->bodies[body].stands_on;
    return p > 0 && p <= model->contact.plane_count ? &model->contact.planes[p - 1] : NULL;
}

// The signed distance of a body from a plane, negative behind it.
static double gap_to(const carom_model *model, int body, const carom_plane_def *plane, double *size) {
    const carom_body *b = &model->bodies[body];
    double n[3], least = HUGE_VAL;
    normal_of(plane, n);
    *size = fabs(carom_dot(n, plane->point));
    for (int k = b->node_begin; k < b->node_begin + b->node_count; k++) {
        least = fmin(least, carom_dot(n, model->X[k]) - carom_dot(n, plane->point));
        *size = fmax(*size, carom_norm(model->X[k]));
    }
    return least;
}

// True if the translation would move the body behind a plane that it is in front of.
static bool is_stopped(const carom_model *model, int body, const double n[3], double distance) {
    for (int p = 0; p < model->contact.plane_count; p++) {
        int sides[2] = {body, -1 - p};
        if (carom_contact_law_of(&model->laws, sides).no_contact || carom_poses_has(&model->poses, body))
            continue;
        double front[3], size, gap = gap_to(model, body, &model->contact.planes[p], &size);
        normal_of(&model->contact.planes[p], front);
        if (gap >= -rounding * size && gap + distance * carom_dot(n, front) < -rounding * size)
            return true;
    }
    return false;
}

carom_move_kind carom_move_of(const carom_model *model, int body, const double n[3], double distance) {
    const carom_plane_def *plane = plane_under(model, body);
    double up = 0;
    if (plane) {
        double front[3];
        normal_of(plane, front);
        up = carom_dot(n, front);
    }
    if ((fabs(up) > right_angle && up < 1 - right_angle) || is_stopped(model, body, n, distance))
        return CAROM_MOVE_NONE;
    return up > right_angle ? CAROM_MOVE_LIFT : CAROM_MOVE_TRANSLATE;
}

void carom_move_print(const carom_model *model, int body, const double n[3], double distance, char *text, size_t size) {
    const carom_plane_def *plane = plane_under(model, body);
    char number[CAROM_ADVICE_MAX];
    double extent;
    switch (carom_move_of(model, body, n, distance)) {
    case CAROM_MOVE_NONE: text[0] = 0; break;
    case CAROM_MOVE_TRANSLATE:
        carom_advice_print(n, distance, number);
        snprintf(text, size, "moving '%s' by %s", model->bodies[body].name, number);
        break;
    case CAROM_MOVE_LIFT:
        print_length(fmax(gap_to(model, body, plane, &extent), 0) + distance, number);
        snprintf(text, size, "`gap: %s` of '%s' on '%s'", number, model->bodies[body].name, plane->name);
        break;
    }
}

void carom_move_print_front(const carom_model *model, int body, int p, double depth, char *text, size_t size) {
    const carom_plane_def *plane = &model->contact.planes[p], *ground = plane_under(model, body);
    double n[3], up[3], slope[3], extent;
    char number[CAROM_ADVICE_MAX];
    normal_of(plane, n);
    if (!ground || ground == plane) {
        carom_advice_print(n, depth, number);
        snprintf(text, size, "move it by %s, or give it `place: {on: %s}`", number, plane->name);
        return;
    }
    // With t the projection of n onto the ground, a unit step along t increases the distance by n.t/|t| = |t|, and a unit step
    // along the normal of the ground by n.up
    normal_of(ground, up);
    carom_copy(n, slope);
    carom_add_scaled(-carom_dot(n, up), up, slope);
    double steep = carom_norm(slope), rise = carom_dot(n, up);
    if (steep > flat_slope) {
        carom_normalize(slope);
        carom_advice_print(slope, depth / steep, number);
        snprintf(text, size, "move it by %s along plane '%s', on which it stands", number, ground->name);
    } else if (rise > 0) {
        print_length(fmax(gap_to(model, body, ground, &extent), 0) + depth / rise, number);
        snprintf(text, size, "give it `gap: %s` from plane '%s', on which it stands", number, ground->name);
    } else {
        snprintf(text, size, "it stands on plane '%s', and the space between both is too small for it", ground->name);
    }
}
