// SPDX-License-Identifier: MIT
// A scene file, from bytes to a model: text -> tree -> overrides -> definition -> checks -> model. Each stage runs only if the
// previous ones have a result, and the model is built only if there are no findings.
#include "scene/scene.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/numerals.h"
#include "carom/text.h"
#include "scene/read/bind.h"
#include "scene/read/old_spellings.h"
#include "scene/read/override.h"
#include "scene/read/yaml.h"

// The default result directory: out/ and the name of the file without folder and ending.
static void default_directory(const char *name, char directory[CAROM_TEXT_MAX]) {
    // the last component of the path, up to its last dot
    const char *slash = strrchr(name, '/');
    const char *stem = slash ? slash + 1 : name;
    const char *dot = strrchr(stem, '.');
    // a leading dot is part of the name
    int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    if (length == 0 || length > 255)
        snprintf(directory, CAROM_TEXT_MAX, "out/scene");
    else
        snprintf(directory, CAROM_TEXT_MAX, "out/%.*s", length, stem);
}

char *carom_scene_file(const char *scene, const char *path) {
    const char *slash = strrchr(scene, '/');
    int folder = slash && path[0] != '/' ? (int)(slash + 1 - scene) : 0;
    size_t size = (size_t)folder + strlen(path) + 1;
    char *file = malloc(size);
    if (file)
        snprintf(file, size, "%.*s%s", folder, scene, path);
    return file;
}

// The ending decides: JSON is read strictly, without the extensions of YAML.
static carom_yaml_dialect dialect_of(const char *name) {
    size_t length = strlen(name);
    return length >= 5 && strcmp(name + length - 5, ".json") == 0 ? CAROM_JSON : CAROM_YAML;
}

// A mesh given instead of a scene causes YAML errors that do not help the user. Those of a scene with such a file name are
// reported.
static void report_mesh(carom_report *report) {
    if (!report->findings.count || !carom_path_is_mesh(report->file))
        return;
    const char *slash = strrchr(report->file, '/'), *name = slash ? slash + 1 : report->file;
    carom_finding *finding = &report->findings.items[0];
    char fault[sizeof finding->message];
    memcpy(fault, finding->message, sizeof fault);
    snprintf(finding->message, sizeof finding->message,
             "this is probably a mesh and not a scene (`mesh: {file: {path: %.200s}}` of a body reads it): %.200s", name,
             fault);
}

