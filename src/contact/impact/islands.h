// SPDX-License-Identifier: MIT
// Islands of contacts: those that can feel each other's impulses, through nodes that move.
//
// An island is solved as if there were no others, so islands have no order and threads share them. Inside, contacts are
// coloured: in the order of the list each takes the least colour that no earlier one with a common node has. Contacts are
// solved by colour, then in the order of the list, whoever solves them.
#ifndef CAROM_CONTACT_IMPACT_ISLANDS_H
#define CAROM_CONTACT_IMPACT_ISLANDS_H

#include <stdint.h>

#include "contact/impact/contact_solve.h"

// Start from {0}. Obstacles, nodes that do not move, join nothing.
typedef struct carom_islands {
    int count;
    int *begin;               // per island: its contacts are order[begin[i]] to before that of i + 1
    int *order;               // numbers of contacts
    int *first;               // per island: where its colours begin in `colours`
    int *colours;             // per island: the place of each colour in its part of the order, and where the last one ends
    int *island;              // per contact
    int *colour;              // per contact
    int *by_colour;           // contacts in the order of their colours
    int *owner;               // per island, for the caller: the process that solves it
    double (*rubbed)[2];      // likewise: what friction took from contacts of rigid bodies, and what it gave to others
    int64_t *load;            // per process, likewise
    int (*movers)[4];         // per contact: what its nodes that move stand for (islands.c), then -1
    int noted;                // contacts whose movers these are, and the islands are theirs; 0: none
    int64_t contact_capacity; // of contacts
    int *parent;              // per node: sets of nodes that are joined
    int *number;              // per node that is a root: its island
    uint64_t *taken;          // per node: bits of the colours of its contacts
    int64_t node_capacity;    // room of nodes
    carom_arena *of_contacts, *of_nodes; // have these arrays
} carom_islands;

void carom_islands_release(carom_islands *islands);

// Finds the islands of a list, numbered by their first contacts. They depend on nothing but what moves at each contact, and are
// kept if that is what it was the last time. False if memory is short.
bool carom_islands_find(carom_islands *islands, const carom_contact_solve *solve, const carom_rigid_bodies *rigid_bodies);

// The contacts of an island as a group to be solved.
carom_solve_group carom_islands_group(const carom_islands *islands, int i, bool shared);

#endif
