// SPDX-License-Identifier: MIT
// carom run: loads a scene, runs it, shows the ledger and the verdicts.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/result.h"
#include "app/threads.h"
#include "app/verdicts.h"
#include "carom/scene.h"

// What was asked for and what came of it.
typedef struct job {
    const carom_arguments *arguments;
    const char *path;
    bool quiet;
    carom_scene *scene;
    carom_output_def output;
    carom_sim *sim;
    char *scene_text; // with all defaults filled in
    carom_summary summary;
    carom_verdict *verdicts;
    int verdict_count;
} job;

static int load(job *j) {
    const char *overrides[CAROM_VALUES_MAX];
    int count = carom_arguments_values(j->arguments, "set", overrides);
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(j->path, overrides, count, &j->scene, &findings, &error);
    if (findings.count > 0)
        carom_findings_print(&findings, stderr);
    else if (status)
        carom_say_error("%s", error.message);
    carom_findings_release(&findings);
    return carom_exit_code(status);
}

// Where the results go: the scene says, -o has the last word.
static int choose_directory(job *j) {
    j->output = *carom_scene_output(j->scene);
    const char *directory = carom_arguments_value(j->arguments, "output");
    if (!directory)
        return CAROM_EXIT_DONE;
    size_t size = strlen(directory);
    if (size == 0 || size >= sizeof j->output.directory) {
        carom_say_error("the output directory must have a name of 1 to %zu bytes", sizeof j->output.directory - 1);
        return CAROM_EXIT_INPUT;
    }
    memcpy(j->output.directory, directory, size + 1);
    return CAROM_EXIT_DONE;
}

static char *dump_text(const carom_scene *scene) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    carom_status status = carom_scene_dump(scene, stream);
    if (fclose(stream) != 0 || status) {
        free(text);
        return NULL;
    }
    return text;
}

