// SPDX-License-Identifier: MIT
// Opens frames (.vtu files) and reads single arrays of them. Reads exactly the form that vtu.c writes, not XML in general. The
// head is searched as text: attributes by name within a tag, tags in their order. Every number is checked against the size of
// the file, since a frame may be damaged or come from an untrusted source.
#include "output/back/vtu_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/inflate.h"
#include "base/platform.h"

// Bytes read as head: more than carom ever writes, at about 120 bytes per array.
enum { HEAD_MAX = 1 << 16 };

static const char *const section_tags[CAROM_VTU_SECTIONS] = {"<PointData>", "<CellData>", "<Points>", "<Cells>"};

// Size of a number type; 0 for types that carom does not write.
static int type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"Float64", 8}, {"Float32", 4}, {"Int64", 8}, {"Int32", 4}, {"UInt8", 1}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].bytes;
    return 0;
}

// The message for a head that carom would not write.
static carom_status fail_head(const carom_vtu_file *file, carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT, "%s is not a frame written by carom on a machine of this kind", file->path);
}

// Copies the value of an attribute of the tag that ends at `end`; false if it is missing or too long.
static bool attribute(const char *tag, const char *end, const char *key, char *value, size_t capacity) {
    char start[64];
    snprintf(start, sizeof start, " %s=\"", key);
    const char *from = strstr(tag, start);
    if (!from || from >= end)
        return false;
    from += strlen(start);
    size_t size = strcspn(from, "\"");
    if (from + size >= end || size >= capacity)
        return false;
    memcpy(value, from, size);
    value[size] = 0;
    return true;
}

// An attribute that is an integer between 0 and `most`.
static bool whole(const char *tag, const char *end, const char *key, int64_t most, int64_t *value) {
    char text[32], *rest;
    if (!attribute(tag, end, key, text, sizeof text))
        return false;
    *value = strtoll(text, &rest, 10);
    return rest != text && !*rest && *value >= 0 && *value <= most;
}

// Reads the tag of an array; false if an attribute is missing or out of range.
static bool read_array_tag(carom_vtu_file *file, const char *tag, const char *end, carom_vtu_section section) {
    int64_t components, offset;
    if (file->array_count == CAROM_VTU_ARRAYS_MAX)
        return false;
    carom_vtu_array *array = &file->arrays[file->array_count++];
    array->section = section;
    if (!attribute(tag, end, "Name", array->name, sizeof array->name) ||
        !attribute(tag, end, "type", array->type, sizeof array->type) || !type_bytes(array->type) ||
        !whole(tag, end, "NumberOfComponents", 64, &components) || !whole(tag, end, "offset", file->size, &offset))
        return false;
    array->components = (int)components;
    array->offset = offset;
    return true;
}

static bool read_head(carom_vtu_file *file, const char *head) {
    static const char appended[] = "<AppendedData encoding=\"raw\">\n_";
    static const char *const order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "BigEndian" : "LittleEndian";
    char text[32];
    const char *tag = strstr(head, "<VTKFile "), *last = strstr(head, appended);
    const char *end = tag ? strchr(tag, '>') : NULL;
    // frames must have the byte order of this machine: bytes are never swapped
    if (!end || !last || !attribute(tag, end, "byte_order", text, sizeof text) || strcmp(text, order) != 0 ||
        !attribute(tag, end, "header_type", text, sizeof text) || strcmp(text, "UInt64") != 0)
        return false;
    file->packed = attribute(tag, end, "compressor", text, sizeof text);
    if (file->packed && strcmp(text, "vtkZLibDataCompressor") != 0)
        return false;
    file->appended = last - head + (int64_t)strlen(appended);

    tag = strstr(head, "<Piece ");
    end = tag ? strchr(tag, '>') : NULL;
    int64_t points, cells;
    if (!end || !whole(tag, end, "NumberOfPoints", INT_MAX, &points) || !whole(tag, end, "NumberOfCells", INT_MAX, &cells))
        return false;
    file->point_count = (int)points;
    file->cell_count = (int)cells;

    // tags in their order; each array belongs to the section that was opened last
    int section = -1;
    for (tag = strchr(end, '<'); tag && tag < last; tag = strchr(end, '<')) {
        end = strchr(tag, '>');
        if (!end)
            return false;
        for (int s = 0; s < CAROM_VTU_SECTIONS; s++)
            if (strncmp(tag, section_tags[s], strlen(section_tags[s])) == 0)
                section = s;
        if (strncmp(tag, "<DataArray ", 11) == 0 &&
            (section < 0 || !read_array_tag(file, tag, end, (carom_vtu_section)section)))
            return false;
    }
    return true;
}

carom_status carom_vtu_open(carom_vtu_file *file, const char *path, carom_error *error) {
    *file = (carom_vtu_file){0};
    snprintf(file->path, sizeof file->path, "%s", path);
    file->stream = carom_platform_open(path, "rb");
    char *head = malloc(HEAD_MAX + 1);
    if (!file->stream || !head) {
        carom_status status =
            head ? carom_file_fail("read", path, error) : carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", path);
        free(head);
        carom_vtu_close(file);
        return status;
    }
    // the size bounds every offset that is read later
    file->size = fseek(file->stream, 0, SEEK_END) == 0 ? ftell(file->stream) : -1;
    rewind(file->stream);
    size_t size = fread(head, 1, HEAD_MAX, file->stream);
    head[size] = 0;
    bool good = file->size >= 0 && read_head(file, head);
    free(head);
    if (good)
        return CAROM_OK;
    carom_status status = fail_head(file, error);
    carom_vtu_close(file);
    return status;
}

void carom_vtu_close(carom_vtu_file *file) {
    if (file->stream)
        fclose(file->stream);
    file->stream = NULL;
}

