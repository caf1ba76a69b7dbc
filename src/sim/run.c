// SPDX-License-Identifier: MIT
// The run loop: step, then whatever is due (a row, a frame, a checkpoint), until the end or until something stops it.
#include "carom/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numerals.h"
#include "carom/lock.h"
#include "carom/threads.h"
#include "contact/pairs/audit.h"
#include "model/ledger.h"
#include "model/model.h"
#include "model/state.h"
#include "output/directory.h"
#include "output/output.h"
#include "output/resume.h"
#include "sim/advice.h"
#include "sim/progress.h"
#include "sim/saves.h"
#include "sim/signals.h"
#include "sim/sim.h"
#include "sim/summary_fill.h"
#include "sim/tally.h"
#include "sim/watch.h"

// The clock is read about this often: a bar needs no more, and a signal is answered after every step anyway.
static const double tick_seconds = 0.02;

// A distance counts as less than the least one so far if it differs in the first ten digits: bodies that fly in parallel keep
// all their distances up to rounding, and would be measured again and again.
static const double nearer = 1 - 1e-10;

// STRIDE_MAX bounds the steps between two looks at the clock, in case they suddenly become slow.
enum { STRIDE_MAX = 1 << 16 };

typedef carom_running run;

// The watch of another phase runs until the phase that is returned is entered again.
static carom_phase enter(run *r, carom_phase phase) {
    return carom_profile_enter(&r->sim->stepper.profile, phase);
}

// The last step is always due, whether or not it is a multiple.
static bool due(const run *r, int every) {
    return every > 0 && (r->state->step % every == 0 || carom_sim_done(r->sim));
}

// True if a step that failed has led the state beyond the time of its step, part of the way to the next.
static bool is_between(const run *r) {
    double h = carom_sim_step_size(r->sim);
    return r->sim->stepper.kept_state && r->state->time > (double)r->state->step * h + 1e-9 * h;
}

// The row of the present step, once.
static carom_status write_row(run *r, carom_error *error) {
    bool measured = r->tally.row_step == r->state->step && !is_between(r);
    bool written = !r->output || (carom_output_row_step(r->output) == r->state->step && !is_between(r));
    if (measured && written)
        return CAROM_OK;
    carom_phase before = enter(r, CAROM_PHASE_ROWS);
    carom_ledger_row row = carom_sim_ledger(r->sim);
    // an unstable run reaches an energy that is no number long before its positions do
    bool finite = isfinite(row.total);
    if (finite)
        carom_tally_row(&r->tally, r->state, &row, r->sim->stepper.method->equilibrium);
    enter(r, before);
    if (!finite)
        return carom_fail(error, CAROM_NUMERICAL, "the energy is not finite at time %g", row.time);
    return written ? CAROM_OK : carom_output_row(r->output, r->state, &row, error);
}

// A look at the surfaces, once. Faces that intersect have no distance.
static carom_status look_at_surfaces(run *r, carom_error *error) {
    if (!r->audit.surface || r->tally.audit_step == r->state->step)
        return CAROM_OK;
    const double(*x)[3] = carom_state_positions(r->state);
    carom_phase before = enter(r, CAROM_PHASE_AUDITS);
    int64_t intersections;
    double distance = 0;
    carom_status status = carom_surface_intersections(&r->audit, x, &intersections, error);
    // the tally keeps the least distance of the run: only smaller ones are looked for
    if (!status && !intersections)
        status = carom_surface_distance(&r->audit, x, nearer * r->tally.distance, &distance, NULL, error);
    if (!intersections && distance == nearer * r->tally.distance)
        distance = r->tally.distance;
    if (!status)
        carom_tally_audit(&r->tally, r->state, intersections, distance);
    enter(r, before);
    return status;
}

// The frame of the present step, once.
static carom_status write_frame(run *r, carom_error *error) {
    if (!r->output || (carom_output_frame_step(r->output) == r->state->step && !is_between(r)))
        return CAROM_OK;
    if (carom_output_is_beside(r->output)) {
        carom_phase before = enter(r, CAROM_PHASE_WAITING);
        carom_status status = carom_output_wait(r->output, error);
        enter(r, before);
        if (!status)
            status = carom_save_framed(r, error);
        if (status)
            return status;
    }
    return carom_output_frame(r->output, r->state, error);
}

