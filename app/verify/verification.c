// SPDX-License-Identifier: MIT
// Writes the tables of the verification manual. Digits are printed as far as they are the same on every machine.
#include "app/verify/verification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/verdicts.h"
#include "carom/integrator.h"

carom_status carom_verification_add(carom_verification *v, const carom_scene *scene, const char *name,
                                    const carom_verdict *verdicts, carom_error *error) {
    int count = carom_scene_expectation_count(scene);
    // doubling keeps the copies of all scenes together linear in the number of rows
    if (v->count + count > v->capacity) {
        int capacity = 2 * (v->count + count);
        carom_verification_row *rows = realloc(v->rows, (size_t)capacity * sizeof *rows);
        if (!rows)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the rows of the document");
        v->rows = rows;
        v->capacity = capacity;
    }
    for (int i = 0; i < count; i++) {
        carom_verification_row *row = &v->rows[v->count++];
        *row = (carom_verification_row){.method = carom_scene_integrator(scene).kind};
        snprintf(row->scene, sizeof row->scene, "%s", name);
        row->verdict = verdicts ? verdicts[i] : carom_scene_expectation(scene, i);
    }
    return CAROM_OK;
}

void carom_verification_release(carom_verification *v) {
    free(v->rows);
    *v = (carom_verification){0};
}

// The table of one kind of reference.
typedef struct section {
    carom_reference reference;
    const char *heading, *anchor, *columns;
} section;

