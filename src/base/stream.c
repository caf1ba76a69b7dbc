// SPDX-License-Identifier: MIT
// Opens and closes output streams into memory (stream.h), by the functions of the operating system.
#include "base/stream.h"

#include "base/platform.h"

void carom_stream_open(carom_stream *stream) {
    *stream = (carom_stream){0};
    stream->file = carom_platform_open_memory(&stream->text, &stream->size);
}

char *carom_stream_close(carom_stream *stream) {
    return stream->file ? carom_platform_close_memory(stream->file, &stream->text, &stream->size) : NULL;
}
