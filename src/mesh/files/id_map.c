// SPDX-License-Identifier: MIT
// Finds the index of a node or cell by its number (id) in a file. Ids that lie close together are mapped by a table, others by
// binary search.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/draft.h"

enum {
    SPREAD = 4,   // a table has at most so many entries for each id,
    SPARE = 1024, // plus so many; for a wider range of ids a sorted list takes less memory
};

typedef struct entry {
    int64_t id;
    int index;
} entry;

static int compare(const void *a_, const void *b_) {
    const entry *a = a_, *b = b_;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    // Equal ids in the order of the file, so that the second one is the repetition.
    return a->index < b->index ? -1 : a->index > b->index;
}

// Dense ids, as nearly all programs write them, take one memory access each.
static bool fill_table(carom_id_map *map, const int64_t *ids, int64_t *twice) {
    int64_t places = map->high - map->low + 1;
    map->table = carom_allocate(places, sizeof *map->table);
    if (!map->table)
        return false;
    for (int64_t i = 0; i < places; i++)
        map->table[i] = -1;
    for (int64_t i = 0; i < map->count; i++) {
        // Within the table, since low <= id <= high.
        int *place = &map->table[ids[i] - map->low];
        if (*place >= 0 && *twice < 0)
            *twice = i;
        *place = (int)i;
    }
    return true;
}

// Sparse ids: sorted pairs, with the first repetition in the order of the file.
static bool sort_ids(carom_id_map *map, const int64_t *ids, int64_t *twice) {
    entry *entries = carom_allocate(map->count, sizeof *entries);
    map->sorted = carom_allocate(map->count, sizeof *map->sorted);
    map->index = carom_allocate(map->count, sizeof *map->index);
    if (entries && map->sorted && map->index) {
        for (int64_t i = 0; i < map->count; i++)
            entries[i] = (entry){ids[i], (int)i};
        qsort(entries, (size_t)map->count, sizeof *entries, compare);
        for (int64_t i = 0; i < map->count; i++) {
            map->sorted[i] = entries[i].id;
            map->index[i] = entries[i].index;
            if (i > 0 && entries[i].id == entries[i - 1].id && (*twice < 0 || entries[i].index < *twice))
                *twice = entries[i].index;
        }
    }
    bool good = entries && map->sorted && map->index;
    free(entries);
    return good;
}

// Finds an id that occurs twice before any table is made, by a bit for each id in a window above the lowest one. So repeated
// ids are found with little memory, and a file with different ids is long enough to justify a table.
static bool find_twice(const carom_id_map *map, const int64_t *ids, int64_t *twice) {
    enum { BITS = 8 };
    unsigned char *seen = carom_allocate(map->count, BITS / 8);
    for (int64_t i = 0; seen && i < map->count && *twice < 0; i++) {
        uint64_t place = (uint64_t)ids[i] - (uint64_t)map->low;
        // ids beyond the window are checked by the table or list that is made afterwards
        if (place >= BITS * (uint64_t)map->count)
            continue;
        unsigned bit = 1u << place % 8;
        if (seen[place / 8] & bit)
            *twice = i;
        seen[place / 8] = (unsigned char)(seen[place / 8] | bit);
    }
    bool good = seen;
    free(seen);
    return good;
}

// One pass finds the range, which decides between table and list.
bool carom_id_map_create(carom_id_map *map, const int64_t *ids, int64_t count, int64_t *twice) {
    *map = (carom_id_map){.low = 0, .high = -1, .count = count};
    *twice = -1;
    if (count == 0)
        return true;
    map->low = map->high = ids[0];
    for (int64_t i = 1; i < count; i++) {
        if (ids[i] < map->low)
            map->low = ids[i];
        if (ids[i] > map->high)
            map->high = ids[i];
    }
    if (!find_twice(map, ids, twice))
        return false;
    if (*twice >= 0)
        return true;
    // The difference of two int64_t may overflow; that of their unsigned values does not.
    uint64_t span = (uint64_t)map->high - (uint64_t)map->low;
    bool good = span < (uint64_t)(SPREAD * count + SPARE) ? fill_table(map, ids, twice) : sort_ids(map, ids, twice);
    if (!good)
        carom_id_map_release(map);
    return good;
}

void carom_id_map_release(carom_id_map *map) {
    free(map->table);
    free(map->sorted);
    free(map->index);
    *map = (carom_id_map){.high = -1};
}

// -1 for an id that the file does not define.
int carom_id_map_find(const carom_id_map *map, int64_t id) {
    if (id < map->low || id > map->high)
        return -1;
    if (map->table)
        // The difference is small here: a table exists only if the span is.
        return map->table[id - map->low];
    int64_t low = 0, high = map->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (map->sorted[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->count && map->sorted[low] == id ? map->index[low] : -1;
}

carom_draft_type carom_draft_type_at(const int64_t first[CAROM_DRAFT_TYPE_COUNT], int64_t cell, int64_t *index) {
    // From the last type down: the first one that begins at or before the cell.
    int t = CAROM_DRAFT_TYPE_COUNT - 1;
    while (t > 0 && first[t] > cell)
        t--;
    *index = cell - first[t];
    return (carom_draft_type)t;
}

bool carom_reader_map_cells(carom_reader *reader, carom_id_map *map, int64_t first[CAROM_DRAFT_TYPE_COUNT], int64_t *twice) {
    const carom_draft_block *blocks = reader->draft.blocks;
    int64_t count = 0;
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++) {
        first[t] = count;
        count += blocks[t].count;
    }
    int64_t *ids = carom_allocate(count, sizeof *ids);
    for (int t = 0; ids && t < CAROM_DRAFT_TYPE_COUNT; t++)
        if (blocks[t].count)
            memcpy(ids + first[t], blocks[t].ids, (size_t)blocks[t].count * sizeof *ids);
    bool good = ids && carom_id_map_create(map, ids, count, twice);
    free(ids);
    return good || carom_scan_no_memory(&reader->scan);
}
