// SPDX-License-Identifier: MIT
// carom view: writes the page of a result and opens it in a browser.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "carom/file.h"

extern char **environ;

// Every byte of a path may become three characters.
enum { URL_MAX = 3 * CAROM_PATH_MAX + 16 };

// file:///data/out/report.html, with %XX for what a URL cannot hold.
static bool make_url(const char *path, char url[static URL_MAX]) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    // A URL of a file needs an absolute path.
    char *real = realpath(path, NULL);
    if (!real || strlen(real) >= CAROM_PATH_MAX) {
        free(real);
        return false;
    }
    char *out = url + sprintf(url, "file://");
    for (const char *c = real; *c; c++)
        out += strchr(plain, *c) ? sprintf(out, "%c", *c) : sprintf(out, "%%%02X", (unsigned char)*c);
    free(real);
    return true;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

// Finds the program that shows a page; false if there is no display.
static bool choose_browser(char program[static CAROM_TEXT_MAX]) {
    if (!is_set("BROWSER")) {
        snprintf(program, CAROM_TEXT_MAX, "xdg-open");
        return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    }
    // a list of programs, of which the first one is used
    const char *list = getenv("BROWSER");
    int size = (int)strcspn(list, ":");
    snprintf(program, CAROM_TEXT_MAX, "%.*s", size, list);
    return size > 0;
}

// Starts the browser in the background, without its output.
static bool start_browser(char *program, char *url) {
    char *words[] = {program, url, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    // its own process group: Ctrl-C in this terminal must not close the browser.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    bool started = posix_spawnp(&process, program, &actions, &attributes, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return started;
}

int carom_command_view(const carom_arguments *arguments) {
    char path[CAROM_PATH_MAX], url[URL_MAX], program[CAROM_TEXT_MAX];
    int code = carom_report_page(arguments, path);
    if (code)
        return code;
    // The path is printed before the browser starts, in case that fails.
    printf("%s\n", path);
    fflush(stdout);
    if (!make_url(path, url)) {
        carom_say_note("cannot form a file URL for the page");
        return CAROM_EXIT_DONE;
    }
    bool possible = choose_browser(program);
    if (possible && start_browser(program, url))
        return CAROM_EXIT_DONE;
    if (possible)
        carom_say_note("cannot start %s; open the page in a browser yourself", program);
    printf("%s\n", url);
    return CAROM_EXIT_DONE;
}
