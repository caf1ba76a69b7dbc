// SPDX-License-Identifier: MIT
#include "app/threads.h"

#include <errno.h>
#include <stdlib.h>

#include "app/message.h"
#include "carom/sim.h"

// Beyond any machine; a larger number is a typing error.
enum { THREADS_MAX = 1024 };

int carom_set_threads_option(const carom_arguments *arguments) {
    const char *text = carom_arguments_value(arguments, "threads");
    if (!text)
        return CAROM_EXIT_DONE;
    char *end;
    // strtol reports an overflow by errno alone.
    errno = 0;
    long threads = strtol(text, &end, 10);
    if (errno || end == text || *end || threads < 0 || threads > THREADS_MAX) {
        carom_say_error("--threads expects a whole number from 0 to %d, found '%s'", THREADS_MAX, text);
        return CAROM_EXIT_INPUT;
    }
    carom_set_threads((int)threads);
    return CAROM_EXIT_DONE;
}
