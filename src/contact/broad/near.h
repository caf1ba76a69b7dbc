// SPDX-License-Identifier: MIT
// How near two features can come to each other: a certain lower bound.
//
// Each node moves straight from x to x1. Two convex sets are farther apart than r if their projections onto
// some direction d are; for straight motion it is sufficient that they are at both ends, with the same d.
// Any d is valid, so a poor choice gives a needlessly small bound and never a wrong one; the best one joins
// the two closest points.
#ifndef CAROM_CONTACT_BROAD_NEAR_H
#define CAROM_CONTACT_BROAD_NEAR_H

// The features are at all times at least as far apart as the result. If that exceeds `reach` it may be any
// bound above it, so a larger reach costs more. Node-face: node, three corners. Edge-edge: the ends of
// both. Node-segment, in the x-y plane: node, two ends. Rounding is not included: 1e-14 of the largest
// coordinate.
double carom_near_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);

// The same for features with a bound of their distance that is known, that of their boxes: the closest points alone are left.
double carom_nearer_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);
double carom_nearer_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);
double carom_nearer_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);

#endif