// What the present step owes to the files. Rows are measured and surfaces looked at also when nothing is written, so that the
// summary is the same. Only an admissible state is shown, and a failure later on returns to it.
static carom_status write_due(run *r, carom_error *error) {
    bool row = due(r, r->history_every), frame = due(r, r->fields_every), audit = due(r, r->audit_every);
    bool full = r->output && carom_output_is_full(r->output);
    if (!row && !frame && !audit && !full)
        return CAROM_OK;
    // A frame that could not be written ends the run at the next output.
    carom_status status = r->output ? carom_output_look(r->output, error) : CAROM_OK;
    if (!status)
        status = carom_sim_accept(r->sim, error);
    if (!status && r->output)
        status = carom_output_contacts(r->output, r->state, error);
    if (!status && row)
        status = write_row(r, error);
    if (!status && frame)
        status = write_frame(r, error);
    if (!status && audit)
        status = look_at_surfaces(r, error);
    return status;
}

// Rows or frames from the present step to the end.
// An estimate from above, with the first and the last one. The output judges by it, before the first step, whether the disk has
// room.
static int64_t remaining(const run *r, int every) {
    return every > 0 ? (carom_sim_step_count(r->sim) - r->state->step) / every + 2 : 0;
}

// The checkpoint is read before any file is opened, because the bookmark in it says where the files are cut.
static carom_status open_run(run *r, carom_error *error) {
    const carom_output_def *def = r->def->output;
    carom_run_record record;
    void *blob = NULL;
    size_t size = 0;
    carom_status status = CAROM_OK;
    if (r->def->resume) {
        status = carom_save_read(r, &record, &blob, &size, error);
        if (status) {
            free(blob);
            return status;
        }
        // a run goes on in its own rhythm, also when its end was moved
        if (def->history_every == CAROM_AUTO)
            r->history_every = record.bookmark.history_every;
        if (def->fields_every == CAROM_AUTO && record.bookmark.fields_every > 0)
            r->fields_every = record.bookmark.fields_every;
        if (def->fields_every == CAROM_AUTO || def->fields_every == 0)
            r->audit_every = (int)record.audit_every;
    }
    // After the cadences of a resumed run are known, because they determine the number of rows.
    const carom_output_plan plan = {
        .rows = remaining(r, r->history_every),
        .frames = remaining(r, r->fields_every),
        .result = carom_integrator_result(r->sim->stepper.method, CAROM_RESULT_NODAL),
    };
    status =
        carom_output_open(def, carom_sim_model(r->sim), &plan, r->def->resume ? &record.bookmark : NULL, &r->output, error);
    if (!status && r->def->resume) {
        const carom_cadences cadences = {r->history_every, r->fields_every};
        carom_output_restore_traces(r->output, &record.bookmark, r->state, (const char *)blob + sizeof record,
                                    size - sizeof record);
        carom_resume_tell(def, &record.bookmark, &cadences, r->state->step, r->def->noted, r->def->context);
    }
    free(blob);
    if (!status && r->def->scene_text)
        status = carom_directory_keep_scene(def->directory, r->def->scene_text, error);
    return status;
}

// A look at the clock: the meter, rows to the file, a checkpoint by time.
static carom_status tick(run *r, carom_error *error) {
    double seconds = carom_run_clock(), passed = seconds - r->tick_clock;
    r->tick_clock = seconds;

    // look about fifty times a second, whatever a step costs
    double next = passed > 0 ? r->stride * tick_seconds / passed : STRIDE_MAX;
    // At most doubled at a time: one fast step does not predict the next.
    next = fmin(fmin(next, 2.0 * r->stride), STRIDE_MAX);
    r->stride = next > 1 ? (int)next : 1;
    r->until_tick = r->stride;

    carom_division division = carom_sim_division(r->sim);
    const carom_meter_reading reading = {
        .step = r->state->step,
        .step_count = carom_sim_step_count(r->sim),
        .time = r->state->time,
        .end = (double)carom_sim_step_count(r->sim) * carom_sim_step_size(r->sim),
        .residual = carom_tally_share(r->tally.last_residual, r->tally.energy_scale),
        .divides = division.possible,
        .parts = division.parts,
    };
    carom_meter_update(&r->meter, &reading, seconds);
    if (!r->output)
        return CAROM_OK;
    carom_status status = carom_output_look(r->output, error);
    if (!status)
        status = carom_output_tick(r->output, seconds, error);
    double minutes = r->def->output->checkpoint_minutes;
    if (!status && minutes > 0 && seconds - r->checkpoint_clock >= 60 * minutes)
        status = carom_save_checkpoint(r, error);
    return status;
}

