// SPDX-License-Identifier: MIT
// Makes names of result folders from the values of a point. A key is shortened to its last parts, "friction" for
// "contact.friction", as long as it differs from the other shortened keys.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "carom/study.h"

enum {
    LABEL = 64,        // bytes of a shortened key
    VALUES_BYTES = 96, // bytes of a name before its hash
    PARTS_MAX = 16,    // parts of a key that are used
    HASH_DIGITS = 12,  // of the point, in a name that does not state all values
};

// The parts of a key: bodies, part, velocity, 2.
typedef struct parts {
    int count;
    const char *text[PARTS_MAX];
    int size[PARTS_MAX];
} parts;

static parts split(const char *key) {
    parts p = {0};
    while (*key && p.count < PARTS_MAX) {
        key += strspn(key, ".[]'\"");
        int size = (int)strcspn(key, ".[]'\"");
        if (size > 0) {
            p.text[p.count] = key;
            p.size[p.count++] = size;
        }
        key += size;
    }
    return p;
}

// The last parts of a key, joined by dots. An index alone is not informative: it keeps the part before it.
static void join_end(const parts *p, int last, char label[static LABEL]) {
    size_t used = 0;
    int first = p->count > last ? p->count - last : 0;
    if (first > 0 && first == p->count - 1 && strspn(p->text[first], "0123456789") >= (size_t)p->size[first])
        first--;
    label[0] = 0;
    for (int i = first; i < p->count && used < LABEL; i++)
        used += (size_t)snprintf(label + used, LABEL - used, "%s%.*s", i > first ? "." : "", p->size[i], p->text[i]);
}

// The smallest number of last parts of a key that distinguishes it from all other keys.
static void label_key(const carom_study *study, int key, char label[static LABEL]) {
    parts own = split(study->keys[key]);
    for (int last = 1; last <= PARTS_MAX; last++) {
        bool alone = true;
        join_end(&own, last, label);
        for (int k = 0; k < study->key_count && alone; k++) {
            parts other = split(study->keys[k]);
            char text[LABEL];
            join_end(&other, last, text);
            alone = k == key || strcmp(text, label) != 0;
        }
        if (alone)
            return;
    }
}

static uint64_t hash_point(const carom_study *study, int point) {
    uint64_t h = CAROM_HASH_START;
    for (int k = 0; k < study->key_count; k++) {
        const char *value = carom_study_value(study, point, k);
        h = carom_hash(h, study->keys[k], strlen(study->keys[k]));
        h = carom_hash(h, value, strlen(value));
    }
    return h;
}

void carom_study_folder(const carom_study *study, int point, char name[CAROM_STUDY_FOLDER_MAX]) {
    // Upper case counts as changed as well: some file systems do not distinguish it from lower case.
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789-+._";
    bool changed = false;
    size_t used = 0;
    for (int k = 0; k < study->key_count; k++) {
        const char *value = carom_study_value(study, point, k);
        char label[LABEL], text[VALUES_BYTES];
        label_key(study, k, label);
        changed |= strspn(value, plain) != strlen(value);
        changed |= snprintf(text, sizeof text, "%s%s=%s", k ? "_" : "", label, value) >= (int)sizeof text;
        size_t size = strlen(text);
        changed |= used + size > VALUES_BYTES;
        size = used + size > VALUES_BYTES ? VALUES_BYTES - used : size;
        memcpy(name + used, text, size);
        used += size;
    }
    name[used] = 0;
    // other characters become '-': a list [0, 0, 1] becomes -0--0--1-
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+._=";
    for (char *c = name; *c; c++)
        if (!strchr(allowed, *c))
            *c = '-';
    if (name[0] == '-' || name[0] == '.')
        name[0] = '_';
    if (changed)
        snprintf(name + used, CAROM_STUDY_FOLDER_MAX - used, "-%0*" PRIx64, HASH_DIGITS,
                 hash_point(study, point) >> (64 - 4 * HASH_DIGITS));
}
