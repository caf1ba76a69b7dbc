// SPDX-License-Identifier: MIT
// What is said to a device: blocks of elements, nodes, and calls. Plain structs with addresses of the device; C and C++.
#ifndef CAROM_DEVICE_CALLS_H
#define CAROM_DEVICE_CALLS_H

#include <stdint.h>

#include "carom/material.h"
#include "contact/impact/sweep_body.h"
#include "element/solid/plane_body.h"
#include "element/solid_shape.h"

enum {
    // Elements that sort their forces together.
    CAROM_GROUP = 128,
    // Distance of the numbers of a thread in the memory of its group: odd, so that numbers which are written together lie in
    // different banks.
    CAROM_COLUMN = CAROM_GROUP + 1,
    // Scores of extremes (CAROM_EXTREME_KINDS).
    CAROM_THREAD_LIMITS = 4,
    // Digits of an exact sum (CAROM_EXACT_DIGITS).
    CAROM_THREAD_DIGITS = 68,
    // Sums over nodes of a kick (CAROM_KICK_SUMS), and of velocities: kinetic energy, energy of dead loads.
    CAROM_THREAD_KICK_SUMS = 8,
    CAROM_THREAD_MOTION_SUMS = 2,
    // Colours of contacts, and one more place that ends them.
    CAROM_THREAD_COLOURS = 64,
    // Nodes of an element of which a block tells where they are: all of those that have cells.
    CAROM_TOP_NODES = 8
};

// The kernels. Those from CAROM_THREAD_PATCH on have any number of nodes and write each force to its slot by themselves.
typedef enum carom_thread_kind {
    CAROM_THREAD_NOTHING, // no force: the slots stay zero
    CAROM_THREAD_TET4,
    CAROM_THREAD_HEX8,
    CAROM_THREAD_HEX8_ONE_POINT,
    CAROM_THREAD_WEDGE6,
    CAROM_THREAD_TRI3,
    CAROM_THREAD_QUAD4,
    CAROM_THREAD_BAR,
    CAROM_THREAD_SHELL, // a regular patch
    CAROM_THREAD_HEX8_DILATED,
    CAROM_THREAD_TET4_VOLUME, // cells of tetrahedra with volumes at nodes
    CAROM_THREAD_TET4_POINTS, // laws that are asked point by point
    CAROM_THREAD_HEX8_POINTS,
    CAROM_THREAD_WEDGE6_POINTS,
    CAROM_THREAD_PATCH,
    CAROM_THREAD_SHELL_STORED,
    CAROM_THREAD_SHELL_AFFINE,
    CAROM_THREAD_VOLUME,      // their nodes
    CAROM_THREAD_PATCH_POINT, // patches with a law that splits
} carom_thread_kind;

CAROM_INLINE bool carom_thread_is_shell(int kind) {
    return kind == CAROM_THREAD_SHELL || kind == CAROM_THREAD_SHELL_STORED || kind == CAROM_THREAD_SHELL_AFFINE;
}

// Laws that have no Lame's constants: j2 by its hardening (carom_hardening), others by this and their place (carom_law).
enum { CAROM_THREAD_LAW = 16 };

// Elements that sort their forces together. Where a group has the first elements of a node, it adds up their forces, which then
// need one slot: that is a run.
typedef struct carom_thread_group {
    int output;    // its first place in `sorted`: the slots of its runs, then those of single forces
    int run;       // likewise in `run_ends` and `run_nodes`
    int run_count; // so many runs
    int joined;    // forces in them, which are the first of its sources
} carom_thread_group;

// Elements of one kind and law. Numbers of elements stand as the model has them, in batches of CAROM_LANES.
typedef struct carom_thread_block {
    int kind, law; // carom_thread_kind, carom_kernel_law
    int count, node_count, data_size;
    int number;             // of the block in the model
    int beside;             // not zero: others have forces too, and threads of all may run at the same time
    int first, first_group; // elements, and groups, of the blocks before
    int point_count;        // of shells, and of laws with history
    int weight_size;        // of shells: numbers of weights per point
    const int *nodes;
    const double *data;
    const int *target; // kinds with any number of nodes: the slot of each node of each element
    // Others: groups; the slots of each, ascending; the node of which element each force is, a * CAROM_GROUP + (e %
    // CAROM_GROUP); where runs end among these, and their nodes.
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
    const carom_solid_shape *solid; // how solids are looked at; NULL of others
    const double *table;            // of regular patches: CAROM_LOOP_ROWS rows of CAROM_LOOP_REGULAR for each point
    // Laws of CAROM_KERNEL_FLOW: which one, its parameters, numbers of history per element, and the history and the losses,
    // laid out as those of a state; without history NULL.
    int flow_law, history_size;
    const void *params;
    double *history, *losses;
    // Elements whose law is asked point by point: volume and gradients of the nodes, 1 + 3 n numbers for each point, in
    // batches; and whether they have a part of a law that splits, a factor of the shape and a bulk modulus.
    const double *points;
    int splits;
    double shape, bulk;
} carom_thread_block;