// True if the step that follows ends with a row.
static bool has_row_next(const run *r) {
    int64_t next = r->state->step + 1;
    return r->history_every > 0 && (next % r->history_every == 0 || next >= carom_sim_step_count(r->sim));
}

// One step, by as many threads as have been the fastest so far.
static carom_status step(run *r, carom_error *error) {
    if (!r->team.measures)
        return carom_sim_advance(r->sim, error);
    double begin = carom_run_clock();
    carom_status status = carom_sim_advance(r->sim, error);
    if (carom_team_note(&r->team, carom_run_clock() - begin))
        carom_set_threads(carom_team_size(&r->team));
    return status;
}

// Steps until the end, a signal or a failure.
static carom_status advance(run *r, carom_error *error) {
    int every = r->output ? r->def->output->checkpoint_every : 0;
    carom_phase outer = enter(r, CAROM_PHASE_OUTPUT);
    carom_status status = write_due(r, error);
    if (!status)
        status = carom_save_balanced(r, error);
    enter(r, outer);
    while (!status && !carom_sim_done(r->sim)) {
        // Between two steps the state is complete, so an interruption never has to undo anything.
        if (r->signals.active && carom_signals_arrived())
            return CAROM_INTERRUPTED;
        r->sim->stepper.row_step = has_row_next(r) ? r->state->step + 1 : -1;
        status = step(r, error);
        carom_phase before = enter(r, CAROM_PHASE_OUTPUT);
        if (!status)
            status = write_due(r, error);
        if (!status)
            status = carom_save_balanced(r, error);
        if (!status && every > 0 && r->state->step % every == 0)
            status = carom_save_checkpoint(r, error);
        if (!status && --r->until_tick <= 0)
            status = tick(r, error);
        enter(r, before);
    }
    return status;
}

// Ctrl-C or SIGTERM: the state is saved where it is. If that fails, the failure is the news, not the interruption.
static carom_status stop_interrupted(run *r, carom_error *error) {
    carom_status status = r->output ? carom_save_checkpoint(r, error) : CAROM_OK;
    if (status)
        return status;
    carom_fail(error, CAROM_INTERRUPTED, "interrupted at step %" PRId64 " of %" PRId64, r->state->step,
               carom_sim_step_count(r->sim));
    if (r->output)
        carom_advise_resume(r->checkpoint_step, r->checkpoint, error);
    return CAROM_INTERRUPTED;
}

// Saves the state that a failed run has returned to. Events since then stay counted in the summary, but not in the checkpoint:
// a run that goes on from there meets them again.
static void save_failed(run *r) {
    carom_bookmark unused;
    int64_t *events = r->sim->state->books.events, counted[CAROM_EVENT_COUNT];
    memcpy(counted, events, sizeof counted);
    memcpy(events, r->sim->last_good->books.events, sizeof counted);
    if (!r->sim->unbalanced)
        carom_save_checkpoint(r, NULL);
    else if (!carom_output_bookmark(r->output, &unused, NULL))
        carom_save_blob(r, r->balanced, r->balanced_size, NULL);
    memcpy(events, counted, sizeof counted);
}

// The computation failed: the last admissible state is saved, and then shown as a last row and frame, which resuming cuts off.
static carom_status stop_failed(run *r, carom_error *error) {
    if (r->output)
        save_failed(r);
    // the rows since the books balanced stay: they show how it went
    if (r->sim->unbalanced) {
        // an audit has said what to do
        if (carom_state_events(r->state, CAROM_EVENT_UNBALANCED) == 0)
            carom_advise_step(r->sim, error);
        if (r->output)
            carom_advise_saved(r->checkpoint_step, r->checkpoint, error);
        return CAROM_NUMERICAL;
    }
    carom_advise_step(r->sim, error);
    if (r->output)
        carom_advise_saved(r->checkpoint_step, r->checkpoint, error);
    if (r->output && !write_row(r, NULL) && r->fields_every > 0)
        write_frame(r, NULL);
    // What is shown last is audited as well; a step that failed halfway has left a state of the same number.
    if (is_between(r))
        r->tally.audit_step = -1;
    look_at_surfaces(r, NULL);
    return CAROM_NUMERICAL;
}

