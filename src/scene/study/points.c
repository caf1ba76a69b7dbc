// SPDX-License-Identifier: MIT
// Reads a table of points, as spreadsheets write it (RFC 4180): cells are separated by commas, a cell in double quotes may
// contain commas, and a quote within it is doubled. Empty lines and lines that begin with '#' are skipped.
#include "scene/study/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/study/axis.h"

// The text that is left, and the line that is being read.
typedef struct reader {
    const char *next, *end, *name;
    int line;
    carom_error *error;
} reader;

static carom_status fault(const reader *r, const char *message) {
    return carom_fail(r->error, CAROM_BAD_INPUT, "%.300s:%d: %s", r->name, r->line, message);
}

// The end of the line that begins at `next`.
static const char *line_end(const reader *r) {
    const char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    return end ? end : r->end;
}

// Goes to the next line that has cells; false at the end.
static bool find_line(reader *r) {
    while (r->next < r->end) {
        const char *end = line_end(r), *first = r->next;
        while (first < end && strchr(" \t\r", *first))
            first++;
        if (first < end && *first != '#')
            return true;
        r->next = end < r->end ? end + 1 : end;
        r->line++;
    }
    return false;
}

// Adds one cell to the list and moves behind its comma; `last` is true at the end of the line.
static carom_status read_cell(reader *r, carom_axis *cells, bool *last) {
    const char *end = line_end(r);
    char *text = malloc((size_t)(end - r->next) + 1), *out = text;
    if (!text)
        return carom_fail(r->error, CAROM_NO_MEMORY, "no memory to read %s", r->name);
    while (r->next < end && (*r->next == ' ' || *r->next == '\t'))
        r->next++;
    bool quoted = r->next < end && *r->next == '"', open = quoted;
    r->next += quoted;
    for (; r->next < end && (open || *r->next != ','); r->next++) {
        if (quoted && *r->next == '"' && open && r->next + 1 < end && r->next[1] == '"')
            *out++ = *r->next++;
        else if (quoted && *r->next == '"')
            open = false;
        else
            *out++ = *r->next;
    }
    carom_status status = open ? fault(r, "a quote is not closed in this line") : CAROM_OK;
    *last = r->next >= end;
    r->next += r->next < r->end;
    if (!status)
        status = carom_axis_add(cells, text, (size_t)(out - text), r->error);
    free(text);
    if (!status && !*cells->values[cells->count - 1])
        status = fault(r, "there is an empty cell in this line");
    return status;
}

// Appends all cells of a line.
static carom_status read_line(reader *r, carom_axis *cells) {
    bool last = false;
    carom_status status = CAROM_OK;
    while (!status && !last)
        status = read_cell(r, cells, &last);
    return status;
}

carom_status carom_points_read(const char *text, size_t size, const char *name, carom_points *points, carom_error *error) {
    *points = (carom_points){0};
    carom_axis head = {0}, cells = {0};
    reader r = {text, text + size, name, 1, error};
    // byte order mark of UTF-8, as written on Windows
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        r.next += 3;
    carom_status status = memchr(text, 0, size) ? carom_fail(error, CAROM_BAD_INPUT, "%.300s: is not a text", name) : CAROM_OK;
    if (!status && !find_line(&r))
        status = carom_fail(error, CAROM_BAD_INPUT, "%.300s: has no line with keys, such as contact.friction,time.step", name);
    if (!status)
        status = read_line(&r, &head);
    for (r.line++; !status && find_line(&r); r.line++) {
        int before = cells.count;
        status = read_line(&r, &cells);
        char message[128];
        snprintf(message, sizeof message, "the row has %d values, the head has %d keys", cells.count - before, head.count);
        if (!status && cells.count - before != head.count)
            status = fault(&r, message);
        if (!status && ++points->row_count > CAROM_STUDY_POINTS_MAX)
            status = fault(&r, "there are too many rows");
    }
    if (!status && points->row_count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%.300s: has no rows below its head", name);
    if (status) {
        carom_axis_release(&head);
        carom_axis_release(&cells);
        points->row_count = 0;
        return status;
    }
    points->key_count = head.count;
    points->keys = head.values;
    points->values = cells.values;
    return CAROM_OK;
}

void carom_points_release(carom_points *points) {
    for (int k = 0; k < points->key_count; k++)
        free(points->keys[k]);
    for (int i = 0; i < points->key_count * points->row_count; i++)
        free(points->values[i]);
    free(points->keys);
    free(points->values);
    *points = (carom_points){0};
}
