// SPDX-License-Identifier: MIT
// Scene files: YAML 1.2 or JSON. Every error of a file is reported, each with file, line, column and the path of the key.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <stdio.h>

#include "carom/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_scene carom_scene;

// One finding in a scene. Printed as  file:line:column: error: path: message  or, if it is no error,  file:line:column: note:
// ...
typedef struct carom_finding {
    char file[CAROM_TEXT_MAX]; // or the override, "--set time.end=3"
    int line, column;          // from 1, columns count characters; 0: no place in a file (an override, an unreadable file)
    char path[256];            // bodies[0].material.linear.young; empty for the whole file
    char message[512];
} carom_finding;

// All findings of one load. Errors are in the order of the file, those of overrides last. Notes are remarks of the readers of
// mesh files, which do not stop a scene. At most 1000 of each.
typedef struct carom_findings {
    int count; // of errors
    carom_finding *items;
    int note_count;
    carom_finding *notes;
} carom_findings;

// First the notes, then the errors.
CAROM_API void carom_findings_print(const carom_findings *findings, FILE *stream);
CAROM_API void carom_findings_release(carom_findings *findings);

// Reads and checks a scene, after setting each override "a.b[0].c=value". On CAROM_BAD_INPUT the findings say why, `scene` is
// NULL and error has the first finding. What only the whole scene can tell (a set that does not exist, a model or integrator
// that refuses it) are findings too. A file that cannot be read is CAROM_IO, with one finding. `findings` and `error` may be
// NULL.
CAROM_API carom_status carom_scene_load(const char *path, const char *const *overrides, int override_count, carom_scene **scene,
                                        carom_findings *findings, carom_error *error);
// The same from memory; `name` stands for the file in messages, and a name ending in ".json" means JSON.
CAROM_API carom_status carom_scene_parse(const char *text, size_t size, const char *name, const char *const *overrides,
                                         int override_count, carom_scene **scene, carom_findings *findings, carom_error *error);
CAROM_API void carom_scene_release(carom_scene *scene);

// Makes a mesh of its description as it stands behind `mesh:` in a scene, such as "sphere: {radius: 1, faces: 2048}", after
// setting each override "faces=512" of a parameter. Findings and errors as of carom_scene_load.
CAROM_API carom_status carom_scene_mesh(const char *text, const char *const *overrides, int override_count, carom_mesh *mesh,
                                        carom_findings *findings, carom_error *error);

// The parts of a scene, owned by it.
CAROM_API const char *carom_scene_title(const carom_scene *scene);
CAROM_API const carom_model *carom_scene_model(const carom_scene *scene);
CAROM_API carom_pick carom_scene_integrator(const carom_scene *scene);
CAROM_API const carom_time_def *carom_scene_time(const carom_scene *scene);
CAROM_API const carom_output_def *carom_scene_output(const carom_scene *scene);

// The gates of the `expect:` block: one of them before any run (its value is NaN), and how a finished run fared at it.
CAROM_API int carom_scene_expectation_count(const carom_scene *scene);
CAROM_API carom_verdict carom_scene_expectation(const carom_scene *scene, int expectation);
CAROM_API carom_verdict carom_scene_judge(const carom_scene *scene, int expectation, const carom_sim *sim,
                                          const carom_summary *summary);

// The scene with every default filled in, as YAML; reads back as the same scene.
CAROM_API carom_status carom_scene_dump(const carom_scene *scene, FILE *stream);
// JSON Schema (draft 2020-12) of scene files.
CAROM_API void carom_scene_schema(FILE *stream);
// The reference of scene files as Markdown.
CAROM_API void carom_scene_manual(FILE *stream);

#ifdef __cplusplus
}
#endif
#endif
