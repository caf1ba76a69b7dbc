// SPDX-License-Identifier: MIT
// Conformance of kinds written outside carom: what their tables promise is checked with the public headers and the installed
// library alone. Copy these two files into your own project. Each function prints what is wrong and returns how many faults it
// has found.
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <carom/carom.h>

// Stress is the derivative of the energy, the tangent that of the stress, by central differences: of the uniaxial law and of
// the one in three dimensions, as far as the material has them.
int conformance_material(carom_pick material);

// One element with its nodes near X: force and stiffness are derivatives of the energy, forces have no resultant, the stable
// step is at most 2/omega_max. For elements of positions alone, whose nodes are those of their cell. `material.kind` is NULL
// where the element needs none.
int conformance_element(carom_pick element, carom_pick material, const double (*X)[3]);

// Every claim of an integrator, on the free motion of a chain of bars with Green's strain.
int conformance_integrator(carom_pick integrator);

#endif
