// SPDX-License-Identifier: MIT
// Status codes and their messages. A message that is too long is truncated.
#include "carom/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/version.h"

carom_status carom_fail(carom_error *error, carom_status status, const char *format, ...) {
    // NULL: the caller needs the status only
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

const char *carom_status_name(carom_status status) {
    switch (status) {
    case CAROM_OK: return "ok";
    case CAROM_BAD_INPUT: return "bad input";
    case CAROM_NUMERICAL: return "numerical failure";
    case CAROM_IO: return "input/output failure";
    case CAROM_NO_MEMORY: return "out of memory";
    case CAROM_INTERRUPTED: return "interrupted";
    }
    return "unknown status";
}

const char *carom_version(void) {
    return CAROM_VERSION_STRING;
}

int carom_version_number(void) {
    return CAROM_VERSION_NUMBER;
}

void carom_free(void *memory) {
    free(memory);
}
