// SPDX-License-Identifier: MIT
// Tests src/base/processor.c.
// An environment variable chooses the instruction set of the kernels; sets that the processor lacks are refused and not used.
#include "../../support.h"
#include "base/processor.h"

static void names(void **state) {
    (void)state;
    assert_string_equal(carom_kernels_name(CAROM_KERNELS_BASELINE), "baseline");
    assert_string_equal(carom_kernels_name(CAROM_KERNELS_V3), "v3");
    assert_string_equal(carom_kernels_name(CAROM_KERNELS_V4), "v4");
}

static void what_can_be_chosen(void **state) {
    (void)state;
    unsetenv("CAROM_KERNELS");
    assert_true(carom_kernels_can_be_chosen());
    for (int k = 0; k < CAROM_KERNELS_COUNT; k++) {
        setenv("CAROM_KERNELS", carom_kernels_name((carom_kernels)k), 1);
        assert_int_equal(carom_kernels_can_be_chosen(), k <= (int)carom_kernels_best());
    }
    for (const char *const *wrong = (const char *const[]){"", "V3", "v5", "x86-64-v3", "baseline ", NULL}; *wrong; wrong++) {
        setenv("CAROM_KERNELS", *wrong, 1);
        assert_false(carom_kernels_can_be_chosen());
    }
}

// The choice is made once per process, so that all kernels have the same instruction set.
static void chosen_once(void **state) {
    (void)state;
    setenv("CAROM_KERNELS", "baseline", 1);
    assert_int_equal(carom_kernels_chosen(), CAROM_KERNELS_BASELINE);
    unsetenv("CAROM_KERNELS");
    assert_int_equal(carom_kernels_chosen(), CAROM_KERNELS_BASELINE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(what_can_be_chosen),
        cmocka_unit_test(chosen_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
