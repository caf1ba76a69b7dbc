// SPDX-License-Identifier: MIT
// The result of a run: summary.json, and the ledger table with the names of the bodies.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/numerals.h"
#include "base/processor.h"
#include "carom/run.h"
#include "carom/text.h"
#include "carom/version.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/load_cells.h"
#include "output/file.h"
#include "sim/profile_table.h"

void carom_summary_release(carom_summary *summary) {
    free(summary->pairs);
    free(summary->peaks);
    free(summary->filtered);
    *summary = (carom_summary){0};
}

// True if a body of the pair touched another one before the pair had parted.
static bool is_disturbed(const carom_state *state, const carom_pair_record *pair) {
    for (int p = 0; p < carom_state_pair_count(state); p++) {
        carom_pair_record other = carom_state_pair(state, p);
        bool same = other.body[0] == pair->body[0] && other.body[1] == pair->body[1];
        bool shared = other.body[0] == pair->body[0] || other.body[0] == pair->body[1] || other.body[1] == pair->body[0] ||
                      (other.body[1] == pair->body[1] && other.body[1] >= 0);
        if (!same && shared && other.first_contact <= pair->last_contact)
            return true;
    }
    return false;
}

double carom_summary_restitution(const carom_sim *sim, const carom_pair_record *pair) {
    const carom_state *state = carom_sim_state(sim);
    // The separation is noted when a whole step has passed without an impulse. Vibrating bodies touch repeatedly, so a
    // whole force window without contact is required.
    bool parted = carom_state_step(state) - pair->last_step >= 2 &&
                  carom_state_time(state) - pair->last_contact >= carom_sim_force_window(sim);
    if (!parted || is_disturbed(state, pair))
        return NAN;
    // No ratio if the speed of approach is within rounding, or if the mass centres still approach, as those of a body that was
    // hit at a corner and rotates.
    if (!(pair->approach > 1e-9 * fabs(pair->separation)) || pair->separation < 0)
        return NAN;
    return pair->separation / pair->approach;
}

char *carom_summary_text(const carom_sim *sim, const carom_summary *summary) {
    carom_pair_label *labels = carom_allocate(summary->pair_count, sizeof *labels);
    if (!labels)
        return NULL;
    for (int i = 0; i < summary->pair_count; i++) {
        const int *body = summary->pairs[i].body;
        for (int side = 0; side < 2; side++)
            snprintf(labels[i].name[side], CAROM_NAME_MAX, "%s",
                     side && body[1] == body[0] ? "itself" : carom_model_side_name(carom_sim_model(sim), body[side]));
        labels[i].restitution = carom_summary_restitution(sim, &summary->pairs[i]);
    }
    char *text = carom_ledger_table(summary, labels);
    free(labels);
    return text;
}

static void put_string(carom_text *text, const char *key, const char *value) {
    carom_text_print(text, "  \"%s\": ", key);
    carom_json_string(text, value);
    carom_text_print(text, ",\n");
}

static void put_real(carom_text *text, const char *key, double value) {
    carom_text_print(text, "  \"%s\": ", key);
    carom_json_real(text, value);
    carom_text_print(text, ",\n");
}

static void put_integer(carom_text *text, const char *key, int64_t value) {
    carom_text_print(text, "  \"%s\": %" PRId64 ",\n", key, value);
}

static void put_hash(carom_text *text, const char *key, uint64_t value) {
    carom_text_print(text, "  \"%s\": \"0x%016" PRIx64 "\",\n", key, value);
}

// Writes a member of an object in one line. Real numbers have enough digits to restore their bits; NaN and infinity, which JSON
// does not have, become null.
static void put_member(carom_text *text, bool first, const char *key, double value) {
    carom_text_print(text, "%s\"%s\": ", first ? "" : ", ", key);
    carom_json_real(text, value);
}

static void put_text(carom_text *text, bool first, const char *key, const char *value) {
    carom_text_print(text, "%s\"%s\": ", first ? "" : ", ", key);
    carom_json_string(text, value);
}

