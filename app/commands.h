// SPDX-License-Identifier: MIT
// The commands, one file each.
#ifndef CAROM_APP_COMMANDS_H
#define CAROM_APP_COMMANDS_H

#include "app/options.h"
#include "carom/file.h"

int carom_command_run(const carom_arguments *arguments);
int carom_command_check(const carom_arguments *arguments);
int carom_command_info(const carom_arguments *arguments);
int carom_command_report(const carom_arguments *arguments);
int carom_command_view(const carom_arguments *arguments);
int carom_command_compare(const carom_arguments *arguments);
int carom_command_sweep(const carom_arguments *arguments);
int carom_command_picture(const carom_arguments *arguments);
int carom_command_plot(const carom_arguments *arguments);
int carom_command_import(const carom_arguments *arguments);
int carom_command_mesh(const carom_arguments *arguments);
int carom_command_verify(const carom_arguments *arguments);
int carom_command_schema(const carom_arguments *arguments);
int carom_command_manual(const carom_arguments *arguments);
int carom_command_completion(const carom_arguments *arguments);
int carom_command_help(const carom_arguments *arguments);

// Writes the page of a result for report and view; `path` receives its path. Returns an exit code.
int carom_report_page(const carom_arguments *arguments, char path[static CAROM_PATH_MAX]);

#endif
