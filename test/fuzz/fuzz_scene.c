// SPDX-License-Identifier: MIT
// Fuzz test of the scene reader: any bytes are read as a scene or refused with a message, without a crash, a leak or a hang.
// The text of a scene that was read is read again and has the same text. A first line "--set key=value" is an override.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ELEMENTS_MAX = 200 };

static carom_scene *read_scene(const char *text, size_t size, const char *name, const char *override) {
    carom_scene *scene = NULL;
    carom_findings findings = {0};
    carom_error error = {0};
    const carom_scene_source source = {
        .text = text, .size = size, .name = name, .overrides = &override, .override_count = override ? 1 : 0};
    carom_status status = carom_scene_read(&source, ELEMENTS_MAX, &scene, &findings, &error);
    if (status == CAROM_BAD_INPUT && (findings.count == 0 || !error.message[0]))
        abort();
    carom_findings_release(&findings);
    return scene;
}

static char *dump(const carom_scene *scene, size_t *size) {
    char *text = carom_scene_text(scene);
    if (!text)
        abort();
    *size = strlen(text);
    return text;
}

static void check_dump(const carom_scene *scene) {
    size_t first_size, second_size;
    char *first = dump(scene, &first_size);
    carom_scene *again = read_scene(first, first_size, "dump.yaml", NULL);
    if (!again)
        abort();
    char *second = dump(again, &second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    carom_scene_release(again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    char *override = NULL;
    const char *line = size > 6 && memcmp(text, "--set ", 6) == 0 ? memchr(text, '\n', size) : NULL;
    if (line) {
        override = strndup(text + 6, (size_t)(line - text) - 6);
        size -= (size_t)(line + 1 - text);
        text = line + 1;
    }
    carom_scene *scene = read_scene(text, size, size && text[0] == '{' ? "fuzz.json" : "fuzz.yaml", override);
    if (scene)
        check_dump(scene);
    carom_scene_release(scene);
    free(override);
    return 0;
}
