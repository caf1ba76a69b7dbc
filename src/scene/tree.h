// SPDX-License-Identifier: MIT
// The tree of a scene file: values and their places. It does not interpret keys.
#ifndef CAROM_SCENE_TREE_H
#define CAROM_SCENE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// A place in the input. `origin` is NULL for the scene file, else the override as given ("--set
// time.end=3"); line and column are then 0.
typedef struct carom_place {
    const char *origin;
    int line, column; // from 1
} carom_place;

typedef enum carom_tree_kind {
    CAROM_TREE_SCALAR,
    CAROM_TREE_MAP,
    CAROM_TREE_LIST,
} carom_tree_kind;

typedef struct carom_tree carom_tree;

// One entry of a map (with its key) or of a list (key NULL).
typedef struct carom_branch {
    const char *key;
    carom_place place; // of the key; of the value in a list
    const carom_tree *value;
} carom_branch;

// A value. An alias shares the value of its anchor, so the tree is a graph without cycles; it is never changed in place.
struct carom_tree {
    carom_tree_kind kind;
    carom_place place;
    const char *text; // of a scalar, zero-terminated
    bool quoted;      // a scalar in quotes or a block scalar: always text, never a number
    int count;
    carom_branch *branches;
    int64_t weight; // values in the subtree, shared ones counted as often as they appear
};

// Limits: values of a scene with aliases expanded, which stops exponential expansion, and levels of
// nesting.
enum { CAROM_TREE_WEIGHT_MAX = 1000000, CAROM_TREE_DEPTH_MAX = 48 };

// The branch of that key, or NULL.
const carom_branch *carom_tree_branch(const carom_tree *map, const char *key);
// The value of that key, or NULL, also if `map` is NULL or not a map.
const carom_tree *carom_tree_get(const carom_tree *map, const char *key);
// The value at that index of a list, or NULL.
const carom_tree *carom_tree_at(const carom_tree *list, int index);

// True for a null scalar: empty, `~` or `null`, not in quotes.
bool carom_tree_is_null(const carom_tree *tree);

// A copy of a map or list in the arena with one branch changed (an existing key or index) or added (a new key, or the index
// one past the last). Everything else is shared with the original. `tree` NULL is an empty one of that kind. NULL if memory is
// short.
const carom_tree *carom_tree_with(carom_arena *arena, carom_tree_kind kind, const carom_tree *tree, int index,
                                  carom_branch branch);

#endif
