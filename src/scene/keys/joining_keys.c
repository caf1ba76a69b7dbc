// SPDX-License-Identifier: MIT
// The keys of connections between bodies: one of `tied`, `connections`, `joints` and `springs`.
#include "scene/keys/keys.h"

// Two surfaces that are tied together.
const carom_key carom_tie_keys[] = {
    {.shape = CAROM_KEY_MAP,
     .name = "from",
     .keys = (const carom_key[]){CAROM_SELECTION(carom_tie_def, from), {CAROM_KEY_END}},
     .doc = "The slave faces: those of a face set, or those whose nodes are all selected. They should be the "
            "smaller ones."},
    {.shape = CAROM_KEY_MAP,
     .name = "to",
     .keys = (const carom_key[]){CAROM_SELECTION(carom_tie_def, to), {CAROM_KEY_END}},
     .doc = "The master faces that they are tied to, selected as `from`."},
    {CAROM_OPTIONAL(
        "tolerance", REAL, carom_tie_def, tolerance, "length", CAROM_RANGE_NONNEGATIVE,
        .doc = "Nodes of `from` at a larger distance from `to` are refused; nearer ones are moved there, without strain. By "
               "default a tenth of the mean size of the faces of `from`.")},
    {CAROM_KEY_END},
};

// One point of a connection.
#define SPOT(member)                                                                                    \
    (const carom_key[]) {                                                                               \
        {CAROM_VALUE("body", NAME, carom_connection_def, member.body, "", .doc = "Name of the body.")}, \
            {CAROM_VALUE("point", VEC3, carom_connection_def, member.point, "length",                   \
                         .doc = "A point in the body or on its surface, as it is at the start.")},      \
            {CAROM_KEY_END},                                                                            \
    }

// Two points that stay together.
const carom_key carom_connection_keys[] = {
    {CAROM_MAP("from", SPOT(from)), .doc = "A point of one body."},
    {CAROM_MAP("to", SPOT(to)), .doc = "A point of another body."},
    {CAROM_KEY_END},
};

// In the order of carom_joint_kind.
static const char *const joint_kinds[] = {"hinge", "ball", "slider", "cylinder", "planar", "upright", NULL};

const carom_key carom_joint_keys[] = {
    {CAROM_VALUE(
        "kind", CHOICE, carom_scene_joint, joint.kind, "", .choices = joint_kinds,
        .doc = "`hinge`: the body turns about an axis. `ball`: it turns about a point. `slider`: it moves along an axis and "
               "does not turn. `cylinder`: it moves along an axis and turns about it. `planar`: it moves across an axis and "
               "turns about it, as in a plane. `upright`: it moves anyhow and does not turn.")},
    {CAROM_VALUE("body", NAME, carom_scene_joint, joint.body, "", .doc = "Name of a rigid body.")},
    {CAROM_VALUE("to", NAME, carom_scene_joint, joint.to, "", .initial = "ground",
                 .doc = "The other side: another rigid body, or `ground`, which does not move.")},
    {CAROM_OPTIONAL(
        "at", VEC3, carom_scene_joint, joint.at, "length",
        .doc = "The point of a `ball`, or one on the axis of a `hinge` or a `cylinder`, in the body or outside of it.")},
    {CAROM_OPTIONAL("axis", VEC3, carom_scene_joint, joint.axis, "", .flags = CAROM_PARAM_NONZERO,
                    .doc = "Direction of the axis, of any length; `ball` and `upright` have none.")},
    {CAROM_OPTIONAL(
        "speed", REAL, carom_scene_joint, speed, "1/time",
        .doc = "A motor turns a `hinge` about its axis with this angular velocity, or moves a `slider` along it with this "
               "velocity (length/time), relative to `to`. Its work is `external`.")},
    CAROM_RAMP(carom_scene_joint, ramp, "Soft start of `speed`: within this time its factor rises smoothly from 0 to 1."),
    CAROM_HISTORY(carom_scene_joint, history, "Factor of `speed` over time: linear between rows, constant before and after."),
    {CAROM_OPTIONAL("from", REAL, carom_scene_joint, from, "time", CAROM_RANGE_POSITIVE,
                    .doc = "The motor is on from this time on; without it from the start.")},
    {CAROM_OPTIONAL("until", REAL, carom_scene_joint, until, "time", CAROM_RANGE_POSITIVE,
                    .doc = "The motor is switched off at this time; without it never.")},
    {CAROM_KEY_END},
};

// One end of a spring.
#define SPRING_END(member)                                                                 \
    (const carom_key[]) {                                                                  \
        {CAROM_VALUE("body", NAME, carom_spring_def, member.body, "", .initial = "ground", \
                     .doc = "Name of the body, or `ground`, which does not move.")},       \
            {CAROM_VALUE("point", VEC3, carom_spring_def, member.point, "length",          \
                         .doc = "Where it is at the start: at a node of the body.")},      \
            {CAROM_KEY_END},                                                               \
    }

const carom_key carom_spring_keys[] = {
    {CAROM_MAP("from", SPRING_END(from)), .doc = "One end."},
    {CAROM_MAP("to", SPRING_END(to)), .doc = "The other end. One of them is at a rigid body."},
    {CAROM_VALUE("stiffness", REAL, carom_spring_def, stiffness, "mass/time^2", .initial = "0", CAROM_RANGE_NONNEGATIVE,
                 .doc = "Force over change of length.")},
    {CAROM_VALUE("damping", REAL, carom_spring_def, damping, "mass/time", .initial = "0", CAROM_RANGE_NONNEGATIVE,
                 .doc = "Force over the speed at which the length changes.")},
    {CAROM_OPTIONAL("length", REAL, carom_spring_def, length, "length", CAROM_RANGE_NONNEGATIVE,
                    .doc = "Length without force; by default that at the start.")},
    {CAROM_KEY_END},
};
