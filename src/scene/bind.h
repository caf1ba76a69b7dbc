// SPDX-License-Identifier: MIT
// A tree, read by the table of keys, becomes a definition with all defaults filled in.
#ifndef CAROM_SCENE_BIND_H
#define CAROM_SCENE_BIND_H

#include "scene/finding.h"
#include "scene/schema.h"
#include "scene/tree.h"

// Fills `def` from the tree; lists and the parameters of picks are allocated in the arena. Every fault becomes a finding. What
// could not be read stays empty: a pick has no kind, a name is "".
void carom_bind(const carom_tree *root, carom_scene_def *def, carom_arena *arena, carom_report *report);

// The same for the description of a mesh alone, {line: {...}}; `pick` has no kind if it is not good.
void carom_bind_mesh(const carom_tree *root, carom_pick *pick, carom_arena *arena, carom_report *report);

#endif
