// SPDX-License-Identifier: MIT
#include "app/scene_text.h"

#include <stdlib.h>

char *carom_scene_text(const carom_scene *scene) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    carom_status status = carom_scene_dump(scene, stream);
    if (fclose(stream) != 0 || status) {
        free(text);
        return NULL;
    }
    return text;
}
