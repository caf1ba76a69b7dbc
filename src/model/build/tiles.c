// SPDX-License-Identifier: MIT
// Divides large models into tiles (groups of elements whose forces fit into the cache of a core, tiles.h), and lists the nodes
// and forces of each tile.
#include "model/tiles.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/model.h"
#include "model/motion/damping.h"

enum {
    // Maximum number of doubles of a tile: 768 KB, for second-level caches of 1 MB and more. Smaller tiles share more nodes:
    // 10^6 tetrahedra take 7 to 12 % longer with half of it.
    MAX_TILE_DOUBLES = 96 * 1024,
    // Minimum number of tiles: 16 threads need them to share a model evenly.
    MIN_TILES = 128,
    // A model with fewer numbers stays in the caches: with 2 MB (10^4 bricks) tiles gain nothing.
    MIN_MODEL_DOUBLES = 1 << 19
};

int64_t carom_tiles_buffer(const carom_tiles *tiles) {
    return tiles->count ? 3 * (int64_t)tiles->items[tiles->count - 1].put_end : 0;
}

static int64_t slot_of_chunk(const carom_model *model, int c) {
    const carom_chunk *chunk = &model->chunks[c];
    return model->block_slot[chunk->block] + carom_lane(chunk->begin, 0, 3 * model->blocks[chunk->block].node_count);
}

// Combines consecutive chunks as long as they fit. Returns the number of tiles; `items` may be NULL.
static int divide(const carom_model *model, int64_t most, carom_tile *items) {
    int count = 0;
    for (int c = 0; c < model->chunk_count; count++) {
        int begin = c++;
        int64_t slot = slot_of_chunk(model, begin), end = model->block_slot[model->block_count];
        while (c < model->chunk_count && (c + 1 < model->chunk_count ? slot_of_chunk(model, c + 1) : end) - slot <= most)
            c++;
        if (items)
            items[count] = (carom_tile){.chunk_begin = begin, .chunk_end = c, .slot = slot};
    }
    return count;
}

// The tile of a slot. The search begins at `last`, the tile of a nearby slot: nodes and elements have the same order.
static int tile_of(const carom_tiles *tiles, int64_t slot, int last) {
    while (last > 0 && tiles->items[last].slot > slot)
        last--;
    while (last + 1 < tiles->count && tiles->items[last + 1].slot <= slot)
        last++;
    return last;
}

// The only tile of each node; -1: it has several or none. Slots ascend in a list: if both ends are in one tile, all of it is.
static void find_owners(const carom_model *model, int *owner) {
    const carom_tiles *tiles = &model->tiles;
    int tile = 0;
    for (int k = 0; k < model->part.owned_count; k++) {
        int begin = model->gather_begin[k], end = model->gather_begin[k + 1];
        owner[k] = -1;
        if (begin == end)
            continue;
        tile = tile_of(tiles, model->gather[begin], tile);
        if (tile_of(tiles, model->gather[end - 1], tile) == tile)
            owner[k] = tile;
    }
}

// Counts nodes and forces of each tile, and converts the counts to offsets of its lists.
static void count_lists(carom_model *model, const int *owner) {
    carom_tiles *tiles = &model->tiles;
    int tile = 0;
    for (int k = 0; k < model->part.owned_count; k++) {
        if (owner[k] >= 0) {
            tiles->items[owner[k]].own_end++;
            continue;
        }
        tiles->shared_count++;
        for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++) {
            tile = tile_of(tiles, model->gather[i], tile);
            tiles->items[tile].put_end++;
        }
    }
    int own = 0, put = 0;
    for (int t = 0; t < tiles->count; t++) {
        carom_tile *item = &tiles->items[t];
        int own_count = item->own_end, put_count = item->put_end;
        item->own_begin = item->own_end = own;
        item->put_begin = item->put_end = put;
        own += own_count;
        put += put_count;
    }
}

// Fills the lists; the end of each is used as a cursor.
static void fill_lists(carom_model *model, const int *owner) {
    carom_tiles *tiles = &model->tiles;
    int tile = 0, shared = 0, at = 0;
    for (int k = 0; k < model->part.owned_count; k++) {
        if (owner[k] >= 0) {
            tiles->own[tiles->items[owner[k]].own_end++] = k;
            continue;
        }
        tiles->shared[shared] = k;
        tiles->at_begin[shared++] = at;
        for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++) {
            tile = tile_of(tiles, model->gather[i], tile);
            int number = tiles->items[tile].put_end++;
            tiles->put[number] = model->gather[i];
            tiles->at[at++] = number;
        }
    }
    tiles->at_begin[shared] = at;
}

carom_status carom_model_build_tiles(carom_model *model, int64_t most, carom_error *error) {
    carom_tiles *tiles = &model->tiles;
    bool enough = true;
    *tiles = (carom_tiles){.count = divide(model, most, NULL)};
    tiles->items = carom_arena_reserve(model->arena, tiles->count, sizeof *tiles->items, &enough);
    int *owner = carom_allocate(model->part.owned_count, sizeof *owner);
    if (enough && owner) {
        divide(model, most, tiles->items);
        find_owners(model, owner);
        count_lists(model, owner);
        int put = 0;
        for (int k = 0; k < model->part.owned_count; k++)
            put += owner[k] < 0 ? model->gather_begin[k + 1] - model->gather_begin[k] : 0;
        tiles->own =
            carom_arena_reserve(model->arena, model->part.owned_count - tiles->shared_count, sizeof *tiles->own, &enough);
        tiles->put = carom_arena_reserve(model->arena, put, sizeof *tiles->put, &enough);
        tiles->shared = carom_arena_reserve(model->arena, tiles->shared_count, sizeof *tiles->shared, &enough);
        tiles->at_begin = carom_arena_reserve(model->arena, tiles->shared_count + 1, sizeof *tiles->at_begin, &enough);
        tiles->at = carom_arena_reserve(model->arena, put, sizeof *tiles->at, &enough);
    }
    if (enough && owner)
        fill_lists(model, owner);
    enough = enough && owner;
    free(owner);
    return enough ? CAROM_OK : carom_no_memory(error, "the model");
}

carom_status carom_model_find_tiles(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    int64_t size = model->block_slot[model->block_count];
    // Nodes with frames need wrenches, and stiffness damping needs all element forces at once.
    if (size < MIN_MODEL_DOUBLES || model->R || carom_model_is_viscous(model))
        return CAROM_OK;
    carom_status status =
        carom_model_build_tiles(model, size / MIN_TILES < MAX_TILE_DOUBLES ? size / MIN_TILES : MAX_TILE_DOUBLES, error);
    // Forces on shared nodes are copied twice: where most are, as in blocks of patches of mixed sizes, tiles cost more.
    if (!status && 2 * carom_tiles_buffer(&model->tiles) > 3 * (int64_t)model->element_node_count)
        model->tiles = (carom_tiles){0};
    return status;
}
