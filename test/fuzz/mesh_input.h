// SPDX-License-Identifier: MIT
// What the fuzz targets of all mesh formats share: any bytes are a mesh, read or refused, never a crash, a leak or a hang. What
// is read is whole, survives being written and read again, and can be checked, measured, renumbered and mended.
#ifndef CAROM_FUZZ_MESH_INPUT_H
#define CAROM_FUZZ_MESH_INPUT_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"
#include "mesh/files/write.h"
#include "mesh/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition) {
    if (!condition)
        abort();
}

static void check_list(const int *list, int count, int64_t limit) {
    for (int i = 0; i < count; i++)
        demand(list[i] >= 0 && list[i] < limit && (i == 0 || list[i] > list[i - 1]));
}

static void check_whole(const carom_mesh *mesh) {
    demand(mesh->block_count > 0);
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++)
            demand(isfinite(mesh->nodes[k][i]));
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        for (int64_t i = 0; i < (int64_t)block->count * carom_cell_size(block->type); i++)
            demand(block->nodes[i] >= 0 && block->nodes[i] < mesh->node_count);
    }
    for (int s = 0; s < mesh->set_count; s++)
        check_list(mesh->sets[s].nodes, mesh->sets[s].count, mesh->node_count);
    for (int s = 0; s < mesh->cell_set_count; s++)
        check_list(mesh->cell_sets[s].cells, mesh->cell_sets[s].count, carom_mesh_cell_count(mesh));
    for (int s = 0; s < mesh->face_set_count; s++)
        for (int f = 0; f < mesh->face_sets[s].count; f++)
            for (int i = 0; i < 4; i++)
                demand(mesh->face_sets[s].nodes[f][i] < mesh->node_count && (i > 1 || mesh->face_sets[s].nodes[f][i] >= 0));
}

// As readers leave it: no block and no set is empty.
static void check_mesh(const carom_mesh *mesh) {
    check_whole(mesh);
    for (int b = 0; b < mesh->block_count; b++)
        demand(mesh->blocks[b].count > 0);
    for (int s = 0; s < mesh->set_count; s++)
        demand(mesh->sets[s].count > 0);
    for (int s = 0; s < mesh->cell_set_count; s++)
        demand(mesh->cell_sets[s].count > 0);
}

static char *write_mesh(const carom_mesh *mesh, bool vtu, size_t *size) {
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    demand(stream && (vtu ? carom_write_vtu(mesh, stream, NULL) : carom_write_msh(mesh, stream, NULL)) == CAROM_OK);
    fclose(stream);
    return text;
}

// Without sets, whose names and nodes without cells not every format can hold.
static uint64_t bare_hash(carom_mesh mesh) {
    mesh.set_count = mesh.cell_set_count = mesh.face_set_count = 0;
    return carom_mesh_hash(&mesh);
}

static bool all_used(const carom_mesh *mesh) {
    unsigned char *used = calloc((size_t)mesh->node_count + 1, 1);
    demand(used);
    for (int b = 0; b < mesh->block_count; b++)
        for (int64_t i = 0; i < (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type); i++)
            used[mesh->blocks[b].nodes[i]] = 1;
    bool all = !memchr(used, 0, (size_t)mesh->node_count);
    free(used);
    return all;
}

static void check_round_trip(const carom_mesh *mesh, bool vtu) {
    size_t size;
    char *text = write_mesh(mesh, vtu, &size);
    carom_mesh again;
    carom_error error = {0};
    demand(carom_mesh_parse(text, size, vtu ? "again.vtu" : "again.msh", NULL, &again, &error) == CAROM_OK);
    demand(bare_hash(*mesh) == bare_hash(again));
    demand(vtu || (again.cell_set_count == mesh->cell_set_count));
    carom_mesh_release(&again);
    free(text);
}

// Numbers do not change what a mesh is; what was mended is whole, and has nothing left to mend of the kinds that are always
// mended.
static void check_service(carom_mesh *mesh) {
    carom_mesh_faults faults;
    carom_mesh_facts facts;
    carom_error error = {0};
    carom_status status = carom_mesh_check(mesh, &faults, &error);
    demand(status == CAROM_OK || (status == CAROM_BAD_INPUT && error.message[0]));
    demand(carom_mesh_measure(mesh, &facts, &error) == CAROM_OK);
    uint64_t hash = carom_mesh_hash(mesh);
    demand(carom_mesh_renumber(mesh, &error) == CAROM_OK && carom_mesh_hash(mesh) == hash);
    // sizes beyond what can be measured are refused
    if (status || carom_mesh_fix(mesh, &faults, &error) != CAROM_OK)
        return;
    check_whole(mesh);
    demand(carom_mesh_check(mesh, &faults, &error) == CAROM_OK && faults.count[CAROM_FAULT_UNUSED] == 0);
}

static void ignore(void *context, const char *message) {
    demand(!context && message[0]);
}

static int read_input(const uint8_t *data, size_t size, carom_mesh_format format) {
    carom_mesh mesh;
    carom_error error = {0};
    carom_status status =
        carom_mesh_parse(data, size, "fuzz", &(carom_mesh_read_def){.format = format, .warn = ignore}, &mesh, &error);
    demand(status == CAROM_OK || (status == CAROM_BAD_INPUT && strncmp(error.message, "fuzz:", 5) == 0));
    if (status)
        return 0;
    check_mesh(&mesh);
    check_round_trip(&mesh, true);
    // points alone are cells and sets at once in a file of Gmsh
    if (all_used(&mesh) && carom_cell_dimension(mesh.blocks[0].type) > 0)
        check_round_trip(&mesh, false);
    check_service(&mesh);
    carom_mesh_release(&mesh);
    return 0;
}

#endif
