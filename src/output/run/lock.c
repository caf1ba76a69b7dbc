// SPDX-License-Identifier: MIT
// Locks a result directory, so that one run at a time writes there. DIR/lock.carom exists while a run writes there, and names
// its process. It is created by link(), which fails if the name exists and is atomic on local and network file systems; where a
// file system has no links, by open() with O_EXCL. No lock of the kernel is used: those are missing or local on many network
// file systems.
//
// A lock of a process of this machine that no longer exists is stale. Process numbers are reused, so the time at which the
// process started is compared as well, and the identity of the boot: after a restart of the machine no earlier process exists.
// From another machine, or from another container, nothing can be concluded: the message states how to remove the lock.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/platform.h"
#include "carom/lock.h"
#include "output/run/directory.h"

// The first line of the file, and an upper bound of the size of its five lines.
static const char mark[] = "carom-lock 1\n";
enum { LOCK_TEXT = 1024, WORD = 128, ATTEMPTS = 8 };

struct carom_lock {
    char path[CAROM_PATH_MAX];
    char text[LOCK_TEXT]; // the content of the file, compared before removal, so that no other lock is removed
};

// What identifies a process.
typedef struct owner {
    long pid;
    char host[WORD], machine[WORD], boot[WORD], space[WORD]; // empty: not known
    int64_t ticks;                                           // since the boot, at which the process started; -1: not known
    char since[WORD];                                        // the time of day
} owner;

// The first word of a file; empty if there is none.
static void read_word(const char *path, char word[static WORD]) {
    word[0] = 0;
    FILE *file = carom_platform_open(path, "rb");
    if (!file)
        return;
    if (fscanf(file, "%127s", word) != 1)
        word[0] = 0;
    fclose(file);
}

static owner this_process(void) {
    owner own = {.pid = (long)getpid(), .ticks = carom_platform_process_start((long)getpid())};
    if (carom_platform_host(own.host, sizeof own.host - 1) != 0 || !own.host[0])
        snprintf(own.host, sizeof own.host, "unknown");
    read_word("/etc/machine-id", own.machine);
    read_word("/proc/sys/kernel/random/boot_id", own.boot);
    carom_platform_process_space(own.space, sizeof own.space);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(own.since, sizeof own.since, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return own;
}

static const char *or_dash(const char *word) {
    return word[0] ? word : "-";
}

static void print_owner(const owner *o, char text[static LOCK_TEXT]) {
    snprintf(text, LOCK_TEXT, "%sprocess %ld %" PRId64 "\nhost %s\nmachine %s %s %s\nsince %s\n", mark, o->pid, o->ticks,
             o->host, or_dash(o->machine), or_dash(o->boot), or_dash(o->space), or_dash(o->since));
}

static bool scan_owner(const char *text, owner *o) {
    *o = (owner){0};
    if (strncmp(text, mark, strlen(mark)) != 0)
        return false;
    int found = sscanf(text + strlen(mark), "process %ld %" SCNd64 " host %127s machine %127s %127s %127s since %127s", &o->pid,
                       &o->ticks, o->host, o->machine, o->boot, o->space, o->since);
    return found == 7 && o->pid > 0;
}

// Reads the text of the lock; false if the lock does not exist any more.
static bool read_lock(const char *path, char text[static LOCK_TEXT]) {
    FILE *file = carom_platform_open(path, "rb");
    if (!file)
        return false;
    size_t size = fread(text, 1, LOCK_TEXT - 1, file);
    fclose(file);
    text[size] = 0;
    return true;
}

typedef enum judgement { ALIVE, GONE, UNKNOWN } judgement;

static bool same(const char *known, const char *mine) {
    return strcmp(known, or_dash(mine)) == 0;
}

// Decides whether the process of a lock is still running: ALIVE, GONE or UNKNOWN.
static judgement judge(const owner *o, const owner *mine) {
    if (strcmp(o->host, mine->host) != 0 || !same(o->machine, mine->machine))
        return UNKNOWN;
    // Without the identity of the machine another one of the same name cannot be distinguished from a restart of this one.
    if (!same(o->boot, mine->boot))
        return mine->machine[0] ? GONE : UNKNOWN;
    if (!same(o->space, mine->space))
        return UNKNOWN;
    if (carom_platform_process_is_gone(o->pid))
        return GONE;
    int64_t ticks = carom_platform_process_start(o->pid);
    return ticks == CAROM_PROCESS_ENDED || (ticks >= 0 && o->ticks >= 0 && ticks != o->ticks) ? GONE : ALIVE;
}

// A name in the folder of the lock that no other process, thread or machine uses: the text names the process, the address the
// thread.
static void name_aside(const char *path, const char *text, char name[static CAROM_PATH_MAX + 32]) {
    uint64_t h = carom_hash(carom_hash(CAROM_HASH_START, text, strlen(text)), &text, sizeof text);
    snprintf(name, CAROM_PATH_MAX + 32, "%s.%016" PRIx64, path, h);
}

// Creates the lock with its text, or fails with EEXIST in errno.
static bool create(const char *path, const char *text) {
    char own[CAROM_PATH_MAX + 32];
    name_aside(path, text, own);
    int fd = open(own, O_WRONLY | O_CREAT | O_TRUNC | CAROM_OPEN_PRIVATE, 0666);
    if (fd < 0)
        return false;
    carom_error unused;
    bool written = !carom_file_write(fd, own, text, strlen(text), &unused);
    int reason = errno;
    if (close(fd) != 0 && written) {
        written = false;
        reason = errno;
    }
    bool linked = written && carom_platform_link(own, path) == 0;
    if (written && !linked)
        reason = errno;
    unlink(own);
    bool unable = written && !linked && reason != EEXIST && reason != ENOSPC && reason != EACCES && reason != EROFS;
    if (!unable) {
        errno = reason;
        return linked;
    }
    // no links on this file system
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | CAROM_OPEN_PRIVATE, 0666);
    if (fd < 0)
        return false;
    written = !carom_file_write(fd, path, text, strlen(text), &unused);
    reason = errno;
    close(fd);
    if (!written)
        unlink(path);
    errno = reason;
    return written;
}

