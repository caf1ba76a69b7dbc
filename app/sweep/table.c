// SPDX-License-Identifier: MIT
// Writes sweep.csv: one row for each run of a sweep, with the columns of the results of all runs.
#include "app/sweep/table.h"

#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "carom/text.h"

const char *carom_table_value(const carom_case *run, const char *name, int *hint) {
    for (int i = 0; i < run->results.count; i++) {
        int at = (*hint + i) % run->results.count;
        if (strcmp(run->results.items[at].name, name) == 0) {
            *hint = at + 1;
            return run->results.items[at].text;
        }
    }
    return "";
}

// The index of a name, searched from `from` on and then from the start; -1 if it is new.
static int find(const carom_table *table, const char *name, int from) {
    for (int i = 0; i < table->count; i++) {
        int at = (from + i) % table->count;
        if (strcmp(table->names[at], name) == 0)
            return at;
    }
    return -1;
}

carom_status carom_table_create(const carom_sweep *sweep, carom_table *table, carom_error *error) {
    *table = (carom_table){0};
    for (int i = 0; i < sweep->study.point_count; i++) {
        const carom_row *results = &sweep->cases[i].results;
        const char **names = realloc(table->names, ((size_t)table->count + (size_t)results->count + 1) * sizeof *names);
        if (!names || results->failed)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the table of the sweep");
        table->names = names;
        int next = 0;
        for (int c = 0; c < results->count; c++) {
            int at = find(table, results->items[c].name, next);
            if (at < 0) {
                at = next;
                memmove(names + at + 1, names + at, (size_t)(table->count - at) * sizeof *names);
                names[at] = results->items[c].name;
                table->count++;
            }
            next = at + 1;
        }
    }
    return CAROM_OK;
}

void carom_table_release(carom_table *table) {
    free(table->names);
    *table = (carom_table){0};
}

// Appends a cell, quoted if it contains a comma, a quotation mark or a line end.
static void put_cell(carom_text *text, const char *cell, bool first) {
    if (!first)
        carom_text_append(text, ",", 1);
    if (!strpbrk(cell, ",\"\r\n")) {
        carom_text_append(text, cell, strlen(cell));
        return;
    }
    carom_text_append(text, "\"", 1);
    for (; *cell; cell++) {
        if (*cell == '"')
            carom_text_append(text, "\"", 1);
        carom_text_append(text, cell, 1);
    }
    carom_text_append(text, "\"", 1);
}

static void put_row(carom_text *text, const carom_sweep *sweep, const carom_table *table, int point) {
    const carom_case *run = &sweep->cases[point];
    for (int k = 0; k < sweep->study.key_count; k++)
        put_cell(text, carom_study_value(&sweep->study, point, k), k == 0);
    put_cell(text, run->folder, false);
    put_cell(text, carom_case_status_name(run->status), false);
    put_cell(text, run->message ? run->message : "", false);
    int hint = 0;
    for (int c = 0; c < table->count; c++)
        put_cell(text, carom_table_value(run, table->names[c], &hint), false);
    carom_text_print(text, "\n");
}

carom_status carom_table_write(const carom_sweep *sweep, carom_error *error) {
    carom_table table;
    carom_text text = {0};
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/sweep.csv", sweep->directory);
    carom_status status = carom_table_create(sweep, &table, error);
    if (!status) {
        for (int k = 0; k < sweep->study.key_count; k++)
            put_cell(&text, sweep->study.keys[k], k == 0);
        carom_text_print(&text, ",run,status,message");
        for (int c = 0; c < table.count; c++)
            put_cell(&text, table.names[c], false);
        carom_text_print(&text, "\n");
        for (int i = 0; i < sweep->study.point_count; i++)
            put_row(&text, sweep, &table, i);
        status = carom_write_text(path, &text, error);
    }
    carom_table_release(&table);
    return status;
}
