// SPDX-License-Identifier: MIT
// Makes the points of a study: all combinations of the rows of a list and the points of the varied keys, without duplicates.
#include "carom/study.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/numerals.h"
#include "scene/study/axis.h"
#include "scene/study/points.h"

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the points of the study");
}

// A table of the numbers of points by the hash of their values, with open addressing. It is at most half full.
typedef struct index {
    int64_t size; // a power of two
    int *points;  // -1: free
} index_table;

static uint64_t hash_of(char *const *values, int count) {
    uint64_t h = CAROM_HASH_START;
    for (int k = 0; k < count; k++)
        h = carom_hash(h, values[k], strlen(values[k]));
    return h;
}

static bool same_values(char *const *a, char *const *b, int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(a[k], b[k]) != 0)
            return false;
    return true;
}

// The place of a point in the table: where it is, or where it would be.
static int *place_of(const index_table *table, const carom_study *study, char *const *values) {
    uint64_t at = hash_of(values, study->key_count);
    for (;; at++) {
        int *place = &table->points[at & (uint64_t)(table->size - 1)];
        if (*place < 0 || same_values(&study->values[(int64_t)*place * study->key_count], values, study->key_count))
            return place;
    }
}

// Makes a table of all points of the study, with capacity for `more`. Removes points that occurred before from the study.
static bool index_points(carom_study *study, int more, index_table *table) {
    table->size = 16;
    while (table->size < 2 * ((int64_t)study->point_count + more))
        table->size *= 2;
    table->points = carom_allocate(table->size, sizeof *table->points);
    if (!table->points)
        return false;
    memset(table->points, -1, (size_t)table->size * sizeof *table->points);
    int kept = 0, width = study->key_count;
    for (int i = 0; i < study->point_count; i++) {
        char **values = &study->values[(int64_t)i * width];
        int *place = place_of(table, study, values);
        if (*place >= 0) {
            for (int k = 0; k < width; k++)
                free(values[k]);
            continue;
        }
        memmove(&study->values[(int64_t)kept * width], values, (size_t)width * sizeof *values);
        *place = kept++;
    }
    study->point_count = kept;
    return true;
}

// A copy of one value at the end of the last point.
static bool put_value(carom_study *study, int64_t *used, const char *value) {
    study->values[*used] = strdup(value);
    return study->values[(*used)++] != NULL;
}

// All combinations of the rows of the list and the points of the axes; with samples, point i has value i of each axis.
static carom_status combine(const carom_points *list, const carom_axis *axes, int axis_count, int samples, carom_study *study,
                            carom_error *error) {
    int64_t points = samples ? samples : 1, rows = list->key_count ? list->row_count : 1;
    for (int k = 0; k < axis_count && !samples && points <= CAROM_STUDY_POINTS_MAX; k++)
        points *= axes[k].count;
    if (points * rows > CAROM_STUDY_POINTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the study has more than %d points", CAROM_STUDY_POINTS_MAX);
    study->values = carom_allocate(points * rows * study->key_count, sizeof *study->values);
    if (!study->values)
        return no_memory(error);
    study->point_count = (int)(points * rows);
    int64_t used = 0;
    bool good = true;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t point = 0; point < points; point++) {
            for (int k = 0; k < list->key_count; k++)
                good &= put_value(study, &used, list->values[row * list->key_count + k]);
            // the last key is the fastest
            for (int64_t k = 0, block = points; k < axis_count; k++) {
                block = samples ? 1 : block / axes[k].count;
                good &= put_value(study, &used, axes[k].values[point / block % axes[k].count]);
            }
        }
    return good ? CAROM_OK : no_memory(error);
}

