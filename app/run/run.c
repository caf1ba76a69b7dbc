// SPDX-License-Identifier: MIT
// carom run: loads a scene, runs it, shows the ledger and the verdicts.
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/ranks.h"
#include "app/result.h"
#include "app/run/finished.h"
#include "app/run/head.h"
#include "app/show/result_bundle.h"
#include "app/threads.h"
#include "app/verdicts.h"
#include "carom/file.h"
#include "carom/lock.h"
#include "carom/parallel.h"
#include "carom/scene.h"

// One call of the command: options, scene, simulation and results.
typedef struct job {
    const carom_arguments *arguments;
    const char *path;
    bool quiet, discard;
    carom_partition partition;
    carom_scene *scene;
    carom_output_def output;
    carom_sim *sim;
    char forces[320];   // what computes the forces of elements, with --device
    carom_lock *lock;   // of the directory, until the verdicts and the page are written
    char *scene_text;   // with all defaults filled in
    int attempt;        // number of earlier attempts, with longer steps
    int64_t first_step; // of this process
    carom_phase_time began;
    carom_summary summary;
    carom_verdict *verdicts;
    int verdict_count;
} job;

// Reads the scene with the changes of --set. Findings name a line of the file; only an error without one, such as a missing
// file, needs a message of its own.
static int load(job *j) {
    const char *overrides[CAROM_VALUES_MAX];
    int count = carom_arguments_values(j->arguments, "set", overrides);
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(j->path, overrides, count, &j->scene, &findings, &error);
    return carom_say_read(&findings, status, &error);
}

// Sets the output directory: that of -o, else that of the scene.
static int choose_directory(job *j) {
    j->output = *carom_scene_output(j->scene);
    const char *directory = carom_arguments_value(j->arguments, "output");
    if (!directory)
        return CAROM_EXIT_DONE;
    size_t size = strlen(directory);
    // refused, because a truncated path would name another directory
    if (size == 0 || size >= sizeof j->output.directory)
        return carom_refuse("the output directory must have a name of 1 to %zu bytes", sizeof j->output.directory - 1);
    memcpy(j->output.directory, directory, size + 1);
    return CAROM_EXIT_DONE;
}

// Called when the output files are open, before the first step.
static void say_started(const carom_sim *sim, void *context) {
    job *j = context;
    j->first_step = carom_state_step(carom_sim_state(sim));
    // a note has reported the attempt
    if (j->quiet || (j->attempt > 0 && !carom_arguments_value(j->arguments, "resume")))
        return;
    const char *title = carom_scene_title(j->scene);
    // printed here, so that a run that is refused prints only its error
    carom_head_print(sim, j->scene, j->discard ? NULL : &j->output, title && *title ? title : j->path,
                     j->forces[0] ? j->forces : NULL);
    carom_head_note_step(sim);
    char page[CAROM_PATH_MAX];
    snprintf(page, sizeof page, "%s/report.html", j->output.directory);
    // a page of an earlier run is kept, and could be taken for one of this run
    if (!j->discard && !carom_arguments_value(j->arguments, "report") && access(page, F_OK) == 0)
        carom_say_note("%s shows an earlier result; --report replaces it", page);
    if (!j->discard && carom_file_is_foreign(j->output.directory, "scene.yaml"))
        carom_say_note("%s/scene.yaml was not written by carom and is kept; the scene with its defaults is not written there",
                       j->output.directory);
}

// Prints a note about the output, for example what has changed since the interruption.
static void say_change(const char *text, void *context) {
    const job *j = context;
    if (!j->quiet)
        carom_say_note("%s", text);
}

// The name of a shell body with edges whose reaction is not recorded: mirrored edges only, or also clamped ones. NULL: none.
static const char *body_with_edges(const carom_model *model, bool mirrored) {
    for (int b = 0; b < carom_model_block_count(model); b++) {
        const carom_block *block = carom_model_block(model, b);
        if (&block->element->kind == carom_catalogue_find(carom_elements(), "loop-shell") &&
            !block->element->turns_freely(block) &&
            (!mirrored || ((const carom_loop_shell_params *)block->params)->symmetry[0]))
            return carom_model_body_name(model, block->body);
    }
    return NULL;
}

