// SPDX-License-Identifier: MIT
// The coefficients of restitution and friction, for all bodies or for a pair of them: a table and its lookup. The laws that use
// them, Coulomb's and Newton's, are in response.c, impact/contact_solve.c, impact/repay.c, cones and quadrature.
#ifndef CAROM_CONTACT_LAW_H
#define CAROM_CONTACT_LAW_H

#include <stdbool.h>

// What happens when two surfaces meet.
typedef struct carom_contact_law {
    double restitution;
    double friction;
    bool apart; // they do not touch at all
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

#endif
