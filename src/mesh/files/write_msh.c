// SPDX-License-Identifier: MIT
// Writes a mesh as Gmsh MSH 4.1. Physical groups belong to entities of the geometry, which a mesh does not have. Cells that
// belong to the same sets therefore form one volume (surface, curve); each face set is an entity of the dimension below, and
// each node set one point with a cell for each node. If there are sets, cells in none of them get a group of their own, because
// Gmsh saves, and meshio reads, either grouped cells only or all of them.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/msh.h"
#include "mesh/files/write.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

typedef struct writer {
    const carom_mesh *mesh;
    FILE *stream;
    int dimension;    // of the cells
    int *entity;      // of each cell, from 0
    int entity_count; // at least 1
    int *members;     // one cell of each entity, by which its sets are found
    int node_shift;   // added to numbers of nodes and cells, so that they begin with 1
    int cell_shift;
    bool renumbered; // cells get new numbers
    int64_t next_id; // of cells that represent sets
} writer;

static int64_t node_tag(const writer *w, int node) {
    return carom_mesh_node_id(w->mesh, node) + w->node_shift;
}

static int64_t cell_tag(const writer *w, int block, int cell) {
    // New numbers count through all blocks from 1.
    const carom_mesh *mesh = w->mesh;
    int64_t before = 0;
    for (int b = 0; w->renumbered && b < block; b++)
        before += mesh->blocks[b].count;
    if (w->renumbered)
        return before + cell + 1;
    return carom_mesh_cell_id(mesh, block, cell) + w->cell_shift;
}

// Tags of entities, and of all physical groups except those of node sets: cell sets first, then face sets, then node sets.
static int face_group(const carom_mesh *mesh, int set) {
    return mesh->cell_set_count + set + 1;
}

static int node_group(const carom_mesh *mesh, int set) {
    return mesh->cell_set_count + mesh->face_set_count + set + 1;
}

static long long node_set_tag(int set) {
    return (long long)(CAROM_MSH_NODE_SETS + 1 + set);
}

static bool has_sets(const carom_mesh *mesh) {
    return mesh->cell_set_count || mesh->face_set_count || mesh->set_count;
}

// Splits the cells by the sets that contain them, one set after another: after the last one, cells of equal entity are in the
// same sets.
static bool split(writer *w) {
    const carom_mesh *mesh = w->mesh;
    int64_t cells = carom_mesh_cell_count(mesh);
    w->entity = carom_allocate(cells, sizeof *w->entity);
    // each set can split every entity in two
    int *renamed = carom_allocate(2 * cells + 2, sizeof *renamed);
    w->members = carom_allocate(cells + 1, sizeof *w->members);
    bool good = w->entity && renamed && w->members;
    w->entity_count = 1;
    for (int s = 0; good && s < mesh->cell_set_count; s++) {
        const carom_cell_set *set = &mesh->cell_sets[s];
        int before = w->entity_count;
        for (int e = 0; e < before; e++)
            renamed[e] = -1;
        for (int i = 0; i < set->count; i++) {
            int *e = &w->entity[set->cells[i]];
            if (renamed[*e] < 0)
                renamed[*e] = w->entity_count++;
            *e = renamed[*e];
        }
        // numbers of entities that have no cells any more are removed
        for (int e = 0; e < w->entity_count; e++)
            renamed[e] = -1;
        int used = 0;
        for (int64_t c = 0; c < cells; c++) {
            if (renamed[w->entity[c]] < 0)
                renamed[w->entity[c]] = used++;
            w->entity[c] = renamed[w->entity[c]];
        }
        w->entity_count = used ? used : 1;
    }
    // Backwards, so that the first cell of each entity stays.
    for (int64_t c = cells - 1; good && c >= 0; c--)
        w->members[w->entity[c]] = (int)c;
    free(renamed);
    return good;
}

// Sets are sorted.
static bool contains(const int *list, int count, int value) {
    return count && bsearch(&value, list, (size_t)count, sizeof *list, carom_mesh_compare);
}

// The number of sets that contain the cells of an entity.
static int sets_of(const writer *w, int entity) {
    int count = 0;
    for (int s = 0; s < w->mesh->cell_set_count; s++)
        count += contains(w->mesh->cell_sets[s].cells, w->mesh->cell_sets[s].count, w->members[entity]);
    return count;
}

