// SPDX-License-Identifier: MIT
// Reads exactly the form that vtu.c writes, not XML in general. The head is searched as text: attributes by
// name within a tag, tags in their order. Every number is checked against the size of the file, since a
// frame may be damaged or come from elsewhere.
#include "output/vtu_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Bytes read as head: more than carom ever writes, at about 120 bytes per array.
enum { HEAD_MAX = 1 << 16 };

static const char *const section_tags[CAROM_VTU_SECTIONS] = {"<PointData>", "<CellData>", "<Points>", "<Cells>"};

// Size of a number type; 0 for types that carom does not write.
static int type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"Float64", 8}, {"Int64", 8}, {"Int32", 4}, {"UInt8", 1}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].bytes;
    return 0;
}

// The one message for a head that carom would not write, whatever the reason.
static carom_status strange(const carom_vtu_file *file, carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT, "%s is not a frame written by carom on a machine of this kind", file->path);
}

// Copies the value of an attribute of the tag that ends at `end`; false if it is missing or too long.
static bool attribute(const char *tag, const char *end, const char *key, char *value, size_t room) {
    char start[64];
    snprintf(start, sizeof start, " %s=\"", key);
    const char *from = strstr(tag, start);
    if (!from || from >= end)
        return false;
    from += strlen(start);
    size_t size = strcspn(from, "\"");
    if (from + size >= end || size >= room)
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
    // frames are read by the kind of machine that wrote them: bytes are never swapped
    if (!end || !last || !attribute(tag, end, "byte_order", text, sizeof text) || strcmp(text, order) != 0 ||
        !attribute(tag, end, "header_type", text, sizeof text) || strcmp(text, "UInt64") != 0)
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
    file->stream = fopen(path, "rbe");
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
    carom_status status = strange(file, error);
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

// The size of an array in bytes, from its header; -1 if the file is shorter. Leaves the stream behind the
// header.
static int64_t find_bytes(const carom_vtu_file *file, const carom_vtu_array *array) {
    uint64_t bytes;
    int64_t begin = file->appended + array->offset;
    if (fseek(file->stream, (long)begin, SEEK_SET) != 0 || fread(&bytes, sizeof bytes, 1, file->stream) != 1)
        return -1;
    // the subtraction cannot overflow: the offset was checked against the size of the file
    int64_t left = file->size - begin - (int64_t)sizeof bytes;
    return bytes <= (uint64_t)left ? (int64_t)bytes : -1;
}

int64_t carom_vtu_count(const carom_vtu_file *file, const carom_vtu_array *array) {
    int64_t bytes = array ? find_bytes(file, array) : -1;
    return bytes < 0 || bytes % type_bytes(array->type) ? -1 : bytes / type_bytes(array->type);
}

// The count must match exactly: a caller allocates for the mesh of the first frame.
carom_status carom_vtu_read(const carom_vtu_file *file, const carom_vtu_array *array, const char *name, const char *type,
                            int64_t count, void *values, carom_error *error) {
    if (!array)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no array '%s'", file->path, name);
    if (strcmp(array->type, type) != 0 || carom_vtu_count(file, array) != count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the array '%s' does not have %lld numbers of type %s", file->path, name,
                          (long long)count, type);
    size_t size = (size_t)type_bytes(type);
    if (fread(values, size, (size_t)count, file->stream) != (size_t)count)
        return carom_fail(error, CAROM_IO, "cannot read %s: the file ends within the array '%s'", file->path, name);
    return CAROM_OK;
}
