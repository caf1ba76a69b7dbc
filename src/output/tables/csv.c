// SPDX-License-Identifier: MIT
// Writes a table that can be read while it grows. Rows collect in memory and are written as whole lines in one call. If a write
// fails, the file is cut back to its last complete line, so `size` and the content never disagree, and a resumed run can cut
// the table to the size stored in its checkpoint.
#include "output/tables/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "output/tables/number.h"

// Bytes of pending rows above which a flush is worth a system call; about 200 rows of a history.
enum { PENDING_MAX = 1 << 16 };

carom_csv carom_csv_closed(void) {
    return (carom_csv){.fd = -1};
}

// A resumed run must have the columns of the interrupted one, or its rows would not fit below the header.
static carom_status check_header(const carom_csv *csv, const carom_text *header, carom_error *error) {
    char *found = malloc(header->size);
    if (!found)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", csv->path);
    ssize_t size = carom_platform_read_at(csv->fd, found, header->size, 0);
    bool same = size == (ssize_t)header->size && memcmp(found, header->data, header->size) == 0;
    free(found);
    if (!same)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: the columns of %s are not those of this scene", csv->path);
    return CAROM_OK;
}

// Removes the rows after the checkpoint: the resumed run computes and writes them again.
static carom_status cut(carom_csv *csv, int64_t size, carom_error *error) {
    struct stat info;
    if (fstat(csv->fd, &info) != 0)
        return carom_file_fail("read", csv->path, error);
    if (info.st_size < size)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s has lost rows since the checkpoint was written",
                          csv->path);
    if (ftruncate(csv->fd, (off_t)size) != 0 || lseek(csv->fd, (off_t)size, SEEK_SET) < 0)
        return carom_file_fail("write", csv->path, error);
    csv->size = size;
    return CAROM_OK;
}

carom_status carom_csv_open(carom_csv *csv, const char *path, const carom_text *header, int64_t resume_size,
                            carom_error *error) {
    *csv = carom_csv_closed();
    if (header->failed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the columns of %s", path);
    snprintf(csv->path, sizeof csv->path, "%s", path);

    // continue the file of an interrupted run
    if (resume_size >= 0) {
        csv->fd = open(path, O_RDWR | CAROM_OPEN_PRIVATE);
        if (csv->fd < 0)
            return carom_file_fail("resume", path, error);
        carom_status status = check_header(csv, header, error);
        if (!status)
            status = cut(csv, resume_size, error);
        return status;
    }

    // or start a new one; the header is written at once, so that a reader finds the columns before the
    // first row
    csv->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | CAROM_OPEN_PRIVATE, 0666);
    if (csv->fd < 0)
        return carom_file_fail("write", path, error);
    carom_text_append(&csv->pending, header->data, header->size);
    if (csv->pending.failed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the columns of %s", path);
    return carom_csv_flush(csv, error);
}

carom_status carom_csv_begin(carom_csv *csv, const char *path, carom_text *header, int64_t resume_size, carom_error *error) {
    carom_text_append(header, "\n", 1);
    carom_status status = carom_csv_open(csv, path, header, resume_size, error);
    carom_text_release(header);
    return status;
}

carom_status carom_csv_begin_named(carom_csv *csv, const char *path, const char *const *names, int count, int64_t resume_size,
                                   carom_error *error) {
    carom_text header = {0};
    for (int i = 0; i < count; i++)
        carom_text_print(&header, "%s%s", i ? "," : "", names[i]);
    return carom_csv_begin(csv, path, &header, resume_size, error);
}

// A comma before every value but the first of a row.
static void separate(carom_csv *csv) {
    const carom_text *text = &csv->pending;
    if (text->size > 0 && text->data[text->size - 1] != '\n')
        carom_text_append(&csv->pending, ",", 1);
}

void carom_csv_real(carom_csv *csv, double value) {
    separate(csv);
    char number[CAROM_NUMBER_MAX];
    int size = carom_number_print(value, number);
    carom_text_append(&csv->pending, number, (size_t)size);
}

void carom_csv_reals(carom_csv *csv, const double *values, int count) {
    for (int i = 0; i < count; i++)
        carom_csv_real(csv, values[i]);
}

void carom_csv_integer(carom_csv *csv, int64_t value) {
    separate(csv);
    carom_text_print(&csv->pending, "%" PRId64, value);
}

void carom_csv_text(carom_csv *csv, const char *value) {
    separate(csv);
    // quotes only for text that contains a separator, a quote or a line end (RFC 4180)
    if (!strpbrk(value, ",\"\n")) {
        carom_text_append(&csv->pending, value, strlen(value));
        return;
    }
    carom_text_append(&csv->pending, "\"", 1);
    for (; *value; value++)
        carom_text_append(&csv->pending, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
    carom_text_append(&csv->pending, "\"", 1);
}

carom_status carom_csv_end_row(carom_csv *csv, carom_error *error) {
    carom_text *pending = &csv->pending;
    carom_text_append(pending, "\n", 1);
    if (!pending->failed)
        return CAROM_OK;
    // an incomplete row is removed as a whole: first its line end, if that was appended, then all back to
    // the previous line end
    if (pending->size > 0 && pending->data[pending->size - 1] == '\n')
        pending->size--;
    while (pending->size > 0 && pending->data[pending->size - 1] != '\n')
        pending->size--;
    pending->failed = false;
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a row of %s", csv->path);
}

bool carom_csv_crowded(const carom_csv *csv) {
    return csv->pending.size >= PENDING_MAX;
}

carom_status carom_csv_flush(carom_csv *csv, carom_error *error) {
    if (csv->pending.size == 0)
        return CAROM_OK;
    carom_status status = carom_file_write(csv->fd, csv->path, csv->pending.data, csv->pending.size, error);
    if (status) {
        // remove a partially written line; if this fails too, the first failure is the one to report
        if (ftruncate(csv->fd, (off_t)csv->size) == 0)
            lseek(csv->fd, (off_t)csv->size, SEEK_SET);
        return status;
    }
    csv->size += (int64_t)csv->pending.size;
    csv->pending.size = 0;
    return CAROM_OK;
}

carom_status carom_csv_sync(carom_csv *csv, carom_error *error) {
    carom_status status = carom_csv_flush(csv, error);
    if (!status && csv->fd >= 0 && carom_platform_sync(csv->fd) != 0)
        status = carom_file_fail("write", csv->path, error);
    return status;
}

carom_status carom_csv_close(carom_csv *csv, carom_error *error) {
    carom_status status = csv->fd >= 0 ? carom_csv_flush(csv, error) : CAROM_OK;
    if (csv->fd >= 0 && close(csv->fd) != 0 && !status)
        status = carom_file_fail("write", csv->path, error);
    carom_text_release(&csv->pending);
    *csv = carom_csv_closed();
    return status;
}
