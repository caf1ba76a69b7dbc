// SPDX-License-Identifier: MIT
// The velocity update with Coulomb's law: impulses at the end of a step that return the energy which the normal contact forces
// have removed (velocity_update.h), with friction (docs/theory/energy_momentum.md).
//
// An impulse of the update is an impulse of contact: its normal part returns the energy that the normal tractions of the step
// have removed, its tangential part obeys Coulomb's law and dissipates by friction. Point l exerts k_l F_l and, against its
// slip, q_l T_l, where F_l and T_l are its normal and tangential force over the length h of the step:
//
//     v+ = v- + sum (k_l F_l - q_l T_l)/m
//     k_l F_l.(v- + v+)/2 + c_l = 0,   k_l >= 0
//     |h + q_l| <= p_l (h + k_l),      p_l = mu t_N/|t_T| >= 1
//
// (h + k) t_N and (h + q) t_T are the impulses of step and update together. They reach the cone only if the point continues to
// slip: h + q = p (h + k) if T.v+ > 0, its negative if T.v+ < 0, and T.v+ = 0 between.
#ifndef CAROM_CONTACT_QUADRATURE_COULOMB_UPDATE_H
#define CAROM_CONTACT_QUADRATURE_COULOMB_UPDATE_H

#include "contact/quadrature/velocity_update.h"

// The friction of a point.
typedef struct carom_update_slip {
    const double (*force)[3]; // T_l, on the nodes of the point; ignored if cone is 0
    double cone;              // p_l; 0: no friction acts
    double taken;             // energy dissipated by friction in the step, >= 0
    double factor;            // receives q_l, a time
    double work;              // receives the energy dissipated by friction in the update; taken + work >= 0
    bool slips;               // receives whether step and update together are on the cone
} carom_update_slip;

// Finds the factors of points (of which `force` is F_l) and slips at the velocities v-, for a step of length h. *left as in
// carom_velocity_update. Slip is relative to prescribed velocities. Velocities are not changed. CAROM_NUMERICAL if normal and
// tangential impulses do not converge; the factors are then the last ones, and their energies are correct nevertheless.
carom_status carom_coulomb_update(carom_update_point *points, carom_update_slip *slips, int count, carom_mobility mobility,
                                  const double (*v)[3], int node_count, double h, double *left, carom_error *error);

#endif
