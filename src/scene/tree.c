// SPDX-License-Identifier: MIT
// Functions for trees of values. A tree is never changed in place, since aliases share values; a change copies the nodes along
// its path.
#include "scene/tree.h"

#include <string.h>

// A linear search: maps of a scene have a few dozen keys at most.
const carom_branch *carom_tree_branch(const carom_tree *map, const char *key) {
    if (!map || map->kind != CAROM_TREE_MAP)
        return NULL;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->branches[i].key, key) == 0)
            return &map->branches[i];
    return NULL;
}

const carom_tree *carom_tree_get(const carom_tree *map, const char *key) {
    const carom_branch *branch = carom_tree_branch(map, key);
    return branch ? branch->value : NULL;
}

const carom_tree *carom_tree_at(const carom_tree *list, int index) {
    if (!list || list->kind != CAROM_TREE_LIST || index < 0 || index >= list->count)
        return NULL;
    return list->branches[index].value;
}

// The forms of null in the core schema of YAML 1.2, section 10.3.2.
bool carom_tree_is_null(const carom_tree *tree) {
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    if (tree->kind != CAROM_TREE_SCALAR || tree->quoted)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(tree->text, words[i]) == 0)
            return true;
    return false;
}

const carom_tree *carom_tree_with(carom_arena *arena, carom_tree_kind kind, const carom_tree *tree, int index,
                                  carom_branch branch) {
    int count = tree ? tree->count : 0;
    carom_tree *copy = carom_arena_allocate(arena, 1, sizeof *copy);
    carom_branch *branches = carom_arena_allocate(arena, count + 1, sizeof *branches);
    if (!copy || !branches)
        return NULL;

    if (tree)
        *copy = *tree;
    else
        *copy = (carom_tree){.kind = kind, .place = branch.place, .weight = 1};
    if (count)
        memcpy(branches, tree->branches, (size_t)count * sizeof *branches);

    // a changed entry keeps the place of its key, so that later findings about it still point into the file
    if (index < count) {
        copy->weight += branch.value->weight - branches[index].value->weight;
        branches[index].value = branch.value;
        branches[index].key = branch.key;
    } else {
        copy->weight += branch.value->weight;
        copy->count = count + 1;
        branches[count] = branch;
    }
    copy->branches = branches;
    return copy;
}
