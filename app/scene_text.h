// SPDX-License-Identifier: MIT
// The scene that a run leaves beside its results.
#ifndef CAROM_APP_SCENE_TEXT_H
#define CAROM_APP_SCENE_TEXT_H

#include "carom/scene.h"

// The scene with all defaults filled in, to be freed with free(); NULL if memory is short.
char *carom_scene_text(const carom_scene *scene);

#endif
