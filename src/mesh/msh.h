// SPDX-License-Identifier: MIT
// What the readers of the two Gmsh formats share.
#ifndef CAROM_MESH_MSH_H
#define CAROM_MESH_MSH_H

#include "mesh/draft.h"

// An element type of Gmsh: its number of nodes, of which the first are the corners of a cell.
typedef struct carom_msh_type {
    int nodes; // 0: there is no such type, or carom has no cell for it
    carom_cell_type cell;
    const char *unread; // name of a shape that carom has no cell for
} carom_msh_type;

const carom_msh_type *carom_msh_find_type(int64_t number);

// A physical group: its cells of one dimension.
typedef struct carom_msh_physical {
    int dimension;
    int64_t tag;
    int group;
} carom_msh_physical;

// The physical groups of an entity of the geometry are entries [begin, begin + count) of `entity_tags`.
typedef struct carom_msh_entity {
    int dimension;
    int64_t tag;
    int64_t begin, count;
} carom_msh_entity;

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
} carom_msh;

// The group of a physical tag; its name is the number if the file gives none. -1 after a failure.
int carom_msh_group(carom_msh *msh, int dimension, int64_t tag);

// Reads the nodes of one element into a new cell; extra nodes of higher order are marked. `tags` has type->nodes entries.
bool carom_msh_cell(carom_msh *msh, const carom_msh_type *type, int64_t id, const int64_t *tags, const unsigned char *place);

// The table of node numbers, after all nodes are known.
bool carom_msh_map_nodes(carom_msh *msh);

// Sections, the cursor behind the line that opens them.
bool carom_msh2_nodes(carom_msh *msh);
bool carom_msh2_elements(carom_msh *msh);
bool carom_msh4_entities(carom_msh *msh);
bool carom_msh4_nodes(carom_msh *msh);
bool carom_msh4_elements(carom_msh *msh);

enum { CAROM_MSH_NODES_MAX = 64 };

// Tags of nodes and elements are not negative.
#define CAROM_MSH_TAG_MAX INT64_C(1000000000000000)

#endif
