// SPDX-License-Identifier: MIT
// Is a border of a face where two surfaces are nearest to each other, or does the surface go on beyond it and come nearer still?
#ifndef CAROM_CONTACT_IMPACT_NEAREST_FEATURE_H
#define CAROM_CONTACT_IMPACT_NEAREST_FEATURE_H

#include "contact/narrow/narrow.h"
#include "contact/surface.h"

// For a node against a face whose nearest point lies on the border of the face (weights of that point in `nearest`): true if no face around that
// point, and none around the node, leads to where the two surfaces are nearer, up to an angle of a thousandth. A node above a
// smooth surface is never so against the edges in it; a node near a sharp edge or corner is.
bool carom_surface_is_exposed(const carom_surface *surface, const double (*x)[3], int node, int face,
                              const carom_nearest *nearest);

// For a node above the inside of a face, nearest->normal from the one to the other: true if a face around the node runs on towards that face, at less than 30 degrees from
// the straight way. The surfaces are then nearer elsewhere, however near the two are: so it is with a node of a flat floor and the front of a block that slides
// towards it, and will slide over it.
bool carom_surface_runs_on(const carom_surface *surface, const double (*x)[3], int node, int face,
                           const carom_nearest *nearest);

// For two edges whose nearest points lie inside both: true if no face of either leads to where the surfaces are nearer, up to an angle of
// 3 degrees. So it is with sharp edges, and with edges in two surfaces that lie on each other; not with an edge that rises from the
// place of contact.
bool carom_surface_edges_are_exposed(const carom_surface *surface, const double (*x)[3], const int edges[2],
                                     const carom_nearest *nearest);

#endif
