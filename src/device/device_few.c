// SPDX-License-Identifier: MIT
// Queries for a few nodes if the motion stays on the device: fetches their vectors, and finds the nodes whose velocity the last
// kick has changed by more than a bound.
#include <stdlib.h>

#include "device/inside.h"
#include "math/vec3.h"
#include "model/model.h"

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

bool carom_device_reserve_few(carom_device *device) {
    int n = device->nodes.count;
    bool enough = true;
    device->few = carom_device_hold(device, n, sizeof *device->few, &enough);
    device->pushed_nodes = carom_device_hold(device, n, sizeof *device->pushed_nodes, &enough);
    device->pushed_squares = carom_device_hold(device, n, sizeof *device->pushed_squares, &enough);
    device->numbers = carom_device_hold(device, n, sizeof *device->numbers, &enough);
    device->pushed_count = carom_device_hold(device, 1, sizeof *device->pushed_count, &enough);
    device->vectors = carom_device_hold_pinned(device, 3 * (int64_t)n, sizeof *device->vectors, &enough);
    device->pushed = carom_device_hold_pinned(device, n, sizeof *device->pushed, &enough);
    device->few_there = carom_device_reserve(device, NULL, n, sizeof *device->few, &enough);
    device->vectors_there = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof *device->vectors, &enough);
    device->numbers_there = carom_device_reserve(device, NULL, n, sizeof *device->numbers, &enough);
    device->numbered_there = carom_device_reserve(device, NULL, n, sizeof *device->few, &enough);
    device->until = carom_device_reserve(device, NULL, n, sizeof *device->until, &enough);
    device->pushed_there.until = device->until;
    device->pushed_there.count = carom_device_reserve(device, NULL, 1, sizeof *device->pushed_there.count, &enough);
    device->pushed_there.found = carom_device_reserve(device, NULL, n, sizeof *device->pushed, &enough);
    return enough;
}

// Starts the transfer of vectors of the listed nodes to the buffer, from vector number `first` on; distribute_few copies them
// to their places.
static void request_few(carom_device *device, const double *from, ptrdiff_t first) {
    size_t numbers = 3 * (size_t)device->few_count;
    device->backend->pack(from, device->few_there, device->few_count, device->vectors_there + 3 * first);
    device->backend->get(device->vectors + 3 * first, device->vectors_there + 3 * first, numbers * sizeof *device->vectors);
    device->times.from += (double)(numbers * sizeof *device->vectors);
}

static void distribute_few(const carom_device *device, ptrdiff_t first, double (*to)[3]) {
#pragma omp parallel for schedule(static) if (device->few_count > SHARED_NODES)
    for (ptrdiff_t i = 0; i < device->few_count; i++)
        carom_copy(device->vectors + 3 * (first + i), to[device->few[i]]);
}

void carom_device_fetch(carom_device *device, const int *nodes, int count, const carom_device_motion *motion) {
    const double *const from[] = {device->nodes.x, device->nodes.v, device->nodes.w, device->nodes.force};
    double(*const to[])[3] = {motion->x, motion->v, motion->w, motion->force};
    enum { ARRAYS = sizeof from / sizeof *from };
    device->few_count = 0;
    // no node occurs twice, so the list has enough capacity
    for (int i = 0; i < count; i++)
        if (!device->held[nodes[i]])
            device->few[device->few_count++] = nodes[i];
    if (!device->few_count)
        return;
    device->backend->put(device->few_there, device->few, (size_t)device->few_count * sizeof *device->few);
    device->times.to += (double)device->few_count * sizeof *device->few;
    // as many arrays at a time as the buffer can hold
    ptrdiff_t capacity = device->nodes.count / device->few_count, at = 0;
    for (int a = 0, begin = 0; a < ARRAYS; a++) {
        if (to[a])
            request_few(device, from[a], device->few_count * at++);
        if (at < capacity && a + 1 < ARRAYS)
            continue;
        carom_device_wait(device);
        at = 0;
        for (int b = begin; b <= a; b++)
            if (to[b])
                distribute_few(device, device->few_count * at++, to[b]);
        at = 0;
        begin = a + 1;
    }
}

static int by_node(const void *a, const void *b) {
    int first = ((const carom_thread_pushed_node *)a)->node, second = ((const carom_thread_pushed_node *)b)->node;
    return (first > second) - (first < second);
}

// Results that are transferred together with their count; if there are more, a second transfer fetches all.
enum { FIRST_PUSHED = 256 };

void carom_device_query_pushed(carom_device *device, carom_device_until until, double now, double most) {
    const carom_backend *backend = device->backend;
    carom_thread_pushed *there = &device->pushed_there;
    int n = device->nodes.count, first = n < FIRST_PUSHED ? n : FIRST_PUSHED;
    there->now = now;
    there->most = most;
    if (until.count < 0)
        backend->put(device->until, until.of, (size_t)n * sizeof *until.of);
    else if (until.count) {
#pragma omp parallel for schedule(static) if (until.count > SHARED_NODES)
        for (int i = 0; i < until.count; i++)
            device->numbers[i] = until.of[until.nodes[i]];
        backend->put(device->numbers_there, device->numbers, (size_t)until.count * sizeof *device->numbers);
        backend->put(device->numbered_there, until.nodes, (size_t)until.count * sizeof *until.nodes);
        backend->place(device->numbers_there, device->numbered_there, until.count, device->until);
    }
    device->times.to += until.count < 0 ? (double)n * sizeof(double) : until.count * (double)(sizeof(double) + sizeof(int));
    backend->clear(there->count, sizeof *there->count);
    backend->find_pushed(&device->nodes, there);
    backend->get(device->pushed_count, there->count, sizeof *device->pushed_count);
    backend->get(device->pushed, there->found, (size_t)first * sizeof *device->pushed);
    device->times.from += (double)first * sizeof *device->pushed;
}

int carom_device_take_pushed(carom_device *device, const int **nodes, const double **squares) {
    int count = *device->pushed_count;
    if (count > FIRST_PUSHED) {
        device->backend->get(device->pushed, device->pushed_there.found, (size_t)count * sizeof *device->pushed);
        device->times.from += (double)count * sizeof *device->pushed;
        carom_device_wait(device);
    }
    qsort(device->pushed, (size_t)count, sizeof *device->pushed, by_node);
    for (int i = 0; i < count; i++) {
        device->pushed_nodes[i] = device->pushed[i].node;
        device->pushed_squares[i] = device->pushed[i].square;
    }
    *nodes = device->pushed_nodes;
    *squares = device->pushed_squares;
    return count;
}
