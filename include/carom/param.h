// SPDX-License-Identifier: MIT
// Parameter tables: the single description of every number that a user may set.
//
// A table row names a field of a plain parameter struct and describes it: unit, default, range. The scene reader, its
// error messages, `carom schema`, `carom info`, the manual and the defaults of the C structs all read the same row.
#ifndef CAROM_PARAM_H
#define CAROM_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CAROM_NAME_MAX = 64,      // bytes of a name (body, set, probe), the final zero included
    CAROM_TEXT_MAX = 1024,    // bytes of a title or a path
    CAROM_PRINTED_MAX = 2048, // bytes that hold any value as carom_param_print writes it
};

typedef enum carom_param_type {
    CAROM_PARAM_REAL,   // double; "auto", where allowed, is stored as NaN
    CAROM_PARAM_INT,    // int; "auto", where allowed, is stored as CAROM_AUTO
    CAROM_PARAM_BOOL,   // bool
    CAROM_PARAM_CHOICE, // int: the index of the word in `choices`
    CAROM_PARAM_NAME,   // char[CAROM_NAME_MAX]
    CAROM_PARAM_TEXT,   // char[CAROM_TEXT_MAX]
    CAROM_PARAM_VEC3,   // double[3]
    CAROM_PARAM_INT3,   // int[3]
    CAROM_PARAM_PAIRS,  // carom_pairs; a range holds for all numbers
} carom_param_type;

enum { CAROM_PAIRS_MAX = 32 };

// Rows of two numbers: a curve, terms of a series.
typedef struct carom_pairs {
    int count;
    double rows[CAROM_PAIRS_MAX][2];
} carom_pairs;

enum { CAROM_AUTO = -1 };

enum {
    CAROM_PARAM_OPEN_MIN = 1,   // the minimum itself is not allowed
    CAROM_PARAM_OPEN_MAX = 2,   // the maximum itself is not allowed
    CAROM_PARAM_ALLOW_AUTO = 4, // the word `auto` is allowed
    CAROM_PARAM_NONZERO = 8,    // a vector may not be zero (its length must be finite and positive)
};

typedef struct carom_param {
    const char *name;           // the key in a scene, lower case, words joined by '_' or '-'
    carom_param_type type;      // type of the field
    size_t offset;              // where it is in the parameter struct
    const char *unit;           // in terms of "length", "mass", "time"; "" for a pure number
    const char *initial;        // the default as one writes it in a scene; NULL: the key is required
    double min, max;            // range of numbers (of each component of a vector); both 0: no limits
    unsigned flags;             // CAROM_PARAM_*
    const char *const *choices; // NULL-terminated words of a CAROM_PARAM_CHOICE
    const char *doc;            // one or two sentences, ending with a full stop
} carom_param;

// Ranges to be written inside a table row.
#define CAROM_RANGE_ANY .min = 0, .max = 0
#define CAROM_RANGE_POSITIVE .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN
#define CAROM_RANGE_NONNEGATIVE .min = 0, .max = HUGE_VAL
#define CAROM_RANGE_UNIT .min = 0, .max = 1

// The description of a member of a catalogue (material, element, generator, integrator). The concrete table of
// each family starts with this struct.
typedef struct carom_kind {
    const char *name;          // as written in a scene
    const char *summary;       // one line
    const char *reference;     // the publication it follows, or ""
    const carom_param *params; // its parameters
    int param_count;
    size_t params_size; // size of its parameter struct in bytes, 0 if it has none
} carom_kind;

// A family of kinds: { "material", 1, { &linear.kind } }.
typedef struct carom_catalogue {
    const char *family;             // "material"
    int count;                      // number of kinds
    const carom_kind *const *kinds; // in the order in which they are listed
} carom_catalogue;

// A kind and its parameters: "linear, with these moduli". `params` points to a struct of kind->params_size bytes, which is
// copied by the function that receives the pick; NULL stands for the defaults of the table. Every function that takes a pick
// checks all parameters against their ranges and fails with CAROM_BAD_INPUT and the name of the one at fault; a parameter that
// has no default must be given.
typedef struct carom_pick {
    const carom_kind *kind;
    const void *params;
} carom_pick;

// The kind of that name, or NULL.
CAROM_API const carom_kind *carom_catalogue_find(const carom_catalogue *catalogue, const char *name);

// Finds a kind by name and fills `params` with its defaults (required fields become 0), ready to be changed:
//     carom_box_params box;
//     carom_pick mesh = carom_pick_of(carom_generators(), "box", &box, &error);
//     box.elements[0] = 20;
// `params` must be the parameter struct of that kind and outlive the pick; NULL makes a pick with defaults only. On failure the
// kind of the pick is NULL, and the message suggests the nearest name.
CAROM_API carom_pick carom_pick_of(const carom_catalogue *catalogue, const char *name, void *params, carom_error *error);

// Checks a pick like every function that takes one: a kind is chosen, required parameters are given, all are in range. The
// message begins with "kind.parameter: ".
CAROM_API carom_status carom_pick_check(const carom_pick *pick, carom_error *error);

// Fills a parameter struct with the defaults of its table (required fields become 0).
CAROM_API void carom_param_defaults(const carom_param *params, int count, void *fields);

// Reads one value as it is written in a scene or on the command line ("0.25", "exact", "[0, 0, 1]") into its field.
// Fails with what was expected, without naming the parameter.
CAROM_API carom_status carom_param_parse(const carom_param *param, const char *text, void *fields, carom_error *error);

// Checks the value of one field against type and range; fails with what was expected.
CAROM_API carom_status carom_param_check(const carom_param *param, const void *fields, carom_error *error);

// Writes the value of one field in the syntax of a scene; reading it restores the same bits.
CAROM_API void carom_param_print(const carom_param *param, const void *fields, char *text, size_t size);

// "a number > 0", "a number from 0 to 1 or auto", "one of drift, projection", "three numbers [x, y, z]".
CAROM_API void carom_param_expected(const carom_param *param, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
