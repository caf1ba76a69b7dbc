// SPDX-License-Identifier: MIT
// fields.pvd: the list of frames with their times. The file is complete at any time: each entry is
// written together with the closing tags, over the old ones.
#ifndef CAROM_OUTPUT_FRAMES_PVD_H
#define CAROM_OUTPUT_FRAMES_PVD_H

#include "output/file.h"

// Closed when fd < 0.
typedef struct carom_pvd {
    char path[CAROM_PATH_MAX];
    int fd;
    int64_t size; // bytes up to the closing tags
} carom_pvd;

// Creates the list; with resume_size >= 0 continues an existing list behind the entries that end there.
carom_status carom_pvd_open(carom_pvd *pvd, const char *path, int64_t resume_size, carom_error *error);
// Adds a frame; `file` is relative to the list.
carom_status carom_pvd_add(carom_pvd *pvd, double time, const char *file, carom_error *error);
// The bytes that such an entry adds to the list.
int64_t carom_pvd_entry_size(double time, const char *file);
carom_status carom_pvd_close(carom_pvd *pvd, carom_error *error);

#endif
