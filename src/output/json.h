// SPDX-License-Identifier: MIT
// Strings and numbers in the syntax of JSON.
#ifndef CAROM_OUTPUT_JSON_H
#define CAROM_OUTPUT_JSON_H

#include "base/text.h"

// A string in quotes; NULL is null. Bytes that are not UTF-8 become U+FFFD.
void carom_json_string(carom_text *text, const char *string);
// A number that reads back with the same bits; null if it is not finite.
void carom_json_real(carom_text *text, double value);

#endif
