// SPDX-License-Identifier: MIT
// Checks that the table of keys cannot express: names that must differ, names that must exist, and parts
// that must fit together. A check reports only if the values it depends on were read without a fault, so that one mistake gives
// one finding. The meshes are made here as well, because sets and node numbers are known only with them.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"
#include "carom/text.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "model/build/definition.h"
#include "model/rigid.h"
#include "scene/build/obstacles.h"
#include "scene/build/placing.h"
#include "scene/check/body_names.h"
#include "scene/check/suggest.h"
#include "scene/read/value.h"
#include "scene/scene.h"
#include "scene/schema.h"

// Bytes of a list of result names in a message; longer lists are cut.
enum { LISTED_MAX = 400 };

// The definition to be checked, and the tree for the places of findings.
typedef struct checker {
    carom_scene_def *def;
    const carom_tree *root;
    const carom_mesh *meshes; // of the bodies; node_count 0: there is none
    carom_arena *arena;
    carom_report *report;
    bool bodies_named; // every body has a valid name, so that references can be checked
} checker;

// The map of item `index` of a list in that section.
static const carom_tree *item_tree(const carom_tree *section, const char *list, int index) {
    return carom_tree_at(carom_tree_get(section, list), index);
}

// A name and the item that has it.
typedef struct item_name {
    const char *name;
    int item;
} item_name;

static int by_name(const void *a_, const void *b_) {
    const item_name *a = a_, *b = b_;
    int order = strcmp(a->name, b->name);
    return order ? order : a->item - b->item;
}

// Names at `offset` of the items must differ; an empty one was not read and is skipped.
static void check_unique(checker *c, const carom_tree *section, const char *path, const char *key, const carom_list *list,
                         size_t size, size_t offset) {
    item_name *names = carom_allocate(list->count, sizeof *names);
    int *first = carom_allocate(list->count, sizeof *first);
    c->report->failed |= !names || !first;
    for (int i = 0; i < list->count && names; i++)
        names[i] = (item_name){(const char *)list->items + (size_t)i * size + offset, i};
    if (names && first) {
        qsort(names, (size_t)list->count, sizeof *names, by_name);
        for (int i = 0; i < list->count; i++) {
            bool again = i > 0 && *names[i].name && strcmp(names[i].name, names[i - 1].name) == 0;
            first[names[i].item] = again ? first[names[i - 1].item] : names[i].item;
        }
    }
    for (int i = 1; i < list->count && names && first; i++) {
        if (first[i] == i)
            continue;
        char where[128];
        snprintf(where, sizeof where, "%s%s[%d].name", path, key, i);
        carom_report_add(c->report, carom_scene_place(item_tree(section, key, i), "name"), where,
                         "'%s' is also the name of %s%s[%d]", (const char *)list->items + (size_t)i * size + offset, path, key,
                         first[i]);
    }
    free(names);
    free(first);
}

// A mesh file is relative to the folder of the scene file. Returns the choice with that path; NULL
// parameters if memory is short.
static carom_pick from_scene(checker *c, carom_pick mesh) {
    if (strcmp(mesh.kind->name, "file") != 0)
        return mesh;
    carom_file_params *params = carom_arena_copy(c->arena, mesh.params, sizeof *params);
    // the report contains the path of the scene
    char *path = params ? carom_scene_file(c->report->file, params->path) : NULL;
    if (path && strlen(path) < sizeof params->path)
        strcpy(params->path, path);
    bool failed = !path;
    free(path);
    return (carom_pick){mesh.kind, failed ? NULL : params};
}

// Replaces the path of a mesh file by its absolute path, so that a dump of the scene can be read from any
// folder. False if the path is too long; NULL parameters if memory is short.
static bool name_in_full(checker *c, carom_pick *mesh) {
    if (strcmp(mesh->kind->name, "file") != 0)
        return true;
    carom_file_params *params = carom_arena_copy(c->arena, mesh->params, sizeof *params);
    char *path = params ? carom_platform_real_path(params->path) : NULL;
    bool fits = !path || strlen(path) < sizeof params->path;
    if (path && fits)
        strcpy(params->path, path);
    // a file that is not there is reported when it is read
    mesh->params = params && !path && errno == ENOMEM ? NULL : params;
    free(path);
    return fits;
}

