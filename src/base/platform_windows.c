// SPDX-License-Identifier: MIT
// Functions of Windows with MinGW-w64, which provides threads, clocks and basic file functions. File names are in the code page
// of the process; other names are not supported.
#ifdef _WIN32
#include "base/platform.h"

#include <errno.h>
#include <io.h>
#include <locale.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
// requires the declarations of the header above
#include <psapi.h>

char *strndup(const char *text, size_t size) {
    size_t length = strnlen(text, size);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *strsep(char **rest, const char *separators) {
    char *word = *rest;
    if (!word)
        return NULL;
    char *end = strpbrk(word, separators);
    if (end)
        *end++ = 0;
    *rest = end;
    return word;
}

ssize_t getline(char **line, size_t *capacity, FILE *stream) {
    size_t size = 0;
    for (int c = getc(stream); c != EOF; c = c == '\n' ? EOF : getc(stream)) {
        // the byte and the final zero
        if (!*line || size + 2 > *capacity) {
            size_t larger = *line && *capacity ? 2 * *capacity + 2 : 128;
            char *moved = realloc(*line, larger);
            if (!moved)
                return -1;
            *line = moved;
            *capacity = larger;
        }
        (*line)[size++] = (char)c;
        (*line)[size] = 0;
    }
    return size ? (ssize_t)size : -1;
}

void *carom_platform_allocate_aligned(size_t alignment, size_t bytes) {
    return _aligned_malloc(bytes, alignment);
}

void carom_platform_release_aligned(void *memory) {
    _aligned_free(memory);
}

// Does nothing: large pages require a privilege that few users have.
void carom_platform_request_large_pages(void *memory, size_t bytes, size_t page) {
    (void)memory;
    (void)bytes;
    (void)page;
}

int64_t carom_platform_peak_memory(void) {
    PROCESS_MEMORY_COUNTERS counters;
    return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) ? (int64_t)counters.PeakWorkingSetSize : 0;
}

typedef struct locales {
    int mode; // whether the locale of the thread was separate from that of the process
    char name[256];
} locales;

carom_platform_numerals carom_platform_plain_numerals(void) {
    locales *l = malloc(sizeof *l);
    if (!l)
        return (carom_platform_numerals){0};
    l->mode = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    const char *name = setlocale(LC_NUMERIC, NULL);
    snprintf(l->name, sizeof l->name, "%s", name ? name : "C");
    setlocale(LC_NUMERIC, "C");
    return (carom_platform_numerals){.before = l};
}

void carom_platform_restore_numerals(carom_platform_numerals numerals) {
    locales *l = numerals.before;
    if (!l)
        return;
    setlocale(LC_NUMERIC, l->name);
    _configthreadlocale(l->mode);
    free(l);
}

// Uses a temporary file that the system removes when it is closed.
FILE *carom_platform_open_memory(char **text, size_t *size) {
    *text = NULL;
    *size = 0;
    return tmpfile();
}

char *carom_platform_close_memory(FILE *stream, char **text, size_t *size) {
    long length = ferror(stream) || fflush(stream) || fseek(stream, 0, SEEK_END) ? -1 : ftell(stream);
    char *copy = length >= 0 ? malloc((size_t)length + 1) : NULL;
    bool whole = copy && fseek(stream, 0, SEEK_SET) == 0 && fread(copy, 1, (size_t)length, stream) == (size_t)length;
    fclose(stream);
    if (!whole) {
        free(copy);
        return NULL;
    }
    copy[length] = 0;
    *text = copy;
    *size = (size_t)length;
    return copy;
}

FILE *carom_platform_open(const char *path, const char *mode) {
    int fd =
        open(path, mode[0] == 'r' ? O_RDONLY | CAROM_OPEN_PRIVATE : O_WRONLY | O_CREAT | O_TRUNC | CAROM_OPEN_PRIVATE, 0666);
    FILE *stream = fd >= 0 ? fdopen(fd, mode) : NULL;
    if (fd >= 0 && !stream)
        close(fd);
    return stream;
}

// Sets errno from the last error of the system; returns -1.
static int fail(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS: errno = EEXIST; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION: errno = EACCES; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    default: errno = EIO; break;
    }
    return -1;
}

int carom_platform_rename(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : fail();
}

int carom_platform_link(const char *from, const char *to) {
    return CreateHardLinkA(to, from, NULL) ? 0 : fail();
}

int carom_platform_make_directory(const char *path) {
    // "C:" exists and cannot be created
    size_t size = strlen(path);
    if (size == 2 && path[1] == ':')
        return 0;
    return mkdir(path);
}

