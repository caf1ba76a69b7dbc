// SPDX-License-Identifier: MIT
// A few nodes of a device that keeps the motion, of which the processor asks for something.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "math/vec3.h"
#include "model/model.h"

bool carom_device_make_few(carom_device *device) {
    int n = device->nodes.count;
    bool enough = true;
    device->few = carom_allocate(n, sizeof *device->few);
    device->vectors = carom_allocate(3 * (int64_t)n, sizeof *device->vectors);
    device->pushed = carom_allocate(n, sizeof *device->pushed);
    device->pushed_nodes = carom_allocate(n, sizeof *device->pushed_nodes);
    device->pushed_squares = carom_allocate(n, sizeof *device->pushed_squares);
    device->few_there = carom_device_reserve(device, NULL, n, sizeof *device->few, &enough);
    device->vectors_there = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof *device->vectors, &enough);
    device->until = carom_device_reserve(device, NULL, n, sizeof *device->until, &enough);
    device->pushed_there.until = device->until;
    device->pushed_there.count = carom_device_reserve(device, NULL, 1, sizeof *device->pushed_there.count, &enough);
    device->pushed_there.found = carom_device_reserve(device, NULL, n, sizeof *device->pushed, &enough);
    return enough && device->few && device->vectors && device->pushed && device->pushed_nodes && device->pushed_squares;
}

void carom_device_begin_few(carom_device *device) {
    device->few_count = 0;
}

bool carom_device_add_few(carom_device *device, int node) {
    if (device->held[node])
        return true;
    if (device->few_count == device->nodes.count)
        return false;
    device->few[device->few_count++] = node;
    return true;
}

void carom_device_bring_few(carom_device *device, const double *from, double (*to)[3]) {
    const carom_backend *backend = device->backend;
    size_t count = (size_t)device->few_count;
    if (!count || !to)
        return;
    backend->put(device->few_there, device->few, count * sizeof *device->few);
    backend->pack(from, device->few_there, device->few_count, device->vectors_there);
    backend->get(device->vectors, device->vectors_there, 3 * count * sizeof *device->vectors);
    backend->wait();
    for (size_t i = 0; i < count; i++)
        carom_copy(device->vectors + 3 * i, to[device->few[i]]);
    device->times.to += (double)(count * sizeof *device->few);
    device->times.from += (double)(3 * count * sizeof *device->vectors);
}

void carom_device_fetch(carom_device *device, const int *nodes, int count, const carom_device_motion *motion) {
    double begin = carom_profile_clocks().wall;
    carom_device_begin_few(device);
    // no node comes twice: there is room
    for (int i = 0; i < count; i++)
        carom_device_add_few(device, nodes[i]);
    carom_device_bring_few(device, device->nodes.x, motion->x);
    carom_device_bring_few(device, device->nodes.v, motion->v);
    carom_device_bring_few(device, device->nodes.w, motion->w);
    carom_device_bring_few(device, device->nodes.force, motion->force);
    device->times.waiting += carom_profile_clocks().wall - begin;
}

static int by_node(const void *a, const void *b) {
    int first = ((const carom_thread_pushed_node *)a)->node, second = ((const carom_thread_pushed_node *)b)->node;
    return (first > second) - (first < second);
}

int carom_device_find_pushed(carom_device *device, const double *until, double now, double most, const int **nodes,
                             const double **squares) {
    const carom_backend *backend = device->backend;
    carom_thread_pushed *there = &device->pushed_there;
    double begin = carom_profile_clocks().wall;
    int count = 0;
    there->now = now;
    there->most = most;
    if (until) {
        backend->put(device->until, until, (size_t)device->nodes.count * sizeof *until);
        device->times.to += (double)device->nodes.count * sizeof *until;
    }
    backend->clear(there->count, sizeof *there->count);
    backend->find_pushed(&device->nodes, there);
    backend->get(&count, there->count, sizeof count);
    backend->wait();
    if (count) {
        backend->get(device->pushed, there->found, (size_t)count * sizeof *device->pushed);
        backend->wait();
        // threads have found them in any order
        qsort(device->pushed, (size_t)count, sizeof *device->pushed, by_node);
    }
    for (int i = 0; i < count; i++) {
        device->pushed_nodes[i] = device->pushed[i].node;
        device->pushed_squares[i] = device->pushed[i].square;
    }
    *nodes = device->pushed_nodes;
    *squares = device->pushed_squares;
    device->times.from += (double)count * sizeof *device->pushed;
    device->times.waiting += carom_profile_clocks().wall - begin;
    return count;
}
