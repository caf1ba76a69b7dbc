// SPDX-License-Identifier: MIT
// The state: everything that changes. Two runs with equal states continue identically, bit for bit. It holds data only: reading
// it runs no computation, and carom_sim_step leaves all of it at one time.
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "carom/ledger.h"
#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_state carom_state;

// The time of the state, and the steps that led to it.
CAROM_API double carom_state_time(const carom_state *state);
CAROM_API int64_t carom_state_step(const carom_state *state);

// Positions and velocities of all nodes, three numbers each, at carom_state_time. Call again after each step.
CAROM_API const double (*carom_state_positions(const carom_state *state))[3];
CAROM_API const double (*carom_state_velocities(const carom_state *state))[3];

// Frames of all nodes (columns are the axes; I where a node has none) and their angular velocities in their own axes; NULL if
// no node of the model has one.
CAROM_API const double (*carom_state_frames(const carom_state *state))[3][3];
CAROM_API const double (*carom_state_spins(const carom_state *state))[3];

// Contact impulses on all nodes, summed up since the start. Their changes over a time are the mean contact forces times that
// time.
CAROM_API const double (*carom_state_impulses(const carom_state *state))[3];

// 64 bits over everything that determines the future: equal runs have equal hashes, whatever the number of threads and the
// output.
CAROM_API uint64_t carom_state_hash(const carom_state *state);

// How often a numerical event has happened since the start.
CAROM_API int64_t carom_state_events(const carom_state *state, carom_event event);

// Evaluations of element forces since the start: the cost of a run, independent of the machine.
CAROM_API int64_t carom_state_element_updates(const carom_state *state);

// Impulses exchanged since the start, all pairs together.
CAROM_API int64_t carom_state_contact_events(const carom_state *state);

// The pairs of bodies that have touched since the start, in the order of their first contacts. `pair` counts from 0; at most
// 1024 pairs have a record.
CAROM_API int carom_state_pair_count(const carom_state *state);
CAROM_API carom_pair_record carom_state_pair(const carom_state *state, int pair);

// The speed of approach of the mass centres of two bodies (or of a body and plane -1 - body[1]) along `normal`; negative if
// they separate.
CAROM_API double carom_state_closing_speed(const carom_state *state, const int body[2], const double normal[3]);

// The values of an array that the integrator has registered under that name, or NULL. Results for output are declared in the
// table of the integrator (carom_method_result).
CAROM_API const double *carom_state_array_values(const carom_state *state, const char *name);

// For integrators (stepper.h), in their setup and steps: the same positions, velocities, frames and spins, to be written.
// Programs use carom_sim_set_motion (sim.h) instead: a method may keep a motion of its own between two steps, such as the
// velocities of a leapfrog, which would not change.
CAROM_API double (*carom_state_edit_positions(carom_state *state))[3];
CAROM_API double (*carom_state_edit_velocities(carom_state *state))[3];
CAROM_API double (*carom_state_edit_frames(carom_state *state))[3][3];
CAROM_API double (*carom_state_edit_spins(carom_state *state))[3];

// For the setup of integrators: makes an array of zeros part of the state. It is saved, restored and hashed with it. The name,
// of at most 23 bytes, must be unique. A state holds at most 64 arrays, those of the model included. NULL if it is full or
// memory is short. The pointer stays valid as long as the state.
CAROM_API double *carom_state_add_array(carom_state *state, const char *name, int64_t count);

// The same for an array with so many numbers for each node, one node after the other.
CAROM_API double *carom_state_add_nodal(carom_state *state, const char *name, int components);

// For integrators: records external momentum received up to the time of the state: an impulse at the position x, a couple, and
// the work that prescribed motion and loads without a potential did. Dead loads have a potential: record their impulse with
// zero work.
CAROM_API void carom_state_book_external(carom_state *state, const double x[3], const double impulse[3], const double couple[3],
                                         double work);

// For integrators: records energy that was lost.
CAROM_API void carom_state_book_loss(carom_state *state, carom_loss account, double energy);

// For integrators: counts a numerical event.
CAROM_API void carom_state_count_event(carom_state *state, carom_event event);

#ifdef __cplusplus
}
#endif
#endif
