// SPDX-License-Identifier: MIT
// carom verify: runs the scenes with expectations, and shows their results as a table or as a document.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/installed.h"
#include "app/message.h"
#include "app/threads.h"
#include "app/verdicts.h"
#include "app/verify/scene_list.h"
#include "app/verify/verification.h"
#include "carom/scene.h"

// Set by the build to the place of installation.
#ifndef CAROM_DATA_DIR
#define CAROM_DATA_DIR "/usr/local/share/carom"
#endif

// Folders below the scenes that are always run.
static const char *const usual_folders[] = {"papers", "verify", "rigid", "joints", "obstacles"};

// Columns of the table, 100 together: scene, gate, condition, exact or published value, result, difference, pass.
enum { SCENE = 26, GATE = 25, EXPECTED = 14, EXACT = 9, FOUND = 11, ERROR = 9 };

// A gate fails if its condition is false; a scene is broken if it could not be run to its end.
typedef struct tally {
    int scenes, gates, failed, broken;
} tally;

// One call of the command.
typedef struct verifier {
    const carom_arguments *arguments;
    const char *folder; // with the scenes
    FILE *table;        // stdout, or stderr if the document goes to stdout
    bool planned;       // list the gates and run nothing
    bool *used;         // of each operand: it matches a scene
    bool *whole;        // of each operand: it is the full name of a scene, and matches no other
    carom_scene_list given, usual, all;
    carom_verification document;
    tally sum;
} verifier;

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Finds the folder with the scenes: that of --scenes, ./scenes, the one installed with the command, or the installation folder
// of the build.
static const char *find_folder(const carom_arguments *arguments, char place[static CAROM_PATH_MAX]) {
    const char *asked = carom_arguments_value(arguments, "scenes");
    if (asked)
        return asked;
    // A checkout has its scenes in the present directory; they may be newer than those installed.
    if (is_directory("scenes"))
        return "scenes";
    return carom_installed_find("../share/carom/scenes", place) ? place : CAROM_DATA_DIR "/scenes";
}

// An operand that is the path of a scene or of a folder, not a part of a name.
static bool is_path(const char *operand) {
    bool scene = carom_names_scene(operand);
    return (scene || strchr(operand, '/')) && access(operand, F_OK) == 0 && (scene || is_directory(operand));
}

// The path relative to the folder, without the ending; the whole path if it is outside of the folder.
static void short_name(const char *folder, const char *path, char name[static 256]) {
    size_t size = strlen(folder);
    bool inside = strncmp(path, folder, size) == 0 && path[size] == '/';
    snprintf(name, 256, "%s", inside ? path + size + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
}

// True if a scene matches the operands, or if there are none. Marks the operands that match, so that a misspelt one is
// reported.
static bool wanted(const verifier *v, const char *name) {
    bool any = v->arguments->operand_count == 0;
    for (int i = 0; i < v->arguments->operand_count; i++) {
        const char *operand = v->arguments->operands[i];
        if (is_path(operand) || (v->whole[i] ? strcmp(name, operand) != 0 : !strstr(name, operand)))
            continue;
        v->used[i] = true;
        any = true;
    }
    return any;
}

// Prints a gate. The name of the scene is given only for its first gate. A plan has neither results nor errors.
static void print_line(const verifier *v, const char *name, const carom_verdict *verdict) {
    char exact[CAROM_VERDICT_TEXT] = "", error[CAROM_VERDICT_TEXT], value[CAROM_VERDICT_TEXT];
    carom_verdict_error(verdict, error);
    carom_verdict_value(verdict, 5, value);
    if (!isnan(verdict->exact))
        snprintf(exact, sizeof exact, "%.5g", verdict->exact);
    carom_print_cell(name, 0, SCENE, v->table);
    carom_print_cell(verdict->name, SCENE, GATE, v->table);
    carom_print_cell(verdict->condition, SCENE + GATE, EXPECTED, v->table);
    fprintf(v->table, "%*s%*s%*s  ", EXACT, exact, FOUND, v->planned ? "" : value, ERROR, v->planned ? "" : error);
    if (v->planned)
        fputs("open", v->table);
    else
        carom_verdict_print_word(verdict->passed, v->table);
    fputc('\n', v->table);
}

// Prints the line of a scene that cannot be run.
static void print_broken(const verifier *v, const char *name, const char *message) {
    carom_print_cell(name, 0, SCENE, v->table);
    fprintf(v->table, "%sERROR%s %s\n", carom_style_begin(CAROM_STYLE_BAD, v->table), carom_style_end(v->table), message);
}

// Runs a loaded scene and judges its gates; *verdicts is NULL if there are none.
static carom_status run_scene(const carom_scene *scene, const char *path, carom_verdict **verdicts, carom_error *error) {
    carom_sim *sim = NULL;
    carom_summary summary = {0};
    carom_status status =
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, error);
    const carom_run_def def = {
        .scene = path,
        .output = carom_scene_output(scene),
        // Verification writes no files, so it can run in an installed, read-only tree.
        .discard = true,
        .handle_signals = true,
        .progress = isatty(STDERR_FILENO) ? CAROM_PROGRESS_BAR : CAROM_PROGRESS_NONE,
    };
    if (!status)
        status = carom_run(sim, &def, &summary, error);
    int count = 0;
    if (!status)
        *verdicts = carom_verdicts_judge(scene, sim, &summary, &count);
    if (count < 0)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the verdicts");
    carom_summary_release(&summary);
    carom_sim_release(sim);
    return status;
}

