// SPDX-License-Identifier: MIT
// Compresses the arrays of a frame by zlib, block by block. Blocks are independent: threads take the next one from a common
// counter, and each has its own place, so the result does not depend on the distribution to threads.
//
// Reals are packed by run lengths and Huffman codes (Z_RLE): their lower bytes are noise, in which a search for repetitions
// finds little and takes most of the time. Zeros, of nodes without contact, still vanish. Integers are packed with the default
// strategy at the lowest level.
#include "output/frames/pack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/allocate.h"

// Largest number of additional threads; a frame is seldom large enough for more.
enum { HELPERS_MAX = 8, LEVEL = 1 };

// Levels of memory and window that zlib uses by default.
enum { WINDOW_BITS = 15, MEMORY_LEVEL = 8 };

// An array that is being packed, by several threads.
typedef struct job {
    const carom_array *array;
    carom_pack *pack;
    int64_t numbers, per_block; // in all, and in a block
    atomic_llong next;          // next block to pack
    atomic_bool failed;         // memory was short
} job;

size_t carom_pack_stride(void) {
    return compressBound(CAROM_PACK_BLOCK);
}

// Packs one block; false if zlib fails, which happens only if memory is short.
static bool pack_block(job *j, int64_t block, z_stream *stream, unsigned char *plain) {
    int64_t begin = block * j->per_block, end = begin + j->per_block < j->numbers ? begin + j->per_block : j->numbers;
    carom_array_fill(j->array, begin, end, plain);
    stream->next_in = plain;
    stream->avail_in = (uInt)((end - begin) * carom_number_bytes(j->array->type));
    stream->next_out = j->pack->bytes + (size_t)block * carom_pack_stride();
    stream->avail_out = (uInt)carom_pack_stride();
    bool done = deflateReset(stream) == Z_OK && deflate(stream, Z_FINISH) == Z_STREAM_END;
    j->pack->head[3 + block] = stream->total_out;
    return done;
}

// The function of each thread: packs blocks until none is left.
static void *work(void *context) {
    job *j = context;
    bool real = j->array->type == CAROM_NUMBER_FLOAT64 || j->array->type == CAROM_NUMBER_FLOAT32;
    z_stream stream = {0};
    unsigned char *plain = malloc(CAROM_PACK_BLOCK);
    bool ready =
        plain && deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, real ? Z_RLE : Z_DEFAULT_STRATEGY) == Z_OK;
    if (!ready)
        j->failed = true;
    for (int64_t block = j->next++; ready && block < j->pack->block_count; block = j->next++)
        if (!pack_block(j, block, &stream, plain))
            j->failed = true;
    if (ready)
        deflateEnd(&stream);
    free(plain);
    return NULL;
}

// Provides memory for that many blocks; the previous content is lost.
static bool reserve(carom_pack *pack, int64_t blocks) {
    if (blocks > pack->capacity || !pack->head) {
        carom_pack_release(pack);
        pack->head = carom_allocate(3 + blocks, sizeof *pack->head);
        // not cleared: most of it is never accessed, since packed blocks are smaller
        pack->bytes = malloc((size_t)(blocks ? blocks : 1) * carom_pack_stride());
        pack->capacity = blocks;
    }
    pack->block_count = blocks;
    return pack->head && pack->bytes;
}

carom_status carom_pack_array(carom_pack *pack, const carom_array *array, int helpers, carom_error *error) {
    int64_t bytes = carom_array_bytes(array), blocks = (bytes + CAROM_PACK_BLOCK - 1) / CAROM_PACK_BLOCK;
    if (!reserve(pack, blocks))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to pack the array '%s'", array->name);
    pack->head[0] = (uint64_t)blocks;
    pack->head[1] = CAROM_PACK_BLOCK;
    pack->head[2] = (uint64_t)(bytes % CAROM_PACK_BLOCK);
    job j = {.array = array, .pack = pack, .numbers = array->count * array->components};
    j.per_block = CAROM_PACK_BLOCK / carom_number_bytes(array->type);
    pthread_t threads[HELPERS_MAX];
    int started = 0;
    while (started < helpers && started < HELPERS_MAX && started + 1 < blocks &&
           pthread_create(&threads[started], NULL, work, &j) == 0)
        started++;
    work(&j);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return j.failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory to pack the array '%s'", array->name) : CAROM_OK;
}

void carom_pack_release(carom_pack *pack) {
    free(pack->head);
    free(pack->bytes);
    *pack = (carom_pack){0};
}

uint64_t carom_pack_size(const carom_pack *pack) {
    uint64_t size = (uint64_t)(3 + pack->block_count) * sizeof *pack->head;
    for (int64_t b = 0; b < pack->block_count; b++)
        size += pack->head[3 + b];
    return size;
}

size_t carom_pack_bytes(const unsigned char *bytes, size_t size, unsigned char **packed) {
    uLongf length = compressBound((uLong)size);
    *packed = malloc(length);
    if (*packed && compress2(*packed, &length, bytes, (uLong)size, Z_DEFAULT_COMPRESSION) == Z_OK)
        return length;
    free(*packed);
    *packed = NULL;
    return 0;
}
