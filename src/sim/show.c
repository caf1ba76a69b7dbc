// SPDX-License-Identifier: MIT
// Writes rows, frames and samples of the present step, and checks the surfaces.
#include "sim/show.h"

#include <math.h>

#include "contact/pairs/audit.h"
#include "model/state.h"
#include "sim/collect.h"

// Factor by which a distance must be less than the smallest one so far to be measured: bodies in parallel flight keep all their
// distances up to rounding, and would be measured again and again.
static const double closer_by = 1 - 1e-10;

typedef carom_running run;

carom_phase carom_run_enter(run *r, carom_phase phase) {
    return carom_profile_enter(&r->sim->stepper.profile, phase);
}

bool carom_run_is_between(const run *r) {
    double h = carom_sim_step_size(r->sim);
    return r->sim->stepper.kept_state && r->state->time > (double)r->state->step * h + 1e-9 * h;
}

// The row of the present step, once.
carom_status carom_show_row(run *r, carom_error *error) {
    bool measured = r->tally.row_step == r->state->step && !carom_run_is_between(r);
    bool written = !r->output || (carom_output_row_step(r->output) == r->state->step && !carom_run_is_between(r));
    written = carom_sim_says(r->sim, written);
    if (measured && written)
        return CAROM_OK;
    carom_phase before = carom_run_enter(r, CAROM_PHASE_ROWS);
    carom_ledger_row row = carom_sim_ledger(r->sim);
    // in an unstable run the energy overflows long before the positions do
    bool finite = isfinite(row.total);
    if (finite)
        carom_tally_row(&r->tally, r->state, &row, r->sim->stepper.method->equilibrium);
    carom_run_enter(r, before);
    if (!finite)
        return carom_fail(error, CAROM_NUMERICAL, "the energy is not finite at time %g", row.time);
    if (written)
        return CAROM_OK;
    const carom_state *shown = carom_sim_collect(r->sim);
    carom_status status = r->output ? carom_output_row(r->output, shown, &row, error) : CAROM_OK;
    return CAROM_SIM_AGREE(r->sim, status, error);
}

carom_status carom_show_sample(run *r, carom_error *error) {
    const carom_state *shown = carom_sim_collect(r->sim);
    carom_status status =
        r->output ? carom_output_sample(r->output, shown, error) : carom_samples_row(&r->samples, shown, error);
    return CAROM_SIM_AGREE(r->sim, status, error);
}

// Result of a check of surfaces: pairs of faces that intersect, and the smallest distance between bodies.
typedef struct finding {
    int64_t intersections;
    double distance;
} finding;

// Counts intersections; without any, finds the smallest distance.
static carom_status audit_surfaces(run *r, const double (*x)[3], finding *found, carom_error *error) {
    carom_status status = carom_surface_intersections(&r->audit, x, &found->intersections, error);
    // the tally keeps the smallest distance of the run: only smaller ones are searched for
    if (!status && !found->intersections)
        status = carom_surface_distance(&r->audit, x, closer_by * r->tally.distance, &found->distance, NULL, error);
    if (!found->intersections && found->distance == closer_by * r->tally.distance)
        found->distance = r->tally.distance;
    return status;
}

// Checks the surfaces, once, on the process that has all of them.
carom_status carom_show_surfaces(run *r, carom_error *error) {
    if (!r->audits || r->tally.audit_step == r->state->step)
        return CAROM_OK;
    carom_phase before = carom_run_enter(r, CAROM_PHASE_AUDITS);
    const carom_state *whole = carom_sim_collect_positions(r->sim);
    finding found = {0};
    carom_status status = whole ? audit_surfaces(r, carom_state_positions(whole), &found, error) : CAROM_OK;
    status = CAROM_SIM_AGREE(r->sim, status, error);
    carom_sim_report(r->sim, &found, sizeof found);
    if (!status)
        carom_tally_audit(&r->tally, r->state, found.intersections, found.distance);
    carom_run_enter(r, before);
    return status;
}

// Writes a frame. One that another thread writes can be lost later, and is then written again from the state saved here.
static carom_status show(run *r, const carom_state *whole, carom_error *error) {
    if (carom_output_is_concurrent(r->output)) {
        carom_phase before = carom_run_enter(r, CAROM_PHASE_WAITING);
        carom_status status = carom_output_wait(r->output, error);
        carom_run_enter(r, before);
        if (!status)
            status = carom_save_framed(r, whole, error);
        if (status)
            return status;
    }
    return carom_output_frame(r->output, whole, error);
}

// The frame of the present step, once.
carom_status carom_show_frame(run *r, carom_error *error) {
    bool shown = !r->output || (carom_output_frame_step(r->output) == r->state->step && !carom_run_is_between(r));
    if (carom_sim_says(r->sim, shown))
        return CAROM_OK;
    const carom_state *whole = carom_sim_collect(r->sim);
    carom_status status = r->output ? show(r, whole, error) : CAROM_OK;
    return CAROM_SIM_AGREE(r->sim, status, error);
}
