// SPDX-License-Identifier: MIT
// Parses small texts of mesh files, and checks the meshes and messages.
#ifndef CAROM_TEST_FORMATS_H
#define CAROM_TEST_FORMATS_H

#include <sys/stat.h>
#include <unistd.h>

#include "../../../support.h"

typedef struct remarks {
    int count;
    char last[256];
} remarks;

static inline void keep(void *context, const char *message) {
    remarks *r = context;
    r->count++;
    snprintf(r->last, sizeof r->last, "%s", message);
}

static inline carom_mesh parse(const char *name, const char *text, remarks *r) {
    carom_mesh mesh;
    remarks ignored = {0};
    carom_mesh_read_def def = {.warn = keep, .context = r ? r : &ignored};
    assert_ok(carom_mesh_parse(text, strlen(text), name, &def, &mesh, error));
    return mesh;
}

static inline void refuse(const char *name, const char *text, const char *message) {
    carom_mesh mesh;
    assert_refused(carom_mesh_parse(text, strlen(text), name, NULL, &mesh, error), CAROM_BAD_INPUT, message);
    assert_true(mesh.node_count == 0 && !mesh.nodes && !mesh.blocks);
}

static inline const carom_cell_block *block_of(const carom_mesh *mesh, carom_cell_type type) {
    for (int b = 0; b < mesh->block_count; b++)
        if (mesh->blocks[b].type == type)
            return &mesh->blocks[b];
    fail_msg("there are no cells of type %s", carom_cell_name(type));
    return NULL;
}

static inline double area(const carom_mesh *mesh) {
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(mesh, &facts, error));
    return facts.area;
}

#endif
