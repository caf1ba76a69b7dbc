// SPDX-License-Identifier: MIT
// Computes size, shape quality, inversion and flux of single cells. Integrals over bilinear faces and trilinear cells use two
// Gauss points along each axis, which is exact for volume and flux: their integrands are at most quadratic in each coordinate.
// Quality is the mean ratio (P. M. Knupp, SIAM J. Sci. Comput. 23 (2001) 193-218): 3 det(A)^(2/3) / |A|^2 of the map A from the
// regular corner, tetrahedron or triangle to the actual one.
#include "mesh/cell.h"

#include <math.h>

#include "math/functions.h"
#include "math/vec3.h"

// Neighbours of each corner, ordered so that their edges have a positive determinant in a good cell.
static const int hex_corners[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
static const int tet_corners[4][3] = {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}};

static const int wedge_corners[6][3] = {{1, 2, 3}, {2, 0, 4}, {0, 1, 5}, {5, 4, 0}, {3, 5, 1}, {4, 3, 2}};

const int carom_wedge_as_hex[8] = {0, 1, 2, 2, 3, 4, 5, 5};

static double determinant(const double a[3], const double b[3], const double c[3]) {
    double n[3];
    carom_cross(a, b, n);
    return carom_dot(n, c);
}

// Edges in local node numbers, ordered as in VTK.
int carom_cell_edges(carom_cell_type type, int edges[12][2]) {
    static const int tri[3][2] = {{0, 1}, {1, 2}, {2, 0}}, quad[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    static const int tet[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    static const int hex[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    static const int wedge[9][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    static const struct {
        int count;
        const int (*edges)[2];
    } tables[CAROM_CELL_TYPE_COUNT] = {
        [CAROM_CELL_LINE2] = {1, tri}, [CAROM_CELL_TRI3] = {3, tri},  [CAROM_CELL_QUAD4] = {4, quad},
        [CAROM_CELL_TET4] = {6, tet},  [CAROM_CELL_HEX8] = {12, hex}, [CAROM_CELL_WEDGE6] = {9, wedge}};
    int count = tables[type].count;
    const int(*table)[2] = tables[type].edges;
    for (int e = 0; e < count; e++)
        edges[e][0] = table[e][0], edges[e][1] = table[e][1];
    return count;
}

// Position and tangents of a bilinear face at (u, v) in [0, 1]^2.
static void bilinear(const double (*x)[3], double u, double v, double at[3], double along_u[3], double along_v[3]) {
    for (int i = 0; i < 3; i++) {
        at[i] = (1 - v) * ((1 - u) * x[0][i] + u * x[1][i]) + v * ((1 - u) * x[3][i] + u * x[2][i]);
        along_u[i] = (1 - v) * (x[1][i] - x[0][i]) + v * (x[2][i] - x[3][i]);
        along_v[i] = (1 - u) * (x[3][i] - x[0][i]) + u * (x[2][i] - x[1][i]);
    }
}

// Gauss points (1 +- 1/sqrt(3))/2 of the unit interval; their weights are one half.
static const double gauss[2] = {0.5 - 0.28867513459481288, 0.5 + 0.28867513459481288};

static void triangle_normal(const double (*x)[3], double n[3]) {
    double a[3], b[3];
    carom_difference(x[1], x[0], a);
    carom_difference(x[2], x[0], b);
    carom_cross(a, b, n);
}

// (1/3) of the integral of x.n: over a closed surface this is the volume, whatever the origin is.
double carom_face_flux(int size, const double (*x)[3]) {
    double at[3], a[3], b[3], n[3], flux = 0;
    // The flux density x.n is constant over a plane triangle.
    if (size == 3) {
        // n is twice the area long, hence 1/3 * 1/2.
        triangle_normal(x, n);
        return carom_dot(x[0], n) / 6;
    }
    for (int p = 0; p < 4; p++) {
        bilinear(x, gauss[p & 1], gauss[p >> 1], at, a, b);
        carom_cross(a, b, n);
        flux += carom_dot(at, n) / 12;
    }
    return flux;
}

static double quad_area(const double (*x)[3]) {
    // One point is exact for a plane quadrilateral. The area of a warped one has no closed form, and four points approximate
    // it.
    double at[3], a[3], b[3], n[3], area = 0;
    for (int p = 0; p < 4; p++) {
        bilinear(x, gauss[p & 1], gauss[p >> 1], at, a, b);
        carom_cross(a, b, n);
        area += carom_norm(n) / 4;
    }
    return area;
}

// The map is trilinear: its bottom and top are bilinear faces, and w interpolates between them.
static double hex_volume(const double (*x)[3]) {
    double volume = 0;
    for (int p = 0; p < 8; p++) {
        double w = gauss[p >> 2], at[2][3], a[2][3], b[2][3], c[3];
        bilinear(x, gauss[p & 1], gauss[(p >> 1) & 1], at[0], a[0], b[0]);
        bilinear(x + 4, gauss[p & 1], gauss[(p >> 1) & 1], at[1], a[1], b[1]);
        carom_difference(at[1], at[0], c);
        for (int i = 0; i < 3; i++) {
            a[0][i] = (1 - w) * a[0][i] + w * a[1][i];
            b[0][i] = (1 - w) * b[0][i] + w * b[1][i];
        }
        volume += determinant(a[0], b[0], c) / 8;
    }
    return volume;
}

static double wedge_volume(const double (*x)[3]) {
    double corner[8][3];
    for (int k = 0; k < 8; k++)
        carom_copy(x[carom_wedge_as_hex[k]], corner[k]);
    return hex_volume((carom_const_vectors)corner);
}

static void tet_edges(const double (*x)[3], const int corner[3], int at, double edges[3][3]) {
    for (int e = 0; e < 3; e++)
        carom_difference(x[corner[e]], x[at], edges[e]);
}

// The area of a plane cell, always positive; the signed volume of a solid cell.
double carom_cell_measure(carom_cell_type type, const double (*x)[3]) {
    double e[3][3];
    switch (type) {
    case CAROM_CELL_LINE2: carom_difference(x[1], x[0], e[0]); return carom_norm(e[0]);
    case CAROM_CELL_TRI3: triangle_normal(x, e[0]); return carom_norm(e[0]) / 2;
    case CAROM_CELL_QUAD4: return quad_area(x);
    case CAROM_CELL_TET4: tet_edges(x, tet_corners[0], 0, e); return determinant(e[0], e[1], e[2]) / 6;
    case CAROM_CELL_HEX8: return hex_volume(x);
    case CAROM_CELL_WEDGE6: return wedge_volume(x);
    default: return 0;
    }
}

// The edges of a quadrilateral at a corner and its mean normal (of unit length, or zero).
static void quad_corner(const double (*x)[3], int at, double a[3], double b[3], double mean[3]) {
    double d[3], e[3];
    carom_difference(x[2], x[0], d);
    carom_difference(x[3], x[1], e);
    carom_cross(d, e, mean);
    carom_normalize(mean);
    carom_difference(x[(at + 1) % 4], x[at], a);
    carom_difference(x[(at + 3) % 4], x[at], b);
}

static const int (*corners_of(carom_cell_type type))[3] {
    return type == CAROM_CELL_TET4 ? tet_corners : type == CAROM_CELL_HEX8 ? hex_corners : wedge_corners;
}

double carom_cell_turn(carom_cell_type type, const double (*x)[3]) {
    double least = HUGE_VAL, e[3][3], n[3];
    if (type == CAROM_CELL_TRI3) {
        // A triangle cannot be inverted; the measure is the smallest sine of its angles, which vanishes as it degenerates.
        triangle_normal(x, n);
        for (int c = 0; c < 3; c++) {
            carom_difference(x[(c + 1) % 3], x[c], e[0]);
            carom_difference(x[(c + 2) % 3], x[c], e[1]);
            double scale = carom_norm(e[0]) * carom_norm(e[1]);
            least = fmin(least, scale > 0 ? carom_norm(n) / scale : 0);
        }
        return least;
    }
    if (type == CAROM_CELL_QUAD4) {
        // Corners are compared with the mean normal, to which a re-entrant one is opposite. A symmetric bow tie has no mean
        // normal: zero.
        for (int c = 0; c < 4; c++) {
            quad_corner(x, c, e[0], e[1], e[2]);
            carom_cross(e[0], e[1], n);
            double scale = carom_norm(e[0]) * carom_norm(e[1]);
            least = fmin(least, scale > 0 ? carom_dot(n, e[2]) / scale : 0);
        }
        return least;
    }
    if (carom_cell_dimension(type) != 3)
        return 1;
    const int(*corners)[3] = corners_of(type);
    // The scaled Jacobian of each corner: 1 for a right angle, 0 where the corner is flat, negative where it is inverted.
    for (int c = 0; c < carom_cell_size(type); c++) {
        tet_edges(x, corners[c], c, e);
        double scale = carom_norm(e[0]) * carom_norm(e[1]) * carom_norm(e[2]);
        least = fmin(least, scale > 0 ? determinant(e[0], e[1], e[2]) / scale : 0);
    }
    return least;
}

// The mean ratio of a simplex, which depends only on its area or volume and on the sum of its squared edges.
static double simplex_quality(carom_cell_type type, const double (*x)[3]) {
    int edges[12][2], count = carom_cell_edges(type, edges);
    double squares = 0, measure = carom_cell_measure(type, x);
    for (int e = 0; e < count; e++) {
        double edge[3];
        carom_difference(x[edges[e][1]], x[edges[e][0]], edge);
        squares += carom_dot(edge, edge);
    }
    if (!(measure > 0) || !(squares > 0))
        return 0;
    // Normalised to 1 for the regular simplex: 4 sqrt(3) A / sum l^2 and 12 (3 V)^(2/3) / sum l^2.
    return type == CAROM_CELL_TRI3 ? 4 * sqrt(3) * measure / squares : 12 * carom_cbrt(9 * measure * measure) / squares;
}

double carom_cell_quality(carom_cell_type type, const double (*x)[3]) {
    double least = 1, e[3][3], n[3];
    switch (type) {
    case CAROM_CELL_POINT: return 1;
    case CAROM_CELL_LINE2: return carom_cell_measure(type, x) > 0 ? 1 : 0;
    case CAROM_CELL_TRI3:
    case CAROM_CELL_TET4: return simplex_quality(type, x);
    case CAROM_CELL_QUAD4:
        for (int c = 0; c < 4; c++) {
            quad_corner(x, c, e[0], e[1], e[2]);
            carom_cross(e[0], e[1], n);
            double squares = carom_dot(e[0], e[0]) + carom_dot(e[1], e[1]);
            // The mean ratio of the two edges at a corner, against a square corner: 2 det / |A|^2.
            least = fmin(least, squares > 0 ? 2 * carom_dot(n, e[2]) / squares : 0);
        }
        // An inverted quadrilateral has a negative value, which is set to the worst quality, 0.
        return fmax(least, 0);
    case CAROM_CELL_HEX8:
    case CAROM_CELL_WEDGE6:
        for (int c = 0; c < carom_cell_size(type); c++) {
            tet_edges(x, corners_of(type)[c], c, e);
            // the regular corner of a wedge has an angle of 60 degrees
            double det = determinant(e[0], e[1], e[2]) * (type == CAROM_CELL_HEX8 ? 1 : 2 / sqrt(3));
            double squares = carom_dot(e[0], e[0]) + carom_dot(e[1], e[1]) + carom_dot(e[2], e[2]);
            // No fractional power of a negative determinant: an inverted corner has the worst quality.
            least = fmin(least, det > 0 ? 3 * carom_cbrt(det * det) / squares : 0);
        }
        return least;
    default: return 0;
    }
}

static void swap(int *nodes, int a, int b) {
    int kept = nodes[a];
    nodes[a] = nodes[b];
    nodes[b] = kept;
}

// Reversing keeps the first node of a plane cell. A hexahedron and a wedge exchange bottom and top.
void carom_cell_reverse(carom_cell_type type, int *nodes) {
    switch (type) {
    case CAROM_CELL_LINE2: swap(nodes, 0, 1); break;
    case CAROM_CELL_TRI3:
    case CAROM_CELL_TET4: swap(nodes, 1, 2); break;
    case CAROM_CELL_QUAD4: swap(nodes, 1, 3); break;
    case CAROM_CELL_HEX8:
        for (int i = 0; i < 4; i++)
            swap(nodes, i, i + 4);
        break;
    case CAROM_CELL_WEDGE6:
        for (int i = 0; i < 3; i++)
            swap(nodes, i, i + 3);
        break;
    case CAROM_CELL_POINT:
    case CAROM_CELL_TYPE_COUNT: break;
    }
}
