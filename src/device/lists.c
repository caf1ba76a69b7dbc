// SPDX-License-Identifier: MIT
// Assigns the slots of a device, the places in its memory to which elements write their forces and from which nodes read them
// (those of a node are consecutive), and lists for each group of elements the slots that it writes (docs/theory/device.md).
// The lists of nodes of the model are traversed twice, by node and slot: to count, then to fill. So slots ascend in the list
// of every group without being sorted.
#include <stdlib.h>

#include "base/allocate.h"
#include "device/inside.h"
#include "model/model.h"

// The number of entries that have been counted or filled in the lists of a group.
typedef struct cursor {
    int runs;            // number of runs, including the present one
    int joined, singles; // forces in runs, and others
} cursor;

// One entry of a list of the model: node `a` of an element.
typedef struct entry {
    int block, element, a;
    int node;                  // of the model
    int slot;                  // of the device
    carom_thread_group *group; // NULL: the element writes directly to its slots
    bool joins;                // the group adds it to the sum that it begins
    bool first;                // of its node
} entry;

typedef struct walk {
    const carom_model *model;
    carom_device_lists *lists;
    cursor **cursors; // per block, of its groups
    bool begins;
    int *gather_begin;
} walk;

#define SORTS(NAME, name, nodes, ...) || (kind == CAROM_THREAD_##NAME && nodes)
// True for kinds with a constant number of nodes, whose groups sort their forces.
static bool sorts(int kind) {
    return false CAROM_THREAD_NAMED(SORTS, ) CAROM_THREAD_FULL_SOLIDS(CAROM_THREAD_IS_POINTS, );
}

static int group_count(int elements) {
    return (elements + CAROM_GROUP - 1) / CAROM_GROUP;
}

// Finds the element and the node of a slot of the model; the search starts at the last block.
static void locate(const carom_model *model, int64_t slot, entry *at) {
    while (slot < model->block_slot[at->block])
        at->block--;
    while (slot >= model->block_slot[at->block + 1])
        at->block++;
    int64_t own = slot - model->block_slot[at->block];
    int n = model->blocks[at->block].node_count;
    at->a = (int)(own / CAROM_LANES % (3 * n)) / 3;
    at->element = (int)(own / (CAROM_LANES * 3 * n)) * CAROM_LANES + (int)(own % CAROM_LANES);
}

static void count(const walk *w, const entry *at) {
    (void)w;
    if (!at->joins)
        return;
    at->group->run_count += at->first;
    at->group->joined++;
}

static void fill(const walk *w, const entry *at) {
    carom_device_lists *lists = &w->lists[at->block];
    int n = w->model->blocks[at->block].node_count, g = at->element / CAROM_GROUP;
    int64_t first = (int64_t)g * CAROM_GROUP * n;
    const carom_thread_group *group = at->group;
    if (!group) {
        if (lists->slots)
            lists->slots[(int64_t)at->element * n + at->a] = at->slot;
        return;
    }
    cursor *c = &w->cursors[at->block][g];
    unsigned short source = (unsigned short)(at->a * CAROM_GROUP + at->element % CAROM_GROUP);
    if (at->joins) {
        int run = group->run + (c->runs += at->first) - 1;
        lists->slots[group->output + c->runs - 1] = at->slot;
        lists->sources[first + c->joined++] = source;
        lists->run_ends[run] = (unsigned short)c->joined;
        lists->run_nodes[run] = at->node;
    } else {
        lists->slots[group->output + group->run_count + c->singles] = at->slot;
        lists->sources[first + group->joined + c->singles++] = source;
    }
}

