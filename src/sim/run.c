// SPDX-License-Identifier: MIT
// The run loop: a step, then the output that is due (row, frame, checkpoint), until the end, a signal or a failure.
//
// Several processes that share a model all run this loop, each on its subdomain. They take the same decisions: by the number of
// the step, by numbers that are the same on all of them, or by a vote after each step (exchange_requests) about events that
// only one of them observes: a signal, the clock and the files of the first process. Only the first process writes files; each
// of its operations on files ends with CAROM_SIM_AGREE, so that a failure is a failure of all processes at the same place.
#include "carom/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/numerals.h"
#include "base/platform.h"
#include "base/profile.h"
#include "carom/lock.h"
#include "carom/threads.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/state.h"
#include "output/run/directory.h"
#include "output/run/output.h"
#include "output/run/resume.h"
#include "output/tables/samples.h"
#include "sim/collect.h"
#include "sim/ends.h"
#include "sim/progress.h"
#include "sim/running_maxima.h"
#include "sim/saves.h"
#include "sim/show.h"
#include "sim/signals.h"
#include "sim/sim.h"
#include "sim/summary_fill.h"

// Seconds between two readings of the clock, about: enough for a progress bar. Signals are checked after every step.
static const double clock_seconds = 0.02;

// STRIDE_MAX bounds the steps between two readings of the clock, in case steps suddenly become slow.
enum { STRIDE_MAX = 1 << 16 };

typedef carom_running run;

// True at multiples of `every` steps and at the last step; false if `every` is 0.
static bool due(const run *r, int every) {
    return every > 0 && (r->state->step % every == 0 || carom_sim_done(r->sim));
}

// True at the steps of frames at given times.
static bool is_asked_for(const run *r) {
    for (int i = 0; i < r->frame_step_count; i++)
        if (r->frame_steps[i] == r->state->step)
            return true;
    return false;
}

// Writes the output that is due at the present step. Rows are measured and surfaces checked also without files, so that the
// summary is the same. Only an admissible state is written, and a later failure returns to it.
static carom_status write_due(run *r, carom_error *error) {
    bool row = due(r, r->history_every), frame = due(r, r->fields_every) || is_asked_for(r), audit = due(r, r->audit_every);
    // samples are evenly spaced: the last step counts only if it is a multiple
    bool sample = r->sample_every > 0 && r->state->step % r->sample_every == 0;
    if (!row && !frame && !audit && !sample && !(r->requests & CAROM_REQUEST_WRITE))
        return CAROM_OK;
    // a frame that a background thread could not write ends the run here, or at a reading of the clock
    carom_status status = r->output ? carom_output_check(r->output, error) : CAROM_OK;
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status)
        status = carom_sim_accept(r->sim, error);
    if (status)
        return status;
    if (r->output)
        status = carom_output_contacts(r->output, carom_sim_outline(r->sim), error);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status && sample)
        status = carom_show_sample(r, error);
    if (!status && row)
        status = carom_show_row(r, error);
    if (!status && frame)
        status = carom_show_frame(r, error);
    if (!status && audit)
        status = carom_show_surfaces(r, error);
    return status;
}

// Upper bound of the number of rows from the present step to the end, with the first and the last one. Before the first step
// the output uses it to check the free space of the disk.
static int64_t remaining(const run *r, int every) {
    return every > 0 ? (carom_sim_step_count(r->sim) - r->state->step) / every + 2 : 0;
}

// Finds the steps of frames at given times, on all processes: the first step at or after each time, up to rounding.
static carom_status find_frame_steps(run *r, carom_error *error) {
    const carom_output_def *def = r->def->output;
    int64_t count = def->fields_at_count, last = carom_sim_step_count(r->sim);
    r->frame_steps = carom_allocate(count, sizeof *r->frame_steps);
    carom_status status = r->frame_steps ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the times of frames");
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (status)
        return status;
    r->frame_step_count = (int)count;
    for (int i = 0; i < count && carom_sim_first(r->sim); i++) {
        double steps = ceil(def->fields_at[i] / carom_sim_step_size(r->sim) - 1e-9);
        r->frame_steps[i] = steps < (double)last ? (int64_t)steps : last;
    }
    carom_sim_report(r->sim, r->frame_steps, (size_t)count * sizeof *r->frame_steps);
    return CAROM_OK;
}

