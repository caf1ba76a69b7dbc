// SPDX-License-Identifier: MIT
// Motion that stays on the device (docs/theory/device.md): the processor moves the nodes of a list, the device all others. In a
// step the positions of the listed nodes are sent and the forces on them received. For kicks and drifts of the other nodes only
// step lengths, largest values and exact sums are transferred.
#include <math.h>
#include <string.h>

#include "carom/profile.h"
#include "device/inside.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state/ledger.h"

_Static_assert((int)CAROM_THREAD_DIGITS == (int)CAROM_EXACT_DIGITS, "sums of a device have the digits of the others");
_Static_assert((int)CAROM_THREAD_KICK_SUMS == (int)CAROM_KICK_SUMS, "a device finds all sums of a kick");
_Static_assert((int)CAROM_KICK_DAMPING == (int)CAROM_KICK_SUMS - 1, "that of damping is the last");

// Results of a step: sums of the kick and then of the motion, and largest numbers.
enum { SUMS = CAROM_THREAD_KICK_SUMS + CAROM_THREAD_MOTION_SUMS };
typedef struct step_report {
    long long digits[SUMS * CAROM_THREAD_DIGITS];
    unsigned special[SUMS];
    carom_thread_reported most;
} step_report;

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

// The sets of the motion that the device may have.
static const unsigned stays = CAROM_ARRAYS_MOTION | CAROM_ARRAYS_FORCES;

static size_t bytes_of(int count) {
    return (size_t)count * 3 * sizeof(double);
}

carom_status carom_device_stay(carom_device *device, const int *here, int count, const carom_device_motion *motion,
                               carom_error *error) {
    const carom_model *model = device->model;
    carom_thread_nodes *n = &device->nodes;
    int nodes = model->node_count;
    bool enough = true;
    // a second call has the same nodes, which depend on the model alone
    if (!device->report) {
        device->held = carom_device_hold(device, nodes, sizeof *device->held, &enough);
        device->here = carom_device_hold(device, count, sizeof *device->here, &enough);
        device->moved = carom_device_hold_pinned(device, 3 * (int64_t)count, sizeof *device->moved, &enough);
        device->report = carom_device_hold_pinned(device, 1, sizeof(step_report), &enough);
    }
    if (!enough)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the device");
    for (int i = 0; i < count; i++)
        device->held[device->here[i] = here[i]] = 1;
    device->remote.here = device->here;
    device->remote.count = count;
    device->remote.has &= ~stays;
    device->remote.on_device &= ~stays;
    device->arrays.motion = *motion;
    // arrays that the method has registered
    if (device->remote.state) {
        carom_state_assign(device->remote.state, motion->w, CAROM_ARRAYS_VELOCITIES);
        carom_state_assign(device->remote.state, motion->kicks, CAROM_ARRAYS_VELOCITIES);
    }
    if (!n->held) {
        n->held = carom_device_reserve(device, device->held, nodes, sizeof *device->held, &enough);
        device->list = carom_device_reserve(device, here, count, sizeof *here, &enough);
        device->packed = carom_device_reserve(device, NULL, 3 * (int64_t)count, sizeof *device->packed, &enough);
        device->report_there = carom_device_reserve(device, NULL, 1, sizeof(step_report), &enough);
        n->X = device->call.X;
        n->v = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        n->v_next = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        n->before = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        if (motion->kicks)
            n->kicks = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        if (model->mass_damping) {
            n->damping = carom_device_reserve(device, model->mass_damping, nodes, sizeof *model->mass_damping, &enough);
            n->drag = carom_device_reserve(device, NULL, nodes, sizeof *model->X, &enough);
        }
        enough = enough && carom_device_reserve_few(device);
    }
    device->backend->wait();
    return enough ? CAROM_OK : carom_fail(error, CAROM_BAD_INPUT, "%s has too little memory to keep the motion", device->name);
}

void carom_device_send(carom_device *device) {
    const carom_backend *backend = device->backend;
    const carom_device_motion *motion = &device->arrays.motion;
    const carom_thread_nodes *n = &device->nodes;
    size_t bytes = bytes_of(n->count);
    device->settled_after = NAN;
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
    device->remote.has |= CAROM_ARRAYS_MOTION;
    device->times.to += (double)bytes * (n->kicks ? 4 : 3);
}

// Gathers vectors of the nodes of the processor into a buffer; distribute_here copies them back.
static void collect_here(carom_device *device, const double (*from)[3]) {
    const int count = device->remote.count, *here = device->here;
    double *to = device->moved;
#pragma omp parallel for schedule(static) if (count > SHARED_NODES)
    for (int i = 0; i < count; i++)
        memcpy(to + 3 * (ptrdiff_t)i, from[here[i]], sizeof *from);
}

static void distribute_here(const carom_device *device, double (*to)[3]) {
    const int count = device->remote.count, *here = device->here;
    const double *from = device->moved;
#pragma omp parallel for schedule(static) if (count > SHARED_NODES)
    for (int i = 0; i < count; i++)
        memcpy(to[here[i]], from + 3 * (ptrdiff_t)i, sizeof *to);
}

