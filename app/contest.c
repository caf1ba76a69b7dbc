// SPDX-License-Identifier: MIT
#include "app/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numerals.h"
#include "mesh/read.h"
#include "output/file.h"
#include "output/json.h"

// Pairs whose release is shown, and the width of the table.
enum { PAIRS_MAX = 6, LABEL = 26, COLUMN = 14, NAME = 30, WIDTH = 100 };

typedef enum figure {
    STEPS,
    STEP_SIZE,
    SECONDS,
    UPDATES,
    EVENTS,
    ENERGY_DRIFT,
    MOMENTUM_DRIFT,
    ANGULAR_DRIFT,
    PENETRATION,
    KINETIC,
    INTERNAL,
    TOTAL,
    LOST,
    RESIDUAL,
    FIGURES
} figure;

static const char *const labels[FIGURES] = {
    "steps",          "step size",     "wall seconds",   "element updates",
    "contact events", "energy drift",  "momentum drift", "angular momentum drift",
    "penetration",    "kinetic, end",  "internal, end",  "total, end",
    "lost",           "residual, end",
};

static double value_of(const carom_result *result, figure f) {
    const carom_summary *s = &result->summary;
    switch (f) {
    case STEPS: return (double)s->steps;
    case STEP_SIZE: return result->step_size;
    case SECONDS: return s->wall_seconds;
    case UPDATES: return (double)s->element_updates;
    case EVENTS: return (double)s->contact_events;
    case ENERGY_DRIFT: return s->energy_drift;
    case MOMENTUM_DRIFT: return s->momentum_drift;
    case ANGULAR_DRIFT: return s->angular_momentum_drift;
    case PENETRATION: return s->max_penetration;
    case KINETIC: return s->last.kinetic;
    case INTERNAL: return s->last.internal;
    case TOTAL: return s->last.total;
    case LOST: return s->last.friction + s->last.restitution + s->last.projection;
    case RESIDUAL: return s->last.residual;
    default: return NAN;
    }
}

// Pairs that touched in any of the runs, in the order in which they are met.
typedef struct pairs {
    int count;
    const carom_pair_label *items[PAIRS_MAX];
} pairs;

static bool same_pair(const carom_pair_label *a, const carom_pair_label *b) {
    return strcmp(a->name[0], b->name[0]) == 0 && strcmp(a->name[1], b->name[1]) == 0;
}

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

// When the pair parted: its last contact. NaN if it never touched.
static double release_of(const carom_result *result, const carom_pair_label *pair) {
    for (int p = 0; p < result->summary.pair_count; p++)
        if (same_pair(&result->labels[p], pair))
            return result->summary.pairs[p].last_contact;
    return NAN;
}

static void print_number(double value, int width, FILE *stream) {
    if (isnan(value))
        fprintf(stream, "%*s", width, "-");
    else
        fprintf(stream, "%*.6g", width, value);
}

// A name that would widen the table too much is a number there, explained above.
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
static void print_part(const carom_contest *contest, const pairs *p, int begin, int end, FILE *stream) {
    fprintf(stream, "%-*s", LABEL, "");
    for (int i = begin; i < end; i++)
        if (contest->items[i].ran)
            print_name(contest, i, stream);
    fputc('\n', stream);
    for (int row = 0; row < FIGURES + p->count; row++) {
        char label[2 * CAROM_NAME_MAX + 16];
        if (row < FIGURES)
            snprintf(label, sizeof label, "%s", labels[row]);
        else
            snprintf(label, sizeof label, "release, %s - %s", p->items[row - FIGURES]->name[0],
                     p->items[row - FIGURES]->name[1]);
        fprintf(stream, "%-*s", LABEL, label);
        if ((int)strlen(label) >= LABEL)
            fprintf(stream, "\n%-*s", LABEL, "");
        for (int i = begin; i < end; i++) {
            const carom_contestant *c = &contest->items[i];
            if (c->ran)
                print_number(row < FIGURES ? value_of(&c->result, (figure)row)
                                           : release_of(&c->result, p->items[row - FIGURES]),
                             width_of(c), stream);
        }
        fputc('\n', stream);
    }
}

