// SPDX-License-Identifier: MIT
// The running maxima of a run: the largest errors of the ledger, and the scales that they are compared with.
#ifndef CAROM_SIM_RUNNING_MAXIMA_H
#define CAROM_SIM_RUNNING_MAXIMA_H

#include "carom/run.h"

// Plain numbers, kept in a checkpoint as they are.
typedef struct carom_tally {
    int64_t row_step;       // step of the last row, -1 if there is none
    carom_ledger_row first; // the row at the start
    double residual, energy_scale;
    double momentum, momentum_scale; // of p - p(0) - impulse from outside
    double angular_momentum, angular_momentum_scale;
    double conserved[2]; // largest change of a component that must be kept, linear and angular
    double penetration;
    double last_residual; // of the last row
    int64_t audit_step;   // step of the last audit, -1 if there is none
    int64_t audits, intersections;
    double distance; // smallest between two bodies
} carom_tally;

carom_tally carom_tally_start(void);
// Adds the row of the present step. `equilibrium`: loads set nothing in motion (carom_integrator).
void carom_tally_row(carom_tally *tally, const carom_state *state, const carom_ledger_row *row, bool equilibrium);
// Adds an audit of the present step: pairs of faces that intersect, distance of bodies.
void carom_tally_audit(carom_tally *tally, const carom_state *state, int64_t intersections, double distance);
// Error over scale; 0 if there is no error.
double carom_tally_share(double error, double scale);
// Fills the errors and scales of a summary.
void carom_tally_report(const carom_tally *tally, carom_summary *summary);

#endif
