// SPDX-License-Identifier: MIT
// A mesh described in one line outside of a scene, as `carom mesh` accepts it: "{line: {from: [0, 0, 0],
// ...}}" or the name of a generator.
#include <string.h>

#include "base/numerals.h"
#include "carom/text.h"
#include "scene/read/bind.h"
#include "scene/read/override.h"
#include "scene/read/yaml.h"
#include "scene/scene.h"

// The name of the generator; overrides are relative to its parameters, so that `--set elements=10` is
// enough.
static const char *kind_name(const carom_tree *root) {
    if (root->kind == CAROM_TREE_SCALAR)
        return root->text;
    return root->kind == CAROM_TREE_MAP && root->count == 1 ? root->branches[0].key : NULL;
}

static carom_status generate(const char *text, const char *const *overrides, int override_count, carom_arena *arena,
                             carom_mesh *mesh, carom_report *report, carom_error *error) {
    const carom_tree *root = carom_yaml_parse(text, strlen(text), CAROM_YAML, NULL, arena, report);
    // the parser has reported why
    if (!root)
        return CAROM_OK;
    const char *kind = kind_name(root);
    for (int i = 0; i < override_count && kind; i++) {
        carom_text path = {0};
        carom_text_print(&path, "%s.%s", kind, overrides[i]);
        if (path.data)
            root = carom_override_apply(root, path.data, arena, report);
        report->failed |= path.failed;
        carom_text_release(&path);
    }
    carom_pick pick;
    carom_bind_mesh(root, &pick, arena, report);
    if (!pick.kind || report->findings.count || report->failed)
        return CAROM_OK;
    carom_error reason;
    carom_status status = carom_scene_generate(report, root->place, "", pick, mesh, &reason);
    if (status == CAROM_BAD_INPUT) {
        carom_report_add(report, root->place, "", "%s", reason.message);
        return CAROM_OK;
    }
    return status ? carom_fail(error, status, "%s", reason.message) : CAROM_OK;
}

carom_status carom_scene_mesh(const char *text, const char *const *overrides, int override_count, carom_mesh *mesh,
                              carom_findings *findings, carom_error *error) {
    *mesh = (carom_mesh){0};
    carom_report report = {.file = "mesh"};
    carom_arena *arena = carom_arena_create();
    carom_numerals numerals = carom_numerals_enter();
    carom_status status = arena ? generate(text, overrides, override_count, arena, mesh, &report, error)
                                : carom_fail(error, CAROM_NO_MEMORY, "no memory for a mesh");
    carom_numerals_leave(numerals);
    carom_arena_release(arena);
    return carom_report_close(&report, status, findings, error);
}
