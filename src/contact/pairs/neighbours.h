// SPDX-License-Identifier: MIT
// The contacts that are possible in a step: contacts of fixed geometry (ends on a line, nodes at planes), then pairs of
// features of surfaces (node and face, two edges, node and segment).
#ifndef CAROM_CONTACT_PAIRS_NEIGHBOURS_H
#define CAROM_CONTACT_PAIRS_NEIGHBOURS_H

#include <string.h>

#include "contact/broad/list.h"
#include "contact/law.h"
#include "contact/narrow/narrow.h"
#include "contact/response.h"

// Numbered consecutively: first the fixed contacts, then the pairs.
typedef struct carom_neighbours {
    const carom_candidates *fixed;
    const carom_surface *surface;
    const carom_pair_list *pairs; // NULL if there are no surfaces
    const carom_contact_laws *laws;
    carom_narrow_layer layer; // its offset is used between different bodies only
    double length;            // shortest side of the surface
} carom_neighbours;

static inline int carom_neighbours_count(const carom_neighbours *neighbours) {
    return neighbours->fixed->count + (neighbours->pairs ? neighbours->pairs->count : 0);
}

static inline bool carom_neighbours_is_fixed(const carom_neighbours *neighbours, int i) {
    return i < neighbours->fixed->count;
}

// Kind of pair number p (not counting the fixed ones).
static inline carom_narrow_kind carom_neighbours_kind(const carom_neighbours *neighbours, int p) {
    if (p >= neighbours->pairs->node_pair_count)
        return CAROM_NARROW_EDGE_EDGE;
    return neighbours->surface->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
}

// The nodes of contact i; returns their number.
static inline int carom_neighbours_nodes(const carom_neighbours *neighbours, int i, int node[4]) {
    if (carom_neighbours_is_fixed(neighbours, i)) {
        const carom_contact *contact = &neighbours->fixed->items[i];
        memcpy(node, contact->node, sizeof contact->node);
        return contact->count;
    }
    int p = i - neighbours->fixed->count;
    memcpy(node, neighbours->pairs->nodes[p], sizeof neighbours->pairs->nodes[p]);
    return neighbours->surface->corners == 2 ? 3 : 4;
}

// The contacts of a node in ascending order: call with j = 0, 1, ... until it returns -1.
static inline int carom_neighbours_of_node(const carom_neighbours *neighbours, int node, int j) {
    const carom_candidates *fixed = neighbours->fixed;
    int fixed_count = fixed->begin ? fixed->begin[node + 1] - fixed->begin[node] : 0;
    if (j < fixed_count)
        return fixed->of_node[fixed->begin[node] + j];
    const carom_pair_list *pairs = neighbours->pairs;
    j -= fixed_count;
    if (!pairs || j >= pairs->rows[node].end - pairs->rows[node].begin)
        return -1;
    return fixed->count + pairs->of_node[pairs->rows[node].begin + j];
}

// Positions b + t w and velocities w of the nodes of a pair, relative to its first node.
static inline void carom_neighbours_place(const carom_neighbours *neighbours, int i, const double (*b)[3], const double (*w)[3],
                                          double t, double x[4][3], double v[4][3]) {
    const int *node = neighbours->pairs->nodes[i - neighbours->fixed->count];
    int count = neighbours->surface->corners == 2 ? 3 : 4;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            v[k][c] = w[node[k]][c] - w[node[0]][c];
            x[k][c] = (b[node[k]][c] - b[node[0]][c]) + t * v[k][c];
        }
}

// The bodies of pair number p.
static inline void carom_neighbours_bodies(const carom_neighbours *neighbours, int p, int body[2]) {
    const int *node = neighbours->pairs->nodes[p];
    body[0] = neighbours->surface->node_body[node[0]];
    body[1] = neighbours->surface->node_body[node[carom_narrow_split(carom_neighbours_kind(neighbours, p))]];
}

// The layer of a pair: the common one, without offset between parts of one body.
static inline carom_narrow_layer carom_neighbours_layer(const carom_neighbours *neighbours, int i) {
    carom_narrow_layer layer = neighbours->layer;
    int body[2];
    carom_neighbours_bodies(neighbours, i - neighbours->fixed->count, body);
    if (body[0] == body[1])
        layer.offset = 0;
    return layer;
}

// The contact record of a pair, given its closest points. Its gap is the distance minus the offset of the
// layer; its bodies are in ascending order.
carom_contact carom_neighbours_record(const carom_neighbours *neighbours, int i, const carom_nearest *nearest);

// The contact law between the two sides of a contact.
carom_contact_law carom_neighbours_law(const carom_neighbours *neighbours, const carom_contact *contact);
// Its coefficient of friction at the velocities v.
double carom_neighbours_friction(const carom_neighbours *neighbours, const carom_contact *contact, const double (*v)[3]);

#endif
