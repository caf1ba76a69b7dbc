// SPDX-License-Identifier: MIT
// The definition of carom_state: positions, velocities, the ledger, and the arrays that an integrator registers.
#ifndef CAROM_MODEL_STATE_H
#define CAROM_MODEL_STATE_H

#include "carom/state.h"
#include "math/exact.h"

// The accounts of the ledger: its sums over the run so far.
typedef struct carom_accounts {
    double friction, restitution, projection, damping; // losses
    double drive_work;                                 // work done on the bodies by prescribed motion and live loads
    double impulse[3], angular_impulse[3]; // external: loads, restraints, planes, mass damping; angular about the origin
    double plasticity, viscosity;          // losses of materials, which accumulate them (history.h)
} carom_accounts;

// The same, except the losses of materials, as exact sums, which do not depend on order: hits may be recorded in any order.
// Accounts are rounded when they are read. The order is that of the struct.
enum {
    CAROM_ACCOUNT_FRICTION = CAROM_LOSS_FRICTION,
    CAROM_ACCOUNT_RESTITUTION = CAROM_LOSS_RESTITUTION,
    CAROM_ACCOUNT_PROJECTION = CAROM_LOSS_PROJECTION,
    CAROM_ACCOUNT_DAMPING = CAROM_LOSS_DAMPING,
    CAROM_ACCOUNT_DRIVE_WORK,
    CAROM_ACCOUNT_IMPULSE,
    CAROM_ACCOUNT_ANGULAR_IMPULSE = CAROM_ACCOUNT_IMPULSE + 3,
    CAROM_ACCOUNTS = CAROM_ACCOUNT_ANGULAR_IMPULSE + 3
};

typedef struct carom_exact_accounts {
    carom_exact of[CAROM_ACCOUNTS];
} carom_exact_accounts;

// Sums in the record of a pair, for the members `impulse`, `push` and `moment`.
enum { CAROM_PAIR_IMPULSE, CAROM_PAIR_PUSH, CAROM_PAIR_MOMENT = CAROM_PAIR_PUSH + 3, CAROM_PAIR_SUMS = CAROM_PAIR_MOMENT + 3 };

typedef struct carom_pair_exact {
    carom_exact of[CAROM_PAIR_SUMS];
} carom_pair_exact;

// The first hit of a pair: its step, and the nodes of its contact, by which hits at equal times are ordered; and the impulse at
// the start of the current force window.
typedef struct carom_pair_first {
    int64_t step;
    int node[4];           // -1 behind the last one
    double window_impulse; // sum of the normal impulses when the window began
} carom_pair_first;

// The windows over which contact forces are averaged (model/state/pair_forces.h), the same for all pairs.
typedef struct carom_force_window {
    int64_t steps; // of a window; 0: forces are not recorded
    double length; // of a whole window in time
    double begin;  // time at which the current window began
} carom_force_window;

// The ledger of a state: sums first, then plain numbers.
typedef struct carom_books {
    carom_exact_accounts booked; // all that has been recorded
    carom_exact_accounts
        pending;          // the part of it that belongs to the time after the current one: a kick acts half before, half after
    double initial_total; // energy and momenta at the start
    double initial_momentum[3], initial_angular_momentum[3];
    double initial_centre[3];          // centre of mass at the start
    double overlap;                    // current overlap of surfaces, where an integrator allows any
    int64_t contacts;                  // resolved in the last step
    int64_t contact_events;            // since the start
    int64_t element_updates;           // element forces evaluated since the start
    int64_t events[CAROM_EVENT_COUNT]; // numerical events since the start
    carom_force_window window;         // of contact forces; behind the events, not hashed
} carom_books;

enum { CAROM_STATE_ARRAYS_MAX = 64, CAROM_STATE_NAME_SIZE = 24, CAROM_PAIR_RECORDS_MAX = 1024 };

// Sets of arrays whose current values may be on a device (model/remote.h).
enum {
    CAROM_ARRAYS_POSITIONS = 1,
    CAROM_ARRAYS_VELOCITIES = 2, // at the time of the state and after the kick, and data that the kick keeps for the next one
    CAROM_ARRAYS_MOTION = CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_VELOCITIES,
    CAROM_ARRAYS_HISTORY = 4,   // history and losses of materials
    CAROM_ARRAYS_ENVELOPES = 8, // of stresses
    CAROM_ARRAYS_ALL = CAROM_ARRAYS_MOTION | CAROM_ARRAYS_HISTORY | CAROM_ARRAYS_ENVELOPES,
    CAROM_ARRAYS_FORCES = 16, // evaluated last: stored by the method, not in the state
};

// What a number may be: from `least` to `most`, and whole if that is asked for (model/limits.h).
typedef struct carom_limits {
    double least, most;
    bool whole;
} carom_limits;

// The limits of number i of an array; `owner` is what declared them.
typedef carom_limits carom_limits_of(const void *owner, const carom_state *state, int64_t i);

