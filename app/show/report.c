// SPDX-License-Identifier: MIT
// carom report: a result as one page for a browser.
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/result.h"
#include "app/show/result_bundle.h"

// Shared with `carom view`, which opens the page that this writes.
int carom_report_page(const carom_arguments *arguments, char path[static CAROM_PATH_MAX]) {
    const char *directory = arguments->operands[0], *asked = carom_arguments_value(arguments, "output");
    double size_max;
    int code = carom_page_size_option(arguments, &size_max);
    if (code)
        return code;
    int size = asked ? snprintf(path, CAROM_PATH_MAX, "%s", asked)
                     : snprintf(path, CAROM_PATH_MAX, "%s%sreport.html", directory,
                                *directory && directory[strlen(directory) - 1] == '/' ? "" : "/");
    if (size <= 0 || size >= CAROM_PATH_MAX) {
        carom_say_error("the page must have a name of 1 to %d bytes", CAROM_PATH_MAX - 1);
        return CAROM_EXIT_INPUT;
    }
    carom_error error = {0};
    carom_status status =
        carom_result_owns(path, &error) ? error.status : carom_result_bundle_write(directory, path, size_max, &error);
    if (status)
        carom_say_error("%s", error.message);
    return carom_exit_code(status);
}

int carom_command_report(const carom_arguments *arguments) {
    char path[CAROM_PATH_MAX];
    int code = carom_report_page(arguments, path);
    if (code == CAROM_EXIT_DONE)
        printf("%s\n", path);
    return code;
}