// A file could not be written. What a half-written frame held is free again, so a checkpoint may still fit; if it does not, the
// last one is untouched.
static carom_status stop_unwritable(run *r, carom_error *error) {
    // a frame that was written beside the run belongs to an earlier state, from which it can be made again
    if (r->output && carom_output_has_lost(r->output)) {
        carom_state_copy(r->sim->state, r->framed_state);
        r->sim->stepper.stale = r->sim->stepper.kept_state = false;
        r->tally = r->framed_tally;
        if (!carom_output_sync(r->output, NULL))
            carom_save_blob(r, r->framed, r->framed_size, NULL);
    } else {
        carom_save_checkpoint(r, NULL);
    }
    if (r->output)
        carom_advise_resume(r->checkpoint_step, r->checkpoint, error);
    return CAROM_IO;
}

// The files are complete; the bookmark is made for its side effect, which is to bring them to disk and report a full one.
static carom_status stop_done(run *r, carom_error *error) {
    carom_status status = CAROM_OK;
    carom_bookmark unused;
    // a checkpoint of the end lets a finished run be prolonged, for those who asked for checkpoints
    if (r->output && r->def->output->checkpoint_every > 0 && r->checkpoint_step != r->state->step)
        status = carom_save_checkpoint(r, error);
    else if (r->output)
        status = carom_output_bookmark(r->output, &unused, error);
    return status ? status : carom_watch_end(r->sim, error);
}

// How the run ended decides what is kept.
static carom_status stop(run *r, carom_status status, carom_error *error) {
    if (status == CAROM_OK)
        status = stop_done(r, error);
    else if (status == CAROM_INTERRUPTED)
        status = stop_interrupted(r, error);
    else if (status == CAROM_NUMERICAL)
        status = stop_failed(r, error);
    return status == CAROM_IO ? stop_unwritable(r, error) : status;
}

// Surfaces are looked at with each frame of the animation, as often where there is none.
static int audit_cadence(const carom_output_def *def, int64_t steps) {
    carom_output_def looks = *def;
    if (looks.fields_every == 0)
        looks.fields_every = CAROM_AUTO;
    return carom_output_fields_every(&looks, steps);
}

// Everything that a run needs before its first step: the audit of surfaces and, if anything is to be written, the files.
static carom_status prepare(run *r, carom_error *error) {
    const carom_model *model = carom_sim_model(r->sim);
    carom_status status = CAROM_OK;
    if (model->surface.face_count)
        status = carom_audit_create(&model->surface, &model->exclusions, model->immovable, &r->audit, error);
    r->audit.filled = model->filled;
    if (status)
        return status;
    if (!r->def->output)
        return r->def->resume ? carom_fail(error, CAROM_BAD_INPUT, "a run without output has no checkpoint to resume from")
                              : CAROM_OK;
    // In the output directory, so a result can be moved as a whole and still be resumed.
    snprintf(r->checkpoint, sizeof r->checkpoint, "%s/checkpoint.carom", r->def->output->directory);
    char note[CAROM_PATH_MAX + 256] = "";
    if (!r->def->locked)
        status = carom_lock_take(r->def->output->directory, !r->def->resume, &r->lock, note, sizeof note, error);
    if (note[0] && r->def->noted)
        r->def->noted(note, r->def->context);
    return status ? status : open_run(r, error);
}

// The profile is that of everything but the writing of the summary itself.
static void stop_profile(run *r, carom_summary *summary) {
    carom_profile *profile = &r->sim->stepper.profile;
    if (!profile->on)
        return;
    carom_profile_stop(profile);
    profile->time[CAROM_PHASE_SETUP] = r->def->setup;
    memcpy(summary->profile, profile->time, sizeof summary->profile);
    summary->threads_used = carom_team_mean(&r->team);
}

