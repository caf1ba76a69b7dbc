// SPDX-License-Identifier: MIT
// carom sweep: runs one scene for many values of its parameters. All points are checked before the first one is run, so that a
// misspelt word is reported at once.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/ranks.h"
#include "app/sweep/pool.h"
#include "app/sweep/progress.h"
#include "app/sweep/record.h"
#include "app/sweep/table.h"
#include "carom/lock.h"
#include "carom/scene.h"
#include "carom/threads.h"

// Beyond any machine; a larger number is a typing error.
enum { JOBS_MAX = 4096 };

typedef struct job {
    const carom_arguments *arguments;
    const char *settings[CAROM_VALUES_MAX];
    bool quiet, resume;
    int samples, jobs, threads; // 0: not given
    uint64_t seed;
    carom_sweep sweep;
    carom_record record; // of an earlier sweep in the directory
    carom_lock *lock;
    carom_progress_line *progress;
} job;

static int read_options(job *j) {
    const carom_arguments *a = j->arguments;
    int64_t samples = 0, jobs = 0, threads = 0, seed = 1;
    if (carom_ranks_started() > 1)
        return carom_refuse("carom sweep starts its runs by itself: start it without mpirun");
    if (!carom_arguments_whole(a, "random", 1, CAROM_STUDY_POINTS_MAX, &samples) ||
        !carom_arguments_whole(a, "jobs", 1, JOBS_MAX, &jobs) || !carom_arguments_whole(a, "threads", 1, JOBS_MAX, &threads) ||
        !carom_arguments_whole(a, "seed", 0, INT64_MAX, &seed))
        return CAROM_EXIT_INPUT;
    if (carom_arguments_value(a, "seed") && samples == 0)
        return carom_refuse("--seed requires --random");
    j->samples = (int)samples;
    j->jobs = (int)jobs;
    j->threads = (int)threads;
    j->seed = (uint64_t)seed;
    j->sweep.set_count = carom_arguments_values(a, "set", j->settings);
    j->sweep.set = j->settings;
    return CAROM_EXIT_DONE;
}

// Reads title, output directory and digest of the scene without its varied values. Other findings are reported for the points,
// which may set values that the scene lacks.
static int open_scene(job *j) {
    carom_scene_facts facts;
    carom_findings findings = {0};
    carom_error error = {0};
    carom_sweep *sweep = &j->sweep;
    carom_status status = carom_scene_examine(sweep->scene, sweep->set, sweep->set_count, &facts, &findings, &error);
    if (!facts.digest && status)
        return carom_say_read(&findings, status, &error);
    carom_findings_release(&findings);
    sweep->digest = facts.digest;
    snprintf(sweep->title, sizeof sweep->title, "%s", facts.title[0] ? facts.title : sweep->scene);
    const char *asked = carom_arguments_value(j->arguments, "output");
    int size = asked ? snprintf(sweep->directory, sizeof sweep->directory, "%s", asked)
                     : snprintf(sweep->directory, sizeof sweep->directory, "%s-sweep", facts.directory);
    // runs/FOLDER is appended
    if (size > 0 && size < CAROM_TEXT_MAX - CAROM_STUDY_FOLDER_MAX - 16)
        return CAROM_EXIT_DONE;
    return carom_refuse("the output directory must have a name of 1 to %d bytes", CAROM_TEXT_MAX - CAROM_STUDY_FOLDER_MAX - 17);
}

static int lock_directory(job *j, bool make) {
    return j->lock ? CAROM_EXIT_DONE : carom_say_lock(j->sweep.directory, make, j->quiet, &j->lock);
}

