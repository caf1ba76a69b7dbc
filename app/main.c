// SPDX-License-Identifier: MIT
// Entry point: finds the command in the table, parses its arguments, and calls it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "app/options.h"
#include "app/ranks.h"
#include "app/threads.h"
#include "carom/parallel.h"
#include "carom/version.h"

// Parses the rest of the line and calls the command. With --help a command is never run.
static int run_command(const carom_command *command, int count, char **words) {
    // Every word may be an operand.
    const char **operands = calloc((size_t)count + 1, sizeof *operands);
    carom_arguments *arguments = calloc(1, sizeof *arguments);
    int code = CAROM_EXIT_INPUT;
    if (!operands || !arguments) {
        carom_ranks_abandon(CAROM_NO_MEMORY, "no memory for the command line");
        carom_say_error("no memory for the command line");
    } else if (carom_arguments_read(arguments, command, count, words, operands)) {
        if (carom_arguments_value(arguments, "help")) {
            carom_help_print(command, stdout);
            code = CAROM_EXIT_DONE;
        } else if (carom_arguments_value(arguments, "version")) {
            printf("carom %s\n", carom_version());
            code = CAROM_EXIT_DONE;
        } else {
            code = command->run(arguments);
        }
    }
    free(operands);
    free(arguments);
    return code;
}

static int dispatch(int argc, char **argv) {
    // To stderr, because this is an error: a pipe must not take the overview for a result.
    if (argc < 2) {
        carom_overview_print(stderr);
        return CAROM_EXIT_INPUT;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        carom_overview_print(stdout);
        return CAROM_EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("carom %s\n", carom_version());
        return CAROM_EXIT_DONE;
    }
    const carom_command *command = carom_command_find(name);
    return command ? run_command(command, argc - 2, argv + 2) : CAROM_EXIT_INPUT;
}

// With several processes all take part in `carom run`; only rank 0 executes other commands.
static int dispatch_ranks(int argc, char **argv) {
    // A single process needs no communication, for example to print its version; a run starts it when it is needed.
    int code = carom_ranks_started() > 1 ? carom_ranks_begin() : CAROM_EXIT_DONE;
    bool shared = argc > 1 && strcmp(argv[1], "run") == 0;
    if (code == CAROM_EXIT_DONE && (shared || carom_parallel_rank() == 0))
        code = dispatch(argc, argv);
    return carom_ranks_end(code);
}

int main(int argc, char **argv) {
    carom_threads_yield(argv);
    int code = carom_ranks_replace(argv);
    if (code == CAROM_EXIT_DONE)
        code = carom_parallel_possible() ? dispatch_ranks(argc, argv) : dispatch(argc, argv);
    errno = 0;
    // On a full disk the results are lost, and the exit code must say so.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        carom_say_error("cannot write to the standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        return code ? code : CAROM_EXIT_INPUT;
    }
    return code;
}
