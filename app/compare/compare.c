// SPDX-License-Identifier: MIT
// carom compare: runs one scene with several methods. All variants are read before the first one runs, so that a misspelt word
// is reported at once.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/compare/contest.h"
#include "app/compare/disagreement.h"
#include "app/message.h"
#include "app/show/result_bundle.h"
#include "app/threads.h"
#include "carom/scene.h"

typedef struct job {
    const carom_arguments *arguments;
    const char *path;
    bool quiet;
    double size_max;
    char directory[CAROM_TEXT_MAX], title[CAROM_TEXT_MAX];
    carom_scene *scene; // with the values of --set; NULL if its own method refuses it
    carom_variants variants;
    carom_scene **scenes; // one per variant; NULL where its method cannot run it
    carom_contest contest;
    carom_status worst; // of the runs
} job;

// True if the variant sets a step that is not a number above zero.
static bool misspells_step(const carom_variant *variant) {
    for (int s = 0; variant && s < variant->setting_count; s++)
        if (strncmp(variant->settings[s], "time.step=", 10) == 0 && !(strtod(variant->settings[s] + 10, NULL) > 0))
            return true;
    return false;
}

// True if the method refuses the scene or its step, which is a result of the comparison. All other findings are errors of the
// input.
static bool is_refusal(const carom_findings *findings, const carom_variant *variant) {
    for (int i = 0; i < findings->count; i++) {
        const char *path = findings->items[i].path;
        if (strcmp(path, "integrator") != 0 && (strcmp(path, "time.step") != 0 || misspells_step(variant)))
            return false;
    }
    return findings->count > 0;
}

// Loads the scene with its own method, which may refuse it.
static int load_scene(job *j) {
    const char *overrides[CAROM_VALUES_MAX];
    int count = carom_arguments_values(j->arguments, "set", overrides);
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(j->path, overrides, count, &j->scene, &findings, &error);
    if (!status || !is_refusal(&findings, NULL))
        return carom_say_read(&findings, status, &error);
    carom_findings_release(&findings);
    return CAROM_EXIT_DONE;
}

static int load_variant(job *j, int index) {
    const carom_variant *variant = &j->variants.items[index];
    const char *overrides[CAROM_VALUES_MAX + CAROM_VARIANT_SETTINGS_MAX + 1];
    int count = carom_arguments_values(j->arguments, "set", overrides);
    char method[CAROM_NAME_MAX + 16];
    snprintf(method, sizeof method, "integrator=%s", variant->kind->name);
    // the method of the scene keeps its parameters
    if (!j->scene || carom_scene_integrator(j->scene).kind != variant->kind)
        overrides[count++] = method;
    for (int s = 0; s < variant->setting_count; s++)
        overrides[count++] = variant->settings[s];

    carom_contestant *c = &j->contest.items[index];
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(j->path, overrides, count, &j->scenes[index], &findings, &error);
    if (!status || !is_refusal(&findings, variant))
        return carom_say_read(&findings, status, &error);
    snprintf(c->reason, sizeof c->reason, "%s", findings.items[0].message);
    carom_findings_release(&findings);
    return CAROM_EXIT_DONE;
}

// Loads one scene per variant. A method that refuses the scene is listed with its reason; it is an error only if all refuse.
static int load_variants(job *j) {
    carom_error error = {0};
    if (carom_variants_read(carom_arguments_value(j->arguments, "integrators"), &j->variants, &error) != CAROM_OK)
        return carom_say_failure(&error);
    int count = j->variants.count;
    j->scenes = carom_zeroed(count, sizeof *j->scenes);
    j->contest.items = carom_zeroed(count, sizeof *j->contest.items);
    if (!j->scenes || !j->contest.items)
        return carom_refuse("no memory for the variants");
    j->contest.count = count;
    j->contest.scene = j->path;
    int code = CAROM_EXIT_DONE, able = 0;
    for (int i = 0; i < count && !code; i++) {
        j->contest.items[i].variant = &j->variants.items[i];
        code = load_variant(j, i);
        able += j->scenes[i] != NULL;
    }
    if (code || able > 0)
        return code;
    for (int i = 0; i < count; i++)
        carom_say_error("%s cannot run the scene: %s", j->variants.items[i].name, j->contest.items[i].reason);
    return CAROM_EXIT_INPUT;
}

