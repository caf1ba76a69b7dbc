// SPDX-License-Identifier: MIT
// Findings are collected in the order of the checks and sorted at the end by their place in the file, as a
// compiler reports errors. If there is no memory for a finding, the report stores that.
#include "scene/finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/stream.h"

// Appends a finding to a list; NULL if memory is short. Findings about an override name the override
// instead of a line.
static carom_finding *append(carom_report *report, carom_finding **items, int *count, int64_t *capacity, carom_place place,
                             const char *path) {
    carom_finding *moved = carom_grow(*items, *count, capacity, sizeof *moved);
    if (!moved) {
        report->failed = true;
        return NULL;
    }
    *items = moved;
    carom_finding *finding = &moved[(*count)++];
    *finding = (carom_finding){.line = place.origin ? 0 : place.line, .column = place.origin ? 0 : place.column};
    snprintf(finding->file, sizeof finding->file, "%s", place.origin ? place.origin : report->file);
    snprintf(finding->path, sizeof finding->path, "%s", path);
    return finding;
}

// Notes do not make a scene invalid; excess ones are dropped silently.
void carom_report_note(carom_report *report, carom_place place, const char *path, const char *message) {
    carom_findings *findings = &report->findings;
    if (findings->note_count >= CAROM_REPORT_MAX)
        return;
    carom_finding *finding = append(report, &findings->notes, &findings->note_count, &report->note_capacity, place, path);
    if (finding)
        snprintf(finding->message, sizeof finding->message, "%s", message);
}

// Beyond the limit findings are only counted; a corrupt file could produce millions.
static void add(carom_report *report, carom_place place, const char *path, const char *format, va_list arguments) {
    carom_findings *findings = &report->findings;
    if (findings->count >= CAROM_REPORT_MAX) {
        report->dropped++;
        return;
    }
    carom_finding *finding = append(report, &findings->items, &findings->count, &report->capacity, place, path);
    if (finding)
        vsnprintf(finding->message, sizeof finding->message, format, arguments);
}

void carom_report_add(carom_report *report, carom_place place, const char *path, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(report, place, path, format, arguments);
    va_end(arguments);
}

carom_place carom_scene_place(const carom_tree *map, const char *key) {
    const carom_tree *value = carom_tree_get(map, key);
    return value ? value->place : map->place;
}

void carom_report_key(carom_report *report, const carom_tree *map, const char *path, const char *key, const char *format, ...) {
    char whole[300];
    va_list arguments;
    snprintf(whole, sizeof whole, "%s.%s", path, key);
    va_start(arguments, format);
    add(report, carom_scene_place(map, key), whole, format, arguments);
    va_end(arguments);
}

void carom_report_forbid(carom_report *report, const carom_tree *map, const char *path, const char *key, const char *why) {
    const carom_branch *branch = carom_tree_branch(map, key);
    char whole[300];
    snprintf(whole, sizeof whole, "%s.%s", path, key);
    if (branch)
        carom_report_add(report, branch->place, whole, "%s", why);
}

// The order of the file; findings about overrides (line 0) come last.
static bool before(const carom_finding *a, const carom_finding *b) {
    if ((a->line == 0) != (b->line == 0))
        return b->line == 0;
    if (a->line != b->line)
        return a->line < b->line;
    return a->column < b->column;
}

// A stable sort: findings at one place keep the order in which they were made. qsort() is not stable.
static void merge_sort(carom_finding *items, carom_finding *scratch, int count) {
    if (count < 2)
        return;
    int half = count / 2;
    merge_sort(items, scratch, half);
    merge_sort(items + half, scratch, count - half);
    int left = 0, right = half;
    for (int i = 0; i < count; i++) {
        bool take_right = left == half || (right < count && before(&items[right], &items[left]));
        scratch[i] = take_right ? items[right++] : items[left++];
    }
    memcpy(items, scratch, (size_t)count * sizeof *items);
}

void carom_report_sort(carom_report *report) {
    carom_findings *findings = &report->findings;
    carom_finding *scratch = carom_allocate(findings->count, sizeof *scratch);
    if (!scratch)
        return; // out of order, but all there
    merge_sort(findings->items, scratch, findings->count);
    free(scratch);

    // the last finding is replaced by the number of findings that are not shown
    if (report->dropped && findings->count) {
        carom_finding *last = &findings->items[findings->count - 1];
        last->path[0] = 0;
        snprintf(last->message, sizeof last->message, "%d more errors are not shown", report->dropped + 1);
        report->dropped = 0;
    }
}

const char *carom_show_text(const char *text, char shown[CAROM_SHOWN_MAX]) {
    // leave space for an escape, "...", the quote and the zero
    enum { END = CAROM_SHOWN_MAX - 10 };
    int used = 0;
    shown[used++] = '\'';
    const unsigned char *byte = (const unsigned char *)text;
    for (; *byte; byte++) {
        // do not cut inside a UTF-8 character
        bool starts_character = (*byte & 0xc0) != 0x80;
        if (used >= END || (used >= END - 4 && starts_character))
            break;
        if (*byte < 0x20 || *byte == 0x7f)
            used += snprintf(shown + used, 5, "\\x%02x", *byte);
        else
            shown[used++] = (char)*byte;
    }
    used += snprintf(shown + used, 6, "%s'", *byte ? "..." : "");
    return shown;
}

// FILE:LINE:COLUMN: KIND: PATH: MESSAGE, the form that editors recognise.
static void print(const carom_finding *items, int count, const char *kind, FILE *stream) {
    for (int i = 0; i < count; i++) {
        const carom_finding *finding = &items[i];
        fputs(finding->file, stream);
        if (finding->line)
            fprintf(stream, ":%d:%d", finding->line, finding->column);
        fprintf(stream, ": %s: %s%s%s\n", kind, finding->path, finding->path[0] ? ": " : "", finding->message);
    }
}

static void print_all(const carom_findings *findings, FILE *stream) {
    print(findings->notes, findings->note_count, "note", stream);
    print(findings->items, findings->count, "error", stream);
}

void carom_findings_release(carom_findings *findings) {
    free(findings->items);
    free(findings->notes);
    *findings = (carom_findings){0};
}

char *carom_findings_text(const carom_findings *findings) {
    carom_stream stream;
    carom_stream_open(&stream);
    if (stream.file)
        print_all(findings, stream.file);
    return carom_stream_close(&stream);
}