const carom_vtu_array *carom_vtu_find(const carom_vtu_file *file, carom_vtu_section section, const char *name) {
    for (int i = 0; i < file->array_count; i++)
        if (file->arrays[i].section == section && strcmp(file->arrays[i].name, name) == 0)
            return &file->arrays[i];
    return NULL;
}

// The head of a packed array: number of blocks, bytes of a block, bytes of the last if it is shorter, else 0.
typedef struct packed_head {
    uint64_t blocks, block, last;
} packed_head;

// No zlib stream unpacks to more than this many times its size.
enum { RATIO_MAX = 1032 };

// The size of an array in bytes, from its header; -1 if the file is shorter. Leaves the stream behind the
// header.
static int64_t find_bytes(const carom_vtu_file *file, const carom_vtu_array *array, packed_head *head) {
    uint64_t bytes;
    int64_t begin = file->appended + array->offset;
    if (fseek(file->stream, (long)begin, SEEK_SET) != 0)
        return -1;
    if (!file->packed) {
        if (fread(&bytes, sizeof bytes, 1, file->stream) != 1)
            return -1;
        // the subtraction cannot overflow: the offset was checked against the size of the file
        int64_t left = file->size - begin - (int64_t)sizeof bytes;
        return bytes <= (uint64_t)left ? (int64_t)bytes : -1;
    }
    if (fread(head, sizeof *head, 1, file->stream) != 1)
        return -1;
    uint64_t left = (uint64_t)(file->size - begin) - sizeof *head;
    // the head has a size for each block, and all blocks together cannot unpack to more than the rest of the file permits
    if (head->blocks == 0)
        return 0;
    uint64_t most = RATIO_MAX * left, end = head->last ? head->last : head->block;
    if (head->blocks > left / sizeof(uint64_t) || head->block == 0 || head->last >= head->block ||
        head->blocks - 1 > most / head->block || end > most)
        return -1;
    return (int64_t)((head->blocks - 1) * head->block + end);
}

int64_t carom_vtu_count(const carom_vtu_file *file, const carom_vtu_array *array) {
    packed_head head;
    int64_t bytes = array ? find_bytes(file, array, &head) : -1;
    return bytes < 0 || bytes % type_bytes(array->type) ? -1 : bytes / type_bytes(array->type);
}

bool carom_vtu_is_real(const carom_vtu_array *array) {
    return strcmp(array->type, "Float64") == 0 || strcmp(array->type, "Float32") == 0;
}

// Unpacks all blocks, whose sizes follow in the stream; false if one is damaged.
static bool unpack(const carom_vtu_file *file, const packed_head *head, unsigned char *bytes) {
    int64_t count = (int64_t)head->blocks;
    uint64_t *sizes = malloc((size_t)count * sizeof *sizes + 1);
    bool good = sizes && fread(sizes, sizeof *sizes, (size_t)count, file->stream) == (size_t)count;
    for (int64_t b = 0; good && b < count; b++) {
        size_t capacity = (size_t)(b + 1 == count && head->last ? head->last : head->block);
        unsigned char *block = sizes[b] <= (uint64_t)file->size ? malloc((size_t)sizes[b] + 1) : NULL;
        good = block && fread(block, 1, (size_t)sizes[b], file->stream) == sizes[b] &&
               carom_inflate(block, (size_t)sizes[b], bytes, capacity) == CAROM_OK;
        bytes += capacity;
        free(block);
    }
    free(sizes);
    return good;
}

// True if numbers of the file can be read as numbers of that type.
static bool fits(const char *in_file, const char *type) {
    return strcmp(in_file, type) == 0 || (strcmp(type, "Float64") == 0 && strcmp(in_file, "Float32") == 0) ||
           (strcmp(type, "Int64") == 0 && strcmp(in_file, "Int32") == 0);
}

// Numbers of four bytes become numbers of eight. They are read into the second half of the array, so that none is overwritten
// before it is converted.
static void widen(const char *in_file, int64_t count, void *values) {
    const char *narrow = (const char *)values + 4 * (size_t)count;
    for (int64_t i = 0; i < count; i++) {
        float real;
        int32_t whole;
        memcpy(&real, narrow + 4 * i, sizeof real);
        memcpy(&whole, narrow + 4 * i, sizeof whole);
        double wide_real = (double)real;
        int64_t wide_whole = whole;
        if (strcmp(in_file, "Float32") == 0)
            memcpy((char *)values + 8 * i, &wide_real, sizeof wide_real);
        else
            memcpy((char *)values + 8 * i, &wide_whole, sizeof wide_whole);
    }
}

// The count must match exactly: a caller allocates for the mesh of the first frame.
carom_status carom_vtu_read(const carom_vtu_file *file, const carom_vtu_array *array, const char *name, const char *type,
                            int64_t count, void *values, carom_error *error) {
    if (!array)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no array '%s'", file->path, name);
    packed_head head;
    int64_t size = type_bytes(array->type);
    if (!fits(array->type, type) || find_bytes(file, array, &head) != count * size)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the array '%s' does not have %lld numbers of type %s", file->path, name,
                          (long long)count, type);
    bool narrow = size < type_bytes(type);
    unsigned char *bytes = (unsigned char *)values + (narrow ? size * count : 0);
    if (file->packed && !unpack(file, &head, bytes))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the array '%s' is damaged", file->path, name);
    if (!file->packed && fread(bytes, (size_t)size, (size_t)count, file->stream) != (size_t)count)
        return carom_fail(error, CAROM_IO, "cannot read %s: the file ends within the array '%s'", file->path, name);
    if (narrow)
        widen(array->type, count, values);
    return CAROM_OK;
}