// Removes a stale lock. Two processes may find it at the same time: it is renamed first, which succeeds once, and restored if
// it is not the one that was examined.
static void remove_stale(const char *path, const char *judged, const char *own_text) {
    char aside[CAROM_PATH_MAX + 32], text[LOCK_TEXT];
    name_aside(path, own_text, aside);
    if (carom_platform_rename(path, aside) != 0)
        return;
    if (read_lock(aside, text) && strcmp(text, judged) != 0 && carom_platform_link(aside, path) != 0)
        carom_platform_rename(aside, path);
    unlink(aside);
}

static carom_status refuse(const char *directory, const char *path, judgement found, const owner *o, const owner *mine,
                           carom_error *error) {
    if (found == ALIVE)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s is in use: process %ld on %s has been writing there since %s (choose another directory, or wait)",
                          directory, o->pid, o->host, o->since);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s is locked by process %ld on %s since %s; from %s it cannot be seen whether it still runs "
                      "(if it does not, remove %s)",
                      directory, o->pid, o->host, o->since, mine->host, path);
}

// A directory to resume from that does not exist needs no lock; the run reports the error.
static bool is_missing(const char *directory) {
    struct stat info;
    return stat(directory, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

carom_status carom_lock_take(const char *directory, bool make, carom_lock **lock, char *note, size_t note_size,
                             carom_error *error) {
    *lock = NULL;
    if (note_size)
        note[0] = 0;
    if (!*directory)
        return carom_fail(error, CAROM_BAD_INPUT, "the name of the output directory is empty");
    if (!make && is_missing(directory))
        return CAROM_OK;
    carom_status made = carom_file_make_directory(directory, error);
    if (made)
        return made;
    carom_lock *l = carom_allocate(1, sizeof *l);
    if (!l)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the lock of %s", directory);
    const owner mine = this_process();
    print_owner(&mine, l->text);
    snprintf(l->path, sizeof l->path, "%s/lock.carom", directory);
    // A lock may vanish between two reads; after several attempts a lock that keeps changing its owner is reported as found.
    for (int attempt = 0;; attempt++) {
        if (create(l->path, l->text)) {
            *lock = l;
            return CAROM_OK;
        }
        carom_status status = CAROM_OK;
        char text[LOCK_TEXT] = "";
        owner other = {0};
        if (errno != EEXIST)
            status = carom_file_fail("write into directory", directory, error);
        else if (!read_lock(l->path, text) && errno == ENOENT && attempt < ATTEMPTS)
            continue;
        else if (!scan_owner(text, &other))
            status = carom_fail(error, CAROM_BAD_INPUT,
                                "%s is no lock of carom: it names no process (if no run writes there, remove it)", l->path);
        judgement found = status ? UNKNOWN : judge(&other, &mine);
        if (!status && (found != GONE || attempt >= ATTEMPTS))
            status = refuse(directory, l->path, found, &other, &mine, error);
        if (status) {
            free(l);
            return status;
        }
        remove_stale(l->path, text, l->text);
        snprintf(note, note_size, "%s was locked by process %ld since %s, which is gone: its lock is taken over", directory,
                 other.pid, other.since);
    }
}

void carom_lock_release(carom_lock *lock) {
    char text[LOCK_TEXT];
    if (!lock)
        return;
    if (read_lock(lock->path, text) && strcmp(text, lock->text) == 0)
        unlink(lock->path);
    free(lock);
}