// Sets title and output directory from the scene, or from any variant that was loaded.
static int name_results(job *j) {
    const carom_scene *scene = j->scene;
    for (int i = 0; i < j->variants.count && !scene; i++)
        scene = j->scenes[i];
    const char *title = carom_scene_title(scene);
    snprintf(j->title, sizeof j->title, "%s", title && *title ? title : j->path);
    j->contest.title = j->title;
    const char *asked = carom_arguments_value(j->arguments, "output");
    int size = asked ? snprintf(j->directory, sizeof j->directory, "%s", asked)
                     : snprintf(j->directory, sizeof j->directory, "%s-compare", carom_scene_output(scene)->directory);
    // the folder of a variant is appended
    if (size > 0 && size < CAROM_TEXT_MAX - 256)
        return CAROM_EXIT_DONE;
    return carom_refuse("the output directory must have a name of 1 to %d bytes", CAROM_TEXT_MAX - 257);
}

// Runs one variant. A failure of the computation or an interruption is a result; only a file that cannot be written ends the
// comparison.
static carom_status run_variant(job *j, int index, carom_error *error) {
    carom_contestant *c = &j->contest.items[index];
    const carom_scene *scene = j->scenes[index];
    carom_output_def output = *carom_scene_output(scene);
    snprintf(c->directory, sizeof c->directory, "%.*s/%.*s", CAROM_TEXT_MAX - 257, j->directory, 255, c->variant->folder);
    memcpy(output.directory, c->directory, sizeof output.directory);
    // The scene of each variant is written next to its result, with the settings of the variant in it.
    char *text = carom_scene_text(scene);
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_run_def def = {
        .scene = j->path,
        .title = j->contest.title,
        .units = carom_scene_units(scene),
        .scene_text = text,
        .output = &output,
        .handle_signals = true,
        .progress = isatty(STDERR_FILENO) && !j->quiet ? CAROM_PROGRESS_BAR : CAROM_PROGRESS_NONE,
    };
    carom_status status;
    do {
        carom_summary_release(&summary);
        summary = (carom_summary){0};
        carom_sim_release(sim);
        const carom_time_def time = carom_time_of_attempt(carom_scene_time(scene), def.attempt);
        status = carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), &time, &sim, error);
        if (!status)
            status = carom_run(sim, &def, &summary, error);
    } while (status && sim && carom_sim_retries(sim, def.attempt++, &summary, error));
    // Such a run has written a summary too: it is listed in the table, and the exit code of the command reports it.
    if (status == CAROM_NUMERICAL || status == CAROM_INTERRUPTED) {
        memcpy(c->reason, error->message, sizeof c->reason);
        j->worst = status;
    }
    if (status == CAROM_OK || status == CAROM_NUMERICAL || status == CAROM_INTERRUPTED) {
        // Read back from the file, like any result: table, page and `carom info` then show the same numbers.
        c->ran = carom_result_read(c->directory, &c->result, error);
        carom_contestant_note(c, sim);
        status = c->ran ? CAROM_OK : error->status;
    }
    carom_summary_release(&summary);
    carom_sim_release(sim);
    free(text);
    return status;
}

