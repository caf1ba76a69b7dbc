// SPDX-License-Identifier: MIT
// Numbers as text.
#ifndef CAROM_OUTPUT_NUMBER_H
#define CAROM_OUTPUT_NUMBER_H

enum { CAROM_NUMBER_MAX = 32 };

// Prints a number so that reading it gives the same bits, with a decimal point whatever the locale of the host program. Returns
// the length.
int carom_number_print(double value, char text[static CAROM_NUMBER_MAX]);

#endif
