// SPDX-License-Identifier: MIT
// The state: all that changes. Two runs with equal states go on alike, bit for bit.
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "carom/ledger.h"
#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_state carom_state;

CAROM_API double carom_state_time(const carom_state *state);
CAROM_API int64_t carom_state_step(const carom_state *state);
// Positions and velocities of all nodes at carom_state_time; to be asked for again after each step.
CAROM_API const double (*carom_state_positions(const carom_state *state))[3];
CAROM_API const double (*carom_state_velocities(const carom_state *state))[3];
// Frames of all nodes (columns are the axes; I where a node has none) and their angular velocities in their own axes; NULL if no node of
// the model has one.
CAROM_API const double (*carom_state_frames(const carom_state *state))[3][3];
CAROM_API const double (*carom_state_spins(const carom_state *state))[3];
// Contact impulses on all nodes, summed up since the start.
CAROM_API const double (*carom_state_impulses(const carom_state *state))[3];
// 64 bits over everything that determines the future: equal runs have equal hashes.
CAROM_API uint64_t carom_state_hash(const carom_state *state);
// How often a numerical event happened so far.
CAROM_API int64_t carom_state_events(const carom_state *state, carom_event event);
// Element forces evaluated so far.
CAROM_API int64_t carom_state_element_updates(const carom_state *state);
// Impulses exchanged so far, all pairs together.
CAROM_API int64_t carom_state_contact_events(const carom_state *state);
// The pairs of bodies that have touched so far, in order of first contact.
CAROM_API int carom_state_pair_count(const carom_state *state);
CAROM_API carom_pair_record carom_state_pair(const carom_state *state, int pair);
// How fast the mass centres of two bodies (or of a body and plane -1 - body[1]) approach each other along `normal` now.
CAROM_API double carom_state_closing_speed(const carom_state *state, const int body[2], const double normal[3]);

#ifdef __cplusplus
}
#endif
#endif
