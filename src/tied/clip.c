// SPDX-License-Identifier: MIT
// Intersects two convex polygons (clip.h) by Sutherland-Hodgman clipping: one is cut by the lines along the sides of the other,
// one after another.
#include "tied/clip.h"

#include <string.h>

double carom_clip_area(int count, const double (*corners)[2]) {
    double area = 0;
    // triangles at the first corner: accurate also far from the origin
    for (int i = 1; i + 1 < count; i++)
        area += (corners[i][0] - corners[0][0]) * (corners[i + 1][1] - corners[0][1]) -
                (corners[i][1] - corners[0][1]) * (corners[i + 1][0] - corners[0][0]);
    return area;
}

// Twice the area of the triangle of a side and a point: positive to the left of the side.
static double side_of(const double a[2], const double b[2], const double p[2]) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

// Keeps the part to the left of the line from a to b. This adds at most one corner to a convex polygon.
static int cut(int count, double (*corners)[2], const double a[2], const double b[2]) {
    double kept[CAROM_CLIP_MAX + 1][2];
    int n = 0;
    for (int i = 0; i < count; i++) {
        const double *p = corners[i], *q = corners[(i + 1) % count];
        double at_p = side_of(a, b, p), at_q = side_of(a, b, q);
        if (at_p >= 0 && n < CAROM_CLIP_MAX)
            memcpy(kept[n++], p, sizeof kept[0]);
        if ((at_p < 0) == (at_q < 0) || n == CAROM_CLIP_MAX)
            continue;
        double t = at_p / (at_p - at_q);
        for (int d = 0; d < 2; d++)
            kept[n][d] = p[d] + t * (q[d] - p[d]);
        n++;
    }
    memcpy(corners, kept, (size_t)n * sizeof *kept);
    return n;
}

int carom_clip(int count, const double (*corners)[2], int other_count, const double (*other)[2],
               double common[CAROM_CLIP_MAX][2]) {
    memcpy(common, corners, (size_t)count * sizeof *corners);
    for (int i = 0; i < other_count && count; i++)
        count = cut(count, common, other[i], other[(i + 1) % other_count]);
    return count > 2 && carom_clip_area(count, (const double(*)[2])common) > 0 ? count : 0;
}
