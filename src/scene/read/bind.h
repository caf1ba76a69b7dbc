// SPDX-License-Identifier: MIT
// Turns the tree of a file into a definition with all defaults filled in, by means of the table of keys.
#ifndef CAROM_SCENE_READ_BIND_H
#define CAROM_SCENE_READ_BIND_H

#include "scene/finding.h"
#include "scene/schema.h"
#include "scene/tree.h"

// Fills `def` from the tree; lists and parameters are allocated in the arena. Every fault becomes a
// finding. A value that could not be read stays empty: a pick has no kind, a name is "".
void carom_bind(const carom_tree *root, carom_scene_def *def, carom_arena *arena, carom_report *report);

// The same for a mesh alone, {line: {...}}; `pick` has no kind if there was a fault.
void carom_bind_mesh(const carom_tree *root, carom_pick *pick, carom_arena *arena, carom_report *report);

#endif
