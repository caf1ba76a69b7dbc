// SPDX-License-Identifier: MIT
// The whole state at one place. Several processes may share a simulation: each has a part of the model and of the state, all of
// them take the same decisions, and the first one reads and writes all files. Files, checkpoints and rare looks at everything
// work on the whole state, which is collected for them there. A process by itself has the whole state anyway, and collecting it
// costs nothing.
//
// All functions but carom_sim_is_shared, carom_sim_first, carom_sim_outline, carom_sim_whole and carom_collection_owners are
// collective: every process calls them at the same place of the program.
#ifndef CAROM_SIM_COLLECT_H
#define CAROM_SIM_COLLECT_H

#include "sim/sim.h"

// True if other processes take part in the simulation: with parts of the model, or all with the whole of it.
bool carom_sim_is_shared(const carom_sim *sim);

// True on the process that has the whole model, reads and writes files, and speaks.
bool carom_sim_first(const carom_sim *sim);

// The whole state as it is now, on the first process; NULL on the others.
const carom_state *carom_sim_collect(const carom_sim *sim);
// The same with positions only: whatever else is in it may be older.
const carom_state *carom_sim_collect_positions(const carom_sim *sim);
// The same with the present time and step only, which needs no word of other processes.
const carom_state *carom_sim_outline(const carom_sim *sim);

// The same for any vector of nodes; valid until the next call.
const double (*carom_sim_collect_vectors(const carom_sim *sim, const double (*x)[3]))[3];

// The place of the whole state on the first process, to be filled; NULL elsewhere. For one process it is the state itself.
carom_state *carom_sim_whole(const carom_sim *sim);
// The state of the simulation becomes a whole state that the first process has; it is NULL elsewhere. Velocities and books are
// those of its time.
void carom_sim_spread(carom_sim *sim, const carom_state *whole);

// The status of the first process that failed, with its message, on all of them.
// Where something comes back that all processes do together: ends all of them if memory is short on this one alone, which the
// others cannot know (parallel/insist.h). Not collective.
carom_status carom_sim_insist(const carom_sim *sim, carom_status status, const carom_error *error);
#define carom_sim_agree(sim, status, error) (carom_sim_is_shared(sim) ? carom_parallel_agree(status, error) : (status))
// The vote of all processes.
void carom_sim_vote(const carom_sim *sim, carom_vote *vote);
// What the first process knows, on all of them.
void carom_sim_report(const carom_sim *sim, void *bytes, size_t size);
// True if the first process says so.
bool carom_sim_says(const carom_sim *sim, bool answer);

// What a simulation of a part needs for all this. Release it in any case. `before`: it collects the state that another one has
// collected so far, on other parts, and lends its room for the whole of it; NULL: none.
carom_status carom_collection_create(carom_sim *sim, const carom_collection *before, carom_error *error);
void carom_collection_release(carom_sim *sim);
// The room that was lent becomes its own.
void carom_collection_take_over(carom_collection *collection, carom_collection *before);

// Moves a state from the parts of one collection to those of another, and a vector of nodes. Nothing of it changes.
void carom_collection_move(const carom_collection *from, const carom_state *state, const carom_collection *to,
                           carom_state *moved);
void carom_collection_move_vectors(const carom_collection *from, const double (*x)[3], const carom_collection *to,
                                   double (*moved)[3]);
// The owner of each node, on the first process.
void carom_collection_owners(const carom_collection *collection, int *owner);

#endif
