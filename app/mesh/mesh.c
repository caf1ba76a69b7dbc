// SPDX-License-Identifier: MIT
// carom mesh: contents and quality of a mesh, repair, and conversion to another format.
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/mesh/cad.h"
#include "app/message.h"
#include "carom/file.h"
#include "carom/scene.h"
#include "carom/text.h"

// Notes of the readers about unusual contents, which do not change the exit code.
static void warn(void *context, const char *message) {
    (void)context;
    carom_say_note("%s", message);
}

// The generator named by the first word of a description, or NULL. The text is YAML, with or without braces, and not parsed
// yet.
static const carom_kind *described(const char *text) {
    char name[CAROM_NAME_MAX];
    text += strspn(text, "{ ");
    size_t size = strcspn(text, ": }");
    if (size == 0 || size >= sizeof name)
        return NULL;
    memcpy(name, text, size);
    name[size] = 0;
    return carom_catalogue_find(carom_generators(), name);
}

// A name with the ending of a mesh file is meant as a file; any other may be a misspelt generator.
static void say_unknown(const char *name) {
    if (carom_path_is_mesh(name) || carom_path_is_cad(name)) {
        carom_say_error("cannot read %s: no such file", name);
        return;
    }
    const carom_catalogue *generators = carom_generators();
    const char *names[64];
    int count = 0;
    for (; count < generators->count && count < 64; count++)
        names[count] = generators->kinds[count]->name;
    char word[CAROM_NAME_MAX];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ": "), name);
    const char *nearest = carom_text_nearest(word, names, count);
    if (nearest)
        carom_say_error("'%s' is neither a file nor a mesh generator (did you mean '%s'?)", name, nearest);
    else
        carom_say_error("'%s' is neither a file nor a mesh generator (carom info lists the generators)", name);
}

static carom_status generate(const char *text, const carom_arguments *arguments, carom_mesh *mesh) {
    // options without effect are refused
    static const char *const of_files[] = {"group", "size", "trust"};
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (carom_arguments_value(arguments, of_files[i])) {
            carom_say_error("--%s belongs to a file, but '%s' is a generator", of_files[i], text);
            return CAROM_BAD_INPUT;
        }
    const char *overrides[CAROM_VALUES_MAX];
    int count = carom_arguments_values(arguments, "set", overrides);
    carom_findings findings = {0};
    carom_error error = {0};
    carom_status status = carom_scene_mesh(text, overrides, count, mesh, &findings, &error);
    carom_say_read(&findings, status, &error);
    return status;
}

static carom_status read_file(const char *path, const carom_arguments *arguments, carom_mesh *mesh) {
    carom_error error = {0};
    carom_mesh_read_def def = {.group = carom_arguments_value(arguments, "group"), .warn = warn};
    const char *size_text = carom_arguments_value(arguments, "size");
    carom_cad_def cad = {.trusted = carom_arguments_value(arguments, "trust")};
    if (carom_arguments_value(arguments, "set")) {
        carom_say_error("--set belongs to a generator, but '%s' is a file", path);
        return CAROM_BAD_INPUT;
    }
    // Parsed like a number of a scene, so that both accept the same.
    static const carom_param row = {.name = "size", .type = CAROM_PARAM_REAL, .min = 1e-300, .max = 1e300};
    if (size_text && (!carom_path_is_cad(path) || carom_param_parse(&row, size_text, &cad.size, NULL))) {
        carom_say_error(carom_path_is_cad(path) ? "--size needs a number > 0, found '%s'"
                                                : "--size belongs to a CAD or .geo file, and is of no use here",
                        size_text);
        return CAROM_BAD_INPUT;
    }
    if (cad.trusted && !carom_path_is_cad(path)) {
        carom_say_error("--trust belongs to a CAD or .geo file, and is of no use here");
        return CAROM_BAD_INPUT;
    }
    carom_status status =
        carom_path_is_cad(path) ? carom_cad_read(path, &cad, &def, mesh, &error) : carom_mesh_read(path, &def, mesh, &error);
    if (status)
        carom_say_error("%s", error.message);
    return status;
}

