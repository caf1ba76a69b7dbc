// SPDX-License-Identifier: MIT
// The struct carom_device and the functions that the sources of this folder share. Members with the suffix `_there` are memory
// of the device.
#ifndef CAROM_DEVICE_INSIDE_H
#define CAROM_DEVICE_INSIDE_H

#include "base/arena.h"
#include "device/device.h"

// Arrays of vectors of all nodes that are copied often.
enum { CAROM_PINNED_X, CAROM_PINNED_FORCE, CAROM_PINNED_V, CAROM_PINNED_W, CAROM_PINNED_KICKS, CAROM_PINNED };

// The largest number of arrays of the processor that stay pinned.
enum { CAROM_ALWAYS_PINNED = 8 };

// Stiffness damping (device_damping.c): entries are the nodes of all elements, block after block.
typedef struct carom_device_damping {
    int64_t *first;   // per block: its first entry; NULL: there is no damping
    int *place, *own; // on the device: the slot of each entry; and the numbers 0, 1, 2, ..., which are the nodes of a block
    double *Y, *y, *u, *r;  // on the device: vectors of each entry (calls.h)
    double *slots, *forces; // on the device: slots of damping forces, and their sums at the nodes
} carom_device_damping;
// The arrays of a state of which the device may have newer values; NULL: there are none.
typedef struct carom_device_arrays {
    carom_device_motion motion;
    double *history, *losses, *envelopes;
} carom_device_arrays;

// A copy of arrays on the device, and the arrays of another state to which it belongs.
typedef struct carom_kept {
    carom_remote remote;
    carom_device *device;
    carom_device_arrays arrays;
    double *x, *v, *w, *kicks, *envelopes;
    bool refused; // memory is short
} carom_kept;

// Sweeps over contacts (device_sweep.c): rows are the nodes of the processor.
typedef struct carom_device_sweep {
    carom_sweeper sweeper;
    int *row;                                     // per node; NULL: not made yet
    double *v, *v_there, *start_there;            // velocities
    carom_thread_part *contacts, *contacts_there; // records
    double *impulses, *impulses_there;
    int *moved_there;
    int64_t capacity; // contacts for which there is memory
    bool refused;     // memory is short
} carom_device_sweep;

// The stable step (device_bound.c).
typedef struct carom_device_bound {
    bool asked, can;
    int *body;                       // per node, on the device
    double *squares, *squares_there; // per body
} carom_device_bound;

struct carom_device {
    carom_remote remote; // of the state that it serves
    carom_device_arrays arrays;
    unsigned partly; // sets of which only some rows of the arrays are valid
    const carom_backend *backend;
    const carom_model *model;
    char name[128];
    carom_thread_block *blocks; // of the model; those without elements have the kind CAROM_THREAD_NOTHING
    bool *watched;              // per block: its kernel compares stresses
    int group_count;
    carom_thread_nodes nodes;
    carom_thread_call call;
    int slot_count;   // vectors of call.slots
    double *most;     // on the device: the largest change of speed
    double *energies; // on the device, of all elements; NULL: of none
    bool stores;      // it computes the energies of some elements

    // Memory of the device, and of the processor, to be released.
    void **owned;
    int owned_count;
    size_t bytes;
    carom_arena *arena;
    void *kept_pinned[CAROM_ALWAYS_PINNED];
    int kept_pinned_count;

    // Peaks: the blocks and the largest scores of each, on the device and on the processor.
    carom_thread_block *blocks_there;
    carom_thread_top *tops_there, *tops; // NULL: no kernel compares stresses
    bool *watching;                      // per block: stresses were compared in the last evaluation of forces

    // History and losses of materials (device_history.c).
    double *history, *losses;
    int64_t history_count;
    void *pinned_history;                       // the array of the state
    void *loss_report_there, *loss_report_here; // sums of losses
    carom_exact *loss_sums;

    carom_device_damping damping;

    // Motion that stays (device_stay.c): the nodes of the processor; their list and packed vectors on the device; the vectors
    // here; results of steps.
    int *here;
    int *list;
    double *packed, *moved;
    void *report_there, *report;
    unsigned char *held; // per node: the processor keeps it
    // A few nodes that are queried, and their vectors (device_few.c).
    int few_count, *few, *few_there;
    double *vectors, *vectors_there;
    double *until;                    // on the device: of the last query for pushed nodes
    double *numbers, *numbers_there;  // values of a list of nodes
    int *numbered_there;              // that list
    carom_thread_pushed pushed_there; // result of the query on the device,
    carom_thread_pushed_node *pushed; // and on the processor
    int *pushed_count, *pushed_nodes;
    double *pushed_squares;
    // Results of the last kick for the velocities after it, if the fraction `settled_after` acts later; NAN: none.
    double settled_after;
    bool settled_finite;
    carom_exact settled[CAROM_THREAD_MOTION_SUMS];

