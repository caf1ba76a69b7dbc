// SPDX-License-Identifier: MIT
// Bounds the angles between the normals of facets while their corners move, to exclude facets that cannot meet
// (normal_cones.h). A normal is a cross product n = a x b of two sides. If the ends of the sides move by at most r relative to
// each other, n changes by at most s = r (|a| + |b|) + r^2. Products of such vectors change accordingly:
//
//     |n.o - n'.o'| <= |n| s_o + |o| s_n + s_n s_o
//
// A bilinear quadrilateral has the normals of its corners and combinations of them in between.
#include "contact/quadrature/normal_cones.h"

#include <math.h>

#include "math/functions.h"
#include "math/vec3.h"

// A normal of any length, and a bound of its change.
typedef struct bounded_normal {
    double n[3], length, change;
} bounded_normal;

static bounded_normal normal_of(const double a[3], const double b[3], double motion) {
    bounded_normal normal;
    carom_cross(a, b, normal.n);
    normal.length = carom_norm(normal.n);
    normal.change = motion * (carom_norm(a) + carom_norm(b)) + motion * motion;
    return normal;
}

// The normal of a segment in the plane: its second side is e_z, which is constant.
static bounded_normal normal_of_segment(const double a[3], double motion) {
    static const double z[3] = {0, 0, 1};
    bounded_normal normal = normal_of(a, z, 0);
    normal.change = motion;
    return normal;
}

static bounded_normal normal_at_centre(const carom_facets *facets, int f, const double (*x)[3], double motion) {
    const int *n = facets->nodes[f];
    bool quad = facets->corners[f] == 4;
    double a[3], b[3];
    carom_difference(x[n[quad ? 2 : 1]], x[n[0]], a);
    if (facets->corners[f] == 2)
        return normal_of_segment(a, motion);
    carom_difference(x[n[quad ? 3 : 2]], x[n[quad ? 1 : 0]], b);
    return normal_of(a, b, motion);
}

// Normals at the corners: four of a quadrilateral; those of segments and triangles are all the same. Returns their number.
static int corner_normals(const carom_facets *facets, int f, const double (*x)[3], double motion, bounded_normal normals[4]) {
    const int *n = facets->nodes[f];
    if (facets->corners[f] < 4) {
        normals[0] = normal_at_centre(facets, f, x, motion);
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        double a[3], b[3];
        carom_difference(x[n[(i + 1) % 4]], x[n[i]], a);
        carom_difference(x[n[(i + 3) % 4]], x[n[i]], b);
        normals[i] = normal_of(a, b, motion);
    }
    return 4;
}

void carom_facet_outward(const carom_facets *facets, int f, const double (*x)[3], double normal[3]) {
    bounded_normal centre = normal_at_centre(facets, f, x, 0);
    carom_copy(centre.n, normal);
}

double carom_facet_least_distance(const carom_facets *facets, int f, const double (*x)[3], const double place[3]) {
    const int *n = facets->nodes[f];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double low = x[n[0]][i], high = low;
        for (int a = 1; a < facets->corners[f]; a++) {
            low = fmin(low, x[n[a]][i]);
            high = fmax(high, x[n[a]][i]);
        }
        // zero inside the interval
        double outside = fmax(fmax(low - place[i], place[i] - high), 0);
        sum += outside * outside;
    }
    double box = sqrt(sum), low = HUGE_VAL, high = -HUGE_VAL;
    bounded_normal centre = normal_at_centre(facets, f, x, 0);
    for (int a = 0; a < facets->corners[f]; a++) {
        double r[3];
        carom_difference(place, x[n[a]], r);
        double height = carom_dot(r, centre.n);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    // in front of all corners or behind all of them
    double outside = fmax(fmax(low, -high), 0);
    return outside > 0 ? fmax(box, outside / centre.length) : box;
}

bool carom_facet_cannot_face(const carom_facets *facets, int own, int f, const double (*x)[3], double cosine, double motion) {
    bounded_normal o = normal_at_centre(facets, own, x, motion), corner[4];
    int count = corner_normals(facets, f, x, motion, corner);
    for (int i = 0; i < count; i++) {
        const bounded_normal *n = &corner[i];
        double least = carom_dot(n->n, o.n) - n->length * o.change - o.length * n->change - n->change * o.change;
        // the normal of a facet that may shrink to nothing may have any direction
        double lengths = fmax(n->length - n->change, 0) * fmax(o.length - o.change, 0);
        if (!(least >= -cosine * lengths) || !(lengths > 0))
            return false;
    }
    return true;
}

// Slightly more than pi, the largest angle between two directions.
static const double half_turn = 3.1415926535897936;
// Rounding of an angle from products of unit vectors.
static const double angle_rounding = 1e-9;

static double angle_between(const double a[3], const double b[3]) {
    double c[3];
    carom_cross(a, b, c);
    return carom_atan2(carom_norm(c), carom_dot(a, b));
}

// The largest rotation of a normal: asin(change/length), or pi if the change may exceed the length.
static double turn_of(const bounded_normal *n) {
    if (!(n->change < n->length))
        return half_turn;
    return carom_atan2(n->change, sqrt((n->length - n->change) * (n->length + n->change)));
}

carom_facet_cone carom_facet_cone_of(const carom_facets *facets, int f, const double (*x)[3], double motion) {
    bounded_normal centre = normal_at_centre(facets, f, x, motion), corner[4];
    carom_facet_cone cone = {.angle = turn_of(&centre)};
    carom_copy(centre.n, cone.axis);
    if (!(carom_normalize(cone.axis) > 0))
        cone.angle = half_turn;
    int count = corner_normals(facets, f, x, motion, corner);
    for (int i = 0; i < count && cone.angle < half_turn; i++)
        cone.angle = fmax(cone.angle, angle_between(cone.axis, corner[i].n) + turn_of(&corner[i]));
    cone.angle += angle_rounding;
    return cone;
}

carom_facet_cone carom_facet_cones_unite(const carom_facet_cone *a, const carom_facet_cone *b) {
    carom_facet_cone cone = {.angle = half_turn};
    carom_copy(a->axis, cone.axis);
    if (a->angle >= half_turn || b->angle >= half_turn)
        return cone;
    carom_add_scaled(1, b->axis, cone.axis);
    // opposite axes have no mean
    if (!(carom_normalize(cone.axis) > 0.1))
        return cone;
    cone.angle = fmax(angle_between(cone.axis, a->axis) + a->angle, angle_between(cone.axis, b->axis) + b->angle);
    cone.angle += angle_rounding;
    return cone;
}

double carom_facet_cones_angle(const carom_facet_cone *a, const carom_facet_cone *b) {
    return angle_between(a->axis, b->axis) + a->angle + b->angle;
}

double carom_facing_angle(double cosine) {
    return carom_atan2(sqrt(1 - cosine * cosine), -cosine) - angle_rounding;
}

bool carom_facet_is_ahead(const carom_facets *facets, int f, const double (*x)[3], const double place[3], double motion) {
    bounded_normal corner[4];
    int count = corner_normals(facets, f, x, motion, corner);
    for (int a = 0; a < facets->corners[f]; a++) {
        double r[3];
        carom_difference(place, x[facets->nodes[f][a]], r);
        double reach = carom_norm(r);
        for (int i = 0; i < count; i++) {
            const bounded_normal *n = &corner[i];
            double height = carom_dot(r, n->n) + motion * n->length + reach * n->change + motion * n->change;
            if (!(height < 0))
                return false;
        }
    }
    return true;
}
