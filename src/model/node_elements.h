// SPDX-License-Identifier: MIT
// The elements around a few nodes, found in a time proportional to their number.
#ifndef CAROM_MODEL_NODE_ELEMENTS_H
#define CAROM_MODEL_NODE_ELEMENTS_H

#include "base/arena.h"
#include "model/model.h"

// Up to CAROM_LANES elements of a block that are evaluated together.
typedef struct carom_batch {
    int block, begin, end;
} carom_batch;

typedef struct carom_vicinity {
    carom_batch *batches; // all batches with an element at one of the nodes, in the order in which they were added
    int batch_count;
    int *nodes; // nodes of the elements of all batches, in any order
    int node_count;
    int *first;     // per block: number of its first batch; its last entry is the number of all batches
    bool *has;      // per batch of the model: it is in the list
    bool *has_node; // per node: it is in the list
} carom_vicinity;

// Creates an empty vicinity with memory of the arena. `enough` becomes false if memory is short.
carom_vicinity carom_vicinity_create(carom_arena *arena, const carom_model *model, bool *enough);

// Adds the elements of a node. `at_home`: if several processes share the model, only the batches that this process checks.
void carom_vicinity_add(carom_vicinity *near, const carom_model *model, int node, bool at_home);
// True if this process checks the batch: each batch is checked by one process, its home.
bool carom_vicinity_is_home(const carom_vicinity *near, const carom_model *model, carom_batch batch);

// Adds a batch, by its number in a block without frames.
void carom_vicinity_add_batch(carom_vicinity *near, const carom_model *model, int block, int number);

// Adds batches of such blocks, counted through all blocks, in ascending order. Several threads do this if there are many.
void carom_vicinity_add_batches(carom_vicinity *near, const carom_model *model, const int *numbers, int count);

// Removes all batches and nodes.
void carom_vicinity_clear(carom_vicinity *near);

// Returns the element of a block without frames that writes its force on a node to this slot, and its block.
int carom_model_element_at(const carom_model *model, int64_t slot, int *block);

#endif
