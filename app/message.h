// SPDX-License-Identifier: MIT
// Messages of the command: one style for all, colours only on a terminal and not with NO_COLOR.
#ifndef CAROM_APP_MESSAGE_H
#define CAROM_APP_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/lock.h"
#include "carom/scene.h"
#include "carom/text.h"

// Exit codes; scripts rely on them.
enum {
    CAROM_EXIT_DONE = 0,
    CAROM_EXIT_GATE = 1,      // the run finished but an `expect:` gate failed
    CAROM_EXIT_INPUT = 2,     // bad input, or a file that cannot be read or written
    CAROM_EXIT_NUMERICAL = 3, // the computation failed; the last admissible state is saved
    CAROM_EXIT_INTERRUPTED = 130,
};

// The exit code of a status.
int carom_exit_code(carom_status status);

// "carom: error: ..." and "carom: note: ..." on stderr, each a line.
void carom_say_error(const char *format, ...) CAROM_PRINTF(1, 2);
void carom_say_note(const char *format, ...) CAROM_PRINTF(1, 2);
// The error, and the exit code of bad input: return carom_refuse(...).
int carom_refuse(const char *format, ...) CAROM_PRINTF(1, 2);
// The message of a failure of the library, and its exit code.
int carom_say_failure(const carom_error *error);
// From now on this process prints nothing: messages are suppressed and standard output is discarded. For ranks other than 0.
void carom_fall_silent(void);

// The word for that many: carom_plural(1, "body", "bodies") is "body".
const char *carom_plural(int64_t count, const char *one, const char *many);

// A word as a shell reads it: in quotes where it needs them.
void carom_print_shell_word(const char *word, FILE *stream);

// A cell of a table, left-aligned. A text that is too long is followed by a new line, which goes on where the next cell begins.
void carom_print_cell(const char *text, int begin, int width, FILE *stream);

// Words in lines of at most 100 columns, each after the indent, with a final newline.
void carom_print_wrapped(const char *text, int indent, FILE *stream);

typedef enum carom_style { CAROM_STYLE_BOLD, CAROM_STYLE_GOOD, CAROM_STYLE_BAD, CAROM_STYLE_DIM } carom_style;

// The sequences that begin and end a style on this stream; empty where there are no colours.
const char *carom_style_begin(carom_style style, FILE *stream);
const char *carom_style_end(FILE *stream);

// `count` zeroed items of `size` bytes, at least one byte, or NULL. Free with free().
void *carom_zeroed(int64_t count, size_t size);

// Prints the notes and errors of a scene to stderr.
void carom_say_findings(const carom_findings *findings);
// The same after a scene was read: without findings the message of a failure. Releases them; returns the exit code.
int carom_say_read(carom_findings *findings, carom_status status, const carom_error *error);

// Locks a directory for a run; with `make` the directory is created if it does not exist. Reports, unless quiet, that an
// abandoned lock was taken over. Returns an exit code after a message.
int carom_say_lock(const char *directory, bool make, bool quiet, carom_lock **lock);

// Writes a file that appears when it is complete, and releases the text.
carom_status carom_write_text(const char *path, carom_text *text, carom_error *error);

// Prints a text of the library and frees it; NULL prints nothing.
void carom_put_text(char *text, FILE *stream);

#endif