// Repairs a mesh from a file if requested, and refuses it if faults remain. Generated meshes have none.
static carom_status check_mesh(const carom_scene_body *body, carom_mesh *mesh, carom_error *error) {
    carom_mesh_faults faults;
    // nodes without elements would have no mass and are dropped in any case
    carom_status status = body->fix ? carom_mesh_fix(mesh, &faults, error) : carom_mesh_drop_unused(mesh, error);
    if (!status)
        status = carom_mesh_check(mesh, &faults, error);
    // an obstacle is a set of cells, which need not fit together
    if (status || body->obstacle.given || !carom_mesh_is_faulty(&faults))
        return status ? status : carom_mesh_name_surface(mesh, error);
    char text[400], parts[300];
    carom_mesh_faults_print(&faults, text, sizeof text);
    carom_mesh_parts_print(mesh, &faults, parts, sizeof parts);
    const carom_file_params *file = body->mesh.params;
    return carom_fail(error, CAROM_BAD_INPUT, "%.200s: the mesh has %s%s%s", file->path, text,
                      body->fix                         ? ", which cannot be mended"
                      : carom_mesh_is_mendable(&faults) ? " (`fix: true` mends what can be mended)"
                                                        : "",
                      parts);
}

// Generates or reads the mesh of a body. Elements are counted before they are made: a limit protects against a scene that
// exceeds the memory.
static void make_mesh(checker *c, int index, carom_mesh *mesh, double *elements_left) {
    const carom_scene_body *body = carom_scene_body_at(c->def, index);
    if (!body->mesh.kind)
        return;
    const carom_tree *tree = item_tree(c->root, "bodies", index);
    char path[128];
    snprintf(path, sizeof path, "bodies[%d].mesh", index);
    const carom_generator *generator = (const carom_generator *)body->mesh.kind;
    double copies = (double)carom_scene_copies(body);
    // the size of a file is not known in advance: it counts as one element
    bool outside = !generator->cell_count;
    *elements_left -= outside ? copies : copies * generator->cell_count(body->mesh.params);
    if (*elements_left < 0) {
        carom_report_add(c->report, carom_scene_place(tree, "mesh"), path, "too many elements");
        return;
    }
    carom_error error;
    carom_pick pick = from_scene(c, body->mesh);
    carom_status status = CAROM_NO_MEMORY;
    if (pick.params)
        status = carom_scene_generate(c->report, carom_scene_place(tree, "mesh"), path, pick, mesh, &error);
    if (!status && outside)
        status = check_mesh(body, mesh, &error);
    if (!status && body->renumber)
        status = carom_mesh_renumber(mesh, &error);
    if (!status && !name_in_full(c, &pick))
        status = carom_fail(&error, CAROM_BAD_INPUT, "the full path of the file has more than %d bytes", CAROM_TEXT_MAX - 1);
    if (!status && !pick.params)
        status = CAROM_NO_MEMORY;
    if (!status)
        ((carom_scene_body *)c->def->bodies.items)[index].mesh = pick;
    if (status)
        carom_mesh_release(mesh);
    if (status == CAROM_NO_MEMORY)
        c->report->failed = true;
    else if (status)
        carom_report_add(c->report, carom_scene_place(tree, "mesh"), path, "%s", error.message);
}

// True if the body has an unknown key that was probably meant to be `material`; that key is reported already.
static bool material_is_misspelt(const carom_tree *tree) {
    carom_key keys[CAROM_KEYS_MAX];
    const carom_key *bodies = carom_schema();
    while (!bodies->name || strcmp(bodies->name, "bodies") != 0)
        bodies++;
    return carom_key_is_misspelt(tree, keys, carom_keys_expand(bodies->keys, keys), "material");
}

// Suggests the set that was probably meant; a rigid body has its centre as well.
static void suggest_set(checker *c, const carom_mesh *mesh, bool rigid, const char *set, char hint[CAROM_SHOWN_MAX]) {
    int count = 0;
    const char **names = carom_arena_allocate(c->arena, mesh->set_count + mesh->cell_set_count + 1, sizeof *names);
    hint[0] = 0;
    for (int i = 0; names && i < mesh->set_count; i++)
        names[count++] = mesh->sets[i].name;
    for (int i = 0; names && i < mesh->cell_set_count; i++)
        names[count++] = mesh->cell_sets[i].name;
    if (names && rigid)
        names[count++] = CAROM_CENTRE_SET;
    if (names)
        carom_value_nearest(set, names, count, hint);
}

