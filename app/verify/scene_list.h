// SPDX-License-Identifier: MIT
// The scenes below a folder.
#ifndef CAROM_APP_VERIFY_SCENE_LIST_H
#define CAROM_APP_VERIFY_SCENE_LIST_H

#include <stdbool.h>

#include "carom/status.h"

// True for a path with the ending of a scene.
bool carom_names_scene(const char *path);

// Paths of scene files, sorted. Start from {0}.
typedef struct carom_scene_list {
    int count;
    int capacity;
    char **paths;
} carom_scene_list;

// Adds all *.yaml and *.json files below a folder; a folder that does not exist adds nothing.
carom_status carom_scene_list_add(carom_scene_list *list, const char *folder, carom_error *error);
void carom_scene_list_release(carom_scene_list *list);

#endif