// Notes about momentum errors. The force across a mirrored edge and the moment of a clamped edge are not reactions of
// restrained nodes, so they are not recorded.
static void note_momenta(const job *j, double limit) {
    const carom_model *model = carom_sim_model(j->sim);
    const carom_summary *summary = &j->summary;
    const char *mirrored = body_with_edges(model, true), *turned = body_with_edges(model, false);
    bool linear = !(summary->momentum_error <= limit), angular = turned && !(summary->angular_momentum_error <= limit);
    if (linear && !mirrored)
        carom_say_note("the momentum error is %.2g of its scale, without a known cause", summary->momentum_error);
    else if (linear)
        carom_say_note(
            "the momentum error is %.2g of its scale, that of the angular momentum %.2g: the reaction of the mirrored "
            "edges of body '%s' is not recorded; the motion is correct",
            summary->momentum_error, summary->angular_momentum_error, mirrored);
    if (angular && !(linear && mirrored))
        carom_say_note("the error of the angular momentum is %.2g of its scale: the moment of the %s edges of body '%s' is not "
                       "recorded; the motion is correct",
                       summary->angular_momentum_error, mirrored ? "mirrored" : "clamped", mirrored ? mirrored : turned);
}

// Notes about a ledger that does not balance, also without gates.
static void note_drifts(const job *j) {
    // Limits of the errors relative to their scales: five per cent of the energy; of momenta far more than rounding.
    static const double energy_limit = 0.05, momentum_limit = 1e-6;
    const carom_summary *summary = &j->summary;
    // Elastic bodies that are pressed together have many impacts, which reduces the accuracy of newmark-dcr.
    bool elastic = summary->contact_events > 0 && carom_model_contact(carom_sim_model(j->sim))->restitution == 1;
    const carom_kind *method = carom_sim_integrator(j->sim);
    bool analysis = carom_catalogue_find(carom_analyses(), method->name) == method;
    // written such that NaN counts as too large
    if (summary->is_static && isfinite(summary->stability_lost))
        carom_say_note("stability is lost beyond the load factor %.6g: the equilibria beyond it may be unstable",
                       summary->stability_lost);
    else if (!(summary->energy_error <= energy_limit) && analysis)
        carom_say_note(
            "external work is accurate to %.3g %% only; increase `steps` (the equilibrium at the end does not depend on them)",
            100 * summary->energy_error);
    else if (!(summary->energy_error <= energy_limit))
        carom_say_note("the residual reached %.3g %% of the energy scale; a smaller time.step may help%s",
                       100 * summary->energy_error,
                       elastic ? ", or, with newmark-dcr, a restitution below 1 if bodies are pressed together" : "");
    if (!(summary->last.projection >= -energy_limit * summary->energy_scale))
        carom_say_note("contact handling has added %.3g %% of the energy scale, a negative loss by projection in the "
                       "ledger: bodies that rest on each other may creep",
                       -100 * summary->last.projection / summary->energy_scale);
    note_momenta(j, momentum_limit);
}

// Prints the ledger, the verdicts, the cost, and the commands that show the result.
static void print_results(const job *j) {
    const carom_summary *summary = &j->summary;
    carom_put_text(carom_summary_text(j->sim, summary), stdout);
    if (j->verdict_count > 0) {
        fputc('\n', stdout);
        carom_verdicts_print(j->verdicts, j->verdict_count, stdout);
    }
    // Time was measured for the steps of this process alone.
    int64_t taken = summary->steps - j->first_step;
    printf("\n%" PRId64 " %s in %.3g s", taken, carom_plural(taken, "step", "steps"), summary->wall_seconds);
    if (j->first_step > 0)
        printf(" after %" PRId64 " before this resumption", j->first_step);
    printf(", %" PRId64 " contact %s, state 0x%016" PRIx64 "\n", summary->contact_events,
           carom_plural(summary->contact_events, "event", "events"), summary->state_hash);
    if (j->discard)
        return;
    printf("results in %s\n", j->output.directory);
    if (j->output.fields_every == 0 && j->output.fields_at_count == 0)
        return;
    char path[CAROM_TEXT_MAX + 32], template[CAROM_PATH_MAX];
    // The page reads .vtu files only, and a build without node has no page.
    bool shown = j->output.fields_format != CAROM_FIELDS_VTKHDF && carom_template_find(template, NULL) == CAROM_OK;
    if (shown) {
        fputs("view them with: carom view ", stdout);
        carom_print_shell_word(j->output.directory, stdout);
        putchar('\n');
    }
    snprintf(path, sizeof path, "%s/%s", j->output.directory,
             j->output.fields_format == CAROM_FIELDS_VTKHDF ? "fields.vtkhdf" : "fields.pvd");
    fputs(shown ? "            or: paraview " : "view them with: paraview ", stdout);
    carom_print_shell_word(path, stdout);
    putchar('\n');
}

