// SPDX-License-Identifier: MIT
// Shared parts of the reader of Abaqus decks: syntax in inp_keyword.c, keywords in format_inp.c, names in inp_names.c, included
// files in inp_include.c, types of elements in inp_types.c, sets and surfaces in inp_sets.c.
#ifndef CAROM_MESH_FILES_INP_H
#define CAROM_MESH_FILES_INP_H

#include <sys/types.h>

#include "mesh/files/draft.h"
#include "mesh/files/inp_keyword.h"

// A file of the deck. Each is read once, whatever names it has.
typedef struct carom_inp_file {
    char *name;
    dev_t device;
    ino_t number;
    unsigned char *bytes; // of an included file; parts in it are read when they are placed
    size_t size;
} carom_inp_file;

// The text of a *PART, up to *END PART.
typedef struct carom_inp_region {
    char *name;
    int file;
    const unsigned char *begin, *end;
} carom_inp_region;

// The position of an instance: its part is translated, then rotated about an axis through a point.
typedef struct carom_inp_motion {
    double translation[3];
    bool turns;
    double point[3], axis[3], sine, cosine;
} carom_inp_motion;

typedef struct carom_inp_instance {
    char *name;
    int64_t offset; // added to the numbers of its part
    int64_t line;
    carom_inp_motion place;
} carom_inp_instance;

// A name of sets and surfaces. Names are compared without their case.
typedef struct carom_inp_name {
    char *text;
    int group;   // of the draft
    int sets[2]; // the last set of nodes and of cells that has it, -1: none
} carom_inp_name;

// A set of nodes or cells under construction. A set that includes one made after it is moved to the end, with its own members
// so far.
typedef struct carom_inp_set {
    const char *name;
    bool cells;
    bool replaced; // by a later set of its name
    bool lacking;  // it names elements without a cell
    int group;     // of the draft
    int head;      // its first part, -1: none
    int tail;      // its last part
    int *members;  // once it is resolved: nodes, or cells counted through all types
    int64_t count;
} carom_inp_set;

typedef enum carom_inp_part_kind { CAROM_INP_NUMBERS, CAROM_INP_RANGE, CAROM_INP_SET, CAROM_INP_NODES_OF } carom_inp_part_kind;

// One piece of a set: numbers, a range, another set, or the nodes of a set of cells. A line of few bytes makes one, so it is
// kept small.
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
        int set; // that is included, or whose nodes are
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
    carom_draft_type type;
    int64_t begin;
    int file;
    int64_t line;
    int64_t extra; // entries of `extra` begin here,
    int extras;    // so many for each cell
} carom_inp_block;

// A type of elements: the cell that their corners make, and where these are among their nodes.
typedef struct carom_inp_type {
    carom_draft_type cell;
    int nodes, corners[CAROM_CELL_NODES_MAX];
} carom_inp_type;

// A keyword that is ignored, and the place of its first occurrence.
typedef struct carom_inp_ignored {
    char name[40];
    int file;
    int64_t line;
} carom_inp_ignored;

// The number of elements of a type, and the place of its first occurrence.
typedef struct carom_inp_use {
    char name[24];
    int dimension; // -1: of no body
    bool read;     // carom has a cell for it
    int file;
    int64_t line, count;
} carom_inp_use;

enum { CAROM_INP_USES_MAX = 256 };

