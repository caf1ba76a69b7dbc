// SPDX-License-Identifier: MIT
// An allocator that fails on demand. The linker sends all allocations of the library and of the test through it (--wrap, in
// test/CMakeLists.txt), but not those of libraries from elsewhere. Requests to an arena count as allocations too: an arena
// takes memory in large chunks, and would hide most of its callers.
//
// Live blocks are kept in a table, so that a path that fails is seen to have returned all it took. One thread only.
#ifndef CAROM_TEST_FAILING_H
#define CAROM_TEST_FAILING_H

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "../support.h"
#include "base/arena.h"

typedef enum failing_mode {
    FAIL_ONCE,     // the n-th allocation fails, the others do not: is every result looked at?
    FAIL_FROM_NOW, // the n-th and all that follow fail: does the way out work without memory?
} failing_mode;

enum { TABLE = 1 << 20 };

static void *live[TABLE];      // open addressing by address, free slots are NULL
static long live_count;        // blocks that are not freed
static long requests, failure; // since failing_arm; the request that fails, 0: none
static long failures;          // how many requests have failed
static failing_mode mode;
static const char *current = ""; // the path under test, told when it crashes

static void failing_arm(long request, failing_mode how) {
    requests = failures = 0;
    failure = request;
    mode = how;
}

static bool fails(void) {
    requests++;
    bool now = failure && (mode == FAIL_ONCE ? requests == failure : requests >= failure);
    failures += now;
    if (now)
        errno = ENOMEM;
    return now;
}

static size_t slot_of(const void *block) {
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 44);
}

static void *remember(void *block) {
    if (!block)
        return NULL;
    size_t i = slot_of(block);
    while (live[i])
        i = (i + 1) % TABLE;
    live[i] = block;
    live_count++;
    return block;
}

// A block that is not ours, such as a string of a library from elsewhere, is let pass.
static void forget(const void *block) {
    size_t hole = slot_of(block);
    while (block && live[hole] && live[hole] != block)
        hole = (hole + 1) % TABLE;
    if (!block || !live[hole])
        return;
    // blocks behind it move up, unless that would put them before their own slot
    for (size_t i = (hole + 1) % TABLE; live[i]; i = (i + 1) % TABLE)
        if ((i - slot_of(live[i])) % TABLE >= (i - hole) % TABLE) {
            live[hole] = live[i];
            hole = i;
        }
    live[hole] = NULL;
    live_count--;
}

// The names are those of the linker: a call of malloc comes to __wrap_malloc, __real_malloc is malloc.
#define WRAPPED(type, name, parameters, arguments)                 \
    type __real_##name parameters;                                 \
    type __wrap_##name parameters;                                 \
    type __wrap_##name parameters {                                \
        return fails() ? NULL : remember(__real_##name arguments); \
    }

WRAPPED(void *, malloc, (size_t size), (size))
WRAPPED(void *, calloc, (size_t count, size_t size), (count, size))
WRAPPED(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAPPED(char *, strdup, (const char *text), (text))
WRAPPED(char *, strndup, (const char *text, size_t size), (text, size))
WRAPPED(char *, realpath, (const char *path, char *resolved), (path, resolved))

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block) {
    forget(block);
    __real_free(block);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    forget(block);
    return remember(__real_realloc(block, size));
}

void *__real_carom_arena_allocate(carom_arena *arena, int64_t count, size_t size);
void *__wrap_carom_arena_allocate(carom_arena *arena, int64_t count, size_t size);
void *__wrap_carom_arena_allocate(carom_arena *arena, int64_t count, size_t size) {
    return fails() ? NULL : __real_carom_arena_allocate(arena, count, size);
}

void *__real_carom_arena_reserve(carom_arena *arena, int64_t count, size_t size, bool *enough);
void *__wrap_carom_arena_reserve(carom_arena *arena, int64_t count, size_t size, bool *enough);
void *__wrap_carom_arena_reserve(carom_arena *arena, int64_t count, size_t size, bool *enough) {
    if (!fails())
        return __real_carom_arena_reserve(arena, count, size, enough);
    *enough = false;
    return NULL;
}

void *__real_carom_arena_copy(carom_arena *arena, const void *source, size_t size);
void *__wrap_carom_arena_copy(carom_arena *arena, const void *source, size_t size);
void *__wrap_carom_arena_copy(carom_arena *arena, const void *source, size_t size) {
    return fails() ? NULL : __real_carom_arena_copy(arena, source, size);
}

// Says what crashed, then crashes.
static void crashed(int number) {
    char text[256];
    int size = snprintf(text, sizeof text, "crash (signal %d): %s, allocation %ld fails %s\n", number, current, failure,
                        mode == FAIL_ONCE ? "alone" : "and all that follow");
    if (size > 0 && write(STDERR_FILENO, text, (size_t)size) < 0)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

// A way through the library: takes what it needs, releases all of it again, and returns the first status that was not CAROM_OK.
typedef carom_status failing_path(const void *context, carom_error *error);

// One run with a failure. Returns 0 if all is well, otherwise says what is wrong.
static int fail_at(failing_path *path, const void *context, long request, failing_mode how) {
    carom_error error = {0};
    long before = live_count;
    failing_arm(request, how);
    carom_status status = path(context, &error);
    long failed = failures, leaked = live_count - before;
    failing_arm(0, FAIL_ONCE);
    const char *fault = !failed                     ? "was not reached"
                        : !status                   ? "went unnoticed"
                        : status != CAROM_NO_MEMORY ? "is not called lack of memory"
                        : !error.message[0]         ? "has no message"
                        : leaked                    ? "leaves memory behind"
                                                    : NULL;
    if (!fault)
        return 0;
    print_message("%s: allocation %ld, failing %s, %s: %s '%s', %ld blocks left\n", current, request,
                  how == FAIL_ONCE ? "alone" : "with all that follow", fault, carom_status_name(status), error.message, leaked);
    return 1;
}

// Runs a path once as it is, then with every allocation failing, or with `most` of them, the first ones and then at growing
// distances: loops repeat themselves. Returns how many failures were not handled.
static int fail_everywhere(const char *name, failing_path *path, const void *context, long most) {
    carom_error error = {0};
    current = name;
    signal(SIGSEGV, crashed);
    signal(SIGABRT, crashed);
    signal(SIGFPE, crashed);
    long before = live_count;
    failing_arm(0, FAIL_ONCE);
    if (path(context, &error))
        fail_msg("%s: %s", name, error.message);
    long count = requests;
    assert_int_equal(live_count, before);
    int wrong = 0;
    for (long n = 1; n <= count && wrong < 20; n += 1 + n / most)
        wrong += fail_at(path, context, n, FAIL_ONCE) + fail_at(path, context, n, FAIL_FROM_NOW);
    print_message("%s: %ld allocations\n", name, count);
    return wrong;
}

#endif