// Reads the earlier sweep of the directory. One resumed without new points or --set has its overrides.
static int read_record(job *j, bool *points_given) {
    carom_error error = {0};
    *points_given =
        carom_arguments_value(j->arguments, "vary") || carom_arguments_value(j->arguments, "list") || j->samples > 0;
    if (carom_record_read(j->sweep.directory, &j->record, &error) != CAROM_OK)
        return carom_say_failure(&error);
    if (j->resume && !j->record.found)
        return carom_refuse("there is no sweep to resume in %s: it has no sweep.json", j->sweep.directory);
    if (!j->resume || *points_given || j->sweep.set_count > 0 || j->record.set_count == 0)
        return CAROM_EXIT_DONE;
    j->sweep.set = (const char **)j->record.set;
    j->sweep.set_count = j->record.set_count;
    return open_scene(j);
}

// The points of this command, followed by those of earlier ones.
static carom_status choose_points(job *j, bool given, carom_error *error) {
    carom_sweep *sweep = &j->sweep;
    const char *vary[CAROM_VALUES_MAX], *list = carom_arguments_value(j->arguments, "list");
    unsigned char *bytes = NULL;
    carom_study_def def = {
        .vary = vary,
        .vary_count = carom_arguments_values(j->arguments, "vary", vary),
        .list_name = list,
        .samples = j->samples,
        .seed = j->seed,
    };
    carom_status status = CAROM_OK;
    if (list)
        status = carom_read_bytes(list, &bytes, &def.list_size, error);
    def.list = (const char *)bytes;
    if (!status && !given && j->resume)
        status = carom_study_copy(j->record.study.key_count, (const char *const *)j->record.study.keys, 0, NULL, &sweep->study,
                                  error);
    else if (!status)
        status = carom_study_create(&def, &sweep->study, error);
    carom_free(bytes);
    if (!status)
        status = carom_record_check(&j->record, sweep, error);
    if (!status && j->record.found)
        status = carom_study_add(&sweep->study, &j->record.study, error);
    return status;
}

// Checks the scene with the common overrides and the values of a point.
static int check_point(const carom_sweep *sweep, int point, const char **overrides) {
    int keys = sweep->study.key_count;
    char *texts[CAROM_STUDY_KEYS_MAX];
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int k = 0; k < keys; k++) {
        overrides[sweep->set_count + k] = texts[k] = carom_case_setting(sweep, point, k);
        if (!texts[k])
            status = carom_fail(&error, CAROM_NO_MEMORY, "no memory for the points of the study");
    }
    if (!status)
        status = carom_scene_examine(sweep->scene, overrides, sweep->set_count + keys, NULL, &findings, &error);
    for (int k = 0; k < keys; k++)
        free(texts[k]);
    if (status)
        return carom_say_read(&findings, status, &error);
    carom_findings_release(&findings);
    return CAROM_EXIT_DONE;
}

static int check_points(const carom_sweep *sweep) {
    int code = CAROM_EXIT_DONE;
    const char **overrides = carom_zeroed((int64_t)sweep->set_count + sweep->study.key_count, sizeof *overrides);
    if (!overrides)
        return carom_refuse("no memory for the points of the study");
    for (int i = 0; i < sweep->set_count; i++)
        overrides[i] = sweep->set[i];
    for (int point = 0; point < sweep->study.point_count && !code; point++)
        code = check_point(sweep, point, overrides);
    free(overrides);
    return code;
}

// Writes the record, creates the folder of runs, and reads the earlier result of each run.
static carom_status open_runs(job *j, int *waiting, carom_error *error) {
    carom_sweep *sweep = &j->sweep;
    char path[CAROM_PATH_MAX];
    int count = sweep->study.point_count;
    *waiting = 0;
    sweep->cases = carom_zeroed(count, sizeof *sweep->cases);
    if (!sweep->cases)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the runs");
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++) {
        carom_study_folder(&sweep->study, i, sweep->cases[i].folder);
        status = carom_case_read(sweep, i, error);
        *waiting += sweep->cases[i].status == CAROM_CASE_WAITING;
    }
    if (!status)
        status = carom_record_write(sweep, error);
    snprintf(path, sizeof path, "%s/runs", sweep->directory);
    if (!status && mkdir(path, 0777) != 0 && errno != EEXIST)
        status = carom_fail(error, CAROM_IO, "cannot make %s: %s", path, strerror(errno));
    return status;
}

