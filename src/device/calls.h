// SPDX-License-Identifier: MIT
// The data that the library passes to the functions of a device (backend.h): blocks of elements, nodes, and tasks. Plain
// structs with addresses in the memory of the device; C and C++.
#ifndef CAROM_DEVICE_CALLS_H
#define CAROM_DEVICE_CALLS_H

#include <stdint.h>

#include "carom/material.h"
#include "contact/impact/sweep_body.h"
#include "device/kinds.h"
#include "element/solid/plane_body.h"
#include "element/solid_shape.h"

enum {
    // Threads of a group, each of which computes one element; the group sorts the forces of its elements together.
    CAROM_GROUP = 128,
    // Distance between consecutive numbers of a thread in the shared memory of its group: odd, to avoid bank conflicts.
    CAROM_COLUMN = CAROM_GROUP + 1,
    // Scores, one for each kind of extreme of stress and strain (CAROM_EXTREME_KINDS).
    CAROM_THREAD_LIMITS = 4,
    // Digits of an exact sum (CAROM_EXACT_DIGITS).
    CAROM_THREAD_DIGITS = 68,
    // Number of sums over nodes for a kick (CAROM_KICK_SUMS), and for the motion after it (kinetic energy, energy of dead
    // loads).
    CAROM_THREAD_KICK_SUMS = 8,
    CAROM_THREAD_MOTION_SUMS = 2,
    // Largest number of colours of contacts (CAROM_COLOURS); contacts that have none are updated one after another.
    CAROM_THREAD_COLOURS = 64,
    // Nodes whose positions are reported for the element with the largest score of a block: all nodes of a cell.
    CAROM_TOP_NODES = 8
};

#define CAROM_THREAD_CONSTANT(NAME, ...) CAROM_THREAD_##NAME,
#define CAROM_THREAD_POINTS_CONSTANT(NAME, ...) CAROM_THREAD_##NAME##_POINTS,
// The kernel that computes a block.
typedef enum carom_thread_kind {
    CAROM_THREAD_NOTHING, // no force: the slots stay zero
    CAROM_THREAD_NAMED(CAROM_THREAD_CONSTANT, ) CAROM_THREAD_FULL_SOLIDS(CAROM_THREAD_POINTS_CONSTANT, )
} carom_thread_kind;
#undef CAROM_THREAD_CONSTANT
#undef CAROM_THREAD_POINTS_CONSTANT

CAROM_INLINE bool carom_thread_is_shell(int kind) {
    return false CAROM_THREAD_SHELLS(CAROM_THREAD_IS, );
}

// Laws without Lame's constants are numbered as follows: j2 by its hardening (carom_hardening), others by this constant plus
// their carom_law.
enum { CAROM_THREAD_LAW = 16 };

// A group of CAROM_GROUP elements that sort their forces together. If the first elements in the list of a node belong to one
// group, the group adds their forces, which then need only one slot. These forces are called a run.
typedef struct carom_thread_group {
    int output;    // its first entry in `sorted`: the slots of its runs, then those of single forces
    int run;       // its first entry in `run_ends` and `run_nodes`
    int run_count; // number of runs
    int joined;    // forces in all runs, which are the first of its sources
} carom_thread_group;

// Elements of one kind and law. Element data are laid out as in the model, in batches of CAROM_LANES.
typedef struct carom_thread_block {
    int kind, law; // carom_thread_kind, carom_kernel_law
    int count, node_count, data_size;
    int number;             // of the block in the model
    int concurrent;         // not zero: other blocks have forces too, and threads of all may run at the same time
    int first, first_group; // elements, and groups, of the blocks before
    int point_count;        // of shells, of laws with history and of laws that are evaluated point by point
    int weight_size;        // of shells: numbers of weights per point
    const int *nodes;
    const double *data;
    const int *target; // kinds with any number of nodes, which write directly to the slots: that of each node of each element
    // Other kinds: groups; the slots of each group, ascending; the source of each force, a * CAROM_GROUP + (e % CAROM_GROUP)
    // for node a of element e; the ends of runs among these, and their nodes.
    const carom_thread_group *groups;
    const int *sorted;
    const unsigned short *sorted_source, *run_ends;
    const int *run_nodes;
    carom_lame m, whole;            // of the law; of patches also that of the material as a whole
    double factor;                  // hourglass mu/2 of bricks with one point; t^2/12 of shells; area of bars; bulk modulus
    double young;                   // of bars and shells
    double thickness, poisson;      // of shells
    int stores;                     // energies can be found
    int green;                      // of bars: Green's strain, else the small one
    carom_sheet sheet;              // of plane elements
    const carom_solid_shape *solid; // shape functions of solids; NULL: no solids
    const double *table;            // of regular patches: CAROM_LOOP_ROWS rows of CAROM_LOOP_REGULAR for each point
    // Laws of CAROM_KERNEL_FLOW: which one, its parameters, numbers of history per element, and the history and the losses,
    // laid out as those of a state; without history NULL.
    int flow_law, history_size;
    const void *params;
    double *history, *losses;
    // Elements whose law is evaluated point by point: volume and gradients of the nodes, 1 + 3 n numbers for each point, in
    // batches; whether their law is split into shape and volume, the factor of the former and the bulk modulus of the latter.
    const double *points;
    int splits;
    double shape, bulk;
} carom_thread_block;

