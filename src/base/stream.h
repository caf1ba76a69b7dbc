// SPDX-License-Identifier: MIT
// A stream into memory, for functions that print.
#ifndef CAROM_BASE_STREAM_H
#define CAROM_BASE_STREAM_H

#include <stdio.h>

typedef struct carom_stream {
    FILE *file; // NULL if there is no memory
    char *text;
    size_t size;
} carom_stream;

// The struct must not move until it is closed: the system keeps pointers to its members.
void carom_stream_open(carom_stream *stream);

// The text that was printed, to be freed by carom_free; NULL if memory ran out.
char *carom_stream_close(carom_stream *stream);

#endif
