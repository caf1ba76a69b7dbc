// SPDX-License-Identifier: MIT
// The one table of the keys of a scene. The reader, the JSON Schema, the dump and the manual are all
// derived from it.
#ifndef CAROM_SCENE_SCHEMA_H
#define CAROM_SCENE_SCHEMA_H

#include <stdio.h>

#include "scene/definition.h"
#include "scene/tree.h"

typedef enum carom_key_shape {
    CAROM_KEY_END = 0,   // ends a table
    CAROM_KEY_PARAM,     // one value, described by a parameter row
    CAROM_KEY_PARAMS,    // stands for all rows of a parameter table; carom_keys_expand resolves it
    CAROM_KEY_MAP,       // a map with its own keys
    CAROM_KEY_LIST,      // a list of such maps
    CAROM_KEY_PICK,      // one kind of a catalogue: {linear: {young: 1, ...}}, or only its name
    CAROM_KEY_VECTORS,   // a list of one to three vectors; member: carom_vector_list
    CAROM_KEY_TABLE,     // a list of rows of `columns` numbers, the first of them ascending; member: carom_list of such rows
    CAROM_KEY_WORDS,     // a list of words out of `words`; member: unsigned, one bit each
    CAROM_KEY_NAMES,     // a list of `columns` names; member: char[columns][CAROM_NAME_MAX]
    CAROM_KEY_WORDLIST,  // a list of any names, at least one; member: carom_list of char[CAROM_NAME_MAX]
    CAROM_KEY_NUMBERS,   // a list of numbers >= 0, at least one; member: carom_list of double
    CAROM_KEY_CONDITION, // a condition of a gate; member: char[CAROM_NAME_MAX]
    CAROM_KEY_GATES,     // name: condition pairs, or name: map of `keys`; member: carom_list of carom_scene_gate
} carom_key_shape;

// A restriction of a text beyond its length.
typedef struct carom_form {
    const char *expected; // "a name of letters, ..."
    const char *pattern;  // the same as a regular expression (ECMA 262)
    bool (*matches)(const char *text);
} carom_form;

typedef struct carom_key {
    carom_key_shape shape;
    const char *name;
    size_t offset; // of the member that holds the value, in the struct of the enclosing map; maps do not add to it
    // May be absent without a default: the member then stays empty (a zero vector, NaN, "", CAROM_AUTO, kind NULL). Of a MAP,
    // the bool at `offset` says whether it is present.
    bool optional;
    const char *doc;                           // one or two sentences; of a PARAM, the parameter row has it
    const carom_param *param;                  // PARAM; its own offset counts from `offset`
    const carom_form *form;                    // PARAM: form of a name, or NULL
    const carom_param *(*params)(int *count);  // PARAMS
    const struct carom_key *keys;              // MAP, LIST, GATES; ends with CAROM_KEY_END
    bool can_be_off;                           // MAP: may be `false`; the bool at `offset` is true if it is on
    bool off;                                  // MAP that can be off: the default is off
    const struct carom_key *as_list;           // MAP: may be this LIST instead, with a separate member; NULL: it may not
    const char *item;                          // LIST: the word for one item
    size_t item_size;                          // LIST
    const void *item_empty;                    // LIST: an item before anything is read; NULL: zeros
    const char *const *exactly_one;            // LIST: keys of which an item has exactly one; ends with NULL
    const char *const *at_most_one;            // LIST: keys of which an item has at most one; ends with NULL
    int least;                                 // LIST: number of items it needs
    const carom_catalogue *(*catalogue)(void); // PICK
    bool described;                            // PICK: the manual describes its kinds at another key already
    const char *needs_key;                     // has a meaning only together with this other key; NULL: always
    const char *unless;                        // replaced by this other key: a map has one of the two; NULL: never
    int columns;                               // TABLE, NAMES
    const char *row;                           // TABLE: form of a row, "[time, factor]"
    const char *const *words;                  // WORDS; ends with NULL
    unsigned word_default;                     // WORDS
} carom_key;

enum { CAROM_KEYS_MAX = 32 }; // keys of one map

// The keys of a whole scene.
const carom_key *carom_schema(void);

// The keys of one map in a plain array, PARAMS rows resolved; returns their number.
int carom_keys_expand(const carom_key *keys, carom_key expanded[CAROM_KEYS_MAX]);
// The same for the parameters of a kind.
int carom_kind_expand(const carom_kind *kind, carom_key expanded[CAROM_KEYS_MAX]);

// The number of keys behind key i that are its parts, as "friction.kinetic" is one of "friction": the value may be a map of
// them. A key with a dot is in no other map.
int carom_key_parts(const carom_key *keys, int count, int i);
// The name of a part within that map.
const char *carom_key_part_name(const carom_key *part);

// True if a scene without this key is invalid.
bool carom_key_is_required(const carom_key *key);

// True if the member has no value: an optional key that was left out.
bool carom_key_is_empty(const carom_key *key, const void *fields);

// Describes a valid value: "a map", "one material of: linear", "a list of words out of: ..."; for a
// parameter, the text of carom_param_expected.
void carom_key_expected(const carom_key *key, char *text, size_t size);

// The key that an unknown word was probably meant to be, or NULL: the nearest spelling, a key known to other programs by
// another name (E is `young`), or a key whose colon lacks its blank ("end:1").
const char *carom_key_meant(const char *word, const carom_key *keys, int count);

// The key of carom for a symbol of textbooks or a name in other programs (E, rho, dt), or NULL.
const char *carom_key_other_name(const char *word);

// True if the map lacks that key but has an unknown one that was probably meant.
bool carom_key_is_misspelt(const carom_tree *map, const carom_key *keys, int count, const char *name);

// Writes a text in double quotes, as YAML and JSON read it. It is UTF-8 without control characters.
void carom_key_quote(const char *text, FILE *stream);

// Letters, digits, '_' and '-', not starting with a digit or '-'.
extern const carom_form carom_form_name;

#endif
