// SPDX-License-Identifier: MIT
// Runs the program gmsh as a child process and reads the mesh that it writes. While there are temporary files, signals that end
// the program are delayed: gmsh is ended and the files are removed first.
//
// gmsh reads options, which are scripts, from FILE.opt for each file FILE that it opens, and from the home of the user. So it
// sees the file in a folder of its own, under a name with an ending in lower case (files of other endings are scripts to it),
// and takes that folder for its home. It works in that folder as well, where some commands of scripts write files.
#define _GNU_SOURCE // posix_spawn_file_actions_addchdir_np
#include "app/mesh/cad.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/mesh/script.h"
#include "carom/file.h"

extern char **environ;

// In addition to exit codes, which are >= 0, and -1 for a failed start.
enum { INTERRUPTED = -2 };

// The signals that ask the program to end. They are caught and not blocked: a blocked one would go to another thread of a
// library, which does not block it, and end the program at once.
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings };

static volatile sig_atomic_t asked; // the signal that came, 0 if none did

static void note_signal(int number) {
    asked = number;
}

// Catches the signals that are not ignored; `before` receives what they did.
static void catch_signals(struct sigaction before[ENDINGS]) {
    struct sigaction action = {.sa_handler = note_signal};
    sigemptyset(&action.sa_mask);
    asked = 0;
    for (int i = 0; i < ENDINGS; i++)
        if (sigaction(endings[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(endings[i], &action, NULL);
}

static void release_signals(const struct sigaction before[ENDINGS]) {
    for (int i = 0; i < ENDINGS; i++)
        sigaction(endings[i], &before[i], NULL);
}

// Waits for a child, and ends it if a signal asks for that. A child that the signal has ended as well counts as interrupted.
static int await(pid_t child) {
    static const struct timespec pause = {.tv_nsec = 20000000};
    int result;
    pid_t ended = 0;
    while (ended == 0) {
        ended = waitpid(child, &result, WNOHANG);
        if (ended == 0 && asked) {
            kill(child, SIGKILL);
            ended = waitpid(child, &result, 0);
        } else if (ended == 0) {
            nanosleep(&pause, NULL);
        }
    }
    if (asked)
        return INTERRUPTED;
    if (ended < 0)
        return -1;
    // a child ended by a signal counts as failed, as in a shell
    return WIFEXITED(result) ? WEXITSTATUS(result) : 128;
}

// Runs gmsh with its output in a file; returns its exit code, INTERRUPTED, or -1 with errno. Signals that are caught here have
// their default effect on gmsh. It works in a folder, or here if that is NULL.
static int run_gmsh(char *const arguments[], const char *log, const char *folder) {
    posix_spawn_file_actions_t actions;
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
    if (folder)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    failure = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        errno = failure;
        return -1;
    }
    return await(child);
}

static bool has_ending(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

static bool is_med(const char *path) {
    return has_ending(path, ".med");
}

// Removes a folder with all that is in it; links are removed themselves.
static void remove_folder(const char *folder) {
    char path[1024];
    DIR *entries = opendir(folder);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        bool is_own = strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_own && length < (int)sizeof path && unlink(path) != 0)
            remove_folder(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

// Replaces all that is equal to `from` in a text.
static void replace(char *text, size_t size, const char *from, const char *to) {
    char rest[512];
    for (char *at = text; (at = strstr(at, from)) != NULL; at += strlen(at) < strlen(to) ? strlen(at) : strlen(to)) {
        snprintf(rest, sizeof rest, "%s", at + strlen(from));
        snprintf(at, size - (size_t)(at - text), "%s%s", to, rest);
    }
}

// Links the file into the folder, or finds its own place if it is trusted. *input is to be freed.
static carom_status find_input(const char *path, const char *folder, bool trusted, char **input, carom_error *error) {
    char *place = realpath(path, NULL), shown[512], name[16] = "input";
    *input = place;
    if (!place)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (trusted)
        return CAROM_OK;
    const char *dot = strrchr(path, '.');
    for (size_t i = 0, n = strlen(name); dot && dot[i] && n + i < sizeof name - 1; i++)
        name[n + i] = (char)tolower((unsigned char)dot[i]);
    snprintf(shown, sizeof shown, "%s/%s", folder, name);
    for (const char *const *key = (const char *const[]){"HOME", "GMSH_HOME", "TMP", "TEMP", NULL}; *key; key++)
        setenv(*key, folder, 1);
    carom_status status = CAROM_OK;
    if (has_ending(path, ".geo"))
        status = carom_script_copy(path, folder, name, error);
    else if (symlink(place, shown) != 0)
        status = carom_fail(error, CAROM_IO, "%s: cannot be linked into %s: %s", path, folder, strerror(errno));
    free(place);
    *input = status ? NULL : strdup(shown);
    return status || *input ? status : carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", path);
}

// The first error message of gmsh, without its prefix: later ones are consequences, and the last one is a summary between
// rulers ("Error   : ------", "Mesh generation error summary"). Without an error the last line of the log.
static void first_complaint(const char *log, char *text, size_t size) {
    char line[512];
    snprintf(text, size, "no message");
    FILE *file = fopen(log, "r");
    bool complained = false;
    while (file && !complained && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        bool complaint = strncmp(line, "Error", 5) == 0;
        const char *colon = complaint ? strchr(line, ':') : NULL;
        const char *said = colon ? colon + 1 + strspn(colon + 1, " ") : line;
        if (!*said || strstr(said, "error summary") || strspn(said, "-= ") == strlen(said))
            continue;
        snprintf(text, size, "%s", said);
        complained = complaint;
    }
    if (file)
        fclose(file);
}

// "'part.geo', line 7 : syntax error (foo)" becomes "part.geo:7: syntax error (foo)", as carom's own messages.
// Debian's gmsh does not support MED; a universal file has the same contents.
static carom_status complain(const char *path, const char *said, carom_error *error) {
    static const char mark[] = "', line ";
    const char *line = said[0] == '\'' ? strstr(said, mark) : NULL;
    if (line) {
        int name = (int)(line - said) - 1;
        line += strlen(mark);
        const char *rest = line + strspn(line, "0123456789");
        rest += strspn(rest, " :");
        return carom_fail(error, CAROM_BAD_INPUT, "%.*s:%.*s: gmsh: %.400s", name, said + 1, (int)strspn(line, "0123456789"),
                          line, rest);
    }
    return carom_fail(error, CAROM_BAD_INPUT, "%s: gmsh cannot %s it: %.400s%s", path, is_med(path) ? "read" : "mesh", said,
                      strstr(said, "MED support") ? " (carom reads the universal file, .unv, that Salome exports)" : "");
}

// Reads the output of gmsh. Messages name the CAD file, because the temporary file is removed before they are read.
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
    // a line number in the temporary file is removed from the message
    const char *said = reason.message + strlen(path);
    if (strncmp(reason.message, path, strlen(path)) == 0 && said[0] == ':' && said[1] != ' ') {
        while (said[0] == ':' && said[1] != ' ')
            said += 1 + strspn(said + 1, "0123456789");
        return carom_fail(error, status, "%s: gmsh has made no mesh that can be read%s", path, said);
    }
    return carom_fail(error, status, "%s", reason.message);
}

// The reason for which gmsh has made no mesh. The names of temporary files, which will be removed, would mislead.
static carom_status explain(const char *path, const char *input, const char *folder, const char *log, carom_error *error) {
    char said[512], inside[512], outside[512];
    const char *slash = strrchr(path, '/');
    first_complaint(log, said, sizeof said);
    snprintf(inside, sizeof inside, "%s/", folder);
    snprintf(outside, sizeof outside, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    replace(said, sizeof said, input, path);
    if (strstr(said, "mesh.msh") && strstr(said, inside))
        snprintf(said, sizeof said, "its mesh cannot be written");
    replace(said, sizeof said, inside, outside);
    return complain(path, said, error);
}

static carom_status mesh_file(const char *path, const carom_cad_def *cad, const char *folder, const carom_mesh_read_def *def,
                              carom_mesh *mesh, carom_error *error) {
    char out[512], log[512], largest[64], *input;
    snprintf(out, sizeof out, "%s/mesh.msh", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(largest, sizeof largest, "%.17g", cad->size);
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return carom_fail(error, CAROM_IO, "cannot read %s: not a plain file", path);
    carom_status status = find_input(path, folder, cad->trusted, &input, error);
    if (status)
        return status;
    // an absolute path, because one that begins with a dash would be an option
    char *arguments[12] = {"gmsh", input, "-3", "-format", "msh41", "-o", out};
    if (cad->size > 0)
        arguments[7] = "-clmax", arguments[8] = largest;
    // A mesh is saved as it is, whether its cells are in groups or not.
    if (is_med(path))
        arguments[2] = "-save", arguments[7] = "-setnumber", arguments[8] = "Mesh.SaveAll", arguments[9] = "1";

    int code = run_gmsh(arguments, log, cad->trusted ? NULL : folder);
    if (code == INTERRUPTED)
        status = carom_fail(error, CAROM_INTERRUPTED, "%s: interrupted", path);
    else if (code < 0 && errno == ENOENT)
        status = carom_fail(error, CAROM_IO,
                            "%s: %s files are %s by the program gmsh, which is not installed (apt-get install gmsh)", path,
                            is_med(path) ? ".med" : "CAD and .geo", is_med(path) ? "converted" : "meshed");
    else if (code < 0)
        status = carom_fail(error, CAROM_IO, "%s: gmsh cannot be run: %s", path, strerror(errno));
    else if (code > 0 || access(out, R_OK) != 0)
        status = explain(path, input, folder, log, error);
    else
        status = read_result(path, out, def, mesh, error);
    free(input);
    return status;
}

carom_status carom_cad_read(const char *path, const carom_cad_def *cad, const carom_mesh_read_def *def, carom_mesh *mesh,
                            carom_error *error) {
    const char *place = getenv("TMPDIR");
    char folder[400];
    // A TMPDIR that is too long for the buffer is not used, instead of being cut off; nor is one that depends on the folder.
    snprintf(folder, sizeof folder, "%s/carom-cad-XXXXXX", place && *place == '/' && strlen(place) < 300 ? place : "/tmp");
    struct sigaction before[ENDINGS];
    catch_signals(before);
    carom_status status;
    if (mkdtemp(folder)) {
        status = mesh_file(path, cad, folder, def, mesh, error);
        remove_folder(folder);
    } else {
        status = carom_fail(error, CAROM_IO, "%s: cannot make a temporary folder %s: %s", path, folder, strerror(errno));
    }
    // a signal that did not interrupt gmsh has its effect here
    release_signals(before);
    if (asked && status != CAROM_INTERRUPTED)
        raise(asked);
    return status;
}
