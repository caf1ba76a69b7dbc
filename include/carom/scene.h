// SPDX-License-Identifier: MIT
// Scene files: YAML 1.2 or JSON. Every error of a file is reported, each with file, line, column and the path of the key.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include "carom/report.h"
#include "carom/run.h"
#include "carom/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene that was read without errors: its model is built, everything it names exists. Constant.
typedef struct carom_scene carom_scene;

// One finding in a scene. Printed as `file:line:column: error: path: message` or, if it is no error,
// `file:line:column: note: ...`
typedef struct carom_finding {
    char file[CAROM_TEXT_MAX]; // or the override, "--set time.end=3"
    int line, column;          // from 1, columns count characters; 0: no place in a file (an override, an unreadable file)
    char path[256];            // bodies[0].material.linear.young; empty for the whole file
    char message[512];         // one sentence without a final full stop
} carom_finding;

// All findings of one load. Errors are in the order of the file, those of overrides last. Notes are remarks of the readers of
// mesh files, which do not stop a scene. At most 1000 of each.
typedef struct carom_findings {
    int count;            // of errors
    carom_finding *items; // owned
    int note_count;       // of remarks
    carom_finding *notes; // owned
} carom_findings;

// One line for each: first the notes, then the errors. Free with carom_free; NULL if memory is short.
CAROM_API char *carom_findings_text(const carom_findings *findings);
// Frees the lists and empties them; findings that were never filled ({0}) are permitted.
CAROM_API void carom_findings_release(carom_findings *findings);

// Reads and checks a scene, after setting each override "a.b[0].c=value"; an entry of a list may be named instead,
// "bodies.left.velocity[2]=1". On CAROM_BAD_INPUT the findings say why, `scene` is
// NULL and error has the first finding. Faults that show only when the model is built (a set that does not exist, a model or
// integrator that refuses it) are findings too. A file that cannot be read is CAROM_IO, with one finding. `findings` and
// `error` may be NULL.
CAROM_API carom_status carom_scene_load(const char *path, const char *const *overrides, int override_count, carom_scene **scene,
                                        carom_findings *findings, carom_error *error);
// The same from memory; `name` stands for the file in messages, and a name ending in ".json" means JSON.
CAROM_API carom_status carom_scene_parse(const char *text, size_t size, const char *name, const char *const *overrides,
                                         int override_count, carom_scene **scene, carom_findings *findings, carom_error *error);
// The source of a scene: a file or a text, with additions of the program. Start from {0}.
typedef struct carom_scene_source {
    const char *path;             // of the file; NULL: `text`
    const char *text;             // the scene itself
    size_t size;                  // bytes of it
    const char *name;             // stands for the file in messages; ending in ".json" it means JSON
    const char *const *overrides; // as of carom_scene_load
    int override_count;
    const carom_load_def *loads; // added to those of the scene: forces that a program computes
    int load_count;
} carom_scene_source;

// The same from such a source. Fails like carom_scene_load; a fault of an added load is a finding without a place.
CAROM_API carom_status carom_scene_open(const carom_scene_source *source, carom_scene **scene, carom_findings *findings,
                                        carom_error *error);

// The text of a scene as JSON: maps, lists, numbers and texts as YAML 1.2 has them, nothing checked and nothing filled in. For
// programs that build scenes. Free with carom_free. Fails with CAROM_BAD_INPUT on text that is no YAML.
CAROM_API carom_status carom_scene_json(const char *text, size_t size, const char *name, char **json, carom_error *error);

// Properties of a scene that are known before the model is built.
typedef struct carom_scene_facts {
    uint64_t digest; // a hash of all that is written (not of comments and layout) and of the mesh files that it names
    char title[CAROM_TEXT_MAX], directory[CAROM_TEXT_MAX]; // as written; the directory of the output, its default included
} carom_scene_facts;

// Reads a scene as far as its keys: syntax, overrides, names of keys, types and ranges. No mesh and no model are made, which
// takes a millisecond where carom_scene_load may take minutes; faults that only these show are not found. `facts`, unless
// NULL, are filled also after CAROM_BAD_INPUT if there is a tree of keys at all (otherwise they are zero). Findings and errors
// as of carom_scene_load.
CAROM_API carom_status carom_scene_examine(const char *path, const char *const *overrides, int override_count,
                                           carom_scene_facts *facts, carom_findings *findings, carom_error *error);
