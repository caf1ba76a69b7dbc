// SPDX-License-Identifier: MIT
// Reads summary.json into the structs of the library.
#include "app/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"

// Size limit of a summary, which has some kilobytes; a larger file is something else.
static const long size_max = 64L << 20;

// The file as it is, without a final zero; NULL with the reason.
static char *read_text(const char *path, size_t *size, carom_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        carom_fail(error, CAROM_IO, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    if (end >= 0 && end <= size_max)
        text = malloc((size_t)end + 1);
    if (text)
        *size = fread(text, 1, (size_t)end, file);
    else
        carom_fail(error, CAROM_IO, "cannot read %s: it is too large", path);
    fclose(file);
    return text;
}

// Cut to the size of the field: these texts are shown, never used as paths.
static void copy(char *field, size_t size, const char *text) {
    snprintf(field, size, "%s", text);
}

// A count; 0 if there is none.
static int64_t integer(const carom_json *value, const char *key) {
    double number = carom_json_number(value, key);
    // NaN, which stands for a missing member, fails the comparison. The bound keeps the conversion defined.
    return fabs(number) < 9e15 ? (int64_t)number : 0;
}

// null: a number that was not finite
static void read_vector(const carom_json *value, const char *key, double vector[3]) {
    const carom_json *list = carom_json_member(value, key);
    const carom_json *item = list ? list->item : NULL;
    for (int i = 0; i < 3; i++) {
        vector[i] = item && item->type == CAROM_JSON_NUMBER ? item->number : (double)NAN;
        item = item ? item->next : NULL;
    }
}

// The counterpart of put_row in src/sim/summary.c. A loss that an older version did not have, or that the materials of the run
// do not have, is zero.
static carom_ledger_row read_row(const carom_json *value) {
    carom_ledger_row row = {0};
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++) {
        void *member = (char *)&row + columns[c].offset;
        double number = carom_json_number(value, columns[c].name);
        if (columns[c].integer)
            *(int64_t *)member = integer(value, columns[c].name);
        else if (!isnan(number) || (columns[c].role != CAROM_LEDGER_LOSS && columns[c].role != CAROM_LEDGER_KNOWN))
            *(double *)member = number;
    }
    read_vector(value, "momentum", row.momentum);
    read_vector(value, "angular_momentum", row.angular_momentum);
    return row;
}

// Members that are missing, as in results of older versions, become NaN or 0 and are shown as "-".
static void read_summary(const carom_json *root, carom_summary *summary) {
    const carom_json *scales = carom_json_member(root, "scales"), *ledger = carom_json_member(root, "ledger"),
                     *events = carom_json_member(root, "events");
    *summary = (carom_summary){
        .steps = integer(root, "steps"),
        .element_updates = integer(root, "element_updates"),
        .contact_events = integer(root, "contact_events"),
        .processes = (int)integer(root, "processes"),
        .threads = (int)integer(root, "threads"),
        .wall_seconds = carom_json_number(root, "wall_seconds"),
        .energy_error = carom_json_number(root, "energy_error"),
        .momentum_error = carom_json_number(root, "momentum_error"),
        .angular_momentum_error = carom_json_number(root, "angular_momentum_error"),
        .conserved_error = {carom_json_number(root, "conserved_momentum_error"),
                            carom_json_number(root, "conserved_angular_momentum_error")},
        .max_penetration = carom_json_number(root, "max_penetration"),
        .audits = integer(root, "audits"),
        .intersections = integer(root, "intersections"),
        .minimum_distance = carom_json_number(root, "minimum_distance"),
        .guard_kinetic = carom_json_number(carom_json_member(root, "guards"), "kinetic"),
        .guard_unexplained = carom_json_number(carom_json_member(root, "guards"), "unexplained"),
        .energy_scale = carom_json_number(scales, "energy"),
        .momentum_scale = carom_json_number(scales, "momentum"),
        .angular_momentum_scale = carom_json_number(scales, "angular_momentum"),
        .first = read_row(carom_json_member(ledger, "first")),
        .last = read_row(carom_json_member(ledger, "last")),
    };
    // versions without this member were always reproducible
    summary->varies = carom_json_member(root, "reproducible") && !carom_json_truth(root, "reproducible");
    const carom_json *division = carom_json_member(root, "division");
    if (division) {
        summary->division = (carom_division){true,
                                             carom_json_number(root, "step_size"),
                                             integer(division, "parts"),
                                             carom_json_number(division, "smallest_step"),
                                             carom_json_number(division, "time"),
                                             ""};
        const carom_json *element = carom_json_member(division, "element");
        if (element && element->type == CAROM_JSON_STRING)
            snprintf(summary->division.element, sizeof summary->division.element, "%s", element->string);
    }
    // older versions have no accounts
    const carom_json *accounts = carom_json_member(root, "accounts");
    summary->last.account = accounts ? carom_json_number(accounts, "open") : 0;
    summary->last.largest_account = accounts ? carom_json_number(accounts, "largest") : 0;
    read_vector(root, "external_impulse", summary->external_impulse);
    read_vector(root, "external_angular_impulse", summary->external_angular_impulse);
    const carom_json *forces = carom_json_member(root, "forces");
    // only a static analysis has forces
    summary->is_static = forces;
    for (int i = 0; forces && i < 4; i++)
        read_vector(forces, carom_resultant_name(i), summary->forces[i]);
    summary->force_window = carom_json_number(root, "force_window");
    summary->stability_lost = carom_json_number(root, "stability_lost_at");
    for (int i = 0; i < CAROM_EVENT_COUNT; i++)
        summary->events[i] = integer(events, carom_event_name((carom_event)i));
    const carom_json *conserved = carom_json_member(root, "conserved");
    for (const carom_json *item = conserved ? conserved->item : NULL; item; item = item->next)
        for (int i = 0; i < 6; i++)
            if (item->type == CAROM_JSON_STRING && strcmp(item->string, carom_momentum_name(i)) == 0)
                summary->conserved[i] = true;
}

