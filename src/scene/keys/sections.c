// SPDX-License-Identifier: MIT
// Provides the table of keys for programs that document scenes.
#include <stdio.h>
#include <string.h>

#include "carom/scene.h"
#include "scene/schema.h"

// The maps and lists of a scene, and the maps of a body; returns their number.
static int find(carom_key sections[CAROM_SCENE_KEYS_MAX]) {
    int count = 0;
    for (const carom_key *key = carom_schema(); key->shape != CAROM_KEY_END; key++) {
        if (key->shape == CAROM_KEY_MAP || key->shape == CAROM_KEY_LIST)
            sections[count++] = *key;
        for (const carom_key *own = key->keys; own && key->shape == CAROM_KEY_LIST && own->shape != CAROM_KEY_END; own++)
            if (own->shape == CAROM_KEY_MAP && strcmp(key->name, "bodies") == 0)
                sections[count++] = *own;
    }
    return count;
}

int carom_scene_sections(carom_scene_section *sections) {
    carom_key keys[CAROM_SCENE_KEYS_MAX];
    int count = find(keys);
    for (int i = 0; sections && i < count; i++)
        sections[i] = (carom_scene_section){keys[i].name, keys[i].doc, keys[i].item};
    return count;
}

int carom_scene_section_keys(int section, carom_scene_key *keys) {
    carom_key sections[CAROM_SCENE_KEYS_MAX], own[CAROM_KEYS_MAX];
    if (section < 0 || section >= find(sections))
        return 0;
    int count = carom_keys_expand(sections[section].keys, own);
    for (int i = 0; keys && i < count; i++) {
        keys[i] = (carom_scene_key){
            .name = own[i].name,
            .doc = own[i].doc,
            .param = own[i].shape == CAROM_KEY_PARAM ? own[i].param : NULL,
            .required = carom_key_is_required(&own[i]),
        };
        carom_key_expected(&own[i], keys[i].expected, sizeof keys[i].expected);
    }
    return count;
}
