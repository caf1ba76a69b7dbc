// SPDX-License-Identifier: MIT
// Nearest points of surfaces instead of features: a pair whose nearest point is on the border of a face counts as a contact
// only if the surface beyond this border has no smaller distance.
#ifndef CAROM_CONTACT_IMPACT_NEAREST_FEATURE_H
#define CAROM_CONTACT_IMPACT_NEAREST_FEATURE_H

#include "contact/narrow/narrow.h"
#include "contact/surface.h"

// For a node against a face whose nearest point, with its weights in `nearest`, lies on the border of the face. True if no face
// around that point, and none around the node, leads to a smaller distance, up to an angle of a thousandth. False for a node
// above a smooth surface against the edges in it; true for a node near a sharp edge or corner.
bool carom_surface_node_is_nearest(const carom_surface *surface, const double (*x)[3], int node, int face,
                                   const carom_nearest *nearest);

// For a node above the interior of a face. True if a face around the node continues towards that face, at less than 30 degrees
// from the direction to the nearest point. Then other features of the two surfaces are nearer. An example is a node of a flat
// floor and the front of a block that slides towards it and will slide over it.
bool carom_surface_continues(const carom_surface *surface, const double (*x)[3], int node, int face,
                             const carom_nearest *nearest);

// For two edges whose nearest points lie inside both. True if no face of either leads to a smaller distance, up to an angle of
// 3 degrees: sharp edges, and edges in two surfaces that lie on each other. False for an edge that recedes from the contact.
bool carom_surface_edges_are_nearest(const carom_surface *surface, const double (*x)[3], const int edges[2],
                                     const carom_nearest *nearest);

#endif
