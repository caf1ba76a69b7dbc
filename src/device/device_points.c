// SPDX-License-Identifier: MIT
// Sends the data of the quadrature points of solids that evaluate their law point by point, not by batched formulas
// (threads_points.h): their volumes and gradients of shape functions, as computed by the processor.
#include <stdlib.h>

#include "base/allocate.h"
#include "device/inside.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"
#include "model/model.h"

void carom_device_send_points(carom_device *device, int b, bool *enough) {
    const carom_block *block = &device->model->blocks[b];
    carom_thread_block *made = &device->blocks[b];
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int n = block->node_count, size = 1 + 3 * n;
    int64_t count = carom_lanes_size(block->count, size * made->point_count);
    double *points = carom_allocate(count, sizeof *points);
    for (int e = 0; points && e < block->count; e++)
        for (int q = 0; q < made->point_count; q++) {
            carom_solid_point p =
                carom_solid_point_of(shape, block, &block->nodes[(ptrdiff_t)n * e], q, (carom_const_vectors)device->model->X);
            points[carom_lane(e, size * q, size * made->point_count)] = p.volume;
            for (int i = 0; i < 3 * n; i++)
                points[carom_lane(e, size * q + 1 + i, size * made->point_count)] = p.g[i / 3][i % 3];
        }
    made->points = carom_device_reserve(device, points, count, sizeof *points, enough);
    device->backend->wait();
    free(points);
    *enough = *enough && points;
}