// Prints the profile with --profile, also of an interrupted run.
static void print_profile(const job *j) {
    if (j->quiet || !carom_arguments_value(j->arguments, "profile"))
        return;
    fputc('\n', stdout);
    carom_put_text(carom_profile_table(&j->summary), stdout);
    carom_device_use use;
    if (j->sim && carom_sim_device_use(j->sim, &use))
        printf("%s: %.3g s waited for, %.3g s for what the processor did of its forces, %.3g GB copied there, %.3g GB back, "
               "%.0f islands of contacts solved, the model has %.3g GB\n",
               carom_sim_device(j->sim), use.waiting, use.settling, 1e-9 * use.to, 1e-9 * use.from, use.islands,
               1e-9 * use.memory);
}

// Writes the page with --report. A failure does not change the exit code.
static void write_report(const job *j) {
    char path[CAROM_PATH_MAX];
    carom_error error = {0};
    if (!carom_arguments_value(j->arguments, "report"))
        return;
    snprintf(path, sizeof path, "%s/report.html", j->output.directory);
    fflush(stdout);
    if (carom_result_bundle_write(j->output.directory, path, CAROM_PAGE_MEGABYTES * 1e6, &error) != CAROM_OK)
        carom_say_note("no report page: %s", error.message);
    else if (!j->quiet)
        printf("report in %s\n", path);
}

// Reports a failed attempt and the next one.
static void note_retry(const job *j, const carom_error *error) {
    if (!j->quiet)
        carom_say_note("%s; starts again with half of the step %g (time.retries: %d of %d)", error->message,
                       carom_sim_step_size(j->sim), j->attempt + 1, carom_scene_time(j->scene)->retries);
}

// Runs the simulation and prints its results; returns the exit code, or CAROM_RUN_ANOTHER if it starts again. carom_run writes
// the summary, also of an interrupted run. If a complete run has gates, the summary is written again with their verdicts.
// Output goes to stdout, notes to stderr; the flushes keep their order on a terminal.
static int run_job(job *j, const carom_run_def *def) {
    carom_error error = {0};
    carom_status status = carom_run(j->sim, def, &j->summary, &error);
    if (status && carom_sim_retries(j->sim, j->attempt, &j->summary, &error)) {
        note_retry(j, &error);
        return CAROM_RUN_ANOTHER;
    }
    // a complete run whose ledger does not balance returns CAROM_NUMERICAL
    bool finished = status == CAROM_OK || (status == CAROM_NUMERICAL && carom_sim_done(j->sim));
    if (finished) {
        j->verdicts = carom_verdicts_judge(j->scene, j->sim, &j->summary, &j->verdict_count);
        if (j->verdict_count < 0)
            status = carom_fail(&error, CAROM_NO_MEMORY, "no memory for the verdicts");
        else if (j->verdict_count > 0) {
            carom_error later;
            carom_status end =
                carom_summary_write(j->sim, def, &j->summary, j->verdicts, j->verdict_count, status ? &later : &error);
            status = status ? status : end;
        }
    }
    if (finished && !j->quiet)
        print_results(j);
    print_profile(j);
    fflush(stdout);
    if (finished && !j->quiet)
        note_drifts(j);
    // also of a failed computation
    if (status == CAROM_OK || status == CAROM_NUMERICAL)
        write_report(j);
    if (status) {
        fflush(stdout);
        return carom_say_failure(&error);
    }
    int failed = carom_verdicts_failed(j->verdicts, j->verdict_count);
    // without a table of verdicts the failed ones are printed as errors
    for (int i = 0; i < j->verdict_count && j->quiet; i++)
        if (!j->verdicts[i].passed)
            carom_say_error("expected %s %s, found %.6g", j->verdicts[i].name, j->verdicts[i].condition, j->verdicts[i].value);
    return failed > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
}

