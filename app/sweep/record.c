// SPDX-License-Identifier: MIT
// Reads and writes sweep.json (scene and points of a sweep) and the run.json of each run (its status), so that a sweep can be
// resumed.
#include "app/sweep/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/message.h"
#include "carom/text.h"
#include "carom/version.h"

static const char file_name[] = "sweep.json";

static bool exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

// A file as JSON; NULL if it is not there or not JSON.
static carom_json *read_json(const char *path) {
    unsigned char *bytes;
    size_t size;
    if (!exists(path) || carom_read_bytes(path, &bytes, &size, NULL) != CAROM_OK)
        return NULL;
    carom_json *root = carom_json_parse((const char *)bytes, size);
    carom_free(bytes);
    return root;
}

// The texts of a list, borrowed from it; NULL if one is no text, or memory is short.
static const char **texts_of(const carom_json *list, int *count) {
    *count = carom_json_count(list);
    const char **texts = carom_zeroed(*count, sizeof *texts);
    int i = 0;
    for (const carom_json *item = list && texts ? list->item : NULL; item; item = item->next) {
        if (item->type != CAROM_JSON_STRING) {
            free(texts);
            return NULL;
        }
        texts[i++] = item->string;
    }
    return texts;
}

// The points as one list of texts; NULL if a point has another number of values than there are keys.
static const char **values_of(const carom_json *points, int key_count, int *point_count) {
    *point_count = carom_json_count(points);
    const char **values = carom_zeroed((int64_t)*point_count * key_count, sizeof *values);
    int64_t used = 0;
    for (const carom_json *point = points && values ? points->item : NULL; point; point = point->next) {
        int count;
        const char **texts = texts_of(point, &count);
        if (texts && count == key_count)
            memcpy(values + used, texts, (size_t)count * sizeof *texts);
        bool good = texts && count == key_count;
        used += count;
        free(texts);
        if (!good) {
            free(values);
            return NULL;
        }
    }
    return values;
}

static bool read_settings(const carom_json *root, carom_record *record) {
    int count;
    const char **texts = texts_of(carom_json_member(root, "set"), &count);
    record->set = texts ? carom_zeroed(count, sizeof *record->set) : NULL;
    for (int i = 0; record->set && i < count; i++)
        record->set[record->set_count++] = strdup(texts[i]);
    bool good = record->set != NULL;
    for (int i = 0; good && i < count; i++)
        good = record->set[i] != NULL;
    free(texts);
    return good;
}

static bool read_points(const carom_json *root, carom_record *record, carom_error *error) {
    int key_count, point_count = 0;
    const char **keys = texts_of(carom_json_member(root, "keys"), &key_count);
    const char **values = keys ? values_of(carom_json_member(root, "points"), key_count, &point_count) : NULL;
    bool good =
        values && key_count > 0 && carom_study_copy(key_count, keys, point_count, values, &record->study, error) == CAROM_OK;
    free(keys);
    free(values);
    return good;
}

carom_status carom_record_read(const char *directory, carom_record *record, carom_error *error) {
    static const char *const others[] = {"sweep.csv", "sweep.html", "runs"};
    *record = (carom_record){0};
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, file_name);
    if (!exists(path)) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            snprintf(path, sizeof path, "%s/%s", directory, others[i]);
            if (exists(path))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "%s already exists without a sweep.json, so it does not belong to a "
                                  "sweep (choose another directory)",
                                  path);
        }
        return CAROM_OK;
    }
    carom_json *root = read_json(path);
    record->found = true;
    snprintf(record->version, sizeof record->version, "%s", carom_json_text(root, "version"));
    snprintf(record->scene, sizeof record->scene, "%s", carom_json_text(root, "scene"));
    snprintf(record->digest, sizeof record->digest, "%s", carom_json_text(root, "digest"));
    bool good = carom_json_number(root, "carom_sweep") == 1 && read_settings(root, record) && read_points(root, record, error);
    carom_json_release(root);
    return good ? CAROM_OK
                : carom_fail(error, CAROM_BAD_INPUT, "%s is not the record of a sweep (choose another directory)", path);
}

void carom_record_release(carom_record *record) {
    for (int i = 0; i < record->set_count; i++)
        free(record->set[i]);
    free(record->set);
    carom_study_release(&record->study);
    *record = (carom_record){0};
}

static void print_digest(uint64_t digest, char text[static 32]) {
    snprintf(text, 32, "0x%016" PRIx64, digest);
}

