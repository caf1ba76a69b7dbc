// SPDX-License-Identifier: MIT
// The table of functions by which the library drives a device, that is an accelerator which computes forces: a GPU by CUDA
// (cuda.cu, a shared object that is loaded on request), or its emulation on the processor (emulate.c). Calls are executed in
// their order; those without a result are asynchronous and may still run when they return. `fault` reports errors.
#ifndef CAROM_DEVICE_BACKEND_H
#define CAROM_DEVICE_BACKEND_H

#include <stddef.h>

#include "device/calls.h"

#ifdef __cplusplus
extern "C" {
#endif

// Changes whenever a struct here or in calls.h does: an object of another build is refused.
enum { CAROM_BACKEND_VERSION = 9 };

typedef struct carom_backend {
    int version;
    // Opens the first device. Returns NULL, or why there is none; `name` receives its name, `memory` its free bytes.
    const char *(*open)(char *name, size_t size, size_t *memory);
    void (*close)(void);
    // The first error in the completed calls since the device was opened; NULL: none.
    const char *(*fault)(void);

    void *(*allocate)(size_t bytes); // zeros; NULL: no memory
    void (*release)(void *memory);
    void (*pin)(void *host, size_t bytes);                 // a hint: this memory is copied often
    void (*unpin)(void *host);                             // revokes the hint
    void (*put)(void *to, const void *from, size_t bytes); // to the device; `from` may be changed after the next `wait`
    void (*get)(void *to, const void *from, size_t bytes); // to the processor, complete when `wait` returns
    void (*clear)(void *memory, size_t bytes);
    void (*wait)(void);

    // Stiffness damping of the elements of a block: `disturb` computes the perturbed positions d->y along the velocities d->u;
    // `damp` computes the damping forces from the forces with and without the perturbation.
    void (*disturb)(const carom_thread_block *block, const carom_thread_damping *d);
    void (*damp)(const carom_thread_block *block, const carom_thread_damping *d);
    // The stored energies of all elements of a block that `stores`, in their order.
    void (*energy)(const carom_thread_block *block, const carom_thread_call *call, double *energies);
    // The forces of all elements of a block into the slots (lists.c); if call->watches also the largest scores, that is
    // stresses and strains to be recorded (element/peak_bounds.h), of its groups.
    void (*force)(const carom_thread_block *block, const carom_thread_call *call);
    // The largest scores of each block, from those of its groups; `blocks` and `tops` are memory of the device.
    void (*find_tops)(const carom_thread_block *blocks, int count, const carom_thread_call *call, carom_thread_top *tops);
    // The sums of the slots of each node into n->force.
    void (*gather)(const carom_thread_nodes *n);
    // The same sums, and w += h f/m; n->force receives the sums unless it is NULL. *most receives the largest change of speed;
    // it is memory of the device.
    void (*kick)(const carom_thread_nodes *n, double h, double *most);
    // x += h w of nodes that are not held
    void (*drift)(const carom_thread_nodes *n, double h);
    // For motion that stays on the device: the kick by the forces n->force, and the velocities at its time, in n->v_next; also
    // sums and largest changes. Sums and `report` must be zero at first.
    void (*push)(const carom_thread_nodes *n, const carom_thread_push *push);
    // The velocities after a kick of which the fraction `after` acts later, in n->v. Sums and `report` must be zero at first.
    void (*settle)(const carom_thread_nodes *n, double after, carom_thread_sums sums, carom_thread_reported *report);
    // Exact sums of the columns of a table of so many rows, at most CAROM_THREAD_KICK_SUMS. Sums must be zero.
    void (*sum)(const double *table, int rows, int columns, carom_thread_sums sums);
    // The stiffness of the elements of a block at their nodes into the slots, in place of forces; and the largest omega^2 of
    // the nodes of each body, NaN if one is not a number. `body` and `squares`, zero at first, are memory of the device.
    void (*share)(const carom_thread_block *block, const carom_thread_call *call);
    void (*frequency)(const carom_thread_nodes *n, const int *body, double *squares);
    // Checks all elements of a block, and all nodes; the results must be zero at first.
    void (*check_elements)(const carom_thread_block *block, const carom_thread_check *check);
    void (*check_behind)(const carom_thread_nodes *n, const carom_thread_planes *planes);
    // Copies on the device.
    void (*copy)(void *to, const void *from, size_t bytes);
    // *wrong, memory of the device, becomes 1 if a number is not below `most` in size.
    void (*check_magnitude)(const double *numbers, size_t count, double most, int *wrong);
    // The nodes whose velocity the last kick has changed too much (carom_thread_pushed), among those that are not held.
    void (*find_pushed)(const carom_thread_nodes *n, const carom_thread_pushed *pushed);
    // Gathers vectors of the nodes of a list into consecutive memory, and scatters them back.
    void (*pack)(const double *from, const int *list, int count, double *to);
    void (*unpack)(const double *from, const int *list, int count, double *to);
    // Scatters single numbers to the places of a list; if a place occurs twice, the numbers are equal.
    void (*place)(const double *from, const int *list, int count, double *to);
    // Sweeps over contacts until no velocity changes by more than the floor, or their maximal number is reached; then applies
    // the impulses to the initial velocities, in the order of the sweeps.
    void (*sweep)(const carom_thread_sweep *sweep);
    // 1: outdated numbers in arrays of the processor are overwritten by NaN, so that tests detect a missing transfer.
    int poisons;
} carom_backend;

// The device emulated by the processor.
const carom_backend *carom_backend_emulation(void);

// The only symbol of the shared object for CUDA.
#define CAROM_BACKEND_SYMBOL "carom_backend_cuda"

#ifdef __cplusplus
}
#endif
#endif
