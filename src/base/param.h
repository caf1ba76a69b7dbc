// SPDX-License-Identifier: MIT
// What the library itself asks of a parameter table.
#ifndef CAROM_BASE_PARAM_H
#define CAROM_BASE_PARAM_H

#include <stdint.h>

#include "carom/param.h"

// Continues `hash` over the fields of a table, one after another: what lies between them has no meaning.
uint64_t carom_param_hash(uint64_t hash, const carom_param *params, int count, const void *fields);

#endif
