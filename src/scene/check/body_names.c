// SPDX-License-Identifier: MIT
// Checks names of bodies in other parts of a scene. An unknown name is reported at its place in the file, with the most similar
// existing name. If a plane and a body have the same name, the later of the two is reported.
#include "scene/check/body_names.h"

#include <string.h>

#include "scene/read/value.h"

void carom_scene_unknown_body(const carom_scene_def *def, carom_arena *arena, const char *name, carom_also also,
                              carom_place place, const char *path, carom_report *report) {
    int bodies = def->bodies.count, planes = also == CAROM_ALSO_PLANES ? def->planes.count : 0;
    int count = bodies + planes + (also == CAROM_ALSO_GROUND);
    const char **names = carom_arena_allocate(arena, count, sizeof *names);
    char hint[CAROM_SHOWN_MAX] = "", shown[CAROM_SHOWN_MAX];
    for (int i = 0; names && i < count; i++)
        names[i] = i < bodies            ? carom_scene_body_at(def, i)->def.name
                   : i < bodies + planes ? ((const carom_plane_def *)def->planes.items)[i - bodies].name
                                         : "ground";
    // the name may be that of a copy that does not exist, NAME_99 of an array of 10
    const carom_scene_body *copied = NULL;
    for (int i = 0; i < bodies && !copied; i++) {
        size_t size = strlen(carom_scene_body_at(def, i)->def.name);
        if (carom_scene_copies(carom_scene_body_at(def, i)) > 1 &&
            strncmp(name, carom_scene_body_at(def, i)->def.name, size) == 0 && name[size] == '_')
            copied = carom_scene_body_at(def, i);
    }
    if (copied)
        snprintf(hint, sizeof hint, " (its copies are %.20s_0 to %.20s_%lld)", copied->def.name, copied->def.name,
                 (long long)carom_scene_copies(copied) - 1);
    else if (names && !carom_value_nearest(name, names, count, hint)[0])
        carom_value_list(names, count, hint);
    carom_report_add(report, place, path, "there is no body %s%s%s", also == CAROM_ALSO_PLANES ? "or plane " : "",
                     carom_show_text(name, shown), hint);
}

// Checks a key of a map that names a body. An empty name could not be read and has been reported.
static void check_name(const carom_scene_def *def, carom_arena *arena, const char *name, carom_also also,
                       const carom_tree *tree, const char *key, const char *path, carom_report *report) {
    char key_path[160];
    bool known =
        !name[0] || (also == CAROM_ALSO_GROUND && strcmp(name, "ground") == 0) || carom_scene_find_body(def, name) >= 0;
    snprintf(key_path, sizeof key_path, "%s.%s", path, key);
    if (!known)
        carom_scene_unknown_body(def, arena, name, also, carom_scene_place(tree, key), key_path, report);
}

void carom_scene_check_joined(const carom_scene_def *def, carom_arena *arena, const carom_tree *root, carom_report *report) {
    const carom_scene_joint *joints = def->joints.items;
    for (int i = 0; i < def->joints.count; i++) {
        const carom_tree *tree = carom_tree_at(carom_tree_get(root, "joints"), i);
        char path[64];
        snprintf(path, sizeof path, "joints[%d]", i);
        // unless a body has the name `ground`
        if (strcmp(joints[i].joint.body, "ground") == 0 && carom_scene_find_body(def, "ground") < 0)
            carom_report_add(report, carom_scene_place(tree, "body"), path,
                             "the ground cannot be `body`: name the rigid body there, and give `to: ground`");
        else
            check_name(def, arena, joints[i].joint.body, CAROM_ALSO_NOTHING, tree, "body", path, report);
        check_name(def, arena, joints[i].joint.to, CAROM_ALSO_GROUND, tree, "to", path, report);
    }
    // the others have two ends, each of them a map
    const struct {
        const char *key;
        const carom_list *list;
        size_t size, from, to;
        carom_also also;
    } lists[] = {
        {"tied", &def->ties, sizeof(carom_tie_def), offsetof(carom_tie_def, from.body), offsetof(carom_tie_def, to.body),
         CAROM_ALSO_NOTHING},
        {"connections", &def->connections, sizeof(carom_connection_def), offsetof(carom_connection_def, from.body),
         offsetof(carom_connection_def, to.body), CAROM_ALSO_NOTHING},
        {"springs", &def->springs, sizeof(carom_spring_def), offsetof(carom_spring_def, from.body),
         offsetof(carom_spring_def, to.body), CAROM_ALSO_GROUND},
    };
    for (int l = 0; l < 3; l++)
        for (int i = 0; i < 2 * lists[l].list->count; i++) {
            const char *item = (const char *)lists[l].list->items + (size_t)(i / 2) * lists[l].size;
            const char *end = i % 2 ? "to" : "from";
            const carom_tree *tree = carom_tree_get(carom_tree_at(carom_tree_get(root, lists[l].key), i / 2), end);
            char path[64];
            snprintf(path, sizeof path, "%s[%d].%s", lists[l].key, i / 2, end);
            if (tree)
                check_name(def, arena, item + (i % 2 ? lists[l].to : lists[l].from), lists[l].also, tree, "body", path, report);
        }
}

// True if a place stands behind another in the file; overrides come last.
static bool is_behind(carom_place a, carom_place b) {
    if (a.origin || b.origin)
        return a.origin && !b.origin;
    return a.line != b.line ? a.line > b.line : a.column > b.column;
}

void carom_scene_check_planes(const carom_scene_def *def, const carom_tree *root, carom_report *report) {
    const carom_plane_def *planes = def->planes.items;
    for (int p = 0; p < def->planes.count; p++)
        for (int b = 0; b < def->bodies.count; b++) {
            const carom_scene_body *body = carom_scene_body_at(def, b);
            if (!planes[p].name[0] || !body->def.name[0] || !carom_scene_is_called(body, planes[p].name))
                continue;
            const carom_tree *list = carom_tree_get(carom_tree_get(root, "contact"), "planes");
            carom_place plane = carom_scene_place(carom_tree_at(list, p), "name");
            carom_place other = carom_scene_place(carom_tree_at(carom_tree_get(root, "bodies"), b), "name");
            char path[64], first[64];
            bool second = is_behind(other, plane);
            snprintf(path, sizeof path, second ? "bodies[%d].name" : "contact.planes[%d].name", second ? b : p);
            snprintf(first, sizeof first, second ? "contact.planes[%d]" : "bodies[%d]", second ? p : b);
            carom_report_add(report, second ? other : plane, path,
                             "'%s' is also the name of %s: a body and a plane need different names, since `contact.pairs` "
                             "refers to both by name",
                             planes[p].name, first);
        }
}
