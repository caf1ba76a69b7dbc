// SPDX-License-Identifier: MIT
// Reads the files of a result for the report page, and writes the page.
#include "app/show/result_bundle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/installed.h"
#include "app/json.h"
#include "app/message.h"
#include "carom/file.h"
#include "carom/scene.h"

// Relative to bin/ of an installation, which may have been moved.
static const char template_place[] = "../share/carom/report.html";

static bool exists(const char *directory, const char *name) {
    char path[CAROM_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &info) == 0;
}

// The text of a file of the result, with a final zero; NULL if it does not exist or was not written by carom.
static carom_status read_own(const char *directory, const char *name, char **text, size_t *size, carom_error *error) {
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    *text = NULL;
    *size = 0;
    // A page without a summary or a scene is possible: an interrupted run may lack them.
    if (!exists(directory, name) || carom_file_is_foreign(directory, name))
        return CAROM_OK;
    unsigned char *bytes;
    carom_status status = carom_read_bytes(path, &bytes, size, error);
    if (status)
        return status;
    *text = realloc(bytes, *size + 1);
    if (!*text) {
        free(bytes);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", path);
    }
    (*text)[*size] = 0;
    return CAROM_OK;
}

// The summary is copied into the page, so it must be JSON.
static carom_status read_summary(carom_result_bundle *e, const char *directory, carom_error *error) {
    size_t size;
    carom_status status = read_own(directory, "summary.json", &e->summary, &size, error);
    if (status || !e->summary)
        return status;
    carom_json *root = carom_json_parse(e->summary, size);
    // A damaged summary would break the script of the page.
    if (!root)
        return carom_fail(error, CAROM_BAD_INPUT, "%s/summary.json is not JSON", directory);
    snprintf(e->title, sizeof e->title, "%s", carom_json_text(root, "title"));
    snprintf(e->integrator, sizeof e->integrator, "%s", carom_json_text(root, "integrator"));
    carom_json_release(root);
    return CAROM_OK;
}

// The last part of the absolute path: two_bars for "out/two_bars/", and for "." if that is the working directory.
static void name_directory(const char *directory, char *name, size_t size) {
    char *real = realpath(directory, NULL);
    const char *slash = real ? strrchr(real, '/') : NULL;
    snprintf(name, size, "%s", slash && slash[1] ? slash + 1 : directory);
    free(real);
}

carom_status carom_result_bundle_read(const char *directory, carom_result_bundle *e, carom_error *error) {
    *e = (carom_result_bundle){0};
    if (strlen(directory) >= CAROM_TEXT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of the directory is too long");
    struct stat info;
    // from the directory to the file, so that the message names what is missing
    if (stat(directory, &info) != 0)
        return carom_fail(error, CAROM_IO, "cannot read %s: %s", directory, strerror(errno));
    if (!exists(directory, "history.csv"))
        return carom_fail(error, CAROM_BAD_INPUT, "%s holds no result of carom: there is no history.csv", directory);
    if (carom_file_is_foreign(directory, "history.csv"))
        return carom_fail(error, CAROM_BAD_INPUT, "%s/history.csv was not written by carom", directory);
    carom_status status = read_summary(e, directory, error);
    size_t size = 0;
    if (!status)
        status = read_own(directory, "scene.yaml", &e->scene, &size, error);
    if (status)
        return status;
    name_directory(directory, e->name, sizeof e->name);
    // without a title in the summary, the name of the folder is the title
    if (!*e->title)
        memcpy(e->title, e->name, sizeof e->title);
    e->run = (carom_page_run){
        .name = e->name, .integrator = e->integrator, .directory = directory, .summary = e->summary, .scene = e->scene};
    if (e->scene) {
        e->bodies = carom_scene_body_list(e->scene, size, &e->run.body_count);
        e->planes = carom_scene_planes(e->scene, size, &e->run.plane_count);
    }
    e->run.bodies = e->bodies;
    e->run.planes = e->planes;
    return CAROM_OK;
}

void carom_result_bundle_release(carom_result_bundle *bundle) {
    free(bundle->summary);
    free(bundle->scene);
    free(bundle->bodies);
    free(bundle->planes);
    *bundle = (carom_result_bundle){0};
}

carom_status carom_template_find(char path[static CAROM_PATH_MAX], carom_error *error) {
    // if CAROM_VIEWER is set, no other template is used
    const char *asked = getenv("CAROM_VIEWER");
    if (asked && *asked) {
        snprintf(path, CAROM_PATH_MAX, "%s", asked);
        if (access(path, R_OK) == 0)
            return CAROM_OK;
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read the template of the report page that CAROM_VIEWER names, %s: %s",
                          asked, strerror(errno));
    }
    // installed with the command
    if (carom_installed_find(template_place, path))
        return CAROM_OK;
// A command that was built but not installed finds the template of its build folder.
#ifdef CAROM_VIEWER_BUILD
    snprintf(path, CAROM_PATH_MAX, "%s", CAROM_VIEWER_BUILD);
    if (access(path, R_OK) == 0)
        return CAROM_OK;
#endif
    return carom_fail(error, CAROM_BAD_INPUT,
                      "this carom was built without its report page: `make` builds it where node and npm are installed; or let "
                      "CAROM_VIEWER name the template report.html of another one");
}