// Pairs have names of bodies instead of indices, because a result is read without its model.
static bool read_pairs(const carom_json *list, carom_result *result) {
    int count = carom_json_count(list);
    result->summary.pairs = calloc((size_t)count + 1, sizeof *result->summary.pairs);
    result->labels = calloc((size_t)count + 1, sizeof *result->labels);
    if (!result->summary.pairs || !result->labels)
        return false;
    const carom_json *item = list ? list->item : NULL;
    for (int i = 0; i < count; i++, item = item->next) {
        result->summary.pairs[i] = (carom_pair_record){
            .events = integer(item, "events"),
            .first_contact = carom_json_number(item, "first_contact"),
            .last_contact = carom_json_number(item, "last_contact"),
            .impulse = carom_json_number(item, "impulse"),
            .approach = carom_json_number(item, "approach"),
            .peak_force = carom_json_number(item, "peak_force"),
            .peak_time = carom_json_number(item, "peak_time"),
            .contact_time = carom_json_number(item, "contact_time"),
        };
        const carom_json *bodies = carom_json_member(item, "bodies"), *body = bodies ? bodies->item : NULL;
        for (int side = 0; side < 2; side++, body = body ? body->next : NULL)
            copy(result->labels[i].name[side], CAROM_NAME_MAX, body && body->string ? body->string : "?");
        result->labels[i].restitution = carom_json_number(item, "macroscopic_restitution");
    }
    result->summary.pair_count = count;
    return true;
}

// Results of versions without peaks have no list.
static bool read_peaks(const carom_json *list, carom_result *result) {
    int count = carom_json_count(list);
    result->summary.peaks = calloc((size_t)count + 1, sizeof *result->summary.peaks);
    if (!result->summary.peaks)
        return false;
    for (const carom_json *item = list ? list->item : NULL; item; item = item->next) {
        carom_peak *peak = &result->summary.peaks[result->summary.peak_count];
        int kind = 0;
        while (kind < CAROM_PEAK_KINDS && strcmp(carom_peak_name((carom_peak_kind)kind), carom_json_text(item, "quantity")))
            kind++;
        // a quantity of a later version
        if (kind == CAROM_PEAK_KINDS)
            continue;
        *peak = (carom_peak){
            .kind = (carom_peak_kind)kind,
            .value = carom_json_number(item, "value"),
            .element = integer(item, "element"),
            .cell = integer(item, "cell"),
            .x = {carom_json_number(item, "x"), carom_json_number(item, "y"), carom_json_number(item, "z")},
            .time = carom_json_number(item, "time"),
        };
        copy(peak->body, sizeof peak->body, carom_json_text(item, "body"));
        result->summary.peak_count++;
    }
    return true;
}

