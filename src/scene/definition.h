// SPDX-License-Identifier: MIT
// A scene as it was written, with defaults filled in: the structs into which the table of keys (keys.h)
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

// Words of `about`, in their order.
enum { CAROM_ABOUT_ORIGIN, CAROM_ABOUT_CENTER };

// One step of a `place` that is a list. Exactly one of `scale`, `angle`, `translate`, `center` and `on` is given; NaN marks
// those that are not given.
typedef struct carom_scene_step {
    double scale[3];
    double axis[3], angle;
    int about; // CAROM_ABOUT_*
    double through[3];
    double translate[3];
    double center[3];
    char on[CAROM_NAME_MAX];
    double gap;
} carom_scene_step;

// A shape of an obstacle at a time.
typedef struct carom_scene_shape {
    double time;
    char path[CAROM_TEXT_MAX];
} carom_scene_shape;

// An obstacle; NaN marks a point that is not given.
typedef struct carom_scene_obstacle {
    bool given;
    double velocity[3], ramp;
    carom_list history;    // of double[2]
    carom_list velocities; // of double[4]
    carom_list path;       // of double[4]
    bool turns;
    double rate, axis[3], point[3], turn_ramp;
    carom_list turn_history;    // of double[2]
    carom_list shapes;          // carom_scene_shape
    const double **shape_nodes; // per shape: nodes before placing, three numbers each; set by carom_scene_check
    double cell[3];
} carom_scene_obstacle;

typedef struct carom_scene_body {
    carom_pick mesh;           // from carom_generators()
    carom_body_def def;        // its mesh is made later, by carom_scene_check
    carom_list materials;      // carom_material_def
    carom_placement placement; // scale, axis, angle and translate of a `place` that is a map, and the array
    carom_scene_step place;    // its other keys
    carom_list steps;          // carom_scene_step: `place` as a list, instead
    bool fix, renumber;
    carom_scene_obstacle obstacle; // instead of element and material
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
    double from, until;    // NaN: not given
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

// A joint, and the motor that drives it.
typedef struct carom_scene_joint {
    carom_joint_def joint;
    double speed; // NaN: no motor
    double ramp;
    carom_list history; // of double[2]
    double from, until; // NaN: not given
} carom_scene_joint;

// Words of `record`, in the order of their bits.
enum {
    CAROM_RECORD_POSITION = 1,
    CAROM_RECORD_DISPLACEMENT = 2,
    CAROM_RECORD_VELOCITY = 4,
    CAROM_RECORD_ACCELERATION = 8,
    CAROM_RECORD_FORCE = 16,
    CAROM_RECORD_STRESS = 32,
    CAROM_RECORD_STRAIN = 64,
    CAROM_RECORD_ROTATION = 128,
    CAROM_RECORD_ANGULAR_VELOCITY = 256,
    CAROM_RECORD_MOMENTUM = 512,
    CAROM_RECORD_ANGULAR_MOMENTUM = 1024
};

typedef struct carom_scene_probe {
    char name[CAROM_NAME_MAX];
    carom_selection where;
    unsigned record; // CAROM_RECORD_*
    int filter;      // carom_filter
    double second;   // NaN: auto
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
    carom_units units;
    carom_pick integrator; // that of `analysis`, if there is one, once the scene is read
    carom_pick analysis;   // kind NULL: none
    carom_time_def time;
    double gravity[3];
    carom_list bodies;         // carom_scene_body
    carom_list restraints;     // carom_scene_restraint
    carom_list loads;          // carom_scene_force
    carom_list ties;           // carom_tie_def
    carom_list connections;    // carom_connection_def
    carom_list joints;         // carom_scene_joint
    carom_list springs;        // carom_spring_def
    carom_contact_def contact; // its planes and pairs are in the next lists
    carom_list planes;         // carom_plane_def
    carom_list pairs;          // carom_contact_pair_def
    carom_output_def output;   // its probes, fields and times are in the next lists
    carom_list field_names;    // char[CAROM_NAME_MAX]
    carom_list field_times;    // double
    carom_list probes;         // carom_scene_probe
    carom_list gates;          // carom_scene_gate
} carom_scene_def;

static inline const carom_scene_body *carom_scene_body_at(const carom_scene_def *def, int index) {
    return &((const carom_scene_body *)def->bodies.items)[index];
}

static inline const carom_plane_def *carom_scene_plane_at(const carom_scene_def *def, int index) {
    return &((const carom_plane_def *)def->planes.items)[index];
}

#endif
