// SPDX-License-Identifier: MIT
// Prepares the result directory of a run: creates it, checks that it can be written, and removes the results of an earlier run.
// A run may replace the results of an earlier run, but nothing else. The files that carom writes are known by name; ownership.c
// decides from their content whether carom wrote them.
#include "output/run/directory.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/platform.h"
#include "output/run/ownership.h"

// history.csv is checked and removed last: ownership.c accepts fields.vtkhdf only together with a history.
static const char *const result_files[] = {
    "probes.csv",    "probes_samples.csv", "probes_filtered.csv", "pairs.csv",        "contacts.csv",          "fields.pvd",
    "fields.vtkhdf", "summary.json",       "summary.json.tmp",    "checkpoint.carom", "checkpoint.carom.part", "history.csv",
};

enum { RESULT_FILES = sizeof result_files / sizeof *result_files };

carom_status carom_directory_prepare(const char *directory, carom_error *error) {
    if (!*directory)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of the output directory is empty");
    carom_status status = carom_file_make_directory(directory, error);
    if (status)
        return status;
    // permissions, quotas and read-only mounts are detected only by an actual write
    char probe[CAROM_PATH_MAX];
    snprintf(probe, sizeof probe, "%s/.carom-write-test", directory);
    // a link of that name, in a folder of a stranger, may lead to any file
    unlink(probe);
    int fd = open(probe, O_WRONLY | O_CREAT | O_TRUNC | CAROM_OPEN_PRIVATE, 0666);
    if (fd < 0)
        return carom_file_fail("write into directory", directory, error);
    status = carom_file_write(fd, directory, "carom\n", 6, error);
    close(fd);
    unlink(probe);
    return status;
}

// Names of frames: frame_000000.vtu, and frame_000000.vtu.tmp while the file is being written.
static bool is_frame(const char *name) {
    size_t digits = strspn(name + (strncmp(name, "frame_", 6) == 0 ? 6 : 0), "0123456789");
    if (strncmp(name, "frame_", 6) != 0 || digits < 6)
        return false;
    const char *end = name + 6 + digits;
    return strcmp(end, ".vtu") == 0 || strcmp(end, ".vtu.tmp") == 0;
}

typedef carom_status visitor(const char *directory, const char *name, void *context, carom_error *error);

// Calls `visit` for each file with the name of a result, frames first; stops at the first failure.
static carom_status visit_results(const char *directory, visitor *visit, void *context, carom_error *error) {
    char folder[CAROM_PATH_MAX], name[sizeof((struct dirent *)0)->d_name + 8];
    carom_status status = CAROM_OK;
    snprintf(folder, sizeof folder, "%s/fields", directory);
    DIR *list = opendir(folder);
    for (struct dirent *entry = list ? readdir(list) : NULL; entry && !status; entry = readdir(list)) {
        if (!is_frame(entry->d_name))
            continue;
        snprintf(name, sizeof name, "fields/%s", entry->d_name);
        status = visit(directory, name, context, error);
    }
    if (list)
        closedir(list);
    for (int i = 0; i < RESULT_FILES && !status; i++)
        status = visit(directory, result_files[i], context, error);
    return status;
}

// The user must decide what becomes of a foreign file; carom never overwrites it.
static carom_status refuse_foreign(const char *directory, const char *name, void *context, carom_error *error) {
    (void)context;
    if (!carom_file_is_foreign(directory, name))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s/%s exists and was not written by carom (choose another directory, or move the file)", directory,
                      name);
}

carom_status carom_directory_check_owner(const char *directory, carom_error *error) {
    return visit_results(directory, refuse_foreign, NULL, error);
}

// Disk space that the file occupies.
static carom_status add_size(const char *directory, const char *name, void *context, carom_error *error) {
    (void)error;
    char path[2 * CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    *(double *)context += carom_platform_disk_bytes(path);
    return CAROM_OK;
}

// A file that does not exist counts as removed.
static carom_status remove_file(const char *directory, const char *name, void *context, carom_error *error) {
    (void)context;
    char path[2 * CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (unlink(path) != 0 && errno != ENOENT)
        return carom_file_fail("replace", path, error);
    return CAROM_OK;
}

// A size with three digits and a decimal unit.
static void print_size(double bytes, char text[static 32]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 5) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, 32, "%.3g %s", bytes, units[unit]);
}

carom_status carom_directory_check_space(const char *directory, double bytes, bool replacing, carom_error *error) {
    // network and virtual file systems may report no size; then there is nothing to compare with
    double free_bytes = carom_platform_free_bytes(directory);
    if (free_bytes < 0)
        return CAROM_OK;
    // the space of the results that will be replaced becomes free
    if (replacing)
        visit_results(directory, add_size, &free_bytes, NULL);
    if (bytes <= free_bytes)
        return CAROM_OK;
    char need[32], have[32];
    print_size(bytes, need);
    print_size(free_bytes, have);
    return carom_fail(error, CAROM_IO,
                      "the results need about %s but only %s are free in %s (write fewer rows or frames: output.history.every, "
                      "output.fields.every)",
                      need, have, directory);
}

carom_status carom_directory_clear(const char *directory, carom_error *error) {
    return visit_results(directory, remove_file, NULL, error);
}

carom_status carom_directory_keep_scene(const char *directory, const char *text, carom_error *error) {
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/scene.yaml", directory);
    if (carom_file_is_foreign(directory, "scene.yaml"))
        return CAROM_OK;
    FILE *stream;
    carom_status status = carom_file_begin(path, &stream, error);
    if (status)
        return status;
    // A failing write sets errno; a stale value must not be reported as its cause.
    errno = 0;
    fputs(carom_scene_mark, stream);
    fputs(text, stream);
    return carom_file_commit(path, stream, error);
}
