// SPDX-License-Identifier: MIT
// What a device can do, as a table of functions: the processor that plays a device (emulate.c), or CUDA, which is an object of
// its own (cuda.cu) that is loaded when somebody asks for it. Calls are done in their order; those that return nothing may be
// under way when they return. What went wrong is told by `fault`.
#ifndef CAROM_DEVICE_BACKEND_H
#define CAROM_DEVICE_BACKEND_H

#include <stddef.h>

#include "device/calls.h"

#ifdef __cplusplus
extern "C" {
#endif

// Changes whenever a struct here or in calls.h does: an object of another build is refused.
enum { CAROM_BACKEND_VERSION = 8 };

typedef struct carom_backend {
    int version;
    // Takes the first device. NULL, or why there is none; `name` receives what it is called, `memory` the bytes it has free.
    const char *(*open)(char *name, size_t size, size_t *memory);
    void (*close)(void);
    // What went wrong in the calls that have been waited for, since the device was opened; or NULL.
    const char *(*fault)(void);

    void *(*allocate)(size_t bytes); // zeros; NULL: no memory
    void (*release)(void *memory);
    void (*pin)(void *host, size_t bytes); // a hint: this memory is copied often; and its end
    void (*unpin)(void *host);
    void (*put)(void *to, const void *from, size_t bytes); // to the device; `from` may be changed after the next `wait`
    void (*get)(void *to, const void *from, size_t bytes); // to the processor, complete when `wait` returns
    void (*clear)(void *memory, size_t bytes);
    void (*wait)(void);

    // Disturbs the elements of a block for stiffness damping: d->u and d->y; and its forces, from those with the disturbance.
    void (*disturb)(const carom_thread_block *block, const carom_thread_damping *d);
    void (*damp)(const carom_thread_block *block, const carom_thread_damping *d);
    // The stored energies of all elements of a block that `stores`, in their order.
    void (*energy)(const carom_thread_block *block, const carom_thread_call *call, double *energies);
    // The forces of all elements of a block into the slots; the best scores of its groups where they are watched.
    void (*force)(const carom_thread_block *block, const carom_thread_call *call);
    // The best of each block, from those of its groups; `blocks` and `tops` are memory of the device.
    void (*find_tops)(const carom_thread_block *blocks, int count, const carom_thread_call *call, carom_thread_top *tops);
    // Their sums at the nodes into n->force.
    void (*gather)(const carom_thread_nodes *n);
    // Sums, and w += h f/m; n->force receives the sums unless it is NULL. *most receives the largest change of speed; it is
    // memory of the device.
    void (*kick)(const carom_thread_nodes *n, double h, double *most);
    // x += h w of nodes that are not held
    void (*drift)(const carom_thread_nodes *n, double h);
    // The kick of a device that keeps the motion, and the velocities at its time, in n->v_next: sums, largest changes. Forces
    // are in n->force. Sums and `told` must be zero.
    void (*push)(const carom_thread_nodes *n, const carom_thread_push *push);
    // The velocities after a kick of which the share `after` acts later, in n->v; likewise.
    void (*settle)(const carom_thread_nodes *n, double after, carom_thread_sums sums, carom_thread_reported *told);
    // Exact sums of the columns of a table of so many rows, at most CAROM_THREAD_KICK_SUMS. Sums must be zero.
    void (*sum)(const double *table, int rows, int columns, carom_thread_sums sums);
    // The stiffness of the elements of a block at their nodes into the slots, in place of forces; and the largest omega^2 of
    // the nodes of each body, NaN if one is not a number. `body` and `squares`, zero at first, are memory of the device.
    void (*share)(const carom_thread_block *block, const carom_thread_call *call);
    void (*frequency)(const carom_thread_nodes *n, const int *body, double *squares);
    // Looks at all elements of a block, and at all nodes; the answers were zero at first.
    void (*look)(const carom_thread_block *block, const carom_thread_check *look);
    void (*check_behind)(const carom_thread_nodes *n, const carom_thread_planes *planes);
    // Copies on the device.
    void (*copy)(void *to, const void *from, size_t bytes);
    // *wrong, memory of the device, becomes 1 if a number is not below `most` in size.
    void (*judge)(const double *numbers, size_t count, double most, int *wrong);
    // The nodes that a kick has pushed hard, among those that are not held.
    void (*find_pushed)(const carom_thread_nodes *n, const carom_thread_pushed *pushed);
    // Vectors of the nodes of a list, one after another, and back to their places.
    void (*pack)(const double *from, const int *list, int count, double *to);
    void (*unpack)(const double *from, const int *list, int count, double *to);
    // Single numbers to the places of a list; those of a place that comes twice are equal.
    void (*place)(const double *from, const int *list, int count, double *to);
    // Sweeps until none moves anything by more than the floor, or their number is reached; then the impulses are applied to the
    // velocities of the start, in the order of the sweeps.
    void (*sweep)(const carom_thread_sweep *sweep);
    // 1: numbers of the processor that are older than those of the device are overwritten, for tests.
    int poisons;
} carom_backend;

// The processor plays the device.
const carom_backend *carom_backend_emulation(void);

// The only symbol of the object of CUDA.
#define CAROM_BACKEND_SYMBOL "carom_backend_cuda"

#ifdef __cplusplus
}
#endif
#endif
