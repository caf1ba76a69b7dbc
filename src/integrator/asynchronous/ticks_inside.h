// SPDX-License-Identifier: MIT
// The inside of carom_ticks, for the sources whose names begin with `ticks` alone.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_INSIDE_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_INSIDE_H

#include "integrator/asynchronous/kick_history.h"
#include "integrator/asynchronous/ticks.h"
#include "integrator/contact_step.h"
#include "integrator/rigid_kick.h"
#include "integrator/search.h"
#include "integrator/spring_kick.h"

// Times that differ by less than this fraction of a step are the same: they are sums of steps, each with its rounding.
#define CAROM_TICKS_SAME 1e-9

// Spans with contact are cut such that no node goes farther than this fraction of the shortest side of the surfaces: longer
// ones would choose nodes, and make ticks of elements, far from any contact.
#define CAROM_TICKS_LONGEST_PATH 0.25

// The numbers that survive a restart, as one array of the state.
typedef struct carom_ticks_memory {
    double step;  // of the last ticks; 0: there were none
    double speed; // largest velocity change of a node in the last tick
    double used;  // allowance used per time in the last span
    double span;  // length that the next span may have; 0: any
} carom_ticks_memory;

// The contacts that are possible in the span.
typedef struct carom_ticks_contacts {
    carom_pair_list pairs;
    carom_candidates fixed;
    carom_neighbours neighbours; // both
    // scratch, per pair of the search
    double *far;        // how far it may be in order to act; -HUGE_VAL: it cannot
    char *verdict;      // whether it may act
    bool *asked;        // its distance decided when nodes were chosen last: threads find it in advance
    carom_arena *arena; // of these and the lists of `pairs`, for pairs.capacity of them
} carom_ticks_contacts;

// Elements of one block that have ticks.
typedef struct carom_ticks_batch {
    carom_block block;
    int count;
    int *members;           // ascending
    carom_kick_buffer room; // of the block
    double *slots;
    double *length; // per member: of its kick at the present tick
    int64_t capacity;
    int first_chunk; // of its forces, among those of all blocks
} carom_ticks_batch;

// The force of an element with ticks on one of its nodes.
typedef struct carom_ticks_end {
    int batch, member;
    int64_t slot;
} carom_ticks_end;

// Who has ticks. Elements are followed by live loads, as number kicks.count, and these by all rigid bodies.
typedef struct carom_ticks_members {
    double *away;    // per element: 1 if it has ticks, 0 if not; part of the state, whose arrays hold doubles
    double *lead;    // per element: time covered beyond that of the ticks; part of the state
    bool *wanted;    // per element: it has a chosen node
    int *of_group;   // per group of equal steps: how many of its elements have ticks
    bool *touches;   // per node: it can touch something
    bool *chosen;    // per node: it may touch something in this span
    bool *fresh;     // per node: one of its elements has just joined
    int *tick_nodes; // all nodes of elements with ticks, and of faces around chosen nodes
    int tick_node_count;
    bool *is_tick_node;         // per node
    carom_ticks_batch *batches; // per block
    int element_count;          // in all of them
    // forces on node k: ends[begin[k]] ... ends[begin[k + 1] - 1], in the order of blocks and members
    int64_t *begin;
    carom_ticks_end *ends;
    int64_t end_capacity;
    double *mass; // per node: scratch
} carom_ticks_members;

// The ticks of a span.
typedef struct carom_ticks_pace {
    double step;   // between two of them; 0 if there are none
    int count;     // in the span
    int done;      // of these
    bool tight;    // an element wants shorter ones before the span ends
    double least;  // they need not be closer than this
    double spring; // springs need them as close as this
} carom_ticks_pace;

// The kick of a tick.
typedef struct carom_ticks_kick {
    carom_vectors w_before; // per node: velocity before
    carom_vectors whole;    // per node: velocity change that all forces would give in a whole step
    bool not_whole;         // the kick gave something else: some elements had a lead
    carom_vectors end;      // per node: whole kick by the forces at the end of a drift; NULL if nothing bounces
    carom_vectors answer;   // per node: velocity change by contact
    carom_vectors middle;   // per node: velocity in the middle of the last tick; part of the state
} carom_ticks_kick;

// The straight paths of the span, and how far nodes leave them.
typedef struct carom_ticks_paths {
    carom_vectors x, w; // per node: the path x + t w
    double allowance;
    double longest; // allowance plus half of the way of the fastest node
    carom_ticks_noted noted;
} carom_ticks_paths;

// Springs kick with rigid bodies.
typedef struct carom_ticks_springs {
    int *nodes; // ends at nodes of deformable bodies
    int count;
    double length; // of the last kick
    double *owed;  // time for which dampers have acted too little; part of the state. NULL: there are none
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
    carom_ticks_paths ways;
    carom_rigid_kick rigid; // its state is NULL if there are no rigid bodies
    int *rigid_nodes;       // their nodes and mass centres
    int rigid_node_count;
    double time;         // of the run, at the last kick or beginning of a drift of rigid bodies
    carom_vectors at;    // per node of a rigid body: where it is at the last tick
    carom_vectors force; // on it
    double *held_start;  // oscillation of bodies with joints or glued parts at the start; part of the state. NULL: not needed
    carom_ticks_springs springs;
    carom_hits hits; // of the span, not booked yet
    int last_kick;   // hits from here on belong to the last tick
};

