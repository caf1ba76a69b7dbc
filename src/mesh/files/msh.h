// SPDX-License-Identifier: MIT
// Shared parts of the readers of the Gmsh formats MSH 2.2 and 4.1.
#ifndef CAROM_MESH_FILES_MSH_H
#define CAROM_MESH_FILES_MSH_H

#include "mesh/files/draft.h"

// An element type of Gmsh: its number of nodes, of which the first are the corners of a cell.
typedef struct carom_msh_type {
    int nodes;
    carom_draft_type cell;
    const char *unread; // name of a shape that carom has no cell for
} carom_msh_type;

// False for a number that Gmsh does not use.
bool carom_msh_find_type(int64_t number, carom_msh_type *type);
// The number of the type of first order of a cell.
int carom_msh_number(carom_draft_type cell);

// A physical group: its cells of one dimension.
typedef struct carom_msh_physical {
    int dimension;
    int64_t tag;
    int group; // -1: of cells without a set
} carom_msh_physical;

// The physical groups of an entity of the geometry are entries [begin, begin + count) of `entity_tags`.
typedef struct carom_msh_entity {
    int dimension;
    int64_t tag;
    int64_t begin, count;
} carom_msh_entity;

enum { CAROM_MSH_GROUPS_MAX = 64 };

typedef struct carom_msh {
    carom_reader *reader;
    bool binary;
    carom_id_map map; // of nodes
    bool have_nodes, have_elements;
    carom_msh_physical *physicals;
    int64_t physical_count, physical_capacity;
    carom_msh_entity *entities; // sorted by dimension and tag
    int64_t entity_count;
    int64_t *entity_tags;
    int64_t entity_tag_count;
    bool volumes;                              // each volume of the geometry is a group
    int64_t last_groups[CAROM_MSH_GROUPS_MAX]; // of the last cell, in format 2.2
    int last_group_count;
    carom_draft_type last_type;
} carom_msh;

// Reads the nodes of one element into a new cell; extra nodes of higher order are marked. `tags` has type->nodes entries.
bool carom_msh_cell(carom_msh *msh, const carom_msh_type *type, int64_t id, const int64_t *tags, const unsigned char *place);

// Sections, the cursor behind the line that opens them.
bool carom_msh2_nodes(carom_msh *msh);
bool carom_msh2_elements(carom_msh *msh);
bool carom_msh4_entities(carom_msh *msh);
bool carom_msh4_nodes(carom_msh *msh);
bool carom_msh4_elements(carom_msh *msh);

enum { CAROM_MSH_NODES_MAX = 1000 };

// Tags of nodes and elements are not negative.
#define CAROM_MSH_TAG_MAX INT64_C(1000000000000000)

// Tags of physical groups with a special meaning in files that carom wrote. Node sets count from the first one: their points
// are nodes of the set, even if faces have the same name. Cells without a set are in the group with the second tag and this
// name, because other programs drop cells without a group if some have one.
#define CAROM_MSH_NODE_SETS INT64_C(1000000000)
#define CAROM_MSH_NO_SET INT64_C(2000000000)
#define CAROM_MSH_NO_SET_NAME "(no set)"

// Adds the last cells of a type, `count` of them, to a physical group.
bool carom_msh_group_cells(carom_msh *msh, int dimension, int64_t tag, carom_draft_type type, int64_t count);

#endif
