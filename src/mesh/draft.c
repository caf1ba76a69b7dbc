// SPDX-License-Identifier: MIT
#include "mesh/draft.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

enum { NODES_MAX = INT_MAX - 1 };

void carom_draft_release(carom_draft *draft) {
    free(draft->nodes);
    free(draft->node_ids);
    free(draft->extra);
    for (int t = 0; t < CAROM_CELL_TYPE_COUNT; t++) {
        free(draft->blocks[t].nodes);
        free(draft->blocks[t].ids);
    }
    free(draft->groups);
    free(draft->runs);
    free(draft->set_nodes);
    free(draft->faces);
    *draft = (carom_draft){0};
}

// Exactly `needed` items of room; false leaves the array as it was.
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

// Room for one more, by half as much again: what is wasted stays small against the file.
static bool grow(void **array, int64_t count, int64_t *capacity, size_t size) {
    return count < *capacity || reserve(array, count + count / 2 + 16, capacity, size);
}

bool carom_reader_reserve_nodes(carom_reader *reader, int64_t more, bool ids) {
    carom_draft *draft = &reader->draft;
    int64_t count = draft->node_count + more;
    if (!reserve((void **)&draft->nodes, count, &draft->node_capacity, sizeof *draft->nodes) ||
        (ids && !reserve((void **)&draft->node_ids, count, &draft->id_capacity, sizeof *draft->node_ids)))
        return carom_scan_no_memory(&reader->scan);
    return true;
}

bool carom_reader_reserve_cells(carom_reader *reader, carom_cell_type type, int64_t more, bool ids) {
    carom_draft_block *block = &reader->draft.blocks[type];
    int64_t count = block->count + more;
    if (!reserve((void **)&block->nodes, count, &block->capacity, sizeof *block->nodes * (size_t)carom_cell_size(type)) ||
        (ids && !reserve((void **)&block->ids, count, &block->id_capacity, sizeof *block->ids)))
        return carom_scan_no_memory(&reader->scan);
    return true;
}

bool carom_reader_node(carom_reader *reader, const unsigned char *place, const double x[3]) {
    carom_draft *draft = &reader->draft;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return carom_scan_fail(&reader->scan, place, "expected finite coordinates, found (%g, %g, %g)", x[0], x[1], x[2]);
    if (draft->node_count >= NODES_MAX)
        return carom_scan_fail(&reader->scan, place, "more than %d nodes", NODES_MAX);
    if (!grow((void **)&draft->nodes, draft->node_count, &draft->node_capacity, sizeof *draft->nodes))
        return carom_scan_no_memory(&reader->scan);
    // one zero only, so that equal places have equal bits
    for (int i = 0; i < 3; i++)
        draft->nodes[draft->node_count][i] = x[i] + 0.0;
    draft->node_count++;
    return true;
}

bool carom_reader_node_id(carom_reader *reader, int64_t id) {
    carom_draft *draft = &reader->draft;
    if (!grow((void **)&draft->node_ids, draft->node_count, &draft->id_capacity, sizeof *draft->node_ids))
        return carom_scan_no_memory(&reader->scan);
    draft->node_ids[draft->node_count] = id;
    return true;
}

int *carom_reader_cell(carom_reader *reader, carom_cell_type type) {
    carom_draft_block *block = &reader->draft.blocks[type];
    int size = carom_cell_size(type);
    if (block->count >= NODES_MAX) {
        carom_scan_fail(&reader->scan, NULL, "more than %d cells", NODES_MAX);
        return NULL;
    }
    if (!grow((void **)&block->nodes, block->count, &block->capacity, sizeof *block->nodes * (size_t)size)) {
        carom_scan_no_memory(&reader->scan);
        return NULL;
    }
    return block->nodes + block->count++ * size;
}

bool carom_reader_cell_id(carom_reader *reader, carom_cell_type type, int64_t id) {
    carom_draft_block *block = &reader->draft.blocks[type];
    if (!grow((void **)&block->ids, block->count - 1, &block->id_capacity, sizeof *block->ids))
        return carom_scan_no_memory(&reader->scan);
    block->ids[block->count - 1] = id;
    return true;
}

