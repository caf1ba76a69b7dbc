// SPDX-License-Identifier: MIT
// The inside of carom_state: positions, velocities, the books, and the arrays an integrator registers.
#ifndef CAROM_MODEL_STATE_H
#define CAROM_MODEL_STATE_H

#include "carom/state.h"

// What is summed up along the way; plain numbers, saved and hashed as they are.
typedef struct carom_books {
    double friction, restitution, projection; // cumulative losses
    double drive_work;                        // work done on the bodies by prescribed motion
    double impulse[3], angular_impulse[3];    // from outside: loads, restraints, planes; angular about the origin
    double initial_total;                     // total energy at the start
    double initial_momentum[3], initial_angular_momentum[3];
    double penetration;                       // of the accepted configuration
    int64_t contacts;                         // resolved in the last step
    int64_t contact_events;                   // since the start
    int64_t events[CAROM_EVENT_COUNT];        // numerical events since the start
} carom_books;

enum { CAROM_STATE_ARRAYS_MAX = 16, CAROM_PAIR_RECORDS_MAX = 4096 };

// A named array of doubles that is part of the state (drift velocities, node frames, an event queue, ...).
typedef struct carom_state_array {
    char name[24];
    int64_t count;
    double *values;
} carom_state_array;

struct carom_state {
    const carom_model *model;
    double time;
    int64_t step;
    double (*x)[3]; // positions
    double (*v)[3]; // velocities at `time`
    int array_count;
    carom_state_array arrays[CAROM_STATE_ARRAYS_MAX]; // x and v first
    carom_books books;
    int pair_count;
    carom_pair_record *pairs; // CAROM_PAIR_RECORDS_MAX
};

// A state at time 0, at the reference positions with the initial velocities.
carom_status carom_state_create(const carom_model *model, carom_state **state, carom_error *error);
void carom_state_release(carom_state *state);
// Registers an array of zeros; NULL if memory is short. The pointer stays valid as long as the state.
double *carom_state_add_array(carom_state *state, const char *name, int64_t count);
// Makes `to` equal to `from` (same model, same arrays).
void carom_state_copy(carom_state *to, const carom_state *from);
// Counts a numerical event.
void carom_state_count(carom_state *state, carom_event event, int64_t times);

#endif
