// SPDX-License-Identifier: MIT
// Ends all processes of a run if memory is short on this one, as a last resort (insist.h).
#include "parallel/insist.h"

static carom_last_words *speaker;

void carom_parallel_set_last_words(carom_last_words *say) {
    speaker = say;
}

void carom_parallel_abandon(carom_status status, const char *message) {
    carom_parallel_abort(speaker ? speaker(status, message) : (int)status);
}

carom_status carom_parallel_insist(carom_status status, const carom_error *error) {
    if (status == CAROM_NO_MEMORY && carom_parallel_size() > 1 && !carom_parallel_has_failed())
        carom_parallel_abandon(status, error && error->message[0] ? error->message : "no memory");
    return status;
}