int carom_reader_group(carom_reader *reader, const char *name, size_t size) {
    carom_draft *draft = &reader->draft;
    char cut[CAROM_NAME_MAX] = {0};
    for (size_t i = 0; i < size && i < sizeof cut - 1; i++)
        cut[i] = (unsigned char)name[i] < 0x20 ? '?' : name[i] == '"' ? '_' : name[i];
    // a file names the same group many times in a row
    if (draft->group_last < draft->group_count && strcmp(draft->groups[draft->group_last].name, cut) == 0)
        return draft->group_last;
    for (int g = 0; g < draft->group_count; g++)
        if (strcmp(draft->groups[g].name, cut) == 0)
            return draft->group_last = g;

    if (size >= sizeof cut)
        carom_reader_warn(reader, NULL, "the name '%s...' is cut after %d bytes", cut, CAROM_NAME_MAX - 1);
    if (draft->group_count == CAROM_GROUPS_MAX) {
        carom_scan_fail(&reader->scan, NULL, "more than %d sets", CAROM_GROUPS_MAX);
        return -1;
    }
    if (!grow((void **)&draft->groups, draft->group_count, &draft->group_capacity, sizeof *draft->groups)) {
        carom_scan_no_memory(&reader->scan);
        return -1;
    }
    carom_draft_group *group = &draft->groups[draft->group_count];
    memcpy(group->name, cut, sizeof cut);
    draft->group_last = (int)draft->group_count;
    return (int)draft->group_count++;
}

// Sets may hold what a file of this size can name, and no more.
static bool spend(carom_reader *reader, int64_t bytes) {
    reader->draft.budget -= bytes;
    if (reader->draft.budget < 0)
        return carom_scan_fail(&reader->scan, NULL, "the sets hold far more than a file of this size should");
    return true;
}

static bool add_run(carom_reader *reader, carom_draft_run run) {
    carom_draft *draft = &reader->draft;
    if (!spend(reader, sizeof run))
        return false;
    if (!grow((void **)&draft->runs, draft->run_count, &draft->run_capacity, sizeof run))
        return carom_scan_no_memory(&reader->scan);
    draft->runs[draft->run_count++] = run;
    return true;
}

bool carom_reader_group_cells(carom_reader *reader, int group, carom_cell_type type, int64_t begin, int64_t count) {
    carom_draft *draft = &reader->draft;
    carom_draft_run *last = draft->run_count ? &draft->runs[draft->run_count - 1] : NULL;
    if (last && last->group == group && last->content == CAROM_DRAFT_CELLS && last->type == type &&
        last->begin + (int64_t)last->count == begin) {
        last->count += (int)count;
        return true;
    }
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_CELLS, type, (int)begin, (int)count});
}

bool carom_reader_group_nodes(carom_reader *reader, int group, const int *nodes, int64_t count) {
    carom_draft *draft = &reader->draft;
    if (count == 0)
        return true;
    if (!spend(reader, count * (int64_t)sizeof *nodes))
        return false;
    if (draft->set_node_count + count > INT_MAX)
        return carom_scan_fail(&reader->scan, NULL, "the sets hold more than %d nodes", INT_MAX);
    if (!reserve((void **)&draft->set_nodes, draft->set_node_count + count, &draft->set_node_capacity, sizeof *nodes))
        return carom_scan_no_memory(&reader->scan);
    memcpy(draft->set_nodes + draft->set_node_count, nodes, (size_t)count * sizeof *nodes);
    draft->set_node_count += count;
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_NODES, CAROM_CELL_POINT, (int)(draft->set_node_count - count),
                                             (int)count});
}

bool carom_reader_group_face(carom_reader *reader, int group, const int nodes[4]) {
    carom_draft *draft = &reader->draft;
    if (!spend(reader, sizeof *draft->faces))
        return false;
    if (!grow((void **)&draft->faces, draft->face_count, &draft->face_capacity, sizeof *draft->faces))
        return carom_scan_no_memory(&reader->scan);
    memcpy(draft->faces[draft->face_count], nodes, sizeof *draft->faces);
    int begin = (int)draft->face_count++;
    carom_draft_run *last = draft->run_count ? &draft->runs[draft->run_count - 1] : NULL;
    if (last && last->group == group && last->content == CAROM_DRAFT_FACES && last->begin + last->count == begin) {
        last->count++;
        return true;
    }
    return add_run(reader, (carom_draft_run){group, CAROM_DRAFT_FACES, CAROM_CELL_POINT, begin, 1});
}

bool carom_reader_extra_node(carom_reader *reader, int node) {
    carom_draft *draft = &reader->draft;
    // nodes may have been added since
    if (node >= draft->extra_count) {
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
