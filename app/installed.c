// SPDX-License-Identifier: MIT
// Files next to the running command, found through /proc/self/exe.
#include "app/installed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool carom_installed_find(const char *place, char path[static CAROM_PATH_MAX]) {
    char command[CAROM_PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", command, sizeof command - 1);
    if (size <= 0)
        return false;
    command[size] = 0;
    char *slash = strrchr(command, '/');
    if (!slash)
        return false;
    slash[1] = 0;
    int length = snprintf(path, CAROM_PATH_MAX, "%s%s", command, place);
    return length < CAROM_PATH_MAX && access(path, R_OK) == 0;
}