// All stages. Faults of the scene go to the report and return CAROM_OK; the status is for other failures.
static carom_status fill(carom_scene *scene, const carom_scene_source *source, double element_limit, carom_report *report,
                         carom_error *error) {
    const carom_tree *root = carom_yaml_parse(source->text, source->size, dialect_of(report->file), NULL, scene->arena, report);
    if (!root) {
        report_mesh(report);
        return CAROM_OK;
    }
    for (int i = 0; i < source->override_count; i++)
        root = carom_override_apply(root, source->overrides[i], scene->arena, report);
    root = carom_old_spellings_replace(root, scene->arena, report);
    scene->added = source->loads;
    scene->added_count = source->load_count;
    carom_bind(root, &scene->def, scene->arena, report);
    // an analysis is treated as an integrator; its time is the load factor
    if (scene->def.analysis.kind) {
        scene->def.integrator = scene->def.analysis;
        scene->def.time = carom_static_time(scene->def.analysis.params);
    }
    if (!scene->def.output.directory[0])
        default_directory(report->file, scene->def.output.directory);

    int count = scene->def.bodies.count;
    carom_mesh *meshes = carom_allocate(count, sizeof *meshes);
    if (!meshes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
    // checks run even after findings of the binder, so that one run reports all faults
    carom_scene_check(scene, root, meshes, element_limit, report);
    carom_status status = CAROM_OK;
    // a model is built only from a definition without faults
    if (report->findings.count == 0 && !report->failed)
        status = carom_scene_build(scene, root, meshes, report, error);
    for (int i = 0; i < count; i++)
        carom_mesh_release(&meshes[i]);
    free(meshes);
    return status;
}

// The first finding as an error message, for callers that do not take findings.
static carom_status first_finding(const carom_findings *findings, carom_error *error) {
    const carom_finding *first = &findings->items[0];
    char place[32] = "";
    if (first->line)
        snprintf(place, sizeof place, ":%d:%d", first->line, first->column);
    return carom_fail(error, CAROM_BAD_INPUT, "%.300s%s: %s%s%s", first->file, place, first->path, first->path[0] ? ": " : "",
                      first->message);
}

// Lack of memory has priority over findings, which may then be incomplete.
carom_status carom_report_close(carom_report *report, carom_status status, carom_findings *findings, carom_error *error) {
    if (!status && report->failed)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
    if (!status && report->findings.count) {
        carom_report_sort(report);
        status = first_finding(&report->findings, error);
    }
    if (findings)
        *findings = report->findings;
    else
        carom_findings_release(&report->findings);
    return status;
}

// On any fault the partial scene is released; the findings remain.
carom_status carom_scene_read(const carom_scene_source *source, double element_limit, carom_scene **scene,
                              carom_findings *findings, carom_error *error) {
    *scene = NULL;
    carom_report report = {.file = source->name};
    carom_scene *made = calloc(1, sizeof *made);
    if (made)
        made->arena = carom_arena_create();
    carom_status status = CAROM_OK;
    // numbers of a scene have a decimal point in every locale
    carom_numerals numerals = carom_numerals_enter();
    if (!made || !made->arena)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
    else
        status = fill(made, source, element_limit, &report, error);
    carom_numerals_leave(numerals);
    status = carom_report_close(&report, status, findings, error);
    if (status)
        carom_scene_release(made);
    else
        *scene = made;
    return status;
}

carom_status carom_scene_parse(const char *text, size_t size, const char *name, const char *const *overrides,
                               int override_count, carom_scene **scene, carom_findings *findings, carom_error *error) {
    const carom_scene_source source = {
        .text = text, .size = size, .name = name, .overrides = overrides, .override_count = override_count};
    return carom_scene_read(&source, HUGE_VAL, scene, findings, error);
}

// Reads a file, up to slightly more than the largest scene: the parser reports the excess. Returns 0 or an
// errno.
static int read_all(const char *path, carom_text *text) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno;
    char buffer[1 << 14];
    size_t count;
    errno = 0;
    // a device or a huge file must not fill the memory
    while (text->size <= CAROM_YAML_SIZE_MAX && !text->failed && (count = fread(buffer, 1, sizeof buffer, file)) > 0)
        carom_text_append(text, buffer, count);
    int failure = text->failed ? ENOMEM : ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    return failure;
}

// A file that cannot be read is reported both as a finding and as an error.
static carom_status cannot_read(const char *path, int failure, carom_findings *findings, carom_error *error) {
    carom_report report = {.file = path};
    carom_report_add(&report, (carom_place){0}, "", "cannot be read: %s", strerror(failure));
    if (findings)
        *findings = report.findings;
    else
        carom_findings_release(&report.findings);
    return carom_fail(error, failure == ENOMEM ? CAROM_NO_MEMORY : CAROM_IO, "%s: cannot be read: %s", path, strerror(failure));
}

carom_status carom_scene_open(const carom_scene_source *source, carom_scene **scene, carom_findings *findings,
                              carom_error *error) {
    *scene = NULL;
    if (!source->path)
        return carom_scene_read(source, HUGE_VAL, scene, findings, error);
    carom_text text = {0};
    int failure = read_all(source->path, &text);
    carom_scene_source read = *source;
    read.text = text.data ? text.data : "";
    read.size = text.size;
    read.name = source->path;
    carom_status status = failure ? cannot_read(source->path, failure, findings, error)
                                  : carom_scene_read(&read, HUGE_VAL, scene, findings, error);
    carom_text_release(&text);
    return status;
}

carom_status carom_scene_load(const char *path, const char *const *overrides, int override_count, carom_scene **scene,
                              carom_findings *findings, carom_error *error) {
    const carom_scene_source source = {.path = path, .overrides = overrides, .override_count = override_count};
    return carom_scene_open(&source, scene, findings, error);
}

