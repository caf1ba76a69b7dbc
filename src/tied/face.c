// SPDX-License-Identifier: MIT
// Geometry of faces of tied surfaces (face.h): the plane of a face, projection of faces onto it, shape functions, and the
// quadrature rule for triangles.
#include "tied/face.h"

#include <math.h>

#include "math/vec3.h"

// Newton iterations for the inverse of the bilinear map; for parallelograms it is exact after one step.
enum { ITERATIONS = 20 };
static const double newton_tolerance = 1e-15;

bool carom_tie_plane_of(const carom_tie_face *face, const double (*X)[3], carom_tie_plane *plane) {
    const int *k = face->nodes;
    int n = carom_tie_face_size(face);
    double d1[3], d2[3], along;
    *plane = (carom_tie_plane){0};
    for (int a = 0; a < n; a++)
        carom_add_scaled(1.0 / n, X[k[a]], plane->origin);
    // the normal, with twice the area as its length, from the diagonals of a quadrilateral or two sides of a triangle
    carom_difference(n == 4 ? X[k[2]] : X[k[1]], X[k[0]], d1);
    carom_difference(n == 4 ? X[k[3]] : X[k[2]], n == 4 ? X[k[1]] : X[k[0]], d2);
    carom_cross(d1, d2, plane->normal);
    plane->size = sqrt(0.5 * carom_norm(plane->normal));
    if (!(carom_normalize(plane->normal) > 0))
        return false;
    along = carom_dot(d1, plane->normal);
    carom_copy(d1, plane->axis[0]);
    carom_add_scaled(-along, plane->normal, plane->axis[0]);
    carom_normalize(plane->axis[0]);
    carom_cross(plane->normal, plane->axis[0], plane->axis[1]);
    return true;
}

void carom_tie_face_flatten(const carom_tie_face *face, const double (*X)[3], const carom_tie_plane *plane, bool reversed,
                            double corners[4][2], double height[4]) {
    int n = carom_tie_face_size(face);
    for (int a = 0; a < n; a++) {
        double arm[3];
        carom_difference(X[face->nodes[reversed ? n - 1 - a : a]], plane->origin, arm);
        for (int d = 0; d < 2; d++)
            corners[a][d] = carom_dot(arm, plane->axis[d]);
        height[a] = carom_dot(arm, plane->normal);
    }
}

static void triangle_shape(const double (*c)[2], const double p[2], double N[4]) {
    double b[2] = {c[1][0] - c[0][0], c[1][1] - c[0][1]}, d[2] = {c[2][0] - c[0][0], c[2][1] - c[0][1]};
    double q[2] = {p[0] - c[0][0], p[1] - c[0][1]}, area = b[0] * d[1] - b[1] * d[0];
    N[1] = (q[0] * d[1] - q[1] * d[0]) / area;
    N[2] = (b[0] * q[1] - b[1] * q[0]) / area;
    N[0] = 1 - N[1] - N[2];
    N[3] = 0;
}

void carom_tie_face_shape(int count, const double (*corners)[2], const double point[2], double N[4]) {
    if (count == 3) {
        triangle_shape(corners, point, N);
        return;
    }
    static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double r = 0, s = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        double left[2] = {point[0], point[1]}, by_r[2] = {0}, by_s[2] = {0};
        for (int a = 0; a < 4; a++) {
            N[a] = 0.25 * (1 + at[a][0] * r) * (1 + at[a][1] * s);
            for (int d = 0; d < 2; d++) {
                left[d] -= N[a] * corners[a][d];
                by_r[d] += 0.25 * at[a][0] * (1 + at[a][1] * s) * corners[a][d];
                by_s[d] += 0.25 * at[a][1] * (1 + at[a][0] * r) * corners[a][d];
            }
        }
        double area = by_r[0] * by_s[1] - by_r[1] * by_s[0];
        double dr = (left[0] * by_s[1] - left[1] * by_s[0]) / area, ds = (by_r[0] * left[1] - by_r[1] * left[0]) / area;
        r += dr;
        s += ds;
        if (fabs(dr) + fabs(ds) < newton_tolerance)
            break;
    }
    for (int a = 0; a < 4; a++)
        N[a] = 0.25 * (1 + at[a][0] * r) * (1 + at[a][1] * s);
}

void carom_tie_quadrature(double weight[CAROM_TIE_POINTS], double at[CAROM_TIE_POINTS][3]) {
    // the rule of Radon (1948): the centre, and two triples on the medians
    double root = sqrt(15.0);
    weight[0] = 9.0 / 40;
    at[0][0] = at[0][1] = at[0][2] = 1.0 / 3;
    for (int t = 0; t < 2; t++) {
        double sign = t ? 1 : -1, near = (6 + sign * root) / 21, far = (9 - 2 * sign * root) / 21;
        for (int i = 0; i < 3; i++) {
            weight[1 + 3 * t + i] = (155 + sign * root) / 1200;
            for (int j = 0; j < 3; j++)
                at[1 + 3 * t + i][j] = i == j ? far : near;
        }
    }
}
