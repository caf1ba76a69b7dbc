// SPDX-License-Identifier: MIT
// The members of carom_scene, and the stages of reading one.
#ifndef CAROM_SCENE_SCENE_H
#define CAROM_SCENE_SCENE_H

#include "carom/scene.h"
#include "scene/cell_gates.h"
#include "scene/definition.h"
#include "scene/expect.h"
#include "scene/finding.h"
#include "scene/pair_gates.h"
#include "scene/tree.h"

typedef struct carom_gate {
    carom_subject subject;
    carom_pair_subject pair; // instead, if its quantity is not NULL
    carom_cell_subject cell; // instead, if its quantity is not NULL
    carom_condition condition;
} carom_gate;

struct carom_scene {
    carom_arena *arena;      // owns all arrays of the definition
    carom_scene_def def;     // as written, defaults filled in
    carom_probe_def *probes; // def.probes, in the form of the output; also def.output.probes
    carom_gate *gates;       // def.gates, parsed
    carom_model *model;
    const carom_load_def *added; // loads of the program, in addition to those of the definition; read while the model is built
    int added_count;
};

// Reads the text of a source (not its path), but refuses meshes that have more than `element_limit` elements together.
carom_status carom_scene_read(const carom_scene_source *source, double element_limit, carom_scene **scene,
                              carom_findings *findings, carom_error *error);

// Makes the mesh of each entry of `bodies`, not yet placed (meshes[i] stays empty after a fault), and
// checks what the table of keys cannot express: names that must differ, names that must exist, parts that
// must fit together. Also fills scene->probes and scene->gates.
void carom_scene_check(carom_scene *scene, const carom_tree *root, carom_mesh *meshes, double element_limit,
                       carom_report *report);

// Reports `symmetry` of the shell of entry `index` of `bodies` that names no planes; `tree` is its map in the file.
void carom_scene_check_symmetry(const carom_scene_body *body, int index, const carom_tree *tree, carom_report *report);
// Reports sets of `clamped` of the shell that its mesh does not have.
void carom_scene_check_clamped(const carom_scene_body *body, int index, const carom_tree *tree, const carom_mesh *mesh,
                               carom_report *report);
// Notes mirrored and clamped edges of shells whose nodes are not restrained as these edges require. The model is made.
void carom_scene_note_edges(const carom_scene *scene, const carom_tree *root, carom_report *report);

// Checks the `material` and the `materials` of entry `index` of `bodies`, whose map in the file is `tree`: laws with
// contradictory parameters, materials that the element does not support, sets that do not exist or overlap. A mesh without
// nodes could not be made and is not checked.
void carom_scene_check_materials(const carom_scene_body *body, int index, const carom_tree *tree, const carom_mesh *mesh,
                                 carom_report *report);

// Generates a mesh; warnings of a file reader become notes at that place.
carom_status carom_scene_generate(carom_report *report, carom_place place, const char *path, carom_pick pick, carom_mesh *mesh,
                                  carom_error *error);

// The sizes of the units of length, mass and time in metres, kilograms and seconds; `units` is that map of the file, or NULL.
// False, with the reason, if they are not known.
bool carom_scene_unit_sizes(const carom_tree *units, double sizes[3], char *reason, size_t size);

// Adds notes on numbers that suggest mixed units. The model is built.
void carom_scene_check_units(const carom_scene *scene, const carom_tree *root, carom_report *report);

// Translates the probes to the form of the output, and passes the other lists to it. False if memory is short.
bool carom_scene_make_probes(carom_scene *scene);

// Checks `second` of the probes against `units`: with a filter and an unknown unit of time it is required, and it must not
// contradict a known unit.
void carom_scene_check_seconds(const carom_scene_def *def, const carom_tree *root, carom_report *report);

// Length of a second for a probe whose own `second` may be NaN, auto. 1 without units, and if their name is not known.
double carom_scene_second(const carom_units *units, double second);

// Builds scene->model from a definition without findings. A refusal by the model or the integrator becomes
// a finding; other failures (memory) are returned.
carom_status carom_scene_build(carom_scene *scene, const carom_tree *root, const carom_mesh *meshes, carom_report *report,
                               carom_error *error);

// The bodies of a model: one for each entry of `bodies`, or one for each copy if the entry has an array.
typedef struct carom_cast {
    int count;
    carom_body_def *bodies; // in the arena of the scene
    carom_mesh *meshes;     // placed
    int *entry;             // which entry each of them comes from
} carom_cast;

// Largest number of bodies in one array.
enum { CAROM_SCENE_BODIES_MAX = 1000000 };

// Number of bodies of an entry.
int64_t carom_scene_copies(const carom_scene_body *body);
// True if the entry, or one of its copies, has that name.
bool carom_scene_is_called(const carom_scene_body *body, const char *name);
// The first entry of `bodies` that is called so, -1 if there is none.
int carom_scene_find_body(const carom_scene_def *def, const char *name);
// True if a body, an array, one of its bodies or a plane has that name: the possible sides of a contact pair.
bool carom_scene_is_side(const carom_scene_def *def, const char *name);
// Makes the bodies; fails only if memory is short. Release in any case.
carom_status carom_cast_create(carom_scene *scene, const carom_mesh *meshes, carom_cast *cast, carom_error *error);
void carom_cast_release(carom_cast *cast);

// Finds the entry of the scene that makes the model invalid, and reports it. carom_model_create has refused `def`; `entry` is
// the entry of `bodies` from which each body comes.
void carom_scene_blame(const carom_model_def *def, const int *entry, const carom_tree *root, carom_report *report);

// A hash of the values of a tree, without their places, and of the mesh files of the definition. `name` is the path of the
// scene.
uint64_t carom_scene_digest(const carom_tree *root, const carom_scene_def *def, const char *name);

// The path of a file that a scene names, relative to the folder of the scene; NULL if memory is short. Free with free().
char *carom_scene_file(const char *scene, const char *path);

// Sorts the findings, passes them to the caller (or releases them if `findings` is NULL), and returns the resulting
// status.
carom_status carom_report_close(carom_report *report, carom_status status, carom_findings *findings, carom_error *error);

#endif
