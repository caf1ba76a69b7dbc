// SPDX-License-Identifier: MIT
// The draft of a mesh: the content of a file (nodes, cells of all dimensions, groups) before it becomes a mesh. One reader, one
// file, one draft.
#ifndef CAROM_MESH_FILES_DRAFT_H
#define CAROM_MESH_FILES_DRAFT_H

#include "carom/mesh.h"
#include "mesh/files/scan.h"

// The type of a cell in a draft: that of a mesh, or a solid that is cut into tetrahedra while reading (pieces.c).
typedef int carom_draft_type;

enum { CAROM_DRAFT_PRISM = CAROM_CELL_WEDGE6, CAROM_DRAFT_PYRAMID = CAROM_CELL_TYPE_COUNT, CAROM_DRAFT_TYPE_COUNT };

// Nodes per cell, dimension, and the name. A prism is a triangle and above it another one, a pyramid four nodes and a tip.
int carom_draft_size(carom_draft_type type);
int carom_draft_dimension(carom_draft_type type);
const char *carom_draft_name(carom_draft_type type);

// Cells of one type.
typedef struct carom_draft_block {
    int *nodes;
    int64_t *ids; // NULL in a format without numbers of cells
    int64_t count, capacity, id_capacity;
    int64_t reduced; // number of cells that are of higher order in the file
} carom_draft_block;

// A named group. Cells of the dimension of the body become a cell set; those of a lower dimension become a node set, and a face
// set if they are faces; nodes become a node set; faces become a face set and a node set. If a name has several of these, its
// node set is that of the nodes given as such, else of the faces, else of the cells; its face set is that of the faces given as
// such, else of the cells.
typedef struct carom_draft_group {
    char name[CAROM_NAME_MAX]; // unique
    char *whole;               // the name in the file if it is too long; else NULL
    uint64_t hash;             // of the name
} carom_draft_group;

typedef enum carom_draft_content { CAROM_DRAFT_CELLS, CAROM_DRAFT_NODES, CAROM_DRAFT_FACES } carom_draft_content;

// Part of a group: cells [begin, begin + count) of one type, or as many entries of `nodes` or `faces` of the draft.
typedef struct carom_draft_run {
    int group;
    carom_draft_content content;
    carom_draft_type type;
    int begin, count;
} carom_draft_run;

typedef struct carom_draft {
    double (*nodes)[3];
    int64_t *node_ids; // NULL in a format without numbers of nodes
    int64_t node_count, node_capacity, id_capacity;
    unsigned char *extra; // 1: a node that only refines the shape of cells of higher order; NULL: there are none
    int64_t extra_count;  // nodes that have such a mark
    carom_draft_block blocks[CAROM_DRAFT_TYPE_COUNT];

    carom_draft_group *groups;
    int64_t group_count, group_capacity;
    carom_draft_run *runs;
    int64_t run_count, run_capacity;
    int *set_nodes; // entries of runs of nodes
    int64_t set_node_count, set_node_capacity;
    int (*faces)[4]; // entries of runs of faces, -1 after the last node
    int64_t face_count, face_capacity;
    int64_t budget; // bytes that sets may still take

    int *slots; // groups by the hash of their whole names, -1: empty; NULL before the first
} carom_draft;

// The state of a reader.
typedef struct carom_reader {
    carom_scan scan;
    carom_draft draft;
    const carom_mesh_read_def *def;
    const char *path; // of the file; included files are relative to its folder; NULL if it was given as bytes
} carom_reader;

enum { CAROM_GROUPS_MAX = 10000 };

void carom_draft_release(carom_draft *draft);

// The functions below return false (NULL, -1) after a failure, which is kept in the scan.

// Reserves memory for exactly `more` further nodes (cells), for counts that have been checked against the size of the file.
bool carom_reader_reserve_nodes(carom_reader *reader, int64_t more, bool ids);
bool carom_reader_reserve_cells(carom_reader *reader, carom_draft_type type, int64_t more, bool ids);

// Grows an array for one more item, to 1.5 times its size: the unused memory stays small compared with the file.
bool carom_reader_grow(carom_reader *reader, void **array, int64_t count, int64_t *capacity, size_t size);

// Adds a node. Fails if a coordinate is not finite; `place` is its place in the file.
bool carom_reader_node(carom_reader *reader, const unsigned char *place, const double x[3]);
bool carom_reader_node_id(carom_reader *reader, int64_t id);

