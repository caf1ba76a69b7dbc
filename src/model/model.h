// SPDX-License-Identifier: MIT
// The inside of carom_model: constant arrays over nodes, element blocks, restraints, contact candidates.
#ifndef CAROM_MODEL_MODEL_H
#define CAROM_MODEL_MODEL_H

#include "base/arena.h"
#include "carom/model.h"
#include "contact/law.h"
#include "contact/response.h"
#include "contact/surface.h"

typedef struct carom_body {
    char name[CAROM_NAME_MAX], group[CAROM_NAME_MAX];
    int node_begin, node_count;   // nodes are numbered body after body
    int block_begin, block_count; // so are the element blocks
    int set_count;
    carom_node_set *sets;    // with global node indices
    const int64_t *node_ids; // numbers of its nodes; NULL: counted from 0
    double mass;
} carom_body;

struct carom_model {
    carom_arena *arena; // owns everything below

    int node_count;
    double (*X)[3];  // reference positions
    double *mass;    // lumped, > 0
    double (*v0)[3]; // velocities at the start

    // Nodes with frames: the columns of R are the axes of the node. All three are NULL if there are no such nodes.
    double (*R)[3][3];    // at the start; I where a node has no frame
    double (*inertia)[3]; // principal moments about the axes; 0 where a node has no frame
    double (*spin0)[3];   // angular velocities at the start, in the axes of the node

    double (*load)[3]; // constant force on each node: gravity and dead loads
    bool loaded;       // any load is not zero

    int body_count;
    carom_body *bodies;

    int block_count;
    carom_block *blocks;
    int element_count;
    int element_node_count; // sum over blocks of count * nodes per element

    // Gather lists. Element forces are written into one buffer, block after block, in batches (carom_lane); the first components of
    // those on node k stand at gather[gather_begin[k]] ... gather[gather_begin[k + 1] - 1], the others CAROM_LANES further. In the
    // order of the elements, so that sums have one order. Wrenches on nodes with frames stand there as six numbers in a row.
    int *gather_begin;
    int *gather;
    int64_t *block_slot; // where each block begins, and the length of the buffer last

    carom_restraints restraints;

    carom_contact_def contact;   // planes copied
    carom_candidates candidates; // end points of bars, point masses, planes
    carom_surface surface;       // with which bodies touch; empty if no body has one
    double surface_length;       // its shortest side
    carom_contact_laws laws;     // restitution and friction
    double contact_length;       // smallest distance of neighbouring nodes: the scale of geometric tolerances

    uint64_t hash; // of everything above: a checkpoint belongs to one model
};

static inline bool carom_model_has_frame(const carom_model *model, int node) {
    return model->R && model->inertia[node][0] > 0;
}

#endif
