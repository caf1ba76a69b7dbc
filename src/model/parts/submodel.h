// SPDX-License-Identifier: MIT
// Extraction of a submodel from some nodes of a model: copies of the data of these nodes and their bodies (extract.h).
#ifndef CAROM_MODEL_PARTS_SUBMODEL_H
#define CAROM_MODEL_PARTS_SUBMODEL_H

#include "model/model.h"

typedef struct carom_submodel {
    const carom_model *whole;
    carom_model *part; // has its own arena
    int *local;        // per node of the whole: its number in the submodel, -1 if it has none
    int *global;       // per node of the submodel: its number in the whole; in the arena
} carom_submodel;

// Starts an empty submodel, and an array of node numbers, all -1. The caller marks the selected nodes by other numbers, and
// calls the following functions in this order; each returns false if memory is short.
bool carom_submodel_start(carom_submodel *sub, const carom_model *whole);
// Frees the numbers, and the submodel unless the caller has taken it.
void carom_submodel_end(carom_submodel *sub);

// Numbers the marked nodes: first those of process `rank`, then the others, both ascending. If owner is NULL, all belong to one
// process.
bool carom_submodel_number(carom_submodel *sub, const int *owner, int rank);
// Copies positions, masses, velocities, loads, damping, restraints with their motions.
bool carom_submodel_copy_nodes(carom_submodel *sub);
// Copies bodies with the ranges and the numbers of their nodes, without sets and limits.
bool carom_submodel_copy_bodies(carom_submodel *sub);
// Copies settings and laws of contact, lengths, steps, flags, the hash, and the totals of the whole model.
bool carom_submodel_copy_constants(carom_submodel *sub);

// Copies items into an arena; *enough as in carom_arena_reserve.
void *carom_submodel_copy(carom_arena *arena, const void *items, int64_t count, size_t size, bool *enough);

// Numbers the nodes of the contact space of a model: per node, -1 if it has no contact. Returns the number of contact nodes.
int carom_submodel_find_space(const carom_model *whole, int *number);

#endif
