// SPDX-License-Identifier: MIT
// Lists scene files below a folder, sorted by path.
#include "app/verify/scene_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Depth of the search; bounds the recursion through links to parent folders.
enum { DEPTH_MAX = 8 };

static bool ends_with(const char *text, const char *end) {
    size_t size = strlen(text), end_size = strlen(end);
    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

bool carom_names_scene(const char *path) {
    return ends_with(path, ".yaml") || ends_with(path, ".json");
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the list of scenes");
}

// The list owns the path once it was added; after a failure the caller still does.
static carom_status add_path(carom_scene_list *list, char *path, carom_error *error) {
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 64;
        char **paths = realloc(list->paths, (size_t)capacity * sizeof *paths);
        if (!paths)
            return no_memory(error);
        list->paths = paths;
        list->capacity = capacity;
    }
    list->paths[list->count++] = path;
    return CAROM_OK;
}

static carom_status walk(carom_scene_list *list, const char *folder, int depth, carom_error *error) {
    DIR *entries = depth < DEPTH_MAX ? opendir(folder) : NULL;
    // a folder that cannot be read has no scenes; names that match none are reported later
    if (!entries)
        return CAROM_OK;
    carom_status status = CAROM_OK;
    for (struct dirent *entry = readdir(entries); entry && !status; entry = readdir(entries)) {
        // Hidden files, and the folder itself and the one above.
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (!path) {
            status = no_memory(error);
            break;
        }
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        struct stat info;
        bool found = stat(path, &info) == 0;
        bool scene = found && S_ISREG(info.st_mode) && carom_names_scene(path);
        if (found && S_ISDIR(info.st_mode))
            status = walk(list, path, depth + 1, error);
        if (scene)
            status = add_path(list, path, error);
        if (!scene || status)
            free(path);
    }
    closedir(entries);
    return status;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

carom_status carom_scene_list_add(carom_scene_list *list, const char *folder, carom_error *error) {
    int before = list->count;
    struct stat info;
    if (stat(folder, &info) == 0 && S_ISREG(info.st_mode)) {
        char *path = strdup(folder);
        carom_status added = path ? add_path(list, path, error) : no_memory(error);
        if (added)
            free(path);
        return added;
    }
    carom_status status = walk(list, folder, 0, error);
    // Sorted within this call only: the order in which folders were given is kept.
    if (list->count > before)
        qsort(list->paths + before, (size_t)(list->count - before), sizeof *list->paths, compare);
    return status;
}

void carom_scene_list_release(carom_scene_list *list) {
    for (int i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (carom_scene_list){0};
}
