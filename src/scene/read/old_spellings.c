// SPDX-License-Identifier: MIT
// Old spellings have the meaning of the present ones. They are replaced before anything else reads the tree, so that the rest
// of carom has one name for each thing.
#include "scene/read/old_spellings.h"

#include <stdio.h>
#include <string.h>

// A key of a map at the top of a scene or, where `value` is given, a value of that key.
static const struct {
    const char *map, *key, *value, *now;
} spellings[] = {
    {"contact", "resolve", "drift", "exact"},
    {"expect", "energy_drift", NULL, "energy_error"},
    {"expect", "momentum_drift", NULL, "momentum_error"},
    {"expect", "angular_momentum_drift", NULL, "angular_momentum_error"},
    {"expect", "conserved_momentum_drift", NULL, "conserved_momentum_error"},
    {"expect", "conserved_angular_momentum_drift", NULL, "conserved_angular_momentum_error"},
};

// The branch with its present name; false if memory is short.
static bool rename_branch(carom_branch *branch, const char *value, const char *now, carom_arena *arena) {
    if (!value) {
        branch->key = now;
        return true;
    }
    carom_tree *scalar = carom_arena_allocate(arena, 1, sizeof *scalar);
    if (!scalar)
        return false;
    *scalar = *branch->value;
    scalar->text = now;
    branch->value = scalar;
    return true;
}

const carom_tree *carom_old_spellings_replace(const carom_tree *root, carom_arena *arena, carom_report *report) {
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const char *key = spellings[i].key, *value = spellings[i].value, *now = spellings[i].now;
        const carom_branch *outer = carom_tree_branch(root, spellings[i].map);
        const carom_branch *inner = outer ? carom_tree_branch(outer->value, key) : NULL;
        if (!inner)
            continue;
        const carom_tree *old = inner->value;
        if (value && (old->kind != CAROM_TREE_SCALAR || strcmp(old->text, value) != 0))
            continue;
        if (!value && carom_tree_branch(outer->value, now)) {
            carom_report_add(report, inner->place, spellings[i].map, "'%s' is an old spelling of '%s', which is given too", key,
                             now);
            continue;
        }
        carom_branch made = *inner, map = *outer;
        const carom_tree *changed = NULL;
        if (rename_branch(&made, value, now, arena))
            map.value = carom_tree_with(arena, CAROM_TREE_MAP, outer->value, (int)(inner - outer->value->branches), made);
        else
            map.value = NULL;
        if (map.value)
            changed = carom_tree_with(arena, CAROM_TREE_MAP, root, (int)(outer - root->branches), map);
        if (!changed) {
            report->failed = true;
            return root;
        }
        char path[80], message[120];
        snprintf(path, sizeof path, "%s.%s", spellings[i].map, key);
        snprintf(message, sizeof message, "'%s' is an old spelling of '%s'", value ? value : key, now);
        carom_report_note(report, value ? old->place : inner->place, path, message);
        root = changed;
    }
    return root;
}