// A note if a new run replaces an interrupted one: --resume may have been forgotten.
static void note_replacement(const job *j) {
    carom_result result;
    if (j->quiet || !carom_has_checkpoint(j->output.directory) || !carom_result_read(j->output.directory, &result, NULL))
        return;
    if (!result.completed)
        carom_say_note("starting again in %s, where a run was interrupted at step %" PRId64
                       " (--resume would have continued it)",
                       j->output.directory, result.summary.steps);
    carom_result_release(&result);
}

// Refuses contradicting options.
static int check_options(const job *j) {
    if (j->discard && carom_arguments_value(j->arguments, "resume"))
        return carom_refuse("--resume needs the output directory that --no-output does not write");
    if (j->discard && carom_arguments_value(j->arguments, "report"))
        return carom_refuse("--report needs the results that --no-output does not write");
    if (carom_arguments_value(j->arguments, "partition") && !carom_arguments_value(j->arguments, "ranks") &&
        carom_parallel_size() == 1)
        return carom_refuse("--partition requires --ranks");
    return CAROM_EXIT_DONE;
}

// Locks the directory, and decides between a new run, a resumed one and none. Returns CAROM_RUN_NEEDED,
// CAROM_RUN_ANOTHER or the exit code.
static int enter_directory(job *j, bool resume) {
    if (j->discard || j->lock)
        return CAROM_RUN_NEEDED;
    // The lock is held longer than carom_run would hold it, because verdicts and page are written after the run.
    int locked = carom_say_lock(j->output.directory, !resume, false, &j->lock);
    if (locked != CAROM_EXIT_DONE)
        return locked;
    if (!resume) {
        note_replacement(j);
        return CAROM_RUN_NEEDED;
    }
    // a complete run without a checkpoint cannot be resumed: it is compared with the scene instead
    int code = carom_finished_before(j->output.directory, j->scene, j->sim, j->attempt, j->quiet);
    if (code == CAROM_EXIT_DONE || code == CAROM_EXIT_GATE)
        write_report(j);
    return code;
}

// Sets the device of --device. `auto`: the GPU if possible, else the processor, with the reason in the head of the run.
static carom_status choose_device(job *j, carom_error *error) {
    const char *device = carom_arguments_value(j->arguments, "device");
    if (!device || strcmp(device, "cpu") == 0)
        return CAROM_OK;
    carom_status status = carom_sim_use_device(j->sim, error);
    if (!status)
        snprintf(j->forces, sizeof j->forces, "%s", carom_sim_device(j->sim));
    else if (status == CAROM_BAD_INPUT && strcmp(device, "auto") == 0) {
        snprintf(j->forces, sizeof j->forces, "the processor (%s)", error->message);
        status = CAROM_OK;
    }
    return status;
}

// Creates the simulation of an attempt and runs it, together with all other processes. Returns the exit code or
// CAROM_RUN_ANOTHER.
static int run_attempt(job *j, bool resume) {
    carom_error error = {0};
    const carom_time_def time = carom_time_of_attempt(carom_scene_time(j->scene), j->attempt);
    carom_run_def def = {
        .scene = j->path,
        .title = carom_scene_title(j->scene),
        .units = carom_scene_units(j->scene),
        .output = &j->output,
        .discard = j->discard,
        .resume = resume,
        .attempt = j->attempt,
        .locked = true,
        .handle_signals = true,
        .progress = j->quiet                ? CAROM_PROGRESS_NONE
                    : isatty(STDERR_FILENO) ? CAROM_PROGRESS_BAR
                                            : CAROM_PROGRESS_LINES,
        .started = say_started,
        .noted = say_change,
        .context = j,
    };
    carom_status status = carom_sim_create_shared(carom_scene_model(j->scene), carom_scene_integrator(j->scene), &time,
                                                  j->partition, &j->sim, &error);
    // a signal must not end a process when rank 0 has locked the directory
    if (!status)
        status = carom_run_catch_signals(&error);
    if (!status)
        status = choose_device(j, &error);
    if (status)
        return carom_say_failure(&error);
    int code = enter_directory(j, def.resume);
    if (!carom_ranks_go_on(code == CAROM_RUN_NEEDED))
        return code;
    if (!def.discard && !j->scene_text) {
        j->scene_text = carom_scene_text(j->scene);
    }
    def.scene_text = j->scene_text;
    carom_phase_time now = carom_profile_clocks();
    def.profile = carom_arguments_value(j->arguments, "profile") != NULL;
    def.fixed_threads = carom_threads_are_fixed();
    def.setup = (carom_phase_time){now.wall - j->began.wall, now.processor - j->began.processor};
    carom_output_def unused;
    carom_run_def_share(&def, &unused);
    return run_job(j, &def);
}