// True if some cells are in no set while there are sets.
static bool has_rest(const writer *w) {
    bool rest = false;
    // Without sets no cell needs a group.
    for (int e = 0; has_sets(w->mesh) && e < w->entity_count; e++)
        rest = rest || sets_of(w, e) == 0;
    return rest;
}

static void write_name(writer *w, int dimension, long long tag, const char *name) {
    fprintf(w->stream, "%d %lld \"", dimension, tag);
    // A quote or a line feed would end the name.
    for (; *name; name++)
        fputc(*name == '"' || *name == '\n' ? '_' : *name, w->stream);
    fputs("\"\n", w->stream);
}

// $PhysicalNames; meshes without sets have none.
static void write_names(writer *w) {
    const carom_mesh *mesh = w->mesh;
    if (!has_sets(mesh))
        return;
    bool rest = has_rest(w);
    // Names are given to groups, not to entities, and every group is listed once.
    int count = mesh->cell_set_count + mesh->face_set_count + mesh->set_count + rest;
    fprintf(w->stream, "$PhysicalNames\n%d\n", count);
    for (int s = 0; s < mesh->set_count; s++)
        write_name(w, 0, node_set_tag(s), mesh->sets[s].name);
    for (int s = 0; s < mesh->face_set_count; s++)
        write_name(w, w->dimension - 1, face_group(mesh, s), mesh->face_sets[s].name);
    for (int s = 0; s < mesh->cell_set_count; s++)
        write_name(w, w->dimension, s + 1, mesh->cell_sets[s].name);
    if (rest)
        write_name(w, w->dimension, CAROM_MSH_NO_SET, CAROM_MSH_NO_SET_NAME);
    fputs("$EndPhysicalNames\n", w->stream);
}

static void write_point(writer *w, const double x[3]) {
    for (int i = 0; i < 3; i++) {
        carom_write_number(w->stream, x[i]);
        fputc(' ', w->stream);
    }
}

static void write_box(writer *w, const double low[3], const double high[3]) {
    write_point(w, low);
    write_point(w, high);
}

// $Entities: points, then curves, surfaces, volumes. The box of the whole mesh is used for all of them.
static void write_entities(writer *w) {
    const carom_mesh *mesh = w->mesh;
    double low[3] = {0}, high[3] = {0};
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++) {
            low[i] = k == 0 || mesh->nodes[k][i] < low[i] ? mesh->nodes[k][i] : low[i];
            high[i] = k == 0 || mesh->nodes[k][i] > high[i] ? mesh->nodes[k][i] : high[i];
        }
    int counts[4] = {0};
    counts[0] = mesh->set_count;
    // A mesh of points has no faces.
    if (mesh->face_set_count)
        counts[w->dimension - 1] += mesh->face_set_count;
    counts[w->dimension] += w->entity_count;
    fprintf(w->stream, "$Entities\n%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    for (int s = 0; s < mesh->set_count; s++) {
        // A set without nodes is written at a corner of the box.
        const double *x = mesh->set_count && mesh->sets[s].count ? mesh->nodes[mesh->sets[s].nodes[0]] : low;
        fprintf(w->stream, "%d ", node_group(mesh, s));
        write_point(w, x);
        fprintf(w->stream, "1 %lld\n", node_set_tag(s));
    }
    for (int s = 0; s < mesh->face_set_count; s++) {
        fprintf(w->stream, "%d ", face_group(mesh, s));
        write_box(w, low, high);
        fprintf(w->stream, "1 %d 0\n", face_group(mesh, s));
    }
    // Points have neither a box nor a boundary. Those of the body come after those of the node sets, which are
    // entities of dimension 0 as well.
    int first = w->dimension == 0 ? node_group(mesh, mesh->set_count) : 1;
    for (int e = 0; e < w->entity_count; e++) {
        int groups = sets_of(w, e);
        bool rest = groups == 0 && has_sets(mesh);
        fprintf(w->stream, "%d ", first + e);
        if (w->dimension > 0)
            write_box(w, low, high);
        else
            fputs("0 0 0 ", w->stream);
        fprintf(w->stream, "%d", rest ? 1 : groups);
        if (rest)
            fprintf(w->stream, " %lld", (long long)CAROM_MSH_NO_SET);
        for (int s = 0; s < mesh->cell_set_count; s++)
            if (contains(mesh->cell_sets[s].cells, mesh->cell_sets[s].count, w->members[e]))
                fprintf(w->stream, " %d", s + 1);
        fputs(w->dimension > 0 ? " 0\n" : "\n", w->stream);
    }
    fputs("$EndEntities\n", w->stream);
}

