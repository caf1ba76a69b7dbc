// SPDX-License-Identifier: MIT
// Checks the edges of shells that the element mirrors or clamps, and the restraints that they require in addition. The element
// only continues the surface beyond the edge; it does not restrain any node. Without restraints a half model drifts from its
// plane of symmetry, and a clamped edge moves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element/shell/loop_shell.h"
#include "model/model.h"
#include "scene/check/suggest.h"
#include "scene/scene.h"

// NULL if the body is no shell.
static const carom_loop_shell_params *shell_of(const carom_scene_body *body) {
    const carom_kind *kind = body->def.element.kind;
    return kind && kind == carom_catalogue_find(carom_elements(), "loop-shell") ? body->def.element.params : NULL;
}

// The map of the parameters of a shell in the file; `loop-shell` may have none.
static const carom_tree *params_tree(const carom_tree *body) {
    return carom_tree_get(carom_tree_get(body, "element"), "loop-shell");
}

void carom_scene_check_symmetry(const carom_scene_body *body, int index, const carom_tree *tree, carom_report *report) {
    const carom_loop_shell_params *shell = shell_of(body);
    carom_loop_ends ends = {0};
    carom_error reason;
    if (!shell || !carom_shell_read_symmetry(shell->symmetry, &ends, &reason))
        return;
    char path[128];
    snprintf(path, sizeof path, "bodies[%d].element.loop-shell", index);
    carom_report_add(report, carom_scene_place(params_tree(tree), "symmetry"), path, "%s", reason.message);
}