// Runs a loaded scene, unless gates are only listed, prints its gates and adds them to the document.
static carom_status verify_loaded(verifier *v, const carom_scene *scene, const char *path, const char *name, bool documented,
                                  carom_error *error) {
    carom_verdict *verdicts = NULL;
    int count = carom_scene_expectation_count(scene);
    carom_status status = v->planned ? CAROM_OK : run_scene(scene, path, &verdicts, error);
    for (int i = 0; i < count && !status; i++) {
        // A plan shows the gates with what is expected and no value.
        carom_verdict verdict = verdicts ? verdicts[i] : carom_scene_expectation(scene, i);
        print_line(v, i == 0 ? name : "", &verdict);
    }
    if (!status && count == 0) {
        carom_print_cell(name, 0, SCENE, v->table);
        fprintf(v->table, "%s has no expect: block\n", v->planned ? "it" : "runs; it");
    }
    if (!status) {
        v->sum.gates += count;
        v->sum.failed += verdicts ? carom_verdicts_failed(verdicts, count) : 0;
    }
    if (!status && documented)
        status = carom_verification_add(&v->document, scene, name, verdicts, error);
    free(verdicts);
    return status;
}

// An extra scene is one outside the usual folders: it counts only if it has gates, and is not part of the document.
static carom_status verify_scene(verifier *v, const char *path, const char *name, bool extra) {
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_load(path, NULL, 0, &scene, &findings, &error);
    carom_say_findings(&findings);
    // with --all, scenes without gates are only read, which finds their errors
    bool skip = !status && extra && carom_scene_expectation_count(scene) == 0;
    if (!status && !skip)
        status = verify_loaded(v, scene, path, name, !extra, &error);
    if (!skip)
        v->sum.scenes++;
    if (status && status != CAROM_INTERRUPTED) {
        v->sum.broken++;
        print_broken(v, name, error.message);
    }
    // output after each scene: all of them take minutes
    fflush(v->table);
    carom_findings_release(&findings);
    carom_scene_release(scene);
    return status;
}

// Lists the paths of the command line, then the usual folders; with --all, or to match names, all other scenes.
static carom_status list_scenes(verifier *v, carom_error *error) {
    const carom_arguments *arguments = v->arguments;
    carom_status status = CAROM_OK;
    for (int i = 0; i < arguments->operand_count && !status; i++) {
        char path[CAROM_TEXT_MAX];
        if (!is_path(arguments->operands[i]))
            continue;
        snprintf(path, sizeof path, "%s", arguments->operands[i]);
        // A trailing slash would spoil the comparison with the paths in the lists.
        for (size_t size = strlen(path); size > 1 && path[size - 1] == '/'; size--)
            path[size - 1] = 0;
        int before = v->given.count;
        status = carom_scene_list_add(&v->given, path, error);
        v->used[i] = v->given.count > before;
    }
    for (size_t i = 0; i < sizeof usual_folders / sizeof *usual_folders && !status; i++) {
        char path[CAROM_TEXT_MAX];
        snprintf(path, sizeof path, "%s/%s", v->folder, usual_folders[i]);
        status = carom_scene_list_add(&v->usual, path, error);
    }
    // operands may match any scene
    if (!status && (carom_arguments_value(arguments, "all") || arguments->operand_count > 0))
        status = carom_scene_list_add(&v->all, v->folder, error);
    for (int s = 0; s < v->all.count && !status; s++) {
        char name[256];
        short_name(v->folder, v->all.paths[s], name);
        for (int i = 0; i < arguments->operand_count; i++)
            v->whole[i] |= strcmp(name, arguments->operands[i]) == 0;
    }
    return status;
}

