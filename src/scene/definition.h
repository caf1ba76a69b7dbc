// SPDX-License-Identifier: MIT
// A scene as it was written, with defaults filled in: the structs into which the table of keys (keys.c)
// points.
#ifndef CAROM_SCENE_DEFINITION_H
#define CAROM_SCENE_DEFINITION_H

#include "carom/run.h"

// A list in the scene: `count` structs of one kind, in the arena of the scene.
typedef struct carom_list {
    int count;
    void *items;
} carom_list;

// Up to three vectors.
typedef struct carom_vector_list {
    int count;
    double items[3][3];
} carom_vector_list;

typedef struct carom_scene_body {
    carom_pick mesh;    // from carom_generators()
    carom_body_def def; // its mesh is made later, by carom_scene_check
    carom_placement placement;
    bool fix, renumber;
} carom_scene_body;

// Exactly one of `fix`, `plane`, `line`, `directions` is given; the others are empty.
typedef struct carom_scene_restraint {
    carom_selection where;
    char fix[CAROM_NAME_MAX]; // "xz"
    double plane[3], line[3];
    carom_vector_list directions;
    double velocity[3];
    double ramp;
    carom_list history;    // of double[2]
    carom_list velocities; // of double[4]
    bool clamped;
} carom_scene_restraint;

// Exactly one of `force`, `acceleration`, `traction`, `pressure` is given; the others are empty.
typedef struct carom_scene_force {
    carom_selection where;
    double force[3], acceleration[3], traction[3];
    double pressure; // NaN: none
    bool following;
    double ramp;
    carom_list history; // of double[2]
} carom_scene_force;

// Words of `record`, in the order of their bits.
enum { CAROM_RECORD_POSITION = 1, CAROM_RECORD_DISPLACEMENT = 2, CAROM_RECORD_VELOCITY = 4 };

typedef struct carom_scene_probe {
    char name[CAROM_NAME_MAX];
    carom_selection where;
    unsigned record; // CAROM_RECORD_*
} carom_scene_probe;

// One line of `expect:`.
typedef struct carom_scene_gate {
    char name[CAROM_NAME_MAX];
    char condition[CAROM_NAME_MAX];
    double exact, published; // NaN: not given
    char source[CAROM_TEXT_MAX];
} carom_scene_gate;

typedef struct carom_scene_def {
    int schema;
    char title[CAROM_TEXT_MAX];
    carom_pick integrator; // that of `analysis`, if there is one, once the scene is read
    carom_pick analysis;   // kind NULL: none
    carom_time_def time;
    double gravity[3];
    carom_list bodies;         // carom_scene_body
    carom_list restraints;     // carom_scene_restraint
    carom_list loads;          // carom_scene_force
    carom_contact_def contact; // its planes and pairs are in the next lists
    carom_list planes;         // carom_plane_def
    carom_list pairs;          // carom_contact_pair_def
    carom_output_def output;   // its probes are in the next list
    carom_list probes;         // carom_scene_probe
    carom_list gates;          // carom_scene_gate
} carom_scene_def;

#endif