// A scene without gates has no list, and its count is 0.
static bool read_verdicts(const carom_json *list, carom_result *result) {
    int count = carom_json_count(list);
    result->verdicts = calloc((size_t)count + 1, sizeof *result->verdicts);
    if (!result->verdicts)
        return false;
    const carom_json *item = list ? list->item : NULL;
    for (int i = 0; i < count; i++, item = item->next) {
        carom_verdict *verdict = &result->verdicts[i];
        copy(verdict->name, sizeof verdict->name, carom_json_text(item, "name"));
        copy(verdict->condition, sizeof verdict->condition, carom_json_text(item, "condition"));
        verdict->value = carom_json_number(item, "value");
        verdict->passed = carom_json_truth(item, "passed");
        bool published = carom_json_member(item, "published");
        if (published || carom_json_member(item, "exact"))
            verdict->reference = published ? CAROM_REFERENCE_PUBLISHED : CAROM_REFERENCE_EXACT;
        verdict->exact = carom_json_number(item, published ? "published" : "exact");
        copy(verdict->source, sizeof verdict->source, carom_json_member(item, "source") ? carom_json_text(item, "source") : "");
    }
    result->verdict_count = count;
    return true;
}

bool carom_result_read(const char *directory, carom_result *result, carom_error *error) {
    *result = (carom_result){0};
    char path[CAROM_TEXT_MAX + 32];
    if (strlen(directory) >= CAROM_TEXT_MAX) {
        carom_fail(error, CAROM_BAD_INPUT, "the name of the directory is too long");
        return false;
    }
    snprintf(path, sizeof path, "%s/summary.json", directory);
    size_t size = 0;
    char *text = read_text(path, &size, error);
    if (!text)
        return false;
    carom_json *root = carom_json_parse(text, size);
    free(text);
    // without a ledger it is not a summary
    if (!root || root->type != CAROM_JSON_OBJECT || !carom_json_member(root, "ledger")) {
        carom_json_release(root);
        carom_fail(error, CAROM_BAD_INPUT, "%s is not a summary of carom", path);
        return false;
    }

    copy(result->version, sizeof result->version, carom_json_text(root, "version"));
    copy(result->scene, sizeof result->scene, carom_json_text(root, "scene"));
    copy(result->title, sizeof result->title, carom_json_text(root, "title"));
    copy(result->integrator, sizeof result->integrator, carom_json_text(root, "integrator"));
    copy(result->state_hash, sizeof result->state_hash, carom_json_text(root, "state_hash"));
    copy(result->model_hash, sizeof result->model_hash, carom_json_text(root, "model_hash"));
    result->completed = carom_json_truth(root, "completed");
    result->step_size = carom_json_number(root, "step_size");
    read_summary(root, &result->summary);
    bool done = read_pairs(carom_json_member(root, "pairs"), result) && read_peaks(carom_json_member(root, "peaks"), result) &&
                read_verdicts(carom_json_member(root, "expect"), result);
    carom_json_release(root);
    if (!done) {
        carom_result_release(result);
        carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", path);
    }
    return done;
}

// Used for -o: a figure or page must not replace a file that other commands read.
bool carom_result_owns(const char *path, carom_error *error) {
    static const char *const names[] = {
        "history.csv",      "probes.csv",   "probes_samples.csv", "probes_filtered.csv", "pairs.csv",
        "contacts.csv",     "summary.json", "scene.yaml",         "fields.pvd",          "fields.vtkhdf",
        "checkpoint.carom", "compare.json", "sweep.csv",          "sweep.json",          "run.json"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool owned = strncmp(name, "frame_", 6) == 0 && strstr(name, ".vtu");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        owned |= strcmp(name, names[i]) == 0;
    if (owned)
        carom_fail(error, CAROM_BAD_INPUT, "%s has the name of a file of a result: choose another one", path);
    return owned;
}

void carom_result_release(carom_result *result) {
    carom_summary_release(&result->summary);
    free(result->labels);
    free(result->verdicts);
    *result = (carom_result){0};
}