// Opens the files. `record`: of a run that is resumed, to which they are truncated; NULL: a new run.
static carom_status open_files(run *r, const carom_run_record *record, const void *traces, size_t size, carom_error *error) {
    const carom_output_def *def = r->def->output;
    const carom_output_plan plan = {
        .rows = remaining(r, r->history_every),
        .step = r->state->step,
        .steps = carom_sim_step_count(r->sim),
        .sample_interval = r->sample_every * carom_sim_step_size(r->sim),
        .damped = r->state->method.damps,
        .result = carom_integrator_result(r->sim->stepper.method, CAROM_RESULT_NODAL),
    };
    carom_status status =
        carom_output_open(def, carom_sim_model(r->sim), &plan, record ? &record->bookmark : NULL, &r->output, error);
    // large models have fewer frames
    if (!status)
        r->fields_every = carom_output_frame_every(r->output);
    char note[512] = "";
    if (!status && !record)
        carom_output_frame_note(r->output, note, sizeof note);
    if (note[0] && r->def->noted)
        r->def->noted(note, r->def->context);
    if (!status && record) {
        const carom_cadences cadences = {r->history_every, r->fields_every};
        carom_output_restore_traces(r->output, &record->bookmark, carom_sim_state(r->sim), traces, size);
        carom_resume_report(def, &record->bookmark, &cadences, r->state->step, r->def->noted, r->def->context);
    }
    if (!status && r->def->scene_text)
        status = carom_directory_keep_scene(def->directory, r->def->scene_text, error);
    return status;
}

// Only the process that writes has the probes.
static carom_status find_sample_steps(run *r, const carom_output_def *def, carom_error *error) {
    carom_status status = CAROM_OK;
    if (carom_sim_first(r->sim))
        status = carom_samples_every(def->probes, def->probe_count, carom_sim_step_size(r->sim), &r->sample_every, error);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    carom_sim_report(r->sim, &r->sample_every, sizeof r->sample_every);
    return status;
}

// A run without files has the same summary: its samples are kept in memory.
static carom_status keep_samples(run *r, const carom_output_def *def, carom_error *error) {
    carom_status status = find_sample_steps(r, def, error);
    if (!status && carom_sim_first(r->sim) && r->sample_every > 0)
        status = carom_samples_open(&r->samples, NULL, carom_sim_model(r->sim), def->probes, def->probe_count,
                                    r->sample_every * carom_sim_step_size(r->sim), -1, error);
    return CAROM_SIM_AGREE(r->sim, status, error);
}

// The checkpoint is read before any file is opened, because its bookmark says where the files are truncated.
static carom_status open_run(run *r, carom_error *error) {
    const carom_output_def *def = r->def->output;
    carom_run_record record;
    char *blob = NULL;
    size_t size = 0;
    carom_status status = CAROM_OK;
    if (r->def->resume) {
        void *bytes = NULL;
        status = carom_save_read(r, &record, &bytes, &size, error);
        blob = bytes;
        if (status) {
            free(blob);
            return status;
        }
        // a resumed run keeps its output intervals, even if its end was changed
        if (def->history_every == CAROM_AUTO)
            r->history_every = record.bookmark.history_every;
        if (def->fields_every == CAROM_AUTO || def->fields_every == 0)
            r->audit_every = (int)record.audit_every;
    }
    status = find_sample_steps(r, def, error);
    if (status) {
        free(blob);
        return status;
    }
    // After the cadences of a resumed run are known, because they determine the number of rows.
    if (carom_sim_first(r->sim))
        status = r->def->resume ? open_files(r, &record, blob + sizeof record, size - sizeof record, error)
                                : open_files(r, NULL, NULL, 0, error);
    free(blob);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (status)
        return status;
    carom_sim_report(r->sim, &r->fields_every, sizeof r->fields_every);
    return find_frame_steps(r, error);
}

// Reads the clock: updates the progress line, flushes rows, requests a checkpoint by time.
static carom_status read_clock(run *r, uint64_t *requests, carom_error *error) {
    double seconds = carom_profile_seconds(), passed = seconds - r->tick_clock;
    r->tick_clock = seconds;

    // about fifty readings a second, independent of the time of a step
    double next = passed > 0 ? r->stride * clock_seconds / passed : STRIDE_MAX;
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
    double minutes = r->def->output->checkpoint_minutes;
    if (minutes > 0 && seconds - r->checkpoint_clock >= 60 * minutes)
        *requests |= CAROM_REQUEST_SAVE;
    carom_status status = carom_output_check(r->output, error);
    return status ? status : carom_output_tick(r->output, seconds, error);
}

