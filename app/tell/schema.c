// SPDX-License-Identifier: MIT
// carom schema: the JSON Schema of scene files.
#include "app/commands.h"
#include "app/message.h"
#include "carom/scene.h"

int carom_command_schema(const carom_arguments *arguments) {
    (void)arguments;
    carom_put_text(carom_scene_schema(), stdout);
    return CAROM_EXIT_DONE;
}
