// SPDX-License-Identifier: MIT
// Decides whether a file in a result directory was written by carom. A result directory may be a directory in which the user
// keeps files of the same names. Each kind of result is recognised by its first bytes; a run refuses to overwrite anything
// else.
#include "output/run/ownership.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "carom/ledger.h"

// Bytes read from a file: more than the head of any result up to the entry that identifies it.
enum { IS_CHECKED = 4096 };

// Number of columns with which the history of every version begins.
enum { COLUMNS_SURE = 12 };

// A comment of YAML, so that the scene stays valid.
const char carom_scene_mark[] = "# A scene of carom with all defaults filled in.\n";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

// A history begins with columns of the ledger; later versions may have more of them.
static bool is_history(const char *text) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < COLUMNS_SURE; c++) {
        if (!begins(text, columns[c].name))
            return false;
        text += strlen(columns[c].name);
        if (*text++ != ',')
            return false;
    }
    return true;
}

// A table of probes begins with "time,NAME.ux": its second column is a component of a probe.
static bool is_probes(const char *text) {
    static const char *const components[] = {"x",  "y",  "z",  "ux", "uy",  "uz", "vx", "vy", "vz", "ax", "ay",
                                             "az", "fx", "fy", "fz", "sxx", "e1", "rx", "wx", "px", "lx"};
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

// A list of frames: empty, or with a frame of carom as its first entry.
static bool is_pvd(const char *text) {
    if (!begins(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\""))
        return false;
    const char *first = strstr(text, "<DataSet ");
    const char *end = first ? strchr(first, '\n') : NULL, *name = first ? strstr(first, "file=\"fields/frame_0") : NULL;
    return !first || (name && end && name < end);
}

// carom writes the time of a frame into its head; other programs usually do not.
static bool is_frame(const char *text) {
    return begins(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"") && strstr(text, "\"TimeValue\"");
}

// The format has no place for a mark of carom: the file is accepted if a history of carom is in the same directory.
static bool is_vtkhdf(const char *directory, const char *text) {
    char path[CAROM_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/history.csv", directory);
    return begins(text, "\x89HDF\r\n\x1a\n") && stat(path, &info) == 0 && !carom_file_is_foreign(directory, "history.csv");
}

bool carom_file_is_foreign(const char *directory, const char *name) {
    char path[2 * CAROM_PATH_MAX], text[IS_CHECKED + 1];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &info) != 0)
        return false;
    // a directory or device cannot be a result, and must not be replaced
    if (!S_ISREG(info.st_mode))
        return true;
    FILE *file = fopen(path, "rb");
    if (!file)
        return true;
    size_t size = fread(text, 1, IS_CHECKED, file);
    fclose(file);
    text[size] = 0;
    // a run killed at its start leaves empty files
    if (size == 0)
        return false;
    const struct {
        const char *name, *head;
        bool more; // a further condition
    } kinds[] = {
        {"history.csv", "", is_history(text)},
        {"pairs.csv", "time,body_1,body_2,events,normal,force_x,", true},
        {"contacts.csv", "time,kind,body_1,body_2,node_1,", true},
        {"summary.json", "{\n  \"version\": \"", strstr(text, "\n  \"scene\": ") != NULL},
        {"scene.yaml", carom_scene_mark, true},
        {"checkpoint.carom", "carom-cp", true},
        {"fields.pvd", "", is_pvd(text)},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return !begins(text, kinds[i].head) || !kinds[i].more;
    if (begins(name, "probes"))
        return !is_probes(text);
    if (strcmp(name, "fields.vtkhdf") == 0)
        return !is_vtkhdf(directory, text);
    // only carom gives such names to temporary files; any other name is that of a frame
    size_t length = strlen(name);
    bool partial = length > 5 && (strcmp(name + length - 4, ".tmp") == 0 || strcmp(name + length - 5, ".part") == 0);
    return !partial && !is_frame(text);
}
