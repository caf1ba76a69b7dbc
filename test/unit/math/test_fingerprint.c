// SPDX-License-Identifier: MIT
// Tests src/math/fingerprint.c.
// The fingerprint of the mathematical functions is the same on every machine.
#include <inttypes.h>

#include "../../support.h"
#include "math/fingerprint.h"

static void same_everywhere(void **state) {
    (void)state;
    uint64_t found = carom_math_fingerprint();
    if (found != UINT64_C(0xf614a93ce9c156a2))
        fail_msg("the fingerprint is 0x%016" PRIx64, found);
    assert_true(carom_math_fingerprint() == found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
