// SPDX-License-Identifier: MIT
// What the parts of the reader of Abaqus decks share: keywords in format_inp.c, sets and surfaces in inp_sets.c.
#ifndef CAROM_MESH_INP_H
#define CAROM_MESH_INP_H

#include "mesh/draft.h"

// A set of nodes or cells under construction. Names are compared without their case.
typedef struct carom_inp_set {
    char name[CAROM_NAME_MAX];
    bool cells;
    int group;    // of the draft
    int head;     // its first part, -1: none
    int tail;     // its last part
    int *members; // once it is resolved: nodes, or cells counted through all types
    int64_t count;
} carom_inp_set;

typedef enum carom_inp_part_kind { CAROM_INP_NUMBERS, CAROM_INP_RANGE, CAROM_INP_SET } carom_inp_part_kind;

// One piece of a set: numbers, a range, or another set. A line of few bytes makes one, so it is kept small.
typedef struct carom_inp_part {
    int next; // the next part of the same set, -1: none
    int line;
    short file;
    unsigned char kind; // carom_inp_part_kind
    union {
        struct {
            int64_t begin; // entries of `numbers`
            int count;
        };
        struct {
            int first, last, step; // of a range
        };
        int set; // that is included
    };
} carom_inp_part;

// A line of *SURFACE: faces of one cell or of a set of cells, or nodes.
typedef struct carom_inp_surface {
    int group;
    bool nodes;
    int64_t number; // of the cell or node; -1: a set
    int set;
    int label; // 1 ... 6: S1 ... S6; CAROM_INP_SPOS, CAROM_INP_SNEG
    int file;
    int64_t line;
} carom_inp_surface;

enum { CAROM_INP_SPOS = 7, CAROM_INP_SNEG = 8 };

// The cells of one *ELEMENT, or the nodes of one *NODE: to name its line when one of them is at fault.
typedef struct carom_inp_block {
    bool nodes;
    carom_cell_type type;
    int64_t begin;
    int file;
    int64_t line;
} carom_inp_block;

typedef struct carom_inp {
    carom_reader *reader;
    char **files; // names of the deck and of what it includes
    int64_t file_count, file_capacity;
    int file, depth; // the one that is read now

    carom_inp_block *blocks;
    int64_t block_count, block_capacity;
    int *extra; // numbers of nodes that only refine cells
    int64_t extra_count, extra_capacity;
    carom_inp_set *sets;
    int64_t set_count, set_capacity;
    carom_inp_part *parts;
    int64_t part_count, part_capacity;
    int *numbers;
    int64_t number_count, number_capacity;
    carom_inp_surface *surfaces;
    int64_t surface_count, surface_capacity;
    uint64_t *warned; // hashes of keywords that were mentioned
    int64_t warned_count, warned_capacity;

    carom_id_map node_map, cell_map;
    int64_t first[CAROM_CELL_TYPE_COUNT]; // number of the first cell of each type, counted through all
} carom_inp;

// The set of that name; it is made if there is none. -1 after a failure.
int carom_inp_find_set(carom_inp *inp, const char *name, size_t size, bool cells, bool make);
// A new part at the end of a set, at the line of the cursor; NULL after a failure.
carom_inp_part *carom_inp_add_part(carom_inp *inp, int set, carom_inp_part_kind kind);

// Room for one more entry of an array of the deck; false after a failure.
bool carom_inp_grow(carom_inp *inp, void **array, int64_t count, int64_t *capacity, size_t size);

// "file:line: message" for what was found after reading. Returns false.
bool carom_inp_fail(carom_inp *inp, int file, int64_t line, const char *format, ...) CAROM_PRINTF(4, 5);

// When all is read: numbers of nodes to indices, sets and surfaces to groups.
bool carom_inp_resolve(carom_inp *inp);

#endif
