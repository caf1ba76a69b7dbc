// SPDX-License-Identifier: MIT
// Functions of Linux and macOS. Features of Linux only are tested by name (MADV_HUGEPAGE, /proc); macOS differs in the headers
// of locales, in the unit of ru_maxrss, and in the call that flushes the cache of a disk.
#ifndef _WIN32
#include "base/platform.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

void *carom_platform_allocate_aligned(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, bytes);
}

void carom_platform_release_aligned(void *memory) {
    free(memory);
}

void carom_platform_request_large_pages(void *memory, size_t bytes, size_t page) {
#ifdef MADV_HUGEPAGE
    size_t before = (page - (uintptr_t)memory % page) % page;
    if (bytes > before)
        (void)madvise((char *)memory + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
    (void)page;
#endif
}

int64_t carom_platform_peak_memory(void) {
    // Linux counts kilobytes, macOS bytes.
#ifdef __APPLE__
    const int64_t unit = 1;
#else
    const int64_t unit = 1024;
#endif
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? unit * (int64_t)usage.ru_maxrss : 0;
}

// uselocale changes the calling thread only; setlocale would change the whole host program.
carom_platform_numerals carom_platform_plain_numerals(void) {
    carom_platform_numerals numerals = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (numerals.plain)
        numerals.before = uselocale(numerals.plain);
    return numerals;
}

void carom_platform_restore_numerals(carom_platform_numerals numerals) {
    // newlocale fails only when memory is short; numbers are then read in the locale of the host.
    if (!numerals.plain)
        return;
    uselocale(numerals.before);
    freelocale(numerals.plain);
}

FILE *carom_platform_open_memory(char **text, size_t *size) {
    return open_memstream(text, size);
}

char *carom_platform_close_memory(FILE *stream, char **text, size_t *size) {
    (void)size;
    // an error of any earlier write means that a part is missing
    bool whole = ferror(stream) == 0;
    whole = fclose(stream) == 0 && whole;
    if (whole)
        return *text;
    free(*text);
    return NULL;
}

FILE *carom_platform_open(const char *path, const char *mode) {
    char own[8];
    snprintf(own, sizeof own, "%se", mode);
    return fopen(path, own);
}

int carom_platform_rename(const char *from, const char *to) {
    return rename(from, to);
}

int carom_platform_link(const char *from, const char *to) {
    return link(from, to);
}

int carom_platform_make_directory(const char *path) {
    return mkdir(path, 0777);
}

char *carom_platform_real_path(const char *path) {
    return realpath(path, NULL);
}

ssize_t carom_platform_read_at(int fd, void *bytes, size_t size, int64_t offset) {
    ssize_t done;
    do
        done = pread(fd, bytes, size, (off_t)offset);
    while (done < 0 && errno == EINTR);
    return done;
}

ssize_t carom_platform_write_at(int fd, const void *bytes, size_t size, int64_t offset) {
    ssize_t done;
    do
        done = pwrite(fd, bytes, size, (off_t)offset);
    while (done < 0 && errno == EINTR);
    return done;
}

int carom_platform_sync(int fd) {
#ifdef __APPLE__
    // fsync leaves the bytes in the cache of the disk; not every file system supports F_FULLFSYNC
    return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : fsync(fd);
#else
    return fdatasync(fd);
#endif
}

double carom_platform_free_bytes(const char *directory) {
    struct statvfs info;
    // network and virtual file systems may report no size
    if (statvfs(directory, &info) != 0 || info.f_blocks == 0)
        return -1;
    return (double)info.f_bavail * (double)info.f_frsize;
}

double carom_platform_disk_bytes(const char *path) {
    struct stat info;
    // st_blocks counts units of 512 bytes by definition
    return lstat(path, &info) == 0 ? 512.0 * (double)info.st_blocks : 0;
}

int carom_platform_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int carom_platform_host(char *name, size_t size) {
    return gethostname(name, size);
}

void carom_platform_process_space(char *name, size_t size) {
    ssize_t length = readlink("/proc/self/ns/pid", name, size - 1);
    name[length > 0 ? length : 0] = 0;
}

bool carom_platform_process_is_gone(long pid) {
    return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

// The start of a process in ticks since the boot: field 22 of /proc/PID/stat. The second field is a name in brackets and may
// hold any characters, so the fields are counted from its last bracket on.
int64_t carom_platform_process_start(long pid) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = carom_platform_open(path, "rb");
    if (!file)
        return -1;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    char *field = strrchr(text, ')');
    // a zombie: it has ended, and its parent has not waited for it yet
    if (field && strncmp(field, ") Z", 3) == 0)
        return CAROM_PROCESS_ENDED;
    for (int i = 2; i < 22 && field; i++)
        field = strchr(field + 1, ' ');
    return field ? strtoll(field, NULL, 10) : -1;
}

static int number_of(carom_platform_signal which) {
    static const int numbers[] = {
        [CAROM_SIGNAL_INTERRUPT] = SIGINT,
        [CAROM_SIGNAL_TERMINATE] = SIGTERM,
        [CAROM_SIGNAL_HANG_UP] = SIGHUP,
        [CAROM_SIGNAL_USER] = SIGUSR1,
    };
    return numbers[which];
}

// A signal that is repeated within this time, in nanoseconds, is ignored: `timeout` and job schedulers send signals to a
// process and then to its group.
static const int64_t same_signal = 1000000000;

// For signals that are handled once: the handler, and the time of the first signal in nanoseconds; 0 before the first one.
static void (*volatile handler_of[CAROM_SIGNALS])(int);
static _Atomic int64_t first_of[CAROM_SIGNALS];

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Calls async-signal-safe functions only. The signal is blocked until this function returns; then the default action follows.
static void serve_once(int number) {
    int which = 0;
    while (which < CAROM_SIGNALS - 1 && number_of((carom_platform_signal)which) != number)
        which++;
    int64_t now = nanoseconds(), first = first_of[which];
    if (first == 0) {
        first_of[which] = now;
        handler_of[which](number);
    } else if (now - first >= same_signal) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigemptyset(&usual.sa_mask);
        sigaction(number, &usual, NULL);
        raise(number);
    }
}

void carom_platform_catch(carom_platform_signal which, void (*handler)(int), bool once, carom_platform_action *before) {
    // Interrupted system calls are restarted: a write to a file must not fail because of Ctrl-C.
    struct sigaction action = {.sa_handler = once ? serve_once : handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    handler_of[which] = handler;
    first_of[which] = 0;
    sigaction(number_of(which), NULL, before);
    // a shell without job control starts background commands with SIGINT ignored, which remains so
    if (!once || before->sa_handler != SIG_IGN)
        sigaction(number_of(which), &action, NULL);
}

void carom_platform_set_action(carom_platform_signal which, const carom_platform_action *action) {
    sigaction(number_of(which), action, NULL);
}

void carom_platform_ignore(carom_platform_signal which) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(number_of(which), &ignore, NULL);
}

void *carom_platform_find_symbol(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

void *carom_platform_load_symbol(const char *file, const char *name, char *reason, size_t size) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL), *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol)
        snprintf(reason, size, "%s", dlerror());
    return symbol;
}

int carom_platform_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context) {
    sigset_t all, before;
    sigfillset(&all);
    // a new thread has the mask of the one that starts it
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int reason = pthread_create(thread, attributes, work, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

#endif
