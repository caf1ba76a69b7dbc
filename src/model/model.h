// SPDX-License-Identifier: MIT
// The definition of carom_model: constant arrays over nodes, element blocks, restraints, contact candidates.
#ifndef CAROM_MODEL_MODEL_H
#define CAROM_MODEL_MODEL_H

#include "base/arena.h"
#include "carom/model.h"
#include "contact/exclusions.h"
#include "contact/law.h"
#include "contact/response.h"
#include "contact/rigid_motion_field.h"
#include "contact/surface.h"
#include "model/faces.h"
#include "model/schedule.h"
#include "model/ties.h"
#include "model/tiles.h"
#include "parallel/parallel.h"

typedef struct carom_body {
    char name[CAROM_NAME_MAX], group[CAROM_NAME_MAX];
    int node_begin, node_count;   // nodes are numbered body after body; in a subdomain, those that the process owns
    int ghost_begin, ghost_count; // and its ghosts
    int block_begin, block_count; // element blocks are numbered body after body, too
    int set_count;
    carom_node_set *sets;    // with global node indices
    const int64_t *node_ids; // numbers of its nodes, then of its ghosts; NULL: counted from 0
    double mass;
    int stands_on; // 1 + the contact plane on which the scene has placed the body; 0: none
    carom_damping damping;
    carom_limit limit; // smooth limit surface that its nodes control, by global node indices; begin is NULL if it has none
} carom_body;

// The number of a node (by its global index) of a body, as its mesh file gives it.
int64_t carom_body_node_id(const carom_body *body, int node);
// True if the body, or its group, has that name.
bool carom_body_is_called(const carom_body *body, const char *name);

// A load other than a constant dead load: it changes in time, or acts along the current normals of its faces.
typedef struct carom_live_load {
    carom_schedule schedule;
    int node_count; // dead forces on nodes, for a load factor of 1
    int *nodes;
    double (*force)[3];
    int face_count; // or a pressure on the current faces
    carom_load_face *faces;
    double pressure;
    carom_load_function function; // or a force given by a function of the program on the nodes, whose `force` is then zero
    carom_load_array_function array_function;
    void *context;
    bool plane; // the function acts on a plane body: the z component of its force is dropped
} carom_live_load;

typedef struct carom_live_loads {
    int count;
    carom_live_load *items;
    int node_count; // nodes on which any of them may act, ascending
    int *nodes;
} carom_live_loads;

// A direction of a restrained node along which the prescribed velocity changes in time.
typedef struct carom_drive {
    int motion;      // index of the motion
    double along[3]; // the speed along the direction is this projection of the motion
    double gain[3];  // change of the nodal velocity per unit of that speed
} carom_drive;

// The directions of one restraint that change in time.
typedef struct carom_driven {
    int count;
    carom_drive items[3];
    double base[3]; // the constant part of its velocity
    int pose;       // number of the pose that prescribes it, counted from 1; 0: none
} carom_driven;

typedef struct carom_drives {
    int motion_count;
    carom_motion *motions;
    carom_driven *of_restraint; // NULL if nothing changes in time
} carom_drives;

// A restraint as defined, for nodes of which some restraint acts during a time window only (timed_restraints.h).
typedef struct carom_clause {
    int count;              // directions
    double direction[3][3]; // unit vectors
    double velocity[3];
    int motion; // index of the motion; -1: the velocity is constant
    double from, until;
} carom_clause;

// A node that has such a restraint.
typedef struct carom_window_node {
    int restraint;
    int begin, count; // its clauses, in `of_nodes`
} carom_window_node;

typedef struct carom_windows {
    int count; // nodes
    carom_window_node *nodes;
    int clause_count;
    carom_clause *clauses; // all restraints of the definition, in its order
    int *of_nodes;
    int *of_restraint; // per restrained node: its number among `nodes`, or -1; NULL if there are none
} carom_windows;

// The integral of a prescribed velocity over time.
typedef struct carom_course {
    carom_motion motion;
    int count;         // kinks of the velocity; the first one is the time 0
    double *kinks;     // ascending
    double (*sums)[3]; // integrals from 0 to each kink
} carom_course;

// The motion of an obstacle (obstacle_motion.h).
typedef struct carom_pose {
    int body, node_count;
    bool moves, turns;
    carom_course course, turning; // displacement; angle, in the first component
    int path_count;               // or a table of displacements
    const double (*path)[4];
    double axis[3], point[3]; // axis of rotation: a unit vector, and a point of the axis in the reference configuration
    int shape_count;
    const double *shape_times;
    const double *shapes; // per shape, node after node
    double cell[3];       // reference point of the load cell, in the reference configuration
} carom_pose;