static bool is_listed(const carom_scene_list *list, const char *path) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->paths[i], path) == 0)
            return true;
    return false;
}

// A path on the command line is run whether or not it has gates. Only an interruption ends the list.
static carom_status verify_given(verifier *v) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < v->given.count && status != CAROM_INTERRUPTED; i++) {
        char name[256];
        short_name(v->folder, v->given.paths[i], name);
        status = verify_scene(v, v->given.paths[i], name, false);
    }
    return status == CAROM_INTERRUPTED ? status : CAROM_OK;
}

// Runs the scenes of a list, except those that an earlier list has run.
static carom_status verify_list(verifier *v, const carom_scene_list *list, const carom_scene_list *done) {
    for (int i = 0; i < list->count; i++) {
        char name[256];
        short_name(v->folder, list->paths[i], name);
        bool before = is_listed(&v->given, list->paths[i]) || (done && is_listed(done, list->paths[i]));
        if (!wanted(v, name) || before)
            continue;
        carom_status status = verify_scene(v, list->paths[i], name, done && v->arguments->operand_count == 0);
        if (status == CAROM_INTERRUPTED)
            return status;
    }
    return CAROM_OK;
}

// Prints the sums, and operands without a scene. The exit code of such an operand has priority over that of a failed gate.
static int report(const verifier *v) {
    const tally *sum = &v->sum;
    int code = sum->failed > 0 || sum->broken > 0 ? CAROM_EXIT_GATE : CAROM_EXIT_DONE;
    if (sum->scenes > 0) {
        fprintf(v->table, "\n%d scene%s, %d gate%s, ", sum->scenes, sum->scenes == 1 ? "" : "s", sum->gates,
                sum->gates == 1 ? "" : "s");
        const char *broken = sum->broken ? ", some scenes could not be run" : "";
        if (v->planned)
            fprintf(v->table, "none run%s\n", broken);
        else
            fprintf(v->table, "%d failed%s\n", sum->failed, broken);
    }
    for (int i = 0; i < v->arguments->operand_count; i++) {
        if (v->used[i])
            continue;
        carom_say_error("no scene in %s has '%s' in its path", v->folder, v->arguments->operands[i]);
        code = CAROM_EXIT_INPUT;
    }
    if (sum->scenes == 0 && v->arguments->operand_count == 0) {
        carom_say_error("no scenes found in %s (say where they are with --scenes DIR)", v->folder);
        code = CAROM_EXIT_INPUT;
    }
    return code;
}

// Runs all listed scenes. After an interruption no document is written, because it would be incomplete.
static int verify_all(verifier *v) {
    if (v->given.count + v->usual.count + v->all.count > 0)
        fprintf(v->table, "%-*s%-*s%-*s%*s%*s%*s  %s\n", SCENE, "scene", GATE, "gate", EXPECTED, "expected", EXACT, "exact",
                FOUND, "carom", ERROR, "error", "pass");
    carom_status status = verify_given(v);
    if (!status)
        status = verify_list(v, &v->usual, NULL);
    if (!status)
        status = verify_list(v, &v->all, &v->usual);
    if (status == CAROM_INTERRUPTED)
        return CAROM_EXIT_INTERRUPTED;
    int code = report(v);
    if (carom_arguments_value(v->arguments, "markdown") && code != CAROM_EXIT_INPUT)
        carom_verification_print(&v->document, stdout);
    return code;
}

int carom_command_verify(const carom_arguments *arguments) {
    int code = carom_set_threads_option(arguments);
    if (code)
        return code;
    carom_error error = {0};
    char place[CAROM_PATH_MAX];
    verifier v = {
        .arguments = arguments,
        .folder = find_folder(arguments, place),
        .table = carom_arguments_value(arguments, "markdown") ? stderr : stdout,
        .planned = carom_arguments_value(arguments, "plan"),
        .used = calloc((size_t)arguments->operand_count + 1, sizeof *v.used),
        .whole = calloc((size_t)arguments->operand_count + 1, sizeof *v.whole),
    };
    v.document.planned = v.planned;
    carom_status status =
        v.used && v.whole ? list_scenes(&v, &error) : carom_fail(&error, CAROM_NO_MEMORY, "no memory for the list of scenes");
    code = status ? carom_say_failure(&error) : verify_all(&v);
    free(v.used);
    free(v.whole);
    carom_verification_release(&v.document);
    carom_scene_list_release(&v.given);
    carom_scene_list_release(&v.usual);
    carom_scene_list_release(&v.all);
    return code;
}
