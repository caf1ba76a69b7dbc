// SPDX-License-Identifier: MIT
// The end of a run: what is saved and shown when it is complete, interrupted, failed, or cannot write its files.
#include "sim/ends.h"

#include <inttypes.h>
#include <string.h>

#include "model/state.h"
#include "sim/advice.h"
#include "sim/collect.h"
#include "sim/show.h"
#include "sim/watch.h"

typedef carom_running run;

// Ctrl-C or SIGTERM: the present state is saved. If that fails, the failure is reported instead of the interruption.
static carom_status stop_interrupted(run *r, carom_error *error) {
    carom_status status = r->writes ? carom_save_checkpoint(r, error) : CAROM_OK;
    if (status)
        return status;
    carom_fail(error, CAROM_INTERRUPTED, "interrupted at step %" PRId64 " of %" PRId64, r->state->step,
               carom_sim_step_count(r->sim));
    if (r->output)
        carom_advise_resume(r->checkpoint_step, r->checkpoint, error);
    return CAROM_INTERRUPTED;
}

// Saves the state that a failed run has returned to. Events since then stay counted in the summary, but not in the checkpoint:
// a run that is resumed from there counts them again.
static void save_failed(run *r) {
    carom_bookmark unused;
    int64_t *events = r->sim->state->books.events, counted[CAROM_EVENT_COUNT];
    memcpy(counted, events, sizeof counted);
    memcpy(events, r->sim->last_good->books.events, sizeof counted);
    carom_status status = CAROM_OK;
    if (!r->sim->unbalanced) {
        carom_save_checkpoint(r, NULL);
    } else {
        if (r->output)
            status = carom_output_bookmark(r->output, &unused, NULL);
        if (!CAROM_SIM_AGREE(r->sim, status, NULL))
            carom_save_blob(r, r->balanced, r->balanced_size, NULL);
    }
    memcpy(events, counted, sizeof counted);
}

// The computation failed: the last admissible state is saved, and then shown as a last row and frame, which resuming removes.
static carom_status stop_failed(run *r, carom_error *error) {
    if (r->writes)
        save_failed(r);
    carom_advise_molten(r->sim, error);
    // the rows since the last balanced audit are kept: they show how the error grew
    if (r->sim->unbalanced) {
        // the message of the audit contains the advice
        if (carom_state_events(r->state, CAROM_EVENT_UNBALANCED) == 0)
            carom_advise_step(r->sim, error);
        if (r->writes)
            carom_advise_saved(r->checkpoint_step, r->checkpoint, error);
        return CAROM_NUMERICAL;
    }
    carom_advise_step(r->sim, error);
    if (r->writes)
        carom_advise_saved(r->checkpoint_step, r->checkpoint, error);
    if (r->writes && !carom_show_row(r, NULL) && r->fields_every > 0)
        carom_show_frame(r, NULL);
    // What is shown last is audited as well; a step that failed halfway has left a state of the same number.
    if (carom_run_is_between(r))
        r->tally.audit_step = -1;
    carom_show_surfaces(r, NULL);
    return CAROM_NUMERICAL;
}

// A frame that a background thread should have written is lost: returns to the state of that frame, from which it can be
// written again.
static void return_to_frame(run *r) {
    carom_sim_spread(r->sim, r->framed_state);
    r->sim->stepper.stale = r->sim->stepper.kept_state = false;
    r->tally = r->framed_tally;
    carom_sim_report(r->sim, &r->tally, sizeof r->tally);
    carom_status status = r->output ? carom_output_sync(r->output, NULL) : CAROM_OK;
    if (!CAROM_SIM_AGREE(r->sim, status, NULL))
        carom_save_blob(r, r->framed, r->framed_size, NULL);
}

// A file could not be written. An incomplete frame was removed, so the disk may have space for a checkpoint; if not, the last
// one is untouched.
static carom_status stop_unwritable(run *r, carom_error *error) {
    if (carom_sim_says(r->sim, r->output && carom_output_has_lost(r->output)))
        return_to_frame(r);
    else if (r->writes)
        carom_save_checkpoint(r, NULL);
    if (r->writes)
        carom_advise_resume(r->checkpoint_step, r->checkpoint, error);
    return CAROM_IO;
}

// A complete run fails if checks have found intersecting faces: its result is wrong, whatever the energy. Methods with surfaces
// that may overlap are checked during the run (passage.h); where surfaces touch, the count has no meaning.
static carom_status judge_surfaces(const run *r, carom_error *error) {
    const carom_integrator *method = r->sim->stepper.method;
    bool allowed = (method->overlaps && method->overlaps(r->sim->model, r->sim->params)) ||
                   (method->touches && method->touches(r->sim->model, r->sim->params));
    if (r->tally.intersections == 0 || allowed || !r->sim->model->contact.enabled)
        return CAROM_OK;
    r->sim->state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
    if (r->sim->time.on_event != CAROM_ON_EVENT_STOP)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "the run is complete, but surfaces intersect: %" PRId64
                      " pairs of faces at once; use a smaller time.step",
                      r->tally.intersections);
}

// The files are complete; the bookmark is made for its side effect, which is to bring them to disk and report a full one.
static carom_status stop_done(run *r, carom_error *error) {
    carom_status status = CAROM_OK;
    carom_bookmark unused;
    // with a checkpoint of the end a complete run can be extended; only if checkpoints were requested
    bool kept = r->writes && r->def->output->checkpoint_every > 0 && r->checkpoint_step != r->state->step;
    if (kept)
        status = carom_save_checkpoint(r, error);
    else if (r->output)
        status = carom_output_bookmark(r->output, &unused, error);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status)
        status = carom_watch_end(r->sim, error);
    return status ? status : judge_surfaces(r, error);
}

// How the run ended decides what is kept.
carom_status carom_run_stop(run *r, carom_status status, carom_error *error) {
    if (status == CAROM_OK)
        status = stop_done(r, error);
    else if (status == CAROM_INTERRUPTED)
        status = stop_interrupted(r, error);
    else if (status == CAROM_NUMERICAL)
        status = stop_failed(r, error);
    return status == CAROM_IO ? stop_unwritable(r, error) : status;
}
