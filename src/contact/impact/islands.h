// SPDX-License-Identifier: MIT
// Islands of contacts: connected components of contacts that share movable nodes.
//
// Islands are independent, so threads may solve them in any order. Inside an island contacts are coloured greedily: in the
// order of the list each gets the smallest colour that no earlier contact with a common node has. Contacts are solved by
// colour, then in the order of the list, for any number of threads.
#ifndef CAROM_CONTACT_IMPACT_ISLANDS_H
#define CAROM_CONTACT_IMPACT_ISLANDS_H

#include <stdint.h>

#include "contact/impact/contact_solve.h"

// Start from {0}. Nodes that do not move, such as those of obstacles, connect no contacts.
typedef struct carom_islands {
    int count;
    int *begin;               // per island: its contacts are order[begin[i]] to before that of i + 1
    int *order;               // numbers of contacts
    int *first;               // per island: index of its first colour in `colours`
    int *colours;             // per island: offset of each colour in its range of `order`, and the end of the last colour
    int *island;              // per contact
    int *colour;              // per contact
    int *by_colour;           // contacts in the order of their colours
    int *owner;               // per island, for the caller: the process that solves it
    double (*rubbed)[2];      // per island, for the caller: sums of losses and of gains by friction at contacts of rigid bodies
    int64_t *load;            // per process, for the caller: number of contacts
    int (*movers)[4];         // per contact: representatives of its movable nodes (islands.c), then -1
    int noted;                // number of contacts for which `movers` and the islands are valid; 0: none
    int64_t contact_capacity; // of the arrays per contact
    int *parent;              // per node: sets of nodes that are joined
    int *number;              // per node that is a root: its island
    uint64_t *taken;          // per node: bits of the colours of its contacts
    int64_t node_capacity;    // of the arrays per node
    carom_arena *of_contacts, *of_nodes; // own these arrays
} carom_islands;

void carom_islands_release(carom_islands *islands);

// Finds the islands of a list, numbered by their first contacts. They depend only on the movable nodes of each contact, and are
// reused if these have not changed. False if memory is short.
bool carom_islands_find(carom_islands *islands, const carom_contact_solve *solve, const carom_rigid_bodies *rigid_bodies);

// The contacts of an island as a group to be solved.
carom_solve_group carom_islands_group(const carom_islands *islands, int i, bool shared);

#endif
