// SPDX-License-Identifier: MIT
// How near two features can come to each other: a lower bound that is certain.
//
// Each node moves straight from x to x1. Two convex sets are apart by more than r if their projections on some direction d are;
// for straight motion it is enough that they are at both ends of it, with the same d. Any d is allowed, so a poor choice costs
// a needlessly small bound and never a wrong one; the best one joins the two closest points.
#ifndef CAROM_CONTACT_BROAD_NEAR_H
#define CAROM_CONTACT_BROAD_NEAR_H

// The two are farther apart than the result at all times, or just so far. If that is more than `reach` it may be any bound above it, so a larger
// reach costs more. Node-face: node, three corners. Edge-edge: the ends of the one, of the other. Node-segment, in the x-y plane:
// node, two ends. Rounding is not accounted for: 1e-14 of the largest coordinate.
double carom_near_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);

#endif
