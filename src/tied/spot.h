// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// A point of a solid, or one outside that moves with it, as a weighted sum of its nodes.
#ifndef CAROM_TIED_SPOT_H
#define CAROM_TIED_SPOT_H

#include "carom/mesh.h"

// Writes the weights of all nodes of a mesh for the position of `meet`, which moves with the cells around `point`: the
// interpolated position of the point and, times the distance, the mean gradient in the cells that contain it, by volume. The
// weights sum up to 1 and reproduce `meet`; those that are zero up to rounding are zero. Returns how far the point is outside
// of the nearest cell, as a fraction of the cell; HUGE_VAL, without weights, if it is far from all solid cells.
double carom_spot_weights(const carom_mesh *mesh, const double (*X)[3], const double point[3], const double meet[3],
                          double *weights);

#endif
