// SPDX-License-Identifier: MIT
// Reads binary arrays of VTK XML files. A header comes first: the number of bytes; or, if the array is compressed, the number
// of blocks, the size of a block, the size of the last one if it is smaller, and the compressed size of each. In base64 the
// header may be padded and closed before the data begin.
#include "mesh/files/xml_array.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/inflate.h"

enum { NUMBER_COST = 10 }; // bytes of memory of a number in the mesh, at most

// In the order of carom_number_type.
static const char *const names[CAROM_NUMBER_TYPES] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                                      "UInt32", "Int64", "UInt64", "Float32", "Float64"};

carom_number_type carom_xml_find_type(carom_words name) {
    return (carom_number_type)carom_scan_find(name, names, CAROM_NUMBER_TYPES);
}

// A stream of bytes, decoded from base64 or as they are. `held` are decoded bytes that have not been read yet.
typedef struct source {
    carom_scan *scan;
    const unsigned char *at;
    bool base64;
    unsigned char held[3];
    int held_count;
} source;

// The alphabet of RFC 4648, section 4; -1 for other characters.
static int digit(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes four characters into three bytes, or fewer with padding. White space between them is allowed.
static bool decode_group(source *s) {
    // Padding may stand for the last one or two characters only.
    int digits[4] = {0}, count = 0, padding = 0;
    while (count + padding < 4) {
        if (s->at >= s->scan->end)
            return carom_scan_fail(s->scan, s->at, "the file ends within an array");
        unsigned char c = *s->at;
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            s->at++;
            continue;
        }
        // One byte needs two digits at least, so padding cannot come earlier.
        if (c == '=' && count >= 2)
            padding++;
        else if (digit(c) >= 0 && !padding)
            digits[count++] = digit(c);
        else
            return carom_scan_fail(s->scan, s->at, "expected more base64 text of an array, found '%c'",
                                   c > 0x20 && c < 0x7f ? c : '?');
        s->at++;
    }
    // Four digits of six bits are three bytes.
    unsigned word = (unsigned)digits[0] << 18 | (unsigned)digits[1] << 12 | (unsigned)digits[2] << 6 | (unsigned)digits[3];
    s->held_count = 3 - padding;
    for (int i = 0; i < s->held_count; i++)
        s->held[i] = (unsigned char)(word >> (16 - 8 * i));
    return true;
}

// Base64 comes in groups of three bytes; what is not needed yet is held.
static bool read_bytes(source *s, unsigned char *bytes, int64_t count) {
    if (!s->base64) {
        if (count > s->scan->end - s->at)
            return carom_scan_fail(s->scan, s->at, "the file ends within an array: %lld bytes expected, %lld left",
                                   (long long)count, (long long)(s->scan->end - s->at));
        memcpy(bytes, s->at, (size_t)count);
        s->at += count;
        return true;
    }
    while (count > 0) {
        if (s->held_count == 0 && !decode_group(s))
            return false;
        int64_t part = s->held_count < count ? s->held_count : count;
        memcpy(bytes, s->held, (size_t)part);
        // At most two bytes are left of a group.
        memmove(s->held, s->held + part, (size_t)(s->held_count - part));
        s->held_count -= (int)part;
        bytes += part;
        count -= part;
    }
    return true;
}

// A number of the header. It is refused if it exceeds `most` times the bytes that are left, before memory is reserved for it.
static bool read_header(source *s, const carom_xml_form *form, const char *what, int64_t most, int64_t *value) {
    unsigned char bytes[8];
    const unsigned char *place = s->at;
    if (!read_bytes(s, bytes, form->header_bytes))
        return false;
    *value = carom_scan_whole_at(s->scan, bytes, form->header_bytes == 8 ? CAROM_INT64 : CAROM_UINT32);
    int64_t left = s->scan->end - s->at;
    if (*value < 0 || *value > most * (left + 8))
        return carom_scan_fail_short(s->scan, place, what, *value, left);
    return true;
}

// Raw bytes are used in place; base64 is decoded into a copy.
static bool load_plain(source *s, const carom_xml_form *form, carom_xml_array *array, int64_t *size) {
    if (!read_header(s, form, "the size of an array", 1, size))
        return false;
    if (!s->base64) {
        if (*size > s->scan->end - s->at)
            return carom_scan_fail(s->scan, s->at, "the file ends within an array: %lld bytes expected, %lld left",
                                   (long long)*size, (long long)(s->scan->end - s->at));
        // No copy: the file stays in memory until the mesh is complete.
        array->bytes = s->at;
        return true;
    }
    array->bytes = array->owned = carom_allocate(*size, 1);
    if (!array->owned)
        return carom_scan_no_memory(s->scan);
    return read_bytes(s, array->owned, *size);
}

