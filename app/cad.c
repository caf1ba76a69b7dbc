// SPDX-License-Identifier: MIT
// While there are temporary files, signals that end the program wait: gmsh is ended and the files are removed first.
#include "app/cad.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/file.h"

extern char **environ;

// Beside exit codes, which are >= 0, and -1 for a failed start.
enum { INTERRUPTED = -2 };

// The signals that ask the program to end, unless they are ignored, and the one that tells of the end of a child.
static sigset_t awaited_signals(void) {
    static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct sigaction action;
        if (sigaction(endings[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, endings[i]);
    }
    return set;
}

// Waits for a child, and ends it if a signal asks for that.
static int await(pid_t child, const sigset_t *awaited) {
    int result, signal = 0;
    pid_t ended = 0;
    // The signals are blocked, so one that arrives between waitpid and sigwait is pending and not lost.
    while (ended == 0) {
        ended = waitpid(child, &result, WNOHANG);
        if (ended == 0 && sigwait(awaited, &signal) == 0 && signal != SIGCHLD) {
            kill(child, SIGKILL);
            waitpid(child, &result, 0);
            return INTERRUPTED;
        }
    }
    if (ended < 0)
        return -1;
    // A child ended by a signal counts as failed, as in a shell.
    return WIFEXITED(result) ? WEXITSTATUS(result) : 128;
}

// Runs gmsh with its output in a file; returns its exit code, INTERRUPTED, or -1 with errno. `before` are the signals it may
// not get.
static int run_gmsh(char *const arguments[], const char *log, const sigset_t *awaited, const sigset_t *before) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) {
        errno = failure;
        return -1;
    }
    pid_t child;
    // gmsh must not read the terminal, and its progress belongs in the log.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
        // A blocked mask is inherited; gmsh would then be deaf to SIGTERM.
        posix_spawnattr_setsigmask(&attributes, before);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        failure = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        errno = failure;
        return -1;
    }
    return await(child, awaited);
}

// The last line in which gmsh complains, without its own mark; else the last line.
static void last_complaint(const char *log, char *text, size_t size) {
    char line[512];
    snprintf(text, size, "it says nothing");
    FILE *file = fopen(log, "r");
    // Once gmsh has complained, lines that are not complaints do not replace the complaint.
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

// What gmsh has made is read under the name of the CAD file: the other one is gone when a message is read.
static carom_status read_result(const char *path, const char *out, const carom_mesh_read_def *def, carom_mesh *mesh,
                                carom_error *error) {
    carom_mesh_read_def as_msh = *def;
    as_msh.format = CAROM_MESH_MSH;
    unsigned char *bytes;
    size_t size;
    carom_error reason;
    carom_status status = carom_read_bytes(out, &bytes, &size, &reason);
    if (status)
        return carom_fail(error, status, "%s: the mesh that gmsh has made cannot be read", path);
    status = carom_mesh_parse(bytes, size, path, &as_msh, mesh, &reason);
    free(bytes);
    if (!status)
        return CAROM_OK;
    // a line of that mesh means nothing to anyone
    const char *said = reason.message + strlen(path);
    if (strncmp(reason.message, path, strlen(path)) == 0 && said[0] == ':' && said[1] != ' ')
        return carom_fail(error, status, "%s: gmsh has made no mesh that can be read%s", path,
                          said + 1 + strspn(said + 1, "0123456789"));
    return carom_fail(error, status, "%s", reason.message);
}

static carom_status mesh_file(const char *path, double size, const char *folder, const sigset_t signals[2],
                              const carom_mesh_read_def *def, carom_mesh *mesh, carom_error *error) {
    char out[512], log[512], largest[64], said[512];
    snprintf(out, sizeof out, "%s/mesh.msh", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(largest, sizeof largest, "%.17g", size);
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return carom_fail(error, CAROM_IO, "cannot read %s: not a plain file", path);
    // a path that begins with a dash is no option
    char *input = realpath(path, NULL);
    if (!input)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    char *arguments[12] = {"gmsh", input, "-3", "-format", "msh41", "-o", out};
    if (size > 0)
        arguments[7] = "-clmax", arguments[8] = largest;

    int code = run_gmsh(arguments, log, &signals[0], &signals[1]);
    carom_status status = CAROM_OK;
    if (code == INTERRUPTED)
        status = carom_fail(error, CAROM_INTERRUPTED, "%s: interrupted", path);
    else if (code < 0 && errno == ENOENT)
        status = carom_fail(error, CAROM_IO, "%s: CAD files are meshed by the program gmsh, which is not installed", path);
    else if (code < 0)
        status = carom_fail(error, CAROM_IO, "%s: gmsh cannot be run: %s", path, strerror(errno));
    else if (code > 0 || access(out, R_OK) != 0) {
        last_complaint(log, said, sizeof said);
        // The name of a temporary folder, gone by now, would mislead.
        if (strstr(said, folder))
            snprintf(said, sizeof said, "its mesh cannot be written");
        status = carom_fail(error, CAROM_BAD_INPUT, "%s: gmsh cannot mesh it: %.400s", path, said);
    } else {
        status = read_result(path, out, def, mesh, error);
    }
    // On every way out, so that the folder is empty when rmdir removes it.
    unlink(out);
    unlink(log);
    free(input);
    return status;
}

carom_status carom_cad_read(const char *path, double size, const carom_mesh_read_def *def, carom_mesh *mesh,
                            carom_error *error) {
    const char *place = getenv("TMPDIR");
    char folder[400];
    // A TMPDIR that is too long for the buffer is not used, instead of being cut off.
    snprintf(folder, sizeof folder, "%s/carom-cad-XXXXXX", place && *place && strlen(place) < 300 ? place : "/tmp");
    sigset_t signals[2] = {awaited_signals()};
    sigprocmask(SIG_BLOCK, &signals[0], &signals[1]);
    carom_status status;
    if (mkdtemp(folder)) {
        status = mesh_file(path, size, folder, signals, def, mesh, error);
        rmdir(folder);
    } else {
        status = carom_fail(error, CAROM_IO, "%s: cannot make a temporary folder %s: %s", path, folder, strerror(errno));
    }
    // what came meanwhile takes effect here
    sigprocmask(SIG_SETMASK, &signals[1], NULL);
    return status;
}
