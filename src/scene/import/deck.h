// SPDX-License-Identifier: MIT
// The content of an Abaqus or CalculiX deck except its mesh, for conversion to a scene: read by deck.c (the loop over keywords)
// and deck_keywords.c (their data), made into bodies by deck_bodies.c and deck_touch.c, written by deck_write.c.
#ifndef CAROM_SCENE_IMPORT_DECK_H
#define CAROM_SCENE_IMPORT_DECK_H

#include "carom/mesh.h"
#include "carom/text.h"
#include "mesh/files/inp_keyword.h"

enum {
    CAROM_DECK_NAME = 128,  // bytes of a name
    CAROM_DECK_ROWS = 2000, // rows of an amplitude
    CAROM_DECK_REMARKS = 400,
};

// A place in the deck.
typedef struct carom_deck_place {
    int file;
    int64_t line;
} carom_deck_place;

typedef struct carom_deck_material {
    char name[CAROM_DECK_NAME];
    carom_deck_place place;
    double young, poisson, density; // 0: not given
    bool plastic;
    double yield; // of its first row
} carom_deck_material;

// A section and, once it is a body, its mesh.
typedef struct carom_deck_section {
    char part[CAROM_DECK_NAME], elset[CAROM_DECK_NAME], material[CAROM_DECK_NAME];
    double size; // thickness of a shell or plane body, area of a truss
    carom_deck_place place;
} carom_deck_section;

typedef struct carom_deck_type {
    char part[CAROM_DECK_NAME], name[24];
} carom_deck_type;

typedef struct carom_deck_instance {
    char name[CAROM_DECK_NAME], part[CAROM_DECK_NAME];
} carom_deck_instance;

typedef struct carom_deck_amplitude {
    char name[CAROM_DECK_NAME];
    int count;
    double (*rows)[2];
} carom_deck_amplitude;

typedef enum carom_deck_kind {
    CAROM_DECK_FIX,      // value 0
    CAROM_DECK_DISPLACE, // displacement at the end of the step
    CAROM_DECK_DRIVE,    // velocity
    CAROM_DECK_START,    // initial velocity
    CAROM_DECK_FORCE,    // on each node
    CAROM_DECK_GRAVITY,
    CAROM_DECK_PRESSURE,
} carom_deck_kind;

// A row of *BOUNDARY, *CLOAD, *DLOAD, *DSLOAD or *INITIAL CONDITIONS.
typedef struct carom_deck_row {
    carom_deck_kind kind;
    char target[CAROM_DECK_NAME]; // a set or a number; "": everything
    unsigned axes;                // bits of x, y, z
    double value, direction[3];
    char amplitude[CAROM_DECK_NAME];
    carom_deck_place place;
} carom_deck_row;

// A section of a body that has several, and the set of its elements.
typedef struct carom_deck_share {
    char set[CAROM_DECK_NAME];
    const carom_deck_material *material;
} carom_deck_share;

typedef struct carom_deck_body {
    char name[CAROM_NAME_MAX], group[CAROM_DECK_NAME]; // group "": the whole deck
    int section;                                       // the first one
    const carom_deck_material *material;               // of that section
    int share_count;                                   // 0: the body has one section
    carom_deck_share *shares;
    char element[200];
    carom_mesh mesh;
} carom_deck_body;

typedef struct carom_deck {
    char *files[64];
    int file_count, file;
    int depth;
    carom_scan *scan;
    carom_mesh_warning *warn;
    void *context;
    carom_error *error;
    carom_status status;

    char title[256];
    char part[CAROM_DECK_NAME]; // the part being read
    int material;               // the material being read; -1: none
    int step;                   // 0 before the first
    int part_count;
    bool is_static, is_dynamic, nonlinear, has_contact;
    double period, friction;
    bool has_friction;
    carom_text remarks; // what was not converted, line by line
    struct {
        char name[40];
        carom_deck_place place;
        int count;
    } ignored[CAROM_DECK_REMARKS];
    int ignored_count;

    carom_deck_material *materials;
    carom_deck_section *sections;
    carom_deck_type *types;
    carom_deck_instance *instances;
    carom_deck_amplitude *amplitudes;
    carom_deck_row *rows;
    carom_deck_body *bodies;
    int64_t material_count, material_capacity, section_count, section_capacity, type_count, type_capacity, instance_count,
        instance_capacity, amplitude_count, amplitude_capacity, row_count, row_capacity, body_count, body_capacity;
} carom_deck;

// The functions below return false after a failure, which is kept in the deck.

// "file:line: message", as CAROM_BAD_INPUT.
bool carom_deck_fail(carom_deck *deck, carom_deck_place place, const char *format, ...) CAROM_PRINTF(3, 4);
bool carom_deck_no_memory(carom_deck *deck);
// Reports something that is not converted, and writes it into the scene.
void carom_deck_note(carom_deck *deck, carom_deck_place place, const char *format, ...) CAROM_PRINTF(3, 4);
// The place of the cursor.
carom_deck_place carom_deck_here(carom_deck *deck);
// Adds an item to an array.
bool carom_deck_add(carom_deck *deck, void **array, int64_t *count, int64_t *capacity, const void *item, size_t size);
// The set of that name, whatever its case, of a list of sets of a mesh; NULL if there is none.
const void *carom_deck_find_set(const void *sets, int count, size_t size, const char *name);

// Converts a keyword of the deck with its data lines. Sets `known` to false if it is not among those that are converted.
bool carom_deck_take(carom_deck *deck, const carom_inp_keyword *k, bool *known);

// Makes bodies of the sections, one of those of a part whose elements share nodes, and reads their meshes from `path`; `whole`
// is the mesh of the deck.
bool carom_deck_make_bodies(carom_deck *deck, const char *path, const carom_mesh *whole);
// True if the deck has several instances; their sets are then called INSTANCE.SET.
bool carom_deck_has_several(const carom_deck *deck);

// The name of a set as the mesh has it: "Set" for "Instance.Set" where there is one instance, whose sets have plain names.
const char *carom_deck_without_instance(const carom_deck *deck, const char *target);

// True if the gravity of a row, together with rows of the same gravity, acts on all elements of a body. *first is false if an
// earlier one of these rows acts on elements of the body.
bool carom_deck_gravity_is_whole(carom_deck *deck, const carom_deck_body *body, const carom_deck_row *row, bool *first);

// True if two bodies have nodes at the same place.
bool carom_deck_touch(carom_deck *deck, const carom_deck_body *a, const carom_deck_body *b);

// Writes the scene; `mesh_path` is the deck as the scene names it.
bool carom_deck_write(carom_deck *deck, const char *mesh_path, carom_text *text);

#endif
