// SPDX-License-Identifier: MIT
// Scan conversion of a triangle: the rows and columns of samples inside it, with barycentric weights.
#include "output/picture/scan.h"

#include <math.h>

// The first sample at or behind a coordinate, clipped to [0, end].
static int sample_from(double coordinate, int end) {
    double cell = ceil(coordinate - 0.5);
    return cell <= 0 ? 0 : cell >= end ? end : (int)cell;
}

bool carom_scan_begin(carom_scan *scan, const double corners[3][2], int rows) {
    for (int i = 0; i < 3; i++) {
        scan->x[i] = corners[i][0];
        scan->y[i] = corners[i][1];
    }
    const double *x = scan->x, *y = scan->y;
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (!(fabs(area) > 0) || !isfinite(area))
        return false;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        scan->weights[i][0] = (x[j] * y[k] - x[k] * y[j]) / area;
        scan->weights[i][1] = (y[j] - y[k]) / area;
        scan->weights[i][2] = (x[k] - x[j]) / area;
    }
    scan->row_begin = sample_from(fmin(y[0], fmin(y[1], y[2])), rows);
    scan->row_end = sample_from(fmax(y[0], fmax(y[1], y[2])), rows);
    return true;
}

bool carom_scan_row(const carom_scan *scan, int row, int width, int *begin, int *end) {
    double height = row + 0.5, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        // by the lower corner first: both triangles at an edge compute the same crossing
        bool ascending = scan->y[i] <= scan->y[j];
        int a = ascending ? i : j, b = ascending ? j : i;
        if (!(scan->y[a] <= height && height < scan->y[b]))
            continue;
        double x = scan->x[a] + (scan->x[b] - scan->x[a]) * ((height - scan->y[a]) / (scan->y[b] - scan->y[a]));
        low = fmin(low, x);
        high = fmax(high, x);
    }
    *begin = sample_from(low, width);
    *end = sample_from(high, width);
    return *begin < *end;
}
