// SPDX-License-Identifier: MIT
// Overrides of the command line: a.b[0].c=value, bodies.left.velocity[2]=value.
#ifndef CAROM_SCENE_READ_OVERRIDE_H
#define CAROM_SCENE_READ_OVERRIDE_H

#include "scene/finding.h"
#include "scene/tree.h"

// The tree with one value set. Missing maps are created, and an index one past the end of a list appends to
// it. The entry of a list is found by its index or by its `name`; a component of a vector that is left out joins the defaults
// of the others. A key that contains a dot is written in quotes. A value shared through an alias changes only at the
// given path. After a fault, adds a finding and returns the tree unchanged.
const carom_tree *carom_override_apply(const carom_tree *root, const char *text, carom_arena *arena, carom_report *report);

#endif