typedef struct carom_poses {
    int count;
    bool moving; // any of them moves
    carom_pose *items;
    const int *of_body; // per body: the number of its pose, -1 for a body that is no obstacle; NULL if there are no obstacles
} carom_poses;

// True if the body is an obstacle.
static inline bool carom_poses_has(const carom_poses *poses, int body) {
    return poses->of_body && body >= 0 && poses->of_body[body] >= 0;
}

// Elements [begin, end) of a block; begin is a multiple of CAROM_LANES.
typedef struct carom_chunk {
    int block, begin, end;
    int first; // number of element `begin`, counted through all blocks
} carom_chunk;

enum { CAROM_CHUNK_MAX = 512 };

// A model shared by several processes is divided into subdomains, each a model by itself. The nodes of a subdomain are those
// that its process owns and advances, and behind them ghosts, which other processes advance and it only reads; both ascend by
// their numbers in the whole model. Its elements are those of all batches (CAROM_LANES elements that a kernel evaluates
// together) in which any element has an owned node: the forces on owned nodes are then complete, and are summed in the order of
// the whole model. Batches are not divided, so that every operation on a batch has the same result in all processes. Bodies and
// blocks keep their numbers, including those of which a process has nothing. A whole model is a subdomain with all nodes.
//
// Contact is resolved in a separate model, the contact space: the nodes of surfaces and of contacts with fixed normals, of all
// processes, without elements. Every process has a copy.
typedef struct carom_part {
    int owned_count;           // nodes that this process advances; all, in a whole model
    const int *global;         // per node: its number in the whole model; NULL: the model is whole
    const int *element_global; // per element, block after block: its number in the whole model
    const int *ghost_owner;    // per ghost: the process that owns it, and
    const int *ghost_place;    // its number there
    const int *block_first;    // per block: the number of its first element in the whole model; NULL in a whole one
    const bool *home;          // per batch, block after block: this process checks it (integrator/step_control.h); NULL: all
    int whole_nodes;           // nodes of the whole model
    int whole_elements;        // its elements,
    int whole_restraints;      // its restrained nodes, and
    int whole_live_nodes;      // the nodes on which its live loads may act
    double extent;             // the diagonal of the box around all nodes of the whole model, in the reference configuration
    carom_halo *halo;          // sends three numbers of each ghost; NULL in a whole model
    const struct carom_model *space; // the contact space, with nodes of all processes; a whole model is its own space
    const int *in_space;             // per node: its number in the contact space, -1 if it has none; NULL: the same number
    const int *numbers;              // in a contact space: per node, its number in the whole model; else NULL
    struct carom_space_link *link;   // sends contact nodes to all processes (space_link.h); NULL in a whole model
    void *agree_buffer;              // scratch: one small message per process for collective decisions
    bool replicated; // all processes have the whole model and compute the same, except for the work that a solver distributes
} carom_part;

// A spring with a parallel damper.
typedef struct carom_spring {
    int node[2];     // its end nodes; -1: the ground
    double point[3]; // the end on the ground
    double stiffness, damping, length;
} carom_spring;

typedef struct carom_springs {
    int count;
    carom_spring *items;
    bool damped; // any of them has damping
} carom_springs;

struct carom_model {
    carom_arena *arena; // owns everything below

    int node_count;
    double (*X)[3];  // reference positions
    double *mass;    // lumped, > 0; 0 for nodes moved by a rigid body, and for one entry per rigid body behind all nodes
    double (*v0)[3]; // velocities at the start

    // Nodes with frames: the columns of R are the axes of the node. All three are NULL if there are no such nodes.
    double (*R)[3][3];    // at the start; I where a node has no frame
    double (*inertia)[3]; // principal moments about the axes; 0 where a node has no frame
    double (*spin0)[3];   // angular velocities at the start, in the axes of the node

    carom_rigid_bodies rigid; // constant data of rigid bodies; its count is 0 if there are none

    carom_springs springs; // at rigid bodies

    double (*load)[3]; // constant force on each node: gravity and dead loads
    bool loaded;       // any load is not zero
    carom_live_loads live;
    bool damped;          // any body has damping
    bool skip_peaks;      // the largest stresses are not requested
    double *mass_damping; // per node, that of its body: the coefficient a of -a m v; NULL if no body has any

