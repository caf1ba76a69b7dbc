// SPDX-License-Identifier: MIT
// Memory that runs out on one rank: a library for LD_PRELOAD. Requests that come from the program itself are counted, not those
// of MPI and other libraries; from request CAROM_TEST_FAIL_AT on the requests of rank CAROM_TEST_FAIL_RANK fail, as many as
// CAROM_TEST_FAIL_COUNT says (all). A file CAROM_TEST_FAIL_NOTE gets the number of requests that the rank has made at its end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uintptr_t program_begin, program_end;
static atomic_long requests;
static long fail_at = -1, fail_end;
static int ready;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// The first object is the program.
static int note_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    program_begin = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = begin + info->dlpi_phdr[i].p_memsz;
        program_begin = begin < program_begin ? begin : program_begin;
        program_end = end > program_end ? end : program_end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *chosen = getenv("CAROM_TEST_FAIL_RANK"), *at;
    const char *count = getenv("CAROM_TEST_FAIL_COUNT");
    dl_iterate_phdr(note_program, NULL);
    if (!rank || !chosen || strcmp(rank, chosen) != 0)
        return;
    at = getenv("CAROM_TEST_FAIL_AT");
    fail_at = at ? atol(at) : -1;
    fail_end = count ? fail_at + atol(count) : INT64_MAX;
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = ready ? getenv("CAROM_TEST_FAIL_NOTE") : NULL;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", atomic_load(&requests));
    fclose(file);
}

static int fails(const void *caller) {
    uintptr_t from = (uintptr_t)caller;
    if (!ready || from < program_begin || from >= program_end)
        return 0;
    long number = atomic_fetch_add(&requests, 1) + 1;
    if (fail_at < 0 || number < fail_at || number >= fail_end)
        return 0;
    errno = ENOMEM;
    return 1;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

EXPORTED void *realloc(void *block, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
