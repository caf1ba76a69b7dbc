// SPDX-License-Identifier: MIT
// A normal is a cross product n = a x b of two sides. If the ends of the sides move by at most r relative to each other, n
// changes by at most s = r (|a| + |b|) + r^2. Products of such vectors change accordingly:
//
//     |n.o - n'.o'| <= |n| s_o + |o| s_n + s_n s_o
//
// A bilinear quadrilateral has the normals of its corners and combinations of them in between.
#include "contact/quadrature/facing.h"

#include <math.h>

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

// The normal of a segment in the plane: its second side is e_z, which stays.
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
        double away = fmax(fmax(low - place[i], place[i] - high), 0);
        sum += away * away;
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
    double away = fmax(fmax(low, -high), 0);
    return away > 0 ? fmax(box, away / centre.length) : box;
}

bool carom_facet_looks_away(const carom_facets *facets, int own, int f, const double (*x)[3], double cosine, double motion) {
    bounded_normal o = normal_at_centre(facets, own, x, motion), corner[4];
    int count = corner_normals(facets, f, x, motion, corner);
    for (int i = 0; i < count; i++) {
        const bounded_normal *n = &corner[i];
        double least = carom_dot(n->n, o.n) - n->length * o.change - o.length * n->change - n->change * o.change;
        // a facet that may shrink to nothing may look anywhere
        double lengths = fmax(n->length - n->change, 0) * fmax(o.length - o.change, 0);
        if (!(least >= -cosine * lengths) || !(lengths > 0))
            return false;
    }
    return true;
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
