// SPDX-License-Identifier: MIT
// carom verify: runs the scenes that say what is expected of them, and shows how they fare.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/scene_list.h"
#include "app/threads.h"
#include "app/verdicts.h"
#include "carom/scene.h"

#ifndef CAROM_DATA_DIR
#define CAROM_DATA_DIR "/usr/local/share/carom"
#endif

// Folders below the scenes that are always run.
static const char *const usual_folders[] = {"papers", "verify"};

// Columns of the table: scene, gate, what is expected, what was found, pass.
enum { SCENE = 28, GATE = 25, EXPECTED = 24, FOUND = 13 };

typedef struct tally {
    int scenes, gates, failed, broken;
} tally;

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// The folder with the scenes: as asked, beside us, or as installed.
static const char *find_folder(const carom_arguments *arguments) {
    const char *asked = carom_arguments_value(arguments, "scenes");
    if (asked)
        return asked;
    return is_directory("scenes") ? "scenes" : CAROM_DATA_DIR "/scenes";
}

static bool ends_with(const char *text, const char *end) {
    size_t size = strlen(text), end_size = strlen(end);
    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

// An operand that is the path of a scene or of a folder, not a part of a name.
static bool is_path(const char *operand) {
    bool scene = ends_with(operand, ".yaml") || ends_with(operand, ".json");
    return (scene || strchr(operand, '/')) && access(operand, F_OK) == 0 && (scene || is_directory(operand));
}

// The path within the folder, without the ending; all of it if it is elsewhere.
static void short_name(const char *folder, const char *path, char name[static 256]) {
    size_t size = strlen(folder);
    bool inside = strncmp(path, folder, size) == 0 && path[size] == '/';
    snprintf(name, 256, "%s", inside ? path + size + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
}

static bool wanted(const carom_arguments *arguments, const char *name, bool used[]) {
    bool any = arguments->operand_count == 0;
    for (int i = 0; i < arguments->operand_count; i++) {
        if (is_path(arguments->operands[i]) || !strstr(name, arguments->operands[i]))
            continue;
        used[i] = true;
        any = true;
    }
    return any;
}

static void print_line(const char *name, const carom_verdict *verdict) {
    carom_print_cell(name, 0, SCENE, stdout);
    carom_print_cell(verdict->name, SCENE, GATE, stdout);
    carom_print_cell(verdict->condition, SCENE + GATE, EXPECTED, stdout);
    printf("%*.6g  ", FOUND, verdict->value);
    carom_verdict_print_word(verdict->passed, stdout);
    putchar('\n');
}

static void print_broken(const char *name, const char *message) {
    carom_print_cell(name, 0, SCENE, stdout);
    printf("%sERROR%s %s\n", carom_style_begin(CAROM_STYLE_BAD, stdout), carom_style_end(stdout), message);
}

// Runs a loaded scene and shows its gates.
static carom_status run_scene(const carom_scene *scene, const char *path, const char *name, tally *sum, carom_error *error) {
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_status status =
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, error);
    const carom_run_def def = {
        .scene = path,
        .output = carom_scene_output(scene),
        .discard = true,
        .handle_signals = true,
        .progress = isatty(STDERR_FILENO) ? CAROM_PROGRESS_BAR : CAROM_PROGRESS_NONE,
    };
    if (!status)
        status = carom_run(sim, &def, &summary, error);
    int count = 0;
    carom_verdict *verdicts = status ? NULL : carom_verdicts_judge(scene, sim, &summary, &count);
    if (count < 0)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the verdicts");
    for (int i = 0; i < count; i++)
        print_line(i == 0 ? name : "", &verdicts[i]);
    if (!status && count == 0) {
        carom_print_cell(name, 0, SCENE, stdout);
        puts("runs; it has no expect: block");
    }
    if (count > 0) {
        sum->gates += count;
        sum->failed += carom_verdicts_failed(verdicts, count);
    }
    free(verdicts);
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return status;
}

static carom_status verify_scene(const char *path, const char *name, bool only_with_gates, tally *sum) {
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(path, NULL, 0, &scene, &findings, &error);
    carom_findings_print(&findings, stderr);
    bool skip = !status && only_with_gates && carom_scene_expectation_count(scene) == 0;
    if (!status && !skip)
        status = run_scene(scene, path, name, sum, &error);
    if (!skip)
        sum->scenes++;
    if (status && status != CAROM_INTERRUPTED) {
        sum->broken++;
        print_broken(name, error.message);
    }
    fflush(stdout);
    carom_findings_release(&findings);
    carom_scene_release(scene);
    return status;
}

// The paths of the command line first, then the usual folders; with --all then everything else. Names are looked for everywhere.
static carom_status list_scenes(const carom_arguments *arguments, const char *folder, carom_scene_list *given, bool used[],
                                carom_scene_list *usual, carom_scene_list *all, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < arguments->operand_count && !status; i++) {
        char path[CAROM_TEXT_MAX];
        if (!is_path(arguments->operands[i]))
            continue;
        snprintf(path, sizeof path, "%s", arguments->operands[i]);
        for (size_t size = strlen(path); size > 1 && path[size - 1] == '/'; size--)
            path[size - 1] = 0;
        int before = given->count;
        status = carom_scene_list_add(given, path, error);
        used[i] = given->count > before;
    }
    for (size_t i = 0; i < sizeof usual_folders / sizeof *usual_folders && !status; i++) {
        char path[CAROM_TEXT_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, usual_folders[i]);
        status = carom_scene_list_add(usual, path, error);
    }
    if (!status && (carom_arguments_value(arguments, "all") || arguments->operand_count > 0))
        status = carom_scene_list_add(all, folder, error);
    return status;
}

