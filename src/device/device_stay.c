// SPDX-License-Identifier: MIT
// Motion that stays on the device (docs/theory/device.md): the processor has the nodes of a list, the device all others. In a
// step, positions of those of the list go there and their forces come back; kicks and drifts of the others need only a few
// numbers and exact sums.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/ledger.h"
#include "model/model.h"

_Static_assert((int)CAROM_THREAD_DIGITS == (int)CAROM_EXACT_DIGITS, "sums of a device have the digits of the others");
_Static_assert((int)CAROM_THREAD_KICK_SUMS == (int)CAROM_KICK_SUMS, "a device finds all sums of a kick");
_Static_assert((int)CAROM_KICK_DAMPING == (int)CAROM_KICK_SUMS - 1, "that of damping is the last");

// What a step tells: sums of the kick or of the motion, and largest numbers, one behind the other.
typedef struct told {
    long long digits[CAROM_THREAD_KICK_SUMS * CAROM_THREAD_DIGITS];
    unsigned special[CAROM_THREAD_KICK_SUMS];
    carom_thread_told most;
} told;

static size_t bytes_of(int count) {
    return (size_t)count * 3 * sizeof(double);
}

carom_status carom_device_stay(carom_device *device, const int *here, int count, bool kicks, carom_error *error) {
    const carom_model *model = device->model;
    carom_thread_nodes *n = &device->nodes;
    int nodes = model->node_count;
    bool enough = true;
    unsigned char *held = device->held ? device->held : carom_allocate(nodes, sizeof *held);
    device->held = held;
    device->here = here;
    device->here_count = count;
    if (!device->moved)
        device->moved = carom_allocate(3 * (int64_t)count, sizeof *device->moved);
    if (!device->told)
        device->told = carom_allocate(1, sizeof(told));
    if (!held || !device->moved || !device->told)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the device");
    for (int i = 0; i < count; i++)
        held[here[i]] = 1;
    // a second stay has the same nodes: those of the model
    if (!n->held) {
        device->backend->pin(device->moved, bytes_of(count));
        device->backend->pin(device->told, sizeof(told));
        n->held = carom_device_reserve(device, held, nodes, sizeof *held, &enough);
        device->list = carom_device_reserve(device, here, count, sizeof *here, &enough);
        device->packed = carom_device_reserve(device, NULL, 3 * (int64_t)count, sizeof *device->packed, &enough);
        device->tells = carom_device_reserve(device, NULL, 1, sizeof(told), &enough);
        n->X = device->call.X;
        n->v = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        n->before = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        if (kicks)
            n->kicks = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        if (model->mass_damping) {
            n->damping = carom_device_reserve(device, model->mass_damping, nodes, sizeof *model->mass_damping, &enough);
            n->drag = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        }
        enough = enough && carom_device_make_few(device);
    }
    device->backend->wait();
    return enough ? CAROM_OK : carom_fail(error, CAROM_BAD_INPUT, "%s has too little memory to keep the motion", device->name);
}

void carom_device_send(carom_device *device, const carom_device_motion *motion) {
    const carom_backend *backend = device->backend;
    const carom_thread_nodes *n = &device->nodes;
    size_t bytes = bytes_of(n->count);
    carom_device_pin(device, CAROM_PINNED_X, motion->x);
    carom_device_pin(device, CAROM_PINNED_V, motion->v);
    carom_device_pin(device, CAROM_PINNED_W, motion->w);
    if (n->kicks)
        carom_device_pin(device, CAROM_PINNED_KICKS, motion->kicks);
    backend->put(n->x, motion->x, bytes);
    backend->put(n->w, motion->w, bytes);
    backend->put(n->v, motion->v, bytes);
    if (n->kicks)
        backend->put(n->kicks, motion->kicks, bytes);
    backend->wait();
    device->times.to += (double)bytes * (n->kicks ? 4 : 3);
}

