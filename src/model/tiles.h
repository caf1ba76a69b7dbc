// SPDX-License-Identifier: MIT
// Tiles: runs of chunks (ranges of elements of one block) whose element forces fit into the cache of a core. The forces of a
// tile are gathered at once at the nodes that no other tile has; those on shared nodes are copied to a buffer and gathered when
// all tiles are done. Meshes are numbered along a space-filling curve, so most nodes belong to one tile, and most element
// forces never leave the cache.
#ifndef CAROM_MODEL_TILES_H
#define CAROM_MODEL_TILES_H

#include "carom/model.h"

typedef struct carom_tile {
    int chunk_begin, chunk_end;
    int64_t slot;           // offset of its element forces in the buffer of the whole model
    int own_begin, own_end; // its nodes in `own`
    int put_begin, put_end; // its forces on shared nodes in `put`
} carom_tile;

typedef struct carom_tiles {
    int count; // 0: the model is small, or tiles would share most of their nodes
    carom_tile *items;
    int *own; // nodes of one tile only, ascending in each tile
    int *put; // slots of forces on shared nodes, tile by tile

    // Nodes of several tiles, and those without elements. Their forces are numbered as in `put`, in the order of the elements.
    int shared_count;
    int *shared;
    int *at_begin;
    int *at;
} carom_tiles;

// Divides the model into tiles of at most `most` numbers, or of one chunk each. Gather lists and chunks must exist.
carom_status carom_model_build_tiles(carom_model *model, int64_t most, carom_error *error);

// Builder: divides the model into tiles if that is faster.
carom_status carom_model_find_tiles(carom_model *model, const carom_model_def *def, carom_error *error);

// Number of force components that are copied to the buffer.
int64_t carom_tiles_buffer(const carom_tiles *tiles);

#endif
