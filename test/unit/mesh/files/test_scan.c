// SPDX-License-Identifier: MIT
// Tests src/mesh/files/scan.c, src/base/inflate.c.
// Numbers in files are correctly rounded in any locale; counts are not larger than the file allows; zlib streams are
// decompressed.
#include <float.h>
#include <locale.h>

#include "../../../support.h"
#include "base/inflate.h"
#include "mesh/files/scan.h"

static bool scan_number(const char *text, double *value) {
    carom_scan scan = carom_scan_start("text", text, strlen(text), NULL);
    return carom_scan_number(&scan, "a number", value) && scan.at == scan.end;
}

static void check_number(const char *text) {
    double value = NAN, expected = strtod(text, NULL);
    if (!scan_number(text, &value) || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%s is read as %.17g, expected %.17g", text, value, expected);
}

static void numbers(void **state) {
    (void)state;
    const char *const texts[] = {"0",
                                 "-0",
                                 "1",
                                 "-1.5",
                                 "+2",
                                 ".5",
                                 "5.",
                                 "0.1",
                                 "1e22",
                                 "1e23",
                                 "9007199254740993",
                                 "0.30000000000000004",
                                 "1e-27",
                                 "123456789012345678e-27",
                                 "9999999999999999999",
                                 "1e27",
                                 "1.7976931348623157e308",
                                 "5e-324",
                                 "2.2250738585072011e-308",
                                 "0.000000000000000000000000000000000000012345",
                                 "8.5",
                                 "4503599627370496.5",
                                 "4503599627370497.5",
                                 "100000000000000000000000",
                                 "0.1000000000000000055511151231257827"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_number(texts[i]);

    // doubles of random bits, printed with 1 to 19 digits
    uint64_t seed = 7;
    for (int i = 0; i < 200000; i++) {
        double value = ldexp(random_real(&seed, -1, 1), (int)random_real(&seed, -100, 100));
        char text[64];
        snprintf(text, sizeof text, "%.*g", 1 + i % 19, value);
        check_number(text);
        snprintf(text, sizeof text, "%.*f", i % 17, random_real(&seed, -1000, 1000));
        check_number(text);
    }
    double value;
    assert_true(scan_number("1.5d2", &value) && value == 150);
    assert_true(scan_number("1.5D-1", &value) && value == 0.15);
}

static void no_numbers(void **state) {
    (void)state;
    const char *const texts[] = {"",     "-",    ".",     "e5", "1e",  "1e+",   "nan", "inf",
                                 "-inf", "0x10", "1.2.3", "1f", "--1", "1e999", "1 2x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value;
        if (scan_number(texts[i], &value))
            fail_msg("'%s' is read as %g", texts[i], value);
    }
    const char *const wholes[] = {"", "-", "1.5", "1e3", "x", "0x1", "1234567890123456789012"};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        int64_t whole;
        carom_scan scan = carom_scan_start("text", wholes[i], strlen(wholes[i]), NULL);
        assert_false(carom_scan_whole(&scan, "a number", &whole));
    }
}

// Numbers are read in a locale with a decimal comma as well, which a host program may have set; without such a locale the test
// is void.
static void locale(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    double value;
    assert_true(scan_number("0.1000000000000000055511151231257827", &value) && value == 0.1);
    assert_true(scan_number("1.5e-300", &value) && value == 1.5e-300);
    setlocale(LC_NUMERIC, "C");
}

static void places(void **state) {
    (void)state;
    carom_error error = {0};
    const char text[] = "one\ntwo\r\n\n  three";
    carom_scan scan = carom_scan_start("file", text, sizeof text - 1, &error);
    carom_words word;
    for (int i = 0; i < 3; i++)
        assert_true(carom_scan_word(&scan, &word));
    assert_int_equal(carom_scan_line(&scan, (const unsigned char *)word.text), 4);
    assert_int_equal(carom_scan_line(&scan, (const unsigned char *)text), 1);
    assert_false(carom_scan_word(&scan, &word));
    assert_false(carom_scan_expected(&scan, "four"));
    assert_string_equal(error.message, "file:4:8: expected four, found the end of the file");
    assert_int_equal(scan.status, CAROM_BAD_INPUT);
    // the first failure is kept
    carom_scan_fail(&scan, scan.begin, "another");
    assert_string_equal(error.message, "file:4:8: expected four, found the end of the file");
    scan = carom_scan_start("file", text, sizeof text - 1, &error);
    scan.binary = true;
    carom_scan_take(&scan, 3, "head");
    assert_null(carom_scan_take(&scan, 100, "body"));
    assert_string_equal(error.message, "file: byte 3: the file ends within body: 100 bytes expected, 14 left");
}

static void inflate(void **state) {
    (void)state;
    // streams written by zlib: a stored block, a block of fixed codes
    const unsigned char stored[] = {0x78, 0x01, 0x01, 0x14, 0x00, 0xeb, 0xff, 0x69, 0x6d, 0x70, 0x61,
                                    0x63, 0x74, 0x20, 0x64, 0x79, 0x6e, 0x61, 0x6d, 0x69, 0x63, 0x73,
                                    0x20, 0x77, 0x68, 0x6f, 0x73, 0x52, 0x39, 0x07, 0xd8};
    const unsigned char fixed[] = {0x78, 0xda, 0x4b, 0x4e, 0x2c, 0xca, 0xcf, 0x55,
                                   0x48, 0x46, 0x27, 0x01, 0x67, 0x6f, 0x08, 0xa9};
    unsigned char bytes[32] = {0};
    assert_int_equal(carom_inflate(stored, sizeof stored, bytes, 20), CAROM_OK);
    assert_memory_equal(bytes, "impact dynamics whos", 20);
    assert_int_equal(carom_inflate(fixed, sizeof fixed, bytes, 23), CAROM_OK);
    assert_memory_equal(bytes, "carom carom carom carom", 23);
    // and a block of dynamic codes: the remainders of i^2 by 251, by 11
    const unsigned char own[] = {
        0x78, 0xda, 0x5d, 0x8f, 0x4b, 0x0e, 0x03, 0x40, 0x08, 0x42, 0x15, 0xfc, 0xdf, 0xff, 0xc0, 0xd5, 0x69, 0xd2, 0x45,
        0x77, 0x06, 0xf1, 0x09, 0xa2, 0xd6, 0x4e, 0x7a, 0x9b, 0xca, 0x8d, 0xee, 0x29, 0x41, 0x78, 0xa1, 0xb3, 0xc5, 0xa6,
        0xab, 0xb5, 0x0c, 0x16, 0x93, 0xc6, 0x68, 0xea, 0x0c, 0xd3, 0x14, 0x0c, 0x74, 0x37, 0x82, 0xa2, 0xc8, 0x15, 0x4f,
        0xbd, 0x33, 0x83, 0x60, 0xbd, 0xb1, 0x80, 0x5c, 0xd6, 0xc3, 0x22, 0xa9, 0xaa, 0x2e, 0x95, 0x25, 0x9c, 0xaa, 0x61,
        0x87, 0x2f, 0xeb, 0x7f, 0x7c, 0x06, 0x5f, 0x2b, 0x13, 0x2f, 0xcd, 0x11, 0x50, 0x1e, 0x39, 0xb1, 0x58, 0x2b, 0x07,
        0x2d, 0xb9, 0xcf, 0xf4, 0x0c, 0xbf, 0x08, 0xd0, 0xa7, 0xea, 0xb2, 0x76, 0x3f, 0xb1, 0x71, 0x4b, 0x37, 0xf8, 0x98,
        0x6c, 0x09, 0xdc, 0x59, 0xc8, 0xb2, 0x7e, 0x25, 0xbf, 0x7d, 0x3f, 0x6a, 0xcb, 0x04, 0xed};
    unsigned char squares[251];
    assert_int_equal(own[2] >> 1 & 3, 2);
    assert_int_equal(carom_inflate(own, sizeof own, squares, sizeof squares), CAROM_OK);
    for (int i = 0; i < 251; i++)
        assert_int_equal(squares[i], i * i % 251 % 11);
    for (size_t size = 0; size < sizeof own; size++)
        assert_int_equal(carom_inflate(own, size, squares, sizeof squares), CAROM_BAD_INPUT);
    // a wrong size, a truncated stream, any flipped bit
    assert_int_equal(carom_inflate(fixed, sizeof fixed, bytes, 22), CAROM_BAD_INPUT);
    assert_int_equal(carom_inflate(fixed, sizeof fixed, bytes, 24), CAROM_BAD_INPUT);
    for (size_t size = 0; size < sizeof fixed; size++)
        assert_int_equal(carom_inflate(fixed, size, bytes, 23), CAROM_BAD_INPUT);
    for (size_t bit = 0; bit < 8 * sizeof stored; bit++) {
        unsigned char wrong[sizeof stored];
        memcpy(wrong, stored, sizeof stored);
        wrong[bit / 8] ^= (unsigned char)(1 << bit % 8);
        // unused bits in the header of a stored block, and the compression level, have no effect
        if (carom_inflate(wrong, sizeof wrong, bytes, 20) == CAROM_OK)
            assert_true(bit / 8 == 2 && memcmp(bytes, "impact dynamics whos", 20) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(no_numbers), cmocka_unit_test(locale),
        cmocka_unit_test(places),  cmocka_unit_test(inflate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
