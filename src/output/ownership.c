// SPDX-License-Identifier: MIT
#include "output/ownership.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOOKED_AT = 4096 };

const char carom_scene_mark[] = "# A scene of carom with all defaults filled in.\n";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

// "time,NAME.ux,...": the second column is a component of a probe.
static bool is_probes(const char *text) {
    static const char *const components[] = {"x", "y", "z", "ux", "uy", "uz", "vx", "vy", "vz"};
    if (!begins(text, "time,"))
        return false;
    const char *column = text + 5, *dot = column + strcspn(column, ".,\n");
    if (*dot != '.' || dot == column)
        return false;
    size_t size = strcspn(dot + 1, ",\n");
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        if (strlen(components[i]) == size && strncmp(components[i], dot + 1, size) == 0)
            return true;
    return false;
}

// A list of frames: either none yet, or the first is ours.
static bool is_pvd(const char *text) {
    if (!begins(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\""))
        return false;
    const char *first = strstr(text, "<DataSet ");
    const char *end = first ? strchr(first, '\n') : NULL, *name = first ? strstr(first, "file=\"fields/frame_0") : NULL;
    return !first || (name && end && name < end);
}

static bool is_frame(const char *text) {
    return begins(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"") && strstr(text, "\"TimeValue\"");
}

// The library that writes it leaves no room for a mark; a history beside it vouches for it.
static bool is_vtkhdf(const char *directory, const char *text) {
    char path[CAROM_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/history.csv", directory);
    return begins(text, "\x89HDF\r\n\x1a\n") && stat(path, &info) == 0 && !carom_file_is_foreign(directory, "history.csv");
}

bool carom_file_is_foreign(const char *directory, const char *name) {
    char path[2 * CAROM_PATH_MAX], text[LOOKED_AT + 1];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &info) != 0)
        return false;
    if (!S_ISREG(info.st_mode))
        return true;
    FILE *file = fopen(path, "rb");
    if (!file)
        return true;
    size_t size = fread(text, 1, LOOKED_AT, file);
    fclose(file);
    text[size] = 0;
    if (size == 0)
        return false;
    if (strcmp(name, "history.csv") == 0)
        return !begins(text, "time,kinetic,internal,external,friction,restitution,projection,total,residual,px,py,pz,");
    if (strcmp(name, "probes.csv") == 0)
        return !is_probes(text);
    if (strcmp(name, "pairs.csv") == 0)
        return !begins(text, "time,body_1,body_2,events,normal,force_x,");
    if (strcmp(name, "contacts.csv") == 0)
        return !begins(text, "time,kind,body_1,body_2,node_1,");
    if (strcmp(name, "summary.json") == 0)
        return !begins(text, "{\n  \"version\": \"") || !strstr(text, "\n  \"scene\": ");
    if (strcmp(name, "scene.yaml") == 0)
        return !begins(text, carom_scene_mark);
    if (strcmp(name, "checkpoint.carom") == 0)
        return !begins(text, "carom-cp");
    if (strcmp(name, "fields.pvd") == 0)
        return !is_pvd(text);
    if (strcmp(name, "fields.vtkhdf") == 0)
        return !is_vtkhdf(directory, text);
    // what is left half written has a name of its own
    size_t length = strlen(name);
    bool partial = length > 5 && (strcmp(name + length - 4, ".tmp") == 0 || strcmp(name + length - 5, ".part") == 0);
    return !partial && !is_frame(text);
}
