// SPDX-License-Identifier: MIT
// Numbers are written with a point, whatever language the program that uses the library speaks.
#ifndef CAROM_BASE_NUMERALS_H
#define CAROM_BASE_NUMERALS_H

#include <locale.h>

// Makes this thread read and print numbers as in C, until carom_numerals_leave gets what was returned.
typedef struct carom_numerals {
    locale_t plain, before;
} carom_numerals;

carom_numerals carom_numerals_enter(void);
void carom_numerals_leave(carom_numerals numerals);

#endif
