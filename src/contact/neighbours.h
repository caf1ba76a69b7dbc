// SPDX-License-Identifier: MIT
// What may touch what in a step: contacts of fixed geometry (ends on a line, nodes at planes), then pairs of features of surfaces.
#ifndef CAROM_CONTACT_NEIGHBOURS_H
#define CAROM_CONTACT_NEIGHBOURS_H

#include "contact/broad_list.h"
#include "contact/law.h"
#include "contact/narrow.h"
#include "contact/response.h"

// They are numbered through: first the fixed ones, then the pairs.
typedef struct carom_neighbours {
    const carom_candidates *fixed;
    const carom_surface *surface;
    const carom_pair_list *pairs; // NULL: there are no surfaces
    const carom_contact_laws *laws;
    carom_narrow_layer layer; // its offset holds between different bodies
    double length;            // shortest side of the surface
} carom_neighbours;

int carom_neighbours_count(const carom_neighbours *neighbours);

static inline bool carom_neighbours_is_fixed(const carom_neighbours *neighbours, int i) {
    return i < neighbours->fixed->count;
}

// Kind of pair number p (not counting the fixed ones).
carom_narrow_kind carom_neighbours_kind(const carom_neighbours *neighbours, int p);

// The nodes of one of them; returns how many.
int carom_neighbours_nodes(const carom_neighbours *neighbours, int i, int node[4]);

// The pairs and fixed contacts of a node, in ascending order: calls for number j = 0, 1, ... until it returns -1.
int carom_neighbours_of_node(const carom_neighbours *neighbours, int node, int j);

// Positions b + t w and velocities w of the nodes of a pair, relative to its first node.
void carom_neighbours_place(const carom_neighbours *neighbours, int i, const double (*b)[3], const double (*w)[3], double t,
                            double x[4][3], double v[4][3]);

// The layer between the features of a pair: that of all, without an offset between parts of one body.
carom_narrow_layer carom_neighbours_layer(const carom_neighbours *neighbours, int i);

// The contact record of a pair, given its nearest points. Its gap is the distance less the offset of the layer; its bodies are in ascending order.
carom_contact carom_neighbours_record(const carom_neighbours *neighbours, int i, const carom_nearest *nearest);

// What happens between the two sides of a contact.
carom_contact_law carom_neighbours_law(const carom_neighbours *neighbours, const carom_contact *contact);

#endif
