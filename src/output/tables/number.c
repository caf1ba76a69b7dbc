// SPDX-License-Identifier: MIT
// Prints a double so that reading it restores the same bits. 17 significant digits identify every double (IEEE 754). snprintf
// follows the locale of the host program, which may use a decimal comma.
#include "output/tables/number.h"

#include <stdio.h>
#include <string.h>

int carom_number_print(double value, char text[static CAROM_NUMBER_MAX]) {
    int size = snprintf(text, CAROM_NUMBER_MAX, "%.17g", value);
    char *comma = memchr(text, ',', (size_t)size);
    if (comma)
        *comma = '.';
    return size;
}
