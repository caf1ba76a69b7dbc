// SPDX-License-Identifier: MIT
// A hash of the content of a scene, so that a study can detect changes. Comments and layout have no effect; the order of keys
// does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "carom/file.h"
#include "scene/scene.h"

// The kind and the number of entries take part, so that [[a], b] and [[a, b]] differ.
static uint64_t hash_tree(uint64_t h, const carom_tree *tree) {
    int head[3] = {(int)tree->kind, tree->quoted, tree->count};
    h = carom_hash(h, head, sizeof head);
    if (tree->kind == CAROM_TREE_SCALAR)
        return carom_hash(h, tree->text, strlen(tree->text));
    for (int i = 0; i < tree->count; i++) {
        const carom_branch *branch = &tree->branches[i];
        if (branch->key)
            h = carom_hash(h, branch->key, strlen(branch->key));
        h = hash_tree(h, branch->value);
    }
    return h;
}

// A file that cannot be read adds nothing: the run that needs it reports the error.
static uint64_t hash_file(uint64_t h, const char *path, const char *scene) {
    char *full = carom_scene_file(scene, path);
    unsigned char *bytes;
    size_t size;
    carom_status status = full ? carom_read_bytes(full, &bytes, &size, NULL) : CAROM_NO_MEMORY;
    free(full);
    if (status)
        return h;
    h = carom_hash(h, bytes, size);
    free(bytes);
    return h;
}

uint64_t carom_scene_digest(const carom_tree *root, const carom_scene_def *def, const char *name) {
    uint64_t h = hash_tree(CAROM_HASH_START, root);
    const carom_scene_body *bodies = def->bodies.items;
    for (int i = 0; i < def->bodies.count; i++) {
        const carom_pick *mesh = &bodies[i].mesh;
        if (mesh->kind && mesh->params && strcmp(mesh->kind->name, "file") == 0)
            h = hash_file(h, ((const carom_file_params *)mesh->params)->path, name);
    }
    // 0 stands for no hash
    return h ? h : 1;
}
