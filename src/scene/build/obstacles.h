// SPDX-License-Identifier: MIT
// The key `obstacle` of a body.
#ifndef CAROM_SCENE_BUILD_OBSTACLES_H
#define CAROM_SCENE_BUILD_OBSTACLES_H

#include "scene/build/placing.h"

// Does nothing for a body that is no obstacle. Reports keys that have no meaning together with `obstacle` or each other, and
// reads the files of its shapes. `tree` is the map of entry `index` of `bodies`; a mesh without nodes could not be made and is
// not checked.
void carom_scene_check_obstacle(carom_arena *arena, carom_scene_body *body, int index, const carom_tree *tree,
                                const carom_mesh *mesh, carom_report *report);

// The obstacle of a copy of an entry, whose mesh is placed along `path`; in the arena of the scene.
carom_status carom_scene_obstacle_def(carom_scene *scene, const carom_scene_body *entry, const carom_scene_path *path, int copy,
                                      const carom_mesh *unplaced, carom_body_def *body, carom_error *error);

#endif