// Exchanges the requests of all processes after a step that ended with that status. Returns the failure of the first that
// failed.
static carom_status exchange_requests(run *r, carom_status status, carom_error *error) {
    uint64_t requests = 0;
    // signals are checked here, between two steps, where the state is complete; an implicit step that is interrupted is undone
    if (r->signals.active && carom_signals_arrived())
        requests |= CAROM_REQUEST_STOP;
    if (r->output && carom_output_is_full(r->output))
        requests |= CAROM_REQUEST_WRITE;
    if (!status && carom_sim_first(r->sim) && --r->until_tick <= 0)
        status = read_clock(r, &requests, error);
    if (status)
        requests |= CAROM_REQUEST_FAILED;
    carom_vote vote = {.bits = {requests}};
    carom_sim_vote(r->sim, &vote);
    r->requests = vote.bits[0];
    return r->requests & CAROM_REQUEST_FAILED ? CAROM_SIM_AGREE(r->sim, status, error) : CAROM_OK;
}

// True if the next step ends with a row.
static bool has_row_next(const run *r) {
    int64_t next = r->state->step + 1;
    return r->history_every > 0 && (next % r->history_every == 0 || next >= carom_sim_step_count(r->sim));
}

// One step, with the number of threads that has been the fastest so far.
static carom_status step(run *r, carom_error *error) {
    if (!r->thread_count.adapts) {
        carom_rebalance_enter_step(&r->balance, r->sim);
        carom_status status = carom_sim_advance(r->sim, error);
        carom_rebalance_leave_step(&r->balance, r->sim);
        return status;
    }
    double begin = carom_profile_seconds();
    carom_status status = carom_sim_advance(r->sim, error);
    if (carom_thread_count_note(&r->thread_count, carom_profile_seconds() - begin))
        carom_set_threads(carom_thread_count_size(&r->thread_count));
    return status;
}

// Redistributes the model to processes, between two steps, if that saves time. The output of the step is complete.
static carom_status rebalance(run *r, carom_error *error) {
    if (r->requests & CAROM_REQUEST_STOP || !carom_rebalance_is_due(&r->balance, r->sim))
        return CAROM_OK;
    carom_phase before = carom_run_enter(r, CAROM_PHASE_BALANCING);
    carom_status status = carom_rebalance_run(&r->balance, r->sim, error);
    r->state = r->sim->state;
    carom_run_enter(r, before);
    return status;
}

// Steps until the end, a signal or a failure.
static carom_status advance(run *r, carom_error *error) {
    int every = r->writes ? r->def->output->checkpoint_every : 0;
    carom_phase outer = carom_run_enter(r, CAROM_PHASE_OUTPUT);
    carom_status status = write_due(r, error);
    if (!status)
        status = carom_save_balanced(r, error);
    if (!status)
        status = exchange_requests(r, CAROM_OK, error);
    carom_run_enter(r, outer);
    while (!status && !carom_sim_done(r->sim)) {
        if (r->requests & CAROM_REQUEST_STOP)
            return CAROM_INTERRUPTED;
        r->sim->stepper.row_step = has_row_next(r) ? r->state->step + 1 : -1;
        status = step(r, error);
        carom_phase before = carom_run_enter(r, CAROM_PHASE_OUTPUT);
        status = exchange_requests(r, status, error);
        if (!status)
            status = write_due(r, error);
        if (!status)
            status = carom_save_balanced(r, error);
        bool save = every > 0 && r->state->step % every == 0;
        if (!status && (save || r->requests & CAROM_REQUEST_SAVE))
            status = carom_save_due(r, save, error);
        if (!status)
            status = rebalance(r, error);
        carom_run_enter(r, before);
    }
    return status;
}

// Steps between two checks of surfaces: those between frames, or between default frames if none are written.
static int audit_cadence(const carom_output_def *def, int64_t steps) {
    carom_output_def audited = *def;
    if (audited.fields_every == 0)
        audited.fields_every = CAROM_AUTO;
    return carom_output_fields_every(&audited, steps);
}

