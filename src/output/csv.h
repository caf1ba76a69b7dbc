// SPDX-License-Identifier: MIT
// A table of numbers that can be read while it grows. Rows wait in memory and reach the file in whole lines, so that a reader
// never sees half a number and a killed run keeps what was flushed.
#ifndef CAROM_OUTPUT_CSV_H
#define CAROM_OUTPUT_CSV_H

#include "base/text.h"
#include "output/file.h"

// Start from carom_csv_closed().
typedef struct carom_csv {
    char path[CAROM_PATH_MAX];
    int fd;
    int64_t size;       // bytes in the file, always whole lines
    carom_text pending; // whole lines not yet written
} carom_csv;

carom_csv carom_csv_closed(void);

// Opens the table. `header` is the line of names with its newline. With resume_size < 0 the file is made new; else it must begin
// with the same header and is cut to that size.
carom_status carom_csv_open(carom_csv *csv, const char *path, const carom_text *header, int64_t resume_size,
                            carom_error *error);

// A row: any number of values, then carom_csv_end_row. Numbers are printed so that reading them gives the same bits. Nothing is
// written to the file, so a row can only fail for want of memory, and is then left out as a whole.
void carom_csv_real(carom_csv *csv, double value);
void carom_csv_integer(carom_csv *csv, int64_t value);
// A name, in quotes where it needs them; the first value of a row must not be empty.
void carom_csv_text(carom_csv *csv, const char *value);
carom_status carom_csv_end_row(carom_csv *csv, carom_error *error);
// True when enough rows wait to be worth writing.
bool carom_csv_crowded(const carom_csv *csv);

// Brings all rows to the file. On failure the file is cut back to whole lines and the rows stay pending.
carom_status carom_csv_flush(carom_csv *csv, carom_error *error);
// Flushes, and waits until the disk has it.
carom_status carom_csv_sync(carom_csv *csv, carom_error *error);
// Flushes and closes; a closed table may be closed again.
carom_status carom_csv_close(carom_csv *csv, carom_error *error);

#endif
