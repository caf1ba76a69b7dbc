// SPDX-License-Identifier: MIT
// A model made of some nodes of another one: copies of what these nodes and their bodies have (extract.h).
#ifndef CAROM_MODEL_PARTS_SUBMODEL_H
#define CAROM_MODEL_PARTS_SUBMODEL_H

#include "model/model.h"

typedef struct carom_cut {
    const carom_model *whole;
    carom_model *part; // with an arena of its own
    int *local;        // per node of the whole: its number in the part, -1 if it has none
    int *global;       // per node of the part: its number in the whole; in the arena
} carom_cut;

// A part without nodes, and room for the numbers of nodes, all of them -1. The caller marks the nodes that it wants by other
// numbers, and calls the following functions in this order; each returns false if memory is short.
bool carom_cut_start(carom_cut *cut, const carom_model *whole);
// Frees the numbers, and the part too unless it was taken.
void carom_cut_end(carom_cut *cut);

// Numbers the marked nodes: first those of process `rank`, then the others, both ascending. All are of one process where owner
// is NULL.
bool carom_cut_number(carom_cut *cut, const int *owner, int rank);
// Positions, masses, velocities, loads, damping, restraints with their motions.
bool carom_cut_nodes(carom_cut *cut);
// Bodies with the ranges and the numbers of their nodes, without sets and limits.
bool carom_cut_bodies(carom_cut *cut);
// Settings and laws of contact, lengths, steps, flags, the hash, and what is known of the whole model.
bool carom_cut_constants(carom_cut *cut);

// A copy of items in an arena; *enough as in carom_arena_reserve.
void *carom_cut_copy(carom_arena *arena, const void *items, int64_t count, size_t size, bool *enough);

// The numbers of nodes in the contact space of a model: per node, -1 if it takes no part in contact. Returns how many do.
int carom_cut_find_space(const carom_model *whole, int *number);

#endif
