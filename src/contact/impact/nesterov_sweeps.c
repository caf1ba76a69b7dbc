// SPDX-License-Identifier: MIT
// Accelerates the Gauss-Seidel sweeps over contacts of rigid bodies by extrapolation (nesterov_sweeps.h; docs/theory/rest.md).
// Gauss-Seidel transmits the weight of a body from contact to contact, and the error of a stack of n bodies falls by the factor
// 1 - O(1/n^2) per sweep. Nesterov's extrapolation makes that 1 - O(1/n). With the impulses P_k after sweep k,
//
//     P_k = sweep(Q_k),   Q_k+1 = P_k + beta_k (P_k - P_k-1),
//     beta_k = theta_k (1 - theta_k)/(theta_k^2 + theta_k+1),   theta_k+1^2 = (1 - theta_k+1) theta_k^2,   theta_0 = 1,
//
// where Q is projected on lambda >= 0 and the friction cones. The sequence eventually overshoots, so it restarts with theta = 1
// and beta = 0 when a sweep reverses the last change, (P_k - Q_k).(P_k - P_k-1) < 0 (O'Donoghue and Candes, Found. Comput.
// Math. 15, 2015, 715). Each product is weighted by the softness of its contact, so the sums have the unit of an energy. A
// solve ends with a sweep, never with an extrapolation, so it accepts only what plain sweeps would accept.
#include "contact/impact/nesterov_sweeps.h"

#include <math.h>

#include "math/vec3.h"

static void impulses_of(const carom_swept_contact *one, double P[4]) {
    P[0] = one->impulse;
    carom_copy(one->tangential, P + 1);
}

void carom_nesterov_start(const carom_swept_contact *one, carom_nesterov_contact *accelerated) {
    impulses_of(one, accelerated->sweep_start);
    impulses_of(one, accelerated->last);
}

void carom_nesterov_update(const carom_swept_contact *swept, const carom_nesterov_contact *accelerated, int count,
                           carom_nesterov_state *nesterov) {
    double onward = 0, theta = nesterov->theta;
    for (int i = 0; i < count; i++) {
        double P[4];
        impulses_of(&swept[i], P);
        for (int k = 0; k < 4; k++)
            onward += (k ? swept[i].plain.softest : swept[i].plain.softness) * (P[k] - accelerated[i].sweep_start[k]) *
                      (P[k] - accelerated[i].last[k]);
    }
    double next = 0.5 * theta * (sqrt(theta * theta + 4) - theta);
    nesterov->beta = onward < 0 ? 0 : theta * (1 - theta) / (theta * theta + next);
    nesterov->theta = onward < 0 ? 1 : next;
}

bool carom_nesterov_extrapolate(carom_swept_contact *one, carom_nesterov_contact *accelerated, double beta, double more[3]) {
    double P[4], Q[4];
    impulses_of(one, P);
    for (int k = 0; k < 4; k++)
        Q[k] = P[k] + beta * (P[k] - accelerated->last[k]);
    Q[0] = fmax(0, Q[0]);
    carom_cone_cut(Q + 1, one->plain.friction * Q[0]);
    for (int k = 0; k < 3; k++)
        more[k] = (Q[0] - P[0]) * one->plain.normal[k] + Q[1 + k] - P[1 + k];
    one->impulse = Q[0];
    carom_copy(Q + 1, one->tangential);
    for (int k = 0; k < 4; k++) {
        accelerated->last[k] = P[k];
        accelerated->sweep_start[k] = Q[k];
    }
    return more[0] != 0 || more[1] != 0 || more[2] != 0;
}
