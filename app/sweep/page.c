// SPDX-License-Identifier: MIT
// The page of a sweep: a template that is part of the program (page.html), in which one line is replaced by the data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "app/sweep/page.h"
#include "app/sweep/table.h"
#include "carom/text.h"
#include "carom/version.h"

// The mark in the template.
static const char mark[] = "\"@DATA@\"";

// Writes a number if the text is one in JSON, else a string.
static void put_value(carom_text *text, const char *value) {
    bool plain = *value && strspn(value, "-.0123456789eE+") == strlen(value) && value[0] != '+' && value[0] != '.';
    char *end = NULL;
    if (plain)
        strtod(value, &end);
    // JSON has no leading zeros and no bare points
    const char *digits = value + (value[0] == '-');
    plain = plain && end && !*end && !(digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') && digits[0] != '.' &&
            value[strlen(value) - 1] != '.';
    if (!*value)
        carom_text_print(text, "null");
    else if (plain)
        carom_text_append(text, value, strlen(value));
    else
        carom_json_string(text, value);
}

static void put_run(carom_text *text, const carom_sweep *sweep, const carom_table *table, int point) {
    const carom_case *run = &sweep->cases[point];
    carom_text_print(text, "%s\n{", point ? "," : "");
    carom_json_put_text(text, "run", run->folder, ", ");
    carom_json_put_text(text, "status", carom_case_status_name(run->status), ", ");
    carom_json_put_text(text, "message", run->message, ", ");
    carom_text_print(text, "\"seconds\": ");
    carom_json_real(text, run->seconds);
    carom_text_print(text, ", \"values\": [");
    for (int k = 0; k < sweep->study.key_count; k++) {
        carom_text_print(text, k ? ", " : "");
        put_value(text, carom_study_value(&sweep->study, point, k));
    }
    carom_text_print(text, "], \"results\": [");
    int hint = 0;
    for (int c = 0; c < table->count; c++) {
        carom_text_print(text, c ? ", " : "");
        put_value(text, carom_table_value(run, table->names[c], &hint));
    }
    carom_text_print(text, "]}");
}

static void put_data(carom_text *text, const carom_sweep *sweep, const carom_table *table) {
    carom_text_print(text, "{");
    carom_json_put_text(text, "version", carom_version(), ", ");
    carom_json_put_text(text, "scene", sweep->scene, ", ");
    carom_json_put_text(text, "title", sweep->title, ", ");
    carom_text_print(text, "\"keys\": ");
    carom_json_put_list(text, (const char *const *)sweep->study.keys, sweep->study.key_count);
    carom_text_print(text, ", \"columns\": ");
    carom_json_put_list(text, table->names, table->count);
    carom_text_print(text, ", \"runs\": [");
    for (int i = 0; i < sweep->study.point_count; i++)
        put_run(text, sweep, table, i);
    carom_text_print(text, "]}");
}

// In JSON '<' occurs in strings only. It is escaped, so that no string can end the element that contains the data.
static void append_escaped(carom_text *page, const carom_text *data) {
    const char *next = data->data, *end = data->data + data->size;
    for (const char *found; (found = memchr(next, '<', (size_t)(end - next))); next = found + 1) {
        carom_text_append(page, next, (size_t)(found - next));
        carom_text_append(page, "\\u003c", 6);
    }
    carom_text_append(page, next, (size_t)(end - next));
}

carom_status carom_sweep_page_write(const carom_sweep *sweep, carom_error *error) {
    carom_table table;
    carom_text data = {0}, page = {0};
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/sweep.html", sweep->directory);
    carom_status status = carom_table_create(sweep, &table, error);
    if (!status) {
        put_data(&data, sweep, &table);
        const char *template = (const char *)carom_sweep_page, *at = strstr(template, mark);
        size_t before = at ? (size_t)(at - template) : strlen(template);
        carom_text_append(&page, template, before);
        if (at && data.data) {
            append_escaped(&page, &data);
            carom_text_append(&page, at + strlen(mark), strlen(at + strlen(mark)));
        }
        page.failed = page.failed || data.failed;
        status = carom_write_text(path, &page, error);
    }
    carom_text_release(&data);
    carom_table_release(&table);
    return status;
}
