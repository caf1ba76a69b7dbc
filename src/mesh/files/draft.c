// SPDX-License-Identifier: MIT
// Collects what a reader finds in a mesh file: its draft (draft.h), the nodes, cells and groups before they become a mesh.
// Arrays grow by half, so that the memory of a mesh is in proportion to its file; names of groups are made valid UTF-8, unique
// and short enough for a set.
#include "mesh/files/draft.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

enum {
    NODES_MAX = INT_MAX - 1, // indices of nodes and cells are ints
    SLOTS = 1 << 15,         // of the hash table of names
};

_Static_assert(CAROM_GROUPS_MAX < SLOTS / 2, "the table of groups stays half empty");

static const struct {
    int size, dimension;
    const char *name;
} solids[] = {{5, 3, "pyramid"}}; // from CAROM_DRAFT_PYRAMID on

int carom_draft_size(carom_draft_type type) {
    return type < CAROM_CELL_TYPE_COUNT ? carom_cell_size((carom_cell_type)type) : solids[type - CAROM_CELL_TYPE_COUNT].size;
}

int carom_draft_dimension(carom_draft_type type) {
    return type < CAROM_CELL_TYPE_COUNT ? carom_cell_dimension((carom_cell_type)type)
                                        : solids[type - CAROM_CELL_TYPE_COUNT].dimension;
}

const char *carom_draft_name(carom_draft_type type) {
    return type < CAROM_CELL_TYPE_COUNT ? carom_cell_name((carom_cell_type)type) : solids[type - CAROM_CELL_TYPE_COUNT].name;
}

// Drops names and runs; the nodes and faces of sets remain in their arrays without a reference.
static void drop_groups(carom_draft *draft) {
    for (int64_t g = 0; g < draft->group_count; g++)
        free(draft->groups[g].whole);
    draft->run_count = draft->group_count = 0;
    free(draft->slots);
    draft->slots = NULL;
}

void carom_reader_drop_groups(carom_reader *reader) {
    drop_groups(&reader->draft);
}

void carom_draft_release(carom_draft *draft) {
    free(draft->nodes);
    free(draft->node_ids);
    free(draft->extra);
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        free(draft->blocks[t].nodes);
        free(draft->blocks[t].ids);
    }
    drop_groups(draft);
    free(draft->groups);
    free(draft->runs);
    free(draft->set_nodes);
    free(draft->faces);
    *draft = (carom_draft){0};
}

// Grows the array to exactly `needed` items; on failure it stays as it was.
static bool reserve(void **array, int64_t needed, int64_t *capacity, size_t size) {
    if (needed <= *capacity)
        return true;
    void *moved = (uint64_t)needed > SIZE_MAX / size ? NULL : realloc(*array, (size_t)needed * size);
    if (!moved)
        return false;
    *array = moved;
    *capacity = needed;
    return true;
}

bool carom_reader_grow(carom_reader *reader, void **array, int64_t count, int64_t *capacity, size_t size) {
    return count < *capacity || reserve(array, count + count / 2 + 16, capacity, size) || carom_scan_no_memory(&reader->scan);
}

bool carom_reader_reserve_nodes(carom_reader *reader, int64_t more, bool ids) {
    carom_draft *draft = &reader->draft;
    int64_t count = draft->node_count + more;
    if (!reserve((void **)&draft->nodes, count, &draft->node_capacity, sizeof *draft->nodes) ||
        (ids && !reserve((void **)&draft->node_ids, count, &draft->id_capacity, sizeof *draft->node_ids)))
        return carom_scan_no_memory(&reader->scan);
    return true;
}

bool carom_reader_reserve_cells(carom_reader *reader, carom_draft_type type, int64_t more, bool ids) {
    carom_draft_block *block = &reader->draft.blocks[type];
    int64_t count = block->count + more;
    if (!reserve((void **)&block->nodes, count, &block->capacity, sizeof *block->nodes * (size_t)carom_draft_size(type)) ||
        (ids && !reserve((void **)&block->ids, count, &block->id_capacity, sizeof *block->ids)))
        return carom_scan_no_memory(&reader->scan);
    return true;
}

bool carom_reader_node(carom_reader *reader, const unsigned char *place, const double x[3]) {
    carom_draft *draft = &reader->draft;
    // Every later sum and comparison relies on finite coordinates, so they are refused here, in the function that all formats
    // use.
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return carom_scan_fail(&reader->scan, place, "expected finite coordinates, found (%g, %g, %g)", x[0], x[1], x[2]);
    if (draft->node_count >= NODES_MAX)
        return carom_scan_fail(&reader->scan, place, "more than %d nodes", NODES_MAX);
    if (!carom_reader_grow(reader, (void **)&draft->nodes, draft->node_count, &draft->node_capacity, sizeof *draft->nodes))
        return false;
    // Adding 0.0 turns -0 into 0, so that equal places have equal bits.
    for (int i = 0; i < 3; i++)
        draft->nodes[draft->node_count][i] = x[i] + 0.0;
    draft->node_count++;
    return true;
}