carom_status carom_record_check(const carom_record *record, const carom_sweep *sweep, carom_error *error) {
    if (!record->found)
        return CAROM_OK;
    const char *directory = sweep->directory;
    char digest[32];
    print_digest(sweep->digest, digest);
    if (strcmp(record->version, carom_version()) != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s holds a sweep of carom %s, and this is carom %s (choose another directory)", directory,
                          record->version, carom_version());
    if (strcmp(record->digest, digest) != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s holds a sweep of another scene: since then %s, a mesh file of it or a --set has changed (choose "
                          "another directory)",
                          directory, record->scene);
    bool same = record->study.key_count == sweep->study.key_count;
    for (int k = 0; same && k < sweep->study.key_count; k++)
        same = strcmp(record->study.keys[k], sweep->study.keys[k]) == 0;
    if (same)
        return CAROM_OK;
    carom_text keys = {0};
    for (int k = 0; k < record->study.key_count; k++)
        carom_text_print(&keys, "%s%s", k ? ", " : "", record->study.keys[k]);
    carom_fail(error, CAROM_BAD_INPUT, "%s holds a sweep over other keys: %s, in this order (choose another directory)",
               directory, keys.data ? keys.data : "");
    carom_text_release(&keys);
    return CAROM_BAD_INPUT;
}

carom_status carom_record_write(const carom_sweep *sweep, carom_error *error) {
    const carom_study *study = &sweep->study;
    carom_text text = {0};
    char path[CAROM_PATH_MAX], digest[32];
    print_digest(sweep->digest, digest);
    carom_text_print(&text, "{\n\"carom_sweep\": 1,\n");
    carom_json_put_text(&text, "version", carom_version(), ",\n");
    carom_json_put_text(&text, "scene", sweep->scene, ",\n");
    carom_json_put_text(&text, "digest", digest, ",\n\"set\": ");
    carom_json_put_list(&text, sweep->set, sweep->set_count);
    carom_text_print(&text, ",\n\"keys\": ");
    carom_json_put_list(&text, (const char *const *)study->keys, study->key_count);
    carom_text_print(&text, ",\n\"points\": [");
    for (int i = 0; i < study->point_count; i++) {
        carom_text_print(&text, i ? ",\n" : "\n");
        carom_json_put_list(&text, (const char *const *)&study->values[(size_t)i * (size_t)study->key_count], study->key_count);
    }
    carom_text_print(&text, "]\n}\n");
    snprintf(path, sizeof path, "%s/%s", sweep->directory, file_name);
    return carom_write_text(path, &text, error);
}

// True if the recorded values are those of the point; a folder may have been moved.
static bool same_values(const carom_sweep *sweep, int point, const carom_json *values) {
    bool same = carom_json_count(values) == sweep->study.key_count;
    for (int k = 0; same && k < sweep->study.key_count; k++)
        same = strcmp(carom_json_text(values, sweep->study.keys[k]), carom_study_value(&sweep->study, point, k)) == 0;
    return same;
}

void carom_case_read_results(carom_sweep *sweep, int point) {
    carom_case *run = &sweep->cases[point];
    char path[CAROM_PATH_MAX];
    carom_row_release(&run->results);
    // a refused run may have left the summary of an earlier one
    if (run->status == CAROM_CASE_REFUSED)
        return;
    carom_case_path(sweep, point, "summary.json", path);
    carom_json *summary = read_json(path);
    if (!summary)
        return;
    carom_row_read_summary(&run->results, summary);
    carom_json_release(summary);
    carom_case_path(sweep, point, "probes.csv", path);
    carom_row_read_table(&run->results, path);
}

carom_status carom_case_read(carom_sweep *sweep, int point, carom_error *error) {
    carom_case *run = &sweep->cases[point];
    char path[CAROM_PATH_MAX];
    carom_case_path(sweep, point, "run.json", path);
    carom_json *root = read_json(path);
    if (!root)
        return CAROM_OK;
    bool same = same_values(sweep, point, carom_json_member(root, "values"));
    run->status = carom_case_status_find(carom_json_text(root, "status"));
    run->seconds = carom_json_number(root, "seconds");
    const char *message = carom_json_text(root, "message");
    if (same && carom_case_is_final(run->status)) {
        carom_case_set_message(run, message, strlen(message));
        carom_case_read_results(sweep, point);
    }
    // without its summary a run must be repeated
    if (run->results.count == 0)
        run->status = CAROM_CASE_WAITING;
    carom_json_release(root);
    return same ? CAROM_OK : carom_fail(error, CAROM_BAD_INPUT, "%s: recorded parameters do not match this folder", path);
}

carom_status carom_case_write(const carom_sweep *sweep, int point, carom_error *error) {
    const carom_case *run = &sweep->cases[point];
    carom_text text = {0};
    char path[CAROM_PATH_MAX];
    carom_text_print(&text, "{\n\"values\": {");
    for (int k = 0; k < sweep->study.key_count; k++) {
        carom_text_print(&text, k ? ", " : "");
        carom_json_string(&text, sweep->study.keys[k]);
        carom_text_print(&text, ": ");
        carom_json_string(&text, carom_study_value(&sweep->study, point, k));
    }
    carom_text_print(&text, "},\n");
    carom_json_put_text(&text, "status", carom_case_status_name(run->status), ",\n");
    carom_json_put_text(&text, "message", run->message, ",\n\"seconds\": ");
    carom_json_real(&text, run->seconds);
    carom_text_print(&text, "\n}\n");
    carom_case_path(sweep, point, "run.json", path);
    return carom_write_text(path, &text, error);
}