carom_status carom_scene_examine(const char *path, const char *const *overrides, int override_count, carom_scene_facts *facts,
                                 carom_findings *findings, carom_error *error) {
    if (facts)
        *facts = (carom_scene_facts){0};
    carom_text text = {0};
    carom_report report = {.file = path};
    int failure = read_all(path, &text);
    if (failure) {
        carom_text_release(&text);
        return cannot_read(path, failure, findings, error);
    }
    carom_numerals numerals = carom_numerals_enter();
    carom_arena *arena = carom_arena_create();
    carom_scene_def *def = arena ? carom_arena_allocate(arena, 1, sizeof *def) : NULL;
    report.failed = !def;
    const carom_tree *root =
        def ? carom_yaml_parse(text.data ? text.data : "", text.size, dialect_of(path), NULL, arena, &report) : NULL;
    for (int i = 0; root && i < override_count; i++)
        root = carom_override_apply(root, overrides[i], arena, &report);
    if (root)
        root = carom_old_spellings_replace(root, arena, &report);
    if (root)
        carom_bind(root, def, arena, &report);
    if (root && facts) {
        facts->digest = carom_scene_digest(root, def, path);
        memcpy(facts->title, def->title, sizeof facts->title);
        memcpy(facts->directory, def->output.directory, sizeof facts->directory);
        if (!facts->directory[0])
            default_directory(path, facts->directory);
    }
    carom_numerals_leave(numerals);
    carom_arena_release(arena);
    carom_text_release(&text);
    return carom_report_close(&report, CAROM_OK, findings, error);
}

void carom_scene_release(carom_scene *scene) {
    if (!scene)
        return;
    carom_model_release(scene->model);
    carom_arena_release(scene->arena);
    free(scene);
}

const char *carom_scene_title(const carom_scene *scene) {
    return scene->def.title;
}

const carom_units *carom_scene_units(const carom_scene *scene) {
    return &scene->def.units;
}

const carom_model *carom_scene_model(const carom_scene *scene) {
    return scene->model;
}

carom_pick carom_scene_integrator(const carom_scene *scene) {
    return scene->def.integrator;
}

const carom_time_def *carom_scene_time(const carom_scene *scene) {
    return &scene->def.time;
}

const carom_output_def *carom_scene_output(const carom_scene *scene) {
    return &scene->def.output;
}

int carom_scene_expectation_count(const carom_scene *scene) {
    return scene->def.gates.count;
}

carom_verdict carom_scene_expectation(const carom_scene *scene, int expectation) {
    const carom_scene_gate *written = &((const carom_scene_gate *)scene->def.gates.items)[expectation];
    const carom_quantity *quantity = scene->gates[expectation].subject.quantity;
    carom_verdict verdict = {.value = NAN, .exact = NAN};
    memcpy(verdict.name, written->name, sizeof verdict.name);
    memcpy(verdict.condition, written->condition, sizeof verdict.condition);
    memcpy(verdict.source, written->source, sizeof verdict.source);
    if (!isnan(written->exact)) {
        verdict.reference = CAROM_REFERENCE_EXACT;
        verdict.exact = written->exact;
    } else if (!isnan(written->published)) {
        verdict.reference = CAROM_REFERENCE_PUBLISHED;
        verdict.exact = written->published;
    } else if (quantity && quantity->law) {
        verdict.reference = CAROM_REFERENCE_LAW;
        verdict.exact = 0;
        if (!written->source[0])
            snprintf(verdict.source, sizeof verdict.source, "%s", quantity->law);
    }
    return verdict;
}

// The gate as written for the report, its value, and whether it holds.
carom_verdict carom_scene_judge(const carom_scene *scene, int expectation, const carom_sim *sim, const carom_summary *summary) {
    const carom_gate *gate = &scene->gates[expectation];
    carom_verdict verdict = carom_scene_expectation(scene, expectation);
    verdict.value = gate->cell.quantity   ? carom_cell_subject_value(&gate->cell, sim)
                    : gate->pair.quantity ? carom_pair_subject_value(&gate->pair, sim, summary)
                                          : carom_subject_value(&gate->subject, scene->probes, sim, summary);
    verdict.passed = carom_condition_holds(&gate->condition, verdict.value);
    return verdict;
}
