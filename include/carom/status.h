// SPDX-License-Identifier: MIT
// Error reporting.
//
// There are three kinds of errors. A programming error fails an assertion. An external error (invalid input, a bad file, a full
// disk) is returned as a status with a message. A numerical event (a value that is not finite, a contact that reached its
// iteration limit) is counted in the state.
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

// CAROM_API marks what the shared library exports; everything else is hidden. CAROM_PRINTF lets the compiler check formats:
// `text` is the number of the format, `first` that of its first argument.
#if defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CAROM_API
#define CAROM_PRINTF(text, first)
#endif

// The return value of a function that can fail. Zero is success, so `if (status)` is the test for failure.
typedef enum carom_status {
    CAROM_OK = 0,      // success
    CAROM_BAD_INPUT,   // the request is invalid; the message states what was expected
    CAROM_NUMERICAL,   // the computation cannot go on; the state is the last admissible one
    CAROM_IO,          // a file could not be read or written
    CAROM_NO_MEMORY,   // an allocation failed
    CAROM_INTERRUPTED, // stopped by a signal; the state is complete and can be resumed
} carom_status;

// A status with its message. Functions that can fail take one as their last argument; NULL is permitted and means that only the
// returned status is used. The message is one sentence without a final full stop or newline.
typedef struct carom_error {
    carom_status status; // the same as was returned
    char message[1024];  // ends with a zero; cut if it is longer
} carom_error;

// Fills `error` (if not NULL) and returns `status`, so that a failing function can end with `return carom_fail(...)`.
CAROM_API carom_status carom_fail(carom_error *error, carom_status status, const char *format, ...) CAROM_PRINTF(3, 4);

// "bad input", "numerical failure", ...
CAROM_API const char *carom_status_name(carom_status status);

// Frees memory that a function of the library allocated and returned (texts, lists of nodes). NULL is permitted. A program in
// another language, or one with an allocator of its own, must use this instead of its own free().
CAROM_API void carom_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
