// SPDX-License-Identifier: MIT
// A table in CSV format that can be read while it grows. Rows are buffered in memory and reach the file as whole lines, so that
// readers never find a truncated number and a killed run keeps all that was flushed.
#ifndef CAROM_OUTPUT_TABLES_CSV_H
#define CAROM_OUTPUT_TABLES_CSV_H

#include "carom/text.h"
#include "output/file.h"

// Start from carom_csv_closed().
typedef struct carom_csv {
    char path[CAROM_PATH_MAX];
    int fd;
    int64_t size;       // bytes in the file, always whole lines
    carom_text pending; // whole lines not yet written
} carom_csv;

carom_csv carom_csv_closed(void);

// Opens the table. `header` is the line of column names with its newline. With resume_size < 0 the file is
// created; otherwise it must begin with the same header and is cut to that size in bytes.
carom_status carom_csv_open(carom_csv *csv, const char *path, const carom_text *header, int64_t resume_size,
                            carom_error *error);

// The same, with a header without its newline, which this function releases; and with the names of the columns instead of a
// header.
carom_status carom_csv_begin(carom_csv *csv, const char *path, carom_text *header, int64_t resume_size, carom_error *error);
carom_status carom_csv_begin_named(carom_csv *csv, const char *path, const char *const *names, int count, int64_t resume_size,
                                   carom_error *error);

// A row is any number of values followed by carom_csv_end_row. Numbers are printed with 17 significant
// digits, so that reading them restores the same bits. These functions only append to memory; a row that
// does not fit into memory is omitted as a whole.
void carom_csv_real(carom_csv *csv, double value);
void carom_csv_reals(carom_csv *csv, const double *values, int count);
void carom_csv_integer(carom_csv *csv, int64_t value);
// Text, quoted if necessary; the first value of a row must not be empty.
void carom_csv_text(carom_csv *csv, const char *value);
carom_status carom_csv_end_row(carom_csv *csv, carom_error *error);
// True when enough rows are pending to be worth a write.
bool carom_csv_crowded(const carom_csv *csv);

// Writes all pending rows. On failure the file is cut back to whole lines and the rows stay pending.
carom_status carom_csv_flush(carom_csv *csv, carom_error *error);
// Flushes, and waits until the data are on the disk.
carom_status carom_csv_sync(carom_csv *csv, carom_error *error);
// Flushes and closes; a closed table may be closed again.
carom_status carom_csv_close(carom_csv *csv, carom_error *error);

#endif
