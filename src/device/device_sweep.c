// SPDX-License-Identifier: MIT
// Gauss-Seidel sweeps over the contacts of a large island (bodies connected by contacts) on the device
// (docs/theory/device.md): sends records of contacts and velocities, receives impulses and velocities.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "device/inside.h"
#include "device/threads_sweep.h"
#include "math/vec3.h"
#include "model/model.h"

// Contacts and nodes above which threads share the loops over them.
enum { SHARED_CONTACTS = 1024, SHARED_NODES = 4096 };

// Releases the buffers for contacts.
void carom_device_release_sweep(carom_device *device) {
    carom_device_sweep *sweep = &device->sweep;
    const carom_backend *backend = device->backend;
    if (sweep->contacts)
        backend->unpin(sweep->contacts);
    if (sweep->impulses)
        backend->unpin(sweep->impulses);
    if (sweep->contacts_there)
        backend->release(sweep->contacts_there);
    if (sweep->impulses_there)
        backend->release(sweep->impulses_there);
    free(sweep->contacts);
    free(sweep->impulses);
    sweep->contacts = sweep->contacts_there = NULL;
    sweep->impulses = sweep->impulses_there = NULL;
    sweep->capacity = 0;
}

// Assigns rows to the nodes, once.
static bool make_rows(carom_device *device) {
    carom_device_sweep *sweep = &device->sweep;
    int64_t numbers = 4 * (int64_t)device->remote.count;
    bool enough = true;
    if (sweep->row)
        return true;
    sweep->row = carom_device_hold(device, device->model->node_count, sizeof *sweep->row, &enough);
    sweep->v = carom_device_hold_pinned(device, numbers, sizeof *sweep->v, &enough);
    sweep->v_there = carom_device_reserve(device, NULL, numbers, sizeof *sweep->v, &enough);
    sweep->start_there = carom_device_reserve(device, NULL, numbers, sizeof *sweep->v, &enough);
    sweep->moved_there = carom_device_reserve(device, NULL, 3, sizeof *sweep->moved_there, &enough);
    if (!enough)
        return false;
    for (int i = 0; i < device->remote.count; i++)
        sweep->row[device->here[i]] = i;
    return true;
}

_Static_assert((int)CAROM_THREAD_COLOURS == (int)CAROM_COLOURS, "a call has a place for each colour");

// Bytes of the records of `count` contacts, which are stored in groups of 32.
static size_t size_of_records(int64_t count) {
    return ((size_t)count + 31) / 32 * 32 * sizeof(carom_plain_contact);
}

// Buffers for at least `count` contacts, on the processor and on the device.
static bool ensure_capacity(carom_device *device, int count) {
    carom_device_sweep *sweep = &device->sweep;
    const carom_backend *backend = device->backend;
    if (count <= sweep->capacity)
        return true;
    carom_device_release_sweep(device);
    sweep->capacity = count + count / 2;
    size_t records = size_of_records(sweep->capacity), numbers = 4 * (size_t)sweep->capacity * sizeof(double);
    sweep->contacts = carom_allocate((int64_t)records, 1);
    sweep->impulses = carom_allocate(4 * sweep->capacity, sizeof *sweep->impulses);
    sweep->contacts_there = backend->allocate(records);
    sweep->impulses_there = backend->allocate(numbers);
    if (sweep->contacts)
        backend->pin(sweep->contacts, records);
    if (sweep->impulses)
        backend->pin(sweep->impulses, numbers);
    return sweep->contacts && sweep->impulses && sweep->contacts_there && sweep->impulses_there;
}

// Collects the records of the contacts and the velocities of the nodes for the device.
static void collect(carom_device *device, const carom_contact_solve *solve, const carom_solve_group *group,
                    const double (*v)[3]) {
    carom_device_sweep *sweep = &device->sweep;
    const int count = group->count, rows = device->remote.count;
#pragma omp parallel for schedule(static) if (count > SHARED_CONTACTS)
    for (int i = 0; i < count; i++) {
        carom_plain_contact one;
        carom_thread_part parts[CAROM_THREAD_PARTS];
        carom_sweeps_take_plain(&solve->items[group->order[i]], &one);
        for (int k = 0; k < 4; k++) {
            assert(device->held[one.node[k]]);
            one.node[k] = sweep->row[one.node[k]];
        }
        memcpy(parts, &one, sizeof one);
        for (int p = 0; p < CAROM_THREAD_PARTS; p++)
            sweep->contacts[carom_thread_part_place(i, p)] = parts[p];
    }
#pragma omp parallel for schedule(static) if (rows > SHARED_NODES)
    for (int i = 0; i < rows; i++)
        carom_copy(v[device->here[i]], sweep->v + 4 * (ptrdiff_t)i);
}

// Copies the impulses to the contacts and the velocities to the nodes. Nodes without contacts keep their velocities.
static void distribute(const carom_device *device, carom_contact_solve *solve, const carom_solve_group *group, double (*v)[3]) {
    const carom_device_sweep *sweep = &device->sweep;
    const int count = group->count, rows = device->remote.count;
#pragma omp parallel for schedule(static) if (count > SHARED_CONTACTS)
    for (int i = 0; i < count; i++) {
        const double *impulse = sweep->impulses + 4 * (ptrdiff_t)i;
        solve->items[group->order[i]].normal = impulse[0];
        carom_copy(impulse + 1, solve->items[group->order[i]].tangential);
    }
#pragma omp parallel for schedule(static) if (rows > SHARED_NODES)
    for (int i = 0; i < rows; i++)
        carom_copy(sweep->v + 4 * (ptrdiff_t)i, v[device->here[i]]);
}

static bool run(const carom_sweeper *sweeper, carom_contact_solve *solve, const carom_solve_group *group,
                carom_sweep_limits limits, double (*v)[3]) {
    carom_device *device = sweeper->context;
    carom_device_sweep *sweep = &device->sweep;
    const carom_backend *backend = device->backend;
    if (device->fault || sweep->refused)
        return false;
    // if memory is short, the threads of the processor sweep
    sweep->refused = !make_rows(device) || !ensure_capacity(device, group->count);
    if (sweep->refused)
        return false;
    carom_thread_sweep call = {.count = group->count,
                               .rows = device->remote.count,
                               .colour_count = group->colour_count,
                               .most = limits.most,
                               .floor = limits.floor,
                               .contacts = sweep->contacts_there,
                               .start = sweep->start_there,
                               .v = sweep->v_there,
                               .impulses = sweep->impulses_there,
                               .moved = sweep->moved_there};
    memcpy(call.colours, group->colours, ((size_t)group->colour_count + 1) * sizeof *group->colours);
    size_t records = size_of_records(group->count), numbers = 4 * (size_t)group->count * sizeof(double),
           rows = 4 * (size_t)device->remote.count * sizeof(double);
    collect(device, solve, group, (carom_const_vectors)v);
    backend->put(sweep->contacts_there, sweep->contacts, records);
    backend->put(sweep->start_there, sweep->v, rows);
    backend->clear(sweep->moved_there, 3 * sizeof *sweep->moved_there);
    backend->sweep(&call);
    backend->get(sweep->impulses, sweep->impulses_there, numbers);
    backend->get(sweep->v, sweep->v_there, rows);
    carom_device_wait(device);
    device->times.to += (double)(records + rows);
    device->times.from += (double)(numbers + rows);
    if (device->fault)
        return false;
    distribute(device, solve, group, v);
    device->times.islands++;
    return true;
}

const carom_sweeper *carom_device_sweeper(carom_device *device) {
    device->sweep.sweeper = (carom_sweeper){run, device};
    return &device->sweep.sweeper;
}