static carom_status write_results(const carom_sweep *sweep, carom_error *error) {
    carom_status status = carom_table_write(sweep, error);
    return status ? status : carom_sweep_page_write(sweep, error);
}

static carom_status run_ended(carom_sweep *sweep, int point, void *context, carom_error *error) {
    job *j = context;
    carom_case *run = &sweep->cases[point];
    carom_case_read_results(sweep, point);
    carom_progress_ended(j->progress, run);
    // a run that was interrupted or killed has no final status
    carom_status status = CAROM_OK;
    if (run->status != CAROM_CASE_INTERRUPTED && run->status != CAROM_CASE_KILLED)
        status = carom_case_write(sweep, point, error);
    if (!status && carom_progress_wants_results(j->progress))
        status = write_results(sweep, error);
    return status;
}

static void tick(const carom_sweep *sweep, int running, void *context) {
    (void)sweep;
    carom_progress_show(((job *)context)->progress, running);
}

static int run_all(job *j, int waiting) {
    carom_sweep *sweep = &j->sweep;
    carom_error error = {0};
    int processors = carom_threads(), jobs = j->jobs ? j->jobs : processors;
    jobs = jobs > waiting ? waiting : jobs;
    const carom_pool_def def = {
        .jobs = jobs,
        .threads = j->threads                          ? j->threads
                   : jobs > 0 && processors / jobs > 1 ? processors / jobs
                                                       : 1,
        .ended = run_ended,
        .tick = tick,
        .context = j,
    };
    j->progress = carom_progress_begin(sweep->study.point_count, waiting, j->quiet);
    // the table lists all points from the beginning, and remains if this process is killed
    carom_status status = write_results(sweep, &error);
    if (!status && waiting > 0)
        status = carom_pool_run(sweep, &def, &error);
    carom_progress_end(j->progress);
    carom_error later = {0};
    carom_status written = write_results(sweep, status ? &later : &error);
    if (written && status)
        carom_say_error("%s", later.message);
    if (status == CAROM_INTERRUPTED)
        carom_say_error("interrupted; the same command goes on with what is not complete");
    else if (status || written)
        return carom_say_failure(&error);
    if (!j->quiet)
        carom_progress_print_result(sweep);
    return carom_sweep_exit_code(sweep);
}

static int sweep_scene(job *j) {
    carom_error error = {0};
    bool given;
    int waiting;
    int code = read_options(j);
    if (!code)
        code = open_scene(j);
    if (!code)
        code = lock_directory(j, false);
    if (!code)
        code = read_record(j, &given);
    if (!code && choose_points(j, given, &error) != CAROM_OK)
        code = carom_say_failure(&error);
    if (!code)
        code = check_points(&j->sweep);
    if (!code)
        code = lock_directory(j, true);
    if (!code && open_runs(j, &waiting, &error) != CAROM_OK)
        code = carom_say_failure(&error);
    return code ? code : run_all(j, waiting);
}

int carom_command_sweep(const carom_arguments *arguments) {
    job *j = calloc(1, sizeof *j);
    if (!j)
        return carom_refuse("no memory for the sweep");
    j->arguments = arguments;
    j->quiet = carom_arguments_value(arguments, "quiet") != NULL;
    j->resume = carom_arguments_value(arguments, "resume") != NULL;
    j->sweep.scene = arguments->operands[0];
    j->sweep.fields = carom_arguments_value(arguments, "fields") != NULL;
    int code = sweep_scene(j);
    carom_lock_release(j->lock);
    for (int i = 0; j->sweep.cases && i < j->sweep.study.point_count; i++) {
        free(j->sweep.cases[i].message);
        carom_row_release(&j->sweep.cases[i].results);
    }
    free(j->sweep.cases);
    carom_study_release(&j->sweep.study);
    carom_record_release(&j->record);
    free(j);
    return code;
}
