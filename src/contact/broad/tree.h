// SPDX-License-Identifier: MIT
// A hierarchy of bounding boxes over the faces of a surface, with all bodies in one tree.
//
// Bodies, and the faces of each body, are sorted by Morton code; four neighbours form a block, four blocks
// a block of the next level, up to the root. The tree needs no pointers: the children of box j of block b
// are the boxes of block 4 b + j one level below. Boxes are stored in single precision, in coordinates that
// map the surface to [-1, 1]^3, and rounded outward: no overlap is missed, at any scale and position.
#ifndef CAROM_CONTACT_BROAD_TREE_H
#define CAROM_CONTACT_BROAD_TREE_H

#include <stdint.h>

#include "contact/broad/lanes.h"
#include "contact/exclusions.h"
#include "contact/surface.h"
#include "parallel/parallel.h"
#include "parallel/together.h"

// Four boxes, component by component. In an unused place the lower bounds exceed the upper bounds.
typedef struct carom_block_boxes {
    _Alignas(16) float lower[3][CAROM_TREE_WIDTH], upper[3][CAROM_TREE_WIDTH];
} carom_block_boxes;

enum {
    CAROM_TREE_LEVELS = 16, // enough for 4^16 faces
    CAROM_TREE_MIXED = -1,  // tag of a box with faces of several bodies
    CAROM_TREE_EMPTY = -2,  // tag of an unused place
    CAROM_TREE_PARTS = 64   // portions of a query; fixed, so that results do not depend on the number of threads
};

// A growing list of pairs of entities; start from {0}, free `pairs`.
typedef struct carom_index_pairs {
    int64_t count, capacity;
    int (*pairs)[2];
} carom_index_pairs;

// A set of pairs of bodies; a body may be paired with itself.
typedef struct carom_body_pairs {
    int count;
    const uint64_t *keys; // ascending
    const int *number;    // number given to each by the caller
    const double *reach;  // search distance of each
} carom_body_pairs;

static inline uint64_t carom_body_pair_key(int a, int b) {
    return a < b ? (uint64_t)a << 31 | (uint64_t)b : (uint64_t)b << 31 | (uint64_t)a;
}

static inline void carom_body_pair_bodies(uint64_t key, int body[2]) {
    body[0] = (int)(key >> 31);
    body[1] = (int)(key & INT32_MAX);
}

// Index of a pair of bodies, or -1.
static inline int carom_body_pairs_find(const carom_body_pairs *pairs, int a, int b) {
    uint64_t key = carom_body_pair_key(a, b);
    int low = 0, high = pairs->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pairs->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pairs->count && pairs->keys[low] == key ? low : -1;
}

// Start from {0}; released by carom_tree_release.
typedef struct carom_tree {
    const carom_surface *surface;
    int level_count;                        // 0 if there are no faces
    int level_begin[CAROM_TREE_LEVELS + 1]; // blocks of each level; level 0 holds the boxes of faces
    carom_block_boxes *boxes;               // per block
    int (*tags)[CAROM_TREE_WIDTH];          // per block: body of each child, CAROM_TREE_MIXED or CAROM_TREE_EMPTY
    int *order;                             // the face at each place of level 0; -1: unused
    int (*corners)[3];                      // per place: nodes of its face, by their numbers among the vertices
    float (*lower)[4], (*upper)[4];         // per vertex: its mapped position, or the ends of its path
    int *vertex;                            // per node: its number among the vertices
    struct carom_coded *codes, *code_space;
    double (*middle)[4];                       // per body: sum of positions, and their number
    int *body_faces, *body_begin;              // per body: number of its faces, and its first place in the order
    float *out;                                // per body: enlargement of its boxes
    double *missing;                           // per body: scratch to compute the enlargement
    double centre[3], scale;                   // of the map x -> scale (x - centre)
    double area, fresh;                        // area of all boxes of blocks: now, and the smallest since the faces were sorted
    int64_t rebuilds;                          // number of times the faces were sorted
    carom_arena *arena;                        // has all of these arrays
    const carom_body_pairs *asked;             // pairs of bodies for the next query; NULL: all
    carom_index_pairs parts[CAROM_TREE_PARTS]; // result of the last query; a part of it if the query is distributed
    carom_together *together; // queries, equal in all processes, are distributed to these; NULL: not distributed
} carom_tree;

// True if the next query is distributed to processes: not for few faces, which cost less than the exchange of results.
static inline bool carom_tree_is_shared(const carom_tree *tree) {
    return carom_together_shares(tree->together, tree->surface->face_count, 512);
}

// Gives all processes that share queries the same status: a failure of one is a failure of all.
#define CAROM_TREE_AGREE(tree, status, error) ((tree)->together ? CAROM_PARALLEL_AGREE(status, error) : (status))

// Largest number of pairs: more indicate a degenerate surface, for which an error is better than exhausting the memory. Piles
// have about ten pairs per feature.
static inline int64_t carom_tree_most_pairs(const carom_surface *surface) {
    return 1000000 + 64 * ((int64_t)surface->vertex_count + surface->edge_count + surface->face_count);
}

// Fails with CAROM_NUMERICAL, and states the number, if there are more.
carom_status carom_tree_judge_pairs(const carom_surface *surface, int64_t count, carom_error *error);

// Reserves memory for the tree of a surface, which is kept by reference.
carom_status carom_tree_create(const carom_surface *surface, carom_tree *tree, carom_error *error);
void carom_tree_release(carom_tree *tree);

// Sets the boxes: each face at x, or on its straight path from x to x1 (NULL: no motion), enlarged by
// `reach` on all sides. If tree->asked selects pairs of bodies, the sum of the enlargements of two such bodies
// is larger by at least the reach of the pair. The order of the faces is kept while the boxes of blocks are tight;
// faces are sorted again when the boxes have become loose, or if `resort`. Fails with CAROM_NUMERICAL if a
// position is not finite.
carom_status carom_tree_fit(carom_tree *tree, const double (*x)[3], const double (*x1)[3], double reach, bool resort,
                            carom_error *error);

// The pairs of faces that a query returns.
typedef enum carom_tree_scope {
    CAROM_TREE_ALL,
    CAROM_TREE_WITHIN,  // of one body
    CAROM_TREE_BETWEEN, // of two
} carom_tree_scope;

// Finds all pairs of different faces in the scope with overlapping boxes, of bodies that are not excluded,
// each pair once, into tree->parts. Pairs of boxes with a gap below the precision of the boxes (4e-7 of the size
// of the surface) may be found too.
carom_status carom_tree_query(carom_tree *tree, const carom_exclusions *exclusions, carom_tree_scope scope, carom_error *error);

// Receives a face; true ends the search.
typedef bool carom_tree_visit(void *context, int face);

// Visits the faces of a body whose boxes are within `reach` of a point, at the positions of the last fit without motion, until
// a visit returns true; returns whether one did. Some faces beyond the reach are visited too.
bool carom_tree_find_near(const carom_tree *tree, int body, const double point[3], double reach, carom_tree_visit *visit,
                          void *context);

#endif
