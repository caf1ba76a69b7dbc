// SPDX-License-Identifier: MIT
// The table of commands and options, from which the parser, --help, the man page and the completions are derived.
#ifndef CAROM_APP_OPTIONS_H
#define CAROM_APP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The kind of a word on the command line, for the completion by shells.
typedef enum carom_word {
    CAROM_WORD_NONE, // a flag, or nothing to complete
    CAROM_WORD_TEXT, // anything
    CAROM_WORD_SCENE,
    CAROM_WORD_DIRECTORY,
    CAROM_WORD_FILE,
    CAROM_WORD_KIND, // a method, element, material or mesh, or a result directory
    CAROM_WORD_CHOICE,
} carom_word;

typedef struct carom_option {
    const char *name;     // long name without dashes; NULL ends a list
    char letter;          // short name, 0 if there is none
    const char *argument; // what follows it, NULL for a flag
    carom_word word;
    const char *doc;            // one sentence without a full stop
    const char *const *choices; // NULL-terminated words of CAROM_WORD_CHOICE
} carom_option;

typedef struct carom_arguments carom_arguments;

typedef struct carom_command {
    const char *name;
    const char *operands;           // as shown in the usage line
    int operands_min, operands_max; // max < 0: any number
    carom_word word;
    const char *const *choices;                   // NULL-terminated words of CAROM_WORD_CHOICE
    const char *summary;                          // one line
    const char *doc;                              // a paragraph; lines are wrapped when shown
    carom_option options[13];                     // ends with a NULL name
    int (*run)(const carom_arguments *arguments); // returns the exit code
} carom_command;

enum { CAROM_VALUES_MAX = 256 };

// A parsed command line. Words are borrowed from argv.
struct carom_arguments {
    const carom_command *command;
    int operand_count;
    const char **operands;
    int value_count;
    struct {
        const carom_option *option;
        const char *value;
    } values[CAROM_VALUES_MAX];
};

// True for an option that may be repeated with further values.
bool carom_option_repeats(const carom_option *option);

// All commands, in the order in which they are listed.
const carom_command *carom_commands(int *count);
// The command of that name; NULL after a message if there is none.
const carom_command *carom_command_find(const char *name);
// Options of `carom` itself and of every command.
extern const carom_option carom_global_options[];

// Parses the words after the name of the command; `operands` must have space for all of them. Returns false after a message.
bool carom_arguments_read(carom_arguments *arguments, const carom_command *command, int count, char **words,
                          const char **operands);
// The value of an option ("" for a flag), NULL if it was not given; the last one counts.
const char *carom_arguments_value(const carom_arguments *arguments, const char *name);
// Its value as a whole number from `least` to `most`; `*number` is unchanged if the option was not given. False after a
// message.
bool carom_arguments_whole(const carom_arguments *arguments, const char *name, int64_t least, int64_t most, int64_t *number);
// All values of an option that may be repeated; returns how many.
int carom_arguments_values(const carom_arguments *arguments, const char *name, const char *values[CAROM_VALUES_MAX]);

void carom_help_print(const carom_command *command, FILE *stream);
// The help of the command as a whole.
void carom_overview_print(FILE *stream);

#endif
