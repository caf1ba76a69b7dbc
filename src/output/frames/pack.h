// SPDX-License-Identifier: MIT
// Arrays as VTK's vtkZLibDataCompressor packs them: cut into blocks of equal size, each a zlib stream of its own, behind a head
// of 64-bit integers: number of blocks, bytes of a block, bytes of the last one if it is shorter (else 0), packed bytes of
// each.
#ifndef CAROM_OUTPUT_FRAMES_PACK_H
#define CAROM_OUTPUT_FRAMES_PACK_H

#include "output/frames/arrays.h"

// Bytes of a block before packing. The packed bytes do not depend on the number of threads.
enum { CAROM_PACK_BLOCK = 1 << 16 };

// A packed array: its head, and one stretch of `bytes` for each block. Start from {0}; it may be used again for other arrays.
typedef struct carom_pack {
    int64_t block_count;
    uint64_t *head;       // 3 + block_count numbers
    unsigned char *bytes; // block b begins at b * carom_pack_stride()
    int64_t capacity;     // number of blocks for which memory is allocated
} carom_pack;

// Bytes that are reserved for a packed block.
size_t carom_pack_stride(void);

// Packs an array, by that many threads in addition to the calling one; if they cannot be started, by fewer.
carom_status carom_pack_array(carom_pack *pack, const carom_array *array, int helpers, carom_error *error);
void carom_pack_release(carom_pack *pack);

// Bytes of head and blocks together, as they stand in a file.
uint64_t carom_pack_size(const carom_pack *pack);

// Packs `size` bytes as one zlib stream, in search of repetitions: for pictures, not for reals. Returns its size, with
// `*packed` to be freed; 0 if memory is short.
size_t carom_pack_bytes(const unsigned char *bytes, size_t size, unsigned char **packed);

#endif