// Writes the page. The comparison is complete without it.
static carom_status write_page(const job *j, const char *template, const char *path, carom_error *error) {
    int count = j->contest.count;
    carom_result_bundle *bundles = carom_zeroed(count, sizeof *bundles);
    carom_page_run *runs = carom_zeroed(count, sizeof *runs);
    carom_text table = {0};
    carom_status status = bundles && runs ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the page");
    for (int i = 0; !status && i < count; i++) {
        const carom_contestant *c = &j->contest.items[i];
        if (c->ran)
            status = carom_result_bundle_read(c->directory, &bundles[i], error);
        // A method that did not run has an empty bundle, and the page shows its reason.
        runs[i] = bundles[i].run;
        runs[i].name = c->variant->name;
        runs[i].integrator = c->variant->kind->name;
        runs[i].failure = *c->reason ? c->reason : NULL;
    }
    if (!status) {
        carom_page_facts facts;
        carom_contest_table(&j->contest, &table);
        const carom_page_def def = {.template_path = template,
                                    .kind = "compare",
                                    .title = j->contest.title,
                                    .run_count = count,
                                    .runs = runs,
                                    .table = table.failed ? NULL : table.data,
                                    .size_max = j->size_max};
        status = carom_page_write(path, &def, &facts, error);
        if (!status && !j->quiet)
            carom_page_note(&facts, j->size_max);
    }
    for (int i = 0; bundles && i < count; i++)
        carom_result_bundle_release(&bundles[i]);
    carom_text_release(&table);
    free(bundles);
    free(runs);
    return status;
}

static int write_results(const job *j) {
    char json[CAROM_PATH_MAX], page[CAROM_PATH_MAX], template[CAROM_PATH_MAX];
    carom_error error = {0};
    snprintf(json, sizeof json, "%s/compare.json", j->directory);
    snprintf(page, sizeof page, "%s/compare.html", j->directory);
    // The numbers first, in case the page cannot be written.
    if (carom_contest_write(&j->contest, json, &error) != CAROM_OK)
        return carom_say_failure(&error);
    bool have_page = carom_template_find(template, &error) == CAROM_OK;
    if (!have_page && !j->quiet)
        carom_say_note("no page: %s", error.message);
    if (have_page && write_page(j, template, page, &error) != CAROM_OK)
        return carom_say_failure(&error);
    if (!j->quiet) {
        carom_contest_print(&j->contest, stdout);
        printf("\nresults in %s\n", j->directory);
        if (have_page)
            printf("page in %s\n", page);
    }
    return carom_exit_code(j->worst);
}

static int run_all(job *j) {
    for (int i = 0; i < j->contest.count; i++) {
        carom_error error = {0};
        // Ctrl-C ends the comparison, not only the run: the remaining variants are listed as not run.
        bool stopped = j->worst == CAROM_INTERRUPTED;
        if (j->scenes[i] && stopped)
            snprintf(j->contest.items[i].reason, sizeof j->contest.items[i].reason, "the comparison was interrupted before");
        else if (j->scenes[i] && run_variant(j, i, &error) != CAROM_OK)
            return carom_say_failure(&error);
        if (!stopped && j->worst == CAROM_INTERRUPTED)
            carom_say_error("%s", j->contest.items[i].reason);
        // the model is not needed any more
        carom_scene_release(j->scenes[i]);
        j->scenes[i] = NULL;
    }
    return write_results(j);
}

int carom_command_compare(const carom_arguments *arguments) {
    job j = {
        .arguments = arguments,
        .path = arguments->operands[0],
        .quiet = carom_arguments_value(arguments, "quiet") != NULL,
    };
    int code = carom_set_threads_option(arguments);
    if (code == CAROM_EXIT_DONE)
        code = carom_page_size_option(arguments, &j.size_max);
    if (code == CAROM_EXIT_DONE)
        code = load_scene(&j);
    if (code == CAROM_EXIT_DONE)
        code = load_variants(&j);
    if (code == CAROM_EXIT_DONE)
        code = name_results(&j);
    if (code == CAROM_EXIT_DONE)
        code = run_all(&j);
    for (int i = 0; i < j.contest.count; i++) {
        carom_scene_release(j.scenes[i]);
        carom_result_release(&j.contest.items[i].result);
        free(j.contest.items[i].ends);
    }
    free(j.contest.items);
    free(j.scenes);
    carom_variants_release(&j.variants);
    carom_scene_release(j.scene);
    return code;
}
