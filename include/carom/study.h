// SPDX-License-Identifier: MIT
// Parameter studies: the points at which a scene is to be run. A point gives each of the varied keys one value; keys and values
// are those of the overrides of carom_scene_load.
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include <stdint.h>

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// The limits of a study. Larger numbers are taken as typing errors.
enum {
    CAROM_STUDY_KEYS_MAX = 32,
    CAROM_STUDY_POINTS_MAX = 100000,
    CAROM_STUDY_FOLDER_MAX = 128, // bytes of the name of a folder, the final zero included
};

// Definition of the points.
//
// Each entry of `vary` is "KEY=VALUES". VALUES are separated by commas; commas and colons within brackets or quotes belong to a
// value. A value is anything that YAML can write on one line, or a range of numbers: FROM:TO:COUNT equally spaced,
// FROM:TO:COUNT:log by equal factors, both with their ends. The points are all combinations, the last key fastest. With
// `samples` above 0 they are instead a Latin hypercube of so many points: each key is divided into `samples` classes, each of
// which occurs once, in a random order. Then VALUES may also be a continuous range, FROM:TO or FROM:TO:log; listed values occur
// equally often. Numbers of ranges are rounded to 12 digits, random ones to 6.
//
// `list` is the text of a table (CSV) with a head of keys and a row for each point. Each row is combined with all points of
// `vary`. Empty lines and lines that begin with '#' are skipped.
typedef struct carom_study_def {
    int vary_count;
    const char *const *vary;
    const char *list;      // NULL: none
    size_t list_size;      // bytes of it
    const char *list_name; // of the file, for messages
    int samples;           // 0: all combinations
    uint64_t seed;         // of the random samples: the same seed gives the same points on every machine
} carom_study_def;

// The points. All texts are owned. Numbers are written in one form, so that 0.10 and 1e-1 are the same value.
typedef struct carom_study {
    int key_count, point_count;
    char **keys;   // "contact.friction"
    char **values; // key_count of each point, one point after the other
} carom_study;

// Chooses the points; one that occurs twice is listed once. Fails with CAROM_BAD_INPUT and what was expected. Release in any
// case.
CAROM_API carom_status carom_study_create(const carom_study_def *def, carom_study *study, carom_error *error);
// The same from keys and values that are known, such as those of an earlier study: key_count * point_count values.
CAROM_API carom_status carom_study_copy(int key_count, const char *const *keys, int point_count, const char *const *values,
                                        carom_study *study, carom_error *error);
// Adds the points of another study of the same keys, in the same order, that are not there yet.
CAROM_API carom_status carom_study_add(carom_study *study, const carom_study *more, carom_error *error);
CAROM_API void carom_study_release(carom_study *study);

// The value of a key at a point, owned by the study.
static inline const char *carom_study_value(const carom_study *study, int point, int key) {
    return study->values[(size_t)point * (size_t)study->key_count + (size_t)key];
}

// The name of a folder for the results at a point: "friction=0.1_velocity.2=-1". It depends on the keys and on the values of
// this point alone, differs from that of every other point, and is valid in any file system: a name that is too long, or a
// value with other characters than a-z, 0-9 and -+._, ends with a hash of the point.
CAROM_API void carom_study_folder(const carom_study *study, int point, char name[CAROM_STUDY_FOLDER_MAX]);

#ifdef __cplusplus
}
#endif
#endif
