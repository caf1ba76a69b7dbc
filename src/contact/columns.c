// SPDX-License-Identifier: MIT
// Sorts positions into columns parallel to a direction, to find bodies on a common line (columns.h, end_points.c). A column has
// a cell of the plane normal to the direction as its cross section. Cells are twice the reach wide, so positions within reach
// of a given one are in its cell or, where a side of the cell is nearer than the reach, in the next cell: at most two cells
// along each axis.
#include "contact/columns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/sort.h"
#include "math/vec3.h"

// Two unit vectors normal to the direction, by a cross product with the axis that is least aligned with it.
static void span_cross_section(const double direction[3], double axis[2][3]) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(direction[i]) < fabs(direction[least]))
            least = i;
    double unit[3] = {0, 0, 0};
    unit[least] = 1;
    carom_cross(direction, unit, axis[0]);
    carom_normalize(axis[0]);
    carom_cross(direction, axis[0], axis[1]);
    carom_normalize(axis[1]);
}

// The bucket of a cell; the hash distributes neighbouring cells over all buckets.
static int bucket_of(const carom_columns *columns, int64_t i, int64_t j) {
    uint64_t h = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)j * UINT64_C(0xc2b2ae3d27d4eb4f);
    h = (h ^ (h >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (int)((h >> 32) & columns->mask);
}

// Coordinates of a position in the cross section, in cells. With the irrational offsets grid positions avoid sides of cells.
static void locate(const carom_columns *columns, const double position[3], double at[2]) {
    static const double offset[2] = {0.41421356237309505, 0.73205080756887729};
    double r[3];
    carom_difference(position, columns->origin, r);
    for (int k = 0; k < 2; k++)
        at[k] = carom_dot(r, columns->axis[k]) / columns->cell + offset[k];
}

static int own_bucket(const carom_columns *columns, const double position[3]) {
    double at[2];
    if (columns->mask == 0)
        return 0;
    locate(columns, position, at);
    return bucket_of(columns, (int64_t)floor(at[0]), (int64_t)floor(at[1]));
}

bool carom_columns_create(carom_columns *columns, const double (*positions)[3], const bool *use, int count,
                          const double direction[3], double reach) {
    *columns = (carom_columns){.reach = reach, .cell = reach > 0 && isfinite(reach) ? 2 * reach : 1};
    // at least twice as many buckets as items, or a single one
    while (isfinite(reach) && columns->mask < 2u * (unsigned)count)
        columns->mask = 2 * columns->mask + 1;
    if (isfinite(reach) && count > 0) {
        carom_copy(positions[0], columns->origin);
        span_cross_section(direction, columns->axis);
    }
    columns->begin = carom_allocate((int64_t)columns->mask + 2, sizeof *columns->begin);
    columns->items = carom_allocate(count, sizeof *columns->items);
    int *bucket = carom_allocate(count, sizeof *bucket);
    if (!columns->begin || !columns->items || !bucket) {
        free(bucket);
        return false;
    }
    for (int i = 0; i < count; i++) {
        bucket[i] = use && !use[i] ? -1 : own_bucket(columns, positions[i]);
        if (bucket[i] >= 0)
            columns->begin[bucket[i] + 1]++;
    }
    for (unsigned b = 0; b <= columns->mask; b++)
        columns->begin[b + 1] += columns->begin[b];
    int total = columns->begin[columns->mask + 1];
    // fill buckets from their ends, in descending order of items; begin[b + 1] is then the beginning of bucket b
    for (int i = count - 1; i >= 0; i--)
        if (bucket[i] >= 0)
            columns->items[--columns->begin[bucket[i] + 1]] = i;
    for (unsigned b = 0; b <= columns->mask; b++)
        columns->begin[b] = columns->begin[b + 1];
    columns->begin[columns->mask + 1] = total;
    free(bucket);
    return true;
}

void carom_columns_release(carom_columns *columns) {
    free(columns->begin);
    free(columns->items);
    *columns = (carom_columns){0};
}

int carom_columns_find(const carom_columns *columns, const double position[3], int buckets[CAROM_COLUMN_CELLS]) {
    buckets[0] = 0;
    if (columns->mask == 0)
        return 1;
    double at[2], near = columns->reach / columns->cell;
    int64_t low[2], high[2];
    locate(columns, position, at);
    for (int k = 0; k < 2; k++) {
        low[k] = (int64_t)floor(at[k] - near);
        high[k] = (int64_t)floor(at[k] + near);
    }
    int count = 0;
    for (int64_t i = low[0]; i <= high[0]; i++)
        for (int64_t j = low[1]; j <= high[1]; j++) {
            int bucket = bucket_of(columns, i, j);
            bool known = false;
            for (int b = 0; b < count; b++)
                known = known || buckets[b] == bucket;
            if (!known && count < CAROM_COLUMN_CELLS)
                buckets[count++] = bucket;
        }
    return count;
}

int carom_columns_collect(const carom_columns *columns, const double position[3], int after, int *list) {
    int buckets[CAROM_COLUMN_CELLS], found = 0, sources = 0;
    int count = carom_columns_find(columns, position, buckets);
    for (int b = 0; b < count; b++) {
        int before = found;
        for (int k = columns->begin[buckets[b]]; k < columns->begin[buckets[b] + 1]; k++)
            if (columns->items[k] > after)
                list[found++] = columns->items[k];
        sources += found > before;
    }
    if (sources > 1)
        carom_sort_numbers(list, found);
    return found;
}

int carom_columns_size(const carom_columns *columns, const double position[3]) {
    int buckets[CAROM_COLUMN_CELLS], size = 0;
    int count = carom_columns_find(columns, position, buckets);
    for (int b = 0; b < count; b++)
        size += columns->begin[buckets[b] + 1] - columns->begin[buckets[b]];
    return size;
}
