// SPDX-License-Identifier: MIT
// Sums of element forces over the nodes of a body, by all threads and with the same bits as by one thread.
//
// Each thread has a unit, a range of consecutive elements. Forces on nodes of a single unit are added as soon as they are
// computed, in parts that stay in the cache. Forces on nodes between units are put aside and added afterwards, in the order of
// the elements.
#ifndef CAROM_ELEMENT_SHARED_ASSEMBLY_H
#define CAROM_ELEMENT_SHARED_ASSEMBLY_H

#include "carom/element.h"

// Elements whose forces are computed at a time: their forces stay in the second-level cache.
enum { CAROM_BODY_SHARE_PART = 64 * CAROM_LANES };

typedef struct carom_body_share_part {
    int block, begin;
} carom_body_share_part;

typedef struct carom_body_share {
    int unit_count;
    int *part_begin; // the first part of each unit, and the end: unit_count + 1 indices of `parts`
    carom_body_share_part *parts;
    int64_t *aside_begin; // the first force in `aside` of each unit, and the end
    bool *between;        // for each node: several units have elements around it
    int shared_count;     // the number of such nodes
    int *shared;          // these nodes
    int64_t *at_begin;    // for each of them its first entry of `at`, and the end
    int *at;              // indices of `aside`, ascending for each node
    double (*aside)[3];   // forces that are put aside
    double *slots;        // forces of the elements of one part, for each unit
    int slot_size;        // numbers in `slots` of a unit
} carom_body_share;

// The part of a block that begins with element `begin`, as a block of its own.
carom_block carom_body_share_part_of(const carom_block *block, int begin);

// For `units` threads, 64 at most, and nodes below node_count. False if memory is short; release in any case.
bool carom_body_share_create(carom_body_share *share, const carom_block *blocks, int block_count, int node_count, int units);
void carom_body_share_release(carom_body_share *share);

// Adds `factor` times the forces of all elements at the positions x to sum, three numbers per node.
void carom_body_share_add_forces(const carom_body_share *share, const carom_block *blocks, const double (*x)[3],
                                 const double (*X)[3], double factor, double *sum);

#endif
