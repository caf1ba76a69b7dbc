// SPDX-License-Identifier: MIT
// Converts the draft of a reader (draft.h: nodes, cells and groups as they are in the file) to a mesh.
//
// The body consists of the cells of the highest dimension, or of those of the requested group. Cells of lower
// dimension do not become cells: they mark nodes and faces of the body. Nodes that belong only to cells that were left out
// (centres of arcs, middles of edges) are dropped with them; nodes without any cell stay, and the check of the mesh reports
// them.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/draft.h"
#include "mesh/files/face_index.h"
#include "mesh/mesh.h"

// Marks of nodes, in rising order: a node of the body stays, even if a cell that was left out uses it too.
enum { UNKNOWN, LEFT_OUT, USED };
enum { GROUPS_SHOWN = 10 }; // names in a message

typedef struct finisher {
    carom_reader *reader;
    carom_draft *draft;
    carom_mesh *mesh;
    int dimension;                                 // of the body
    int group;                                     // the requested one; -1: none
    int64_t first[CAROM_DRAFT_TYPE_COUNT];         // number of the first cell of each type in the mesh
    int64_t reduced;                               // cells of the body that were of higher order
    unsigned char *picked[CAROM_DRAFT_TYPE_COUNT]; // cells of the group; NULL: all
    int *cell_place[CAROM_DRAFT_TYPE_COUNT];       // their new index within the type
    int *node_place;                               // new index of each node, -1: left out; NULL: unchanged
    unsigned char *marks;                          // one for each node, or each cell of the mesh
} finisher;

static bool of_body(const finisher *f, carom_draft_type type) {
    return carom_draft_dimension(type) == f->dimension;
}

// Fails with a message that lists the groups of cells of the file.
static bool fail_group(finisher *f, const char *name) {
    char names[200] = "";
    size_t size = 0;
    int count = 0, shown = 0;
    bool *has_cells = carom_allocate(f->draft->group_count, sizeof *has_cells);
    if (!has_cells)
        return carom_scan_no_memory(&f->reader->scan);
    for (int64_t r = 0; r < f->draft->run_count; r++)
        if (f->draft->runs[r].content == CAROM_DRAFT_CELLS)
            has_cells[f->draft->runs[r].group] = true;
    for (int g = 0; g < f->draft->group_count; g++) {
        bool cells = has_cells[g];
        count += cells;
        size_t more = strlen(f->draft->groups[g].name) + 4;
        if (!cells || size + more >= sizeof names || shown == GROUPS_SHOWN)
            continue;
        size += (size_t)snprintf(names + size, sizeof names - size, "%s'%s'", shown++ ? ", " : "", f->draft->groups[g].name);
    }
    free(has_cells);
    return carom_reader_refuse(f->reader, "there is no group of cells named '%s' (%s%s%s)", name,
                               count ? "there are: " : "there are none", names, shown < count ? ", ..." : "");
}

// Finds the requested group. If it has cells of several dimensions, those of the highest one are the body.
static bool find_group(finisher *f) {
    const char *name = f->reader->def->group;
    f->group = -1;
    if (!name || !*name)
        return true;
    // The last of several groups of that name; names are unique, but a cut name may equal a whole one.
    for (int g = 0; g < f->draft->group_count; g++)
        if (carom_reader_is_group(f->reader, g, name))
            f->group = g;
    int best = -1;
    for (int64_t r = 0; r < f->draft->run_count; r++) {
        const carom_draft_run *run = &f->draft->runs[r];
        if (run->group == f->group && run->content == CAROM_DRAFT_CELLS && carom_draft_dimension(run->type) > best)
            best = carom_draft_dimension(run->type);
    }
    if (f->group < 0 || best < 0)
        return fail_group(f, name);
    f->dimension = best;
    return true;
}