// Element, cells and material must fit together.
static void check_element(checker *c, int index) {
    carom_scene_body *bodies = c->def->bodies.items, *body = &bodies[index];
    const carom_element *element = (const carom_element *)body->def.element.kind;
    const carom_tree *tree = item_tree(c->root, "bodies", index);
    carom_scene_check_obstacle(c->arena, body, index, tree, &c->meshes[index], c->report);
    if (!element || body->obstacle.given)
        return;
    char path[128];
    const carom_mesh *mesh = &c->meshes[index];
    // a mesh of several cell types has several blocks; one finding is enough
    for (int i = 0; i < mesh->block_count; i++) {
        bool rigid = carom_element_is_rigid(element) && carom_cell_dimension(mesh->blocks[i].type) > 1;
        if (carom_element_takes(element, mesh->blocks[i].type) || rigid)
            continue;
        // some elements take two types of cells (CAROM_CELL_POINT: only one)
        bool two = element->also != CAROM_CELL_POINT;
        char suggestion[160];
        carom_suggest_cells(element, body->mesh.kind, mesh->blocks[i].type, suggestion, sizeof suggestion);
        snprintf(path, sizeof path, "bodies[%d].element", index);
        carom_report_add(c->report, carom_scene_place(tree, "element"), path,
                         "element '%s' is made of %s%s%s cells, but mesh '%s' has %s cells%s", element->kind.name,
                         carom_cell_name(element->cell), two ? " or " : "", two ? carom_cell_name(element->also) : "",
                         body->mesh.kind->name, carom_cell_name(mesh->blocks[i].type), suggestion);
        break;
    }
    const carom_branch *material = carom_tree_branch(tree, "material");
    const carom_branch *several = carom_tree_branch(tree, "materials");
    if (element->needs_material && !material && !several && !material_is_misspelt(tree)) {
        snprintf(path, sizeof path, "bodies[%d]", index);
        carom_report_add(c->report, tree->place, path, "missing key 'material' (element '%s' needs one)", element->kind.name);
    } else if (!element->needs_material && !element->may_have_material && (material || several)) {
        snprintf(path, sizeof path, "bodies[%d].material%s", index, material ? "" : "s");
        carom_report_add(c->report, (material ? material : several)->place, path,
                         "element '%s' has no material: remove this key", element->kind.name);
    }
    carom_scene_check_materials(body, index, tree, mesh, c->report);
    carom_scene_check_clamped(body, index, tree, mesh, c->report);
    carom_scene_check_symmetry(body, index, tree, c->report);
}

// An array must not be too large, and its name must be short enough for the number of a copy to fit.
static void check_array(checker *c, int index) {
    const carom_scene_body *body = carom_scene_body_at(c->def, index);
    const carom_tree *tree = item_tree(c->root, "bodies", index);
    char path[64], array_path[80];
    snprintf(path, sizeof path, "bodies[%d]", index);
    snprintf(array_path, sizeof array_path, "bodies[%d].array", index);
    if (carom_scene_copies(body) > CAROM_SCENE_BODIES_MAX)
        carom_report_key(c->report, carom_tree_get(tree, "array"), array_path, "copies",
                         "%lld bodies are too many (at most %d)", (long long)carom_scene_copies(body), CAROM_SCENE_BODIES_MAX);
    if (carom_scene_copies(body) > 1 && strlen(body->def.name) + 8 >= CAROM_NAME_MAX)
        carom_report_key(c->report, tree, path, "name", "the name of an array has at most %d bytes, found %zu",
                         CAROM_NAME_MAX - 9, strlen(body->def.name));
}

// Unique names, array sizes, meshes and elements of all bodies.
static void check_bodies(checker *c, carom_mesh *meshes, double element_limit) {
    const carom_list *bodies = &c->def->bodies;
    check_unique(c, c->root, "", "bodies", bodies, sizeof(carom_scene_body), offsetof(carom_scene_body, def.name));
    c->bodies_named = bodies->count > 0;
    double elements_left = element_limit;
    for (int i = 0; i < bodies->count; i++) {
        c->bodies_named = c->bodies_named && carom_scene_body_at(c->def, i)->def.name[0];
        check_array(c, i);
        make_mesh(c, i, &meshes[i], &elements_left);
        check_element(c, i);
    }
}