char *carom_platform_real_path(const char *path) {
    char *full = _access(path, 0) == 0 ? _fullpath(NULL, path, 0) : NULL;
    // one kind of slash in all names
    for (char *c = full; c && *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return full;
}

// Restores the position of the descriptor. Only one thread may use a descriptor at a time.
ssize_t carom_platform_read_at(int fd, void *bytes, size_t size, int64_t offset) {
    int64_t before = _lseeki64(fd, 0, SEEK_CUR);
    if (before < 0 || _lseeki64(fd, offset, SEEK_SET) < 0)
        return -1;
    ssize_t done = read(fd, bytes, (unsigned)(size < INT32_MAX ? size : INT32_MAX));
    _lseeki64(fd, before, SEEK_SET);
    return done;
}

ssize_t carom_platform_write_at(int fd, const void *bytes, size_t size, int64_t offset) {
    int64_t before = _lseeki64(fd, 0, SEEK_CUR);
    if (before < 0 || _lseeki64(fd, offset, SEEK_SET) < 0)
        return -1;
    ssize_t done = write(fd, bytes, (unsigned)(size < INT32_MAX ? size : INT32_MAX));
    _lseeki64(fd, before, SEEK_SET);
    return done;
}

int carom_platform_sync(int fd) {
    return _commit(fd);
}

double carom_platform_free_bytes(const char *directory) {
    ULARGE_INTEGER free_bytes;
    return GetDiskFreeSpaceExA(directory, &free_bytes, NULL, NULL) ? (double)free_bytes.QuadPart : -1;
}

double carom_platform_disk_bytes(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (double)info.st_size : 0;
}

int carom_platform_columns(void) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) ? info.srWindow.Right - info.srWindow.Left + 1 : 0;
}

int carom_platform_host(char *name, size_t size) {
    DWORD capacity = (DWORD)size;
    return GetComputerNameA(name, &capacity) ? 0 : fail();
}

void carom_platform_process_space(char *name, size_t size) {
    if (size)
        name[0] = 0;
}

bool carom_platform_process_is_gone(long pid) {
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)pid);
    if (!process)
        return GetLastError() == ERROR_INVALID_PARAMETER;
    DWORD code;
    bool gone = GetExitCodeProcess(process, &code) && code != STILL_ACTIVE;
    CloseHandle(process);
    return gone;
}

// In units of 100 ns.
int64_t carom_platform_process_start(long pid) {
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)pid);
    if (!process)
        return -1;
    FILETIME start, end, kernel, user;
    BOOL known = GetProcessTimes(process, &start, &end, &kernel, &user);
    CloseHandle(process);
    return known ? (int64_t)(((uint64_t)start.dwHighDateTime << 32 | start.dwLowDateTime) >> 1) : -1;
}

// The number of a signal in Windows, which has two of them. Its handlers are removed when they are called.
static int number_of(carom_platform_signal which) {
    return which == CAROM_SIGNAL_INTERRUPT ? SIGINT : which == CAROM_SIGNAL_TERMINATE ? SIGTERM : 0;
}

void carom_platform_catch(carom_platform_signal which, void (*handler)(int), bool once, carom_platform_action *before) {
    int number = number_of(which);
    *before = number ? signal(number, handler) : SIG_DFL;
    if (number && once && *before == SIG_IGN)
        signal(number, SIG_IGN);
}

void carom_platform_set_action(carom_platform_signal which, const carom_platform_action *action) {
    if (number_of(which))
        signal(number_of(which), *action);
}

void carom_platform_ignore(carom_platform_signal which) {
    if (number_of(which))
        signal(number_of(which), SIG_IGN);
}

// Each library of a process has its own symbol table: all of them are searched.
void *carom_platform_find_symbol(const char *name) {
    enum { MODULES = 256 };
    HMODULE modules[MODULES];
    DWORD bytes = 0;
    FARPROC found = NULL;
    if (!EnumProcessModules(GetCurrentProcess(), modules, sizeof modules, &bytes))
        return NULL;
    size_t count = bytes / sizeof *modules < MODULES ? bytes / sizeof *modules : MODULES;
    for (size_t i = 0; i < count && !found; i++)
        found = GetProcAddress(modules[i], name);
    void *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

void *carom_platform_load_symbol(const char *file, const char *name, char *reason, size_t size) {
    HMODULE library = LoadLibraryA(file);
    FARPROC found = library ? GetProcAddress(library, name) : NULL;
    void *symbol = NULL;
    if (found)
        memcpy(&symbol, &found, sizeof symbol);
    else
        snprintf(reason, size, "%s cannot be loaded", file);
    return symbol;
}

int carom_platform_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context) {
    return pthread_create(thread, attributes, work, context);
}

#endif