// Steps to the end and leaves complete files. Of several failures the first is reported: it explains the others.
static carom_status perform(run *r, carom_summary *summary, carom_error *error) {
    const carom_run_def *def = r->def;
    if (def->started)
        def->started(r->sim, def->context);
    r->meter = carom_meter_start(def->progress, r->state->step, r->begin);
    if (carom_output_listens(r->output))
        carom_sim_tell_output(r->sim, r->output);
    int threads = carom_threads();
    // An implicit step costs as much as hundreds of explicit ones.
    int64_t elements = (r->sim->stepper.method->implicit ? 64 : 1) * (int64_t)carom_model_element_count(r->sim->model);
    r->team = carom_team_start(threads, elements, def->fixed_threads);
    carom_set_threads(carom_team_size(&r->team));
    carom_status status = advance(r, error);
    carom_set_threads(threads);
    // From here on the output is brought to its end and must not be told of impulses.
    carom_sim_tell_output(r->sim, NULL);
    carom_meter_clear(&r->meter);
    enter(r, CAROM_PHASE_OUTPUT);
    status = stop(r, status, error);

    // Failures after the first go here and are dropped.
    carom_error later;
    carom_status end = carom_summary_fill(r->sim, &r->tally, carom_run_clock() - r->begin, summary, status ? &later : error);
    status = status ? status : end;
    // The summary comes last: where there is one, the other files are complete.
    end = carom_output_close(r->output, status ? &later : error);
    r->output = NULL;
    status = status ? status : end;
    stop_profile(r, summary);
    end = carom_summary_write(r->sim, def, summary, NULL, 0, status ? &later : error);
    status = status ? status : end;
    // A checkpoint by time or by interruption has served its purpose once the run is complete.
    if (status == CAROM_OK && def->output && def->output->checkpoint_every == 0)
        unlink(r->checkpoint);
    return status;
}

// Separate from carom_run, so that every way out passes through the restoration of the locale.
static carom_status run_all(carom_sim *sim, const carom_run_def *asked, carom_summary *summary, carom_error *error) {
    *summary = (carom_summary){0};
    const carom_output_def standard = carom_default_output_def();
    const carom_output_def *cadence = asked->output ? asked->output : &standard;
    carom_run_def def = *asked;
    if (def.discard)
        def.output = NULL;
    run r = {
        .sim = sim,
        .def = &def,
        .state = carom_sim_state(sim),
        .tally = carom_tally_start(),
        .history_every = carom_output_history_every(cadence, carom_sim_step_count(sim)),
        // Rows and audits are measured without output too, so that the summary does not depend on it; frames are not.
        .fields_every = def.output ? carom_output_fields_every(cadence, carom_sim_step_count(sim)) : 0,
        .audit_every = audit_cadence(cadence, carom_sim_step_count(sim)),
        .checkpoint_step = -1,
        .begin = carom_run_clock(),
        .stride = 1,
        .until_tick = 1,
    };
    r.checkpoint_clock = r.tick_clock = r.begin;
    // Signals are caught before the first file is opened, so that none of them leaves half a result.
    if (def.handle_signals)
        r.signals = carom_signals_catch();
    if (def.profile)
        carom_profile_start(&sim->stepper.profile);
    carom_status status = prepare(&r, error);
    if (!status)
        status = perform(&r, summary, error);

    // One clean-up for all ways out. Files are still open only if they could not all be opened.
    carom_output_close(r.output, NULL);
    carom_profile_stop(&sim->stepper.profile);
    carom_audit_release(&r.audit);
    free(r.balanced);
    free(r.framed);
    carom_state_release(r.framed_state);
    carom_lock_release(r.lock);
    carom_signals_restore(&r.signals);
    return status;
}

carom_run_def carom_default_run_def(void) {
    return (carom_run_def){.progress = CAROM_PROGRESS_NONE};
}

carom_status carom_run(carom_sim *sim, const carom_run_def *def, carom_summary *summary, carom_error *error) {
    // Numbers are written with a decimal point whatever the locale of the program is.
    carom_numerals numerals = carom_numerals_enter();
    carom_status status = run_all(sim, def, summary, error);
    carom_numerals_leave(numerals);
    return status;
}