// Adds a cell; returns its nodes, to be filled.
int *carom_reader_cell(carom_reader *reader, carom_draft_type type);
bool carom_reader_cell_id(carom_reader *reader, carom_draft_type type, int64_t id);
// Adds a cell of any order from its nodes: `corners` are the indices of its corners among them; NULL: the first nodes. The
// others only refine the shape.
bool carom_reader_reduce(carom_reader *reader, carom_draft_type type, const int *nodes, int count, const int *corners);

// The group of that name, which is made if there is none. `place` is where the name is in the file (NULL: at the cursor). Bytes
// that are not UTF-8 are read as Latin-1. A name that is too long is truncated, with a warning, and remains unique.
int carom_reader_group(carom_reader *reader, const unsigned char *place, carom_words name);
// True if the group has that name, whole or truncated. False for NULL.
bool carom_reader_is_group(const carom_reader *reader, int group, const char *name);
// Removes all groups and their content.
void carom_reader_drop_groups(carom_reader *reader);
// Adds cells to a group; cells that continue the last run extend it.
bool carom_reader_group_cells(carom_reader *reader, int group, carom_draft_type type, int64_t begin, int64_t count);
// Adds nodes or faces to a group.
bool carom_reader_group_nodes(carom_reader *reader, int group, const int *nodes, int64_t count);
bool carom_reader_group_face(carom_reader *reader, int group, const int nodes[4]);

// A node of a cell of higher order that is not one of its corners.
bool carom_reader_extra_node(carom_reader *reader, int node);

// "name: message", as CAROM_BAD_INPUT, for faults without a place. Returns false.
bool carom_reader_refuse(carom_reader *reader, const char *format, ...) CAROM_PRINTF(2, 3);

// Passes "name:line: message" to the callback for remarks.
void carom_reader_warn(carom_reader *reader, const unsigned char *place, const char *format, ...) CAROM_PRINTF(3, 4);

// Cuts all prisms, pyramids and hexahedra into tetrahedra, and quadrilaterals into triangles, if the body has a pyramid, or a
// prism with tetrahedra or hexahedra, or a prism and prisms are to be cut. The body is the cells that `picked` marks, by type;
// all cells where it is NULL. The pieces are marked as their cell was. Prisms that remain whole are reversed if inverted.
bool carom_reader_cut(carom_reader *reader, unsigned char *picked[CAROM_DRAFT_TYPE_COUNT]);

// Converts the draft to a mesh; its node indices must be in range.
carom_status carom_reader_finish(carom_reader *reader, carom_mesh *mesh);

// From numbers in the file to indices: by a table if the numbers are dense, by bisection otherwise.
typedef struct carom_id_map {
    int64_t low, high;
    int *table;      // index by number - low, -1: none
    int64_t *sorted; // or numbers in order, with
    int *index;      // their indices
    int64_t count;
} carom_id_map;

// False if memory is short. If a number occurs twice, `twice` is its second index and the map must not be used; otherwise it is
// -1.
bool carom_id_map_create(carom_id_map *map, const int64_t *ids, int64_t count, int64_t *twice);
void carom_id_map_release(carom_id_map *map);
int carom_id_map_find(const carom_id_map *map, int64_t id);

// The map from the numbers of all cells to indices that count through all types; `first` is the index at which each type
// begins. `twice` as above. False after a failure.
bool carom_reader_map_cells(carom_reader *reader, carom_id_map *map, int64_t first[CAROM_DRAFT_TYPE_COUNT], int64_t *twice);
// The type of the cell with this number, and its index among the cells of that type.
carom_draft_type carom_draft_type_at(const int64_t first[CAROM_DRAFT_TYPE_COUNT], int64_t cell, int64_t *index);

// The readers of the formats.
bool carom_read_msh(carom_reader *reader);
bool carom_read_inp(carom_reader *reader);
bool carom_read_stl(carom_reader *reader);
bool carom_read_obj(carom_reader *reader);
bool carom_read_ply(carom_reader *reader);
bool carom_read_vtu(carom_reader *reader);
bool carom_read_vtk(carom_reader *reader);
bool carom_read_medit(carom_reader *reader);
bool carom_read_unv(carom_reader *reader);

#endif
