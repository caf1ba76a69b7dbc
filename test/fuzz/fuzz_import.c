// SPDX-License-Identifier: MIT
// Any bytes are a deck, made into a scene or refused with a message that names the deck.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *context, const char *message) {
    if (context || !message[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FILE *file = tmpfile();
    if (!file || fwrite(data, 1, size, file) != size || fflush(file) != 0)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    carom_text text = {0};
    carom_error error = {0};
    carom_status status = carom_scene_import(path, "deck.inp", ignore, NULL, &text, &error);
    if (status && (status != CAROM_BAD_INPUT || strncmp(error.message, path, strlen(path)) != 0))
        abort();
    if (!status && !strstr(text.data, "bodies:"))
        abort();
    carom_text_release(&text);
    fclose(file);
    return 0;
}
