// SPDX-License-Identifier: MIT
// An integrator, an element, a material and a mesh generator that are no part of carom.
#ifndef OWN_H
#define OWN_H

#include <carom/carom.h>

// `own-leapfrog`: explicit Newmark, written with carom's kicks and drifts; no parameters.
extern const carom_integrator own_leapfrog;

// `own-spring`: two nodes, E = k (r - r0)^2/2 with the distance r0 of the start.
typedef struct own_spring_params {
    double stiffness; // mass / time^2
    double mass;      // of each end
} own_spring_params;

extern const carom_element own_spring;

// `own-hardening`: uniaxial, stress E e + B e^3.
typedef struct own_hardening_params {
    double young;   // mass / (length time^2)
    double cubic;   // mass / (length time^2)
    double density; // mass / length^3
} own_hardening_params;

extern const carom_material own_hardening;

// `own-zigzag`: a row of line cells along z, in turns to the left and to the right. Sets: start, end.
typedef struct own_zigzag_params {
    double from[3]; // length
    double size;    // length of a cell along z and of the turn along x
    int elements;
} own_zigzag_params;

extern const carom_generator own_zigzag;

#endif