// Body, set and node of a selection must exist. `tree` is the map that selects; `faces` allows a set of
// faces.
static void check_selection(checker *c, const carom_selection *where, const carom_tree *tree, bool faces, const char *path) {
    char key_path[160], sets[256], shown[CAROM_SHOWN_MAX], hint[CAROM_SHOWN_MAX];
    const carom_branch *node = carom_tree_branch(tree, "node");
    if (!where->body[0] || !c->bodies_named)
        return;

    int index = carom_scene_find_body(c->def, where->body);
    if (index < 0) {
        snprintf(key_path, sizeof key_path, "%s.body", path);
        carom_scene_unknown_body(c->def, c->arena, where->body, CAROM_ALSO_NOTHING, carom_scene_place(tree, "body"), key_path,
                                 c->report);
        return;
    }
    for (int i = 0; i < 3; i++)
        if (where->in_box.given && where->in_box.low[i] > where->in_box.high[i]) {
            carom_report_key(c->report, tree, path, "in_box", "`low` is above `high` along %c", "xyz"[i]);
            return;
        }
    const carom_mesh *mesh = &c->meshes[index];
    if (mesh->node_count == 0)
        return;
    const carom_element *element = (const carom_element *)carom_scene_body_at(c->def, index)->def.element.kind;
    // an element with a fault may have been a rigid one
    bool rigid = element && carom_element_is_rigid(element),
         centre = (rigid || !element) && strcmp(where->set, CAROM_CENTRE_SET) == 0;
    if (where->set[0] && !centre && !carom_mesh_set(mesh, where->set) && !carom_mesh_cell_set(mesh, where->set) &&
        !(faces && carom_mesh_face_set(mesh, where->set))) {
        carom_suggest_sets(mesh, sets, sizeof sets);
        suggest_set(c, mesh, rigid, where->set, hint);
        const char *listed = sets[0] ? sets : rigid ? "" : "none";
        carom_report_key(c->report, tree, path, "set", "body '%s' has no set %s%s; its sets are %s%s%s", where->body,
                         carom_show_text(where->set, shown), hint, listed, rigid && sets[0] ? ", " : "",
                         rigid ? CAROM_CENTRE_SET : "");
    }
    // node numbers of a file need not be contiguous; the model checks these
    if (node && !mesh->node_ids && where->node >= mesh->node_count + rigid)
        carom_report_key(c->report, tree, path, "node", "body '%s' has nodes 0 to %d, found %d", where->body,
                         mesh->node_count - 1, where->node);
}

// The first direction in the span of those before it, by Gram-Schmidt; -1 if all are independent. The
// tolerance 1e-9 is the sine of the smallest angle between a direction and the span of those before.
static int first_dependent(const carom_vector_list *directions) {
    double basis[3][3];
    for (int i = 0; i < directions->count; i++) {
        memcpy(basis[i], directions->items[i], sizeof basis[i]);
        carom_normalize(basis[i]);
        for (int j = 0; j < i; j++)
            carom_add_scaled(-carom_dot(basis[i], basis[j]), basis[j], basis[i]);
        if (!(carom_normalize(basis[i]) > 1e-9))
            return i;
    }
    return -1;
}

// A table of velocities defines the whole motion, so that `velocity`, `ramp` and `history` contradict it. Without a table, the
// factors `ramp` and `history` require a `velocity`.
static void check_motion(checker *c, const carom_scene_restraint *restraint, const carom_tree *tree, const char *path) {
    bool table = restraint->velocities.count, moved = carom_norm(restraint->velocity) > 0;
    const char *why = table ? "`velocities` already defines the whole motion"
                            : "has a meaning only together with `velocity`: give one, or remove this key";
    if (table && moved)
        carom_report_forbid(c->report, tree, path, "velocity", why);
    if ((table || !moved) && restraint->ramp > 0)
        carom_report_forbid(c->report, tree, path, "ramp", why);
    if ((table || !moved) && restraint->history.count)
        carom_report_forbid(c->report, tree, path, "history", why);
}

// Selections must exist, motions must be consistent, and directions independent.
static void check_restraints(checker *c) {
    const carom_scene_restraint *restraints = c->def->restraints.items;
    for (int i = 0; i < c->def->restraints.count; i++) {
        const carom_tree *tree = item_tree(c->root, "restraints", i);
        char path[128];
        snprintf(path, sizeof path, "restraints[%d]", i);
        check_selection(c, &restraints[i].where, tree, false, path);
        check_motion(c, &restraints[i], tree, path);
        int extra = first_dependent(&restraints[i].directions);
        if (extra >= 0)
            carom_report_key(c->report, tree, path, "directions",
                             "directions[%d] depends linearly on those before it: remove it", extra);
    }
}

