// SPDX-License-Identifier: MIT
// Records velocity and contact impulse of probes at equal intervals, and filters acceleration and force computed from them.
// Acceleration between two samples is the change of velocity over the time between, force the impulse of contact over it: means
// over the interval, at its middle. No impulse falls between two intervals, so the sum of the means is the whole impulse on the
// body. With 64 samples in a period of the corner frequency such a mean is 0.04 % too low there.
#include "output/tables/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/table.h"
#include "math/vec3.h"
#include "model/state.h"
#include "output/tables/cfc.h"

// Samples per unit of the class frequency: 64 per period of the corner frequency (5/3 of the class), and the minimum of the
// standard.
static const double default_samples = 64 * 5 / 3.0, min_samples = 10;

// Columns of a probe in the file of samples: velocity and impulse; in the other one: acceleration and force, each with its
// magnitude.
enum { SAMPLED = 6, SHOWN = 4, ROWS_MAX = 1 << 28 };

static double second_of(const carom_probe_def *def) {
    return def->second > 0 ? def->second : 1;
}

carom_status carom_samples_every(const carom_probe_def *defs, int count, double step, int *every, carom_error *error) {
    *every = 0;
    for (int i = 0; i < count; i++) {
        double cfc = carom_cfc_class((carom_filter)defs[i].filter);
        if (cfc == 0)
            continue;
        double rate = second_of(&defs[i]) / step;
        if (rate < min_samples * cfc)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "output.probes: '%s' cannot be filtered by cfc-%g: the time step %g makes %.4g samples in a second "
                "of %g, and the class needs %g (use a smaller time.step, or check `second`)",
                defs[i].name, cfc, step, rate, second_of(&defs[i]), min_samples * cfc);
        double steps = rate / (default_samples * cfc);
        int own = steps < 1 ? 1 : steps > 1e6 ? 1000000 : (int)steps;
        if (*every == 0 || own < *every)
            *every = own;
    }
    return CAROM_OK;
}

carom_status carom_samples_open(carom_samples *samples, const char *directory, const carom_model *model,
                                const carom_probe_def *defs, int count, double interval, int64_t resume_size,
                                carom_error *error) {
    *samples = (carom_samples){.csv = carom_csv_closed(), .interval = interval, .kept = !directory};
    if (directory)
        snprintf(samples->path, sizeof samples->path, "%s/probes_filtered.csv", directory);
    samples->items = carom_allocate(count, sizeof *samples->items);
    if (!samples->items)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the probes");
    carom_text header = {0};
    carom_text_print(&header, "time");
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++) {
        if (defs[i].filter == CAROM_FILTER_NONE)
            continue;
        carom_probe *probe = &samples->items[samples->count++];
        probe->def = &defs[i];
        status = carom_model_select(model, &defs[i].where, &probe->nodes, &probe->count, error);
        for (int c = 0; c < SAMPLED; c++)
            carom_text_print(&header, ",%s.%c%c", defs[i].name, c < 3 ? 'v' : 'j', "xyz"[c % 3]);
    }
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/probes_samples.csv", directory ? directory : "");
    if (!status && samples->count && directory)
        return carom_csv_begin(&samples->csv, path, &header, resume_size, error);
    carom_text_release(&header);
    return status;
}

// Numbers of a row: the time, then those of each probe.
static int width_of(const carom_samples *samples) {
    return 1 + SAMPLED * samples->count;
}

// Appends a row to the samples in memory and returns it; NULL if memory is short.
static double *new_row(carom_samples *samples) {
    if (samples->row_count == samples->capacity) {
        int64_t capacity = 2 * samples->capacity + 1024;
        double *rows = realloc(samples->rows, (size_t)capacity * (size_t)width_of(samples) * sizeof *rows);
        if (!rows)
            return NULL;
        samples->rows = rows;
        samples->capacity = capacity;
    }
    return &samples->rows[samples->row_count++ * width_of(samples)];
}

carom_status carom_samples_row(carom_samples *samples, const carom_state *state, carom_error *error) {
    if (samples->count == 0)
        return CAROM_OK;
    double *row = samples->kept ? new_row(samples) : NULL;
    if (samples->kept && !row)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the samples of probes");
    if (row)
        row[0] = state->time;
    else
        carom_csv_real(&samples->csv, state->time);
    for (int i = 0; i < samples->count; i++) {
        double values[SAMPLED];
        carom_probe_motion(&samples->items[i], state, values, values + 3);
        // the impulse of the first kick belongs to the interval that follows
        for (int c = 3; c < SAMPLED && state->step == 0; c++)
            values[c] = 0;
        if (row)
            memcpy(&row[1 + SAMPLED * i], values, sizeof values);
        else
            carom_csv_reals(&samples->csv, values, SAMPLED);
    }
    if (row)
        return CAROM_OK;
    carom_status status = carom_csv_end_row(&samples->csv, error);
    return !status && carom_csv_crowded(&samples->csv) ? carom_csv_flush(&samples->csv, error) : status;
}