// A named array of doubles that is part of the state (drift velocities, node frames, an event queue, ...).
typedef struct carom_state_array {
    char name[CAROM_STATE_NAME_SIZE];
    int64_t count;
    double *values;
    int components; // values per node, or per element; 0: neither
    bool per_element;
    bool per_batch;          // one value per batch of elements (node_elements.h)
    bool per_row;            // or values per row of lanes of the history (history.h)
    bool dormant;            // enters the hash only when it is no longer all zero: methods may allocate arrays for rare events
    bool silent;             // never enters the hash: it is determined by the rest of the run, or it schedules checks only
    unsigned set;            // CAROM_ARRAYS_*; 0: never on a device
    carom_limits_of *limits; // of its numbers; NULL: all finite ones are allowed
    const void *owner;
} carom_state_array;

// What other modules read of a method: arrays (NULL: it has none), and whether it damps.
typedef struct carom_method_arrays {
    double (*w)[3];           // velocities between two times
    double *loss_corrections; // correction to the recorded losses of plastic impacts (contact/impact/repay.h)
    double *division;         // CAROM_RECORD_*: steps that were divided (integrator/step_limit.h)
    double *shortest;         // the shortest step of an element, where elements have steps of their own
    bool damps;               // it takes energy from elements without `damping` of a body, and records that as damping
} carom_method_arrays;

struct carom_state {
    const carom_model *model; // bound to this state where it has history (history.h)
    carom_model *bound;       // the same; NULL: not bound
    double time;
    int64_t step;
    int64_t generation;   // number of times the state was replaced by another, which voids quantities derived from it
    double (*x)[3];       // positions
    double (*v)[3];       // velocities at `time`
    double (*impulse)[3]; // contact impulses on each node, summed up since the start
    double (*R)[3][3];    // frames, NULL if no node has one
    double (*spin)[3];    // their angular velocities at `time` in their own axes; NULL if no node has one
    // Rigid bodies (contact/rigid_motion_field.h); NULL if there are none. Their mass centres are nodes.
    double (*turned)[3][3]; // rotations, whose columns are the principal axes
    double (*turning)[3];   // angular momenta about the centres in space, after the last kick
    double (*turn_rate)[3]; // angular velocities in space at `time`
    int array_count;
    int own_count;                                    // arrays that every state of the model has; those of the method follow
    carom_state_array arrays[CAROM_STATE_ARRAYS_MAX]; // x and v first
    carom_method_arrays method;
    carom_books books;
    double *guard;                       // CAROM_GUARD_*: memory of the guards (model/state/guard.h)
    double *groups;                      // energies of groups of bodies (model/state/group_energy.h)
    struct carom_group_work *group_work; // work arrays of the same
    double *cells;                       // sums of the load cells (model/state/load_cells.h); NULL without obstacles
    int pair_count;
    carom_pair_record *pairs; // capacity CAROM_PAIR_RECORDS_MAX; read them by carom_state_pair
    carom_pair_first *pair_firsts;
    carom_pair_exact *pair_sums;
    int pair_found;              // index at which the next search starts
    struct carom_peaks *peaks;   // extremes of stress and strain (peaks.h); NULL where no element has any
    double *element_energy;      // scratch, one number per element
    double *load_size;           // scratch, one number per node
    struct carom_remote *remote; // the device that may have newer values of arrays (remote.h); NULL: none
};

// Creates a state at time 0, at the reference positions with the initial velocities (prescribed ones at restrained nodes).
carom_status carom_state_create(const carom_model *model, carom_state **state, carom_error *error);
void carom_state_release(carom_state *state);
// Registers an array with three numbers for each row of a velocity field (contact/rigid_motion_field.h). NULL if memory is
// short.
double *carom_state_add_field(carom_state *state, const char *name);
// Register arrays that enter the hash once they are not all zero, or never. NULL if memory is short.
double *carom_state_add_dormant(carom_state *state, const char *name, int64_t count);
double *carom_state_add_silent(carom_state *state, const char *name, int64_t count);
// Registers an array with `components` numbers for each element of the model, block after block. Like nodal arrays it is
// distributed where several processes share a model: the process that counts an element (model/collective.h) has its numbers.
// NULL if memory is short.
double *carom_state_add_elemental(carom_state *state, const char *name, int components);
// The same with one number for each batch of elements, at the home of the batch. It never enters the hash.
double *carom_state_add_batchwise(carom_state *state, const char *name, int batches);
// The same with CAROM_LANES numbers for each row of the history of materials (history.h).
double *carom_state_add_rows(carom_state *state, const char *name, int64_t rows);
// The values of a registered array, or NULL.
double *carom_state_find_array(const carom_state *state, const char *name);
// The array of `other`, which has the same arrays, that corresponds to this one; NULL if `values` is not an array of the state.
double *carom_state_twin(const carom_state *state, const void *values, const carom_state *other);
// Declares that a registered array belongs to a set.
void carom_state_assign(carom_state *state, const void *values, unsigned set);
// Makes `to` equal to `from` (same model, same arrays).
void carom_state_copy(carom_state *to, const carom_state *from);
// True if all numbers of all processes are finite and below CAROM_STATE_FINITE in size, so that energies are finite.
#define CAROM_STATE_FINITE 1e140
bool carom_state_is_finite(const carom_state *state);

#endif