// Releases the scene and its parts, the model included: simulations of that model must be released before. NULL is permitted.
CAROM_API void carom_scene_release(carom_scene *scene);

// Translates a deck of Abaqus or CalculiX into a scene, as YAML with comments that list what was not converted; each of these
// is also a remark to `warn` (which may be NULL). The scene takes its meshes from the deck, under the name `mesh_path`. Fails
// with CAROM_BAD_INPUT if the deck cannot be read or is incomplete, such as a section without its material.
CAROM_API carom_status carom_scene_import(const char *path, const char *mesh_path, carom_mesh_warning *warn, void *context,
                                          carom_text *text, carom_error *error);

// Makes a mesh from its description, as after `mesh:` in a scene, such as "sphere: {radius: 1, faces: 2048}", after
// setting each override "faces=512" of a parameter. Findings and errors as of carom_scene_load.
CAROM_API carom_status carom_scene_mesh(const char *text, const char *const *overrides, int override_count, carom_mesh *mesh,
                                        carom_findings *findings, carom_error *error);

// The parts of a scene, owned by it.
//
// The title as written; empty if there is none.
CAROM_API const char *carom_scene_title(const carom_scene *scene);
// The names of its units; none are given if the scene has none.
CAROM_API const carom_units *carom_scene_units(const carom_scene *scene);
// The model, built and checked.
CAROM_API const carom_model *carom_scene_model(const carom_scene *scene);
// The integrator with its parameters or, in a static analysis, that of the analysis.
CAROM_API carom_pick carom_scene_integrator(const carom_scene *scene);
// Times as carom_sim_create requires them.
CAROM_API const carom_time_def *carom_scene_time(const carom_scene *scene);
// The output settings.
CAROM_API const carom_output_def *carom_scene_output(const carom_scene *scene);

// The gates of the `expect:` block: one of them before any run (its value is NaN), and its result in a finished run.
CAROM_API int carom_scene_expectation_count(const carom_scene *scene);
CAROM_API carom_verdict carom_scene_expectation(const carom_scene *scene, int expectation);
CAROM_API carom_verdict carom_scene_judge(const carom_scene *scene, int expectation, const carom_sim *sim,
                                          const carom_summary *summary);

// Texts, to be freed with carom_free; NULL if memory is short.
//
// The scene with every default filled in, as YAML; reads back as the same scene.
CAROM_API char *carom_scene_text(const carom_scene *scene);
// JSON Schema (draft 2020-12) of scene files, kinds that were registered included.
CAROM_API char *carom_scene_schema(void);
// The reference of scene files as Markdown.
CAROM_API char *carom_scene_manual(void);

// One map or list of a scene: `time`, `contact`, `loads`, ..., and the maps of a body.
typedef struct carom_scene_section {
    const char *name;
    const char *doc;  // one or two sentences
    const char *item; // the name of an entry of a list; NULL: it is no list
} carom_scene_section;

// One key of a section.
typedef struct carom_scene_key {
    const char *name;
    const char *doc;
    const carom_param *param; // a key with one value; NULL: `expected` describes it
    bool required;
    char expected[256]; // "a map", "one material of: linear, ..."
} carom_scene_key;

// The sections, and the keys of one. The functions return how many there are and fill the array where it is not NULL, which
// must hold all of them (at most CAROM_SCENE_KEYS_MAX).
enum { CAROM_SCENE_KEYS_MAX = 64 };
CAROM_API int carom_scene_sections(carom_scene_section *sections);
CAROM_API int carom_scene_section_keys(int section, carom_scene_key *keys);

// The bodies of the text of a scene, for pictures: their names and, of bars, the radius of a round section. The text need not
// be a valid scene. Free with carom_free; NULL if there are none.
CAROM_API carom_page_body *carom_scene_body_list(const char *text, size_t size, int *count);
// Its fixed planes, in the same form.
CAROM_API carom_plane_def *carom_scene_planes(const char *text, size_t size, int *count);
// The names of its units.
CAROM_API carom_units carom_scene_text_units(const char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
