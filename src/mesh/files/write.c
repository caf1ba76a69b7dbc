// SPDX-License-Identifier: MIT
// Writes meshes. A file is written under a temporary name and renamed when it is complete, so that an existing file is
// replaced as a whole or not at all.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/platform.h"
#include "mesh/files/write.h"

void carom_write_number(FILE *stream, double value) {
    char text[32];
    // The shortest of the usual lengths that reads back as the same bits.
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    // A decimal point in any locale.
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    fputs(text, stream);
}

static carom_status fail(const char *path, int reason, carom_error *error) {
    return carom_fail(error, CAROM_IO, "cannot write %s: %s", path, strerror(reason));
}

static bool ends(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

carom_status carom_write_check_name(const char *path, carom_error *error) {
    if (ends(path, ".vtu") || ends(path, ".msh"))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s: expected a name that ends with .vtu or .msh", path);
}

// The ending decides the format.
carom_status carom_mesh_write(const carom_mesh *mesh, const char *path, carom_error *error) {
    carom_status bad = carom_write_check_name(path, error);
    if (bad)
        return bad;
    bool vtu = ends(path, ".vtu");
    size_t size = strlen(path) + sizeof ".tmp";
    char *temporary = malloc(size);
    if (!temporary)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to write %s", path);
    snprintf(temporary, size, "%s.tmp", path);
    // a link of that name, in a folder of a stranger, may lead to any file
    unlink(temporary);
    FILE *stream = carom_platform_open(temporary, "wb");
    if (!stream) {
        free(temporary);
        return fail(path, errno, error);
    }

    // fprintf need not set errno; 0 means that it did not.
    errno = 0;
    carom_status status = vtu ? carom_write_vtu(mesh, stream, error) : carom_write_msh(mesh, stream, error);
    // The first reason is reported, since a later call may reset errno.
    int reason = ferror(stream) ? (errno ? errno : EIO) : 0;
    if (fclose(stream) != 0 && !reason)
        reason = errno;
    if (!status && !reason && carom_platform_rename(temporary, path) != 0)
        reason = errno;
    if (status || reason)
        unlink(temporary);
    free(temporary);
    return status ? status : reason ? fail(path, reason, error) : CAROM_OK;
}
