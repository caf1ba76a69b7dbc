// SPDX-License-Identifier: MIT
// When do two features in straight flight come too close? Never an answer that is too late.
#ifndef CAROM_CONTACT_APPROACH_H
#define CAROM_CONTACT_APPROACH_H

#include "contact/closest.h"

// The layer around every surface in which contact acts, and what is slow inside it.
typedef struct carom_layer {
    double thickness; // length: features closer than this are in contact
    double slow;      // speed: within the layer, features that close more slowly are left alone
} carom_layer;

// Features whose closest points lie inside both of them act on each other within the layer. Others (a node that passes the border of a face, parallel
// edges, corners) only in its lowest part, so that a node that slides over a surface does not stumble over the edges in it.
#define CAROM_LAYER_LOWEST (1.0 / 16)

// Corners at x + t v, 0 <= t <= end. Returns true if the features come into contact, at *time or, within 5 % of the layer, later: never
// earlier than *time. Until then their distance is positive. The closest points at that time are written to *closest; they close.
bool carom_approach_first(carom_contact_kind kind, const double x[4][3], const double v[4][3], double end, carom_layer layer,
                          double *time, carom_closest *closest);

#endif