// Tractions and pressures act on faces, which a single node cannot select.
static void check_loads(checker *c) {
    const carom_scene_force *loads = c->def->loads.items;
    for (int i = 0; i < c->def->loads.count; i++) {
        const carom_tree *tree = item_tree(c->root, "loads", i);
        char path[128];
        snprintf(path, sizeof path, "loads[%d]", i);
        bool faces = carom_tree_branch(tree, "traction") || carom_tree_branch(tree, "pressure");
        check_selection(c, &loads[i].where, tree, faces, path);
        if (faces) {
            carom_report_forbid(c->report, tree, path, "node",
                                "pressure and traction need faces: use `set` or a region such as `in_box`, not `node`");
            carom_report_forbid(c->report, tree, path, "nearest",
                                "pressure and traction need faces: use `set` or a region such as `in_box`, not `nearest`");
        }
        if (loads[i].pressure == 0)
            carom_report_forbid(c->report, tree, path, "pressure", "expected a pressure other than 0");
        if (!carom_tree_branch(tree, "pressure"))
            carom_report_forbid(c->report, tree, path, "following", "has a meaning only together with `pressure`: remove it");
    }
}

// The static friction coefficient must not be less than the kinetic one. `map` is the map of the file that has the key
// `friction`, at `path`.
static void check_friction(checker *c, const carom_tree *map, const char *path, double at_rest, double kinetic) {
    char where[128];
    snprintf(where, sizeof where, "%s.friction", path);
    // 0 is also the value of a coefficient that could not be read; the model refuses a kinetic coefficient without a static one
    if (at_rest > 0 && kinetic > at_rest)
        carom_report_key(c->report, carom_tree_get(map, "friction"), where, "kinetic",
                         "expected at most the static coefficient %g, found %g", at_rest, kinetic);
}

// Pairs must name bodies or planes; checked only if all of these have valid names.
static void check_contact(checker *c) {
    const carom_tree *contact = carom_tree_get(c->root, "contact");
    check_unique(c, contact, "contact.", "planes", &c->def->planes, sizeof(carom_plane_def), offsetof(carom_plane_def, name));
    carom_scene_check_planes(c->def, c->root, c->report);
    bool named = c->bodies_named;
    for (int i = 0; i < c->def->planes.count; i++)
        named = named && carom_scene_plane_at(c->def, i)->name[0];
    const carom_contact_pair_def *pairs = c->def->pairs.items;
    check_friction(c, contact, "contact", c->def->contact.friction, c->def->contact.friction_kinetic);
    for (int i = 0; i < c->def->pairs.count; i++) {
        char path[128];
        snprintf(path, sizeof path, "contact.pairs[%d]", i);
        check_friction(c, item_tree(contact, "pairs", i), path, pairs[i].friction, pairs[i].friction_kinetic);
    }
    for (int i = 0; i < c->def->pairs.count && named; i++)
        for (int side = 0; side < 2; side++) {
            const char *name = pairs[i].side[side];
            if (!*name || carom_scene_is_side(c->def, name))
                continue;
            char path[128];
            snprintf(path, sizeof path, "contact.pairs[%d].bodies[%d]", i, side);
            const carom_tree *names = carom_tree_get(item_tree(contact, "pairs", i), "bodies");
            carom_scene_unknown_body(c->def, c->arena, name, CAROM_ALSO_PLANES, carom_tree_at(names, side)->place, path,
                                     c->report);
        }
}

