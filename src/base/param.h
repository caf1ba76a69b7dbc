// SPDX-License-Identifier: MIT
// Functions on parameter tables that the library needs beside the public ones.
#ifndef CAROM_BASE_PARAM_H
#define CAROM_BASE_PARAM_H

#include <stdint.h>

#include "carom/param.h"

// Continues `hash` over the fields of a table, one after another. Padding between fields does not take part.
uint64_t carom_param_hash(uint64_t hash, const carom_param *params, int count, const void *fields);

#endif
