// SPDX-License-Identifier: MIT
// Tests src/base/arena.c, src/base/allocate.c.
// Memory of arenas and carom_allocate: alignment, zeroing, blocks of all sizes, refusal of impossible sizes.
#include "../../support.h"
#include "base/allocate.h"
#include "base/arena.h"

static bool is_zero(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

// Many blocks are aligned and zeroed, and do not overlap: each keeps the mark that was written into it.
static void blocks(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static unsigned char *memory[COUNT];
    static size_t sizes[COUNT];
    uint64_t seed = 2;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    for (int i = 0; i < COUNT; i++) {
        // mostly small blocks, every hundredth possibly larger than a chunk
        sizes[i] = (size_t)random_real(&seed, 0, i % 100 ? 300 : 200000);
        memory[i] = carom_arena_allocate(arena, (int64_t)sizes[i], 1);
        assert_non_null(memory[i]);
        assert_int_equal((uintptr_t)memory[i] % 64, 0);
        assert_true(is_zero(memory[i], sizes[i]));
        memset(memory[i], i % 255 + 1, sizes[i]);
    }
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            if (memory[i][k] != i % 255 + 1)
                fail_msg("block %d was overwritten at byte %zu of %zu", i, k, sizes[i]);
    carom_arena_release(arena);
}

// Blocks of about the size of a chunk, and of many times that size.
static void large_blocks(void **state) {
    (void)state;
    carom_arena *arena = carom_arena_create();
    for (int64_t size = (1 << 16) - 200; size < (1 << 16) + 200; size += 7) {
        unsigned char *memory = carom_arena_allocate(arena, size, 1);
        assert_non_null(memory);
        assert_true(is_zero(memory, (size_t)size));
        memset(memory, 1, (size_t)size);
    }
    double *numbers = carom_arena_allocate(arena, 5000000, sizeof *numbers);
    assert_non_null(numbers);
    assert_true(is_zero((unsigned char *)numbers, 5000000 * sizeof *numbers));
    carom_arena_release(arena);
}

// Blocks of no bytes have addresses of their own.
static void empty_blocks(void **state) {
    (void)state;
    carom_arena *arena = carom_arena_create();
    char *a = carom_arena_allocate(arena, 0, 8), *b = carom_arena_allocate(arena, 8, 0), *c = carom_arena_copy(arena, NULL, 0);
    assert_true(a && b && c && a != b && b != c);
    carom_arena_release(arena);
    carom_arena_release(NULL);
}

static void copies(void **state) {
    (void)state;
    carom_arena *arena = carom_arena_create();
    double source[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double *copy = carom_arena_copy(arena, source, sizeof source);
    assert_memory_equal(copy, source, sizeof source);
    source[0] = 0;
    assert_true(copy[0] == 1);
    carom_arena_release(arena);
}

// Negative counts and sizes that overflow are refused, without undefined behaviour.
static void overflow(void **state) {
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_null(carom_arena_allocate(arena, -1, 1));
    assert_null(carom_arena_allocate(arena, INT64_MIN, 0));
    assert_null(carom_arena_allocate(arena, INT64_MAX, 8));
    assert_null(carom_arena_allocate(arena, INT64_MAX / 4 + 1, 4));
    assert_null(carom_arena_allocate(arena, 3, SIZE_MAX / 2));
    assert_null(carom_allocate(-1, 1));
    assert_null(carom_allocate(INT64_MAX, 3));
    assert_null(carom_allocate(2, SIZE_MAX / 2 + 1));
    assert_non_null(carom_arena_allocate(arena, 10, 10));
    carom_arena_release(arena);
}

static void allocate(void **state) {
    (void)state;
    void *nothing = carom_allocate(0, 8);
    assert_non_null(nothing);
    free(nothing);
    int *numbers = carom_allocate(1000, sizeof *numbers);
    assert_true(is_zero((unsigned char *)numbers, 1000 * sizeof *numbers));
    free(numbers);
}

// An array that grows by single elements always has capacity for the next, keeps its contents, and is rarely reallocated.
static void grow(void **state) {
    (void)state;
    int *array = NULL;
    int64_t capacity = 0, changes = 0;
    for (int64_t count = 0; count < 100000; count++) {
        int64_t before = capacity;
        array = carom_grow(array, count, &capacity, sizeof *array);
        assert_non_null(array);
        assert_true(capacity > count);
        changes += capacity != before;
        array[count] = (int)count;
    }
    for (int i = 0; i < 100000; i++)
        assert_int_equal(array[i], i);
    assert_true(changes < 20);

    // a request that fails leaves the array unchanged
    int64_t impossible = INT64_MAX / 4;
    assert_null(carom_grow(array, impossible, &impossible, 16));
    assert_true(impossible == INT64_MAX / 4 && array[99999] == 99999);
    free(array);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),   cmocka_unit_test(large_blocks), cmocka_unit_test(empty_blocks), cmocka_unit_test(copies),
        cmocka_unit_test(overflow), cmocka_unit_test(allocate),     cmocka_unit_test(grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