// What the process that checks surfaces and writes files needs before the first step.
static carom_status prepare_first(run *r, carom_error *error) {
    const carom_model *model = carom_sim_model(r->sim);
    carom_status status = CAROM_OK;
    if (model->surface.face_count)
        status = carom_audit_create(&model->surface, &model->exclusions, model->immovable, &r->audit, error);
    r->audit.filled = model->filled;
    if (status || !r->writes || r->def->locked)
        return status;
    char note[CAROM_PATH_MAX + 256] = "";
    status = carom_lock_take(r->def->output->directory, !r->def->resume, &r->lock, note, sizeof note, error);
    if (note[0] && r->def->noted)
        r->def->noted(note, r->def->context);
    return status;
}

// Everything that a run needs before its first step: the audit of surfaces and, if anything is to be written, the files.
static carom_status prepare(run *r, carom_error *error) {
    if (!r->writes && r->def->resume)
        return carom_fail(error, CAROM_BAD_INPUT, "a run without output has no checkpoint to resume from");
    // In the output directory, so a result can be moved as a whole and still be resumed.
    if (r->writes)
        snprintf(r->checkpoint, sizeof r->checkpoint, "%s/checkpoint.carom", r->def->output->directory);
    carom_status status = carom_sim_first(r->sim) ? prepare_first(r, error) : CAROM_OK;
    status = CAROM_SIM_AGREE(r->sim, status, error);
    r->audits = carom_sim_says(r->sim, r->audit.surface != NULL);
    return status || !r->writes ? status : open_run(r, error);
}

// Mean and largest times of all processes. Waiting for another process is a separate phase, so the ratio of the largest to the
// mean time of a phase measures its load imbalance.
static void share_profile(const run *r, carom_summary *summary) {
    enum { NUMBERS = 2 * CAROM_PHASE_COUNT };
    double here[NUMBERS];
    uint64_t nanoseconds[NUMBERS];
    _Static_assert(sizeof here == sizeof summary->profile, "a profile is two numbers for each phase");
    memcpy(here, summary->profile, sizeof here);
    for (int i = 0; i < NUMBERS; i++)
        nanoseconds[i] = (uint64_t)(1e9 * here[i]);
    if (carom_sim_is_shared(r->sim)) {
        carom_parallel_sum_words(nanoseconds, NUMBERS);
        carom_parallel_most(here, NUMBERS);
    }
    memcpy(summary->profile_most, here, sizeof here);
    for (int i = 0; i < NUMBERS; i++)
        here[i] = 1e-9 * (double)nanoseconds[i] / summary->processes;
    memcpy(summary->profile_mean, here, sizeof here);
    // a double counts bytes exactly
    double memory[2] = {0, (double)carom_platform_peak_memory()};
    if (carom_sim_first(r->sim))
        memory[0] = memory[1], memory[1] = 0;
    if (carom_sim_is_shared(r->sim))
        carom_parallel_most(memory, 2);
    summary->memory[0] = (int64_t)memory[0];
    summary->memory[1] = (int64_t)memory[1];
}

// The profile includes everything but the writing of the summary.
static void stop_profile(run *r, carom_summary *summary) {
    carom_profile *profile = &r->sim->stepper.profile;
    if (!profile->times)
        return;
    carom_profile_stop(profile);
    profile->time[CAROM_PHASE_SETUP] = r->def->setup;
    memcpy(summary->profile, profile->time, sizeof summary->profile);
    share_profile(r, summary);
    summary->threads_used = carom_thread_count_mean(&r->thread_count);
}

// The steps, with the number of threads adapted to the measured times.
static carom_status advance_by_threads(run *r, carom_error *error) {
    const carom_run_def *def = r->def;
    int threads = carom_threads();
    // An implicit step costs as much as hundreds of explicit ones.
    int64_t elements = (r->sim->stepper.method->implicit ? 64 : 1) * (int64_t)carom_model_element_count(r->sim->model);
    // with several processes the count is fixed: the measured times would include waiting for other processes
    r->thread_count = carom_thread_count_start(threads, elements, def->fixed_threads || carom_sim_is_shared(r->sim));
    carom_set_threads(carom_thread_count_size(&r->thread_count));
    carom_status status = advance(r, error);
    carom_set_threads(threads);
    return status;
}

