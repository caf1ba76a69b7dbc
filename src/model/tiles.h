// SPDX-License-Identifier: MIT
// Tiles: runs of chunks whose element forces fit into the cache of a core. The forces of a tile are gathered at once at the
// nodes that no other tile has; those on other nodes are put aside and gathered when all tiles are done. Meshes are numbered
// along a space-filling curve, so most nodes belong to one tile, and most element forces never leave the cache.
#ifndef CAROM_MODEL_TILES_H
#define CAROM_MODEL_TILES_H

#include "carom/model.h"

typedef struct carom_tile {
    int chunk_begin, chunk_end;
    int64_t slot;           // where its element forces begin in the buffer of the whole model
    int own_begin, own_end; // its own nodes
    int put_begin, put_end; // its forces on other nodes
} carom_tile;

typedef struct carom_tiles {
    int count; // 0: the model is small, or tiles would share most of their nodes
    carom_tile *items;
    int *own; // nodes, ascending in each tile
    int *put; // slots of forces on shared nodes, tile by tile

    // Nodes of several tiles, and those without elements. Their forces have the numbers of `put`, in the order of the elements.
    int shared_count;
    int *shared;
    int *at_begin;
    int *at;
} carom_tiles;

// Divides the model into tiles of at most `most` numbers, or of one chunk each. Gather lists and chunks are in place.
carom_status carom_model_build_tiles(carom_model *model, int64_t most, carom_error *error);

// The builder of models: tiles where they pay.
carom_status carom_model_find_tiles(carom_model *model, const carom_model_def *def, carom_error *error);

// Numbers that are put aside.
int64_t carom_tiles_buffer(const carom_tiles *tiles);

#endif