// Releases what belongs to one attempt. The directory stays locked.
static void release_attempt(job *j) {
    free(j->verdicts);
    j->verdicts = NULL;
    carom_summary_release(&j->summary);
    carom_sim_release(j->sim);
    j->sim = NULL;
}

// The attempt that a resumed run goes on with: the one whose step the directory has.
static int attempt_to_resume(const job *j) {
    char path[CAROM_TEXT_MAX + 32];
    carom_result result;
    snprintf(path, sizeof path, "%s/checkpoint.carom", j->output.directory);
    double step = carom_saved_step(path);
    if (step == 0 && carom_result_read(j->output.directory, &result, NULL)) {
        step = result.step_size;
        carom_result_release(&result);
    }
    return carom_attempt_with_step(step, carom_scene_time(j->scene), carom_scene_model(j->scene),
                                   carom_scene_integrator(j->scene));
}

// All attempts, each with half the step of the one before.
static int start(job *j) {
    bool resume = carom_arguments_value(j->arguments, "resume") != NULL;
    j->attempt = resume ? attempt_to_resume(j) : 0;
    int code = run_attempt(j, resume);
    while (carom_ranks_go_on(code == CAROM_RUN_ANOTHER)) {
        release_attempt(j);
        j->attempt++;
        code = run_attempt(j, false);
    }
    return code;
}

// One attempt of a process other than rank 0.
static carom_status run_worker_attempt(void) {
    carom_sim *sim = NULL;
    carom_run_def def = carom_default_run_def();
    carom_output_def output;
    carom_summary summary = {0};
    // rank 0 prints the message
    carom_error error = {0};
    carom_status status = carom_sim_create_shared(NULL, (carom_pick){0}, NULL, CAROM_PARTITION_BISECTION, &sim, &error);
    if (!status)
        status = carom_run_catch_signals(&error);
    if (!status && carom_ranks_go_on(false)) {
        carom_run_def_share(&def, &output);
        status = carom_run(sim, &def, &summary, &error);
    }
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return status;
}

// Processes other than rank 0: take part in each step. Rank 0 decides whether there is something to run, and prints messages.
static int run_on_worker(void) {
    carom_status status = CAROM_OK;
    while (carom_ranks_go_on(false))
        status = run_worker_attempt();
    return carom_exit_code(status);
}

// Rank 0: reads the scene and runs it, unless it is only printed (--dump).
static int run_on_root(job *j) {
    bool shown = carom_arguments_value(j->arguments, "dump") != NULL;
    int code = load(j);
    if (code == CAROM_EXIT_DONE)
        code = choose_directory(j);
    if (code == CAROM_EXIT_DONE && shown)
        carom_put_text(carom_scene_text(j->scene), stdout);
    // before the simulation is created, which may take long
    else if (code == CAROM_EXIT_DONE)
        code = check_options(j);
    return carom_ranks_go_on(code == CAROM_EXIT_DONE && !shown) ? start(j) : code;
}

int carom_command_run(const carom_arguments *arguments) {
    const char *partition = carom_arguments_value(arguments, "partition");
    job j = {
        .arguments = arguments,
        .path = arguments->operands[0],
        .quiet = carom_arguments_value(arguments, "quiet") != NULL,
        .discard = carom_arguments_value(arguments, "no-output") != NULL,
        .partition = partition && strcmp(partition, "scotch") == 0 ? CAROM_PARTITION_SCOTCH : CAROM_PARTITION_BISECTION,
        .began = carom_profile_clocks(),
    };
    int code;
    if (carom_ranks_launch(arguments, &code))
        return code;
    // `carom run ... | head` must run to its end
    signal(SIGPIPE, SIG_IGN);
    code = carom_ranks_begin();
    if (code == CAROM_EXIT_DONE)
        code = carom_set_threads_option(arguments);
    if (code == CAROM_EXIT_DONE)
        code = carom_parallel_rank() > 0 ? run_on_worker() : run_on_root(&j);
    carom_lock_release(j.lock);
    // the simulation refers to the model of the scene, so it is released first
    release_attempt(&j);
    free(j.scene_text);
    carom_scene_release(j.scene);
    return code;
}
