// SPDX-License-Identifier: MIT
// DEFLATE (RFC 1951) in a zlib frame (RFC 1950): the compression of binary VTK XML files. The codes are canonical Huffman
// codes: those of one length are consecutive numbers, which begin where twice the last code of the previous length ends. Codes
// of up to FAST bits are looked up in a table; longer, rare ones are found bit by bit among the first codes of each length.
//
// The input is untrusted: every read checks what is left of it, every write checks the room, and a damaged stream ends in
// `false`, never in a partial success.
#include "base/inflate.h"

#include <stdint.h>
#include <string.h>

enum {
    LENGTH_MAX = 15,   // bits of the longest code (RFC 1951, 3.2.7)
    FAST = 10,         // a table of 2 KiB; nearly all codes of real data are shorter
    LITERALS = 288,    // 256 bytes, the end of the block, 29 lengths, 2 that never occur
    DISTANCES = 32,    // 30 distances, 2 that never occur
    LENGTH_CODES = 19, // symbols of the code that packs the lengths of the two others
};

// The next bit of the input is the lowest bit of `bits`; bits above `bit_count` are zero.
typedef struct stream {
    const unsigned char *at, *end;
    uint64_t bits;
    int bit_count;
    unsigned char *bytes;
    size_t size, room;
} stream;

typedef struct code {
    uint16_t fast[1 << FAST]; // symbol << 4 | length; 0: longer than FAST, or no code
    uint16_t count[LENGTH_MAX + 1];
    uint16_t symbols[LITERALS]; // by length, then by symbol
} code;

static void refill(stream *s) {
    // Up to 64 bits are held, more than the longest code and its extra bits together need (15 + 13).
    while (s->bit_count <= 56 && s->at < s->end) {
        s->bits |= (uint64_t)*s->at++ << s->bit_count;
        s->bit_count += 8;
    }
}

static bool take(stream *s, int count, unsigned *value) {
    refill(s);
    if (s->bit_count < count)
        return false;
    *value = (unsigned)(s->bits & ((UINT64_C(1) << count) - 1));
    s->bits >>= count;
    s->bit_count -= count;
    return true;
}

// Huffman codes are packed highest bit first, everything else lowest bit first (RFC 1951, 3.1.1).
static unsigned reverse(unsigned value, int count) {
    unsigned reversed = 0;
    for (int i = 0; i < count; i++)
        reversed |= (value >> i & 1) << (count - 1 - i);
    return reversed;
}

// Builds the tables of a code from the lengths of its symbols (RFC 1951, 3.2.2); false if the lengths ask for more codes than
// there are. Too few codes are allowed: a block with one distance has a code of one symbol.
static bool build(code *c, const unsigned char *lengths, int count) {
    uint16_t offset[LENGTH_MAX + 2] = {0};
    unsigned first[LENGTH_MAX + 2] = {0};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < count; i++)
        c->count[lengths[i]]++;
    c->count[0] = 0;
    // `left` counts the codes of this length that no shorter code has taken (Kraft's inequality).
    int left = 1;
    for (int length = 1; length <= LENGTH_MAX; length++) {
        left = 2 * left - c->count[length];
        if (left < 0)
            return false;
        offset[length + 1] = (uint16_t)(offset[length] + c->count[length]);
        first[length + 1] = (first[length] + c->count[length]) << 1;
    }
    for (int i = 0; i < count; i++) {
        int length = lengths[i];
        if (length == 0)
            continue;
        c->symbols[offset[length]++] = (uint16_t)i;
        unsigned number = first[length]++;
        if (length > FAST)
            continue;
        // A short code fills all entries of the table that begin with it.
        for (unsigned entry = reverse(number, length); entry < 1u << FAST; entry += 1u << length)
            c->fast[entry] = (uint16_t)(i << 4 | length);
    }
    return true;
}

// Decodes the next symbol; -1 at the end of the input or for bits that are no code.
static int decode(stream *s, const code *c) {
    refill(s);
    unsigned entry = c->fast[s->bits & ((1 << FAST) - 1)];
    if (entry) {
        int length = entry & 15;
        if (length > s->bit_count)
            return -1;
        s->bits >>= length;
        s->bit_count -= length;
        return (int)(entry >> 4);
    }
    // `first` is the first code of this length and `index` its place among the symbols; `number` is the code read so far.
    int number = 0, first = 0, index = 0;
    for (int length = 1; length <= LENGTH_MAX && length <= s->bit_count; length++) {
        number |= (int)(s->bits >> (length - 1) & 1);
        if (number - first < c->count[length]) {
            s->bits >>= length;
            s->bit_count -= length;
            return c->symbols[index + number - first];
        }
        index += c->count[length];
        first = (first + c->count[length]) << 1;
        number <<= 1;
    }
    return -1;
}

static bool copy_stored(stream *s) {
    // A stored block begins at a whole byte, with its length and the complement of it (RFC 1951, 3.2.4).
    int rest = s->bit_count % 8;
    unsigned length, inverse;
    s->bits >>= rest;
    s->bit_count -= rest;
    if (!take(s, 16, &length) || !take(s, 16, &inverse) || length != (~inverse & 0xffff))
        return false;
    // Whole bytes that were read ahead are handed back to the input.
    s->at -= s->bit_count / 8;
    s->bits = 0;
    s->bit_count = 0;
    if ((size_t)(s->end - s->at) < length || s->room - s->size < length)
        return false;
    memcpy(s->bytes + s->size, s->at, length);
    s->at += length;
    s->size += length;
    return true;
}

