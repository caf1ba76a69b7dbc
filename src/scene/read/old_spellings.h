// SPDX-License-Identifier: MIT
// Earlier names of keys and values.
#ifndef CAROM_SCENE_READ_OLD_SPELLINGS_H
#define CAROM_SCENE_READ_OLD_SPELLINGS_H

#include "scene/finding.h"
#include "scene/tree.h"

// The tree of a scene with the present names in place of old ones; adds a note for each.
const carom_tree *carom_old_spellings_replace(const carom_tree *root, carom_arena *arena, carom_report *report);

#endif