    carom_device_sweep sweep;
    carom_device_bound bound;

    int *wrong, *wrong_there; // result of a check
    carom_kept kept[CAROM_COPIES];

    void *pinned[CAROM_PINNED];
    const char *fault;
    carom_device_times times;
};

// Memory of the device, initialised from `from` or with zeros, and released with it. Clears `enough` and returns NULL if memory
// is short or `enough` was false.
void *carom_device_reserve(carom_device *device, const void *from, int64_t count, size_t size, bool *enough);

// Memory of the processor, of zeros, in the same manner; the second stays pinned, for frequent copies.
void *carom_device_hold(carom_device *device, int64_t count, size_t size, bool *enough);
void *carom_device_hold_pinned(carom_device *device, int64_t count, size_t size, bool *enough);

// Sends the points of a block whose law is evaluated point by point. `enough` becomes false if memory is short.
void carom_device_send_points(carom_device *device, int b, bool *enough);
// Memory for stiffness damping. False if memory is short.
bool carom_device_reserve_damping(carom_device *device);
// Memory for the history of materials. False if memory is short.
bool carom_device_reserve_history(carom_device *device);
// Sends the history of the state, unless the device has it.
void carom_device_send_history(carom_device *device);
// After laws have committed: starts the sums of losses, and takes the results after a wait.
void carom_device_request_losses(carom_device *device);
void carom_device_take_losses(carom_device *device);
// Copies history and losses to the state, or the history of a few batches. False if all was copied instead.
void carom_device_copy_back_history(carom_device *device);
bool carom_device_fetch_history(carom_device *device, const carom_batch *batches, int count);

// Notes that the device has changed these sets: the arrays of the state are outdated. Under emulation they are overwritten by
// NaN, so that a missing transfer is detected.
void carom_device_change(carom_device *device, unsigned sets);
// Overwrites outdated numbers in these sets of arrays by NaN, under emulation.
void carom_device_spoil(const carom_device *device, const carom_device_arrays *arrays, unsigned sets);
// The arrays that belong to these sets; the others are NULL.
carom_device_motion carom_device_motion_of(const carom_device_motion *motion, unsigned sets);

// Pins an array in place of the one before.
void carom_device_pin(carom_device *device, int which, void *memory);

// Motion that stays: sends positions of the nodes of the processor; starts the transfer of the forces on them, and takes these
// after a wait.
void carom_device_put_here(carom_device *device, const double (*x)[3]);
void carom_device_request_here(carom_device *device);
void carom_device_take_here(const carom_device *device, double (*force)[3]);

// Copies an array from the device, except for rows of the nodes of the processor. NULL: does nothing.
void carom_device_copy_back_array(carom_device *device, const double *from, double (*to)[3]);
// Copies the envelopes of the blocks whose stresses the device compares.
void carom_device_get_envelopes(carom_device *device, const double *from, double *to);

// Memory for lists of a few nodes. False if memory is short.
bool carom_device_reserve_few(carom_device *device);

void carom_device_release_sweep(carom_device *device);

// Describes the elements of a block for threads, without addresses except for `solid`, which is that of the model. False if
// devices do not support them.
bool carom_device_block(const carom_block *block, carom_thread_block *made);

// Lists of a block, as calls.h describes them; those that its kind does not need are NULL.
typedef struct carom_device_lists {
    int *slots;              // `target` or `sorted`
    unsigned short *sources; // of `sorted`
    carom_thread_group *groups;
    unsigned short *run_ends;
    int *run_nodes;
    int output_count, run_count; // lengths of `slots`, and of lists of runs
} carom_device_lists;

// Makes the lists of all blocks and those of the nodes, gather_begin of the device. `begins`: groups begin the sums of nodes;
// otherwise each node of each element has its own slot. NULL if memory is short; carom_device_free_lists releases it.
carom_device_lists *carom_device_make_lists(const carom_device *device, bool begins, int *gather_begin);
void carom_device_free_lists(const carom_device *device, carom_device_lists *lists);

// The place of each node of each element of a model in the lists of the nodes; `first` are the first entries of the blocks.
void carom_device_find_places(const carom_model *model, const int64_t *first, int *place);

#endif
