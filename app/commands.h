// SPDX-License-Identifier: MIT
// The commands, one file each.
#ifndef CAROM_APP_COMMANDS_H
#define CAROM_APP_COMMANDS_H

#include "app/options.h"

int carom_command_run(const carom_arguments *arguments);
int carom_command_check(const carom_arguments *arguments);
int carom_command_info(const carom_arguments *arguments);
int carom_command_mesh(const carom_arguments *arguments);
int carom_command_verify(const carom_arguments *arguments);
int carom_command_schema(const carom_arguments *arguments);
int carom_command_manual(const carom_arguments *arguments);
int carom_command_completion(const carom_arguments *arguments);
int carom_command_help(const carom_arguments *arguments);

#endif
