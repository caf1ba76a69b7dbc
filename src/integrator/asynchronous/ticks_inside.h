// SPDX-License-Identifier: MIT
// Private part of carom_ticks, for the sources ticks*.c; prescribed.c uses the number of the rigid bodies.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_INSIDE_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_INSIDE_H

#include "integrator/asynchronous/kick_history.h"
#include "integrator/asynchronous/ticks.h"
#include "integrator/contact_step.h"
#include "integrator/rigid_kick.h"
#include "integrator/search.h"
#include "integrator/spring_kick.h"

// Times that differ by less than this fraction of a step count as equal: they are sums of rounded steps.
#define CAROM_TICKS_SAME 1e-9

// Spans with contact are shortened so that no node moves farther than this fraction of the shortest side of the surfaces:
// longer ones would give ticks to elements far from any contact.
#define CAROM_TICKS_LONGEST_PATH 0.25

// The numbers that survive a restart, one array of the state.
typedef struct carom_ticks_memory {
    double step;  // interval of the last ticks; 0: there were none
    double speed; // largest velocity change of a node by the forces of the last tick
    double used;  // largest deviation in the last span over its length
    double span;  // longest next span; 0: any
} carom_ticks_memory;

// The contacts that are possible in the span.
typedef struct carom_ticks_contacts {
    carom_pair_list pairs;
    carom_candidates fixed;
    carom_neighbours neighbours; // both lists
    // scratch, per pair of the search
    double *far;        // largest distance at which it may act; -HUGE_VAL: it cannot
    char *verdict;      // UNKNOWN, MEETS or PASSES: whether it may act
    bool *asked;        // its distance was needed when nodes were chosen last: threads compute it in advance
    carom_arena *arena; // of these and the lists of `pairs`, for pairs.capacity of them
} carom_ticks_contacts;

// The elements of one block that have ticks.
typedef struct carom_ticks_batch {
    carom_block block;
    int count;
    int *members;             // ascending
    carom_kick_buffer buffer; // memory of `block`
    double *slots;
    double *length; // per member: length of its kick at the present tick
    int64_t capacity;
    int first_chunk; // first chunk of its forces, among those of all blocks
} carom_ticks_batch;

// The force of an element with ticks on one of its nodes.
typedef struct carom_ticks_end {
    int batch, member;
    int64_t slot;
} carom_ticks_end;

// Members of the ticks: elements, live loads as number kicks.count, then all rigid bodies as one (ticks.h).
typedef struct carom_ticks_members {
    double *on_tick; // per member: 1 if it has ticks, 0 if not; part of the state, whose arrays hold doubles
    double *lead;    // per member: time covered beyond that of the ticks; part of the state
    bool *wanted;    // per member: it has a chosen node
    int *of_group;   // per group of equal steps: how many of its elements have ticks
    bool *touches;   // per node: it can touch something
    bool *chosen;    // per node: it may touch something in this span
    bool *fresh;     // per node: one of its elements has just joined
    int *tick_nodes; // nodes that ticks or contact may move (ticks_members.c)
    int tick_node_count;
    bool *is_tick_node;         // per node
    carom_ticks_batch *batches; // per block
    int element_count;          // of all batches
    // forces on node k: ends[begin[k]] ... ends[begin[k + 1] - 1], in the order of blocks and members
    int64_t *begin;
    carom_ticks_end *ends;
    int64_t end_capacity;
    double *mass; // per node: scratch
} carom_ticks_members;

// The ticks of a span.
typedef struct carom_ticks_pace {
    double step;   // interval of two ticks; 0 if there are none
    int count;     // ticks in the span
    int done;      // ticks so far
    bool tight;    // an element requires shorter ticks before the span ends
    double least;  // shortest interval that is ever needed
    double spring; // longest interval with which springs are stable
} carom_ticks_pace;

// The kick of a tick.
typedef struct carom_ticks_kick {
    carom_vectors w_before; // per node: velocity before
    carom_vectors whole;    // per node: velocity change by all forces in a whole interval of ticks
    bool not_whole;         // the kick differed from `whole`: some elements had a lead
    carom_vectors end;      // per node: `whole` by the forces at the end of a drift; NULL if nothing bounces
    carom_vectors answer;   // per node: velocity change by contact
    carom_vectors middle;   // per node: velocity in the middle of the last tick; part of the state
} carom_ticks_kick;

// The straight paths of the span, and the deviations of nodes from them.
typedef struct carom_ticks_paths {
    carom_vectors x, w; // per node: the path x + t w
    double allowance;
    double longest; // allowance plus half of the displacement of the fastest node in the span
    carom_ticks_noted noted;
} carom_ticks_paths;

// Springs, which kick together with rigid bodies.
typedef struct carom_ticks_springs {
    int *nodes; // ends at nodes of deformable bodies
    int count;
    double length; // of the last kick
    double *owed;  // time in which dampers have not acted yet; part of the state. NULL: there are none
    carom_damped damped;
} carom_ticks_springs;

