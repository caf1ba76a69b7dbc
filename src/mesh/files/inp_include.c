// SPDX-License-Identifier: MIT
// Reads the files that an Abaqus deck includes. A deck from an untrusted source must not reveal other files of the user in
// messages, so only files in the folder of the deck and below are read, after links are resolved. Each file is read once, which
// bounds the content of a deck by the sum of its files.
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "carom/file.h"
#include "mesh/files/inp.h"

enum {
    DEPTH_MAX = 8,    // of nesting: each level takes stack
    FILES_MAX = 256,  // of one deck
    PATH_SIZE = 4096, // bytes of a path, as PATH_MAX of Linux
};

bool carom_inp_add_file(carom_inp *inp, const char *name, const char *path) {
    if (!carom_reader_grow(inp->reader, (void **)&inp->files, inp->file_count, &inp->file_capacity, sizeof *inp->files))
        return false;
    // Without a path device and inode are zero, which no file has.
    struct stat info = {0};
    if (path)
        stat(path, &info);
    carom_inp_file file = {.name = strdup(name), .device = info.st_dev, .number = info.st_ino};
    if (!file.name)
        return carom_scan_no_memory(&inp->reader->scan);
    inp->files[inp->file_count++] = file;
    return true;
}

// Files are compared by device and inode, which different names of one file share.
static bool is_read(const carom_inp *inp, const char *path) {
    struct stat info;
    bool found = false;
    if (stat(path, &info) != 0)
        return false;
    for (int64_t f = 0; f < inp->file_count; f++)
        found = found || (inp->files[f].device == info.st_dev && inp->files[f].number == info.st_ino);
    return found;
}

// True if a path leads out of the folder that it starts from, by ".." or as an absolute path.
static bool leaves(const char *path, size_t size) {
    int depth = 0;
    const char *at = path, *end = path + size;
    if (size && *at == '/')
        return true;
    for (const char *stop; at < end && depth >= 0; at = stop + 1) {
        stop = memchr(at, '/', (size_t)(end - at));
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - at);
        // ".." goes up, "." and empty parts stay, any other name goes down; a negative depth is outside.
        if (length == 2 && memcmp(at, "..", 2) == 0)
            depth--;
        else if (length && (length != 1 || *at != '.'))
            depth++;
    }
    return depth < 0;
}

// True if links lead out of the folder. A file that does not exist does not lead outside; opening it will fail.
static bool links_lead_outside(const char *folder, const char *path) {
    char *inside = carom_platform_real_path(*folder ? folder : "."), *real = carom_platform_real_path(path);
    size_t size = inside ? strlen(inside) : 0;
    // realpath resolves links on both sides. The byte after the folder must be a slash: /a/bc is not inside of /a/b.
    bool outside = inside && real && strcmp(inside, "/") != 0 && (strncmp(real, inside, size) != 0 || real[size] != '/');
    free(inside);
    free(real);
    return outside;
}

// The bytes of the file are kept with its name: parts in it are read when an instance uses them.
static bool read_file(carom_inp *inp, const char *path, const unsigned char *place) {
    carom_scan *scan = &inp->reader->scan;
    unsigned char *bytes;
    size_t size;
    carom_error reason;
    if (carom_read_bytes(path, &bytes, &size, &reason))
        return carom_scan_fail(scan, place, "%s", reason.message);
    // The scan of the including file is saved; messages name the included one meanwhile.
    carom_scan outer = *scan;
    int outer_file = inp->file;
    bool good = carom_inp_add_file(inp, path, path);
    if (good) {
        inp->file = (int)inp->file_count - 1;
        inp->files[inp->file].bytes = bytes;
        inp->files[inp->file].size = size;
        inp->depth++;
        *scan = carom_scan_start(inp->files[inp->file].name, bytes, size, outer.error);
        carom_scan_mark(scan);
        good = carom_inp_read_deck(inp);
        inp->depth--;
        inp->file = outer_file;
    } else {
        free(bytes);
    }
    // The first failure is kept across files.
    outer.status = scan->status;
    *scan = outer;
    return good;
}

// The checks come before the file is opened.
bool carom_inp_include(carom_inp *inp, const char *input, size_t size, const unsigned char *place) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    int shown = size > 200 ? 200 : (int)size;
    if (!reader->path)
        return carom_scan_fail(scan, place, "*INCLUDE needs a deck that is read from a file");
    if (inp->depth == DEPTH_MAX)
        return carom_scan_fail(scan, place, "files include each other more than %d deep", DEPTH_MAX);
    if (inp->file_count == FILES_MAX)
        return carom_scan_fail(scan, place, "more than %d files are included", FILES_MAX);

    // Paths are relative to the deck itself, not to the file that includes.
    const char *slash = strrchr(reader->path, '/');
    int length = slash ? (int)(slash + 1 - reader->path) : 0;
    char folder[PATH_SIZE], path[PATH_SIZE];
    if (snprintf(folder, sizeof folder, "%.*s", length, reader->path) >= (int)sizeof folder ||
        snprintf(path, sizeof path, "%s%.*s", folder, (int)size, input) >= (int)sizeof path)
        return carom_scan_fail(scan, place, "the path of the included file is too long");
    if (leaves(input, size) || links_lead_outside(folder, path))
        return carom_scan_fail(scan, place, "*INCLUDE of %.*s: only files in the folder of the deck and below are read", shown,
                               input);
    if (is_read(inp, path))
        return carom_scan_fail(scan, place, "*INCLUDE of %.*s: the file was read before", shown, input);
    return read_file(inp, path, place);
}
