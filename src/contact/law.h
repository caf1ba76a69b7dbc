// SPDX-License-Identifier: MIT
// The coefficients of restitution and friction, for all bodies or for a pair of them: a table and its lookup, and the friction
// of a contact that slides. Coulomb's cone is in cone.h.
#ifndef CAROM_CONTACT_LAW_H
#define CAROM_CONTACT_LAW_H

#include "carom/contact.h"

// Parameters of contact between two surfaces.
typedef struct carom_contact_law {
    double restitution;
    double friction;       // Coulomb's coefficient; at rest, if it varies
    double kinetic, decay; // coefficient of fast sliding, and rate of the fall, 1/speed; decay 0: constant friction
    bool no_contact;       // the pair is excluded from contact: the bodies pass through each other
} carom_contact_law;

// An exception: two bodies (planes as -1 - p), the smaller number first.
typedef struct carom_contact_exception {
    int body[2];
    carom_contact_law law;
} carom_contact_exception;

typedef struct carom_contact_laws {
    carom_contact_law general;
    int count;
    const carom_contact_exception *exceptions; // ascending by their bodies
} carom_contact_laws;

// The law between two sides, in either order.
carom_contact_law carom_contact_law_of(const carom_contact_laws *laws, const int body[2]);

// True if friction depends on the slip speed, so that callers must find one.
bool carom_contact_law_varies(const carom_contact_law *law);

// Coulomb's coefficient at a slip speed >= 0; and for a contact whose nodes have the velocities v.
double carom_contact_law_friction(const carom_contact_law *law, double speed);
double carom_contact_friction(const carom_contact_law *law, const carom_contact *contact, const double (*v)[3]);

#endif