bool carom_reader_node_id(carom_reader *reader, int64_t id) {
    carom_draft *draft = &reader->draft;
    // The id is given before its node: the count is still that of the nodes before it.
    if (!carom_reader_grow(reader, (void **)&draft->node_ids, draft->node_count, &draft->id_capacity, sizeof *draft->node_ids))
        return false;
    draft->node_ids[draft->node_count] = id;
    return true;
}

// The pointer is valid until the next cell is added.
int *carom_reader_cell(carom_reader *reader, carom_draft_type type) {
    carom_draft_block *block = &reader->draft.blocks[type];
    int size = carom_draft_size(type);
    if (block->count >= NODES_MAX) {
        carom_scan_fail(&reader->scan, NULL, "more than %d cells", NODES_MAX);
        return NULL;
    }
    if (!carom_reader_grow(reader, (void **)&block->nodes, block->count, &block->capacity, sizeof *block->nodes * (size_t)size))
        return NULL;
    return block->nodes + block->count++ * size;
}

bool carom_reader_cell_id(carom_reader *reader, carom_draft_type type, int64_t id) {
    carom_draft_block *block = &reader->draft.blocks[type];
    // The cell has been counted already when its id comes.
    if (!carom_reader_grow(reader, (void **)&block->ids, block->count - 1, &block->id_capacity, sizeof *block->ids))
        return false;
    block->ids[block->count - 1] = id;
    return true;
}

bool carom_reader_reduce(carom_reader *reader, carom_draft_type type, const int *nodes, int count, const int *corners) {
    int *cell = carom_reader_cell(reader, type), size = carom_draft_size(type);
    if (!cell)
        return false;
    for (int j = 0; j < size; j++)
        cell[j] = nodes[corners ? corners[j] : j];
    for (int i = 0; i < count && count > size; i++) {
        bool corner = !corners && i < size;
        for (int j = 0; corners && j < size; j++)
            corner = corner || corners[j] == i;
        if (!corner && !carom_reader_extra_node(reader, nodes[i]))
            return false;
    }
    reader->draft.blocks[type].reduced += count > size;
    return true;
}

// Number of bytes of the UTF-8 character that begins here; 0 if it is not one that XML allows.
static int character(const unsigned char *c, size_t size) {
    // The first byte gives the number of bytes that follow. 0xc0 and 0xc1 could only begin an overlong form, 0xf5
    // and above exceed U+10FFFF.
    int more = *c < 0x80 ? 0 : *c < 0xc2 ? -1 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : *c < 0xf5 ? 3 : -1;
    if (more < 0 || (size_t)more >= size)
        return 0;
    uint32_t code = more == 0 ? *c : *c & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    // Overlong forms, surrogates, and the two code points that XML excludes.
    bool bad = (more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10ffff)) ||
               (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff;
    return bad ? 0 : more + 1;
}

// Copies a name as UTF-8, in at most twice the bytes. Control characters and quotes would break the formats that sets are
// written to.
static void clean(char *to, const char *name, size_t size) {
    const unsigned char *from = (const unsigned char *)name;
    for (size_t i = 0; i < size;) {
        int bytes = character(from + i, size - i);
        if (bytes == 1)
            *to++ = (char)(from[i] < 0x20 ? '?' : from[i] == '"' ? '_' : from[i]);
        for (int k = 0; bytes > 1 && k < bytes; k++)
            *to++ = name[i + (size_t)k];
        // A byte that is not UTF-8 is taken as Latin-1, whose characters have the same numbers.
        if (bytes == 0) {
            *to++ = (char)(0xc0 | from[i] >> 6);
            *to++ = (char)(0x80 | (from[i] & 0x3f));
        }
        i += bytes ? (size_t)bytes : 1;
    }
    *to = 0;
}

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

// Shortens a name to `size` bytes without splitting a UTF-8 character, which has at most three bytes after its first.
static void cut(char *name, size_t size) {
    size_t end = size;
    while (end && size - end < 3 && continues(name[end]))
        end--;
    // A cut within a character is moved back to its first byte. Four continuation bytes in a row are not UTF-8: there the name
    // is cut as it is.
    name[continues(name[end]) ? size : end] = 0;
}

