// SPDX-License-Identifier: MIT
// What kicks and drifts report to the energy ledger: forces with and without a potential, the oscillation of leapfrog (the
// known difference between the energy and that which it conserves), and audits of the accounts (energy errors of bounces that
// have not been repaid yet).
#include <math.h>
#include <string.h>

#include "integrator/kick_drift.h"
#include "integrator/stepper.h"
#include "math/exact.h"
#include "model/collective.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// Steps between two audits of the accounts. Counted from the start of the run, so that neither output nor restarts matter.
enum { AUDIT_STEPS = 64 };

void carom_kick_drift_other(const carom_newmark_kick *kick, int node, bool kicked, double force[3]) {
    force[0] = force[1] = force[2] = 0;
    if (kick->model->live.count)
        carom_add_scaled(1, kick->live[node], force);
    if (kick->drag && kicked)
        carom_add_scaled(1, kick->drag[node], force);
    if (kick->viscous)
        carom_add_scaled(1, kick->viscous[node], force);
}

void carom_kick_drift_conservative(const carom_newmark_kick *kick, int node, bool kicked, double force[3]) {
    double other[3];
    carom_kick_drift_other(kick, node, kicked, other);
    carom_difference(kick->force[node], other, force);
}

typedef struct oscillating {
    const carom_newmark_kick *kick;
    const carom_state *state;
} oscillating;

static void add_oscillation(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_newmark_kick *kick = ((const oscillating *)context)->kick;
    const carom_state *state = ((const oscillating *)context)->state;
    for (int k = begin; k < end; k++) {
        double force[3], m = kick->model->mass[k], sum = 0;
        carom_kick_drift_conservative(kick, k, true, force);
        for (int i = 0; i < 3; i++) {
            double v = state->v[k][i], w = kick->w[k][i];
            sum += 0.5 * m * (v * v - w * w) + 0.5 * kick->step * w * force[i];
        }
        terms[0][k - begin] = sum;
    }
}

// The energy at the time of a kick less the energy that leapfrog conserves. With w the velocity after the kick and h the length
// of the drift to come, the latter is
//     V + (1/2) sum m w.(w - h M^-1 f),
// exactly for linear forces f. Every other impulse I of the kick, of contact, restraints, live loads or damping, changes it by
// I.(w- + w+)/2, which is what the ledger records for it. So it is in balance with all that is recorded, whereas the energy of
// the row is in balance with the recorded amounts less the pending ones.
double carom_kick_drift_leap_oscillation(carom_kick_drift *nodes, const carom_state *state) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    double *noted = nodes->oscillation;
    // The forces of the kick cannot be recomputed exactly: viscous branches have relaxed since, drag and stiffness damping
    // belong to earlier velocities, and adding and subtracting them leaves rounding in the others.
    if (nodes->forces_time != state->time && noted[CAROM_OSCILLATION_TIME] == state->time)
        return noted[CAROM_OSCILLATION_NOTED] + carom_ledger_pending(state);
    if (nodes->forces_time != state->time) {
        // a state that was read from a file
        carom_newmark_kick_find_forces(kick, state, state->time, CAROM_USE_READ);
        nodes->forces_time = state->time;
        if (kick->drag)
            memset(kick->drag, 0, (size_t)model->node_count * sizeof *kick->drag);
    }
    carom_exact sum = {0};
    carom_state_read(state, CAROM_ARRAYS_VELOCITIES | CAROM_ARRAYS_FORCES);
    carom_model_sum_nodes(model, &sum, 1, add_oscillation, &(oscillating){kick, state});
    for (int r = 0; r < model->rigid.count; r++)
        carom_exact_add(&sum, carom_rigid_kick_oscillation(&kick->rigid, r, (carom_const_vectors)kick->w));
    noted[CAROM_OSCILLATION_TIME] = state->time;
    noted[CAROM_OSCILLATION_NOTED] = carom_exact_value(&sum);
    return noted[CAROM_OSCILLATION_NOTED] + carom_ledger_pending(state);
}

double carom_kick_drift_oscillation(carom_kick_drift *nodes, const carom_state *state) {
    return carom_kick_drift_leap_oscillation(nodes, state) - nodes->oscillation[CAROM_OSCILLATION_START];
}

void carom_kick_drift_measure(carom_kick_drift *nodes, const carom_state *state, carom_ledger_row *row) {
    carom_ledger_measure(state, nodes->energies_time == state->time ? nodes->kick.energies : NULL, row);
    if (nodes->oscillates || nodes->divided)
        row->oscillation = carom_kick_drift_oscillation(nodes, state);
    const carom_debts *debts = &nodes->contact_step.debts;
    row->account = debts->numbers ? carom_debts_open(debts) : 0;
    row->largest_account = debts->numbers ? carom_debts_largest(debts) : 0;
}

void carom_kick_drift_audit(carom_kick_drift *nodes, carom_state *state) {
    if (!nodes->audited || !nodes->last_kick_was_full || state->step % AUDIT_STEPS)
        return;
    carom_ledger_row row = {0};
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_ROWS);
    carom_kick_drift_measure(nodes, state, &row);
    carom_profile_enter(&nodes->stepper->profile, before);
    carom_debts_audit(&nodes->contact_step.debts, carom_ledger_complete(state, &row).residual);
}
