// SPDX-License-Identifier: MIT
// Reads back a table that carom wrote, reduced to about a requested number of rows. The table is read in two passes if it has
// more rows than requested. The first pass marks the rows to keep: every n-th one, and in each of several buckets the rows with
// the smallest and the largest value of every column. The second pass reads the marked rows. A curve drawn through them keeps
// its peaks, which plain decimation would lose.
#include "carom/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"
#include "output/file.h"

// Complete lines only: a last line without its end is still being written.
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

// Splits a line at its commas, in place. Quoted cells do not occur in tables of numbers, and names of
// bodies contain no comma.
static void cut(char *line, const char **cells) {
    int count = 0;
    for (char *next = line; next; count++) {
        cells[count] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = 0;
    }
}

// The next line without its line end; NULL at the end of the file, or if the line is incomplete.
static char *next_line(FILE *file) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size = getline(&line, &capacity, file);
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

// True if the whole text is a number.
static bool read_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end;
}

// The smallest and the largest value of a column within a bucket, and the rows that hold them.
typedef struct extremes {
    double low, high;
    int64_t low_row, high_row; // -1: none yet
} extremes;

// Keeps the rows with the extremes of each column and begins the next bucket.
static void close_bucket(extremes *found, int columns, unsigned char *kept) {
    for (int c = 0; c < columns; c++) {
        if (found[c].low_row >= 0)
            kept[found[c].low_row] = kept[found[c].high_row] = 1;
        found[c].low_row = found[c].high_row = -1;
    }
}

static void check_one_row(char *line, int64_t row, const char **cells, int columns, extremes *found) {
    cut(line, cells);
    for (int c = 0; c < columns; c++) {
        double value;
        extremes *f = &found[c];
        // text and NaN have no extremes
        if (!read_number(cells[c], &value) || isnan(value))
            continue;
        if (f->low_row < 0 || value < f->low)
            f->low = value, f->low_row = row;
        if (f->high_row < 0 || value > f->high)
            f->high = value, f->high_row = row;
    }
}

// Half of the budget goes to evenly spaced rows, the other half to extremes: each bucket keeps at most two
// rows for each column. The last row is always kept, since it holds the result of the run.
static bool choose_rows(FILE *file, int64_t rows, int64_t rows_max, int columns, unsigned char *kept) {
    int64_t half = rows_max / 2 > 0 ? rows_max / 2 : 1, stride = (rows + half - 1) / half;
    int64_t buckets = half / (2 * columns) > 0 ? half / (2 * columns) : 1, size = (rows + buckets - 1) / buckets;
    for (int64_t row = 0; row < rows; row += stride)
        kept[row] = 1;
    kept[rows - 1] = 1;
    const char **cells = carom_allocate(columns, sizeof *cells);
    extremes *found = carom_allocate(columns, sizeof *found);
    bool done = cells && found;
    if (done)
        for (int c = 0; c < columns; c++)
            found[c].low_row = found[c].high_row = -1;
    for (int64_t row = 0; done && row < rows; row++) {
        char *line = next_line(file);
        if (!line)
            break;
        // a row with missing cells ends the selection; read_rows reports it
        bool whole = count_cells(line) == columns;
        if (whole)
            check_one_row(line, row, cells, columns, found);
        free(line);
        if (!whole)
            break;
        if ((row + 1) % size == 0)
            close_bucket(found, columns, kept);
    }
    if (done)
        close_bucket(found, columns, kept);
    free(cells);
    free(found);
    return done;
}

// One byte for each row: 1 if it is kept. `count` receives their number.
static unsigned char *wanted_rows(FILE *file, int64_t rows, int64_t rows_max, int columns, int64_t *count) {
    unsigned char *kept = carom_allocate(rows + 1, sizeof *kept);
    if (!kept)
        return NULL;
    // a short table is kept completely, in one pass
    if (rows <= rows_max) {
        memset(kept, 1, (size_t)rows);
    } else {
        long begin = ftell(file);
        if (!choose_rows(file, rows, rows_max, columns, kept) || fseek(file, begin, SEEK_SET) != 0) {
            free(kept);
            return NULL;
        }
    }
    *count = 0;
    for (int64_t row = 0; row < rows; row++)
        *count += kept[row];
    return kept;
}

static carom_status read_rows(FILE *file, int64_t lines, int64_t rows_max, carom_csv_table *table, bool *failed) {
    // the first line holds the names
    int64_t rows = lines - 1, count = 0;
    char *names = next_line(file);
    if (!names)
        return CAROM_NO_MEMORY;
    table->column_count = count_cells(names);
    unsigned char *kept = wanted_rows(file, rows, rows_max, table->column_count, &count);
    table->lines = kept ? carom_allocate(count + 1, sizeof *table->lines) : NULL;
    if (!table->lines || !allocate(table, count)) {
        free(names);
        free(kept);
        return CAROM_NO_MEMORY;
    }
    // the text of the cells stays in the lines; cells only point into it
    table->lines[0] = names;
    cut(names, table->names);
    for (int64_t row = 0; row < rows; row++) {
        char *line = next_line(file);
        // the file was shortened meanwhile
        if (!line)
            break;
        // a table that was edited by hand, or a damaged file
        if (count_cells(line) != table->column_count) {
            free(line);
            *failed = true;
            break;
        }
        if (!kept[row]) {
            free(line);
            table->skipped++;
            continue;
        }
        cut(line, &table->cells[table->row_count * table->column_count]);
        table->lines[++table->row_count] = line;
    }
    free(kept);
    return CAROM_OK;
}

carom_status carom_csv_read(const char *path, int64_t rows_max, carom_csv_table *table, carom_error *error) {
    *table = (carom_csv_table){0};
    FILE *file = carom_platform_open(path, "rb");
    // tables are optional: a run without probes has no probes.csv
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