static bool is_taken(const carom_draft *draft, const carom_draft_group *group) {
    for (int64_t g = 0; g < draft->group_count; g++)
        if (draft->groups[g].hash == group->hash && strcmp(draft->groups[g].name, group->name) == 0)
            return true;
    return false;
}

// Gives a group a unique name: the whole one, or as much of it as fits, with a number if another group already has that name.
static bool name_group(const carom_draft *draft, carom_draft_group *group, const char *whole) {
    enum { TRIES = 4 };
    char ending[24] = "";
    for (int n = 0; n < TRIES; n++) {
        // The ending takes its bytes from the name, which is cut again in each try.
        size_t capacity = sizeof group->name - 1 - strlen(ending), size = strlen(whole);
        memcpy(group->name, whole, size < capacity ? size + 1 : capacity + 1);
        if (size > capacity)
            cut(group->name, capacity);
        strcat(group->name, ending);
        group->hash = carom_hash(CAROM_HASH_START, group->name, strlen(group->name));
        if (!is_taken(draft, group))
            return true;
        // The number of the group is unlikely to be the end of another name; a few tries suffice.
        snprintf(ending, sizeof ending, "~%lld", (long long)draft->group_count + 1 + n);
    }
    return false;
}

// The limit keeps the search for unique names short.
static int add_group(carom_reader *reader, const unsigned char *place, char *whole) {
    carom_draft *draft = &reader->draft;
    if (draft->group_count == CAROM_GROUPS_MAX) {
        carom_scan_fail(&reader->scan, place, "more than %d sets", CAROM_GROUPS_MAX);
        return -1;
    }
    if (!carom_reader_grow(reader, (void **)&draft->groups, draft->group_count, &draft->group_capacity, sizeof *draft->groups))
        return -1;
    carom_draft_group *group = &draft->groups[draft->group_count];
    *group = (carom_draft_group){0};
    if (!name_group(draft, group, whole)) {
        carom_scan_fail(&reader->scan, place,
                        "the name '%.100s' is longer than %d bytes, and its beginning is the name of another set", whole,
                        CAROM_NAME_MAX - 1);
        return -1;
    }
    if (strcmp(group->name, whole) != 0) {
        group->whole = strdup(whole);
        if (!group->whole) {
            carom_scan_no_memory(&reader->scan);
            return -1;
        }
        carom_reader_warn(reader, place, "the name '%.100s' is shortened to '%s': a name has at most %d bytes", whole,
                          group->name, CAROM_NAME_MAX - 1);
    }
    return (int)draft->group_count++;
}

static bool is_called(const carom_draft_group *group, const char *whole) {
    return strcmp(group->whole ? group->whole : group->name, whole) == 0;
}

// Users may give the name in the form of the file or of the mesh.
bool carom_reader_is_group(const carom_reader *reader, int group, const char *name) {
    const carom_draft_group *known = &reader->draft.groups[group];
    return name && *name && (strcmp(known->name, name) == 0 || is_called(known, name));
}

// The slot of a group in the hash table, or the empty one where it belongs; -1 if memory is short. Linear probing.
static int64_t find_slot(carom_draft *draft, const char *whole) {
    if (!draft->slots) {
        draft->slots = carom_allocate(SLOTS, sizeof *draft->slots);
        if (!draft->slots)
            return -1;
        // All bytes 0xff make every slot -1, an empty one.
        memset(draft->slots, 0xff, SLOTS * sizeof *draft->slots);
    }
    int64_t slot = (int64_t)(carom_hash(CAROM_HASH_START, whole, strlen(whole)) % SLOTS);
    while (draft->slots[slot] >= 0 && !is_called(&draft->groups[draft->slots[slot]], whole))
        slot = (slot + 1) % SLOTS;
    return slot;
}

// Most names fit the stack; a long one is cleaned on the heap.
int carom_reader_group(carom_reader *reader, const unsigned char *place, carom_words name) {
    carom_draft *draft = &reader->draft;
    // Each byte becomes two at most (Latin-1), hence twice the size.
    char buffer[2 * CAROM_NAME_MAX], *whole = 2 * name.size < sizeof buffer ? buffer : malloc(2 * name.size + 1);
    int found = -1;
    if (whole)
        clean(whole, name.text, name.size);
    int64_t slot = whole ? find_slot(draft, whole) : -1;
    if (slot < 0)
        carom_scan_no_memory(&reader->scan);
    else if (draft->slots[slot] < 0)
        found = draft->slots[slot] = add_group(reader, place, whole);
    else
        found = draft->slots[slot];
    if (whole != buffer)
        free(whole);
    return found;
}