// Reads the next name of a list of words in one text, and moves `text` behind it. False at the end.
static bool next_name(const char **text, char name[CAROM_NAME_MAX]) {
    static const char blanks[] = " ,\t\n";
    *text += strspn(*text, blanks);
    size_t length = strcspn(*text, blanks);
    snprintf(name, CAROM_NAME_MAX, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

void carom_scene_check_clamped(const carom_scene_body *body, int index, const carom_tree *tree, const carom_mesh *mesh,
                               carom_report *report) {
    const carom_loop_shell_params *shell = shell_of(body);
    if (!shell || mesh->node_count == 0)
        return;
    char name[CAROM_NAME_MAX], path[128], sets[256], shown[CAROM_SHOWN_MAX];
    for (const char *text = shell->clamped; next_name(&text, name);) {
        if (strcmp(name, "all") == 0 || carom_mesh_set(mesh, name))
            continue;
        snprintf(path, sizeof path, "bodies[%d].element.loop-shell", index);
        carom_suggest_sets(mesh, sets, sizeof sets);
        carom_report_key(report, params_tree(tree), path, "clamped", "body '%s' has no set %s; its sets are %s", body->def.name,
                         carom_show_text(name, shown), sets[0] ? sets : "none");
    }
}

// True if a node cannot move along an axis: the axis lies in the span of its restrained directions, which are orthonormal.
static bool is_held(const carom_model *model, int node, int axis) {
    const carom_restraint *restraint = carom_restraint_of(&model->restraints, node);
    double part = 0;
    for (int d = 0; restraint && d < restraint->count; d++)
        part += restraint->direction[d][axis] * restraint->direction[d][axis];
    // the square of the projection of the axis onto that span; 1 up to rounding
    return part > 1 - 1e-9;
}

// Counts the nodes of a body in a plane normal to an axis (*all), and returns how many of them can leave it.
static int count_loose(const carom_model *model, const carom_body *body, int axis, double at, int *all) {
    int loose = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        for (int i = 0; i < 3; i++) {
            low = fmin(low, model->X[k][i]);
            high = fmax(high, model->X[k][i]);
        }
    *all = 0;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        if (fabs(model->X[k][axis] - at) <= CAROM_SELECTION_ROUNDING * (high - low)) {
            (*all)++;
            loose += !is_held(model, k, axis);
        }
    return loose;
}

static void note(const carom_tree *shell, int index, const char *key, const char *text, carom_report *report) {
    char path[128];
    snprintf(path, sizeof path, "bodies[%d].element.loop-shell.%s", index, key);
    carom_report_note(report, carom_scene_place(shell, key), path, text);
}

static void note_mirrors(const carom_model *model, const carom_body *body, const carom_loop_shell_params *shell, int index,
                         const carom_tree *tree, carom_report *report) {
    carom_loop_ends ends = {0};
    carom_error reason;
    if (carom_shell_read_symmetry(shell->symmetry, &ends, &reason))
        return;
    for (int i = 0; i < 3; i++) {
        int all, loose = ends.mirrored[i] ? count_loose(model, body, i, ends.plane[i], &all) : 0;
        char text[400], axis = "xyz"[i];
        double at[3] = {0};
        at[i] = ends.plane[i];
        if (!loose)
            continue;
        snprintf(text, sizeof text,
                 "%d of the %d nodes of body '%s' in the plane %c=%g can leave it: a plane of symmetry requires "
                 "`restraints: [{body: %s, on_plane: {point: [%g, %g, %g], normal: [%d, %d, %d]}, fix: %c}]` as well",
                 loose, all, body->name, axis, ends.plane[i], body->name, at[0], at[1], at[2], i == 0, i == 1, i == 2, axis);
        note(tree, index, "symmetry", text, report);
    }
}

// Notes sets without any restrained node; an edge may be guided, so that some directions are free.
static void note_clamps(const carom_model *model, const carom_body *body, const carom_loop_shell_params *shell, int index,
                        const carom_tree *tree, carom_report *report) {
    char name[CAROM_NAME_MAX], text[400];
    for (const char *words = shell->clamped; next_name(&words, name);) {
        carom_selection where = carom_default_selection();
        strcpy(where.set, name);
        strcpy(where.body, body->name);
        int *nodes = NULL, count = 0;
        carom_error reason;
        carom_status status = carom_model_select(model, &where, &nodes, &count, &reason);
        // `all` need not be a set
        if (status && strcmp(name, "all") == 0) {
            where.set[0] = 0;
            status = carom_model_select(model, &where, &nodes, &count, &reason);
        }
        bool held = status != CAROM_OK;
        for (int i = 0; i < count && !held; i++)
            held = carom_restraint_of(&model->restraints, nodes[i]) != NULL;
        free(nodes);
        if (held)
            continue;
        snprintf(text, sizeof text,
                 "no node of %s%s%s of body '%s' is restrained: a clamped edge cannot rotate, but can move; "
                 "`restraints: [{body: %s%s%s, fix: xyz}]` fixes it",
                 where.set[0] ? "set '" : "any edge", where.set, where.set[0] ? "'" : "", body->name, body->name,
                 where.set[0] ? ", set: " : "", where.set);
        note(tree, index, "clamped", text, report);
    }
}

void carom_scene_note_edges(const carom_scene *scene, const carom_tree *root, carom_report *report) {
    const carom_model *model = scene->model;
    const carom_scene_body *bodies = scene->def.bodies.items;
    // a body that is tied to a restrained one is restrained by it
    if (scene->def.ties.count || scene->def.connections.count)
        return;
    for (int i = 0; i < scene->def.bodies.count; i++) {
        const carom_loop_shell_params *shell = shell_of(&bodies[i]);
        if (!shell || (!shell->symmetry[0] && !shell->clamped[0]))
            continue;
        const carom_tree *tree = params_tree(carom_tree_at(carom_tree_get(root, "bodies"), i));
        int b = 0;
        // the first copy of an array represents all
        while (b < model->body_count && !carom_body_is_called(&model->bodies[b], bodies[i].def.name))
            b++;
        if (b == model->body_count)
            continue;
        note_mirrors(model, &model->bodies[b], shell, i, tree, report);
        note_clamps(model, &model->bodies[b], shell, i, tree, report);
    }
}