// Unpacks the blocks one after the other.
static bool unpack(source *s, const int64_t *sizes, int64_t blocks, int64_t block_size, int64_t total, unsigned char *bytes) {
    int64_t done = 0;
    for (int64_t b = 0; b < blocks; b++) {
        // The last block may be shorter; its size follows from the total.
        int64_t block_bytes = total - done < block_size ? total - done : block_size;
        const unsigned char *place = s->at, *packed = s->at;
        unsigned char *copy = NULL;
        if (s->base64) {
            // Decoded first: the compressed bytes of a block are needed in one piece.
            packed = copy = carom_allocate(sizes[b], 1);
            if (!copy)
                return carom_scan_no_memory(s->scan);
            if (!read_bytes(s, copy, sizes[b])) {
                free(copy);
                return false;
            }
        } else if (sizes[b] > s->scan->end - s->at) {
            return carom_scan_fail(s->scan, place, "the file ends within a packed array");
        } else {
            s->at += sizes[b];
        }
        carom_status status = carom_inflate(packed, (size_t)sizes[b], bytes + done, (size_t)block_bytes);
        free(copy);
        if (status == CAROM_NO_MEMORY)
            return carom_scan_no_memory(s->scan);
        if (status)
            return carom_scan_fail(s->scan, place, "a packed array is damaged");
        done += block_bytes;
    }
    return true;
}

static bool load_packed(source *s, carom_xml_form *form, carom_xml_array *array, int64_t *size) {
    // The cost of each byte: that of the array itself, and that of its numbers once they are part of the mesh.
    int64_t blocks, block_size, last, cost = 1 + NUMBER_COST / carom_scan_bytes_of(array->type);
    const unsigned char *place = s->at;
    // zlib compresses to about 1/1030 at best.
    if (!read_header(s, form, "the number of packed blocks", 1, &blocks) ||
        !read_header(s, form, "the size of a packed block", 1100, &block_size) ||
        !read_header(s, form, "the size of the last packed block", 1100, &last))
        return false;
    *size = 0;
    if (blocks == 0)
        return true;
    // A product could overflow, so the bound on the number of bytes is written as one on the size of a block.
    if (last > block_size || block_size == 0 || block_size > (form->unpack_left + 1) / blocks + block_size / blocks + 1)
        return carom_scan_fail(s->scan, place, "an array of %lld blocks of %lld bytes is too large for a file of this size",
                               (long long)blocks, (long long)block_size);
    *size = last ? (blocks - 1) * block_size + last : blocks * block_size;
    form->unpack_left -= cost * *size;
    if (form->unpack_left < 0)
        return carom_scan_fail(s->scan, place, "an array of %lld bytes is too large for a file of this size", (long long)*size);
    int64_t *sizes = carom_allocate(blocks, sizeof *sizes);
    array->bytes = array->owned = carom_allocate(*size, 1);
    bool good = sizes && array->owned;
    if (!good)
        carom_scan_no_memory(s->scan);
    for (int64_t b = 0; good && b < blocks; b++)
        // Compressed sizes come after the three numbers, one for each block.
        good = read_header(s, form, "the size of a packed block", 1, &sizes[b]);
    good = good && unpack(s, sizes, blocks, block_size, *size, array->owned);
    free(sizes);
    return good;
}

// Bytes per number must divide the size of the array.
bool carom_xml_array_load(carom_reader *reader, carom_xml_form *form, const unsigned char *at, bool base64,
                          carom_number_type type, carom_xml_array *array) {
    source s = {.scan = &reader->scan, .at = at, .base64 = base64};
    int64_t size = 0;
    *array = (carom_xml_array){.type = type};
    // Messages name the byte, since raw data have no lines.
    reader->scan.binary = !base64;
    bool good = form->packed ? load_packed(&s, form, array, &size) : load_plain(&s, form, array, &size);
    reader->scan.binary = false;
    // A remainder means a wrong type or a damaged size.
    if (good && size % carom_scan_bytes_of(type))
        good = carom_scan_fail(&reader->scan, at, "an array of %lld bytes does not hold whole numbers of type %s",
                               (long long)size, names[type]);
    array->count = size / carom_scan_bytes_of(type);
    if (!good)
        carom_xml_array_release(array);
    return good;
}

void carom_xml_array_release(carom_xml_array *array) {
    free(array->owned);
    *array = (carom_xml_array){0};
}

int64_t carom_xml_array_whole(const carom_scan *scan, const carom_xml_array *array, int64_t index) {
    return carom_scan_whole_at(scan, array->bytes + index * carom_scan_bytes_of(array->type), array->type);
}

double carom_xml_array_real(const carom_scan *scan, const carom_xml_array *array, int64_t index) {
    return carom_scan_real_at(scan, array->bytes + index * carom_scan_bytes_of(array->type), array->type);
}
