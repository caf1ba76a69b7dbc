// SPDX-License-Identifier: MIT
// Writes one frame as a .vtu file. The file has an XML head that lists the arrays with their offsets, followed by the arrays as
// raw bytes, each after its size as a 64-bit integer, or packed (pack.h). One table, carom_arrays_list, serves the head, the
// data and the estimate of the size.
//
// The size of a packed array is known only after packing. The head is therefore written twice, with the same length: first
// without offsets, then, when all arrays are in the file, with them.
#include "output/frames/vtu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/file.h"
#include "output/tables/number.h"

// Sections of a piece, in the order that VTK itself writes.
static const char *const section_names[CAROM_ARRAY_SECTIONS] = {"PointData", "CellData", "Points", "Cells"};

static const char *const type_names[] = {[CAROM_NUMBER_FLOAT64] = "Float64",
                                         [CAROM_NUMBER_FLOAT32] = "Float32",
                                         [CAROM_NUMBER_INT64] = "Int64",
                                         [CAROM_NUMBER_INT32] = "Int32",
                                         [CAROM_NUMBER_UINT8] = "UInt8"};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char byte_order[] = "BigEndian";
#else
static const char byte_order[] = "LittleEndian";
#endif

// A file that is being written.
typedef struct file {
    carom_vtu *vtu;
    const char *path;
    FILE *stream;
    double time;
    int count;
    carom_array arrays[CAROM_ARRAYS_MAX];
    uint64_t offsets[CAROM_ARRAYS_MAX]; // from the '_' that begins the appended data
} file;

// The tag of an array. The offset of a packed array takes as many characters as the longest possible one: blanks after it are
// valid XML.
static void write_tag(const file *f, int i) {
    const carom_array *a = &f->arrays[i];
    char offset[32];
    snprintf(offset, sizeof offset, "%" PRIu64 "\"", f->offsets[i]);
    fprintf(f->stream, "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" ",
            type_names[a->type], a->name, a->components);
    fprintf(f->stream, "offset=\"%-*s/>\n", f->vtu->style->compress ? 20 : 0, offset);
}

static void write_head(const file *f) {
    char number[CAROM_NUMBER_MAX];
    carom_number_print(f->time, number);
    fprintf(f->stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\"%s>\n"
            "  <UnstructuredGrid>\n"
            "    <FieldData>\n"
            "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>\n"
            "    </FieldData>\n"
            "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
            byte_order, f->vtu->style->compress ? " compressor=\"vtkZLibDataCompressor\"" : "", number,
            f->vtu->cover->point_count, f->vtu->cover->cell_count);
    for (int i = 0; i < f->count; i++) {
        const char *section = section_names[f->arrays[i].section];
        if (i == 0 || f->arrays[i - 1].section != f->arrays[i].section)
            fprintf(f->stream, "      <%s>\n", section);
        write_tag(f, i);
        if (i + 1 == f->count || f->arrays[i + 1].section != f->arrays[i].section)
            fprintf(f->stream, "      </%s>\n", section);
    }
    fputs("    </Piece>\n"
          "  </UnstructuredGrid>\n"
          "  <AppendedData encoding=\"raw\">\n"
          "_",
          f->stream);
}

// Size of the buffer for numbers that are converted or selected.
enum { BUFFER_NUMBERS = 8192 };

// An array as it is, after its size in bytes, as header_type says.
static void write_plain(const file *f, const carom_array *array) {
    uint64_t bytes = (uint64_t)carom_array_bytes(array);
    int64_t numbers = array->count * array->components;
    fwrite(&bytes, sizeof bytes, 1, f->stream);
    if (!array->from && array->kept == array->type) {
        fwrite(array->values, 1, (size_t)bytes, f->stream);
        return;
    }
    union {
        double doubles[BUFFER_NUMBERS];
        float floats[BUFFER_NUMBERS];
        int64_t integers[BUFFER_NUMBERS];
    } buffer;
    for (int64_t begin = 0; begin < numbers && !ferror(f->stream); begin += BUFFER_NUMBERS) {
        int64_t end = begin + BUFFER_NUMBERS < numbers ? begin + BUFFER_NUMBERS : numbers;
        carom_array_fill(array, begin, end, &buffer);
        fwrite(&buffer, (size_t)carom_number_bytes(array->type), (size_t)(end - begin), f->stream);
    }
}

// A packed array; returns its bytes.
static carom_status write_packed(const file *f, int i, uint64_t *size, carom_error *error) {
    const carom_array *array = &f->arrays[i];
    carom_pack *pack = array->constant ? &f->vtu->constant[i] : &f->vtu->scratch;
    if (!array->constant || !pack->head) {
        carom_status status = carom_pack_array(pack, array, f->vtu->helpers, error);
        if (status) {
            carom_pack_release(pack);
            return status;
        }
    }
    // packing may have set errno
    errno = 0;
    fwrite(pack->head, sizeof *pack->head, (size_t)(3 + pack->block_count), f->stream);
    for (int64_t b = 0; b < pack->block_count && !ferror(f->stream); b++)
        fwrite(pack->bytes + (size_t)b * carom_pack_stride(), 1, (size_t)pack->head[3 + b], f->stream);
    *size = carom_pack_size(pack);
    return CAROM_OK;
}

// Stops at the first failure, while errno still holds its reason: carom_file_commit reports it.
static carom_status write_all(file *f, carom_error *error) {
    bool packed = f->vtu->style->compress;
    uint64_t offset = 0, size = 0;
    for (int i = 0; i < f->count && !packed; i++) {
        f->offsets[i] = offset;
        offset += sizeof offset + (uint64_t)carom_array_bytes(&f->arrays[i]);
    }
    errno = 0;
    write_head(f);
    for (int i = 0; i < f->count && !ferror(f->stream); i++) {
        if (!packed) {
            write_plain(f, &f->arrays[i]);
            continue;
        }
        f->offsets[i] = offset;
        carom_status status = write_packed(f, i, &size, error);
        if (status)
            return status;
        offset += size;
    }
    if (!ferror(f->stream))
        fputs("\n  </AppendedData>\n</VTKFile>\n", f->stream);
    if (ferror(f->stream) || !packed)
        return CAROM_OK;
    if (fseek(f->stream, 0, SEEK_SET) != 0)
        return carom_file_fail("write", f->path, error);
    write_head(f);
    return CAROM_OK;
}

carom_status carom_vtu_write(carom_vtu *vtu, const char *path, const carom_frame *frame, carom_error *error) {
    file f = {.vtu = vtu, .path = path, .time = frame->time};
    f.count = carom_arrays_list(vtu->grid, vtu->cover, vtu->style, frame, f.arrays);
    carom_status status = carom_file_begin(path, &f.stream, error);
    if (status)
        return status;
    status = write_all(&f, error);
    if (status) {
        carom_file_abandon(path, f.stream);
        return status;
    }
    return carom_file_commit(path, f.stream, error);
}

void carom_vtu_release(carom_vtu *vtu) {
    carom_pack_release(&vtu->scratch);
    for (int i = 0; i < CAROM_ARRAYS_MAX; i++)
        carom_pack_release(&vtu->constant[i]);
}