// Writes all nodes in one block, that of the first entity of the body.
static void write_nodes(writer *w) {
    const carom_mesh *mesh = w->mesh;
    int64_t low = 0, high = 0;
    for (int k = 0; k < mesh->node_count; k++) {
        int64_t tag = node_tag(w, k);
        low = k == 0 || tag < low ? tag : low;
        high = k == 0 || tag > high ? tag : high;
    }
    // Readers take nodes from any block; the entity only has to exist.
    int entity = w->dimension == 0 ? node_group(mesh, mesh->set_count) : 1;
    fprintf(w->stream, "$Nodes\n1 %d %lld %lld\n%d %d 0 %d\n", mesh->node_count, (long long)low, (long long)high, w->dimension,
            entity, mesh->node_count);
    for (int k = 0; k < mesh->node_count; k++)
        fprintf(w->stream, "%lld\n", (long long)node_tag(w, k));
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++) {
            carom_write_number(w->stream, mesh->nodes[k][i]);
            fputc(i < 2 ? ' ' : '\n', w->stream);
        }
    fputs("$EndNodes\n", w->stream);
}

// The end of a run of cells of one block and one entity.
static int run_end(const writer *w, int block, int cell, int64_t first) {
    int end = cell + 1;
    // Cells of an entity need not be consecutive: each run is a block of its own.
    while (end < w->mesh->blocks[block].count && w->entity[first + end] == w->entity[first + cell])
        end++;
    return end;
}

// A side of a shell cannot be written in this format: it would be read as one more cell.
static bool is_side(const writer *w, const int face[4]) {
    return w->dimension == 2 && carom_facet_size(face) > 2;
}

// The end of a run of faces with the same number of corners.
static int face_run_end(const carom_face_set *set, int face) {
    int end = face + 1;
    while (end < set->count && carom_facet_size(set->nodes[end]) == carom_facet_size(set->nodes[face]))
        end++;
    return end;
}

// Runs of cells of one entity and type, each a block. The first pass only counts the blocks.
static void write_cells(writer *w, bool counting, int64_t *blocks) {
    const carom_mesh *mesh = w->mesh;
    int64_t first = 0;
    int entity = w->dimension == 0 ? node_group(mesh, mesh->set_count) : 1;
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int c = 0, end; c < block->count; c = end, ++*blocks) {
            end = run_end(w, b, c, first);
            if (counting)
                continue;
            fprintf(w->stream, "%d %d %d %d\n", w->dimension, entity + w->entity[first + c],
                    carom_msh_number((carom_draft_type)block->type), end - c);
            for (int e = c; e < end; e++) {
                fprintf(w->stream, "%lld", (long long)cell_tag(w, b, e));
                for (int i = 0; i < size; i++)
                    fprintf(w->stream, " %lld", (long long)node_tag(w, block->nodes[(int64_t)e * size + i]));
                fputc('\n', w->stream);
            }
        }
        first += block->count;
    }
}

// Faces of sets as cells of the dimension below.
static void write_faces(writer *w, bool counting, int64_t *blocks) {
    static const int type_of_size[5] = {0, 0, 1, 2, 3};
    const carom_mesh *mesh = w->mesh;
    for (int s = 0; s < mesh->face_set_count; s++) {
        const carom_face_set *set = &mesh->face_sets[s];
        for (int f = 0, end; f < set->count; f = end, ++*blocks) {
            end = face_run_end(set, f);
            // The block is not counted, since it is not written.
            if (is_side(w, set->nodes[f]))
                --*blocks;
            if (counting || is_side(w, set->nodes[f]))
                continue;
            int size = carom_facet_size(set->nodes[f]);
            fprintf(w->stream, "%d %d %d %d\n", w->dimension - 1, face_group(mesh, s), type_of_size[size], end - f);
            for (int i = f; i < end; i++) {
                fprintf(w->stream, "%lld", (long long)w->next_id++);
                for (int j = 0; j < size; j++)
                    fprintf(w->stream, " %lld", (long long)node_tag(w, set->nodes[i][j]));
                fputc('\n', w->stream);
            }
        }
    }
}

