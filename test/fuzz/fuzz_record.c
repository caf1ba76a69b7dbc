// SPDX-License-Identifier: MIT
// Any bytes are the records of a sweep, sweep.json, run.json and summary.json alike: read or refused with a message, never a
// crash, a leak or a hang.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/sweep/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_file(const char *path, const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

// A sweep over one key with one point, whose folder has these records.
static void read_case(const char *folder, const uint8_t *data, size_t size) {
    static const char *const files[] = {"run.json", "summary.json", "probes.csv"};
    const char *keys[] = {"contact.friction"}, *values[] = {"0.5"};
    char path[CAROM_PATH_MAX];
    carom_sweep sweep = {.cases = calloc(1, sizeof *sweep.cases)};
    carom_error error = {0};
    snprintf(sweep.directory, sizeof sweep.directory, "%s", folder);
    if (!sweep.cases || carom_study_copy(1, keys, 1, values, &sweep.study, &error))
        abort();
    snprintf(path, sizeof path, "%s/runs", folder);
    mkdir(path, 0700);
    snprintf(sweep.cases[0].folder, sizeof sweep.cases[0].folder, "point");
    carom_case_path(&sweep, 0, "", path);
    mkdir(path, 0700);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        carom_case_path(&sweep, 0, files[f], path);
        write_file(path, data, size);
    }
    if (carom_case_read(&sweep, 0, &error) && !strstr(error.message, folder))
        abort();
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        carom_case_path(&sweep, 0, files[f], path);
        unlink(path);
    }
    *strrchr(path, '/') = 0;
    rmdir(path);
    *strrchr(path, '/') = 0;
    rmdir(path);
    carom_row_release(&sweep.cases[0].results);
    free(sweep.cases[0].message);
    free(sweep.cases);
    carom_study_release(&sweep.study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char folder[] = "record-XXXXXX", path[64];
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/sweep.json", folder);
    write_file(path, data, size);
    carom_record record;
    carom_error error = {0};
    if (carom_record_read(folder, &record, &error) && !strstr(error.message, folder))
        abort();
    carom_record_release(&record);
    unlink(path);
    read_case(folder, data, size);
    rmdir(folder);
    return 0;
}
