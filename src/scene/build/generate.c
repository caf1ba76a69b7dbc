// SPDX-License-Identifier: MIT
// Generates or reads the mesh that a scene describes. Warnings of a file reader become notes of the report, at the place of the
// description.
#include "scene/scene.h"

typedef struct listener {
    carom_report *report;
    carom_place place;
    const char *path;
} listener;

// Receives a warning of the file reader.
static void receive_warning(void *context, const char *message) {
    listener *l = context;
    carom_report_note(l->report, l->place, l->path, message);
}

carom_status carom_scene_generate(carom_report *report, carom_place place, const char *path, carom_pick pick, carom_mesh *mesh,
                                  carom_error *error) {
    // only a file has warnings
    if (pick.kind != carom_catalogue_find(carom_generators(), "file"))
        return carom_mesh_generate(pick, mesh, error);
    const carom_file_params *params = pick.params;
    listener l = {report, place, path};
    const carom_mesh_read_def def = {
        .group = params->group, .warn = receive_warning, .context = &l, .cut_prisms = params->prisms == CAROM_FILE_PRISMS_CUT};
    return carom_mesh_read(params->path, &def, mesh, error);
}
