// SPDX-License-Identifier: MIT
// Turns summary.json and probes.csv of a run into named values, the columns of its row in the table of a sweep.
#include "app/sweep/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/param.h"
#include "carom/table.h"
#include "carom/text.h"

// Buffer size of a name, and the number of rows to which a table is reduced; extremes are kept.
enum { NAME = 256, ROWS_MAX = 1000 };

static void add(carom_row *columns, const char *name, const char *text) {
    if (columns->count == columns->capacity) {
        int capacity = columns->capacity ? 2 * columns->capacity : 64;
        carom_row_item *items = realloc(columns->items, (size_t)capacity * sizeof *items);
        if (!items) {
            columns->failed = true;
            return;
        }
        columns->items = items;
        columns->capacity = capacity;
    }
    carom_row_item column = {strdup(name), strdup(text)};
    if (!column.name || !column.text) {
        free(column.name);
        free(column.text);
        columns->failed = true;
        return;
    }
    columns->items[columns->count++] = column;
}

static void add_number(carom_row *columns, const char *name, double value) {
    carom_text text = {0};
    if (isfinite(value))
        carom_json_real(&text, value);
    columns->failed |= text.failed;
    add(columns, name, text.data ? text.data : "");
    carom_text_release(&text);
}

// Members that depend on the machine, or are the same for all runs.
static bool is_left_out(const char *key) {
    static const char *const keys[] = {"wall_seconds", "threads", "threads_used", "processes", "profile",
                                       "kernels",      "version", "scene",        "title",     "completed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

// True for string members that are results.
static bool is_kept(const char *name) {
    return strcmp(name, "state_hash") == 0 || strcmp(name, "model_hash") == 0 || strcmp(name, "integrator") == 0;
}

// The name of an entry of a list: [x, y, z] of a vector, the name or the bodies of an object, else its index.
static void name_entry(const carom_json *list, const carom_json *entry, int index, char label[static NAME]) {
    static const char *const axes[] = {"x", "y", "z"};
    const carom_json *bodies = carom_json_member(entry, "bodies");
    const carom_json *first = bodies && bodies->type == CAROM_JSON_LIST ? bodies->item : NULL,
                     *second = first ? first->next : NULL;
    if (*carom_json_text(entry, "name"))
        snprintf(label, NAME, "%s", carom_json_text(entry, "name"));
    else if (second && first->string && second->string)
        snprintf(label, NAME, "%s-%s", first->string, second->string);
    else if (entry->type != CAROM_JSON_OBJECT && carom_json_count(list) == 3)
        snprintf(label, NAME, "%s", axes[index]);
    else
        snprintf(label, NAME, "%d", index);
}

// True for a list of strings, which has no numbers.
static bool is_of_words(const carom_json *list) {
    return list->item && list->item->type == CAROM_JSON_STRING;
}

static void flatten(carom_row *columns, const carom_json *value, const char *name) {
    char below[NAME], label[NAME];
    int index = 0;
    switch (value->type) {
    // null: a missing number
    case CAROM_JSON_NULL: add(columns, name, ""); break;
    case CAROM_JSON_BOOL: add(columns, name, value->boolean ? "1" : "0"); break;
    case CAROM_JSON_NUMBER: add_number(columns, name, value->number); break;
    case CAROM_JSON_STRING:
        if (is_kept(name))
            add(columns, name, value->string);
        break;
    case CAROM_JSON_OBJECT:
        for (const carom_json *item = value->item; item; item = item->next) {
            if (!*name && is_left_out(item->key))
                continue;
            snprintf(below, sizeof below, "%.120s%s%.120s", name, *name ? "." : "", item->key);
            flatten(columns, item, below);
        }
        break;
    case CAROM_JSON_LIST:
        for (const carom_json *item = is_of_words(value) ? NULL : value->item; item; item = item->next, index++) {
            name_entry(value, item, index, label);
            snprintf(below, sizeof below, "%.120s.%.120s", name, label);
            flatten(columns, item, below);
        }
        break;
    }
}

void carom_row_read_summary(carom_row *columns, const carom_json *summary) {
    flatten(columns, summary, "");
}

void carom_row_read_table(carom_row *columns, const char *path) {
    carom_csv_table table = {0};
    // the rows that hold the extremes are kept whatever the number of rows
    if (carom_csv_read(path, ROWS_MAX, &table, NULL) == CAROM_OK && table.row_count > 0)
        for (int c = 1; c < table.column_count; c++) {
            double last = carom_csv_number(&table, table.row_count - 1, c), least = NAN, most = NAN;
            for (int64_t row = 0; row < table.row_count; row++) {
                least = fmin(least, carom_csv_number(&table, row, c));
                most = fmax(most, carom_csv_number(&table, row, c));
            }
            const char *const words[] = {"last", "min", "max"};
            const double values[] = {last, least, most};
            for (int i = 0; i < 3; i++) {
                char name[NAME];
                snprintf(name, sizeof name, "probes.%.150s.%s", table.names[c], words[i]);
                add_number(columns, name, values[i]);
            }
        }
    carom_csv_release(&table);
}

void carom_row_release(carom_row *columns) {
    for (int i = 0; i < columns->count; i++) {
        free(columns->items[i].name);
        free(columns->items[i].text);
    }
    free(columns->items);
    *columns = (carom_row){0};
}
