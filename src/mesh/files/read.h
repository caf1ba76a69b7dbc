// SPDX-License-Identifier: MIT
// Whole files in memory.
#ifndef CAROM_MESH_FILES_READ_H
#define CAROM_MESH_FILES_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

// All bytes of a plain file; free with free(). Fails with CAROM_IO or CAROM_NO_MEMORY.
carom_status carom_read_bytes(const char *path, unsigned char **bytes, size_t *size, carom_error *error);

// Does a name end like that of a CAD file, or of a mesh in a format that is read?
bool carom_path_is_cad(const char *path);
bool carom_path_is_mesh(const char *path);

#endif
