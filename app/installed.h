// SPDX-License-Identifier: MIT
// Files that are installed with the command.
#ifndef CAROM_APP_INSTALLED_H
#define CAROM_APP_INSTALLED_H

#include <stdbool.h>

#include "carom/file.h"

// The path of a file or folder named from the folder of the running command ("../share/carom/scenes"), wherever the tree was
// moved to; false if it is not there.
bool carom_installed_find(const char *place, char path[static CAROM_PATH_MAX]);

#endif
