// SPDX-License-Identifier: MIT
#include "scene/finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void carom_report_add(carom_report *report, carom_place place, const char *path, const char *format, ...) {
    carom_findings *findings = &report->findings;
    if (findings->count >= CAROM_REPORT_MAX) {
        report->dropped++;
        return;
    }
    if (findings->count == report->capacity) {
        carom_finding *items = carom_grow(findings->items, findings->count, &report->capacity, sizeof *items);
        if (!items) {
            report->failed = true;
            return;
        }
        findings->items = items;
    }

    carom_finding *finding = &findings->items[findings->count++];
    *finding = (carom_finding){.line = place.origin ? 0 : place.line, .column = place.origin ? 0 : place.column};
    snprintf(finding->file, sizeof finding->file, "%s", place.origin ? place.origin : report->file);
    snprintf(finding->path, sizeof finding->path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
}

// Order of the file; overrides (line 0) after it.
static bool before(const carom_finding *a, const carom_finding *b) {
    if ((a->line == 0) != (b->line == 0))
        return b->line == 0;
    if (a->line != b->line)
        return a->line < b->line;
    return a->column < b->column;
}

// Stable: findings at one place keep the order in which they were made.
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

    if (report->dropped && findings->count) {
        carom_finding *last = &findings->items[findings->count - 1];
        last->path[0] = 0;
        snprintf(last->message, sizeof last->message, "%d more errors are not shown", report->dropped + 1);
        report->dropped = 0;
    }
}

const char *carom_show_text(const char *text, char shown[CAROM_SHOWN_MAX]) {
    // leave room for an escape, the mark of the cut, the quote and the zero
    enum { END = CAROM_SHOWN_MAX - 10 };
    int used = 0;
    shown[used++] = '\'';
    const unsigned char *byte = (const unsigned char *)text;
    for (; *byte; byte++) {
        // never cut inside a character of several bytes
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

void carom_findings_print(const carom_findings *findings, FILE *stream) {
    for (int i = 0; i < findings->count; i++) {
        const carom_finding *finding = &findings->items[i];
        fputs(finding->file, stream);
        if (finding->line)
            fprintf(stream, ":%d:%d", finding->line, finding->column);
        fprintf(stream, ": error: %s%s%s\n", finding->path, finding->path[0] ? ": " : "", finding->message);
    }
}

void carom_findings_release(carom_findings *findings) {
    free(findings->items);
    *findings = (carom_findings){0};
}
