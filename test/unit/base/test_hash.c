// SPDX-License-Identifier: MIT
// Tests src/base/hash.c.
// The hash by which states and models are compared.
#include "../../support.h"
#include "base/hash.h"
#include "carom/threads.h"

// The hash changes with any bit, with an additional byte and with the order of bytes.
static void hash(void **state) {
    (void)state;
    unsigned char bytes[64] = {0};
    for (size_t size = 0; size <= sizeof bytes; size++) {
        uint64_t h = carom_hash(CAROM_HASH_START, bytes, size);
        assert_true(h == carom_hash(CAROM_HASH_START, bytes, size));
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            uint64_t changed = carom_hash(CAROM_HASH_START, bytes, size);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            // and about half of its bits change
            int distance = __builtin_popcountll(h ^ changed);
            assert_true(distance > 8 && distance < 56);
        }
        if (size)
            assert_true(h != carom_hash(CAROM_HASH_START, bytes, size - 1));
    }
    const double ab[2] = {1, 2}, ba[2] = {2, 1};
    assert_true(carom_hash(CAROM_HASH_START, ab, sizeof ab) != carom_hash(CAROM_HASH_START, ba, sizeof ba));
    // so has an empty array
    assert_true(carom_hash(1, NULL, 0) == carom_hash(1, ab, 0));
    assert_true(carom_hash(1, ab, sizeof ab) != carom_hash(2, ab, sizeof ab));
}

// The sum does not depend on the order of additions: sums of parts of an array add up. Exchanged words or arrays give another
// sum.
static void sums(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    uint64_t *words = calloc(COUNT, sizeof *words), seed = 3;
    assert_non_null(words);
    for (int i = 0; i < COUNT; i++)
        words[i] = (uint64_t)random_real(&seed, 0, 1e18);
    uint64_t whole = carom_hash_sum(7, words, 0, COUNT);
    for (int trial = 0; trial < 20; trial++) {
        int64_t cut = (int64_t)random_real(&seed, 0, COUNT);
        assert_true(carom_hash_sum(7, words + cut, cut, COUNT - cut) + carom_hash_sum(7, words, 0, cut) == whole);
        // by one to four threads
        carom_set_threads(1 + trial % 4);
        assert_true(carom_hash_sum(7, words, 0, COUNT) == whole);
        uint64_t bit = UINT64_C(1) << trial * 3;
        words[cut % COUNT] ^= bit;
        int distance = __builtin_popcountll(carom_hash_mix(whole) ^ carom_hash_mix(carom_hash_sum(7, words, 0, COUNT)));
        assert_true(distance > 8 && distance < 56);
        words[cut % COUNT] ^= bit;
    }
    assert_true(carom_hash_sum(8, words, 0, COUNT) != whole);
    // the number of zeros and their places change the sum as well
    const uint64_t zeros[3] = {0}, last[3] = {0, 0, 1}, first[3] = {1, 0, 0};
    assert_true(carom_hash_sum(7, zeros, 0, 2) != carom_hash_sum(7, zeros, 0, 3));
    assert_true(carom_hash_sum(7, first, 0, 3) != carom_hash_sum(7, last, 0, 3));
    assert_true(carom_hash_sum(7, zeros, 0, 0) == 0);
    carom_set_threads(0);
    free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hash), cmocka_unit_test(sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
