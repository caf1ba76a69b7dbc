// SPDX-License-Identifier: MIT
// Names of bodies in other parts of a scene.
#ifndef CAROM_SCENE_CHECK_BODY_NAMES_H
#define CAROM_SCENE_CHECK_BODY_NAMES_H

#include "scene/scene.h"

// What a name may denote other than a body.
typedef enum carom_also { CAROM_ALSO_NOTHING, CAROM_ALSO_PLANES, CAROM_ALSO_GROUND } carom_also;

// Reports a name that belongs to no body and to nothing else that it may mean. Suggests the copies of an array, or the nearest
// name.
void carom_scene_unknown_body(const carom_scene_def *def, carom_arena *arena, const char *name, carom_also also,
                              carom_place place, const char *path, carom_report *report);

// Reports unknown bodies of ties, connections, joints and springs. All bodies have valid names.
void carom_scene_check_joined(const carom_scene_def *def, carom_arena *arena, const carom_tree *root, carom_report *report);

// Reports planes of contact that have the name of a body, or of a copy of one, at the place of the later one.
void carom_scene_check_planes(const carom_scene_def *def, const carom_tree *root, carom_report *report);

#endif
