// SPDX-License-Identifier: MIT
// Finds the node that has penetrated deepest into another body, which distinguishes a small overlap from passing through.
#ifndef CAROM_CONTACT_PAIRS_PASSED_H
#define CAROM_CONTACT_PAIRS_PASSED_H

#include "contact/pairs/audit.h"

typedef struct carom_passed {
    double depth; // distance of the node from the surface of the body that encloses it; 0: there is no such node
    int node;     // -1: none
    int body;     // the body that encloses it
    double part;  // depth over the smaller length of the two bodies
} carom_passed;

// Finds the node with the largest depth inside another body at the positions x, which are those of the last
// carom_surface_intersections, relative to the smaller `length` of the two bodies. Relative depths up to `beyond` are ignored,
// at little cost.
carom_status carom_surface_passed(const carom_audit *audit, const double *length, double beyond, const double (*x)[3],
                                  carom_passed *passed, carom_error *error);

#endif
