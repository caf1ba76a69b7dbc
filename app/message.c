// SPDX-License-Identifier: MIT
// Messages, styles and wrapped text of the command.
#include "app/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/file.h"

// Column at which text is wrapped, independent of the terminal, so that output in a file is the same.
enum { LINE_WIDTH = 100 };

// Scripts use these numbers, which the man page lists. There is no default case, so that the compiler reports a missing status.
int carom_exit_code(carom_status status) {
    switch (status) {
    case CAROM_OK: return CAROM_EXIT_DONE;
    case CAROM_NUMERICAL: return CAROM_EXIT_NUMERICAL;
    case CAROM_INTERRUPTED: return CAROM_EXIT_INTERRUPTED;
    case CAROM_BAD_INPUT:
    case CAROM_IO:
    case CAROM_NO_MEMORY: return CAROM_EXIT_INPUT;
    }
    return CAROM_EXIT_INPUT;
}

// True if the stream is a terminal, except if NO_COLOR (no-color.org) is set or the terminal is dumb.
static bool colourful(FILE *stream) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(stream)) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

const char *carom_style_begin(carom_style style, FILE *stream) {
    static const char *const sequences[] = {"\033[1m", "\033[32m", "\033[1;31m", "\033[2m"};
    return colourful(stream) ? sequences[style] : "";
}

const char *carom_style_end(FILE *stream) {
    return colourful(stream) ? "\033[0m" : "";
}

static bool silent;

void carom_fall_silent(void) {
    silent = true;
    // A failure is ignored: superfluous output does no harm.
    if (!freopen("/dev/null", "w", stdout))
        errno = 0;
}

static void say(bool is_error, const char *format, va_list arguments) {
    if (silent)
        return;
    const char *begin = is_error ? carom_style_begin(CAROM_STYLE_BAD, stderr) : "";
    fprintf(stderr, "carom: %s%s:%s ", begin, is_error ? "error" : "note", is_error ? carom_style_end(stderr) : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void carom_say_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(true, format, arguments);
    va_end(arguments);
}

void carom_say_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(false, format, arguments);
    va_end(arguments);
}

int carom_refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(true, format, arguments);
    va_end(arguments);
    return CAROM_EXIT_INPUT;
}

int carom_say_failure(const carom_error *error) {
    carom_say_error("%s", error->message);
    return carom_exit_code(error->status);
}

const char *carom_plural(int64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

void carom_print_shell_word(const char *word, FILE *stream) {
    // Characters that no shell interprets; a word with any other one is quoted.
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        // A quote inside single quotes: end them, add an escaped quote, begin again.
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

// After a text that is too long the line is continued below in the next column, so that the columns stay aligned.
void carom_print_cell(const char *text, int begin, int width, FILE *stream) {
    fprintf(stream, "%-*s", width, text);
    if ((int)strlen(text) >= width)
        fprintf(stream, "\n%*s", begin + width, "");
}

// A word longer than the line is not broken, so that a path can be copied.
void carom_print_wrapped(const char *text, int indent, FILE *stream) {
    int column = indent;
    fprintf(stream, "%*s", indent, "");
    while (*text) {
        int size = (int)strcspn(text, " ");
        if (column > indent && column + 1 + size > LINE_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", size, text);
        column += size;
        text += size;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

void *carom_zeroed(int64_t count, size_t size) {
    // An empty array is an allocation too, so NULL always means that memory is short.
    return calloc(count > 0 ? (size_t)count : 1, size);
}

void carom_put_text(char *text, FILE *stream) {
    if (text)
        fputs(text, stream);
    carom_free(text);
}

void carom_say_findings(const carom_findings *findings) {
    carom_put_text(carom_findings_text(findings), stderr);
}

int carom_say_read(carom_findings *findings, carom_status status, const carom_error *error) {
    carom_say_findings(findings);
    if (status && findings->count == 0)
        carom_say_error("%s", error->message);
    carom_findings_release(findings);
    return carom_exit_code(status);
}

int carom_say_lock(const char *directory, bool make, bool quiet, carom_lock **lock) {
    carom_error error = {0};
    char note[CAROM_PATH_MAX + 256];
    if (carom_lock_take(directory, make, lock, note, sizeof note, &error) != CAROM_OK)
        return carom_say_failure(&error);
    if (note[0] && !quiet)
        carom_say_note("%s", note);
    return CAROM_EXIT_DONE;
}

carom_status carom_write_text(const char *path, carom_text *text, carom_error *error) {
    carom_status status = text->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for %s", path)
                                       : carom_file_replace(path, text->data, text->size, error);
    carom_text_release(text);
    return status;
}