// In the order of the document: the rows that verify most come first.
static const section sections[] = {
    {CAROM_REFERENCE_EXACT, "Closed forms", "closed forms",
     "| Case: `carom verify` | Quantity | Exact | carom | Error | Gate | Source |\n|---|---|---|---|---|---|---|\n"},
    {CAROM_REFERENCE_PUBLISHED, "Published values", "published values",
     "| Case: `carom verify` | Quantity | Published | carom | Difference | Gate | Source |\n|---|---|---|---|---|---|---|\n"},
    {CAROM_REFERENCE_LAW, "Invariants", "invariants",
     "| Case: `carom verify` | Quantity | Exact | carom (= error) | Gate | Law |\n|---|---|---|---|---|---|\n"},
    {CAROM_REFERENCE_NONE, "Bounds", "bounds",
     "| Case: `carom verify` | Quantity | carom | Gate | Reason |\n|---|---|---|---|---|\n"},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

// Writes a cell; a bar, which would end it, is escaped.
static void put_cell(const char *text, FILE *stream) {
    for (; *text; text++)
        fprintf(stream, *text == '|' ? "\\%c" : "%c", *text);
}

// Values with a reference have six digits, others three.
static void put_value(const carom_verification *v, const carom_verdict *verdict, FILE *stream) {
    bool compared = verdict->reference == CAROM_REFERENCE_EXACT || verdict->reference == CAROM_REFERENCE_PUBLISHED;
    char text[CAROM_VERDICT_TEXT];
    carom_verdict_value(verdict, compared ? 6 : 3, text);
    fputs(v->planned ? "open" : text, stream);
    if (!v->planned && !verdict->passed)
        fputs(" **fails**", stream);
}

// The cells depend on the columns of the section: invariants have no separate error, bounds no exact value either.
static void put_row(const carom_verification *v, const carom_verification_row *row, FILE *stream) {
    const carom_verdict *verdict = &row->verdict;
    char error[CAROM_VERDICT_TEXT];
    carom_verdict_error(verdict, error);
    fprintf(stream, "| `%s` | `%s` | ", row->scene, verdict->name);
    if (verdict->reference != CAROM_REFERENCE_NONE)
        fprintf(stream, "%.12g | ", verdict->exact);
    put_value(v, verdict, stream);
    if (verdict->reference == CAROM_REFERENCE_EXACT || verdict->reference == CAROM_REFERENCE_PUBLISHED)
        fprintf(stream, " | %s", v->planned ? "open" : error);
    fprintf(stream, " | `%s` | ", verdict->condition);
    put_cell(verdict->source[0] ? verdict->source : "bound", stream);
    fputs(" |\n", stream);
}

// Gates of a method, of all methods if it is NULL, with that kind of reference.
static int count_rows(const carom_verification *v, const carom_kind *method, carom_reference reference) {
    int count = 0;
    for (int i = 0; i < v->count; i++)
        count += (!method || v->rows[i].method == method) && v->rows[i].verdict.reference == reference;
    return count;
}

static void put_section(const carom_verification *v, const carom_kind *method, const section *s, FILE *stream) {
    int count = count_rows(v, method, s->reference);
    if (count == 0)
        return;
    // the tables of invariants and bounds are long, and collapsed
    bool folded = s->reference == CAROM_REFERENCE_LAW || s->reference == CAROM_REFERENCE_NONE;
    fprintf(stream, "\n### %s: %s\n\n", method->name, s->anchor);
    if (folded)
        fprintf(stream, "<details>\n<summary>%d %s</summary>\n\n", count, count == 1 ? "gate" : "gates");
    fputs(s->columns, stream);
    for (int i = 0; i < v->count; i++)
        if (v->rows[i].method == method && v->rows[i].verdict.reference == s->reference)
            put_row(v, &v->rows[i], stream);
    if (folded)
        fputs("\n</details>\n", stream);
}

// Counts the changes of the name, because the rows of a scene are consecutive.
static int count_scenes(const carom_verification *v, const carom_kind *method) {
    int count = 0;
    const char *last = "";
    for (int i = 0; i < v->count; i++) {
        if (method && v->rows[i].method != method)
            continue;
        count += strcmp(v->rows[i].scene, last) != 0;
        last = v->rows[i].scene;
    }
    return count;
}

// The number of failed gates; 0 for a plan, which has no results.
static int count_failed(const carom_verification *v, const carom_kind *method) {
    int count = 0;
    for (int i = 0; i < v->count && !v->planned; i++)
        count += (!method || v->rows[i].method == method) && !v->rows[i].verdict.passed;
    return count;
}

// One line of the overview; all methods together if `method` is NULL.
static void put_overview(const carom_verification *v, const carom_kind *method, FILE *stream) {
    if (method)
        fprintf(stream, "| [`%s`](#%s) | %d |", method->name, method->name, count_scenes(v, method));
    else
        fprintf(stream, "| all | %d |", count_scenes(v, NULL));
    for (int s = 0; s < SECTIONS; s++)
        fprintf(stream, " %d |", count_rows(v, method, sections[s].reference));
    fprintf(stream, v->planned ? " open |\n" : " %d |\n", count_failed(v, method));
}

// One method: what it is, its pages and pictures, and a table for each kind of reference that it has.
static void put_method(const carom_verification *v, const carom_kind *method, FILE *stream) {
    fprintf(stream, "\n## %s\n\n%s\n", method->name, method->summary);
    if (method->reference && method->reference[0])
        fprintf(stream, "After: %s\n", method->reference);
    fputs(carom_verification_method(method->name), stream);
    for (int s = 0; s < SECTIONS; s++)
        put_section(v, method, &sections[s], stream);
}

void carom_verification_print(const carom_verification *v, FILE *stream) {
    const carom_catalogue *catalogues[] = {carom_integrators(), carom_analyses()};
    fputs(carom_verification_head, stream);
    fputs("\n| Method | Scenes |", stream);
    for (int s = 0; s < SECTIONS; s++)
        fprintf(stream, " %s |", sections[s].heading);
    fputs(" Failed |\n|---|---|---|---|---|---|---|\n", stream);

    // first the overview, then each method that has scenes
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < 2; c++)
            for (int k = 0; k < catalogues[c]->count; k++) {
                const carom_kind *method = catalogues[c]->kinds[k];
                if (count_scenes(v, method) == 0)
                    continue;
                (pass == 0 ? put_overview : put_method)(v, method, stream);
            }
        if (pass == 0)
            put_overview(v, NULL, stream);
    }
}
