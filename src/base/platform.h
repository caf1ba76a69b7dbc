// SPDX-License-Identifier: MIT
// What the systems do differently, behind one header: platform_posix.c for Linux and macOS, platform_windows.c for MinGW. No
// other source of the library includes a header that one of these systems lacks (tools/check_layers).
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

// Flags of open(): a descriptor that no child inherits and whose bytes are written as they are; and no waiting for the other
// end of a named pipe, which Windows has not.
#ifdef _WIN32
#define CAROM_OPEN_PRIVATE (_O_NOINHERIT | _O_BINARY)
#define CAROM_OPEN_AT_ONCE 0
// Text, as POSIX defines it.
char *strndup(const char *text, size_t size);
char *strsep(char **rest, const char *separators);
ssize_t getline(char **line, size_t *room, FILE *stream);
#else
#define CAROM_OPEN_PRIVATE O_CLOEXEC
#define CAROM_OPEN_AT_ONCE O_NONBLOCK
#endif

// Memory whose address is a multiple of `alignment`, a power of two, as `bytes` is of it; NULL if there is none. To be
// released by carom_platform_release_aligned alone.
void *carom_platform_allocate_aligned(size_t alignment, size_t bytes);
void carom_platform_release_aligned(void *memory);
// Wishes for large pages from the first multiple of `page` in the memory to the last; it may be in vain.
void carom_platform_ask_large_pages(void *memory, size_t bytes, size_t page);
// The most memory that the process has held so far, in bytes; 0 if the system does not say.
int64_t carom_platform_peak_memory(void);

// From here to carom_platform_restore_numerals the calling thread, and it alone, reads and prints numbers as C does. If memory
// is short nothing changes. The members are for the system.
typedef struct carom_platform_numerals {
    void *plain, *before;
} carom_platform_numerals;
carom_platform_numerals carom_platform_plain_numerals(void);
void carom_platform_restore_numerals(carom_platform_numerals numerals);

// A stream into memory; carom_platform_close_memory gives the text, to be freed, or NULL if something is missing. `text` and
// `size` stay where they are until then.
FILE *carom_platform_open_memory(char **text, size_t *size);
char *carom_platform_close_memory(FILE *stream, char **text, size_t *size);

// Opens a file of bytes ("rb", "wb") that no child inherits.
FILE *carom_platform_open(const char *path, const char *mode);
// Gives a file a new name at once; a file of that name is replaced.
int carom_platform_rename(const char *from, const char *to);
// A second name for a file; fails with EEXIST if it is taken.
int carom_platform_link(const char *from, const char *to);
int carom_platform_make_directory(const char *path);
// The name from the root, without links; to be freed. NULL if there is no such file.
char *carom_platform_real_path(const char *path);
// As pread and pwrite; a signal is no failure.
ssize_t carom_platform_read_at(int fd, void *bytes, size_t size, int64_t offset);
ssize_t carom_platform_write_at(int fd, const void *bytes, size_t size, int64_t offset);
// Returns when the bytes are on the disk.
int carom_platform_sync(int fd);
// Bytes that are free for this user where the directory lies; negative if the system does not say.
double carom_platform_free_bytes(const char *directory);
// Bytes that a file takes on the disk, the link itself where it is one; 0 if there is none.
double carom_platform_disk_bytes(const char *path);

// Columns of the terminal that errors go to; 0 if the system does not say.
int carom_platform_columns(void);

// The name of this machine.
int carom_platform_host(char *name, size_t size);
// The process numbers that this process sees, where there may be several sets of them (containers); else empty.
void carom_platform_process_space(char *name, size_t size);
// True if no process has this number.
bool carom_platform_process_is_gone(long pid);
// The time at which a process started, in units of the system; negative if it cannot be told. CAROM_PROCESS_ENDED of a process
// that has ended and whose parent has not looked yet.
enum { CAROM_PROCESS_ENDED = -2 };
int64_t carom_platform_process_start(long pid);

// Signals that a run listens to; those that a system lacks are never sent there.
typedef enum carom_platform_signal {
    CAROM_SIGNAL_INTERRUPT,
    CAROM_SIGNAL_TERMINATE,
    CAROM_SIGNAL_HANG_UP,
    CAROM_SIGNAL_USER,
    CAROM_SIGNALS
} carom_platform_signal;

// What a signal does.
#ifdef _WIN32
typedef void (*carom_platform_action)(int);
#else
typedef struct sigaction carom_platform_action;
#endif

// Calls `handler` on the signal; `before` is what it did. If `once`, then only the first time: one that comes again within a
// second is the same, a later one does what it does by default; and a signal that is ignored stays so. System calls that it
// interrupts are taken up again.
void carom_platform_catch(carom_platform_signal which, void (*handler)(int), bool once, carom_platform_action *before);
void carom_platform_set_action(carom_platform_signal which, const carom_platform_action *action);
void carom_platform_ignore(carom_platform_signal which);

// The address of a function or object of this process by its name; NULL if there is none.
void *carom_platform_find_symbol(const char *name);

// The address of a function or object of a library, which is loaded and stays; `file` may be a path, or a name that the system
// looks for. NULL, with the reason in words, if there is none.
void *carom_platform_load_symbol(const char *file, const char *name, char *reason, size_t size);

// Starts a thread that no signal reaches; 0 or an error number. `attributes` may be NULL.
int carom_platform_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context);

#endif
