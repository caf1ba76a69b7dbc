// SPDX-License-Identifier: MIT
// Cuts polygons of files into triangles by ear clipping: an ear is a convex corner (it turns in the direction of the polygon)
// whose triangle holds no other corner (G. H. Meisters, Amer. Math. Monthly 82 (1975) 648-651); the roundest ear is cut first.
// Cutting one changes only its two neighbours, so the time grows with the square of the number of corners. A remainder without
// ears is cut as a fan, and so are polygons of very many corners if that does not overlap.
#include "mesh/files/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum {
    EARS_MAX = 5000,  // corners; the time grows with their square
    ROUNDS_MAX = 100, // for polygons that cross themselves; simple ones take one
};

// Limit of triangles for the bytes of a file. A surface has about two triangles per vertex, and takes more bytes per triangle
// than this in any format. A file that repeats a few vertices in polygons of many corners exceeds the limit: its mesh would
// take far more memory than the file.
enum { TRIANGLE_BYTES = 4, TRIANGLES_SPARE = 400000 };

static bool add_triangle(carom_reader *reader, int a, int b, int c) {
    int *nodes = carom_reader_cell(reader, CAROM_CELL_TRI3);
    if (nodes)
        nodes[0] = a, nodes[1] = b, nodes[2] = c;
    return nodes;
}

// Newell's normal of a polygon, relative to its first corner.
static void newell(double (*x)[3], const int *corners, int64_t count, double normal[3]) {
    memset(normal, 0, 3 * sizeof *normal);
    for (int64_t i = 1; i + 1 < count; i++) {
        double a[3], b[3], n[3];
        carom_difference(x[corners[i]], x[corners[0]], a);
        carom_difference(x[corners[i + 1]], x[corners[0]], b);
        carom_cross(a, b, n);
        for (int j = 0; j < 3; j++)
            normal[j] += n[j];
    }
}

// Twice the area of a triangle, seen along the normal.
static double area(double (*x)[3], int a, int b, int c, const double normal[3]) {
    double first[3], second[3], n[3];
    carom_difference(x[b], x[a], first);
    carom_difference(x[c], x[a], second);
    carom_cross(first, second, n);
    return carom_dot(n, normal);
}

// Corners on the border of the triangle count as inside, so that touching polygons are not cut across.
static bool is_ear(double (*x)[3], const int *corners, int count, int i, const double normal[3]) {
    int a = corners[(i + count - 1) % count], b = corners[i], c = corners[(i + 1) % count];
    if (!(area(x, a, b, c, normal) > 0))
        return false;
    for (int k = 0; k < count; k++) {
        int p = corners[k];
        if (p == a || p == b || p == c)
            continue;
        if (area(x, a, b, p, normal) >= 0 && area(x, b, c, p, normal) >= 0 && area(x, c, a, p, normal) >= 0)
            return false;
    }
    return true;
}

// The roundness of the ear at a corner, its area over its squared base; 0 if the corner is not an ear.
static double ear_shape(double (*x)[3], const int *corners, int count, int i, const double normal[3]) {
    int a = corners[(i + count - 1) % count], c = corners[(i + 1) % count];
    double across[3];
    carom_difference(x[c], x[a], across);
    // The tiny number avoids a division by zero for a base of length zero.
    double shape = area(x, a, corners[i], c, normal) / (carom_dot(across, across) + 1e-300);
    return shape > 0 && is_ear(x, corners, count, i, normal) ? shape : 0;
}

static int roundest(const double *shape, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (shape[i] > (best < 0 ? 0 : shape[best]))
            best = i;
    return best;
}

// Cuts ears until a triangle, or a remainder without ears, is left in `corners`. False if memory is short.
static bool cut_ears(carom_reader *reader, int *corners, double *shape, int *count) {
    double(*x)[3] = reader->draft.nodes, normal[3];
    // The normal of the whole polygon decides which corners are convex; it stays while ears are cut.
    newell(x, corners, *count, normal);
    // Polygons that cross themselves may gain ears that are not neighbours of the last one, so all corners are examined again.
    for (int round = 0, cut = 1; cut && round < ROUNDS_MAX; round++) {
        cut = 0;
        for (int i = 0; i < *count; i++)
            shape[i] = ear_shape(x, corners, *count, i, normal);
        for (int best; *count > 3 && (best = roundest(shape, *count)) >= 0; cut++) {
            if (!add_triangle(reader, corners[(best + *count - 1) % *count], corners[best], corners[(best + 1) % *count]))
                return false;
            memmove(corners + best, corners + best + 1, (size_t)(*count - best - 1) * sizeof *corners);
            memmove(shape + best, shape + best + 1, (size_t)(*count - best - 1) * sizeof *shape);
            --*count;
            // After the removal the neighbours are the corner before and the one that took its place.
            int before = (best + *count - 1) % *count, behind = best % *count;
            shape[before] = ear_shape(x, corners, *count, before, normal);
            shape[behind] = ear_shape(x, corners, *count, behind, normal);
        }
    }
    return true;
}

// Adds triangles from the first corner: for the remainder after cutting ears, and for convex polygons.
static bool add_fan(carom_reader *reader, const int *corners, int64_t count) {
    for (int64_t i = 1; i + 1 < count; i++)
        if (!add_triangle(reader, corners[0], corners[i], corners[i + 1]))
            return false;
    return true;
}

static bool add_ears(carom_reader *reader, const int *corners, int count) {
    int *rest = carom_allocate(count, sizeof *rest);
    double *shape = carom_allocate(count, sizeof *shape);
    bool good = rest && shape;
    if (good) {
        memcpy(rest, corners, (size_t)count * sizeof *rest);
        good = cut_ears(reader, rest, shape, &count) && add_fan(reader, rest, count);
    } else {
        carom_scan_no_memory(&reader->scan);
    }
    free(rest);
    free(shape);
    return good;
}

// True if the triangles of a fan overlap by no more than the rounding of coordinates written as text.
static bool is_fan(double (*x)[3], const int *corners, int64_t count) {
    double normal[3], against = 0;
    newell(x, corners, count, normal);
    for (int64_t i = 1; i + 1 < count; i++)
        against -= fmin(0, area(x, corners[0], corners[i], corners[i + 1], normal));
    return against <= 1e-6 * carom_dot(normal, normal);
}

bool carom_reader_polygon(carom_reader *reader, const int *corners, int64_t count) {
    // Quadrilaterals stay whole.
    if (count == 4) {
        int *nodes = carom_reader_cell(reader, CAROM_CELL_QUAD4);
        if (nodes)
            memcpy(nodes, corners, 4 * sizeof *nodes);
        return nodes;
    }
    const carom_scan *scan = &reader->scan;
    int64_t triangles = reader->draft.blocks[CAROM_CELL_TRI3].count + count - 2;
    if (count > 4 && triangles > (scan->end - scan->begin) / TRIANGLE_BYTES + TRIANGLES_SPARE)
        return carom_scan_fail(&reader->scan, NULL, "the polygons have far more corners than a file of this size should");
    if (count > 4 && count <= EARS_MAX)
        return add_ears(reader, corners, (int)count);
    if (count > EARS_MAX && !is_fan(reader->draft.nodes, corners, count))
        return carom_scan_fail(&reader->scan, NULL, "a polygon that is not convex has at most %d corners, found %lld", EARS_MAX,
                               (long long)count);
    // The exact number at once: growing by halves could double the memory of a huge polygon.
    if (count > EARS_MAX && !carom_reader_reserve_cells(reader, CAROM_CELL_TRI3, count - 2, false))
        return false;
    return add_fan(reader, corners, count);
}
