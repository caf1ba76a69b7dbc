// SPDX-License-Identifier: MIT
#include "contact/projection.h"

bool carom_projection_run(const carom_contact *contact, carom_mobility mobility, double (*x)[3]) {
    double gap = carom_contact_gap(contact, (const double(*)[3])x);
    if (!(gap < 0))
        return false;
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    if (!(softness > 0))
        return false;

    // a displacement distributes over the nodes like an impulse
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = -gap / softness * contact->normal[i];
    carom_contact_push(contact, mobility, d, x);
    return true;
}
