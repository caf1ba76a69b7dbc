// SPDX-License-Identifier: MIT
// Makes the bodies of a model from the entries of `bodies`: meshes are placed, and an array becomes one body for each copy,
// named NAME_0, NAME_1 and so on.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scene/build/obstacles.h"

// Saturates instead of overflowing; check.c refuses such numbers.
int64_t carom_scene_copies(const carom_scene_body *body) {
    const int *n = body->placement.copies;
    int64_t layer = (int64_t)n[0] * n[1];
    return n[2] > 0 && layer > INT64_MAX / n[2] ? INT64_MAX : layer * n[2];
}

// NAME selects all copies of an array, NAME_7 one of them.
bool carom_scene_is_called(const carom_scene_body *body, const char *name) {
    if (strcmp(body->def.name, name) == 0)
        return true;
    size_t length = strlen(body->def.name);
    if (carom_scene_copies(body) == 1 || strncmp(name, body->def.name, length) != 0 || name[length] != '_')
        return false;
    // a number without leading zeros, as it is printed
    const char *digits = name + length + 1;
    size_t count = strspn(digits, "0123456789");
    bool plain = count > 0 && count < 12 && !digits[count] && (digits[0] != '0' || count == 1);
    return plain && strtoll(digits, NULL, 10) < carom_scene_copies(body);
}

int carom_scene_find_body(const carom_scene_def *def, const char *name) {
    for (int i = 0; i < def->bodies.count; i++)
        // the reader leaves an invalid name empty
        if (carom_scene_body_at(def, i)->def.name[0] && carom_scene_is_called(carom_scene_body_at(def, i), name))
            return i;
    return -1;
}

bool carom_scene_is_side(const carom_scene_def *def, const char *name) {
    for (int i = 0; i < def->planes.count && *name; i++)
        if (strcmp(carom_scene_plane_at(def, i)->name, name) == 0)
            return true;
    return *name && carom_scene_find_body(def, name) >= 0;
}

// The name of the entry becomes the group of the copy. check.c limits its length, so that the number of the copy fits.
static void name_copy(carom_body_def *body, int copy) {
    char name[CAROM_NAME_MAX + 16];
    memcpy(body->group, body->name, sizeof body->group);
    snprintf(name, sizeof name, "%s_%d", body->group, copy);
    memcpy(body->name, name, sizeof body->name);
    body->name[CAROM_NAME_MAX - 1] = 0;
}

carom_status carom_cast_create(carom_scene *scene, const carom_mesh *meshes, carom_cast *cast, carom_error *error) {
    const carom_scene_body *entries = scene->def.bodies.items;
    // check.c has limited the number of copies
    int64_t total = 0;
    for (int i = 0; i < scene->def.bodies.count; i++)
        total += carom_scene_copies(&entries[i]);
    *cast = (carom_cast){
        .bodies = carom_arena_allocate(scene->arena, total, sizeof *cast->bodies),
        .meshes = carom_allocate(total, sizeof *cast->meshes),
        .entry = carom_allocate(total, sizeof *cast->entry),
    };
    if (!cast->bodies || !cast->meshes || !cast->entry)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for %lld bodies", (long long)total);

    for (int i = 0; i < scene->def.bodies.count; i++) {
        int copies = (int)carom_scene_copies(&entries[i]);
        carom_scene_path path;
        if (!carom_scene_find_path(&scene->def, &entries[i], scene->arena, &path))
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
        for (int copy = 0; copy < copies; copy++) {
            carom_mesh *mesh = &cast->meshes[cast->count];
            carom_status status = carom_mesh_copy(&meshes[i], mesh, error);
            if (status)
                return status;
            carom_mesh_place_steps(mesh, &path.placement, path.steps, path.step_count, copy);
            carom_body_def *body = &cast->bodies[cast->count];
            *body = entries[i].def;
            body->mesh = mesh;
            body->material_count = entries[i].materials.count;
            body->materials = entries[i].materials.items;
            carom_scene_ground(&entries[i], body->stands_on);
            if (entries[i].obstacle.given)
                status = carom_scene_obstacle_def(scene, &entries[i], &path, copy, &meshes[i], body, error);
            if (status)
                return status;
            if (copies > 1)
                name_copy(body, copy);
            cast->entry[cast->count++] = i;
        }
    }
    return CAROM_OK;
}

void carom_cast_release(carom_cast *cast) {
    for (int b = 0; b < cast->count; b++)
        carom_mesh_release(&cast->meshes[b]);
    free(cast->meshes);
    free(cast->entry);
    *cast = (carom_cast){0};
}