// Closes the files and writes the summary last: if there is one, the other files are complete.
static carom_status finish_files(run *r, carom_status status, carom_summary *summary, carom_error *error) {
    const carom_run_def *def = r->def;
    // Failures after the first are dropped.
    carom_error later;
    carom_status end =
        r->output ? carom_output_filter(r->output, &summary->filtered, &summary->filtered_count, status ? &later : error)
                  : carom_samples_filter(&r->samples, &summary->filtered, &summary->filtered_count, status ? &later : error);
    status = status ? status : end;
    end = carom_output_close(r->output, status ? &later : error);
    r->output = NULL;
    status = status ? status : end;
    stop_profile(r, summary);
    if (carom_sim_first(r->sim))
        end = carom_summary_write(r->sim, def, summary, NULL, 0, status ? &later : error);
    status = status ? status : end;
    // a checkpoint by time or by interruption is not needed any more once the run is complete
    if (status == CAROM_OK && r->writes && def->output->checkpoint_every == 0 && carom_sim_first(r->sim))
        unlink(r->checkpoint);
    return CAROM_SIM_AGREE(r->sim, status, error);
}

// Runs to the end and leaves complete files. Of several failures the first is reported: it explains the others.
static carom_status perform(run *r, carom_summary *summary, carom_error *error) {
    const carom_run_def *def = r->def;
    // the callback may read the state
    carom_sim_collect(r->sim);
    if (def->started && carom_sim_first(r->sim))
        def->started(r->sim, def->context);
    r->meter = carom_meter_start(def->progress, r->state->step, r->begin);
    if (carom_output_needs_impulses(r->output))
        carom_sim_report_output(r->sim, r->output);
    carom_status status = advance_by_threads(r, error);
    // From here on the output is being closed and must not receive impulses.
    carom_sim_report_output(r->sim, NULL);
    carom_meter_clear(&r->meter);
    carom_run_enter(r, CAROM_PHASE_OUTPUT);
    status = carom_run_stop(r, status, error);

    carom_error later;
    carom_status end =
        carom_summary_fill(r->sim, &r->tally, carom_profile_seconds() - r->begin, summary, status ? &later : error);
    summary->rebalances = r->balance.count;
    summary->imbalance = r->balance.imbalance;
    return finish_files(r, status ? status : end, summary, error);
}

// Separate from carom_run, so that every return restores the locale.
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
        .state = sim->state,
        .writes = def.output != NULL,
        .samples = {.csv = carom_csv_closed()},
        .tally = carom_tally_start(),
        .history_every = carom_output_history_every(cadence, carom_sim_step_count(sim)),
        // Rows and audits are measured without output too, so that the summary does not depend on it; frames are not.
        .fields_every = def.output ? carom_output_fields_every(cadence, carom_sim_step_count(sim)) : 0,
        .audit_every = audit_cadence(cadence, carom_sim_step_count(sim)),
        .checkpoint_step = -1,
        .begin = carom_profile_seconds(),
        .stride = 1,
        // The clock is first read after the first step; one exchange of requests precedes it.
        .until_tick = 2,
    };
    r.checkpoint_clock = r.tick_clock = r.begin;
    // Signals are caught before the first file is opened, so that none of them leaves an incomplete result.
    if (def.handle_signals)
        r.signals = carom_signals_catch();
    if (def.profile)
        carom_profile_start(&sim->stepper.profile);
    carom_sim_set_force_window(sim, cadence->force_window);
    carom_parallel_watch(&sim->stepper.profile);
    carom_status status = prepare(&r, error);
    if (!status && !r.writes)
        status = keep_samples(&r, cadence, error);
    if (!status)
        status = carom_rebalance_start(&r.balance, sim, error);
    if (!status)
        status = perform(&r, summary, error);

    // One clean-up for all cases. Files are still open only if they could not all be opened.
    carom_output_close(r.output, NULL);
    carom_samples_close(&r.samples, NULL);
    carom_parallel_watch(NULL);
    carom_profile_stop(&sim->stepper.profile);
    carom_audit_release(&r.audit);
    carom_rebalance_release(&r.balance);
    free(r.balanced);
    free(r.framed);
    free(r.frame_steps);
    carom_state_release(r.framed_state);
    carom_lock_release(r.lock);
    carom_signals_restore(&r.signals, status == CAROM_INTERRUPTED);
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
