// SPDX-License-Identifier: MIT
// Reads back the CSV tables that carom wrote, with the cells as text. Of a long table it keeps every n-th
// row, the last row, and the rows that hold the extremes of each column.
#ifndef CAROM_TABLE_H
#define CAROM_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// A table in memory. The numbers of rows and columns are those of what was kept; cells are text, as in the file.
typedef struct carom_csv_table {
    int column_count;           // 0: the file is not there, or empty
    int64_t row_count, skipped; // rows kept and left out
    const char **names;         // of the columns
    char **lines;               // owns the text: the header and the rows
    const char **cells;         // row after row
} carom_csv_table;

// Reads at most about rows_max rows. An incomplete last row is ignored: a run may be writing it. A missing
// file gives an empty table. Release the table in any case.
CAROM_API carom_status carom_csv_read(const char *path, int64_t rows_max, carom_csv_table *table, carom_error *error);
// Frees what the table owns and empties it; may be called twice.
CAROM_API void carom_csv_release(carom_csv_table *table);

// The column of that name, or -1.
CAROM_API int carom_csv_column(const carom_csv_table *table, const char *name);
// True if all cells of a column are numbers.
CAROM_API bool carom_csv_is_number(const carom_csv_table *table, int column);
// The number in a cell; NaN if the cell is not a number.
CAROM_API double carom_csv_number(const carom_csv_table *table, int64_t row, int column);

// The text of a cell, owned by the table; row and column count from 0 and must exist.
static inline const char *carom_csv_cell(const carom_csv_table *table, int64_t row, int column) {
    return table->cells[row * table->column_count + column];
}

#ifdef __cplusplus
}
#endif
#endif
