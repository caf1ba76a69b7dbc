// SPDX-License-Identifier: MIT
// Turns the closest points of a pair of features into a contact record, in the form that response.c and the energy ledger
// expect (docs/theory/collision.md).
#include "contact/pairs/neighbours.h"

#include <string.h>

#include "math/vec3.h"

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
    carom_neighbours_bodies(neighbours, p, body);
    int first = body[0], second = body[1];
    // surfaces of one body touch at distance zero; different bodies keep the offset
    if (first != second)
        contact.offset = neighbours->layer.offset;

    // the normal points from the first body to the second, and the first one has the smaller index
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

double carom_neighbours_friction(const carom_neighbours *neighbours, const carom_contact *contact, const double (*v)[3]) {
    carom_contact_law law = carom_neighbours_law(neighbours, contact);
    return carom_contact_friction(&law, contact, v);
}
