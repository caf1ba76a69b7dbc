// SPDX-License-Identifier: MIT
// Nodes that have gone deep into another body.
#ifndef CAROM_CONTACT_PAIRS_PASSED_H
#define CAROM_CONTACT_PAIRS_PASSED_H

#include "contact/pairs/audit.h"

typedef struct carom_passed {
    double depth; // distance of the node from the surface of the body that it is inside of; 0: there is no such node
    int node;     // -1: none
    int body;     // that it is inside of
    double part;  // of the smaller length of the two bodies
} carom_passed;

// The node deepest inside another body at the positions x, measured by the smaller `length` of the two bodies, among the nodes
// of faces that intersected at the last look (carom_surface_intersections, at the same positions) and those of bars and point
// masses. Depths of up to `beyond` such lengths do not count, and cost next to nothing.
carom_passed carom_surface_passed(const carom_audit *audit, const double *length, double beyond, const double (*x)[3]);

#endif