// Chooses the cells of the body: those of the requested group, or all cells of the highest dimension.
static bool choose_cells(finisher *f) {
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
        // With a group the dimension found here is replaced by that of the group.
        if (f->draft->blocks[t].count && carom_draft_dimension(t) > f->dimension)
            f->dimension = carom_draft_dimension(t);
    if (f->dimension < 0)
        return carom_reader_refuse(f->reader, "there are no cells in this file");
    if (!find_group(f))
        return false;
    for (int t = 0; f->group >= 0 && t < CAROM_DRAFT_TYPE_COUNT; t++) {
        if (!of_body(f, t) || f->draft->blocks[t].count == 0)
            continue;
        f->picked[t] = carom_allocate(f->draft->blocks[t].count, 1);
        if (!f->picked[t])
            return carom_scan_no_memory(&f->reader->scan);
    }
    for (int64_t r = 0; r < f->draft->run_count; r++) {
        const carom_draft_run *run = &f->draft->runs[r];
        // Cells of a lower dimension in the group mark nodes and faces, as they do without a group.
        if (f->group >= 0 && run->group == f->group && run->content == CAROM_DRAFT_CELLS && of_body(f, run->type))
            memset(f->picked[run->type] + run->begin, 1, (size_t)run->count);
    }
    if (f->dimension == 3 && !carom_reader_cut(f->reader, f->picked))
        return false;
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        f->cell_place[t] = f->picked[t] ? carom_allocate(f->draft->blocks[t].count, sizeof(int)) : NULL;
        if (f->picked[t] && !f->cell_place[t])
            return carom_scan_no_memory(&f->reader->scan);
    }
    return true;
}

// Keeps the picked cells of a block, in place, and stores their new indices for the sets.
static void compress_block(finisher *f, carom_draft_type type) {
    carom_draft_block *block = &f->draft->blocks[type];
    size_t size = (size_t)carom_draft_size(type);
    int64_t kept = 0;
    for (int64_t c = 0; c < block->count; c++) {
        f->cell_place[type][c] = f->picked[type][c] ? (int)kept : -1;
        if (!f->picked[type][c])
            continue;
        memmove(block->nodes + (size_t)kept * size, block->nodes + (size_t)c * size, size * sizeof(int));
        if (block->ids)
            block->ids[kept] = block->ids[c];
        kept++;
    }
    block->count = kept;
}

static void mark_nodes(finisher *f, carom_draft_type type, unsigned char mark) {
    const carom_draft_block *block = &f->draft->blocks[type];
    int size = carom_draft_size(type);
    for (int64_t i = 0; i < block->count * size; i++)
        if (f->marks[block->nodes[i]] < mark)
            f->marks[block->nodes[i]] = mark;
}

// Leaves out nodes of cells of lower dimension, all nodes outside the group, and middle nodes, unless the body uses them.
static bool renumber_nodes(finisher *f) {
    carom_draft *draft = f->draft;
    f->marks = carom_allocate(draft->node_count, 1);
    if (!f->marks)
        return carom_scan_no_memory(&f->reader->scan);
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
        if (!of_body(f, t))
            mark_nodes(f, t, LEFT_OUT);
    // With a group, all nodes that its cells do not use are left out, whatever they were marked as.
    if (f->group >= 0)
        memset(f->marks, LEFT_OUT, (size_t)draft->node_count);
    for (int64_t k = 0; k < draft->extra_count; k++)
        if (draft->extra[k])
            f->marks[k] = LEFT_OUT;
    // USED is the highest mark and replaces all others
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        if (!of_body(f, t))
            continue;
        if (f->picked[t])
            compress_block(f, t);
        mark_nodes(f, t, USED);
    }

    // Most files leave nothing out, and keep their numbering.
    if (!memchr(f->marks, LEFT_OUT, (size_t)draft->node_count))
        return true;
    f->node_place = carom_allocate(draft->node_count, sizeof *f->node_place);
    if (!f->node_place)
        return carom_scan_no_memory(&f->reader->scan);
    int kept = 0;
    for (int64_t k = 0; k < draft->node_count; k++) {
        f->node_place[k] = f->marks[k] == LEFT_OUT ? -1 : kept;
        if (f->marks[k] == LEFT_OUT)
            continue;
        memcpy(draft->nodes[kept], draft->nodes[k], sizeof *draft->nodes);
        if (draft->node_ids)
            draft->node_ids[kept] = draft->node_ids[k];
        kept++;
    }
    draft->node_count = kept;
    // Cells that do not belong to the body are renumbered too: their nodes become sets, with -1 for those left out.
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        const carom_draft_block *block = &draft->blocks[t];
        for (int64_t i = 0; i < block->count * carom_draft_size(t); i++)
            block->nodes[i] = f->node_place[block->nodes[i]];
    }
    return true;
}

// Gives the nodes of sets and faces their new numbers; -1 for a node that was left out.
static void renumber_sets(finisher *f) {
    carom_draft *draft = f->draft;
    if (!f->node_place)
        return;
    for (int64_t i = 0; i < draft->set_node_count; i++)
        draft->set_nodes[i] = f->node_place[draft->set_nodes[i]];
    for (int64_t i = 0; i < draft->face_count; i++)
        for (int j = 0; j < 4; j++)
            if (draft->faces[i][j] >= 0)
                draft->faces[i][j] = f->node_place[draft->faces[i][j]];
}

