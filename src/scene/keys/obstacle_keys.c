// SPDX-License-Identifier: MIT
// The keys of `bodies[].obstacle`.
#include "scene/keys/keys.h"

static const carom_key turn_keys[] = {
    {CAROM_VALUE("rate", REAL, carom_scene_body, obstacle.rate, "1/time", CAROM_RANGE_ANY,
                 .doc = "Angular velocity, counter-clockwise seen from the tip of the axis.")},
    {CAROM_VALUE("axis", VEC3, carom_scene_body, obstacle.axis, "", .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO,
                 .doc = "Direction of the axis.")},
    {CAROM_OPTIONAL("point", VEC3, carom_scene_body, obstacle.point, "length",
                    .doc =
                        "A point of the axis at the start; without it the centre of the box around the obstacle. The axis is "
                        "displaced with the obstacle.")},
    CAROM_RAMP(carom_scene_body, obstacle.turn_ramp,
               "Soft start: within this time the factor of the rate rises smoothly from 0 to 1."),
    CAROM_HISTORY(carom_scene_body, obstacle.turn_history,
                  "Factor of the rate over time: linear between rows, constant before and after."),
    {CAROM_KEY_END},
};

static const carom_key shape_keys[] = {
    {CAROM_VALUE("time", REAL, carom_scene_shape, time, "time", CAROM_RANGE_POSITIVE,
                 .doc = "When the obstacle has this shape; times ascend.")},
    {CAROM_VALUE("path", TEXT, carom_scene_shape, path, "",
                 .doc = "A mesh file with as many nodes, in the same order, as the mesh of the body, which is the shape at the "
                        "start.")},
    {CAROM_KEY_END},
};

const carom_key carom_obstacle_keys[] = {
    {CAROM_VALUE("velocity", VEC3, carom_scene_body, obstacle.velocity, "length/time", .initial = "[0, 0, 0]",
                 .doc = "Velocity with which it is displaced.")},
    CAROM_RAMP(carom_scene_body, obstacle.ramp,
               "Soft start of `velocity`: within this time its factor rises smoothly from 0 to 1."),
    CAROM_HISTORY(carom_scene_body, obstacle.history,
                  "Factor of `velocity` over time: linear between rows, constant before and after."),
    CAROM_VECTORS("velocities", carom_scene_body, obstacle.velocities,
                  "Velocities over time instead of `velocity`: linear between rows, constant before and after."),
    CAROM_VECTORS("path", carom_scene_body, obstacle.path,
                  "Displacements over time instead of velocities: straight between rows, constant after the last. The first "
                  "row is `[0, 0, 0, 0]`."),
    {CAROM_MAP("turn", turn_keys), .optional = true, .offset = offsetof(carom_scene_body, obstacle.turns),
     .doc = "Turns it about an axis, on top of its displacement."},
    {CAROM_LIST("shapes", "shape", shape_keys, carom_scene_body, obstacle.shapes, carom_scene_shape), .optional = true,
     .doc = "Successive shapes: each node moves on a straight line from one to the next, and the last one remains. They are "
            "placed like the mesh."},
    {CAROM_OPTIONAL(
        "cell", VEC3, carom_scene_body, obstacle.cell, "length",
        .doc = "The point about which its load cell takes moments, moved with it; without it that of the axis, or the centre "
               "of the box around it.")},
    {CAROM_KEY_END},
};