// Bounds the size of all sets by the size of the file: a small file with sets of many gigabytes is damaged or an attack.
static bool charge_set_memory(carom_reader *reader, int64_t bytes) {
    reader->draft.budget -= bytes;
    if (reader->draft.budget < 0)
        return carom_scan_fail(&reader->scan, NULL, "the sets hold far more than a file of this size can name");
    return true;
}

// Adds `count` items to a group; items that continue the last run extend it. Files list the cells of a group mostly in a row,
// so that a few runs describe it, and a group of a million consecutive cells is a single entry.
static bool add_run(carom_reader *reader, carom_draft_run run) {
    carom_draft *draft = &reader->draft;
    carom_draft_run *last = draft->run_count ? &draft->runs[draft->run_count - 1] : NULL;
    if (last && last->group == run.group && last->content == run.content && last->type == run.type &&
        last->begin + (int64_t)last->count == run.begin) {
        last->count += run.count;
        return true;
    }
    if (!charge_set_memory(reader, sizeof run) ||
        !carom_reader_grow(reader, (void **)&draft->runs, draft->run_count, &draft->run_capacity, sizeof run))
        return false;
    draft->runs[draft->run_count++] = run;
    return true;
}

bool carom_reader_group_cells(carom_reader *reader, int group, carom_draft_type type, int64_t begin, int64_t count) {
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_CELLS, type, (int)begin, (int)count});
}

bool carom_reader_group_nodes(carom_reader *reader, int group, const int *nodes, int64_t count) {
    carom_draft *draft = &reader->draft;
    if (count == 0)
        return true;
    if (!charge_set_memory(reader, count * (int64_t)sizeof *nodes))
        return false;
    if (draft->set_node_count + count > INT_MAX)
        return carom_scan_fail(&reader->scan, NULL, "the sets hold more than %d nodes", INT_MAX);
    int64_t begin = draft->set_node_count;
    // Asking for the last index of the new nodes allocates all of them at once.
    if (!carom_reader_grow(reader, (void **)&draft->set_nodes, begin + count - 1, &draft->set_node_capacity, sizeof *nodes))
        return false;
    memcpy(draft->set_nodes + begin, nodes, (size_t)count * sizeof *nodes);
    draft->set_node_count += count;
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_NODES, CAROM_CELL_POINT, (int)begin, (int)count});
}

bool carom_reader_group_face(carom_reader *reader, int group, const int nodes[4]) {
    carom_draft *draft = &reader->draft;
    if (!charge_set_memory(reader, sizeof *draft->faces) ||
        !carom_reader_grow(reader, (void **)&draft->faces, draft->face_count, &draft->face_capacity, sizeof *draft->faces))
        return false;
    memcpy(draft->faces[draft->face_count], nodes, sizeof *draft->faces);
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_FACES, CAROM_CELL_POINT, (int)draft->face_count++, 1});
}

// A node that is a corner of one cell and a middle node of another counts as a corner when the mesh is finished.
bool carom_reader_extra_node(carom_reader *reader, int node) {
    carom_draft *draft = &reader->draft;
    // Nodes may have been added since the last mark.
    if (node >= draft->extra_count) {
        // Marks exist for all nodes so far; later ones are zero when the array grows.
        unsigned char *moved = realloc(draft->extra, (size_t)draft->node_count);
        if (!moved)
            return carom_scan_no_memory(&reader->scan);
        memset(moved + draft->extra_count, 0, (size_t)(draft->node_count - draft->extra_count));
        draft->extra = moved;
        draft->extra_count = draft->node_count;
    }
    draft->extra[node] = 1;
    return true;
}

bool carom_reader_refuse(carom_reader *reader, const char *format, ...) {
    carom_scan *scan = &reader->scan;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    scan->status = carom_fail(scan->error, CAROM_BAD_INPUT, "%s: %s", scan->name, message);
    return false;
}

// Only text files have line numbers.
void carom_reader_warn(carom_reader *reader, const unsigned char *place, const char *format, ...) {
    if (!reader->def->warn)
        return;
    carom_scan *scan = &reader->scan;
    carom_error message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.message, sizeof message.message, format, arguments);
    va_end(arguments);
    carom_error whole;
    if (scan->binary)
        carom_fail(&whole, CAROM_OK, "%s: %s", scan->name, message.message);
    else
        carom_fail(&whole, CAROM_OK, "%s:%lld: %s", scan->name, (long long)carom_scan_line(scan, place ? place : scan->at),
                   message.message);
    reader->def->warn(reader->def->context, whole.message);
}
