// SPDX-License-Identifier: MIT
// Writes the table of carom compare (cost, quality and energies of each method side by side) and the same as compare.json.
#include "app/compare/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/compare/disagreement.h"
#include "app/json.h"
#include "app/message.h"
#include "carom/file.h"
#include "carom/table.h"
#include "carom/text.h"
#include "carom/version.h"

// Maximum numbers of pairs and of columns of probes in the table, rows read of a table of probes, and widths in characters.
enum { PAIRS_MAX = 6, PROBES_MAX = 12, PROBE_ROWS_MAX = 1000, LABEL = 26, COLUMN = 14, NAME = 30, WIDTH = 100 };

// Buffer size of the sentence about a disagreement.
enum { HINT_MAX = 3 * CAROM_TEXT_MAX };

// Labels of the rows of every method, in the order of the table: cost, quality, energies. They are also the names of columns in
// compare.json, which scripts use.
static const char *const labels[] = {
    "steps",          "step size",     "wall seconds",   "element updates",
    "contact events", "energy error",  "momentum error", "angular momentum error",
    "penetration",    "intersections", "kinetic, end",   "internal, end",
    "total, end",     "lost",          "residual, end",
};

enum { FIGURES = sizeof labels / sizeof *labels };

static double value_of(const carom_result *result, int figure) {
    const carom_summary *s = &result->summary;
    // NaN: surfaces of this run were never checked for intersections
    const double crossings = s->audits ? (double)s->intersections : (double)NAN;
    const double values[] = {
        (double)s->steps,
        result->step_size,
        s->wall_seconds,
        (double)s->element_updates,
        (double)s->contact_events,
        s->energy_error,
        s->momentum_error,
        s->angular_momentum_error,
        s->max_penetration,
        crossings,
        s->last.kinetic,
        s->last.internal,
        s->last.total,
        carom_ledger_sum(&s->last, CAROM_LEDGER_LOSS),
        s->last.residual,
    };
    _Static_assert(sizeof values / sizeof *values == FIGURES, "a label for each value");
    return values[figure];
}

// Pairs that touched in any of the runs, in the order in which they are met.
typedef struct pairs {
    int count;
    const carom_pair_label *items[PAIRS_MAX];
} pairs;

// By name: a result read from a file has no indices of bodies.
static bool same_pair(const carom_pair_label *a, const carom_pair_label *b) {
    return strcmp(a->name[0], b->name[0]) == 0 && strcmp(a->name[1], b->name[1]) == 0;
}

// The names are borrowed from the results, which outlive the table.
static pairs find_pairs(const carom_contest *contest) {
    pairs found = {0};
    for (int i = 0; i < contest->count; i++) {
        const carom_result *result = &contest->items[i].result;
        for (int p = 0; contest->items[i].ran && p < result->summary.pair_count; p++) {
            bool known = false;
            for (int k = 0; k < found.count; k++)
                known |= same_pair(found.items[k], &result->labels[p]);
            if (!known && found.count < PAIRS_MAX)
                found.items[found.count++] = &result->labels[p];
        }
    }
    return found;
}

// The time of the last contact of a pair. NaN if it never touched, or still touches at the end.
static double release_of(const carom_result *result, const carom_pair_label *pair) {
    for (int p = 0; p < result->summary.pair_count; p++)
        if (same_pair(&result->labels[p], pair)) {
            // repeated contacts: the pair may touch again after one mean interval between events
            const carom_pair_record *r = &result->summary.pairs[p];
            double pause = r->events > 1 ? (r->last_contact - r->first_contact) / (double)(r->events - 1) : 0;
            double since = result->summary.last.time - r->last_contact;
            return since > 1.5 * result->step_size + 2 * pause ? r->last_contact : (double)NAN;
        }
    return NAN;
}

// Columns of probes that move in any of the runs, displacements and velocities before positions, with their values at the end.
typedef struct probes {
    int count;
    char names[PROBES_MAX][2 * CAROM_NAME_MAX];
    double *ends; // of each method, one after the other
} probes;

// True if a column changes in time.
static bool moves(const carom_csv_table *table, int column) {
    for (int64_t row = 1; row < table->row_count; row++)
        if (carom_csv_number(table, row, column) != carom_csv_number(table, 0, column))
            return true;
    return false;
}

// Adds the columns of one kind of component that move and are not listed yet.
static void find_columns(probes *found, const carom_csv_table *table, char kind) {
    for (int c = 1; c < table->column_count && found->count < PROBES_MAX; c++) {
        const char *dot = strrchr(table->names[c], '.');
        bool known = !dot || dot[1] != kind || !moves(table, c);
        for (int k = 0; k < found->count; k++)
            known |= strcmp(found->names[k], table->names[c]) == 0;
        if (!known)
            snprintf(found->names[found->count++], sizeof *found->names, "%s", table->names[c]);
    }
}

