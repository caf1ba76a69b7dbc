// SPDX-License-Identifier: MIT
// Finds the signals of a result (columns over time of history.csv, probes.csv and pairs.csv) by name, for carom plot.
#include "app/show/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carom/file.h"

// Length beyond which a list of names is cut off in a message.
enum { LISTED_MAX = 400, NAME_CAPACITY = 3 * CAROM_NAME_MAX };

// Columns of pairs.csv before those that can be drawn: time, body_1, body_2.
enum { PAIR_HEAD = 3 };

static carom_status read_table(const char *directory, const char *name, int64_t rows_max, carom_csv_table *table,
                               carom_error *error) {
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return carom_file_is_foreign(directory, name) ? CAROM_OK : carom_csv_read(path, rows_max, table, error);
}

carom_status carom_signals_read(const char *directory, int64_t rows_max, carom_signals *signals, carom_error *error) {
    char path[CAROM_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/history.csv", directory);
    if (strlen(directory) >= CAROM_TEXT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of the directory is too long");
    if (stat(path, &info) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s holds no result of carom: there is no history.csv", directory);
    if (carom_file_is_foreign(directory, "history.csv"))
        return carom_fail(error, CAROM_BAD_INPUT, "%s was not written by carom", path);
    carom_status status = read_table(directory, "history.csv", rows_max, &signals->history, error);
    if (!status)
        status = read_table(directory, "probes.csv", rows_max, &signals->probes, error);
    if (!status)
        status = read_table(directory, "pairs.csv", rows_max, &signals->pairs, error);
    if (!status && signals->history.row_count == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s has no rows yet", path);
    return status;
}

void carom_signals_release(carom_signals *signals) {
    carom_csv_release(&signals->history);
    carom_csv_release(&signals->probes);
    carom_csv_release(&signals->pairs);
}

static bool same_pair(const carom_csv_table *pairs, int64_t row, const char *const pair[2]) {
    return strcmp(carom_csv_cell(pairs, row, 1), pair[0]) == 0 && strcmp(carom_csv_cell(pairs, row, 2), pair[1]) == 0;
}

// True if `name` is A-B.COLUMN; names of bodies may themselves contain hyphens.
static bool is_named(const char *name, const char *a, const char *b, const char *column) {
    size_t first = strlen(a), second = strlen(b);
    return strncmp(name, a, first) == 0 && name[first] == '-' && strncmp(name + first + 1, b, second) == 0 &&
           name[first + 1 + second] == '.' && strcmp(name + first + second + 2, column) == 0;
}

// The times of history.csv up to the first contact of a pair.
static void find_begin(const carom_signals *signals, int64_t first_row, double begin[2]) {
    int time = carom_csv_column(&signals->history, "time");
    double contact = carom_csv_number(&signals->pairs, first_row, 0);
    begin[0] = begin[1] = NAN;
    for (int64_t row = 0; time >= 0 && row < signals->history.row_count; row++) {
        double t = carom_csv_number(&signals->history, row, time);
        if (t >= contact)
            break;
        begin[row > 0] = t;
    }
}

static bool find_pair(const carom_signals *signals, const char *name, carom_signal *signal) {
    const carom_csv_table *pairs = &signals->pairs;
    const char *dot = strrchr(name, '.');
    int column = dot ? carom_csv_column(pairs, dot + 1) : -1;
    if (column < PAIR_HEAD)
        return false;
    for (int64_t row = 0; row < pairs->row_count; row++) {
        const char *a = carom_csv_cell(pairs, row, 1), *b = carom_csv_cell(pairs, row, 2);
        bool straight = is_named(name, a, b, dot + 1), turned = !straight && is_named(name, b, a, dot + 1);
        if (!straight && !turned)
            continue;
        // what acts on one body acts on the other with the opposite sign
        bool vector = strncmp(dot + 1, "force_", 6) == 0 || strncmp(dot + 1, "moment_", 7) == 0;
        *signal = (carom_signal){.table = pairs, .column = column, .pair = {a, b}, .sign = turned && vector ? -1 : 1};
        find_begin(signals, row, signal->begin);
        return true;
    }
    return false;
}

bool carom_signals_find(const carom_signals *signals, const char *name, carom_signal *signal) {
    const carom_csv_table *tables[] = {&signals->history, &signals->probes};
    for (int t = 0; t < 2; t++) {
        int column = carom_csv_column(tables[t], name);
        if (column >= 0 && carom_csv_column(tables[t], "time") >= 0) {
            *signal = (carom_signal){.table = tables[t], .column = column, .sign = 1};
            return true;
        }
    }
    return find_pair(signals, name, signal);
}

// The names of the signals of all pairs, each once. A pair has rows from its first contact on, so the rows of the last time
// contain all pairs.
static void add_pairs(const carom_signals *signals, carom_text *all) {
    const carom_csv_table *pairs = &signals->pairs;
    int64_t row = pairs->row_count;
    while (row > 0 && strcmp(carom_csv_cell(pairs, row - 1, 0), carom_csv_cell(pairs, pairs->row_count - 1, 0)) == 0)
        row--;
    for (; row < pairs->row_count; row++)
        for (int c = PAIR_HEAD; c < pairs->column_count; c++)
            carom_text_print(all, "%s%s-%s.%s", all->size ? "\n" : "", carom_csv_cell(pairs, row, 1),
                             carom_csv_cell(pairs, row, 2), pairs->names[c]);
}

// All names, a line each.
static void add_all(const carom_signals *signals, carom_text *all) {
    const carom_csv_table *tables[] = {&signals->history, &signals->probes};
    for (int t = 0; t < 2; t++)
        for (int c = 1; c < tables[t]->column_count; c++)
            carom_text_print(all, "%s%s", all->size ? "\n" : "", tables[t]->names[c]);
    add_pairs(signals, all);
}

// The lines of a text, each of which is a name.
typedef struct name_list {
    carom_text text;
    int count;
    const char **names; // NULL: there are none, or there is no memory
} name_list;

// Cuts the text into its lines.
static void cut_lines(name_list *list) {
    for (size_t i = 0; i < list->text.size; i++)
        list->count += i == 0 || list->text.data[i] == '\n';
    list->names = list->count ? calloc((size_t)list->count, sizeof *list->names) : NULL;
    char *at = list->text.data;
    for (int i = 0; list->names && i < list->count; i++) {
        list->names[i] = at;
        at += strcspn(at, "\n");
        *at++ = 0;
    }
    if (!list->names)
        list->count = 0;
}

static void release_list(name_list *list) {
    free(list->names);
    carom_text_release(&list->text);
}

carom_status carom_signals_unknown(const carom_signals *signals, const char *directory, const char *name, carom_error *error) {
    name_list all = {0};
    add_all(signals, &all.text);
    cut_lines(&all);
    const char *nearest = all.count ? carom_text_nearest(name, all.names, all.count) : NULL;
    carom_text list = {0};
    for (int i = 0; i < all.count && list.size <= LISTED_MAX; i++)
        carom_text_print(&list, "%s%s", i ? ", " : "", all.names[i]);
    carom_fail(error, CAROM_BAD_INPUT,
               "neither history.csv nor probes.csv nor pairs.csv of %s has a column '%s'%s%s%s; there are %.*s%s", directory,
               name, nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", LISTED_MAX,
               list.data ? list.data : "", list.size > LISTED_MAX ? " ..." : "");
    release_list(&all);
    carom_text_release(&list);
    return CAROM_BAD_INPUT;
}

int64_t carom_signal_values(const carom_signal *signal, double *x, double *y) {
    int64_t count = 0;
    int time = carom_csv_column(signal->table, "time");
    for (int i = 0; signal->pair[0] && i < 2; i++)
        if (isfinite(signal->begin[i])) {
            if (x)
                x[count] = signal->begin[i];
            if (y)
                y[count] = 0;
            count++;
        }
    for (int64_t row = 0; row < signal->table->row_count; row++) {
        if (signal->pair[0] && !same_pair(signal->table, row, signal->pair))
            continue;
        if (x)
            x[count] = carom_csv_number(signal->table, row, time);
        if (y)
            y[count] = signal->sign * carom_csv_number(signal->table, row, signal->column);
        count++;
    }
    return count;
}

double carom_signal_largest(const carom_signal *signal) {
    double largest = 0;
    for (int64_t row = 0; row < signal->table->row_count; row++)
        if (!signal->pair[0] || same_pair(signal->table, row, signal->pair))
            largest = fmax(largest, fabs(carom_csv_number(signal->table, row, signal->column)));
    return largest;
}

// The largest magnitude of each signal whose name ends in `ending` and is not listed yet; 0 for the others.
static void measure(const carom_signals *signals, const name_list *all, const char *ending, const carom_signal_names *names,
                    double *sizes) {
    for (int i = 0; i < all->count; i++) {
        size_t length = strlen(all->names[i]), tail = strlen(ending);
        carom_signal signal;
        if (length > tail && length < NAME_CAPACITY && strcmp(all->names[i] + length - tail, ending) == 0 &&
            carom_signals_find(signals, all->names[i], &signal))
            sizes[i] = carom_signal_largest(&signal);
        for (int k = 0; k < names->count; k++)
            if (strcmp(all->names[i], names->name[k]) == 0)
                sizes[i] = 0;
    }
}

// Adds the largest signals, in descending order; none without memory.
static void add_largest(const carom_signals *signals, name_list *all, const char *ending, int most, carom_signal_names *names) {
    cut_lines(all);
    int places = (int)(sizeof names->name / sizeof *names->name);
    double *sizes = all->count ? calloc((size_t)all->count, sizeof *sizes) : NULL;
    if (sizes)
        measure(signals, all, ending, names, sizes);
    for (int added = 0; sizes && added < most && names->count < places; added++) {
        int best = 0;
        for (int i = 1; i < all->count; i++)
            if (sizes[i] > sizes[best])
                best = i;
        if (!(sizes[best] > 0))
            break;
        sizes[best] = 0;
        int length = (int)(strlen(all->names[best]) - strlen(ending));
        snprintf(names->name[names->count], NAME_CAPACITY, "%s", all->names[best]);
        snprintf(names->label[names->count++], NAME_CAPACITY, "%.*s", length, all->names[best]);
    }
    free(sizes);
    release_list(all);
}

void carom_signals_forces(const carom_signals *signals, int most, carom_signal_names *names) {
    name_list all = {0};
    add_pairs(signals, &all.text);
    add_largest(signals, &all, ".normal", most, names);
}

void carom_signals_stresses(const carom_signals *signals, int most, carom_signal_names *names) {
    name_list all = {0};
    for (int c = 1; c < signals->history.column_count; c++)
        carom_text_print(&all.text, "%s%s", all.text.size ? "\n" : "", signals->history.names[c]);
    add_largest(signals, &all, ".max_von_mises", most, names);
}
