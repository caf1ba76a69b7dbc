// SPDX-License-Identifier: MIT
// The keys of `bodies[].obstacle`.
#include "scene/keys/keys.h"

static const carom_key turn_keys[] = {
    {CAROM_VALUE(.name = "rate", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_body, obstacle.rate),
                 .unit = "1/time", CAROM_RANGE_ANY,
                 .doc = "Angular velocity, counter-clockwise seen from the tip of the axis.")},
    {CAROM_VALUE(.name = "axis", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, obstacle.axis), .unit = "",
                 .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO, .doc = "Direction of the axis.")},
    {CAROM_VALUE(.name = "point", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, obstacle.point),
                 .unit = "length",
                 .doc = "A point of the axis at the start; without it the centre of the box around the obstacle. The axis is "
                        "displaced with the obstacle."),
     .optional = true},
    {CAROM_VALUE(.name = "ramp", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_body, obstacle.turn_ramp),
                 .unit = "time", .initial = "0", CAROM_RANGE_NONNEGATIVE,
                 .doc = "Soft start: within this time the factor of the rate rises smoothly from 0 to 1.")},
    {.shape = CAROM_KEY_TABLE,
     .name = "history",
     .offset = offsetof(carom_scene_body, obstacle.turn_history),
     .optional = true,
     .columns = 2,
     .row = "[time, factor]",
     .doc = "Factor of the rate over time: linear between rows, constant before and after."},
    {CAROM_KEY_END},
};

static const carom_key shape_keys[] = {
    {CAROM_VALUE(.name = "time", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_shape, time), .unit = "time",
                 CAROM_RANGE_POSITIVE, .doc = "When the obstacle has this shape; times ascend.")},
    {CAROM_VALUE(.name = "path", .type = CAROM_PARAM_TEXT, .offset = offsetof(carom_scene_shape, path), .unit = "",
                 .doc = "A mesh file with as many nodes, in the same order, as the mesh of the body, which is the shape at the "
                        "start.")},
    {CAROM_KEY_END},
};

const carom_key carom_obstacle_keys[] = {
    {CAROM_VALUE(.name = "velocity", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, obstacle.velocity),
                 .unit = "length/time", .initial = "[0, 0, 0]", .doc = "Velocity with which it is displaced.")},
    {CAROM_VALUE(.name = "ramp", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_body, obstacle.ramp), .unit = "time",
                 .initial = "0", CAROM_RANGE_NONNEGATIVE,
                 .doc = "Soft start of `velocity`: within this time its factor rises smoothly from 0 to 1.")},
    {.shape = CAROM_KEY_TABLE,
     .name = "history",
     .offset = offsetof(carom_scene_body, obstacle.history),
     .optional = true,
     .columns = 2,
     .row = "[time, factor]",
     .doc = "Factor of `velocity` over time: linear between rows, constant before and after."},
    {.shape = CAROM_KEY_TABLE,
     .name = "velocities",
     .offset = offsetof(carom_scene_body, obstacle.velocities),
     .optional = true,
     .columns = 4,
     .row = "[time, x, y, z]",
     .doc = "Velocities over time instead of `velocity`: linear between rows, constant before and after."},
    {.shape = CAROM_KEY_TABLE,
     .name = "path",
     .offset = offsetof(carom_scene_body, obstacle.path),
     .optional = true,
     .columns = 4,
     .row = "[time, x, y, z]",
     .doc = "Displacements over time instead of velocities: straight between rows, constant after the last. The first row is "
            "`[0, 0, 0, 0]`."},
    {.shape = CAROM_KEY_MAP,
     .name = "turn",
     .keys = turn_keys,
     .optional = true,
     .offset = offsetof(carom_scene_body, obstacle.turns),
     .doc = "Turns it about an axis, on top of its displacement."},
    {.shape = CAROM_KEY_LIST,
     .name = "shapes",
     .item = "shape",
     .keys = shape_keys,
     .offset = offsetof(carom_scene_body, obstacle.shapes),
     .item_size = sizeof(carom_scene_shape),
     .optional = true,
     .doc = "Shapes that it takes on one after another, each node on a straight line from one to the next; the last one stays. "
            "They are placed as the mesh is."},
    {CAROM_VALUE(
             .name = "cell", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, obstacle.cell), .unit = "length",
             .doc =
                 "The point about which its load cell takes moments, moved with it; without it that of the axis, or the centre "
                 "of the box around it."),
     .optional = true},
    {CAROM_KEY_END},
};