// Prints a line: the label, or blanks for "", and the formatted text.
static void CAROM_PRINTF(2, 3) print_fact(const char *label, const char *format, ...) {
    va_list arguments;
    printf("  %-12s ", label);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

static void print_counts(const carom_mesh *mesh) {
    print_fact("nodes", "%d", mesh->node_count);
    for (int b = 0; b < mesh->block_count; b++) {
        print_fact(b ? "" : "cells", "%d %s", mesh->blocks[b].count, carom_cell_name(mesh->blocks[b].type));
    }
    for (int s = 0; s < mesh->set_count; s++) {
        print_fact(s ? "" : "node sets", "%s (%d)", mesh->sets[s].name, mesh->sets[s].count);
    }
    for (int s = 0; s < mesh->face_set_count; s++) {
        print_fact(s ? "" : "face sets", "%s (%d)", mesh->face_sets[s].name, mesh->face_sets[s].count);
    }
    for (int s = 0; s < mesh->cell_set_count; s++) {
        print_fact(s ? "" : "cell sets", "%s (%d)", mesh->cell_sets[s].name, mesh->cell_sets[s].count);
    }
}

// Only measures that the mesh has: a line has no area, a sheet no volume.
static void print_geometry(const carom_mesh_facts *facts, const carom_mesh_faults *faults) {
    print_fact("box", "[%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g]", facts->low[0], facts->low[1], facts->low[2], facts->high[0],
               facts->high[1], facts->high[2]);
    if (facts->longest_edge > 0)
        print_fact("edges", "%.6g to %.6g", facts->shortest_edge, facts->longest_edge);
    if (facts->length > 0)
        print_fact("length", "%.10g", facts->length);
    if (facts->area > 0) {
        print_fact("area", "%.10g", facts->area);
        int64_t open = faults->count[CAROM_FAULT_OPEN];
        if (facts->closed)
            print_fact("surface", "closed");
        else
            print_fact("surface", "open, %" PRId64 " edge%s", open, open == 1 ? "" : "s");
    }
    if (facts->volume != 0)
        print_fact("volume", "%.10g", facts->volume);
}

// A bar for each tenth of quality from the first that has cells.
static void print_quality(const carom_mesh_facts *facts) {
    enum { WIDTH = 40 };
    int64_t most = 1;
    int first = CAROM_QUALITY_BINS - 1;
    for (int i = CAROM_QUALITY_BINS - 1; i >= 0; i--) {
        most = facts->quality[i] > most ? facts->quality[i] : most;
        first = facts->quality[i] ? i : first;
    }
    print_fact("quality", "worst %.4g (1: regular)", facts->worst_quality);
    for (int i = first; i < CAROM_QUALITY_BINS; i++) {
        int64_t count = facts->quality[i];
        // Rounded up, so that a single bad cell is visible.
        int width = (int)((count * WIDTH + most - 1) / most);
        print_fact("", "%.1f-%.1f %.*s%*s %" PRId64, i * 0.1, (i + 1) * 0.1, width, "########################################",
                   WIDTH - width, "", count);
    }
}

// Each kind of fault that was repaired, with the repair; the other kinds cannot be repaired.
static void print_changes(const carom_mesh_faults *changes) {
    static const struct {
        const char *what, *done;
    } words[CAROM_FAULT_COUNT] = {
        [CAROM_FAULT_INVERTED] = {"inverted cell", "turned"},
        [CAROM_FAULT_DEGENERATE] = {"degenerate cell", "dropped"},
        [CAROM_FAULT_UNUSED] = {"unused node", "dropped"},
        [CAROM_FAULT_DUPLICATE] = {"duplicate node", "welded"},
        [CAROM_FAULT_ORIENTATION] = {"face", "of the surface turned"},
    };
    bool any = false;
    for (int f = 0; f < CAROM_FAULT_COUNT; f++) {
        if (!changes->count[f])
            continue;
        print_fact(any ? "" : "mended", "%" PRId64 " %s%s %s", changes->count[f], words[f].what,
                   changes->count[f] == 1 ? "" : "s", words[f].done);
        any = true;
    }
    if (!any)
        print_fact("mended", "%s", "nothing");
}

// Prints the facts of a mesh. Fails if it has faults.
static carom_status report(const carom_mesh *mesh, const char *name, const carom_mesh_faults *changes) {
    carom_error error = {0};
    carom_mesh_facts facts;
    carom_mesh_faults faults;
    carom_status status = carom_mesh_measure(mesh, &facts, &error);
    if (!status)
        status = carom_mesh_check(mesh, &faults, &error);
    if (status) {
        carom_say_error("%s: %s", name, error.message);
        return status;
    }
    printf("%s%s%s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), name, carom_style_end(stdout));
    print_counts(mesh);
    print_geometry(&facts, &faults);
    // points and lines have no measure of quality
    if (facts.area > 0)
        print_quality(&facts);
    if (changes)
        print_changes(changes);
    if (faults.count[CAROM_FAULT_UNUSED])
        print_fact("unused nodes", "%" PRId64, faults.count[CAROM_FAULT_UNUSED]);
    print_fact("faults", "%s", carom_mesh_is_faulty(&faults) ? "yes" : "none");
    print_fact("hash", "%016" PRIx64, carom_mesh_hash(mesh));
    if (!carom_mesh_is_faulty(&faults))
        return CAROM_OK;
    // the facts are printed before the fault, also for a mesh that is refused
    char text[800], parts[300];
    carom_mesh_faults_print(&faults, text, sizeof text);
    carom_mesh_parts_print(mesh, &faults, parts, sizeof parts);
    fflush(stdout);
    carom_say_error("%s: %s%s%s", name, text,
                    changes                           ? ", which cannot be mended"
                    : carom_mesh_is_mendable(&faults) ? " (--fix mends what can be mended)"
                                                      : "",
                    parts);
    if (carom_path_is_cad(name) && faults.count[CAROM_FAULT_DUPLICATE] + faults.count[CAROM_FAULT_NON_MANIFOLD])
        carom_say_note("%s: solids that touch have nodes of their own; take each by --group, or join them in the CAD program",
                       name);
    return CAROM_BAD_INPUT;
}

static carom_status inspect(carom_mesh *mesh, const char *name, const carom_arguments *arguments) {
    carom_error error = {0};
    carom_mesh_faults changes;
    bool fix = carom_arguments_value(arguments, "fix");
    carom_status status = fix ? carom_mesh_fix(mesh, &changes, &error) : CAROM_OK;
    if (!status && carom_arguments_value(arguments, "renumber"))
        status = carom_mesh_renumber(mesh, &error);
    if (!status)
        status = carom_mesh_name_surface(mesh, &error);
    if (status) {
        carom_say_error("%s: %s", name, error.message);
        return status;
    }
    // A faulty mesh is never written: the file would outlive the message.
    status = report(mesh, name, fix ? &changes : NULL);
    const char *output = carom_arguments_value(arguments, "output");
    if (status || !output)
        return status;
    status = carom_mesh_write(mesh, output, &error);
    if (status) {
        carom_say_error("%s", error.message);
        return status;
    }
    if (mesh->frames)
        carom_say_note("%s: the frames of the nodes are left out, no format of meshes has them", output);
    print_fact("wrote", "%s", output);
    return CAROM_OK;
}

// A file that is to be written must have a format, and must not be the one that is read.
static carom_status check_output(const char *input, const char *output) {
    carom_error error = {0};
    struct stat in, out;
    carom_status status = carom_write_check_name(output, &error);
    // By device and inode, because one file may have two names.
    if (!status && stat(input, &in) == 0 && stat(output, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        status = carom_fail(&error, CAROM_BAD_INPUT, "%s is the file that is read; write to another one", output);
    if (status)
        carom_say_error("%s", error.message);
    return status;
}

// A path to a file, unless it is the name of a generator.
static bool is_file(const char *name) {
    return access(name, F_OK) == 0 && !carom_catalogue_find(carom_generators(), name);
}

int carom_command_mesh(const carom_arguments *arguments) {
    const char *name = arguments->operands[0];
    carom_mesh mesh = {0};
    const char *output = carom_arguments_value(arguments, "output");
    // Before the mesh is read, which may take long.
    carom_status status = output ? check_output(name, output) : CAROM_OK;
    if (status)
        return carom_exit_code(status);
    if (is_file(name)) {
        status = read_file(name, arguments, &mesh);
    } else if (described(name)) {
        status = generate(name, arguments, &mesh);
    } else {
        say_unknown(name);
        return CAROM_EXIT_INPUT;
    }
    if (!status)
        status = inspect(&mesh, name, arguments);
    carom_mesh_release(&mesh);
    return carom_exit_code(status);
}