static inline bool carom_ticks_is_on_tick(const carom_ticks *ticks, int i) {
    return ticks->members.away[i] > 0;
}

// The number of the rigid bodies among the members, and of the last member.
static inline int carom_ticks_rigid_member(const carom_ticks *ticks) {
    return ticks->flight->kicks.count + 1;
}
static inline int carom_ticks_last_member(const carom_ticks *ticks) {
    return ticks->flight->kicks.count + (ticks->flight->model->rigid.count > 0);
}

// True if a rigid body carries a node, or has its mass centre there.
static inline bool carom_ticks_is_rigid(const carom_ticks *ticks, int node) {
    return ticks->rigid.state && ticks->rigid.rigid_bodies.of_node[node] != -1;
}

// The scale of distances; 0 if there is none.
double carom_ticks_length(const carom_ticks *ticks);

// Chooses the elements of the span (ticks_members.c). *late: some have joined or have a lead, and must kick at once.
carom_status carom_ticks_take_in(carom_ticks *ticks, bool *late, double *fraction, carom_error *error);

// Books what answers to new velocities of driven nodes lack, after the tick with which they begin (ticks_books.c).
void carom_ticks_book_drive(carom_ticks *ticks);

// Rigid bodies (ticks_rigid.c). Without any all of these do nothing. False if memory is short.
bool carom_ticks_rigid_create(carom_ticks *ticks);
// True if forces on any of them change as it moves.
bool carom_ticks_rigid_is_followed(const carom_ticks *ticks);
// The longest step of ticks that keeps turns small; HUGE_VAL: nothing turns.
double carom_ticks_rigid_step(const carom_ticks *ticks);
// A span begins: velocities of nodes are those of their chords over it, or over a part of it if bodies turn too fast.
void carom_ticks_rigid_aim(carom_ticks *ticks);
// Notes where nodes are at time t of the flight: before a kick, or before a drift without one.
void carom_ticks_rigid_place(carom_ticks *ticks, double t);
// The kick of length h at time t of the flight, after live loads have found theirs.
void carom_ticks_rigid_kick(carom_ticks *ticks, double h, double t);
// What it would change in a whole step; `first` of a span: it was none.
void carom_ticks_rigid_whole(carom_ticks *ticks, bool first);
// Before and after contact has answered the kick at time t.
void carom_ticks_rigid_before(carom_ticks *ticks);
void carom_ticks_rigid_after(carom_ticks *ticks, double t, bool first);
// A drift begins, and has ended; what the kick at its end would change.
carom_status carom_ticks_rigid_begin(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error);
carom_status carom_ticks_rigid_finish(carom_ticks *ticks, const carom_contact_interval *interval, carom_error *error);
void carom_ticks_rigid_end_kick(carom_ticks *ticks);

// Springs (ticks_springs.c), which rigid bodies bring along. Without any all of these do nothing. False if memory is short.
bool carom_ticks_springs_create(carom_ticks *ticks);
// The longest step of ticks with which they are stable, times beta.
double carom_ticks_springs_step(const carom_ticks *ticks, double beta);
// Adds their forces to those of rigid bodies, with nodes at kicks.place, and finds those on nodes of deformable ones.
void carom_ticks_springs_add(carom_ticks *ticks);
// The kick of length h of those at mass centres, of which bodies collect no forces.
void carom_ticks_springs_pull(const carom_ticks *ticks, double h, carom_vectors change);
// Nodes of deformable bodies are kicked for the time h at time t of the flight. Then, when all other forces have acted, dampers
// do.
void carom_ticks_springs_kick(carom_ticks *ticks, double h, double t);
void carom_ticks_springs_damp(carom_ticks *ticks, double h, double t);
// Adds what they would change in a whole step, at nodes of deformable bodies.
void carom_ticks_springs_whole(const carom_ticks *ticks, carom_vectors change);
// Contact has answered the kick: books it, and finds velocities in the middle of it.
void carom_ticks_springs_after(carom_ticks *ticks, bool first);
// Velocities at the end of the span of nodes of deformable bodies; what is still to come of the last kick is taken from `sum`.
void carom_ticks_springs_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum);

// Half of what joints or springs did in the last tick is still to come: takes it from `sum`.
void carom_ticks_take_half(const carom_accounts *given, carom_accounts *sum);

// Makes room for the members; *enough as in carom_arena_reserve.
void carom_ticks_members_reserve(carom_ticks *ticks, const bool *touches, bool *enough);
void carom_ticks_members_release(carom_ticks *ticks);

#endif