void carom_contest_print(const carom_contest *contest, FILE *stream) {
    pairs p = find_pairs(contest);
    for (int i = 0; i < contest->count; i++)
        if (contest->items[i].ran && is_long(&contest->items[i]))
            fprintf(stream, "(%d) %s\n", i + 1, contest->items[i].variant->name);
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
            print_part(contest, &p, begin, end, stream);
        }
    }
    for (int i = 0; i < contest->count; i++)
        if (*contest->items[i].reason)
            fprintf(stream, "\n%s %s: %s\n", contest->items[i].variant->name, contest->items[i].ran ? "failed" : "did not run",
                    contest->items[i].reason);
}

static void put_member(carom_text *text, const char *key, const char *value) {
    carom_text_print(text, "\"%s\": ", key);
    carom_json_string(text, value);
}

void carom_contest_table(const carom_contest *contest, carom_text *text) {
    pairs p = find_pairs(contest);
    carom_text_print(text, "{\"columns\": [\"method\"");
    for (int f = 0; f < FIGURES; f++) {
        carom_text_print(text, ", ");
        carom_json_string(text, labels[f]);
    }
    for (int k = 0; k < p.count; k++) {
        char label[2 * CAROM_NAME_MAX + 16];
        snprintf(label, sizeof label, "release, %s - %s", p.items[k]->name[0], p.items[k]->name[1]);
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
        for (int row = 0; row < FIGURES + p.count; row++) {
            carom_text_print(text, ", ");
            carom_json_real(text,
                            row < FIGURES ? value_of(&c->result, (figure)row) : release_of(&c->result, p.items[row - FIGURES]));
        }
        carom_text_print(text, "]");
    }
    carom_text_print(text, "]}");
}

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
    put_member(text, "name", c->variant->name);
    carom_text_print(text, ", ");
    put_member(text, "integrator", c->variant->kind->name);
    carom_text_print(text, ", \"set\": [");
    for (int s = 0; s < c->variant->setting_count; s++) {
        carom_text_print(text, s ? ", " : "");
        carom_json_string(text, c->variant->settings[s]);
    }
    carom_text_print(text, "], ");
    put_member(text, "directory", c->ran ? c->variant->folder : NULL);
    carom_text_print(text, ", ");
    put_member(text, "reason", *c->reason ? c->reason : NULL);
    carom_text_print(text, ",\n\"summary\": ");
    carom_status status = CAROM_OK;
    if (c->ran)
        status = put_summary(c, text, error);
    else
        carom_text_print(text, "null");
    carom_text_print(text, "}");
    return status;
}

carom_status carom_contest_write(const carom_contest *contest, const char *path, carom_error *error) {
    carom_text text = {0};
    carom_numerals numerals = carom_numerals_enter();
    carom_text_print(&text, "{\n");
    put_member(&text, "version", carom_version());
    carom_text_print(&text, ",\n");
    put_member(&text, "scene", contest->scene);
    carom_text_print(&text, ",\n");
    put_member(&text, "title", contest->title);
    carom_text_print(&text, ",\n\"table\": ");
    carom_contest_table(contest, &text);
    carom_text_print(&text, ",\n\"runs\": [");
    carom_status status = CAROM_OK;
    for (int i = 0; !status && i < contest->count; i++) {
        carom_text_print(&text, i ? "," : "");
        status = put_contestant(&contest->items[i], &text, error);
    }
    carom_text_print(&text, "]\n}\n");
    carom_numerals_leave(numerals);
    if (!status && text.failed)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for %s", path);
    if (!status)
        status = carom_file_replace(path, text.data, text.size, error);
    carom_text_release(&text);
    return status;
}
