// SPDX-License-Identifier: MIT
#include "base/numerals.h"

// uselocale changes the calling thread alone; setlocale would change the host program and all of its threads.
carom_numerals carom_numerals_enter(void) {
    carom_numerals numerals = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (numerals.plain)
        numerals.before = uselocale(numerals.plain);
    return numerals;
}

void carom_numerals_leave(carom_numerals numerals) {
    // newlocale fails only when memory is short; numbers are then read in the locale of the host.
    if (!numerals.plain)
        return;
    uselocale(numerals.before);
    freelocale(numerals.plain);
}