static bool copy_match(stream *s, unsigned length, unsigned distance) {
    // A distance before the beginning of the output, or a match beyond its room, is damage.
    if (distance > s->size || length > s->room - s->size)
        return false;
    // A match may overlap its own copy (distance < length): this is how DEFLATE repeats a pattern, and why memcpy would be
    // wrong.
    for (; length; length--, s->size++)
        s->bytes[s->size] = s->bytes[s->size - distance];
    return true;
}

static bool unpack_codes(stream *s, const code *literals, const code *distances) {
    // The tables of RFC 1951, 3.2.5: a symbol gives the smallest length or distance, and extra bits are added to it.
    static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                  2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                               33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                               1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
        int symbol = decode(s, literals);
        if (symbol < 0)
            return false;
        if (symbol < 256) {
            if (s->size == s->room)
                return false;
            s->bytes[s->size++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 256)
            return true;
        unsigned more_length, more_distance;
        if (symbol > 285 || !take(s, length_bits[symbol - 257], &more_length))
            return false;
        int distance = decode(s, distances);
        if (distance < 0 || distance > 29 || !take(s, distance < 2 ? 0 : distance / 2 - 1, &more_distance) ||
            !copy_match(s, length_base[symbol - 257] + more_length, distance_base[distance] + more_distance))
            return false;
    }
}

// The codes of a block with dynamic codes (RFC 1951, 3.2.7). The lengths of both codes are one list, packed by a third code
// whose lengths come first.
static bool read_codes(stream *s, code *literals, code *distances) {
    // Lengths that are rarely used stand last, so that a packer can leave them out.
    static const unsigned char order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LITERALS + DISTANCES] = {0}, packed[LENGTH_CODES] = {0};
    unsigned literal_count, distance_count, packed_count, value;
    if (!take(s, 5, &literal_count) || !take(s, 5, &distance_count) || !take(s, 4, &packed_count))
        return false;
    // Counts are stored less their least values.
    literal_count += 257, distance_count += 1, packed_count += 4;
    for (unsigned i = 0; i < packed_count; i++) {
        if (!take(s, 3, &value))
            return false;
        packed[order[i]] = (unsigned char)value;
    }
    if (literal_count > 286 || !build(literals, packed, LENGTH_CODES))
        return false;
    for (unsigned i = 0; i < literal_count + distance_count;) {
        int symbol = decode(s, literals);
        if (symbol < 0)
            return false;
        if (symbol < 16) {
            lengths[i++] = (unsigned char)symbol;
            continue;
        }
        // Symbol 16 repeats the last length 3 to 6 times; 17 and 18 write 3 to 10 and 11 to 138 zeros.
        unsigned char repeated = symbol == 16 && i ? lengths[i - 1] : 0;
        if ((symbol == 16 && i == 0) || !take(s, symbol == 16 ? 2 : symbol == 17 ? 3 : 7, &value))
            return false;
        value += symbol == 18 ? 11 : 3;
        if (i + value > literal_count + distance_count)
            return false;
        memset(lengths + i, repeated, value);
        i += value;
    }
    // The lengths lie in `lengths`, so the code that unpacked them (in `literals`) may be overwritten.
    return build(distances, lengths + literal_count, (int)distance_count) && build(literals, lengths, (int)literal_count);
}

// The codes every packer knows, used for short blocks (RFC 1951, 3.2.6).
static bool fixed_codes(code *literals, code *distances) {
    unsigned char lengths[LITERALS];
    for (int i = 0; i < LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    bool good = build(literals, lengths, LITERALS);
    memset(lengths, 5, DISTANCES);
    return good && build(distances, lengths, DISTANCES);
}

// Sums modulo 65521, the largest prime below 2^16 (RFC 1950, 9). 5552 bytes are the most after which `b` still fits 32 bits.
static uint32_t adler32(const unsigned char *bytes, size_t size) {
    uint32_t a = 1, b = 0;
    while (size) {
        size_t run = size < 5552 ? size : 5552;
        size -= run;
        for (; run; run--) {
            a += *bytes++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

bool carom_inflate(const unsigned char *packed, size_t size, unsigned char *bytes, size_t room) {
    // The frame: method 8 (DEFLATE), a header divisible by 31, no preset dictionary (RFC 1950, 2.2).
    // Two bytes of header and four of checksum are the least.
    if (size < 6 || (packed[0] & 15) != 8 || (packed[0] << 8 | packed[1]) % 31 != 0 || packed[1] & 32)
        return false;
    stream s = {.at = packed + 2, .end = packed + size, .bytes = bytes, .room = room};
    code literals, distances;
    unsigned last = 0, kind;
    while (!last) {
        // The last block is marked in its header.
        if (!take(&s, 1, &last) || !take(&s, 2, &kind))
            return false;
        bool good = kind == 0   ? copy_stored(&s)
                    : kind == 1 ? fixed_codes(&literals, &distances) && unpack_codes(&s, &literals, &distances)
                    : kind == 2 ? read_codes(&s, &literals, &distances) && unpack_codes(&s, &literals, &distances)
                                : false;
        if (!good)
            return false;
    }
    // The checksum is stored highest byte first and begins at the next whole byte.
    const unsigned char *sum = s.at - s.bit_count / 8;
    if (s.size != room || packed + size - sum < 4)
        return false;
    return ((uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3]) == adler32(bytes, room);
}
