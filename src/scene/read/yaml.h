// SPDX-License-Identifier: MIT
// Reads YAML 1.2 and JSON into a tree. The only part of carom that uses the YAML library.
#ifndef CAROM_SCENE_READ_YAML_H
#define CAROM_SCENE_READ_YAML_H

#include "scene/finding.h"
#include "scene/tree.h"

// Bytes of the largest scene file.
#define CAROM_YAML_SIZE_MAX ((size_t)64 << 20)

typedef enum carom_yaml_dialect {
    CAROM_YAML,
    CAROM_JSON,
} carom_yaml_dialect;

// Reads one document into a tree in the arena; `origin` as in carom_place. Returns NULL if there is no
// tree; the report then has a finding or has failed. Duplicate keys are reported, the first of each is
// kept, and the tree is returned.
const carom_tree *carom_yaml_parse(const char *text, size_t size, carom_yaml_dialect dialect, const char *origin,
                                   carom_arena *arena, carom_report *report);

#endif
