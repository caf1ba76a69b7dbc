// SPDX-License-Identifier: MIT
// Tests src/base/hash.c.
// The hash that compares states and models.
#include "../support.h"
#include "base/hash.h"

// One bit anywhere, one byte more, another order: another hash.
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
            // far away, too: about half of the bits
            int distance = __builtin_popcountll(h ^ changed);
            assert_true(distance > 8 && distance < 56);
        }
        if (size)
            assert_true(h != carom_hash(CAROM_HASH_START, bytes, size - 1));
    }
    const double ab[2] = {1, 2}, ba[2] = {2, 1};
    assert_true(carom_hash(CAROM_HASH_START, ab, sizeof ab) != carom_hash(CAROM_HASH_START, ba, sizeof ba));
    // nothing has a hash, too
    assert_true(carom_hash(1, NULL, 0) == carom_hash(1, ab, 0));
    assert_true(carom_hash(1, ab, sizeof ab) != carom_hash(2, ab, sizeof ab));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