// If memory is short, the list is empty.
static probes find_probes(const carom_contest *contest) {
    probes found = {0};
    carom_csv_table *tables = carom_zeroed(contest->count, sizeof *tables);
    found.ends = carom_zeroed((int64_t)PROBES_MAX * contest->count, sizeof *found.ends);
    for (int i = 0; tables && i < contest->count; i++) {
        char path[CAROM_TEXT_MAX + 16];
        snprintf(path, sizeof path, "%s/probes.csv", contest->items[i].directory);
        if (contest->items[i].ran)
            carom_csv_read(path, PROBE_ROWS_MAX, &tables[i], NULL);
    }
    // Positions are listed only if there are no displacements, which differ from them by a constant.
    static const char kinds[] = {'u', 'v', 'x', 'y', 'z'};
    bool displaced = false;
    for (size_t k = 0; tables && found.ends && k < sizeof kinds && (k < 2 || !displaced); k++)
        for (int i = 0; i < contest->count; i++) {
            find_columns(&found, &tables[i], kinds[k]);
            displaced |= k == 0 && found.count > 0;
        }
    for (int i = 0; tables && found.ends && i < contest->count; i++) {
        for (int k = 0; k < found.count; k++) {
            int column = carom_csv_column(&tables[i], found.names[k]);
            found.ends[PROBES_MAX * i + k] = column >= 0 && tables[i].row_count > 0
                                                 ? carom_csv_number(&tables[i], tables[i].row_count - 1, column)
                                                 : (double)NAN;
        }
        carom_csv_release(&tables[i]);
    }
    free(tables);
    return found;
}

// The rows of the table: figures, then pairs, then probes.
typedef struct rows {
    pairs pairs;
    probes probes;
    int count;
} rows;

static rows find_rows(const carom_contest *contest) {
    rows r = {.pairs = find_pairs(contest), .probes = find_probes(contest)};
    r.count = FIGURES + r.pairs.count + r.probes.count;
    return r;
}

enum { ROW_LABEL_MAX = 2 * CAROM_NAME_MAX + 16 };

// Rows are numbered through figures, pairs and probes, in this order; number_of uses the same numbering.
static void label_of(const rows *r, int row, char label[static ROW_LABEL_MAX]) {
    int pair = row - FIGURES, probe = pair - r->pairs.count;
    if (pair < 0)
        snprintf(label, ROW_LABEL_MAX, "%s", labels[row]);
    else if (probe < 0)
        snprintf(label, ROW_LABEL_MAX, "release, %s - %s", r->pairs.items[pair]->name[0], r->pairs.items[pair]->name[1]);
    else
        snprintf(label, ROW_LABEL_MAX, "%s, end", r->probes.names[probe]);
}

static double number_of(const carom_contest *contest, int method, const rows *r, int row) {
    const carom_result *result = &contest->items[method].result;
    int pair = row - FIGURES, probe = pair - r->pairs.count;
    return pair < 0    ? value_of(result, row)
           : probe < 0 ? release_of(result, r->pairs.items[pair])
                       : r->probes.ends[PROBES_MAX * method + probe];
}

static void print_number(double value, int width, FILE *stream) {
    if (isnan(value))
        fprintf(stream, "%*s", width, "-");
    else
        fprintf(stream, "%*.6g", width, value);
}

// A name that is too long for the table is replaced by a number, which is explained above the table.
static bool is_long(const carom_contestant *c) {
    return strlen(c->variant->name) > NAME;
}

static int width_of(const carom_contestant *c) {
    int size = is_long(c) ? 0 : (int)strlen(c->variant->name) + 2;
    return size > COLUMN ? size : COLUMN;
}

static void print_name(const carom_contest *contest, int i, FILE *stream) {
    const carom_contestant *c = &contest->items[i];
    char number[16];
    snprintf(number, sizeof number, "(%d)", i + 1);
    fprintf(stream, "%*s", width_of(c), is_long(c) ? number : c->variant->name);
}

// The columns of methods from `begin` up to `end`.
static void print_part(const carom_contest *contest, const rows *r, int begin, int end, FILE *stream) {
    fprintf(stream, "%-*s", LABEL, "");
    for (int i = begin; i < end; i++)
        if (contest->items[i].ran)
            print_name(contest, i, stream);
    fputc('\n', stream);
    for (int row = 0; row < r->count; row++) {
        char label[ROW_LABEL_MAX];
        label_of(r, row, label);
        fprintf(stream, "%-*s", LABEL, label);
        if ((int)strlen(label) >= LABEL)
            fprintf(stream, "\n%-*s", LABEL, "");
        for (int i = begin; i < end; i++) {
            const carom_contestant *c = &contest->items[i];
            if (c->ran)
                print_number(number_of(contest, i, r, row), width_of(c), stream);
        }
        fputc('\n', stream);
    }
}

