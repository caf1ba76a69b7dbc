// SPDX-License-Identifier: MIT
// The inside of carom_device.
#ifndef CAROM_DEVICE_INSIDE_H
#define CAROM_DEVICE_INSIDE_H

#include "base/arena.h"
#include "device/device.h"

// Arrays of vectors of all nodes that are copied often.
enum { CAROM_PINNED_X, CAROM_PINNED_FORCE, CAROM_PINNED_V, CAROM_PINNED_W, CAROM_PINNED_KICKS, CAROM_PINNED };

// Arrays of the processor that stay pinned: the most of them.
enum { CAROM_ALWAYS_PINNED = 8 };

// Stiffness damping (device_damping.c): entries are the nodes of all elements, block after block.
typedef struct carom_device_damping {
    int64_t *first;         // per block, here: its first entry; NULL: there is no damping
    int *place, *own;       // there: the slot of each entry; and the numbers 0, 1, 2, ..., which are the nodes of a block
    double *Y, *y, *u, *r;  // there: vectors of each entry (calls.h)
    double *slots, *forces; // there: slots of damping forces, and their sums at the nodes
} carom_device_damping;
// The arrays of a state of which the device may have the numbers; NULL: there are none.
typedef struct carom_device_arrays {
    carom_device_motion motion;
    double *history, *losses, *envelopes;
} carom_device_arrays;

// A copy of what the device has, there, and the arrays of another state that it is for.
typedef struct carom_kept {
    carom_remote remote;
    carom_device *device;
    carom_device_arrays arrays;
    double *x, *v, *w, *kicks, *envelopes;
    bool refused; // there is no memory for it
} carom_kept;

// Sweeps over contacts (device_sweep.c): rows are the nodes of the processor.
typedef struct carom_device_sweep {
    carom_sweeper sweeper;
    int *row;                                     // per node; NULL: nobody has asked yet
    double *v, *v_there, *start_there;            // velocities, here and there
    carom_thread_part *contacts, *contacts_there; // of which there is room for so many
    double *impulses, *impulses_there;            // likewise
    int *moved_there;
    int64_t room;
    bool refused; // there is no memory for it
} carom_device_sweep;

// The stable step (device_bound.c).
typedef struct carom_device_bound {
    bool asked, can;
    int *body;                       // per node, there
    double *squares, *squares_there; // per body
} carom_device_bound;

struct carom_device {
    carom_remote remote; // of the state that it serves
    carom_device_arrays arrays;
    unsigned partly; // sets of which some rows were brought although they are away
    const carom_backend *backend;
    const carom_model *model;
    char name[128];
    carom_thread_block *blocks; // of the model; those without elements have the kind CAROM_THREAD_NOTHING
    bool *watched;              // per block: its kernel compares stresses
    int group_count;
    carom_thread_nodes nodes;
    carom_thread_call call;
    int slot_count;   // vectors of call.slots
    double *most;     // of the device
    double *energies; // there, of all elements; NULL: of none
    bool stores;      // of some

    // Memory of the device, and of the processor, to be released.
    void **owned;
    int owned_count;
    size_t bytes;
    carom_arena *arena;
    void *kept_pinned[CAROM_ALWAYS_PINNED];
    int kept_pinned_count;

    // Peaks: the blocks and the best of each, there and here.
    carom_thread_block *blocks_there;
    carom_thread_top *tops_there, *tops; // NULL: no kernel compares stresses
    bool *watching;                      // per block: its last forces were watched

    // History and losses of materials (device_history.c).
    double *history, *losses;
    int64_t history_count;
    void *pinned_history;          // the array of the state
    void *loss_shows, *loss_shown; // sums of losses, there and here
    carom_exact *loss_sums;

    carom_device_damping damping;

    // Motion that stays (device_stay.c): the nodes of the processor, their list and packed vectors there and here, and what
    // steps tell, there and here.
    int *here;
    int *list;
    double *packed, *moved;
    void *tells, *told;
    unsigned char *held; // per node: the processor has it
    // A few nodes of which something is asked for and their vectors, there and here (device_few.c).
    int few_count, *few, *few_there;
    double *vectors, *vectors_there;
    double *until;                   // of the last call for nodes that were pushed
    double *numbers, *numbers_there; // of a list of nodes, likewise
    int *numbered_there;
    carom_thread_pushed pushed_there; // these nodes, and
    carom_thread_pushed_node *pushed; // here
    int *pushed_count, *pushed_nodes;
    double *pushed_squares;
    // What the last kick has found of the velocities after it, of which `settled_after` acts later; NAN: nothing.
    double settled_after;
    bool settled_finite;
    carom_exact settled[CAROM_THREAD_MOTION_SUMS];