// Visits all entries of the lists of the nodes and assigns their slots. A group adds only the first forces in the list of a
// node, as long as consecutive ones belong to it, so that the order of the sum does not change.
static void walk_lists(const walk *w, void visit(const walk *w, const entry *at)) {
    const carom_model *model = w->model;
    entry at = {0};
    w->gather_begin[0] = 0;
    for (int k = 0; k < model->node_count; k++) {
        const carom_thread_group *lead = NULL;
        at.node = k;
        at.slot = w->gather_begin[k] - 1;
        at.joins = w->begins;
        for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++) {
            locate(model, model->gather[i], &at);
            carom_thread_group *groups = w->lists[at.block].groups;
            at.group = groups ? &groups[at.element / CAROM_GROUP] : NULL;
            at.first = i == model->gather_begin[k];
            if (at.first)
                lead = at.group;
            at.joins = at.joins && lead && at.group == lead;
            at.slot += !at.joins || at.first;
            visit(w, &at);
        }
        w->gather_begin[k + 1] = at.slot + 1;
    }
}

void carom_device_find_places(const carom_model *model, const int64_t *first, int *place) {
    entry at = {0};
    for (int i = 0; i < model->gather_begin[model->node_count]; i++) {
        locate(model, model->gather[i], &at);
        place[first[at.block] + (int64_t)at.element * model->blocks[at.block].node_count + at.a] = i;
    }
}

// Sets the first entries of the groups after counting, and reserves memory for the lists.
static bool reserve_filled(const carom_block *block, carom_device_lists *lists) {
    int entries = block->count * block->node_count;
    for (int g = 0; g < group_count(block->count); g++) {
        carom_thread_group *group = &lists->groups[g];
        int elements = block->count - g * CAROM_GROUP < CAROM_GROUP ? block->count - g * CAROM_GROUP : CAROM_GROUP;
        group->output = lists->output_count;
        group->run = lists->run_count;
        lists->output_count += group->run_count + elements * block->node_count - group->joined;
        lists->run_count += group->run_count;
    }
    lists->slots = carom_allocate(lists->output_count, sizeof *lists->slots);
    lists->sources = carom_allocate(entries, sizeof *lists->sources);
    lists->run_ends = carom_allocate(lists->run_count, sizeof *lists->run_ends);
    lists->run_nodes = carom_allocate(lists->run_count, sizeof *lists->run_nodes);
    return lists->slots && lists->sources && lists->run_ends && lists->run_nodes;
}

carom_device_lists *carom_device_make_lists(const carom_device *device, bool begins, int *gather_begin) {
    const carom_model *model = device->model;
    carom_device_lists *lists = carom_allocate(model->block_count, sizeof *lists);
    cursor **cursors = carom_allocate(model->block_count, sizeof *cursors);
    walk w = {model, lists, cursors, begins, gather_begin};
    bool enough = lists && cursors;
    for (int b = 0; enough && b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (device->blocks[b].kind == CAROM_THREAD_NOTHING)
            continue;
        if (sorts(device->blocks[b].kind)) {
            lists[b].groups = carom_allocate(group_count(block->count), sizeof *lists[b].groups);
            cursors[b] = carom_allocate(group_count(block->count), sizeof *cursors[b]);
            enough = lists[b].groups && cursors[b];
        } else {
            lists[b].output_count = block->count * block->node_count;
            lists[b].slots = carom_allocate(lists[b].output_count, sizeof *lists[b].slots);
            enough = lists[b].slots;
        }
    }
    if (enough)
        walk_lists(&w, count);
    for (int b = 0; enough && b < model->block_count; b++)
        if (lists[b].groups)
            enough = reserve_filled(&model->blocks[b], &lists[b]);
    if (enough)
        walk_lists(&w, fill);
    for (int b = 0; cursors && b < model->block_count; b++)
        free(cursors[b]);
    free(cursors);
    if (enough)
        return lists;
    carom_device_free_lists(device, lists);
    return NULL;
}

void carom_device_free_lists(const carom_device *device, carom_device_lists *lists) {
    for (int b = 0; lists && b < device->model->block_count; b++) {
        free(lists[b].slots);
        free(lists[b].sources);
        free(lists[b].groups);
        free(lists[b].run_ends);
        free(lists[b].run_nodes);
    }
    free(lists);
}