static void put_vector(carom_text *text, bool first, const char *key, const double value[3]) {
    carom_text_print(text, "%s\"%s\": [", first ? "" : ", ", key);
    for (int i = 0; i < 3; i++) {
        carom_text_print(text, i ? ", " : "");
        carom_json_real(text, value[i]);
    }
    carom_text_print(text, "]");
}

// The units of the scene; without them readers show numbers only.
static void put_units(carom_text *text, const carom_units *units) {
    if (!units || !units->given)
        return;
    carom_text_print(text, "  \"units\": {");
    put_text(text, true, "length", units->length);
    put_text(text, false, "mass", units->mass);
    put_text(text, false, "time", units->time);
    carom_text_print(text, "},\n");
}

// The conserved momenta, by the names of their columns in history.csv.
static void put_conserved(carom_text *text, const carom_summary *summary) {
    carom_text_print(text, "  \"conserved\": [");
    for (int i = 0, count = 0; i < 6; i++)
        if (summary->conserved[i])
            carom_text_print(text, "%s\"%s\"", count++ ? ", " : "", carom_momentum_name(i));
    carom_text_print(text, "],\n");
    put_real(text, "conserved_momentum_error", summary->conserved_error[0]);
    put_real(text, "conserved_angular_momentum_error", summary->conserved_error[1]);
}

// What an integrator counts, such as its kicks of each kind or the work of its solver.
static void put_counts(carom_text *text, const carom_sim *sim) {
    const carom_integrator *method = (const carom_integrator *)carom_sim_integrator(sim);
    for (const carom_method_result *result = method->results; result && result->name; result++) {
        if (result->kind != CAROM_RESULT_COUNTS)
            continue;
        const double *counts = carom_method_result_values(result, carom_sim_state(sim));
        carom_text_print(text, "  \"%s\": {", result->name);
        for (int i = 0; result->labels[i]; i++)
            carom_text_print(text, "%s\"%s\": %" PRId64, i ? ", " : "", result->labels[i], (int64_t)counts[i]);
        carom_text_print(text, "},\n");
    }
}

// Energy errors of bounces that are still to be returned, at the end, and the largest that a pair of bodies ever had.
static void put_accounts(carom_text *text, const carom_ledger_row *last) {
    carom_text_print(text, "  \"accounts\": {");
    put_member(text, true, "open", last->account);
    put_member(text, false, "largest", last->largest_account);
    carom_text_print(text, "},\n");
}

// The columns of the ledger by their names; the momenta, which have three columns each, as vectors. app/result.c reads them
// back.
static void put_row(carom_text *text, const char *key, const carom_ledger_row *row) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    carom_text_print(text, "    \"%s\": {", key);
    for (int c = 0; c < count; c++)
        if (columns[c].integer)
            carom_text_print(text, ", \"%s\": %" PRId64, columns[c].name, (int64_t)carom_ledger_value(row, &columns[c]));
        else if (!strstr(columns[c].unit, "momentum"))
            put_member(text, c == 0, columns[c].name, carom_ledger_value(row, &columns[c]));
    put_vector(text, false, "momentum", row->momentum);
    put_vector(text, false, "angular_momentum", row->angular_momentum);
    carom_text_print(text, "}");
}

// The forces of a static analysis, instead of momenta.
static void put_forces(carom_text *text, const carom_summary *summary) {
    carom_text_print(text, "  \"forces\": {");
    for (int i = 0; i < 4; i++)
        put_vector(text, i == 0, carom_resultant_name(i), summary->forces[i]);
    carom_text_print(text, "},\n");
    put_real(text, "stability_lost_at", summary->stability_lost);
}

