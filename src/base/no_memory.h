// SPDX-License-Identifier: MIT
// The failure of an allocation.
#ifndef CAROM_BASE_NO_MEMORY_H
#define CAROM_BASE_NO_MEMORY_H

#include "carom/status.h"

// `what` there is no memory for: "the model".
static inline carom_status carom_no_memory(carom_error *error, const char *what) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for %s", what);
}

#endif