struct carom_ticks {
    carom_flight *flight;
    carom_load_kicks *loads;
    carom_levels *levels;
    carom_arena *arena;
    carom_search search;
    carom_contact_step contact;
    carom_ticks_memory *memory; // part of the state
    carom_ticks_contacts contacts;
    carom_ticks_members members;
    carom_ticks_pace pace;
    carom_ticks_kick kick;
    carom_ticks_paths paths;
    carom_rigid_kick rigid; // its state is NULL if there are no rigid bodies
    int *rigid_nodes;       // their nodes and centres of mass
    int rigid_node_count;
    double time;         // of the run, at the last kick or beginning of a drift of rigid bodies
    carom_vectors at;    // per node of a rigid body: position at the last tick
    carom_vectors force; // per node of a rigid body: force
    double *held_start;  // oscillation of bodies whose forces vary, at the start; part of the state. NULL: not needed
    carom_ticks_springs springs;
    carom_hits hits; // of the span, not recorded in the ledger yet
    int last_kick;   // hits from here on belong to the last tick
};

static inline bool carom_ticks_is_on_tick(const carom_ticks *ticks, int i) {
    return ticks->members.on_tick[i] > 0;
}

// The number of the member for all rigid bodies, and of the last member.
static inline int carom_ticks_rigid_member(const carom_ticks *ticks) {
    return ticks->flight->kicks.count + 1;
}
static inline int carom_ticks_last_member(const carom_ticks *ticks) {
    return ticks->flight->kicks.count + (ticks->flight->model->rigid.count > 0);
}

// True if a node belongs to a rigid body or is its centre of mass.
static inline bool carom_ticks_is_rigid(const carom_ticks *ticks, int node) {
    return ticks->rigid.state && ticks->rigid.rigid_bodies.of_node[node] != -1;
}

// The shortest side of the surfaces or, without faces, the length scale of contact; 0 if there is none.
double carom_ticks_length(const carom_ticks *ticks);

// Chooses the elements of the span (ticks_members.c). *late: some have joined or have a lead, and must kick at its beginning.
carom_status carom_ticks_choose_members(carom_ticks *ticks, bool *late, double *fraction, carom_error *error);

// Records the missing work of driven nodes whose velocity has changed, after the tick at that time (ticks_books.c).
void carom_ticks_book_drive(carom_ticks *ticks);

// Rigid bodies (ticks_rigid.c). These functions do nothing if there are none. False if memory is short.
bool carom_ticks_rigid_create(carom_ticks *ticks);
// True if forces on any of them change as it moves.
bool carom_ticks_rigid_forces_vary(const carom_ticks *ticks);
// The longest interval of ticks that keeps rotations small; HUGE_VAL: nothing rotates.
double carom_ticks_rigid_step(const carom_ticks *ticks);
// At the beginning of a span: sets velocities of nodes to those of their chords over it, or over a part if bodies rotate fast.
void carom_ticks_rigid_set_chords(carom_ticks *ticks);
// Notes the positions of nodes at time t of the flight: before a kick, or before a drift without one.
void carom_ticks_rigid_place(carom_ticks *ticks, double t);
// The kick of length h at time t of the flight, after live loads have been computed.
void carom_ticks_rigid_kick(carom_ticks *ticks, double h, double t);
// The velocity changes of that kick in a whole step; `first`: the kick at the beginning of a span was not a whole one.
void carom_ticks_rigid_whole(carom_ticks *ticks, bool first);
// Before and after the contact impulses of the kick at time t are found.
void carom_ticks_rigid_before(carom_ticks *ticks);
void carom_ticks_rigid_after(carom_ticks *ticks, double t, bool first);
// The beginning and the end of a drift; the velocity changes of the kick at its end.
carom_status carom_ticks_rigid_begin(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error);
carom_status carom_ticks_rigid_finish(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error);
void carom_ticks_rigid_end_kick(carom_ticks *ticks);

// Springs (ticks_springs.c). These functions do nothing if there are none. False if memory is short.
bool carom_ticks_springs_create(carom_ticks *ticks);
// The longest interval of ticks with which they are stable, times beta.
double carom_ticks_springs_step(const carom_ticks *ticks, double beta);
// Adds their forces on rigid bodies, with nodes at kicks.place, and computes those on nodes of deformable bodies.
void carom_ticks_springs_add(carom_ticks *ticks);
// The kick of length h of springs at centres of mass, whose forces carom_rigid_kick_collect does not include.
void carom_ticks_springs_pull(const carom_ticks *ticks, double h, carom_vectors change);
// Kicks nodes of deformable bodies for the time h at time t of the flight. Dampers act after all other forces.
void carom_ticks_springs_kick(carom_ticks *ticks, double h, double t);
void carom_ticks_springs_damp(carom_ticks *ticks, double h, double t);
// Adds their velocity changes in a whole step at nodes of deformable bodies.
void carom_ticks_springs_whole(const carom_ticks *ticks, carom_vectors change);
// After the contact impulses of the kick: records the kick, and finds velocities in the middle of it.
void carom_ticks_springs_after(carom_ticks *ticks, bool first);
// Sets velocities of nodes of deformable bodies at the end of the span; the second half of the last kick is subtracted from
// `sum`.
void carom_ticks_springs_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum);

// Subtracts from `sum` the half of the impulses of joints or springs in the last tick that belongs to the time after it.
void carom_ticks_subtract_half_accounts(const carom_accounts *given, carom_accounts *sum);

// Allocates the arrays of members; *enough as in carom_arena_reserve.
void carom_ticks_members_reserve(carom_ticks *ticks, const bool *touches, bool *enough);
void carom_ticks_members_release(carom_ticks *ticks);

#endif