void carom_device_copy_back_array(carom_device *device, const double *from, double (*to)[3]) {
    size_t bytes = bytes_of(device->nodes.count);
    if (!from || !to)
        return;
    collect_here(device, (carom_const_vectors)to);
    device->backend->get(to, from, bytes);
    device->backend->wait();
    distribute_here(device, to);
    device->times.from += (double)bytes;
}

void carom_device_copy_back(carom_device *device, const carom_device_motion *motion) {
    const carom_thread_nodes *n = &device->nodes;
    double begin = carom_profile_clocks().wall;
    carom_device_copy_back_array(device, n->x, motion->x);
    carom_device_copy_back_array(device, n->v, motion->v);
    carom_device_copy_back_array(device, n->w, motion->w);
    carom_device_copy_back_array(device, n->kicks, motion->kicks);
    carom_device_copy_back_array(device, n->force, motion->force);
    carom_device_copy_back_array(device, n->drag, motion->drag);
    device->times.waiting += carom_profile_clocks().wall - begin;
}

void carom_device_drift(carom_device *device, double h) {
    device->backend->drift(&device->nodes, h);
    carom_device_change(device, CAROM_ARRAYS_POSITIONS);
}

void carom_device_put_here(carom_device *device, const double (*x)[3]) {
    if (!device->remote.count)
        return;
    collect_here(device, x);
    device->backend->put(device->packed, device->moved, bytes_of(device->remote.count));
    device->backend->unpack(device->packed, device->list, device->remote.count, device->nodes.x);
    device->times.to += (double)bytes_of(device->remote.count);
}

void carom_device_request_here(carom_device *device) {
    if (!device->remote.count)
        return;
    device->backend->pack(device->nodes.force, device->list, device->remote.count, device->packed);
    device->backend->get(device->moved, device->packed, bytes_of(device->remote.count));
    device->times.from += (double)bytes_of(device->remote.count);
}

void carom_device_take_here(const carom_device *device, double (*force)[3]) {
    distribute_here(device, force);
}

// Adds the sums that the device has reported, from number `first` on.
static void take_sums(const carom_device *device, int first, int count, carom_exact *sums) {
    const step_report *from = device->report;
    int terms = 2 * device->nodes.count;
    for (int a = 0; a < count; a++)
        carom_exact_take(&sums[a], (const int64_t *)(from->digits + CAROM_THREAD_DIGITS * (ptrdiff_t)(first + a)), terms,
                         from->special[first + a]);
}

static void start(carom_device *device) {
    device->backend->clear(device->report_there, sizeof(step_report));
}

static const carom_thread_reported *finish(carom_device *device) {
    device->backend->get(device->report, device->report_there, sizeof(step_report));
    device->times.from += (double)sizeof(step_report);
    carom_device_wait(device);
    return &((const step_report *)device->report)->most;
}

void carom_device_wait(carom_device *device) {
    double begin = carom_profile_clocks().wall;
    device->backend->wait();
    if (!device->fault)
        device->fault = device->backend->fault();
    device->times.waiting += carom_profile_clocks().wall - begin;
}

void carom_device_push(carom_device *device, double h, double step, double after, double *most, double *fastest,
                       carom_exact *sums) {
    step_report *there = device->report_there;
    carom_thread_push push = {.h = h,
                              .part = h / step,
                              .step = step,
                              .after = after,
                              .sums = {there->digits, there->special},
                              .report = &there->most};
    start(device);
    device->backend->push(&device->nodes, &push);
    const carom_thread_reported *found = finish(device);
    *most = found->most;
    *fastest = found->fastest;
    take_sums(device, 0, CAROM_KICK_SUMS, sums);
    take_sums(device, CAROM_KICK_SUMS, CAROM_THREAD_MOTION_SUMS, device->settled);
    device->settled_finite = found->stray == 0;
    device->settled_after = after;
    // mass damping adds to the forces
    carom_device_change(device, CAROM_ARRAYS_VELOCITIES | CAROM_ARRAYS_FORCES);
}

// Computes the velocities, if the last kick has computed them for another value of `after`.
static void settle(carom_device *device, double after) {
    step_report *there = device->report_there;
    carom_thread_sums sums = {there->digits, there->special};
    start(device);
    device->backend->settle(&device->nodes, after, sums, &there->most);
    device->settled_finite = finish(device)->stray == 0;
    take_sums(device, 0, CAROM_THREAD_MOTION_SUMS, device->settled);
}

bool carom_device_settle(carom_device *device, double after) {
    carom_thread_nodes *n = &device->nodes;
    if (device->settled_after == after) {
        double *old = n->v;
        n->v = n->v_next;
        n->v_next = old;
    } else
        settle(device, after);
    device->settled_after = NAN;
    carom_exact_copy(&device->remote.kinetic, &device->settled[0]);
    carom_exact_copy(&device->remote.external, &device->settled[1]);
    carom_device_change(device, CAROM_ARRAYS_VELOCITIES);
    return device->settled_finite && !device->fault;
}
