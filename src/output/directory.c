// SPDX-License-Identifier: MIT
#include "output/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *const result_files[] = {
    "history.csv",  "probes.csv",       "fields.pvd",       "fields.vtkhdf",
    "summary.json", "summary.json.tmp", "checkpoint.carom", "checkpoint.carom.part",
};

enum { RESULT_FILES = sizeof result_files / sizeof *result_files };

carom_status carom_directory_prepare(const char *directory, carom_error *error) {
    if (!*directory)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of the output directory is empty");
    carom_status status = carom_file_make_directory(directory, error);
    if (status)
        return status;
    // only a write tells whether one can write
    char probe[CAROM_PATH_MAX];
    snprintf(probe, sizeof probe, "%s/.carom-write-test", directory);
    int fd = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return carom_file_fail("write into directory", directory, error);
    status = carom_file_write(fd, directory, "carom\n", 6, error);
    close(fd);
    unlink(probe);
    return status;
}

// Names that carom gives to frames: frame_000000.vtu, and frame_000000.vtu.tmp while it writes.
static bool is_frame(const char *name) {
    size_t digits = strspn(name + (strncmp(name, "frame_", 6) == 0 ? 6 : 0), "0123456789");
    if (strncmp(name, "frame_", 6) != 0 || digits < 6)
        return false;
    const char *end = name + 6 + digits;
    return strcmp(end, ".vtu") == 0 || strcmp(end, ".vtu.tmp") == 0;
}

// Calls `visit` with each file of an earlier run.
static carom_status visit_results(const char *directory,
                                  carom_status (*visit)(const char *path, void *context, carom_error *error), void *context,
                                  carom_error *error) {
    char path[2 * CAROM_PATH_MAX], folder[CAROM_PATH_MAX];
    carom_status status = CAROM_OK;
    for (int i = 0; i < RESULT_FILES && !status; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, result_files[i]);
        status = visit(path, context, error);
    }
    snprintf(folder, sizeof folder, "%s/fields", directory);
    DIR *list = status ? NULL : opendir(folder);
    if (!list)
        return status;
    for (struct dirent *entry = readdir(list); entry && !status; entry = readdir(list)) {
        if (!is_frame(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        status = visit(path, context, error);
    }
    closedir(list);
    return status;
}

static carom_status add_size(const char *path, void *context, carom_error *error) {
    (void)error;
    struct stat info;
    if (lstat(path, &info) == 0)
        *(double *)context += 512.0 * (double)info.st_blocks;
    return CAROM_OK;
}

static carom_status remove_file(const char *path, void *context, carom_error *error) {
    (void)context;
    if (unlink(path) != 0 && errno != ENOENT)
        return carom_file_fail("replace", path, error);
    return CAROM_OK;
}

static void print_size(double bytes, char text[static 32]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 5) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text, 32, "%.3g %s", bytes, units[unit]);
}

carom_status carom_directory_check_room(const char *directory, double bytes, bool replacing, carom_error *error) {
    struct statvfs info;
    // a file system that does not know its size is not asked
    if (statvfs(directory, &info) != 0 || info.f_blocks == 0)
        return CAROM_OK;
    double room = (double)info.f_bavail * (double)info.f_frsize;
    if (replacing)
        visit_results(directory, add_size, &room, NULL);
    if (bytes <= room)
        return CAROM_OK;
    char need[32], have[32];
    print_size(bytes, need);
    print_size(room, have);
    return carom_fail(error, CAROM_IO,
                      "the results need about %s but only %s are free in %s (write fewer rows or frames: output.history.every, "
                      "output.fields.every)",
                      need, have, directory);
}

carom_status carom_directory_clear(const char *directory, carom_error *error) {
    return visit_results(directory, remove_file, NULL, error);
}
