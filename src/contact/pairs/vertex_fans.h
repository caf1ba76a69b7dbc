// SPDX-License-Identifier: MIT
// The stars of a surface: the faces around each vertex, and whether they are unfolded in a configuration (no two of them meet
// except at common nodes and edges).
#ifndef CAROM_CONTACT_PAIRS_VERTEX_FANS_H
#define CAROM_CONTACT_PAIRS_VERTEX_FANS_H

#include "contact/surface.h"

// Start from {0}. The surface is kept by reference.
typedef struct carom_stars {
    const carom_surface *surface;
    int *ring; // the nodes around each vertex in order, one more than it has faces; begins with -1 if they form no single fan
    bool *unfolded; // per node: no two of its faces meet except at common nodes and edges
} carom_stars;

carom_status carom_stars_create(const carom_surface *surface, carom_stars *stars, carom_error *error);
void carom_stars_release(carom_stars *stars);

// Sets `unfolded` for the positions x; true only if it is certain: rounding is far below the margins.
void carom_stars_examine(carom_stars *stars, const double (*x)[3]);

#endif
