// SPDX-License-Identifier: MIT
#include "app/cad.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool carom_cad_is(const char *path) {
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs", ".brep"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

// Runs gmsh with its output in a file; returns its exit code, or -1 with errno.
static int run_gmsh(char *const arguments[], const char *log) {
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) {
        errno = failure;
        return -1;
    }
    pid_t child;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    failure = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        errno = failure;
        return -1;
    }
    int result;
    while (waitpid(child, &result, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(result) ? WEXITSTATUS(result) : 128;
}

// The last line in which gmsh complains, without its own mark; else the last line.
static void last_complaint(const char *log, char *text, size_t size) {
    char line[512];
    snprintf(text, size, "it says nothing");
    FILE *file = fopen(log, "r");
    bool complained = false;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        bool complaint = strncmp(line, "Error", 5) == 0;
        const char *colon = complaint ? strchr(line, ':') : NULL;
        const char *said = colon ? colon + 1 + strspn(colon + 1, " ") : line;
        if (*said && (complaint || !complained))
            snprintf(text, size, "%s", said);
        complained = complained || complaint;
    }
    if (file)
        fclose(file);
}

static carom_status mesh_file(const char *path, double size, const char *folder, const carom_mesh_read_def *def,
                              carom_mesh *mesh, carom_error *error) {
    char out[512], log[512], largest[64], said[512];
    snprintf(out, sizeof out, "%s/mesh.msh", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(largest, sizeof largest, "%.17g", size);
    // a path that begins with a dash is no option
    char *input = realpath(path, NULL);
    if (!input)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    char *arguments[12] = {"gmsh", input, "-3", "-format", "msh41", "-o", out};
    if (size > 0)
        arguments[7] = "-clmax", arguments[8] = largest;

    int code = run_gmsh(arguments, log);
    carom_status status = CAROM_OK;
    if (code < 0 && errno == ENOENT)
        status = carom_fail(error, CAROM_IO, "%s: CAD files are meshed by the program gmsh, which is not installed", path);
    else if (code < 0)
        status = carom_fail(error, CAROM_IO, "%s: gmsh cannot be run: %s", path, strerror(errno));
    else if (code > 0 || access(out, R_OK) != 0) {
        last_complaint(log, said, sizeof said);
        status = carom_fail(error, CAROM_BAD_INPUT, "%s: gmsh cannot mesh it: %.400s", path, said);
    } else {
        status = carom_mesh_read(out, def, mesh, error);
    }
    unlink(out);
    unlink(log);
    free(input);
    return status;
}

carom_status carom_cad_read(const char *path, double size, const carom_mesh_read_def *def, carom_mesh *mesh,
                            carom_error *error) {
    const char *place = getenv("TMPDIR");
    char folder[400];
    snprintf(folder, sizeof folder, "%s/carom-cad-XXXXXX", place && *place && strlen(place) < 300 ? place : "/tmp");
    if (!mkdtemp(folder))
        return carom_fail(error, CAROM_IO, "%s: cannot make a folder: %s", folder, strerror(errno));
    carom_status status = mesh_file(path, size, folder, def, mesh, error);
    rmdir(folder);
    return status;
}
