// SPDX-License-Identifier: MIT
// fields.pvd: the list of frames with their times. It is a complete file at any moment: each entry is written together with the
// closing tags, over the old ones.
#ifndef CAROM_OUTPUT_PVD_H
#define CAROM_OUTPUT_PVD_H

#include "output/file.h"

// Closed when fd < 0.
typedef struct carom_pvd {
    char path[CAROM_PATH_MAX];
    int fd;
    int64_t size; // bytes up to the closing tags
} carom_pvd;

// Starts a list, or with resume_size >= 0 goes on after the entries that end there.
carom_status carom_pvd_open(carom_pvd *pvd, const char *path, int64_t resume_size, carom_error *error);
// Adds a frame; `file` is relative to the list.
carom_status carom_pvd_add(carom_pvd *pvd, double time, const char *file, carom_error *error);
carom_status carom_pvd_close(carom_pvd *pvd, carom_error *error);

#endif
