// SPDX-License-Identifier: MIT
// The whole state on one process. Several processes may share a simulation: each has a subdomain of the model and of the state,
// all of them take the same decisions, and the first one reads and writes all files. Files, checkpoints and rare checks of the
// whole model work on the whole state, which is collected for them there. A single process has the whole state anyway, and
// collecting it costs nothing.
//
// All functions but carom_sim_is_shared, carom_sim_first, carom_sim_outline, carom_sim_whole and carom_collection_owners are
// collective: every process calls them at the same place of the program.
#ifndef CAROM_SIM_COLLECT_H
#define CAROM_SIM_COLLECT_H

#include "sim/sim.h"

// True if other processes take part in the simulation: with subdomains of the model, or each with the whole model.
bool carom_sim_is_shared(const carom_sim *sim);

// True on the process that has the whole model, reads and writes files, and prints messages.
bool carom_sim_first(const carom_sim *sim);

// The whole state as it is now, on the first process; NULL on the others.
const carom_state *carom_sim_collect(const carom_sim *sim);
// The same, but only positions, time and step are up to date.
const carom_state *carom_sim_collect_positions(const carom_sim *sim);
// The same, but only time and step are up to date; needs no communication.
const carom_state *carom_sim_outline(const carom_sim *sim);

// The same for any vector of nodes; valid until the next call.
const double (*carom_sim_collect_vectors(const carom_sim *sim, const double (*x)[3]))[3];

// The whole state on the first process, to be filled; NULL on the others. For one process it is the state itself.
carom_state *carom_sim_whole(const carom_sim *sim);
// Sets the state of the simulation from a whole state on the first process (`whole` is NULL on the others). Its velocities and
// ledger must be synchronized.
void carom_sim_spread(carom_sim *sim, const carom_state *whole);

// To be called after a collective operation has returned: ends all processes if memory ran out on this one alone, because the
// others would continue and wait for it (parallel/insist.h). Not collective.
carom_status carom_sim_insist(const carom_sim *sim, carom_status status, const carom_error *error);
// The status of the first process that failed, with its message, on all of them.
#define CAROM_SIM_AGREE(sim, status, error) (carom_sim_is_shared(sim) ? CAROM_PARALLEL_AGREE(status, error) : (status))
// The vote of all processes.
void carom_sim_vote(const carom_sim *sim, carom_vote *vote);
// Broadcasts bytes from the first process.
void carom_sim_report(const carom_sim *sim, void *bytes, size_t size);
// Broadcasts a truth value from the first process: returns its `answer` on all of them.
bool carom_sim_says(const carom_sim *sim, bool answer);

// Creates what a distributed simulation needs for these functions. Release it in any case. `before`: the collection of the same
// simulation on the previous subdomains, whose buffers for the whole state are borrowed; NULL: none.
carom_status carom_collection_create(carom_sim *sim, const carom_collection *before, carom_error *error);
void carom_collection_release(carom_sim *sim);
// Transfers the ownership of the borrowed buffers to `collection`.
void carom_collection_take_over(carom_collection *collection, carom_collection *before);

// Moves a state, and a vector of nodes, from the subdomains of one collection to those of another, without changing a value.
void carom_collection_move(const carom_collection *from, const carom_state *state, const carom_collection *to,
                           carom_state *moved);
void carom_collection_move_vectors(const carom_collection *from, const double (*x)[3], const carom_collection *to,
                                   double (*moved)[3]);
// The owner of each node, on the first process.
void carom_collection_owners(const carom_collection *collection, int *owner);

#endif
