// SPDX-License-Identifier: MIT
// Computes the summary of a run (energies, largest errors, peaks, counts), which is written as summary.json.
#include "sim/summary_fill.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/guard.h"
#include "model/state/ledger.h"
#include "model/symmetry.h"
#include "model/watch/frequency_bound.h"
#include "parallel/parallel.h"
#include "sim/collect.h"

static carom_status fill_peaks(const carom_state *state, carom_summary *summary, carom_error *error) {
    int bodies = state->model->body_count;
    summary->peaks = carom_allocate(state->peaks ? (int64_t)CAROM_PEAK_KINDS * bodies : 0, sizeof *summary->peaks);
    if (!summary->peaks)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the peaks of the summary");
    for (int i = 0; state->peaks && i < CAROM_PEAK_KINDS * bodies; i++)
        summary->peak_count += carom_peaks_of_run(state, i / CAROM_PEAK_KINDS, (carom_peak_kind)(i % CAROM_PEAK_KINDS),
                                                  &summary->peaks[summary->peak_count]);
    return CAROM_OK;
}

// Measured at the state in which the run has ended, also after a failure.
carom_status carom_summary_fill(carom_sim *sim, const carom_tally *tally, double seconds, carom_summary *summary,
                                carom_error *error) {
    carom_status status = carom_sim_synchronize(sim, error);
    if (status)
        return status;
    const carom_ledger_row last = carom_sim_ledger(sim);
    const carom_state *state = carom_sim_collect(sim);
    if (!state)
        return CAROM_OK;
    carom_tally_report(tally, summary);
    carom_symmetry symmetry = carom_model_symmetry(carom_sim_model(sim));
    for (int i = 0; i < 3; i++) {
        summary->conserved[i] = symmetry.linear[i];
        summary->conserved[3 + i] = symmetry.angular[i];
    }
    summary->steps = state->step;
    summary->element_updates = state->books.element_updates;
    summary->division = carom_sim_division(sim);
    summary->contact_events = carom_state_contact_events(state);
    summary->threads = carom_threads();
    summary->processes = carom_sim_is_shared(sim) ? carom_parallel_size() : 1;
    // Of this process; a resumed run does not add the time before.
    summary->wall_seconds = seconds;
    summary->state_hash = carom_state_hash(state);
    for (int i = 0; i < CAROM_EVENT_COUNT; i++)
        summary->events[i] = carom_state_events(state, (carom_event)i);
    summary->guard_kinetic = state->guard[CAROM_GUARD_KINETIC];
    summary->guard_unexplained = state->guard[CAROM_GUARD_RESIDUAL];
    if (state->guard[CAROM_GUARD_ROTATED] > 0) {
        carom_model_name_element(carom_sim_model(sim), (int)state->guard[CAROM_GUARD_ROTATED] - 1, summary->rotated,
                                 sizeof summary->rotated);
        summary->rotated_at = state->guard[CAROM_GUARD_ROTATED_AT];
    }
    summary->last = last;
    const carom_accounts outside = carom_ledger_accounts(state);
    memcpy(summary->external_impulse, outside.impulse, sizeof outside.impulse);
    memcpy(summary->external_angular_impulse, outside.angular_impulse, sizeof outside.angular_impulse);
    const carom_integrator *method = sim->stepper.method;
    const carom_method_result *forces = carom_integrator_result(method, CAROM_RESULT_RESULTANTS);
    const carom_method_result *stable_to = carom_integrator_result(method, CAROM_RESULT_STABLE_TO);
    summary->is_static = method->equilibrium;
    summary->varies = method->varies && method->varies(sim->stepper.params);
    // NaN becomes null in JSON: stability was not lost.
    summary->stability_lost = NAN;
    if (forces)
        memcpy(summary->forces, carom_method_result_values(forces, state), sizeof summary->forces);
    if (stable_to && summary->events[CAROM_EVENT_LOST_STABILITY])
        summary->stability_lost = *carom_method_result_values(stable_to, state);
    summary->force_window = carom_sim_force_window(sim);
    int count = carom_state_pair_count(state);
    summary->pairs = carom_allocate(count, sizeof *summary->pairs);
    if (!summary->pairs)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of the summary");
    summary->pair_count = count;
    for (int i = 0; i < count; i++)
        summary->pairs[i] = carom_state_pair(state, i);
    return fill_peaks(state, summary, error);
}
