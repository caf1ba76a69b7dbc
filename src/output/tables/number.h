// SPDX-License-Identifier: MIT
// Numbers as text, independent of the locale.
#ifndef CAROM_OUTPUT_TABLES_NUMBER_H
#define CAROM_OUTPUT_TABLES_NUMBER_H

// Bytes of a printed number; "%.17g" needs at most 24 and a terminating zero.
enum { CAROM_NUMBER_MAX = 32 };

// Prints a number so that reading it restores the same bits, with a decimal point in every locale. Returns
// the length.
int carom_number_print(double value, char text[static CAROM_NUMBER_MAX]);

#endif
