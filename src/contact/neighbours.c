// SPDX-License-Identifier: MIT
#include "contact/neighbours.h"

#include <string.h>

#include "math/vec3.h"

int carom_neighbours_count(const carom_neighbours *neighbours) {
    return neighbours->fixed->count + (neighbours->pairs ? neighbours->pairs->count : 0);
}

carom_narrow_kind carom_neighbours_kind(const carom_neighbours *neighbours, int p) {
    if (p >= neighbours->pairs->node_pair_count)
        return CAROM_NARROW_EDGE_EDGE;
    return neighbours->surface->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
}

int carom_neighbours_nodes(const carom_neighbours *neighbours, int i, int node[4]) {
    if (carom_neighbours_is_fixed(neighbours, i)) {
        const carom_contact *contact = &neighbours->fixed->items[i];
        memcpy(node, contact->node, sizeof contact->node);
        return contact->count;
    }
    int p = i - neighbours->fixed->count;
    memcpy(node, neighbours->pairs->nodes[p], sizeof neighbours->pairs->nodes[p]);
    return neighbours->surface->corners == 2 ? 3 : 4;
}

int carom_neighbours_of_node(const carom_neighbours *neighbours, int node, int j) {
    const carom_candidates *fixed = neighbours->fixed;
    int fixed_count = fixed->begin ? fixed->begin[node + 1] - fixed->begin[node] : 0;
    if (j < fixed_count)
        return fixed->of_node[fixed->begin[node] + j];
    const carom_pair_list *pairs = neighbours->pairs;
    j -= fixed_count;
    if (!pairs || j >= pairs->begin[node + 1] - pairs->begin[node])
        return -1;
    return fixed->count + pairs->of_node[pairs->begin[node] + j];
}

void carom_neighbours_place(const carom_neighbours *neighbours, int i, const double (*b)[3], const double (*w)[3], double t,
                            double x[4][3], double v[4][3]) {
    const int *node = neighbours->pairs->nodes[i - neighbours->fixed->count];
    int count = neighbours->surface->corners == 2 ? 3 : 4;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            v[k][c] = w[node[k]][c] - w[node[0]][c];
            x[k][c] = (b[node[k]][c] - b[node[0]][c]) + t * v[k][c];
        }
}

// The bodies of pair number p.
static void bodies_of(const carom_neighbours *neighbours, int p, int body[2]) {
    const int *node = neighbours->pairs->nodes[p];
    body[0] = neighbours->surface->node_body[node[0]];
    body[1] = neighbours->surface->node_body[node[carom_narrow_split(carom_neighbours_kind(neighbours, p))]];
}

carom_narrow_layer carom_neighbours_layer(const carom_neighbours *neighbours, int i) {
    carom_narrow_layer layer = neighbours->layer;
    int body[2];
    bodies_of(neighbours, i - neighbours->fixed->count, body);
    if (body[0] == body[1])
        layer.offset = 0;
    return layer;
}

carom_contact carom_neighbours_record(const carom_neighbours *neighbours, int i, const carom_nearest *nearest) {
    int p = i - neighbours->fixed->count;
    const int *node = neighbours->pairs->nodes[p];
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, p);
    static const carom_contact_kind kinds[] = {
        [CAROM_NARROW_NODE_FACE] = CAROM_CONTACT_NODE_FACE,
        [CAROM_NARROW_EDGE_EDGE] = CAROM_CONTACT_EDGE_EDGE,
        [CAROM_NARROW_NODE_SEGMENT] = CAROM_CONTACT_NODE_SEGMENT,
    };
    carom_contact contact = {.kind = kinds[kind], .count = carom_narrow_count(kind)};
    int body[2];
    bodies_of(neighbours, p, body);
    int first = body[0], second = body[1];
    if (first != second)
        contact.offset = neighbours->layer.offset;

    // the normal leads from the first body to the second
    bool turn = first < second;
    contact.body[0] = turn ? first : second;
    contact.body[1] = turn ? second : first;
    for (int k = 0; k < contact.count; k++) {
        contact.node[k] = node[k];
        contact.weight[k] = turn ? -nearest->weight[k] : nearest->weight[k];
    }
    for (int c = 0; c < 3; c++)
        contact.normal[c] = turn ? -nearest->normal[c] : nearest->normal[c];
    return contact;
}

carom_contact_law carom_neighbours_law(const carom_neighbours *neighbours, const carom_contact *contact) {
    return carom_contact_law_of(neighbours->laws, contact->body);
}
