// SPDX-License-Identifier: MIT
// The gates of the `expect:` block: conditions that the results of a run must meet.
#ifndef CAROM_SCENE_EXPECT_H
#define CAROM_SCENE_EXPECT_H

#include "carom/run.h"

typedef enum carom_relation {
    CAROM_RELATION_LESS,
    CAROM_RELATION_LESS_EQUAL,
    CAROM_RELATION_GREATER,
    CAROM_RELATION_GREATER_EQUAL,
    CAROM_RELATION_EQUAL,
    CAROM_RELATION_BETWEEN, // ends included
} carom_relation;

typedef struct carom_condition {
    carom_relation relation;
    double first, second; // second: the upper end of BETWEEN
} carom_condition;

// "< x", "<= x", "> x", ">= x", "== x", "a .. b", or a number alone (equal). False if the text is none of these.
bool carom_condition_parse(const char *text, carom_condition *condition);
// NaN meets no condition.
bool carom_condition_holds(const carom_condition *condition, double value);

// How a condition is written, for messages, and as a regular expression (ECMA 262).
extern const char carom_condition_expected[];
extern const char carom_condition_pattern[];

// One quantity of a finished run that can be gated.
typedef struct carom_quantity {
    const char *name;
    double (*value)(const carom_sim *sim, const carom_summary *summary);
    const char *doc; // one sentence, ending with a full stop
    const char *law; // the law by which its exact value is 0 in every scene; NULL: none
} carom_quantity;

const carom_quantity *carom_quantities(int *count);

// The subject of a gate: a quantity, a column of a probe, or a peak of a body.
typedef struct carom_subject {
    const carom_quantity *quantity; // NULL: a probe or a peak
    int probe;                      // -1: a peak
    // column of the probe among x y z, ux uy uz, vx vy vz, rx ry rz, wx wy wz, px py pz, lx ly lz; -1: largest filtered value
    int column;
    bool force;                // the filtered value is a force, otherwise an acceleration
    char body[CAROM_NAME_MAX]; // of a peak
    carom_peak_kind kind;
} carom_subject;

// True if the name is BODY.max_von_mises or another peak of a body, which may or may not exist.
bool carom_subject_find_peak(const char *name, carom_subject *subject);

// Finds the quantity or probe column of that name. If there is none, returns false and a hint: " (did you
// mean ...)" or a list of the names that exist.
bool carom_subject_find(const char *name, const carom_probe_def *probes, int probe_count, carom_subject *subject, char *hint,
                        size_t size);

// The value of the subject at the end of a run; NaN if it has none.
double carom_subject_value(const carom_subject *subject, const carom_probe_def *probes, const carom_sim *sim,
                           const carom_summary *summary);

#endif
