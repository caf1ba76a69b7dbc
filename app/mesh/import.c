// SPDX-License-Identifier: MIT
// carom import: a scene from a deck of Abaqus or CalculiX.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/message.h"
#include "carom/file.h"
#include "carom/scene.h"

static void warn(void *context, const char *message) {
    (void)context;
    carom_say_note("%s", message);
}

// The path of the deck for a scene in the folder of `output`: relative if the deck is in that folder or below, else absolute.
static char *name_deck(const char *deck, const char *output) {
    char folder[CAROM_PATH_MAX];
    const char *slash = output ? strrchr(output, '/') : NULL;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - output) : 2, slash ? output : "./");
    char *real = realpath(deck, NULL), *inside = realpath(folder, NULL);
    size_t size = inside ? strlen(inside) : 0;
    if (real && inside && strncmp(real, inside, size) == 0 && real[size] == '/')
        memmove(real, real + size + 1, strlen(real + size + 1) + 1);
    free(inside);
    return real;
}

int carom_command_import(const carom_arguments *arguments) {
    const char *deck = arguments->operands[0], *output = carom_arguments_value(arguments, "output");
    carom_error error = {0};
    if (access(deck, R_OK) != 0)
        return carom_refuse("cannot read %s: no such file", deck);
    // an edited scene must not be overwritten
    if (output && access(output, F_OK) == 0)
        return carom_refuse("%s exists; remove it first, or write to another file", output);
    char *name = name_deck(deck, output);
    carom_text text = {0};
    carom_status status = name
                              ? carom_scene_import(deck, name, warn, NULL, &text, &error)
                              : carom_fail(&error, CAROM_IO, "cannot read %s or the folder of %s", deck, output ? output : ".");
    if (!status && output)
        status = carom_file_replace(output, text.data, text.size, &error);
    else if (!status)
        fwrite(text.data, 1, text.size, stdout);
    if (status)
        carom_say_error("%s", error.message);
    else if (output)
        printf("wrote %s (carom check %s, carom run %s)\n", output, output, output);
    carom_text_release(&text);
    free(name);
    return carom_exit_code(status);
}