// One evaluation of forces.
typedef struct carom_thread_call {
    const double *x, *X;
    const double *load; // dead loads of the nodes, with which sums begin; NULL: none
    double *slots;
    carom_flow flow; // what laws with history are asked for
    int watches;     // stresses are compared with envelopes, which are raised, and with limits (element/peak_values.h)
    double *envelopes;
    double limit[CAROM_THREAD_LIMITS];
    // CAROM_THREAD_LIMITS for each group: the best scores beyond the limits, and whose they are; of equals the first.
    double *best;
    int *best_element;
    int *any; // per block, zero at first: not zero if one of its groups has a score
} carom_thread_call;

// Stiffness damping of a block (model/motion/damping_body.h): each element has nodes of its own, one after another.
typedef struct carom_thread_damping {
    double b;                    // its coefficient
    const double *x, *w;         // positions and velocities of the nodes of the model
    double *y, *u, *r;           // disturbed positions, velocities without rigid motion, positions about the centre
    const int *place;            // slots of the nodes of each element
    const double *slots, *still; // forces with and without the disturbance
    double *out;                 // slots for forces of damping
} carom_thread_damping;

// The best of a block: scores beyond the limits, or CAROM_NO_SCORE; whose they are, of equals the first; and where the first
// nodes of these elements are.
typedef struct carom_thread_top {
    double score[CAROM_THREAD_LIMITS];
    int element[CAROM_THREAD_LIMITS];
    double x[CAROM_THREAD_LIMITS][3 * CAROM_TOP_NODES];
} carom_thread_top;

// A look at the elements of a block: is one not wider than nothing, and has one turned by more than a sine?
typedef struct carom_thread_check {
    const double *x, *X;
    double sine; // HUGE_VAL: turns are not asked for
    int *wrong;  // becomes 1 if there is such an element
} carom_thread_check;

// Planes behind which nodes may not be: n.x >= offset.
enum { CAROM_THREAD_PLANES = 16 };
typedef struct carom_thread_planes {
    int count;
    double normal[CAROM_THREAD_PLANES][3], offset[CAROM_THREAD_PLANES];
    int *wrong; // likewise
} carom_thread_planes;

typedef struct carom_thread_nodes {
    int count;
    const int *gather_begin;
    const double *slots;
    const double *load;  // NULL: none
    const double *start; // with what the sums of slots start: load, or -0, which changes nothing, where groups have begun
    const double *mass;
    double *x, *w, *force; // force may be NULL in a kick
    // Of a device that keeps the motion of nodes; NULL otherwise.
    const unsigned char *held; // per node: the processor has it, and the device leaves it alone
    double *v, *before;        // velocities at the time of the state, and before the last kick
    double *v_next;            // those after a kick, until its time is that of the state
    double *kicks;             // what contact keeps of the last kick (contact/impact/repay.h); NULL: nothing
    double *drag;              // forces of mass damping; NULL: there is none
    const double *damping;     // its coefficients; NULL likewise
    const double *X;
} carom_thread_nodes;

// Exact sums over nodes (math/exact_cut.h), as memory of the device.
typedef struct carom_thread_sums {
    long long *digits; // CAROM_THREAD_DIGITS for each sum
    unsigned *special; // per sum
} carom_thread_sums;

// What a kick or the velocities after it tell of the nodes that the device keeps, as memory of the device.
typedef struct carom_thread_reported {
    double most;    // largest change of speed
    double fastest; // largest square of a speed after the kick
    int stray;      // not zero: a velocity is not finite
} carom_thread_reported;

// Nodes that the last kick has pushed hard: u^2 m^2 > most with u = w - v and m = (until - now + 1) (until - now + 2), where
// until > now. Memory of the device.
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

// A record of a contact is fetched in parts, of which those of 32 contacts lie side by side (carom_thread_part_place).
typedef struct carom_thread_part {
    uint64_t bits[2];
} __attribute__((aligned(16))) carom_thread_part;
enum { CAROM_THREAD_PARTS = sizeof(carom_plain_contact) / sizeof(carom_thread_part) };

// Sweeps over contacts in the order of their colours: those of one colour have no node in common that moves. Vectors have rows
// of four numbers, of which the last one is not used.
typedef struct carom_thread_sweep {
    int count, rows;
    int colour_count;
    int colours[CAROM_THREAD_COLOURS + 1]; // where each begins, and the last one ends; contacts behind that have none
    int most;                              // of sweeps
    double floor;
    const carom_thread_part *contacts; // their nodes are rows
    const double *start;               // velocities before
    double *v, *impulses;              // those after, and four numbers of each contact: filled
    int *moved;                        // three, zero at first
} carom_thread_sweep;

// A kick of these nodes.
typedef struct carom_thread_push {
    double h;               // its length
    double part;            // the same in units of the drift to come
    double step;            // the length of that
    double after;           // the share of it that acts after its time
    carom_thread_sums sums; // CAROM_KICK_SUMS, of dead loads and of damping; then those of the velocities at its time
    carom_thread_reported *told;
} carom_thread_push;

#endif