// One evaluation of forces.
typedef struct carom_thread_call {
    const double *x, *X;
    const double *load; // dead loads of the nodes, with which sums begin; NULL: none
    double *slots;
    carom_flow flow; // mode of laws with history
    int watches;     // stresses are compared with envelopes, which are raised, and with limits (element/peak_values.h)
    double *envelopes;
    double limit[CAROM_THREAD_LIMITS];
    // CAROM_THREAD_LIMITS for each group: the largest scores beyond the limits, and their elements; of equal ones the first.
    double *best;
    int *best_element;
    int *any; // per block, zero at first: not zero if one of its groups has a score
} carom_thread_call;

// Stiffness damping of a block (model/motion/damping_body.h): each element has its own copies of its nodes, in order.
typedef struct carom_thread_damping {
    double b;                    // its coefficient
    const double *x, *w;         // positions and velocities of the nodes of the model
    double *y, *u, *r;           // disturbed positions, velocities without rigid motion, positions about the centre
    const int *place;            // slots of the nodes of each element
    const double *slots, *still; // forces with and without the disturbance
    double *out;                 // slots for forces of damping
} carom_thread_damping;

// The largest scores of a block beyond the limits, or CAROM_NO_SCORE; their elements, of equal ones the first; and the
// positions of the first nodes of these elements.
typedef struct carom_thread_top {
    double score[CAROM_THREAD_LIMITS];
    int element[CAROM_THREAD_LIMITS];
    double x[CAROM_THREAD_LIMITS][3 * CAROM_TOP_NODES];
} carom_thread_top;

// A check of the elements of a block: is one inverted, and has one rotated by more than an angle with this sine?
typedef struct carom_thread_check {
    const double *x, *X;
    double sine; // HUGE_VAL: rotations are not checked
    int *wrong;  // becomes 1 if there is such an element
} carom_thread_check;

// Planes that nodes may not penetrate: n.x >= offset.
enum { CAROM_THREAD_PLANES = 16 };
typedef struct carom_thread_planes {
    int count;
    double normal[CAROM_THREAD_PLANES][3], offset[CAROM_THREAD_PLANES];
    int *wrong; // becomes 1 if there is such a node
} carom_thread_planes;

typedef struct carom_thread_nodes {
    int count;
    const int *gather_begin;
    const double *slots;
    const double *load; // NULL: none
    const double
        *start; // initial values of the sums of slots: the load, or -0 (which changes no sum) if a group has added the load
    const double *mass;
    double *x, *w, *force; // force may be NULL in a kick
    // For motion that stays on the device; NULL otherwise.
    const unsigned char *held; // per node: the processor moves it, and the device does not change it
    double *v, *before;        // velocities at the time of the state, and before the last kick
    double *v_next;            // velocities after a kick, until the state has reached their time
    double *kicks;             // velocity changes by the last kick for contact (contact/impact/repay.h); NULL: not kept
    double *drag;              // forces of mass damping; NULL: there is none
    const double *damping;     // its coefficients; NULL: there is none
    const double *X;
} carom_thread_nodes;

// Exact sums over nodes (math/exact_cut.h), as memory of the device.
typedef struct carom_thread_sums {
    long long *digits; // CAROM_THREAD_DIGITS for each sum
    unsigned *special; // per sum
} carom_thread_sums;

// Results of a kick, or of the velocities after it, for the nodes on the device; memory of the device.
typedef struct carom_thread_reported {
    double most;    // largest change of speed
    double fastest; // largest square of a speed after the kick
    int stray;      // not zero: a velocity is infinite or NaN
} carom_thread_reported;

// Nodes whose velocity the last kick has changed too much: u^2 m^2 > most with u = w - v and
// m = (until - now + 1) (until - now + 2), where until > now (integrator/examination_times.h). Memory of the device.
typedef struct carom_thread_pushed_node {
    double square; // of u
    int node;
} carom_thread_pushed_node;

typedef struct carom_thread_pushed {
    const double *until; // per node
    double now, most;
    int *count;                      // zero at first
    carom_thread_pushed_node *found; // in any order
} carom_thread_pushed;

// A record of a contact is loaded in parts; the same part of 32 contacts is contiguous in memory (carom_thread_part_place).
typedef struct carom_thread_part {
    uint64_t bits[2];
} __attribute__((aligned(16))) carom_thread_part;
enum { CAROM_THREAD_PARTS = sizeof(carom_plain_contact) / sizeof(carom_thread_part) };

// Sweeps over contacts in the order of their colours: those of one colour have no node in common that moves. Vectors have rows
// of four numbers, of which the last one is not used.
typedef struct carom_thread_sweep {
    int count, rows;
    int colour_count;
    int colours[CAROM_THREAD_COLOURS + 1]; // first contact of each colour, and the end of the last; later contacts have none
    int most;                              // sweeps at most
    double floor;                          // convergence tolerance
    const carom_thread_part *contacts;     // their nodes are numbers of rows
    const double *start;                   // velocities before
    double *v, *impulses;                  // results: velocities after, and four numbers of each contact
    int *moved;                            // three flags, zero at first
} carom_thread_sweep;

// A kick of these nodes.
typedef struct carom_thread_push {
    double h;               // its length
    double part;            // its length in units of the next drift
    double step;            // the length of that drift
    double after;           // the fraction of the kick that acts after its time
    carom_thread_sums sums; // CAROM_KICK_SUMS, of dead loads and of damping; then those of the velocities at its time
    carom_thread_reported *report;
} carom_thread_push;

#endif
