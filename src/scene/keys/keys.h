// SPDX-License-Identifier: MIT
// The tables of keys of the larger maps of a scene, which keys.c puts together, and the rows that several have.
#ifndef CAROM_SCENE_KEYS_KEYS_H
#define CAROM_SCENE_KEYS_KEYS_H

#include <math.h>

#include "scene/schema.h"

// Each ends with CAROM_KEY_END.
extern const carom_key carom_body_keys[];       // one of `bodies`
extern const carom_key carom_obstacle_keys[];   // `bodies[].obstacle`
extern const carom_key carom_restraint_keys[];  // one of `restraints`
extern const carom_key carom_load_keys[];       // one of `loads`
extern const carom_key carom_tie_keys[];        // one of `tied`
extern const carom_key carom_connection_keys[]; // one of `connections`
extern const carom_key carom_joint_keys[];      // one of `joints`
extern const carom_key carom_spring_keys[];     // one of `springs`
extern const carom_key carom_output_keys[];     // `output`

// Keys of a selection that exclude each other.
extern const char *const carom_set_or_node[];

// clang-format off
// A key that holds one value; its parameter row has name, type, default, range and documentation.
#define CAROM_VALUE(...) .shape = CAROM_KEY_PARAM, .param = &(const carom_param){__VA_ARGS__}

// The keys that select nodes, common to restraints, loads and probes. Conditions combine by "and".
#define CAROM_SELECTION(owner, member)                                                                                         \
    {CAROM_VALUE(.name = "body", .type = CAROM_PARAM_NAME, .offset = offsetof(owner, member.body), .unit = "",                 \
           .doc = "Name of the body; for an array, NAME selects all bodies and NAME_7 one of them.")},                         \
    {CAROM_VALUE(.name = "set", .type = CAROM_PARAM_NAME, .offset = offsetof(owner, member.set), .unit = "",                   \
           .doc = "Only nodes of this set of its mesh. Nodes must meet all given conditions; without any, all nodes."),        \
     .optional = true},                                                                                                        \
    {CAROM_VALUE(.name = "node", .type = CAROM_PARAM_INT, .offset = offsetof(owner, member.node), .unit = "",                  \
           CAROM_RANGE_NONNEGATIVE,                                                                                            \
           .doc = "Only the node with this number, instead of `set`: its number in the mesh file, or counted from 0."),        \
     .optional = true},                                                                                                        \
    {.shape = CAROM_KEY_MAP, .name = "in_box", .optional = true, .offset = offsetof(owner, member.in_box.given),               \
     .keys = (const carom_key[]){                                                                                              \
         {CAROM_VALUE(.name = "low", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_box.low), .unit = "length", \
                .doc = "The corner with the smallest coordinates.")},                                                          \
         {CAROM_VALUE(.name = "high", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_box.high),                 \
                .unit = "length",                                                                                              \
                .doc = "The corner with the largest coordinates.")},                                                           \
         {CAROM_KEY_END}},                                                                                                     \
     .doc = "Only nodes that start in this box."},                                                                             \
    {.shape = CAROM_KEY_MAP, .name = "on_plane", .optional = true, .offset = offsetof(owner, member.on_plane.given),           \
     .keys = (const carom_key[]){                                                                                              \
         {CAROM_VALUE(.name = "point", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.on_plane.point),             \
                .unit = "length", .doc = "A point of the plane.")},                                                            \
         {CAROM_VALUE(.name = "normal", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.on_plane.normal),           \
                .unit = "",                                                                                                    \
                .flags = CAROM_PARAM_NONZERO, .doc = "Its normal, of any length.")},                                           \
         {CAROM_VALUE(.name = "within", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member.on_plane.within),           \
                .unit = "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,                                                     \
                .doc = "Nodes up to this distance from the plane, on either side, are selected.")},                            \
         {CAROM_KEY_END}},                                                                                                     \
     .doc = "Only nodes that start on this plane."},                                                                           \
    {.shape = CAROM_KEY_MAP, .name = "in_sphere", .optional = true, .offset = offsetof(owner, member.in_sphere.given),         \
     .keys = (const carom_key[]){                                                                                              \
         {CAROM_VALUE(.name = "center", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_sphere.center),          \
                .unit = "length", .doc = "Its centre.")},                                                                      \
         {CAROM_VALUE(.name = "radius", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member.in_sphere.radius),          \
                .unit = "length", CAROM_RANGE_NONNEGATIVE, .doc = "Its radius.")},                                             \
         {CAROM_KEY_END}},                                                                                                     \
     .doc = "Only nodes that start in this sphere."},                                                                          \
    {.shape = CAROM_KEY_MAP, .name = "nearest", .optional = true, .offset = offsetof(owner, member.nearest.given),             \
     .keys = (const carom_key[]){                                                                                              \
         {CAROM_VALUE(.name = "to", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.nearest.to), .unit = "length",  \
                .doc = "The point.")},                                                                                         \
         {CAROM_KEY_END}},                                                                                                     \
     .doc = "Of the nodes that meet the other conditions, the one that starts nearest to a point."}

// Factors over time: a smooth start, and a table with linear interpolation.
#define CAROM_RAMP(owner, text)                                                                                                \
    {CAROM_VALUE(.name = "ramp", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, ramp), .unit = "time", .initial = "0",    \
           CAROM_RANGE_NONNEGATIVE, .doc = text)}
#define CAROM_HISTORY(owner, text)                                                                                             \
    {.shape = CAROM_KEY_TABLE, .name = "history", .offset = offsetof(owner, history), .optional = true, .columns = 2,          \
     .row = "[time, factor]", .doc = text}
// clang-format on

// A step before anything is read: nothing is given.
#define CAROM_NOT_GIVEN \
    { NAN, NAN, NAN }
#define CAROM_EMPTY_STEP                                                                                  \
    {                                                                                                     \
        .scale = CAROM_NOT_GIVEN, .angle = NAN, .through = CAROM_NOT_GIVEN, .translate = CAROM_NOT_GIVEN, \
        .center = CAROM_NOT_GIVEN                                                                         \
    }

#endif
