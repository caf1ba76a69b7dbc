// SPDX-License-Identifier: MIT
// Keeps the list of frames, fields.pvd, complete at any time. `size` is where the closing tags begin. An entry overwrites them
// and is followed by a new copy of the tags in the same write, so the file is valid XML after every frame.
#include "output/frames/pvd.h"

#include <string.h>

#include "base/platform.h"
#include "output/tables/number.h"

static const char head[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"1.0\">\n"
                           "  <Collection>\n";
static const char tail[] = "  </Collection>\n"
                           "</VTKFile>\n";

// Bytes of a line, enough for any time and the longest name of a frame.
enum { ENTRY_MAX = 256 };

// Writes the closing tags behind the last entry and ends the file there.
static carom_status close_list(const carom_pvd *pvd, carom_error *error) {
    carom_status status = carom_file_write_at(pvd->fd, pvd->path, tail, strlen(tail), pvd->size, error);
    if (!status && ftruncate(pvd->fd, (off_t)(pvd->size + (int64_t)strlen(tail))) != 0)
        status = carom_file_fail("write", pvd->path, error);
    return status;
}

carom_status carom_pvd_open(carom_pvd *pvd, const char *path, int64_t resume_size, carom_error *error) {
    snprintf(pvd->path, sizeof pvd->path, "%s", path);

    // a new list is a complete file without frames
    if (resume_size < 0) {
        pvd->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | CAROM_OPEN_PRIVATE, 0666);
        if (pvd->fd < 0)
            return carom_file_fail("write", path, error);
        char text[sizeof head + sizeof tail];
        int size = snprintf(text, sizeof text, "%s%s", head, tail);
        pvd->size = (int64_t)strlen(head);
        return carom_file_write_at(pvd->fd, path, text, (size_t)size, 0, error);
    }

    // an existing list is closed behind its last valid entry
    pvd->fd = open(path, O_RDWR | CAROM_OPEN_PRIVATE);
    if (pvd->fd < 0)
        return carom_file_fail("resume", path, error);
    struct stat info;
    if (fstat(pvd->fd, &info) != 0)
        return carom_file_fail("read", path, error);
    if (info.st_size < resume_size)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s has lost frames since the checkpoint was written", path);
    pvd->size = resume_size;
    return close_list(pvd, error);
}

// The line of a frame; returns its length.
static int print_entry(double time, const char *file, char entry[static ENTRY_MAX]) {
    char number[CAROM_NUMBER_MAX];
    carom_number_print(time, number);
    return snprintf(entry, ENTRY_MAX, "    <DataSet timestep=\"%s\" part=\"0\" file=\"%s\"/>\n", number, file);
}

int64_t carom_pvd_entry_size(double time, const char *file) {
    char entry[ENTRY_MAX];
    return print_entry(time, file, entry);
}

carom_status carom_pvd_add(carom_pvd *pvd, double time, const char *file, carom_error *error) {
    char entry[ENTRY_MAX], text[sizeof entry + sizeof tail];
    int length = print_entry(time, file, entry);
    int size = snprintf(text, sizeof text, "%s%s", entry, tail);
    carom_status status = carom_file_write_at(pvd->fd, pvd->path, text, (size_t)size, pvd->size, error);
    if (status) {
        // the list stays valid: the closing tags are restored at their old place
        close_list(pvd, NULL);
        return status;
    }
    pvd->size += length;
    return CAROM_OK;
}

carom_status carom_pvd_close(carom_pvd *pvd, carom_error *error) {
    carom_status status = CAROM_OK;
    if (pvd->fd >= 0 && close(pvd->fd) != 0)
        status = carom_file_fail("write", pvd->path, error);
    pvd->fd = -1;
    return status;
}
