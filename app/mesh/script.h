// SPDX-License-Identifier: MIT
// Scripts of gmsh (.geo) from untrusted sources. They can run programs and write files, so a script is searched for such
// commands before gmsh reads a copy of it.
#ifndef CAROM_APP_MESH_SCRIPT_H
#define CAROM_APP_MESH_SCRIPT_H

#include "carom/status.h"

// Copies a script to FOLDER/NAME, and the files that it includes or merges to the same places relative to it. CAROM_BAD_INPUT,
// with file and line, if one of them can run a program, write a file, or read one that is not in the folder of the script or
// below it.
carom_status carom_script_copy(const char *path, const char *folder, const char *name, carom_error *error);

#endif
