// SPDX-License-Identifier: MIT
// Functions of the operating system: platform_posix.c for Linux and macOS, platform_windows.c for MinGW. No other source of the
// library includes a header that one of these systems lacks (tools/check_layers).
//
// Functions that return an int give 0, or -1 with the reason in errno, as those of POSIX do.
#ifndef CAROM_BASE_PLATFORM_H
#define CAROM_BASE_PLATFORM_H

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// Flags of open(): binary files that child processes do not inherit; and no waiting for the other end of a named pipe (none in
// Windows).
#ifdef _WIN32
#define CAROM_OPEN_PRIVATE (_O_NOINHERIT | _O_BINARY)
#define CAROM_OPEN_AT_ONCE 0
// Text functions as defined by POSIX.
char *strndup(const char *text, size_t size);
char *strsep(char **rest, const char *separators);
ssize_t getline(char **line, size_t *capacity, FILE *stream);
#else
#define CAROM_OPEN_PRIVATE O_CLOEXEC
#define CAROM_OPEN_AT_ONCE O_NONBLOCK
#endif

// Memory whose address is a multiple of `alignment`, a power of two; `bytes` must be a multiple of it. NULL if memory is short.
// Release by carom_platform_release_aligned.
void *carom_platform_allocate_aligned(size_t alignment, size_t bytes);
void carom_platform_release_aligned(void *memory);
// Requests large pages from the first multiple of `page` in the memory to the last; the system may ignore it.
void carom_platform_request_large_pages(void *memory, size_t bytes, size_t page);
// Peak memory of the process in bytes; 0 if the system does not report it.
int64_t carom_platform_peak_memory(void);

// Until carom_platform_restore_numerals, the calling thread (only) reads and prints numbers as in the locale "C". If memory is
// short nothing changes. The members are private.
typedef struct carom_platform_numerals {
    void *plain, *before;
} carom_platform_numerals;
carom_platform_numerals carom_platform_plain_numerals(void);
void carom_platform_restore_numerals(carom_platform_numerals numerals);

// A stream into memory; carom_platform_close_memory returns the text, to be freed, or NULL if it is incomplete. `text` and
// `size` must not move until then.
FILE *carom_platform_open_memory(char **text, size_t *size);
char *carom_platform_close_memory(FILE *stream, char **text, size_t *size);

// Opens a binary file ("rb", "wb") that child processes do not inherit.
FILE *carom_platform_open(const char *path, const char *mode);
// Renames a file atomically; an existing file of the new name is replaced.
int carom_platform_rename(const char *from, const char *to);
// Creates a second name (hard link) for a file; fails with EEXIST if it exists.
int carom_platform_link(const char *from, const char *to);
int carom_platform_make_directory(const char *path);
// The absolute path without symbolic links, to be freed. NULL if there is no such file.
char *carom_platform_real_path(const char *path);
// As pread and pwrite; continued after signals.
ssize_t carom_platform_read_at(int fd, void *bytes, size_t size, int64_t offset);
ssize_t carom_platform_write_at(int fd, const void *bytes, size_t size, int64_t offset);
// Returns when all bytes of the file are on the disk.
int carom_platform_sync(int fd);
// Free space for this user on the file system of a directory, in bytes; negative if the system does not report it.
double carom_platform_free_bytes(const char *directory);
// Disk space of a file in bytes, of a symbolic link that of the link; 0 if there is no such file.
double carom_platform_disk_bytes(const char *path);

// Number of columns of the terminal of stderr; 0 if it is not known.
int carom_platform_columns(void);

// The name of this machine.
int carom_platform_host(char *name, size_t size);
// Identifies the process number space (of a container) of this process; empty if the system has one only.
void carom_platform_process_space(char *name, size_t size);
// True if no process has this number.
bool carom_platform_process_is_gone(long pid);
// The time at which a process started, in units of the system; negative if it is not known. CAROM_PROCESS_ENDED for a process
// that has ended and whose parent has not waited for it yet.
enum { CAROM_PROCESS_ENDED = -2 };
int64_t carom_platform_process_start(long pid);

// Signals that a run handles; some do not exist on all systems.
typedef enum carom_platform_signal {
    CAROM_SIGNAL_INTERRUPT,
    CAROM_SIGNAL_TERMINATE,
    CAROM_SIGNAL_HANG_UP,
    CAROM_SIGNAL_USER,
    CAROM_SIGNALS
} carom_platform_signal;

// The action of a signal.
#ifdef _WIN32
typedef void (*carom_platform_action)(int);
#else
typedef struct sigaction carom_platform_action;
#endif

// Installs a handler of a signal; `before` receives the previous action. If `once`, the handler is called for the first signal
// only: repetitions within one second are ignored, later ones have the default action, and an ignored signal remains ignored.
// Interrupted system calls are restarted.
void carom_platform_catch(carom_platform_signal which, void (*handler)(int), bool once, carom_platform_action *before);
void carom_platform_set_action(carom_platform_signal which, const carom_platform_action *action);
void carom_platform_ignore(carom_platform_signal which);

// The address of a function or object of this process by its name; NULL if there is none.
void *carom_platform_find_symbol(const char *name);

// The address of a function or object of a library, which is loaded and not unloaded; `file` is a path, or a name that the
// system searches for. NULL, with the reason as text, if there is none.
void *carom_platform_load_symbol(const char *file, const char *name, char *reason, size_t size);

// Starts a thread that blocks all signals; returns 0 or an error number. `attributes` may be NULL.
int carom_platform_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context);

#endif
