// SPDX-License-Identifier: MIT
// Reads back the CSV tables that carom wrote, with the cells as text. Of a long table it keeps every n-th
// row, the last row, and the rows that hold the extremes of each column.
#ifndef CAROM_OUTPUT_CSV_READER_H
#define CAROM_OUTPUT_CSV_READER_H

#include "output/file.h"

typedef struct carom_csv_table {
    int column_count;
    int64_t row_count, skipped; // rows kept and left out
    char **names;               // of the columns
    char **lines;               // owns the text: the header and the rows
    const char **cells;         // row after row
} carom_csv_table;

// Reads at most about rows_max rows. An incomplete last row is ignored: a run may be writing it. A missing
// file gives an empty table. Release the table in any case.
carom_status carom_csv_read(const char *path, int64_t rows_max, carom_csv_table *table, carom_error *error);
void carom_csv_release(carom_csv_table *table);

// The column of that name, or -1.
int carom_csv_column(const carom_csv_table *table, const char *name);
// True if all cells of a column are numbers.
bool carom_csv_is_number(const carom_csv_table *table, int column);
// The number in a cell; NaN if the cell is not a number.
double carom_csv_number(const carom_csv_table *table, int64_t row, int column);

static inline const char *carom_csv_cell(const carom_csv_table *table, int64_t row, int column) {
    return table->cells[row * table->column_count + column];
}

#endif
