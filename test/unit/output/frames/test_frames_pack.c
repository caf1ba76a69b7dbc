// SPDX-License-Identifier: MIT
// Tests src/output/frames/pack.c, src/output/frames/arrays.c.
// Compressed arrays: the same bytes for any number of threads, decompressed by the reader of carom, which is independent of
// zlib.
#include <float.h>

#include "../../../support.h"
#include "base/inflate.h"
#include "output/frames/pack.h"

// The decompressed blocks in sequence; the caller frees them.
static unsigned char *unpacked(const carom_pack *pack, size_t *size) {
    unsigned char *bytes = malloc((size_t)(pack->block_count + 1) * CAROM_PACK_BLOCK);
    assert_non_null(bytes);
    *size = 0;
    for (int64_t b = 0; b < pack->block_count; b++) {
        bool last = b + 1 == pack->block_count && pack->head[2] > 0;
        size_t room = last ? (size_t)pack->head[2] : CAROM_PACK_BLOCK;
        assert_int_equal(
            carom_inflate(pack->bytes + (size_t)b * carom_pack_stride(), (size_t)pack->head[3 + b], bytes + *size, room),
            CAROM_OK);
        *size += room;
    }
    return bytes;
}

static void assert_same(const carom_pack *a, const carom_pack *b) {
    assert_int_equal(a->block_count, b->block_count);
    assert_memory_equal(a->head, b->head, (size_t)(3 + a->block_count) * sizeof *a->head);
    for (int64_t i = 0; i < a->block_count; i++)
        assert_memory_equal(a->bytes + (size_t)i * carom_pack_stride(), b->bytes + (size_t)i * carom_pack_stride(),
                            (size_t)a->head[3 + i]);
}

// Random values, zeros and a ramp, as in fields; sizes near multiples of a block.
static void test_reals(void **state) {
    (void)state;
    static const int64_t tuples[] = {0, 1, 2730, 5461, 5462, 50000};
    for (int i = 0; i < 6; i++)
        for (int single = 0; single < 2; single++) {
            int64_t count = 3 * tuples[i];
            double *values = calloc((size_t)count + 1, sizeof *values);
            uint64_t seed = 1;
            for (int64_t k = 0; k < count; k++)
                values[k] = k % 5 == 0 ? 0 : k % 7 == 0 ? (double)k : random_real(&seed, -1, 1);
            carom_array array = {.section = CAROM_ARRAY_POINT_DATA,
                                 .name = "noise",
                                 .type = single ? CAROM_NUMBER_FLOAT32 : CAROM_NUMBER_FLOAT64,
                                 .kept = CAROM_NUMBER_FLOAT64,
                                 .components = 3,
                                 .count = tuples[i],
                                 .values = values};
            carom_pack pack = {0}, other = {0};
            assert_ok(carom_pack_array(&pack, &array, 0, error));
            size_t size, width = single ? 4 : 8;
            unsigned char *bytes = unpacked(&pack, &size);
            assert_int_equal(size, (size_t)count * width);
            for (int64_t k = 0; k < count; k++) {
                float narrow;
                double wide;
                memcpy(&narrow, bytes + width * (size_t)k, 4);
                memcpy(&wide, bytes + width * (size_t)k, single ? 4 : 8);
                assert_true(single ? narrow == (float)values[k] : wide == values[k]);
            }
            // a pack is reused, with any number of threads
            for (int helpers = 1; helpers < 12; helpers += 5) {
                assert_ok(carom_pack_array(&other, &array, helpers, error));
                assert_same(&pack, &other);
                assert_int_equal(carom_pack_size(&pack), carom_pack_size(&other));
            }
            free(bytes);
            free(values);
            carom_pack_release(&pack);
            carom_pack_release(&other);
        }
}

// Selected tuples, integers of eight bytes written in four, numbers that are not finite or too large for four bytes.
static void test_conversions(void **state) {
    (void)state;
    static const int from[] = {3, 0, 2};
    const double values[4][2] = {{1, 2}, {3, 4}, {NAN, 1e300}, {-INFINITY, FLT_MIN / 4}};
    carom_array array = {.name = "picked",
                         .type = CAROM_NUMBER_FLOAT32,
                         .kept = CAROM_NUMBER_FLOAT64,
                         .components = 2,
                         .count = 3,
                         .from = from,
                         .values = values};
    float picked[6];
    carom_array_fill(&array, 0, 6, picked);
    assert_true(isinf(picked[0]) && picked[0] < 0 && picked[1] == FLT_MIN / 4);
    assert_true(picked[2] == 1 && picked[3] == 2 && isnan(picked[4]) && isinf(picked[5]));
    // any range of values, also across tuples
    float middle[3];
    carom_array_fill(&array, 1, 4, middle);
    assert_memory_equal(middle, picked + 1, sizeof middle);

    const int64_t numbers[3] = {7, -1, INT32_MAX};
    carom_array whole = {.name = "whole",
                         .type = CAROM_NUMBER_INT32,
                         .kept = CAROM_NUMBER_INT64,
                         .components = 1,
                         .count = 3,
                         .values = numbers};
    int32_t narrow[3];
    carom_array_fill(&whole, 0, 3, narrow);
    assert_true(narrow[0] == 7 && narrow[1] == -1 && narrow[2] == INT32_MAX);
    assert_int_equal(carom_array_bytes(&whole), 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