// The runs of each group as linked lists, since they may be scattered over the whole file: next[r] is the run after r of the
// same group.
typedef struct chains {
    int64_t *head, *next;
} chains;

static bool chain_runs(const carom_draft *draft, chains *c) {
    c->head = carom_allocate(draft->group_count, sizeof *c->head);
    c->next = carom_allocate(draft->run_count, sizeof *c->next);
    if (!c->head || !c->next)
        return false;
    for (int64_t g = 0; g < draft->group_count; g++)
        c->head[g] = -1;
    // Backwards, so that each list runs in the order of the file.
    for (int64_t r = draft->run_count - 1; r >= 0; r--) {
        c->next[r] = c->head[draft->runs[r].group];
        c->head[draft->runs[r].group] = r;
    }
    return true;
}

// Lists the marked ones among `count` items, in order, and clears the marks. Sets come out sorted and without repetitions.
static int *collect(unsigned char *marks, size_t count, int *found) {
    int n = 0;
    for (size_t i = 0; i < count; i++)
        n += marks[i];
    int *list = carom_allocate(n, sizeof *list);
    n = 0;
    for (size_t i = 0; list && i < count; i++)
        if (marks[i])
            list[n++] = (int)i;
    memset(marks, 0, count);
    *found = n;
    return list;
}

// Sets that overlap could take far more memory than the file: a thousand names for all nodes of a large mesh.
static bool charge_set_memory(finisher *f, int64_t bytes) {
    f->draft->budget -= bytes;
    return f->draft->budget >= 0 || carom_reader_refuse(f->reader, "the sets hold far more than a file of this size can name");
}

// Makes a set of the marked ones among `count` items.
static bool add_marked(finisher *f, int group, int64_t count,
                       carom_status (*add)(carom_mesh *, const char *, const int *, int, carom_error *)) {
    int found;
    int *list = collect(f->marks, (size_t)count, &found);
    bool good = list ? charge_set_memory(f, found * (int64_t)sizeof *list) : carom_scan_no_memory(&f->reader->scan);
    if (good)
        f->reader->scan.status = add(f->mesh, f->draft->groups[group].name, list, found, f->reader->scan.error);
    free(list);
    return good && !f->reader->scan.status;
}

// The cells of a group that belong to the body, by their numbers in the mesh.
static bool add_cell_set(finisher *f, const chains *c, int group) {
    bool any = false;
    int64_t cells = carom_mesh_cell_count(f->mesh);
    for (int64_t r = c->head[group]; r >= 0; r = c->next[r]) {
        const carom_draft_run *run = &f->draft->runs[r];
        if (run->content != CAROM_DRAFT_CELLS || !of_body(f, run->type))
            continue;
        for (int i = run->begin; i < run->begin + run->count; i++) {
            // Without a group all cells keep their places.
            int place = f->cell_place[run->type] ? f->cell_place[run->type][i] : i;
            if (place >= 0)
                f->marks[f->first[run->type] + place] = 1, any = true;
        }
    }
    return !any || add_marked(f, group, cells, carom_mesh_add_cell_set);
}

// True if the group has content of this kind.
static bool has(const finisher *f, const chains *c, int group, carom_draft_content content) {
    for (int64_t r = c->head[group]; r >= 0; r = c->next[r])
        if (f->draft->runs[r].content == content)
            return true;
    return false;
}

static void mark_node(finisher *f, int node, bool *any) {
    if (node >= 0)
        f->marks[node] = 1, *any = true;
}