void carom_contest_print(const carom_contest *contest, FILE *stream) {
    rows r = find_rows(contest);
    for (int i = 0; i < contest->count; i++)
        if (contest->items[i].ran && is_long(&contest->items[i]))
            fprintf(stream, "(%d) %s\n", i + 1, contest->items[i].variant->name);
    // As many methods side by side as fit, at least one; the others in further tables below.
    for (int begin = 0, end; begin < contest->count; begin = end) {
        int used = LABEL, shown = 0;
        for (end = begin; end < contest->count; end++) {
            int width = contest->items[end].ran ? width_of(&contest->items[end]) : 0;
            if (shown > 0 && used + width > WIDTH)
                break;
            used += width;
            shown += contest->items[end].ran;
        }
        if (shown > 0) {
            if (begin > 0)
                fputc('\n', stream);
            print_part(contest, &r, begin, end, stream);
        }
    }
    for (int i = 0; i < contest->count; i++)
        if (*contest->items[i].reason)
            fprintf(stream, "\n%s %s: %s\n", contest->items[i].variant->name, contest->items[i].ran ? "failed" : "did not run",
                    contest->items[i].reason);
    char hint[HINT_MAX];
    carom_contest_hint(contest, hint, sizeof hint);
    if (*hint)
        fprintf(stream, "\n%s\n", hint);
    free(r.probes.ends);
}

// The same numbers as in carom_contest_print, unrounded; missing ones are null.
void carom_contest_table(const carom_contest *contest, carom_text *text) {
    rows r = find_rows(contest);
    carom_text_print(text, "{\"columns\": [\"method\"");
    for (int row = 0; row < r.count; row++) {
        char label[ROW_LABEL_MAX];
        label_of(&r, row, label);
        carom_text_print(text, ", ");
        carom_json_string(text, label);
    }
    carom_text_print(text, "],\n\"rows\": [");
    bool first = true;
    for (int i = 0; i < contest->count; i++) {
        const carom_contestant *c = &contest->items[i];
        if (!c->ran)
            continue;
        carom_text_print(text, "%s\n[", first ? "" : ",");
        first = false;
        carom_json_string(text, c->variant->name);
        for (int row = 0; row < r.count; row++) {
            carom_text_print(text, ", ");
            carom_json_real(text, number_of(contest, i, &r, row));
        }
        carom_text_print(text, "]");
    }
    carom_text_print(text, "]}");
    free(r.probes.ends);
}

// The summary of the run is copied as it is: reading and writing it again could lose members of other versions.
static carom_status put_summary(const carom_contestant *c, carom_text *text, carom_error *error) {
    char path[CAROM_PATH_MAX];
    unsigned char *bytes;
    size_t size;
    snprintf(path, sizeof path, "%s/summary.json", c->directory);
    carom_status status = carom_read_bytes(path, &bytes, &size, error);
    if (status)
        return status;
    while (size > 0 && (bytes[size - 1] == '\n' || bytes[size - 1] == ' '))
        size--;
    carom_text_append(text, (const char *)bytes, size);
    free(bytes);
    return CAROM_OK;
}

static carom_status put_contestant(const carom_contestant *c, carom_text *text, carom_error *error) {
    carom_text_print(text, "\n{");
    carom_json_put_text(text, "name", c->variant->name, ", ");
    carom_json_put_text(text, "integrator", c->variant->kind->name, ", \"set\": ");
    carom_json_put_list(text, (const char *const *)c->variant->settings, c->variant->setting_count);
    carom_text_print(text, ", ");
    carom_json_put_text(text, "directory", c->ran ? c->variant->folder : NULL, ", ");
    carom_json_put_text(text, "reason", *c->reason ? c->reason : NULL, ",\n\"summary\": ");
    carom_status status = CAROM_OK;
    if (c->ran)
        status = put_summary(c, text, error);
    else
        carom_text_print(text, "null");
    carom_text_print(text, "}");
    return status;
}

// Replaces the file in one step, so a comparison that fails leaves the old one.
carom_status carom_contest_write(const carom_contest *contest, const char *path, carom_error *error) {
    carom_text text = {0};
    carom_text_print(&text, "{\n");
    carom_json_put_text(&text, "version", carom_version(), ",\n");
    carom_json_put_text(&text, "scene", contest->scene, ",\n");
    carom_json_put_text(&text, "title", contest->title, ",\n");
    char hint[HINT_MAX];
    carom_contest_hint(contest, hint, sizeof hint);
    carom_json_put_text(&text, "hint", *hint ? hint : NULL, ",\n\"table\": ");
    carom_contest_table(contest, &text);
    carom_text_print(&text, ",\n\"runs\": [");
    carom_status status = CAROM_OK;
    for (int i = 0; !status && i < contest->count; i++) {
        carom_text_print(&text, i ? "," : "");
        status = put_contestant(&contest->items[i], &text, error);
    }
    carom_text_print(&text, "]\n}\n");
    if (!status)
        return carom_write_text(path, &text, error);
    carom_text_release(&text);
    return status;
}