// Reads all samples back from the file, which also has those before an interruption. 17 digits restore the same bits.
static carom_status read_rows(carom_samples *samples, carom_error *error) {
    carom_csv_table table = {0};
    char path[CAROM_PATH_MAX];
    memcpy(path, samples->csv.path, sizeof path);
    samples->row_count = 0;
    carom_status status = carom_csv_flush(&samples->csv, error);
    if (!status)
        status = carom_csv_read(path, ROWS_MAX, &table, error);
    for (int64_t row = 0; row < table.row_count && !status; row++) {
        double *values = new_row(samples);
        if (!values)
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the samples of probes");
        for (int c = 0; c < width_of(samples) && values; c++)
            values[c] = carom_csv_number(&table, row, c);
    }
    carom_csv_release(&table);
    return status;
}

// Writes the filtered difference quotients of one column to the first column of `values`, at a stride of `stride`.
static void filter_column(const carom_samples *samples, const carom_probe_def *def, int column, double *values, int stride) {
    int64_t count = samples->row_count - 1;
    int width = width_of(samples);
    for (int64_t row = 0; row < count; row++)
        values[row * stride] =
            (samples->rows[(row + 1) * width + column] - samples->rows[row * width + column]) / samples->interval;
    carom_cfc_apply(carom_cfc_class((carom_filter)def->filter), samples->interval / second_of(def), values, count, stride);
}

static bool is_shown(const carom_samples *samples, int signal) {
    const carom_probe_def *def = samples->items[signal / 2].def;
    return signal % 2 ? def->force : def->acceleration;
}

// The middle of an interval.
static double time_of(const carom_samples *samples, int64_t row) {
    int width = width_of(samples);
    return 0.5 * (samples->rows[row * width] + samples->rows[(row + 1) * width]);
}

static void put_header(const carom_samples *samples, carom_text *text) {
    static const char *const endings[SHOWN] = {"x", "y", "z", ""};
    carom_text_print(text, "time");
    for (int s = 0; s < 2 * samples->count; s++)
        for (int c = 0; c < SHOWN && is_shown(samples, s); c++)
            carom_text_print(text, ",%s.%s%s", samples->items[s / 2].def->name, s % 2 ? "f" : "a", endings[c]);
}

// All rows: the time in the middle of each interval, then three components and their size for each signal.
static carom_status write_filtered(const carom_samples *samples, const double *values, int64_t count, carom_error *error) {
    carom_text header = {0};
    carom_csv csv = carom_csv_closed();
    put_header(samples, &header);
    carom_status status = carom_csv_begin(&csv, samples->path, &header, -1, error);
    int signals = 2 * samples->count;
    for (int64_t row = 0; row < count && !status; row++) {
        carom_csv_real(&csv, time_of(samples, row));
        for (int s = 0; s < signals; s++) {
            const double *v = &values[3 * (row * signals + s)];
            if (!is_shown(samples, s))
                continue;
            carom_csv_reals(&csv, v, 3);
            carom_csv_real(&csv, carom_norm(v));
        }
        status = carom_csv_end_row(&csv, error);
        if (!status && carom_csv_crowded(&csv))
            status = carom_csv_flush(&csv, error);
    }
    carom_status end = carom_csv_close(&csv, status ? NULL : error);
    return status ? status : end;
}

// The largest of each signal that is recorded; of equal ones the first.
static int find_peaks(const carom_samples *samples, const double *values, int64_t count, carom_filtered_peak *peaks) {
    int signals = 2 * samples->count, found = 0;
    for (int s = 0; s < signals && count > 0; s++) {
        if (!is_shown(samples, s))
            continue;
        carom_filtered_peak *peak = &peaks[found++];
        *peak = (carom_filtered_peak){.force = s % 2, .value = -1};
        snprintf(peak->probe, sizeof peak->probe, "%s", samples->items[s / 2].def->name);
        for (int64_t row = 0; row < count; row++) {
            double size = carom_norm(&values[3 * (row * signals + s)]);
            if (size > peak->value) {
                peak->value = size;
                peak->time = time_of(samples, row);
            }
        }
    }
    return found;
}

carom_status carom_samples_filter(carom_samples *samples, carom_filtered_peak **peaks, int *peak_count, carom_error *error) {
    *peaks = NULL;
    *peak_count = 0;
    if (samples->count == 0 || (!samples->kept && samples->csv.fd < 0))
        return CAROM_OK;
    carom_status status = samples->kept ? CAROM_OK : read_rows(samples, error);
    int64_t count = samples->row_count > 1 ? samples->row_count - 1 : 0;
    int signals = 2 * samples->count, stride = 3 * signals;
    double *values = carom_allocate(count * stride + 1, sizeof *values);
    *peaks = carom_allocate(signals, sizeof **peaks);
    if (!status && (!values || !*peaks))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the filter of probes");
    for (int s = 0; s < stride && count > 0 && !status; s++)
        filter_column(samples, samples->items[s / SAMPLED].def, 1 + s, &values[s], stride);
    if (!status && !samples->kept)
        status = write_filtered(samples, values, count, error);
    if (!status)
        *peak_count = find_peaks(samples, values, count, *peaks);
    free(values);
    return status;
}

carom_status carom_samples_close(carom_samples *samples, carom_error *error) {
    for (int i = 0; i < samples->count; i++)
        free(samples->items[i].nodes);
    free(samples->items);
    free(samples->rows);
    samples->items = NULL;
    samples->rows = NULL;
    samples->count = 0;
    return carom_csv_close(&samples->csv, error);
}