int carom_page_size_option(const carom_arguments *arguments, double *bytes) {
    *bytes = CAROM_PAGE_MEGABYTES * 1e6;
    const char *text = carom_arguments_value(arguments, "max-size");
    if (!text)
        return CAROM_EXIT_DONE;
    char *end;
    double megabytes = strtod(text, &end);
    if (end == text || *end || !(megabytes > 0) || !isfinite(megabytes)) {
        carom_say_error("--max-size expects a number of megabytes > 0, found '%s'", text);
        return CAROM_EXIT_INPUT;
    }
    *bytes = 1e6 * megabytes;
    return CAROM_EXIT_DONE;
}

// Each omission is reported, because the page would otherwise be taken for the whole result.
void carom_page_note(const carom_page_facts *facts, double size_max) {
    if (facts->damaged > 0)
        carom_say_note("%d %s cannot be read and %s left out: %s", facts->damaged,
                       carom_plural(facts->damaged, "frame", "frames"), carom_plural(facts->damaged, "is", "are"),
                       facts->damage);
    if (facts->colourless > 0)
        carom_say_note("the frames have no field to colour by: bodies are shown plain (output.fields.names chose others; "
                       "velocity, displacement and von_mises_nodes are good ones)");
    if (facts->hollow > 0)
        carom_say_note("the inside of solids is left out to keep the page below %g MB (--max-size changes that)",
                       size_max / 1e6);
    if (facts->omitted > 0)
        carom_say_note("%d %s left out to keep the page below %g MB (--max-size changes that)", facts->omitted,
                       carom_plural(facts->omitted, "field is", "fields are"), size_max / 1e6);
    if (facts->dropped > 0)
        carom_say_note("%d of %d frames are left out to keep the page below %g MB (--max-size changes that)", facts->dropped,
                       facts->frames + facts->dropped, size_max / 1e6);
    if (facts->bytes > size_max)
        carom_say_note("the page has %.3g MB: no more frames could be left out", facts->bytes / 1e6);
    if (facts->skipped > 0)
        carom_say_note("the page holds the extremes and some other rows of long tables: %lld are left out",
                       (long long)facts->skipped);
}

carom_status carom_result_bundle_write(const char *directory, const char *path, double size_max, carom_error *error) {
    char template[CAROM_PATH_MAX];
    carom_result_bundle bundle = {0};
    carom_page_facts facts = {0};
    carom_status status = strlen(path) >= CAROM_PATH_MAX
                              ? carom_fail(error, CAROM_BAD_INPUT, "the name of the page is too long")
                              : carom_result_bundle_read(directory, &bundle, error);
    if (!status)
        status = carom_template_find(template, error);
    if (!status) {
        const carom_page_def def = {.template_path = template,
                                    .kind = "run",
                                    .title = bundle.title,
                                    .run_count = 1,
                                    .runs = &bundle.run,
                                    .size_max = size_max};
        status = carom_page_write(path, &def, &facts, error);
    }
    if (!status) {
        if (!exists(directory, "fields.pvd") && exists(directory, "fields.vtkhdf"))
            carom_say_note("the page shows no motion: carom reads no .vtkhdf files; run with output.fields.format=vtu or both");
        carom_page_note(&facts, size_max);
    }
    carom_result_bundle_release(&bundle);
    return status;
}