    int body_count;
    carom_body *bodies;

    int block_count;
    carom_block *blocks;
    int element_count;
    int element_node_count; // sum over blocks of count * nodes per element

    // Gather lists. Element forces are written into one buffer, block after block, in batches (carom_lane). The first
    // components of those on node k are at gather[gather_begin[k]] ... gather[gather_begin[k + 1] - 1], the other components
    // CAROM_LANES further each. Lists ascend by elements, so that sums have one order. Wrenches on nodes with frames are six
    // consecutive numbers.
    int *gather_begin;
    int *gather;
    int64_t *block_slot; // offset of each block in the buffer; its last entry is the length of the buffer

    int chunk_count; // ranges of elements that a thread evaluates at a time, each within one block
    carom_chunk *chunks;
    carom_tiles tiles; // runs of chunks whose forces stay in the cache

    double *block_step; // per block: stable step of its body, in the reference configuration and without damping

    carom_restraints restraints; // with their velocities at the start
    carom_drives drives;
    carom_windows windows; // restraints that act during a time window
    carom_poses poses;     // of obstacles

    carom_ties ties; // tied surfaces and connected points

    carom_contact_def contact;   // its planes are copied; its pairs are in `laws`
    carom_candidates candidates; // end points of bars, point masses, planes
    carom_surface surface;       // contact surface of all bodies; empty if no body has one
    double surface_length;       // its shortest side
    carom_contact_laws laws;     // restitution, friction, and pairs excluded from contact
    carom_exclusions exclusions; // the excluded pairs for the search among surfaces, including bodies without self-contact
    bool *filled;                // per body: its interior is solid; the interior of a closed shell may contain other bodies
    bool *immovable;             // per body: none of its nodes can move freely; two such bodies may overlap
    double contact_length;       // smallest distance of neighbouring nodes: the length scale of geometric tolerances

    uint64_t hash; // of everything above: identifies the model of a checkpoint

    carom_part part;
};

// An empty model, allocated in its own arena; NULL if memory is short.
static inline carom_model *carom_model_allocate(void) {
    carom_arena *arena = carom_arena_create();
    carom_model *model = arena ? carom_arena_allocate(arena, 1, sizeof *model) : NULL;
    if (model)
        model->arena = arena;
    else
        carom_arena_release(arena);
    return model;
}

// True if other processes have the rest of the model.
static inline bool carom_model_is_subdomain(const carom_model *model) {
    return model->part.global != NULL;
}

static inline bool carom_model_has_frame(const carom_model *model, int node) {
    return model->R && model->inertia[node][0] > 0;
}

// Number of rows of a velocity field (contact/rigid_motion_field.h): one for each node, and one for each rigid body.
static inline int carom_model_row_count(const carom_model *model) {
    return model->node_count + model->rigid.count;
}

// Number of elements of a body.
int carom_body_element_count(const carom_model *model, const carom_body *body);

// The box around nodes [begin, end) at their reference positions; low is above high if there are none.
void carom_model_box(const carom_model *model, int begin, int end, double low[3], double high[3]);

// Dimension of the space in which an element can touch others: 3 for solids and shells, 2 for plane elements, else 0 or 1.
static inline int carom_contact_dimension(const carom_element *element) {
    int dimension = carom_cell_dimension(element->cell);
    return dimension == 2 && !element->plane ? 3 : dimension;
}

// True if a node of a whole model can touch something: it is on a surface, or has contacts with fixed normals.
static inline bool carom_model_can_touch(const carom_model *model, int node) {
    const int *fixed = model->candidates.begin;
    return (model->surface.node_body && model->surface.node_body[node] >= 0) || (fixed && fixed[node + 1] > fixed[node]);
}

// Computes the hash of a whole model, the value of its `hash`.
uint64_t carom_model_find_hash(const carom_model *model);

// Builders of lists that depend on the blocks of a model only, whose counts are complete (gather.c): gather_begin, gather and
// block_slot; and the chunks.
carom_status carom_model_find_gather_lists(carom_model *model, const carom_model_def *def, carom_error *error);
carom_status carom_model_find_chunks(carom_model *model, const carom_model_def *def, carom_error *error);

// Fills model->block_step.
carom_status carom_model_find_steps(carom_model *model, const carom_model_def *def, carom_error *error);

// The stable step of the elements alone, without springs: springs between points have no waves.
double carom_model_step_of_elements(const carom_model *model);

#endif