static void put_pairs(carom_text *text, const carom_sim *sim, const carom_summary *summary) {
    double peak = 0;
    for (int i = 0; i < summary->pair_count; i++)
        peak = fmax(peak, summary->pairs[i].peak_force);
    put_real(text, "peak_force", peak);
    put_real(text, "force_window", summary->force_window);
    carom_text_print(text, "  \"pairs\": [");
    for (int i = 0; i < summary->pair_count; i++) {
        const carom_pair_record *pair = &summary->pairs[i];
        carom_text_print(text, "%s\n    {\"bodies\": [", i ? "," : "");
        carom_json_string(text, carom_model_side_name(carom_sim_model(sim), pair->body[0]));
        carom_text_print(text, ", ");
        carom_json_string(text, carom_model_side_name(carom_sim_model(sim), pair->body[1]));
        carom_text_print(text, "], \"events\": %" PRId64, pair->events);
        put_member(text, false, "first_contact", pair->first_contact);
        put_member(text, false, "last_contact", pair->last_contact);
        put_member(text, false, "impulse", pair->impulse);
        put_member(text, false, "approach", pair->approach);
        put_member(text, false, "macroscopic_restitution", carom_summary_restitution(sim, pair));
        put_member(text, false, "peak_force", pair->peak_force);
        put_member(text, false, "peak_time", pair->peak_force > 0 ? pair->peak_time : (double)NAN);
        put_member(text, false, "duration", pair->last_contact - pair->first_contact);
        put_member(text, false, "contact_time", pair->contact_time);
        carom_text_print(text, "}");
    }
    carom_text_print(text, summary->pair_count ? "\n  ]" : "]");
}

// What the load cells of obstacles have measured; nothing without obstacles.
static void put_cells(carom_text *text, const carom_sim *sim) {
    const carom_model *model = carom_sim_model(sim);
    const carom_state *state = carom_sim_state(sim);
    if (!model->poses.count)
        return;
    carom_text_print(text, "  \"cells\": [");
    for (int p = 0; p < model->poses.count; p++) {
        double sums[CAROM_CELL_SUMS];
        carom_cells_sums(state, p, sums);
        carom_cell_peaks peaks = carom_cells_peaks(state, p);
        carom_text_print(text, "%s\n    {", p ? "," : "");
        put_text(text, true, "obstacle", model->bodies[model->poses.items[p].body].name);
        put_vector(text, false, "impulse", sums + CAROM_CELL_FORCE);
        put_vector(text, false, "angular_impulse", sums + CAROM_CELL_MOMENT);
        put_member(text, false, "peak_force", peaks.force);
        put_member(text, false, "peak_force_time", peaks.force > 0 ? peaks.force_time : (double)NAN);
        put_member(text, false, "peak_moment", peaks.moment);
        put_member(text, false, "peak_moment_time", peaks.moment > 0 ? peaks.moment_time : (double)NAN);
        carom_text_print(text, "}");
    }
    carom_text_print(text, "\n  ],\n");
}

const char *carom_filtered_name(bool force) {
    return force ? "max_filtered_force" : "max_filtered_acceleration";
}

const carom_peak *carom_summary_peak(const carom_summary *summary, const char *body, carom_peak_kind kind) {
    const carom_peak *most = NULL;
    double sign = kind == CAROM_PEAK_LEAST ? -1 : 1;
    for (int i = 0; i < summary->peak_count; i++) {
        const carom_peak *peak = &summary->peaks[i];
        if (peak->kind == kind && (!body || strcmp(peak->body, body) == 0) &&
            (!most || sign * peak->value > sign * most->value))
            most = peak;
    }
    return most;
}