// Nodes of sets as points.
static void write_points(writer *w, bool counting, int64_t *blocks) {
    const carom_mesh *mesh = w->mesh;
    for (int s = 0; s < mesh->set_count; s++) {
        ++*blocks;
        if (counting)
            continue;
        fprintf(w->stream, "0 %d 15 %d\n", node_group(mesh, s), mesh->sets[s].count);
        for (int i = 0; i < mesh->sets[s].count; i++)
            fprintf(w->stream, "%lld %lld\n", (long long)w->next_id++, (long long)node_tag(w, mesh->sets[s].nodes[i]));
    }
}

static void tag_range(const writer *w, int64_t *low, int64_t *high) {
    const carom_mesh *mesh = w->mesh;
    *low = 1, *high = 0;
    for (int b = 0; b < mesh->block_count; b++)
        for (int c = 0; c < mesh->blocks[b].count; c++) {
            int64_t tag = cell_tag(w, b, c);
            *low = (b == 0 && c == 0) || tag < *low ? tag : *low;
            *high = (b == 0 && c == 0) || tag > *high ? tag : *high;
        }
}

// Points, faces and cells in rising dimension, as Gmsh writes them.
static void write_elements(writer *w) {
    const carom_mesh *mesh = w->mesh;
    int64_t more = 0, low, high, blocks = 0;
    for (int s = 0; s < mesh->face_set_count; s++)
        for (int f = 0; f < mesh->face_sets[s].count; f++)
            more += !is_side(w, mesh->face_sets[s].nodes[f]);
    for (int s = 0; s < mesh->set_count; s++)
        more += mesh->sets[s].count;
    tag_range(w, &low, &high);
    // Cells that represent sets are numbered after the others. If these numbers exceed the largest tag that readers accept, all
    // cells get new numbers.
    if (high > CAROM_MSH_TAG_MAX - more) {
        w->renumbered = true;
        tag_range(w, &low, &high);
    }
    w->next_id = high + 1;
    write_points(w, true, &blocks);
    write_faces(w, true, &blocks);
    write_cells(w, true, &blocks);
    // The range of tags includes those of points and faces, which are above those of cells.
    fprintf(w->stream, "$Elements\n%lld %lld %lld %lld\n", (long long)blocks, (long long)(carom_mesh_cell_count(mesh) + more),
            (long long)low, (long long)(high + more));
    write_points(w, false, &blocks);
    write_faces(w, false, &blocks);
    write_cells(w, false, &blocks);
    fputs("$EndElements\n", w->stream);
}

// Other programs refuse the number 0, which meshes that count from there have.
static void shift_numbers(writer *w) {
    const carom_mesh *mesh = w->mesh;
    // All ids grow by one if any is zero.
    for (int k = 0; k < mesh->node_count && !w->node_shift; k++)
        w->node_shift = carom_mesh_node_id(mesh, k) == 0;
    for (int b = 0; b < mesh->block_count; b++)
        for (int c = 0; c < mesh->blocks[b].count && !w->cell_shift; c++)
            w->cell_shift = carom_mesh_cell_id(mesh, b, c) == 0;
}

// ASCII, so that people can read the file.
carom_status carom_write_msh(const carom_mesh *mesh, FILE *stream, carom_error *error) {
    writer w = {.mesh = mesh, .stream = stream};
    shift_numbers(&w);
    for (int b = 0; b < mesh->block_count; b++)
        if (carom_cell_dimension(mesh->blocks[b].type) > w.dimension)
            w.dimension = carom_cell_dimension(mesh->blocks[b].type);
    bool good = split(&w);
    if (good) {
        fputs("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", stream);
        write_names(&w);
        write_entities(&w);
        write_nodes(&w);
        write_elements(&w);
    }
    free(w.entity);
    free(w.members);
    return good ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory to write the cells");
}
