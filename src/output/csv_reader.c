// SPDX-License-Identifier: MIT
#include "output/csv_reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

static int64_t count_lines(FILE *file) {
    int64_t lines = 0;
    char buffer[1 << 14];
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, file)) > 0;)
        for (const char *at = buffer; (at = memchr(at, '\n', (size_t)(buffer + size - at))); at++)
            lines++;
    rewind(file);
    return lines;
}

static int count_cells(const char *line) {
    int count = 1;
    for (; *line; line++)
        count += *line == ',';
    return count;
}

// Cuts a line into its cells, in place.
static void cut(char *line, const char **cells) {
    int count = 0;
    for (char *next = line; next; count++) {
        cells[count] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = 0;
    }
}

// The next line without its end; NULL at the end of the file, or where a line is not complete.
static char *next_line(FILE *file) {
    char *line = NULL;
    size_t room = 0;
    ssize_t size = getline(&line, &room, file);
    if (size <= 0 || line[size - 1] != '\n') {
        free(line);
        return NULL;
    }
    line[size - 1] = 0;
    if (size > 1 && line[size - 2] == '\r')
        line[size - 2] = 0;
    return line;
}

static bool allocate(carom_csv_table *table, int64_t rows) {
    table->cells = carom_allocate(rows * table->column_count, sizeof *table->cells);
    table->names = carom_allocate(table->column_count, sizeof *table->names);
    return table->cells && table->names;
}

static carom_status read_rows(FILE *file, int64_t lines, int64_t rows_max, carom_csv_table *table, bool *failed) {
    int64_t rows = lines - 1, stride = rows > rows_max ? (rows + rows_max - 1) / rows_max : 1;
    table->lines = carom_allocate(rows / stride + 3, sizeof *table->lines);
    if (!table->lines)
        return CAROM_NO_MEMORY;
    table->lines[0] = next_line(file);
    if (!table->lines[0])
        return CAROM_NO_MEMORY;
    table->column_count = count_cells(table->lines[0]);
    if (!allocate(table, rows / stride + 2))
        return CAROM_NO_MEMORY;
    cut(table->lines[0], (const char **)table->names);
    for (int64_t row = 0; row < rows; row++) {
        char *line = next_line(file);
        if (!line)
            break;
        if (count_cells(line) != table->column_count) {
            free(line);
            *failed = true;
            break;
        }
        if (row % stride && row != rows - 1) {
            free(line);
            table->skipped++;
            continue;
        }
        cut(line, &table->cells[table->row_count * table->column_count]);
        table->lines[++table->row_count] = line;
    }
    return CAROM_OK;
}

carom_status carom_csv_read(const char *path, int64_t rows_max, carom_csv_table *table, carom_error *error) {
    *table = (carom_csv_table){0};
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? CAROM_OK : carom_file_fail("read", path, error);
    int64_t lines = count_lines(file);
    bool failed = false;
    carom_status status = lines > 0 ? read_rows(file, lines, rows_max, table, &failed) : CAROM_OK;
    fclose(file);
    if (status)
        return carom_fail(error, status, "no memory for the rows of %s", path);
    if (failed)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: row %lld does not have %d cells", path,
                          (long long)(table->row_count + table->skipped + 1), table->column_count);
    return CAROM_OK;
}

void carom_csv_release(carom_csv_table *table) {
    for (int64_t i = 0; table->lines && i <= table->row_count; i++)
        free(table->lines[i]);
    free(table->lines);
    free(table->names);
    free(table->cells);
    *table = (carom_csv_table){0};
}

int carom_csv_column(const carom_csv_table *table, const char *name) {
    for (int c = 0; c < table->column_count; c++)
        if (strcmp(table->names[c], name) == 0)
            return c;
    return -1;
}

static bool read_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end;
}

bool carom_csv_is_number(const carom_csv_table *table, int column) {
    double value;
    for (int64_t row = 0; row < table->row_count; row++)
        if (!read_number(carom_csv_cell(table, row, column), &value))
            return false;
    return true;
}

double carom_csv_number(const carom_csv_table *table, int64_t row, int column) {
    double value;
    return read_number(carom_csv_cell(table, row, column), &value) ? value : (double)NAN;
}
