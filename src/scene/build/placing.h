// SPDX-License-Identifier: MIT
// The key `place` of a body.
#ifndef CAROM_SCENE_BUILD_PLACING_H
#define CAROM_SCENE_BUILD_PLACING_H

#include "mesh/steps.h"
#include "scene/scene.h"

// Reports planes that do not exist, and keys that have no meaning together with the others or in their order.
void carom_scene_check_places(const carom_scene_def *def, const carom_tree *root, carom_report *report);

// Placement of a body: the map, then the steps.
typedef struct carom_scene_path {
    carom_placement placement;
    int step_count;
    const carom_place_step *steps; // in the arena
} carom_scene_path;

// The path of a body, from a definition without findings. False if memory is short.
bool carom_scene_find_path(const carom_scene_def *def, const carom_scene_body *body, carom_arena *arena,
                           carom_scene_path *path);

// The name of the contact plane that a body is put on; empty: none.
void carom_scene_ground(const carom_scene_body *body, char name[CAROM_NAME_MAX]);

#endif
