// SPDX-License-Identifier: MIT
// Reads one value of a scene into the field described by its parameter row.
#ifndef CAROM_SCENE_READ_VALUE_H
#define CAROM_SCENE_READ_VALUE_H

#include "scene/finding.h"
#include "scene/schema.h"
#include "scene/tree.h"

// Reads a scalar, or the components of a vector, into its field; `path` is that of the key. After a fault
// adds findings and returns false; the field is then unchanged, or partly read if it is a vector.
bool carom_value_read(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report);

// Describes a value for a message: "a map", "a list of 2", "nothing", "'young'".
const char *carom_value_found(const carom_tree *tree, char shown[CAROM_SHOWN_MAX]);

// " (did you mean 'linear'?)" in `hint`, or "" if no word is near.
const char *carom_value_nearest(const char *word, const char *const *words, int count, char hint[CAROM_SHOWN_MAX]);

// " (known: a, b, c)" in `text`, as many words as fit.
const char *carom_value_list(const char *const *words, int count, char text[CAROM_SHOWN_MAX]);

#endif
