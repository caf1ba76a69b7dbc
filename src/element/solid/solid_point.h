// SPDX-License-Identifier: MIT
// One quadrature point of an isoparametric solid.
#ifndef CAROM_ELEMENT_SOLID_SOLID_POINT_H
#define CAROM_ELEMENT_SOLID_SOLID_POINT_H

#include "element/solid.h"

typedef struct carom_solid_point {
    double g[CAROM_SOLID_NODES][3]; // gradients of the shape functions, dN_a/dX
    double volume;                  // weight of the point; negative in an inverted element
} carom_solid_point;

carom_solid_point carom_solid_point_of(const carom_solid_shape *shape, const carom_block *block, const int *nodes, int q,
                                       const double (*X)[3]);

// Only the volume of the point, with the same bits.
double carom_solid_volume_at(const carom_solid_shape *shape, const carom_block *block, const int *nodes, int q,
                             const double (*X)[3]);

// Volume and mean gradients of the whole element.
carom_solid_point carom_solid_mean_point(const carom_solid_shape *shape, const carom_block *block, const int *nodes,
                                         const double (*X)[3]);

// True for an element that evaluates its law at the mean point only: hex8 with one-point integration.
bool carom_solid_is_one_point(const carom_block *block);

// The deformation gradient at a point; F_33 of a plane element is 1 here.
void carom_solid_deformation(const carom_solid_shape *shape, const int *nodes, const carom_solid_point *p, const double (*x)[3],
                             const double (*X)[3], double F[9]);

// Where a law is evaluated: point q of element e, and the volume that weights its losses.
typedef struct carom_solid_spot {
    int e, q;
    double volume;
} carom_solid_spot;

// Energy, and stress and tangent if not NULL, of the law of the block in three dimensions, or of its plane form with tensors in
// three dimensions; F_33 of plane stress is set.
double carom_solid_law(const carom_solid_shape *shape, const carom_block *block, carom_solid_spot spot, double F[9],
                       double P[9], double A[81]);

// The number of points of a solid whose law has history, and their form (carom_element.points).
int carom_solid_points(const carom_block *block, carom_point_form *form);

// Adds Cauchy stress and Green's strain (xx, yy, zz, xy, yz, xz) of a point, times its volume.
void carom_solid_add_tensors(const carom_block *block, double volume, const double F[9], const double P[9], double stress[6],
                             double strain[6]);

// Numbers per element in batches of tensors: six components of stress, then six of strain.
enum { CAROM_SOLID_TENSORS = 12 };
// Means of stress and strain over each element of the range, in batches that begin with `begin`, a multiple of CAROM_LANES.
carom_element_values carom_solid_tensors;
// Stores the tensors of one element or point as number i of the batches.
void carom_solid_put_tensors(int i, const double stress[6], const double strain[6], double *tensors);
// The fields CAROM_SOLID_FIELDS of numbers i in [from, to): values[f][(i - from) * components + c] if values[f] is not NULL.
void carom_solid_show(const double *tensors, int from, int to, double *const values[]);

// Measures of carom_solid_turns at the mean gradient of an element: |axial vector of (F - F^T)/2|, which is the sine of the
// angle in a pure rotation; |F|; and the sum of |g_a| over the nodes.
enum { CAROM_TURN_SINE, CAROM_TURN_NORM, CAROM_TURN_SLOPE, CAROM_TURN_MEASURES };
// In batches that begin with `begin`, a multiple of CAROM_LANES.
carom_element_values carom_solid_turns;

// Adds the stiffness V g_aJ A_iJkL g_bL of one point with tangent A to a matrix of size 3 n or 3 node_count.
void carom_points_add_stiffness(int n, double volume, const double (*g)[3], const double A[81], double *K);
void carom_solid_add_stiffness(const carom_solid_shape *shape, const carom_solid_point *p, const double A[81], double *K);

#endif