static void print_head(const job *j) {
    const carom_model *model = carom_sim_model(j->sim);
    const char *title = carom_scene_title(j->scene);
    printf("%s%s%s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), title && *title ? title : j->path, carom_style_end(stdout));
    int bodies = carom_model_body_count(model), threads = carom_threads();
    printf("%s, %d %s, %d nodes, %d elements, %" PRId64 " steps of %.6g, %d thread%s\n\n", carom_sim_integrator(j->sim)->name,
           bodies, bodies == 1 ? "body" : "bodies", carom_model_node_count(model), carom_model_element_count(model),
           carom_sim_step_count(j->sim), carom_sim_step_size(j->sim), threads, threads == 1 ? "" : "s");
    fflush(stdout);
}

static void print_results(const job *j, const carom_run_def *def) {
    carom_summary_print(j->sim, &j->summary, stdout);
    if (j->verdict_count > 0) {
        fputc('\n', stdout);
        carom_verdicts_print(j->verdicts, j->verdict_count, stdout);
    }
    printf("\n%" PRId64 " steps in %.3g s, %" PRId64 " contact events, state 0x%016" PRIx64 "\n", j->summary.steps,
           j->summary.wall_seconds, j->summary.contact_events, j->summary.state_hash);
    if (def->discard)
        return;
    printf("results in %s\n", j->output.directory);
    if (j->output.fields_every != 0)
        printf("look at them with: paraview %s/%s\n", j->output.directory,
               j->output.fields_format == CAROM_FIELDS_VTKHDF ? "fields.vtkhdf" : "fields.pvd");
}

// Runs with everything in place; returns the exit code.
static int run_job(job *j, const carom_run_def *def) {
    carom_error error = {0};
    carom_status status = carom_run(j->sim, def, &j->summary, &error);
    bool finished = status == CAROM_OK;
    if (finished) {
        j->verdicts = carom_verdicts_judge(j->scene, j->sim, &j->summary, &j->verdict_count);
        if (j->verdict_count < 0)
            status = carom_fail(&error, CAROM_NO_MEMORY, "no memory for the verdicts");
        else if (j->verdict_count > 0)
            status = carom_summary_write(j->sim, def, &j->summary, j->verdicts, j->verdict_count, &error);
    }
    if (finished && !j->quiet)
        print_results(j, def);
    if (status) {
        fflush(stdout);
        carom_say_error("%s", error.message);
        return carom_exit_code(status);
    }
    int failed = carom_verdicts_failed(j->verdicts, j->verdict_count);
    for (int i = 0; i < j->verdict_count && j->quiet; i++)
        if (!j->verdicts[i].passed)
            carom_say_error("expected %s %s, found %.6g", j->verdicts[i].name, j->verdicts[i].condition, j->verdicts[i].value);
    return failed > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
}

static bool has_checkpoint(const job *j) {
    char path[CAROM_TEXT_MAX + 32];
    struct stat info;
    snprintf(path, sizeof path, "%s/checkpoint.carom", j->output.directory);
    return stat(path, &info) == 0;
}

// A new run takes the place of an interrupted one; whoever forgot --resume should know.
static void note_replacement(const job *j) {
    carom_result result;
    if (j->quiet || !has_checkpoint(j) || !carom_result_read(j->output.directory, &result, NULL))
        return;
    if (!result.completed)
        carom_say_note("starting anew in %s, where a run was interrupted at step %" PRId64
                       " (--resume would have gone on with it)",
                       j->output.directory, result.summary.steps);
    carom_result_release(&result);
}

// A directory with a finished run and no checkpoint: there is nothing to go on with. Returns its exit code, -1 if it is not so.
static int finished_before(const job *j) {
    if (has_checkpoint(j))
        return -1;
    carom_result result;
    if (!carom_result_read(j->output.directory, &result, NULL))
        return -1;
    bool completed = result.completed;
    int failed = carom_verdicts_failed(result.verdicts, result.verdict_count);
    carom_result_release(&result);
    if (!completed)
        return -1;
    if (!j->quiet)
        printf("nothing to do: the run in %s is complete\n", j->output.directory);
    return failed > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
}

static int start(job *j) {
    carom_error error = {0};
    carom_run_def def = {
        .scene = j->path,
        .title = carom_scene_title(j->scene),
        .output = &j->output,
        .discard = carom_arguments_value(j->arguments, "no-output") != NULL,
        .resume = carom_arguments_value(j->arguments, "resume") != NULL,
        .handle_signals = true,
        .progress = j->quiet                ? CAROM_PROGRESS_NONE
                    : isatty(STDERR_FILENO) ? CAROM_PROGRESS_BAR
                                            : CAROM_PROGRESS_LINES,
    };
    if (def.discard && def.resume) {
        carom_say_error("--resume needs the output directory that --no-output leaves out");
        return CAROM_EXIT_INPUT;
    }
    if (def.resume) {
        int code = finished_before(j);
        if (code >= 0)
            return code;
    } else if (!def.discard) {
        note_replacement(j);
    }
    if (!def.discard) {
        j->scene_text = dump_text(j->scene);
        def.scene_text = j->scene_text;
    }
    carom_status status = carom_sim_create(carom_scene_model(j->scene), carom_scene_integrator(j->scene),
                                           carom_scene_time(j->scene), &j->sim, &error);
    if (status) {
        carom_say_error("%s", error.message);
        return carom_exit_code(status);
    }
    if (!j->quiet)
        print_head(j);
    return run_job(j, &def);
}

int carom_command_run(const carom_arguments *arguments) {
    job j = {
        .arguments = arguments,
        .path = arguments->operands[0],
        .quiet = carom_arguments_value(arguments, "quiet") != NULL,
    };
    int code = carom_set_threads_option(arguments);
    if (code == CAROM_EXIT_DONE)
        code = load(&j);
    if (code == CAROM_EXIT_DONE)
        code = choose_directory(&j);
    if (code == CAROM_EXIT_DONE && carom_arguments_value(arguments, "dump"))
        code = carom_exit_code(carom_scene_dump(j.scene, stdout));
    else if (code == CAROM_EXIT_DONE)
        code = start(&j);
    free(j.verdicts);
    free(j.scene_text);
    carom_summary_release(&j.summary);
    carom_sim_release(j.sim);
    carom_scene_release(j.scene);
    return code;
}