// The nodes that a group names, or the nodes of its faces or cells of lower dimension.
static bool add_node_set(finisher *f, const chains *c, int group) {
    bool any = false, named = false;
    unsigned dimensions = 0;
    // Nodes given as such have priority over nodes of faces, and these over nodes of cells.
    carom_draft_content content = has(f, c, group, CAROM_DRAFT_NODES)   ? CAROM_DRAFT_NODES
                                  : has(f, c, group, CAROM_DRAFT_FACES) ? CAROM_DRAFT_FACES
                                                                        : CAROM_DRAFT_CELLS;
    for (int64_t r = c->head[group]; r >= 0; r = c->next[r]) {
        const carom_draft_run *run = &f->draft->runs[r];
        if (run->content != content)
            continue;
        if (run->content == CAROM_DRAFT_NODES) {
            for (int i = run->begin; i < run->begin + run->count; i++)
                mark_node(f, f->draft->set_nodes[i], &any);
        } else if (run->content == CAROM_DRAFT_FACES) {
            for (int i = run->begin; i < run->begin + run->count; i++)
                for (int j = 0; j < 4; j++)
                    mark_node(f, f->draft->faces[i][j], &any);
        } else if (carom_draft_dimension(run->type) < f->dimension) {
            dimensions |= 1u << carom_draft_dimension(run->type);
            int size = carom_draft_size(run->type);
            const int *nodes = f->draft->blocks[run->type].nodes;
            for (int64_t i = (int64_t)run->begin * size; i < ((int64_t)run->begin + run->count) * size; i++)
                mark_node(f, nodes[i], &any);
        } else {
            // Cells of the body itself give no node set: their cell set selects the nodes.
            continue;
        }
        named = true;
    }
    if (!any) {
        // If one group is selected, most other groups lie outside it, and a warning for each would be noise.
        if (named && f->group < 0)
            carom_reader_warn(f->reader, NULL, "no node of group '%s' belongs to the body", f->draft->groups[group].name);
        return true;
    }
    // Gmsh allows the same name for a curve and a surface; more than one bit means more than one dimension.
    if (dimensions & (dimensions - 1) && f->group < 0)
        carom_reader_warn(f->reader, NULL, "groups of several dimensions are called '%s': their nodes become one set",
                          f->draft->groups[group].name);
    return add_marked(f, group, f->mesh->node_count, carom_mesh_add_set);
}

// The nodes of face i of a run: a face given as such, or a cell of the dimension below the body's.
static bool group_face(const finisher *f, const carom_draft_run *run, int i, int face[4]) {
    if (run->content == CAROM_DRAFT_FACES) {
        memcpy(face, f->draft->faces[i], sizeof(int[4]));
    } else {
        int size = carom_draft_size(run->type);
        for (int j = 0; j < 4; j++)
            face[j] = j < size ? f->draft->blocks[run->type].nodes[(int64_t)i * size + j] : -1;
    }
    // A face has at least two nodes. One that lost a node is no face of the body.
    return face[0] >= 0 && face[1] >= 0;
}

// Faces given as such, or cells of one dimension below the body.
static bool names_faces(const finisher *f, const carom_draft_run *run, carom_draft_content content) {
    if (run->content != content || content == CAROM_DRAFT_FACES)
        return run->content == content;
    // A body of lines has no faces; its ends are node sets.
    return f->dimension >= 2 && carom_draft_dimension(run->type) == f->dimension - 1;
}

// Faces are oriented as seen from outside the body; those that bound no cell are left out with a warning.
static bool add_face_set(finisher *f, const chains *c, int group) {
    int64_t count = 0;
    carom_draft_content content = has(f, c, group, CAROM_DRAFT_FACES) ? CAROM_DRAFT_FACES : CAROM_DRAFT_CELLS;
    for (int64_t r = c->head[group]; r >= 0; r = c->next[r])
        if (names_faces(f, &f->draft->runs[r], content))
            count += f->draft->runs[r].count;
    if (count == 0)
        return true;
    if (!charge_set_memory(f, count * (int64_t)sizeof(int[4])))
        return false;
    int(*faces)[4] = carom_allocate(count, sizeof *faces);
    if (!faces)
        return carom_scan_no_memory(&f->reader->scan);
    int kept = 0;
    for (int64_t r = c->head[group]; r >= 0; r = c->next[r]) {
        const carom_draft_run *run = &f->draft->runs[r];
        if (!names_faces(f, run, content))
            continue;
        for (int i = run->begin; i < run->begin + run->count; i++)
            kept += group_face(f, run, i, faces[kept]);
    }
    int64_t strangers = 0;
    bool good = carom_face_index_orient(f->mesh, f->dimension, faces, &kept, &strangers);
    if (!good)
        carom_scan_no_memory(&f->reader->scan);
    else if (strangers && f->group < 0)
        carom_reader_warn(f->reader, NULL, "%lld faces of group '%s' belong to no cell and are left out", (long long)strangers,
                          f->draft->groups[group].name);
    if (good && kept)
        f->reader->scan.status =
            carom_mesh_add_face_set(f->mesh, f->draft->groups[group].name, (const int(*)[4])faces, kept, f->reader->scan.error);
    free(faces);
    return good && !f->reader->scan.status;
}