static bool is_listed(const carom_scene_list *usual, const char *path) {
    for (int i = 0; i < usual->count; i++)
        if (strcmp(usual->paths[i], path) == 0)
            return true;
    return false;
}

static carom_status verify_given(const char *folder, const carom_scene_list *given, tally *sum) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < given->count && status != CAROM_INTERRUPTED; i++) {
        char name[256];
        short_name(folder, given->paths[i], name);
        status = verify_scene(given->paths[i], name, false, sum);
    }
    return status == CAROM_INTERRUPTED ? status : CAROM_OK;
}

static carom_status verify_list(const carom_arguments *arguments, const char *folder, const carom_scene_list *list,
                                const carom_scene_list *given, const carom_scene_list *done, bool used[], tally *sum) {
    for (int i = 0; i < list->count; i++) {
        char name[256];
        short_name(folder, list->paths[i], name);
        bool before = is_listed(given, list->paths[i]) || (done && is_listed(done, list->paths[i]));
        if (!wanted(arguments, name, used) || before)
            continue;
        carom_status status = verify_scene(list->paths[i], name, done && arguments->operand_count == 0, sum);
        if (status == CAROM_INTERRUPTED)
            return status;
    }
    return CAROM_OK;
}

static int report(const carom_arguments *arguments, const char *folder, const bool used[], const tally *sum) {
    int code = sum->failed > 0 || sum->broken > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
    if (sum->scenes > 0)
        printf("\n%d scene%s, %d gate%s, %d failed%s\n", sum->scenes, sum->scenes == 1 ? "" : "s", sum->gates,
               sum->gates == 1 ? "" : "s", sum->failed, sum->broken ? ", some scenes could not be run" : "");
    for (int i = 0; i < arguments->operand_count; i++) {
        if (used[i])
            continue;
        carom_say_error("no scene in %s has '%s' in its path", folder, arguments->operands[i]);
        code = CAROM_EXIT_INPUT;
    }
    if (sum->scenes == 0 && arguments->operand_count == 0) {
        carom_say_error("no scenes found in %s (say where they are with --scenes DIR)", folder);
        code = CAROM_EXIT_INPUT;
    }
    return code;
}

int carom_command_verify(const carom_arguments *arguments) {
    int code = carom_set_threads_option(arguments);
    if (code)
        return code;
    const char *folder = find_folder(arguments);
    carom_scene_list given = {0}, usual = {0}, all = {0};
    carom_error error = {0};
    tally sum = {0};
    bool *used = calloc((size_t)arguments->operand_count + 1, sizeof *used);
    carom_status status = used ? list_scenes(arguments, folder, &given, used, &usual, &all, &error)
                               : carom_fail(&error, CAROM_NO_MEMORY, "no memory for the list of scenes");
    if (status) {
        carom_say_error("%s", error.message);
        code = carom_exit_code(status);
    } else {
        if (given.count + usual.count + all.count > 0)
            printf("%-*s%-*s%-*s%*s  %s\n", SCENE, "scene", GATE, "gate", EXPECTED, "expected", FOUND, "carom", "pass");
        status = verify_given(folder, &given, &sum);
        if (!status)
            status = verify_list(arguments, folder, &usual, &given, NULL, used, &sum);
        if (!status)
            status = verify_list(arguments, folder, &all, &given, &usual, used, &sum);
        code = status == CAROM_INTERRUPTED ? CAROM_EXIT_INTERRUPTED : report(arguments, folder, used, &sum);
    }
    free(used);
    carom_scene_list_release(&given);
    carom_scene_list_release(&usual);
    carom_scene_list_release(&all);
    return code;
}