// Begins the object of a value that can be gated: by the name of its gate, its owner ("body" or "probe") and its quantity.
static void begin_gated(carom_text *text, int index, const char *kind, const char *owner, const char *quantity, double value) {
    char name[2 * CAROM_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", owner, quantity);
    carom_text_print(text, "%s\n    {", index ? "," : "");
    put_text(text, true, "name", name);
    put_text(text, false, kind, owner);
    put_text(text, false, "quantity", quantity);
    put_member(text, false, "value", value);
}

// First those of all bodies, by the names of the gates, then all.
static void put_peaks(carom_text *text, const carom_summary *summary) {
    for (int kind = 0; kind < CAROM_PEAK_KINDS; kind++) {
        const carom_peak *peak = carom_summary_peak(summary, NULL, (carom_peak_kind)kind);
        if (peak)
            put_real(text, carom_peak_name((carom_peak_kind)kind), peak->value);
    }
    carom_text_print(text, "  \"peaks\": [");
    for (int i = 0; i < summary->peak_count; i++) {
        static const char *const axes[3] = {"x", "y", "z"};
        const carom_peak *peak = &summary->peaks[i];
        begin_gated(text, i, "body", peak->body, carom_peak_name(peak->kind), peak->value);
        carom_text_print(text, ", \"element\": %" PRId64 ", \"cell\": %" PRId64, peak->element, peak->cell);
        for (int axis = 0; axis < 3; axis++)
            put_member(text, false, axes[axis], peak->x[axis]);
        put_member(text, false, "time", peak->time);
        carom_text_print(text, "}");
    }
    carom_text_print(text, summary->peak_count ? "\n  ],\n" : "],\n");
}

// By the names of the gates; nothing if no probe has a filter.
static void put_filtered(carom_text *text, const carom_summary *summary) {
    if (summary->filtered_count == 0)
        return;
    carom_text_print(text, "  \"filtered\": [");
    for (int i = 0; i < summary->filtered_count; i++) {
        const carom_filtered_peak *peak = &summary->filtered[i];
        begin_gated(text, i, "probe", peak->probe, carom_filtered_name(peak->force), peak->value);
        put_member(text, false, "time", peak->time);
        carom_text_print(text, "}");
    }
    carom_text_print(text, "\n  ],\n");
}

static void put_verdicts(carom_text *text, const carom_verdict *verdicts, int count) {
    carom_text_print(text, ",\n  \"expect\": [");
    for (int i = 0; i < count; i++) {
        carom_text_print(text, "%s\n    {", i ? "," : "");
        put_text(text, true, "name", verdicts[i].name);
        put_text(text, false, "condition", verdicts[i].condition);
        put_member(text, false, "value", verdicts[i].value);
        if (verdicts[i].reference)
            put_member(text, false, verdicts[i].reference == CAROM_REFERENCE_PUBLISHED ? "published" : "exact",
                       verdicts[i].exact);
        if (verdicts[i].source[0])
            put_text(text, false, "source", verdicts[i].source);
        carom_text_print(text, ", \"passed\": %s}", verdicts[i].passed ? "true" : "false");
    }
    carom_text_print(text, "\n  ]");
}

// How steps were divided, where they may be.
static void put_division(carom_text *text, const carom_division *division) {
    if (!division->possible)
        return;
    carom_text_print(text, "  \"division\": {\"parts\": %" PRId64, division->parts);
    put_member(text, false, "smallest_step", division->smallest);
    if (division->parts) {
        put_member(text, false, "time", division->time);
        put_text(text, false, "element", division->element);
    }
    carom_text_print(text, "},\n");
}

// What was run, how large it is, and what the run took.
static void put_run(carom_text *text, const carom_sim *sim, const carom_run_def *def, const carom_summary *summary) {
    const carom_model *model = carom_sim_model(sim);
    put_string(text, "version", carom_version());
    put_string(text, "scene", def->scene);
    put_string(text, "title", def->title);
    put_units(text, def->units);
    put_string(text, "integrator", carom_sim_integrator(sim)->name);
    carom_text_print(text, "  \"completed\": %s,\n", carom_sim_done(sim) ? "true" : "false");
    put_real(text, "time_end", (double)carom_sim_step_count(sim) * carom_sim_step_size(sim));
    put_real(text, "step_size", carom_sim_step_size(sim));
    put_integer(text, "retries", def->attempt);
    put_integer(text, "steps", summary->steps);
    put_hash(text, "model_hash", model->hash);
    put_integer(text, "nodes", model->node_count);
    put_integer(text, "elements", model->element_count);
    put_integer(text, "element_updates", summary->element_updates);
    put_integer(text, "contact_events", summary->contact_events);
    put_division(text, &summary->division);
    put_counts(text, sim);
    put_accounts(text, &summary->last);
    put_integer(text, "processes", summary->processes);
    if (summary->processes > 1) {
        put_integer(text, "rebalances", summary->rebalances);
        put_real(text, "imbalance", summary->imbalance > 0 ? summary->imbalance : NAN);
    }
    put_integer(text, "threads", summary->threads);
    put_string(text, "device", carom_sim_device(sim) ? carom_sim_device(sim) : "cpu");
    carom_text_print(text, "  \"kernels\": \"%s\",\n", carom_kernels_name(carom_kernels_chosen()));
    put_real(text, "wall_seconds", summary->wall_seconds);
    carom_profile_put(text, summary);
}

// The quality of the result: errors of the balances, overlaps, events.
static void put_quality(carom_text *text, const carom_summary *summary) {
    put_real(text, "energy_error", summary->energy_error);
    put_real(text, "momentum_error", summary->momentum_error);
    put_real(text, "angular_momentum_error", summary->angular_momentum_error);
    put_conserved(text, summary);
    put_real(text, "max_penetration", summary->max_penetration);
    put_integer(text, "intersections", summary->intersections);
    put_integer(text, "audits", summary->audits);
    put_real(text, "minimum_distance", summary->minimum_distance);
    put_hash(text, "state_hash", summary->state_hash);
    carom_text_print(text, "  \"reproducible\": %s,\n", summary->varies ? "false" : "true");
    carom_text_print(text, "  \"events\": {");
    for (int i = 0; i < CAROM_EVENT_COUNT; i++)
        carom_text_print(text, "%s\"%s\": %" PRId64, i ? ", " : "", carom_event_name((carom_event)i), summary->events[i]);
    carom_text_print(text, "},\n  \"guards\": {");
    put_member(text, true, "kinetic", summary->guard_kinetic);
    put_member(text, false, "unexplained", summary->guard_unexplained);
    carom_text_print(text, "},\n");
}

// The ledger, and the scales of its errors.
static void put_books(carom_text *text, const carom_summary *summary) {
    carom_text_print(text, "  \"scales\": {");
    put_member(text, true, "energy", summary->energy_scale);
    put_member(text, false, "momentum", summary->momentum_scale);
    put_member(text, false, "angular_momentum", summary->angular_momentum_scale);
    carom_text_print(text, "},\n  \"ledger\": {\n");
    put_row(text, "first", &summary->first);
    carom_text_print(text, ",\n");
    put_row(text, "last", &summary->last);
    carom_text_print(text, "\n  },\n  ");
    put_vector(text, true, "external_impulse", summary->external_impulse);
    carom_text_print(text, ",\n  ");
    put_vector(text, true, "external_angular_impulse", summary->external_angular_impulse);
    carom_text_print(text, ",\n");
}

// The whole file is made in memory and replaces the old one in one step: a reader sees either the old summary or the new one,
// and a full disk leaves the old one.
static carom_status write_all(const carom_sim *sim, const carom_run_def *def, const carom_summary *summary,
                              const carom_verdict *verdicts, int verdict_count, carom_error *error) {
    // A run without output has a summary in memory only.
    if (!def->output || def->discard)
        return CAROM_OK;
    carom_text text = {0};
    carom_text_print(&text, "{\n");
    put_run(&text, sim, def, summary);
    put_quality(&text, summary);
    put_books(&text, summary);
    if (summary->is_static)
        put_forces(&text, summary);
    put_peaks(&text, summary);
    put_filtered(&text, summary);
    put_cells(&text, sim);
    put_pairs(&text, sim, summary);
    if (verdict_count > 0)
        put_verdicts(&text, verdicts, verdict_count);
    carom_text_print(&text, "\n}\n");

    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/summary.json", def->output->directory);
    carom_status status = text.failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for the summary")
                                      : carom_file_replace(path, text.data, text.size, error);
    carom_text_release(&text);
    return status;
}

carom_status carom_summary_write(const carom_sim *sim, const carom_run_def *def, const carom_summary *summary,
                                 const carom_verdict *verdicts, int verdict_count, carom_error *error) {
    carom_numerals numerals = carom_numerals_enter();
    carom_status status = write_all(sim, def, summary, verdicts, verdict_count, error);
    carom_numerals_leave(numerals);
    return status;
}
