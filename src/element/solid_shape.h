// SPDX-License-Identifier: MIT
// Shape functions of solids, for the processor and for devices; C and C++.
#ifndef CAROM_ELEMENT_SOLID_SHAPE_H
#define CAROM_ELEMENT_SOLID_SHAPE_H

enum { CAROM_SOLID_NODES = 8, CAROM_SOLID_POINTS = 8 };

// Shape functions of an element at its quadrature points, and their derivatives with respect to its natural coordinates.
typedef struct carom_solid_shape {
    int dimension; // 2 or 3
    int node_count;
    int point_count;
    double weight[CAROM_SOLID_POINTS];
    double N[CAROM_SOLID_POINTS][CAROM_SOLID_NODES];
    double dN[CAROM_SOLID_POINTS][CAROM_SOLID_NODES][3];
} carom_solid_shape;

#endif
