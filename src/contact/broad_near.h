// SPDX-License-Identifier: MIT
// Whether two features can come near each other. The answer "no" is certain.
//
// Each node moves straight from x to x1. Two convex sets are apart by more than r if their projections on some direction d are;
// for straight motion it is enough that they are at both ends of it, with the same d. Any d is allowed, so a poor choice costs
// a needless "yes" and never a false "no"; the best one joins the two closest points.
#ifndef CAROM_CONTACT_BROAD_NEAR_H
#define CAROM_CONTACT_BROAD_NEAR_H

#include <stdbool.h>

// False if the two are farther apart than `reach` at all times. Node-face: node, three corners. Edge-edge: the ends of the one,
// of the other. Node-segment, in the x-y plane: node, two ends. `reach` must leave room for rounding: 1e-14 of the largest
// coordinate.
bool carom_near_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
bool carom_near_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
bool carom_near_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);

#endif
