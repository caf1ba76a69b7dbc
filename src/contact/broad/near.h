// SPDX-License-Identifier: MIT
// A guaranteed lower bound of the distance of two features (node and face, two edges, node and segment) in straight motion.
//
// Each node moves straight from x to x1. The distance of two convex sets exceeds r if that of their projections onto
// some direction d does; for straight motion it is sufficient that it does at both ends, with the same d.
// Any d is valid, so a poor choice gives a needlessly small bound and never a wrong one; the best one joins
// the two closest points.
#ifndef CAROM_CONTACT_BROAD_NEAR_H
#define CAROM_CONTACT_BROAD_NEAR_H

// A lower bound of the distance of the features during the whole motion. If the bound exceeds `reach` it is not
// improved further, so a larger reach costs more. Node-face: node, three corners. Edge-edge: the ends of
// both. Node-segment, in the x-y plane: node, two ends. Rounding is not included: 1e-14 of the largest
// coordinate.
double carom_near_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);
double carom_near_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach);

// The same for features with a known bound `gap`, that of their boxes: only the closest points are evaluated.
double carom_nearer_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);
double carom_nearer_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);
double carom_nearer_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap);

#endif
