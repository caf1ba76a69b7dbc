// SPDX-License-Identifier: MIT
// Ears are cut off: a corner that turns the way the polygon turns and whose triangle holds no other corner (Meisters 1975), the roundest
// first. What has no ear, or very many corners, is cut as a fan.
#include "mesh/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { EARS_MAX = 200 };

static bool add_triangle(carom_reader *reader, int a, int b, int c) {
    int *nodes = carom_reader_cell(reader, CAROM_CELL_TRI3);
    if (nodes)
        nodes[0] = a, nodes[1] = b, nodes[2] = c;
    return nodes;
}

// Newell's normal of a polygon, about its first corner.
static void newell(double (*x)[3], const int *corners, int count, double normal[3]) {
    memset(normal, 0, 3 * sizeof *normal);
    for (int i = 1; i + 1 < count; i++) {
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

// Cuts ears until a triangle is left; false with the rest in `corners` if there is none.
static bool cut_ears(carom_reader *reader, int *corners, int *count) {
    double(*x)[3] = reader->draft.nodes, normal[3];
    newell(x, corners, *count, normal);
    while (*count > 3) {
        int best = -1;
        double widest = 0;
        for (int i = 0; i < *count; i++) {
            int a = corners[(i + *count - 1) % *count], c = corners[(i + 1) % *count];
            double across[3];
            carom_difference(x[c], x[a], across);
            double shape = area(x, a, corners[i], c, normal) / (carom_dot(across, across) + 1e-300);
            if (shape > widest && is_ear(x, corners, *count, i, normal))
                best = i, widest = shape;
        }
        if (best < 0)
            return true;
        if (!add_triangle(reader, corners[(best + *count - 1) % *count], corners[best], corners[(best + 1) % *count]))
            return false;
        memmove(corners + best, corners + best + 1, (size_t)(*count - best - 1) * sizeof *corners);
        --*count;
    }
    return true;
}

bool carom_reader_polygon(carom_reader *reader, const int *corners, int64_t count) {
    if (count == 4) {
        int *nodes = carom_reader_cell(reader, CAROM_CELL_QUAD4);
        if (nodes)
            memcpy(nodes, corners, 4 * sizeof *nodes);
        return nodes;
    }
    int rest[EARS_MAX], left = 0;
    const int *fan = corners;
    if (count > 4 && count <= EARS_MAX) {
        memcpy(rest, corners, (size_t)count * sizeof *rest);
        left = (int)count;
        if (!cut_ears(reader, rest, &left))
            return false;
        fan = rest;
        count = left;
    } else if (count > EARS_MAX && !carom_reader_reserve_cells(reader, CAROM_CELL_TRI3, count - 2, false)) {
        return false;
    }
    for (int64_t i = 1; i + 1 < count; i++)
        if (!add_triangle(reader, fan[0], fan[i], fan[i + 1]))
            return false;
    return true;
}