    carom_device_sweep sweep;
    carom_device_bound bound;

    int *wrong, *wrong_there; // answer to a question
    carom_kept kept[CAROM_COPIES];

    void *pinned[CAROM_PINNED];
    const char *fault;
    carom_device_times times;
};

// Memory of the device, with what stands in it, to be released with it; NULL if there is none left, also of what follows.
void *carom_device_reserve(carom_device *device, const void *from, int64_t count, size_t size, bool *enough);

// Memory of the processor, of zeros, likewise; and such that is copied often, which stays pinned.
void *carom_device_hold(carom_device *device, int64_t count, size_t size, bool *enough);
void *carom_device_hold_pinned(carom_device *device, int64_t count, size_t size, bool *enough);

// Sends what a block whose law is asked point by point needs. `enough` becomes false if memory is short.
void carom_device_send_points(carom_device *device, int b, bool *enough);
// Room for stiffness damping. False if memory is short.
bool carom_device_reserve_damping(carom_device *device);
// Room for the history of materials. False if memory is short.
bool carom_device_reserve_history(carom_device *device);
// Sends the history of the state, unless the device has it.
void carom_device_send_history(carom_device *device);
// After laws have committed: asks for the sums of losses, and takes them when the device has been waited for.
void carom_device_ask_losses(carom_device *device);
void carom_device_take_losses(carom_device *device);
// Brings history and losses, or the history of a few batches. False if all came at once.
void carom_device_bring_history(carom_device *device);
bool carom_device_fetch_history(carom_device *device, const carom_batch *batches, int count);

// The device has changed what it has of these sets: the arrays of the state hold older numbers. Under emulation these are
// overwritten, so that nobody reads them unseen.
void carom_device_change(carom_device *device, unsigned sets);
// Overwrites what is not valid in these sets of arrays, under emulation.
void carom_device_spoil(const carom_device *device, const carom_device_arrays *arrays, unsigned sets);
// Those of these arrays that belong to sets; the others are NULL.
carom_device_motion carom_device_motion_of(const carom_device_motion *motion, unsigned sets);

// Pins an array in place of the one before.
void carom_device_pin(carom_device *device, int which, const void *memory);

// Motion that stays: positions of the nodes of the processor go to their places on the device; forces on them are asked for,
// and taken when the device has been waited for.
void carom_device_put_here(carom_device *device, const double (*x)[3]);
void carom_device_ask_here(carom_device *device);
void carom_device_take_here(const carom_device *device, double (*force)[3]);

// Brings arrays from others of the device, and leaves rows of the nodes of the processor as they are. NULL: nothing happens.
void carom_device_bring_array(carom_device *device, const double *from, double (*to)[3]);
// Brings the envelopes of the blocks that the device compares.
void carom_device_get_envelopes(carom_device *device, const double *from, double *to);

// Makes room for lists of a few nodes. False if memory is short.
bool carom_device_make_few(carom_device *device);

void carom_device_release_sweep(carom_device *device);

// How the elements of a block are done by threads; addresses are left out, but for that of solids, which is that of the model.
// False, with what it is in words, if they are not.
bool carom_device_block(const carom_block *block, carom_thread_block *made, char *what, size_t size);

// Lists of a block, as calls.h describes them; those that its kind has no use for are NULL.
typedef struct carom_device_lists {
    int *slots;              // `target` or `sorted`
    unsigned short *sources; // of `sorted`
    carom_thread_group *groups;
    unsigned short *run_ends;
    int *run_nodes;
    int output_count, run_count; // lengths of `slots`, and of lists of runs
} carom_device_lists;

// Makes the lists of all blocks and those of the nodes, gather_begin of the device. `begins`: groups begin the sums of nodes;
// otherwise each node of each element has a slot of its own. NULL if memory is short; carom_device_free_lists releases it.
carom_device_lists *carom_device_make_lists(const carom_device *device, bool begins, int *gather_begin);
void carom_device_free_lists(const carom_device *device, carom_device_lists *lists);

// Where each node of each element of a model is in the lists of the nodes; `first` are the first entries of the blocks.
void carom_device_find_places(const carom_model *model, const int64_t *first, int *place);

#endif
