// SPDX-License-Identifier: MIT
// Writes files completely or not at all, and creates directories. Every write is repeated until all bytes are written: write()
// may stop early or be interrupted by a signal. A file that must never be seen half written is created as PATH.tmp and renamed,
// which POSIX guarantees to be atomic.
#include "output/file.h"

#include <errno.h>
#include <string.h>

#include "base/platform.h"

carom_status carom_file_fail(const char *what, const char *path, carom_error *error) {
    return carom_fail(error, CAROM_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

carom_status carom_file_write(int fd, const char *path, const void *bytes, size_t size, carom_error *error) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(fd, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return carom_file_fail("write", path, error);
        next += written;
        size -= (size_t)written;
    }
    return CAROM_OK;
}

// As above, but leaves the position of the descriptor alone.
carom_status carom_file_write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset, carom_error *error) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = carom_platform_write_at(fd, next, size, offset);
        if (written < 0)
            return carom_file_fail("write", path, error);
        next += written;
        offset += written;
        size -= (size_t)written;
    }
    return CAROM_OK;
}

// In the folder of the target, because rename() works only within one file system.
static void temporary_name(const char *path, char name[static CAROM_PATH_MAX + 8]) {
    snprintf(name, CAROM_PATH_MAX + 8, "%s.tmp", path);
}

carom_status carom_file_begin(const char *path, FILE **stream, carom_error *error) {
    char temporary[CAROM_PATH_MAX + 8];
    temporary_name(path, temporary);
    // a link of that name, in a folder of a stranger, may lead to any file
    unlink(temporary);
    *stream = carom_platform_open(temporary, "wb");
    if (!*stream)
        return carom_file_fail("write", path, error);
    return CAROM_OK;
}

carom_status carom_file_commit(const char *path, FILE *stream, carom_error *error) {
    char temporary[CAROM_PATH_MAX + 8];
    temporary_name(path, temporary);
    // keep the first reason: a later call may overwrite errno
    int reason = 0;
    if (ferror(stream))
        reason = errno ? errno : EIO;
    if (fclose(stream) != 0 && !reason)
        reason = errno;
    if (!reason && carom_platform_rename(temporary, path) != 0)
        reason = errno;
    if (!reason)
        return CAROM_OK;
    unlink(temporary);
    errno = reason;
    return carom_file_fail("write", path, error);
}

void carom_file_abandon(const char *path, FILE *stream) {
    char temporary[CAROM_PATH_MAX + 8];
    temporary_name(path, temporary);
    fclose(stream);
    unlink(temporary);
}

// errno is cleared before writing, because ferror() alone does not say why a write failed.
carom_status carom_file_replace(const char *path, const void *bytes, size_t size, carom_error *error) {
    FILE *stream;
    carom_status status = carom_file_begin(path, &stream, error);
    if (status)
        return status;
    errno = 0;
    fwrite(bytes, 1, size, stream);
    return carom_file_commit(path, stream, error);
}

carom_status carom_file_make_directory(const char *path, carom_error *error) {
    char part[CAROM_PATH_MAX];
    size_t size = strlen(path);
    // each parent is copied to be terminated at its slash
    if (size >= sizeof part) {
        errno = ENAMETOOLONG;
        return carom_file_fail("create directory", path, error);
    }
    // create each parent in turn, as `mkdir -p` does
    for (size_t end = 1; end <= size; end++) {
        if (path[end] != '/' && path[end] != 0)
            continue;
        memcpy(part, path, end);
        part[end] = 0;
        if (carom_platform_make_directory(part) == 0 || errno == EEXIST)
            continue;
        return carom_file_fail("create directory", path, error);
    }
    // EEXIST may have come from a plain file of that name
    struct stat info;
    if (stat(path, &info) != 0)
        return carom_file_fail("create directory", path, error);
    if (!S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return carom_file_fail("create directory", path, error);
    }
    return CAROM_OK;
}
