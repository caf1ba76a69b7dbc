// SPDX-License-Identifier: MIT
#include "base/stream.h"

#include <stdbool.h>
#include <stdlib.h>

void carom_stream_open(carom_stream *stream) {
    *stream = (carom_stream){0};
    stream->file = open_memstream(&stream->text, &stream->size);
}

char *carom_stream_close(carom_stream *stream) {
    if (!stream->file)
        return NULL;
    // an error of any earlier write means that a part is missing
    bool whole = ferror(stream->file) == 0;
    whole = fclose(stream->file) == 0 && whole;
    if (whole)
        return stream->text;
    free(stream->text);
    return NULL;
}