static bool add_sets(finisher *f) {
    int64_t cells = carom_mesh_cell_count(f->mesh), nodes = f->mesh->node_count;
    free(f->marks);
    // One array of marks serves for cells and nodes; collect clears it after each set.
    f->marks = carom_allocate(cells > nodes ? cells : nodes, 1);
    chains c = {0};
    bool good = f->marks && chain_runs(f->draft, &c);
    if (!good)
        carom_scan_no_memory(&f->reader->scan);
    for (int g = 0; good && g < f->draft->group_count; g++)
        good = add_cell_set(f, &c, g) && add_node_set(f, &c, g) && add_face_set(f, &c, g);
    free(c.head);
    free(c.next);
    return good;
}

// Drops ids that count from `first`: carom_mesh_node_id and carom_mesh_cell_id return these without an array.
static int64_t *drop_consecutive(int64_t *ids, int64_t count, int64_t first) {
    for (int64_t i = 0; ids && i < count; i++)
        if (ids[i] != first + i)
            return ids;
    free(ids);
    return NULL;
}

// Moves the arrays of the draft to the mesh, so that a mesh is never in memory twice.
static bool move_arrays(finisher *f) {
    carom_draft *draft = f->draft;
    carom_mesh *mesh = f->mesh;
    int64_t cells = 0;
    mesh->blocks = carom_allocate(CAROM_DRAFT_TYPE_COUNT, sizeof *mesh->blocks);
    if (!mesh->blocks)
        return carom_scan_no_memory(&f->reader->scan);
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        carom_draft_block *block = &draft->blocks[t];
        // Cells are numbered through all blocks, which are ordered by type.
        f->first[t] = cells;
        if (!of_body(f, t) || block->count == 0)
            continue;
        cells += block->count;
        f->reduced += block->reduced;
        if (cells > CAROM_MESH_CELLS_MAX)
            return carom_reader_refuse(f->reader, "more than %d cells", CAROM_MESH_CELLS_MAX);
        mesh->blocks[mesh->block_count++] = (carom_cell_block){.type = (carom_cell_type)t,
                                                               .count = (int)block->count,
                                                               .nodes = block->nodes,
                                                               .ids = drop_consecutive(block->ids, block->count, f->first[t])};
        // The arrays belong to the mesh from here on, and the draft must not free them.
        *block = (carom_draft_block){0};
    }
    mesh->node_count = (int)draft->node_count;
    mesh->nodes = draft->nodes;
    mesh->node_ids = drop_consecutive(draft->node_ids, draft->node_count, 0);
    draft->nodes = NULL;
    draft->node_ids = NULL;
    return true;
}

// True if the surface of the solid cells is requested, by a name that no group of cells has.
static bool needs_surface(const carom_reader *reader) {
    const carom_draft *draft = &reader->draft;
    if (!reader->def->group || strcmp(reader->def->group, "surface") != 0)
        return false;
    bool solids = false;
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
        solids = solids || (draft->blocks[t].count && carom_draft_dimension(t) == 3);
    for (int64_t r = 0; r < draft->run_count; r++)
        if (draft->runs[r].content == CAROM_DRAFT_CELLS && carom_reader_is_group(reader, draft->runs[r].group, "surface"))
            return false;
    return solids;
}

static carom_status finish(carom_reader *reader, carom_mesh *mesh) {
    *mesh = (carom_mesh){0};
    // Messages from here on belong to no line.
    reader->scan.binary = true;
    finisher f = {.reader = reader, .draft = &reader->draft, .mesh = mesh, .dimension = -1};
    bool good = choose_cells(&f) && renumber_nodes(&f);
    if (good) {
        renumber_sets(&f);
        good = move_arrays(&f) && add_sets(&f);
    }
    if (good && f.reduced)
        carom_reader_warn(reader, NULL, "%lld %s", (long long)f.reduced,
                          f.reduced == 1 ? "cell of higher order is reduced to its corners"
                                         : "cells of higher order are reduced to their corners");
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        free(f.picked[t]);
        free(f.cell_place[t]);
    }
    free(f.node_place);
    free(f.marks);
    if (!good)
        carom_mesh_release(mesh);
    return reader->scan.status;
}

carom_status carom_reader_finish(carom_reader *reader, carom_mesh *mesh) {
    if (!needs_surface(reader))
        return finish(reader, mesh);
    // The whole solid, then its surface. `def` belongs to the caller and is not changed.
    const carom_mesh_read_def *asked = reader->def;
    carom_mesh_read_def whole = *asked;
    whole.group = NULL;
    reader->def = &whole;
    carom_status status = finish(reader, mesh);
    reader->def = asked;
    if (!status)
        status = carom_mesh_cell_surface(mesh, reader->scan.error);
    if (status)
        carom_mesh_release(mesh);
    return status;
}
