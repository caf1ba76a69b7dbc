// SPDX-License-Identifier: MIT
// Reads the frames that output/frames/vtu.c writes: one piece, appended arrays, raw or packed by zlib, numbers in the byte
// order of this machine. Each array is found by its place in the file, so that a reader loads only the arrays that it needs.
#ifndef CAROM_OUTPUT_BACK_VTU_READER_H
#define CAROM_OUTPUT_BACK_VTU_READER_H

#include "output/file.h"

typedef enum carom_vtu_section {
    CAROM_VTU_POINT_DATA,
    CAROM_VTU_CELL_DATA,
    CAROM_VTU_POINTS,
    CAROM_VTU_CELLS,
    CAROM_VTU_SECTIONS
} carom_vtu_section;

typedef struct carom_vtu_array {
    carom_vtu_section section;
    char name[CAROM_NAME_MAX];
    char type[16]; // "Float64", ...
    int components;
    int64_t offset; // within the appended data
} carom_vtu_array;

// More arrays than carom writes for any model.
enum { CAROM_VTU_ARRAYS_MAX = 64 };

// A frame that is open for reading.
typedef struct carom_vtu_file {
    char path[CAROM_PATH_MAX];
    FILE *stream;
    int64_t size, appended; // bytes of the file, and where the appended data begin
    bool packed;
    int point_count, cell_count;
    int array_count;
    carom_vtu_array arrays[CAROM_VTU_ARRAYS_MAX];
} carom_vtu_file;

// Opens a frame and reads its head. On failure nothing needs to be closed.
carom_status carom_vtu_open(carom_vtu_file *file, const char *path, carom_error *error);
void carom_vtu_close(carom_vtu_file *file);

// The array of that name, or NULL.
const carom_vtu_array *carom_vtu_find(const carom_vtu_file *file, carom_vtu_section section, const char *name);

// True for an array of reals, single or double.
bool carom_vtu_is_real(const carom_vtu_array *array);

// Reads `count` numbers of a type ("Float64") into `values`. Where the file has Float32 for Float64 or Int32 for Int64, they
// are converted. Fails if the array is NULL (`name` is then reported) or if its type or size differs.
carom_status carom_vtu_read(const carom_vtu_file *file, const carom_vtu_array *array, const char *name, const char *type,
                            int64_t count, void *values, carom_error *error);

// Number of entries of an array, according to its size in bytes; -1 if the file does not contain it. A packed array of a
// damaged file may turn out to hold less when it is read; the number never exceeds what the file can hold.
int64_t carom_vtu_count(const carom_vtu_file *file, const carom_vtu_array *array);

#endif
