// SPDX-License-Identifier: MIT
// Numbers are read and printed with a decimal point, even if the locale of the host program has a comma.
#ifndef CAROM_BASE_NUMERALS_H
#define CAROM_BASE_NUMERALS_H

#include "base/platform.h"

// carom_numerals_enter makes this thread read and print numbers as in C; carom_numerals_leave restores the locale it returned.
typedef carom_platform_numerals carom_numerals;

static inline carom_numerals carom_numerals_enter(void) {
    return carom_platform_plain_numerals();
}

static inline void carom_numerals_leave(carom_numerals numerals) {
    carom_platform_restore_numerals(numerals);
}

#endif