typedef struct carom_inp {
    carom_reader *reader;
    carom_inp_file *files; // the deck and included files
    int64_t file_count, file_capacity;
    int file, depth; // the one that is read now

    carom_inp_block *blocks;
    int64_t block_count, block_capacity;
    int *extra; // numbers of nodes that only refine cells
    int64_t extra_count, extra_capacity;
    int *skipped; // numbers of elements without a cell; sorted after reading
    int64_t skipped_count, skipped_capacity;
    carom_inp_use uses[CAROM_INP_USES_MAX];
    int use_count;
    bool has_instances, several; // counted before reading
    bool assembly_nodes;         // the assembly has its own nodes
    int instance;                // the one that is read now, -1: none
    int64_t top;                 // largest number in an instance
    carom_inp_motion moving;     // of the instance that begins
    carom_inp_instance *instances;
    int64_t instance_count, instance_capacity;
    carom_inp_region *regions;
    int64_t region_count, region_capacity;
    carom_inp_name *names;
    int64_t name_count, name_capacity;
    int *slots; // of the table of names, -1: empty
    carom_inp_set *sets;
    int64_t set_count, set_capacity;
    carom_inp_part *parts;
    int64_t part_count, part_capacity;
    int *numbers;
    int64_t number_count, number_capacity;
    carom_inp_surface *surfaces;
    int64_t surface_count, surface_capacity;
    carom_inp_ignored *ignored; // keywords that are no part of a mesh, each once
    int64_t ignored_count, ignored_capacity;

    carom_id_map node_map, cell_map;
    int64_t first[CAROM_DRAFT_TYPE_COUNT]; // number of the first cell of each type, counted through all
} carom_inp;

// The entry of a name, which begins at `place` of the file; -1 after a failure, or if there is none and none is to be made.
int carom_inp_find_name(carom_inp *inp, carom_words name, bool make, const unsigned char *place);
// The last set of that name; with `make` it is made if there is none. -1: none, or a failure.
int carom_inp_find_set(carom_inp *inp, carom_words name, bool cells, bool make, const unsigned char *place);
// A set that continues another one of the same name and replaces it; -1 after a failure.
int carom_inp_renew_set(carom_inp *inp, int set);
// A new part at the end of a set, at the line of the cursor; NULL after a failure.
carom_inp_part *carom_inp_add_part(carom_inp *inp, int set, carom_inp_part_kind kind);

// "file:line: message" for a fault found after reading. Returns false.
bool carom_inp_fail(carom_inp *inp, int file, int64_t line, const char *format, ...) CAROM_PRINTF(4, 5);
// The same, as a remark.
void carom_inp_warn(carom_inp *inp, int file, int64_t line, const char *format, ...) CAROM_PRINTF(4, 5);

// Adds a file to the deck; false after a failure, for instance if it was read already.
bool carom_inp_add_file(carom_inp *inp, const char *name, const char *path);
// Reads the keywords of the scan of the deck.
bool carom_inp_read_deck(carom_inp *inp);
// *INCLUDE, at `place`: reads the keywords of another file.
bool carom_inp_include(carom_inp *inp, const char *input, size_t size, const unsigned char *place);

// Searches the rest of the deck for *INSTANCE and *PART.
void carom_inp_count_instances(carom_inp *inp);
bool carom_inp_read_part(carom_inp *inp, const carom_inp_keyword *k);
bool carom_inp_read_instance(carom_inp *inp, const carom_inp_keyword *k);
bool carom_inp_end_instance(carom_inp *inp);
// The instance of that name, -1 if there is none.
int carom_inp_find_instance(const carom_inp *inp, carom_words name);
// Reads a number of the deck and adds the present offset.
bool carom_inp_read_number(carom_inp *inp, const char *what, int64_t *number);
// The name of a set, qualified by its instance as in the whole deck.
carom_words carom_inp_qualify(const carom_inp *inp, carom_words name, char buffer[CAROM_INP_KEYWORD_MAX]);
// Moves a node as the instance is moved.
void carom_inp_place_node(const carom_inp *inp, double x[3]);

// False if carom has no cell for elements of that type; their dimension is set in any case, to -1 if they cannot belong to a
// body.
bool carom_inp_find_type(carom_words name, carom_inp_type *type, int *dimension);
// The entry of a type, to be counted on; a new one begins at that line of the current file.
carom_inp_use *carom_inp_count_type(carom_inp *inp, carom_words name, int dimension, bool read, int64_t line);
// One remark for each type whose elements are not cells of the body. Fails if there are no other elements, or if the body would
// lack elements of its own dimension.
bool carom_inp_mention_types(carom_inp *inp);

// After reading: converts numbers of nodes to indices, and sets and surfaces to groups.
bool carom_inp_resolve(carom_inp *inp);

#endif
