// SPDX-License-Identifier: MIT
#include "base/numerals.h"

carom_numerals carom_numerals_enter(void) {
    return carom_platform_plain_numerals();
}

void carom_numerals_leave(carom_numerals numerals) {
    carom_platform_restore_numerals(numerals);
}