// A format that this build lacks is reported only if the scene names it explicitly.
static void check_output(checker *c) {
    const carom_tree *output = carom_tree_get(c->root, "output"), *fields = carom_tree_get(output, "fields");
    int format = c->def->output.fields_format;
    if (carom_tree_get(fields, "format") && !carom_output_supports((carom_field_format)format))
        carom_report_key(c->report, fields, "output.fields", "format",
                         "this build of carom cannot write VTKHDF (build it with -DCAROM_HDF5=ON); use vtu");

    // the times of a static analysis are load factors, and end at 1
    double end = c->def->analysis.kind ? 1 : c->def->time.end;
    const double *times = c->def->field_times.items;
    for (int i = 0; i < c->def->field_times.count; i++) {
        char path[128];
        snprintf(path, sizeof path, "output.fields.at[%d]", i);
        if (times[i] > end)
            carom_report_add(c->report, carom_tree_at(carom_tree_get(fields, "at"), i)->place, path,
                             "expected a time up to the end of the run, %g, found %g", end, times[i]);
    }
    check_unique(c, output, "output.", "probes", &c->def->probes, sizeof(carom_scene_probe), offsetof(carom_scene_probe, name));
    const carom_scene_probe *probes = c->def->probes.items;
    for (int i = 0; i < c->def->probes.count; i++) {
        char path[128];
        snprintf(path, sizeof path, "output.probes[%d]", i);
        const carom_tree *tree = item_tree(output, "probes", i);
        check_selection(c, &probes[i].where, tree, false, path);
        if (probes[i].filter != CAROM_FILTER_NONE && !(probes[i].record & (CAROM_RECORD_ACCELERATION | CAROM_RECORD_FORCE)))
            carom_report_forbid(c->report, tree, path, "filter",
                                "only `acceleration` and `force` are filtered, and `record` has neither");
    }
}

// BODY.max_von_mises: the body must exist.
static void check_peak(checker *c, const carom_tree *expect, const char *name, const char *body) {
    if (c->bodies_named && carom_scene_find_body(c->def, body) < 0)
        carom_scene_unknown_body(c->def, c->arena, body, CAROM_ALSO_NOTHING, carom_tree_branch(expect, name)->place, "expect",
                                 c->report);
}

// Translates the gates. A name with a dot may belong to a probe whose own name is at fault, which is
// reported already.
static bool make_gates(carom_scene *scene, checker *c) {
    int count = scene->def.gates.count;
    const carom_scene_gate *gates = scene->def.gates.items;
    const carom_tree *expect = carom_tree_get(c->root, "expect");
    scene->gates = carom_arena_allocate(scene->arena, count, sizeof *scene->gates);
    bool probes_named = true;
    for (int i = 0; i < scene->def.probes.count; i++)
        probes_named = probes_named && scene->probes[i].name[0];
    for (int i = 0; scene->gates && i < count; i++) {
        char hint[LISTED_MAX], pair_hint[LISTED_MAX], shown[CAROM_SHOWN_MAX];
        if (!gates[i].name[0])
            continue;
        carom_condition_parse(gates[i].condition, &scene->gates[i].condition);
        if (carom_subject_find_peak(gates[i].name, &scene->gates[i].subject)) {
            check_peak(c, expect, gates[i].name, scene->gates[i].subject.body);
            continue;
        }
        if (carom_pair_subject_find(gates[i].name, c->def, &scene->gates[i].pair, pair_hint, sizeof pair_hint) ||
            carom_cell_subject_find(gates[i].name, c->def, &scene->gates[i].cell, pair_hint, sizeof pair_hint))
            continue;
        bool known = carom_subject_find(gates[i].name, scene->probes, scene->def.probes.count, &scene->gates[i].subject, hint,
                                        sizeof hint);
        if (!known && (probes_named || !strchr(gates[i].name, '.')))
            carom_report_add(c->report, carom_tree_branch(expect, gates[i].name)->place, "expect", "unknown result %s%s",
                             carom_show_text(gates[i].name, shown), pair_hint[0] ? pair_hint : hint);
    }
    return scene->gates != NULL;
}

// Bodies come first: all other checks refer to their names and meshes.
void carom_scene_check(carom_scene *scene, const carom_tree *root, carom_mesh *meshes, double element_limit,
                       carom_report *report) {
    // carom_bind has reported this
    if (root->kind != CAROM_TREE_MAP)
        return;
    checker c = {.def = &scene->def, .root = root, .meshes = meshes, .arena = scene->arena, .report = report};
    check_bodies(&c, meshes, element_limit);
    check_restraints(&c);
    check_loads(&c);
    check_contact(&c);
    if (c.bodies_named)
        carom_scene_check_joined(&scene->def, scene->arena, root, report);
    carom_scene_check_places(&scene->def, root, report);
    check_output(&c);
    carom_scene_check_seconds(&scene->def, root, report);
    report->failed |= !carom_scene_make_probes(scene) || !make_gates(scene, &c);
}