// Brings an array, and leaves the nodes of the processor as they are there.
static void bring_array(carom_device *device, const double *from, double (*to)[3]) {
    size_t bytes = bytes_of(device->nodes.count);
    if (!from || !to)
        return;
    for (int i = 0; i < device->here_count; i++)
        memcpy(device->moved + 3 * (ptrdiff_t)i, to[device->here[i]], sizeof *to);
    device->backend->get(to, from, bytes);
    device->backend->wait();
    for (int i = 0; i < device->here_count; i++)
        memcpy(to[device->here[i]], device->moved + 3 * (ptrdiff_t)i, sizeof *to);
    device->times.from += (double)bytes;
}

void carom_device_bring(carom_device *device, const carom_device_motion *motion) {
    const carom_thread_nodes *n = &device->nodes;
    double begin = carom_profile_clocks().wall;
    bring_array(device, n->x, motion->x);
    bring_array(device, n->v, motion->v);
    bring_array(device, n->w, motion->w);
    bring_array(device, n->kicks, motion->kicks);
    bring_array(device, n->force, motion->force);
    bring_array(device, n->drag, motion->drag);
    device->times.waiting += carom_profile_clocks().wall - begin;
}

void carom_device_drift(carom_device *device, double h) {
    device->backend->drift(&device->nodes, h);
}

void carom_device_put_here(carom_device *device, const double (*x)[3]) {
    if (!device->here_count)
        return;
    for (int i = 0; i < device->here_count; i++)
        memcpy(device->moved + 3 * (ptrdiff_t)i, x[device->here[i]], sizeof *x);
    device->backend->put(device->packed, device->moved, bytes_of(device->here_count));
    device->backend->unpack(device->packed, device->list, device->here_count, device->nodes.x);
    device->times.to += (double)bytes_of(device->here_count);
}

void carom_device_ask_here(carom_device *device) {
    if (!device->here_count)
        return;
    device->backend->pack(device->nodes.force, device->list, device->here_count, device->packed);
    device->backend->get(device->moved, device->packed, bytes_of(device->here_count));
    device->times.from += (double)bytes_of(device->here_count);
}

void carom_device_take_here(const carom_device *device, double (*force)[3]) {
    for (int i = 0; i < device->here_count; i++)
        memcpy(force[device->here[i]], device->moved + 3 * (ptrdiff_t)i, sizeof *force);
}

// The sums of which the device has told.
static void take_sums(const carom_device *device, int count, carom_exact *sums) {
    const told *from = device->told;
    int terms = 2 * device->nodes.count;
    for (int a = 0; a < count; a++)
        carom_exact_take(&sums[a], (const int64_t *)(from->digits + CAROM_THREAD_DIGITS * (ptrdiff_t)a), terms,
                         from->special[a]);
}

static void start(carom_device *device) {
    device->backend->clear(device->tells, sizeof(told));
}

static const carom_thread_told *finish(carom_device *device) {
    double begin = carom_profile_clocks().wall;
    device->backend->get(device->told, device->tells, sizeof(told));
    device->backend->wait();
    if (!device->fault)
        device->fault = device->backend->fault();
    device->times.waiting += carom_profile_clocks().wall - begin;
    device->times.from += (double)sizeof(told);
    return &((const told *)device->told)->most;
}

void carom_device_push(carom_device *device, double h, double step, double *most, double *fastest, carom_exact *sums) {
    told *tells = device->tells;
    carom_thread_push push = {
        .h = h, .part = h / step, .step = step, .sums = {tells->digits, tells->special}, .told = &tells->most};
    start(device);
    device->backend->push(&device->nodes, &push);
    const carom_thread_told *found = finish(device);
    *most = found->most;
    *fastest = found->fastest;
    take_sums(device, CAROM_KICK_SUMS, sums);
}

bool carom_device_settle(carom_device *device, double after, carom_exact *kinetic, carom_exact *external) {
    told *tells = device->tells;
    carom_thread_sums sums = {tells->digits, tells->special};
    carom_exact found[CAROM_THREAD_MOTION_SUMS];
    memset(found, 0, sizeof found);
    start(device);
    device->backend->settle(&device->nodes, after, sums, &tells->most);
    bool finite = finish(device)->stray == 0;
    take_sums(device, CAROM_THREAD_MOTION_SUMS, found);
    carom_exact_copy(kinetic, &found[0]);
    carom_exact_copy(external, &found[1]);
    return finite && !device->fault;
}