// The keys of the list, then those of the axes; none twice.
static carom_status name_keys(const carom_points *list, const carom_axis *axes, int axis_count, carom_study *study,
                              carom_error *error) {
    int count = list->key_count + axis_count;
    if (count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing is varied: --vary KEY=A,B,C or --list FILE.csv");
    if (count > CAROM_STUDY_KEYS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "more than %d keys are varied", CAROM_STUDY_KEYS_MAX);
    study->keys = carom_allocate(count, sizeof *study->keys);
    if (!study->keys)
        return no_memory(error);
    study->key_count = count;
    for (int k = 0; k < count; k++) {
        const char *key = k < list->key_count ? list->keys[k] : axes[k - list->key_count].key;
        study->keys[k] = strdup(key);
        if (!study->keys[k])
            return no_memory(error);
        for (int other = 0; other < k; other++)
            if (strcmp(study->keys[other], key) == 0)
                return carom_fail(error, CAROM_BAD_INPUT, "'%s' is varied twice", key);
    }
    return CAROM_OK;
}

static carom_status create(const carom_study_def *def, carom_axis *axes, carom_points *list, carom_study *study,
                           carom_error *error) {
    carom_status status = CAROM_OK;
    if (def->samples < 0 || def->samples > CAROM_STUDY_POINTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "--random expects a whole number from 1 to %d", CAROM_STUDY_POINTS_MAX);
    if (def->samples && def->vary_count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "--random needs a range to choose from: --vary KEY=FROM:TO");
    if (def->list)
        status = carom_points_read(def->list, def->list_size, def->list_name, list, error);
    for (int k = 0; k < def->vary_count && !status; k++)
        status = carom_axis_read(def->vary[k], def->samples > 0, &axes[k], error);
    if (!status)
        status = name_keys(list, axes, def->vary_count, study, error);
    if (!status && def->samples)
        status = carom_axes_sample(axes, def->vary_count, def->samples, def->seed, error);
    if (!status)
        status = combine(list, axes, def->vary_count, def->samples, study, error);
    index_table table = {0};
    if (!status && !index_points(study, 0, &table))
        status = no_memory(error);
    free(table.points);
    return status;
}

carom_status carom_study_create(const carom_study_def *def, carom_study *study, carom_error *error) {
    *study = (carom_study){0};
    carom_axis *axes = carom_allocate(def->vary_count, sizeof *axes);
    carom_points list = {0};
    // numbers have a decimal point in every locale
    carom_numerals numerals = carom_numerals_enter();
    carom_status status = axes ? create(def, axes, &list, study, error) : no_memory(error);
    carom_numerals_leave(numerals);
    for (int k = 0; axes && k < def->vary_count; k++)
        carom_axis_release(&axes[k]);
    free(axes);
    carom_points_release(&list);
    return status;
}

carom_status carom_study_copy(int key_count, const char *const *keys, int point_count, const char *const *values,
                              carom_study *study, carom_error *error) {
    *study = (carom_study){0};
    study->keys = carom_allocate(key_count, sizeof *study->keys);
    study->values = carom_allocate((int64_t)key_count * point_count, sizeof *study->values);
    if (!study->keys || !study->values)
        return no_memory(error);
    study->key_count = key_count;
    study->point_count = point_count;
    bool good = true;
    for (int k = 0; k < key_count; k++)
        good &= (study->keys[k] = strdup(keys[k])) != NULL;
    int64_t used = 0;
    for (int64_t i = 0; i < (int64_t)key_count * point_count; i++)
        good &= put_value(study, &used, values[i]);
    return good ? CAROM_OK : no_memory(error);
}

carom_status carom_study_add(carom_study *study, const carom_study *more, carom_error *error) {
    int width = study->key_count;
    bool same = width == more->key_count && same_values(study->keys, more->keys, width);
    if (!same)
        return carom_fail(error, CAROM_BAD_INPUT, "the studies vary different keys");
    char **values =
        realloc(study->values, ((size_t)study->point_count + (size_t)more->point_count + 1) * (size_t)width * sizeof *values);
    if (!values)
        return no_memory(error);
    study->values = values;
    index_table table = {0};
    carom_status status = index_points(study, more->point_count, &table) ? CAROM_OK : no_memory(error);
    for (int i = 0; i < more->point_count && !status; i++) {
        char **point = &more->values[(int64_t)i * width];
        int *place = place_of(&table, study, point);
        if (*place >= 0)
            continue;
        int64_t used = (int64_t)study->point_count * width;
        bool good = true;
        for (int k = 0; k < width; k++)
            good &= put_value(study, &used, point[k]);
        *place = study->point_count++;
        status = good ? CAROM_OK : no_memory(error);
    }
    free(table.points);
    return status;
}

void carom_study_release(carom_study *study) {
    for (int k = 0; study->keys && k < study->key_count; k++)
        free(study->keys[k]);
    for (int64_t i = 0; study->values && i < (int64_t)study->point_count * study->key_count; i++)
        free(study->values[i]);
    free(study->keys);
    free(study->values);
    *study = (carom_study){0};
}
