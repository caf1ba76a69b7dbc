// SPDX-License-Identifier: MIT
// The tables of keys of the larger maps of a scene, which keys.c combines, and rows that occur in several of them.
#ifndef CAROM_SCENE_KEYS_KEYS_H
#define CAROM_SCENE_KEYS_KEYS_H

#include <math.h>

#include "base/param.h"
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
// A key that holds one value, by the row of a parameter table; CAROM_OPTIONAL may be left out without a default.
#define CAROM_VALUE(name_, type_, owner, member, unit_, ...)                                                                   \
    .shape = CAROM_KEY_PARAM,                                                                                                  \
    .param = &(const carom_param)CAROM_ROW_NAMED(name_, owner, member, CAROM_PARAM_##type_, unit_, __VA_ARGS__)
#define CAROM_OPTIONAL(...) CAROM_VALUE(__VA_ARGS__), .optional = true
// A map within that may be left out; its keys end with CAROM_KEY_END.
#define CAROM_REGION(name_, owner, member, doc_, ...)                                                                          \
    {.shape = CAROM_KEY_MAP, .name = name_, .optional = true, .offset = offsetof(owner, member.given),                         \
     .keys = (const carom_key[]){__VA_ARGS__, {CAROM_KEY_END}}, .doc = doc_}
#define CAROM_BOX(owner, member, doc_)                                                                                         \
    CAROM_REGION("in_box", owner, member, doc_,                                                                                \
        {CAROM_VALUE("low", VEC3, owner, member.low, "length", .doc = "The corner with the smallest coordinates.")},           \
        {CAROM_VALUE("high", VEC3, owner, member.high, "length", .doc = "The corner with the largest coordinates.")})

// The keys of a map that are the rows of a parameter table.
#define CAROM_ROWS(params_, owner, member)                                                                                     \
    (const carom_key[]){{.shape = CAROM_KEY_PARAMS, .params = params_, .offset = offsetof(owner, member)}, {CAROM_KEY_END}}

// The heads of other keys: a map, a list of maps, a kind of a catalogue.
#define CAROM_MAP(name_, keys_) .shape = CAROM_KEY_MAP, .name = name_, .keys = keys_
#define CAROM_LIST(name_, item_, keys_, owner, member, item_type)                                                              \
    .shape = CAROM_KEY_LIST, .name = name_, .item = item_, .keys = keys_, .offset = offsetof(owner, member),                   \
    .item_size = sizeof(item_type)
#define CAROM_PICK(name_, owner, member, catalogue_)                                                                           \
    .shape = CAROM_KEY_PICK, .name = name_, .offset = offsetof(owner, member), .catalogue = catalogue_

// The keys that select nodes, common to restraints, loads and probes. Conditions combine by "and".
#define CAROM_SELECTION(owner, member)                                                                                         \
    {CAROM_VALUE("body", NAME, owner, member.body, "",                                                                         \
                 .doc = "Name of the body; for an array, NAME selects all bodies and NAME_7 one of them.")},                   \
    {CAROM_OPTIONAL("set", NAME, owner, member.set, "",                                                                        \
                    .doc = "Only nodes of this set of its mesh. Nodes must meet all given conditions; without any, all "       \
                           "nodes.")},                                                                                         \
    {CAROM_OPTIONAL("node", INT, owner, member.node, "", CAROM_RANGE_NONNEGATIVE,                                              \
                    .doc = "Only the node with this number, instead of `set`: its number in the mesh file, or counted from "   \
                           "0.")},                                                                                             \
    CAROM_BOX(owner, member.in_box, "Only nodes that start in this box."),                                                     \
    CAROM_REGION("on_plane", owner, member.on_plane, "Only nodes that start on this plane.",                                   \
        {CAROM_VALUE("point", VEC3, owner, member.on_plane.point, "length", .doc = "A point of the plane.")},                  \
        {CAROM_VALUE("normal", VEC3, owner, member.on_plane.normal, "", .flags = CAROM_PARAM_NONZERO,                          \
                     .doc = "Its normal, of any length.")},                                                                    \
        {CAROM_VALUE("within", REAL, owner, member.on_plane.within, "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,         \
                     .doc = "Nodes up to this distance from the plane, on either side, are selected.")}),                      \
    CAROM_REGION("in_sphere", owner, member.in_sphere, "Only nodes that start in this sphere.",                                \
        {CAROM_VALUE("center", VEC3, owner, member.in_sphere.center, "length", .doc = "Its centre.")},                         \
        {CAROM_VALUE("radius", REAL, owner, member.in_sphere.radius, "length", CAROM_RANGE_NONNEGATIVE,                        \
                     .doc = "Its radius.")}),                                                                                  \
    CAROM_REGION("nearest", owner, member.nearest,                                                                             \
                 "Of the nodes that meet the other conditions, the one that starts nearest to a point.",                       \
        {CAROM_VALUE("to", VEC3, owner, member.nearest.to, "length", .doc = "The point.")})

// Factors over time: a smooth start, and a table with linear interpolation; or a table of vectors.
#define CAROM_RAMP(owner, member, text)                                                                                        \
    {CAROM_VALUE("ramp", REAL, owner, member, "time", .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = text)}
#define CAROM_TABLE(name_, owner, member, columns_, row_, text)                                                                \
    {.shape = CAROM_KEY_TABLE, .name = name_, .offset = offsetof(owner, member), .optional = true, .columns = columns_,        \
     .row = row_, .doc = text}
#define CAROM_HISTORY(owner, member, text) CAROM_TABLE("history", owner, member, 2, "[time, factor]", text)
#define CAROM_VECTORS(name_, owner, member, text) CAROM_TABLE(name_, owner, member, 4, "[time, x, y, z]", text)
// clang-format on

// A step before reading: no key is given.
#define CAROM_NOT_GIVEN \
    { NAN, NAN, NAN }
#define CAROM_EMPTY_STEP                                                                                  \
    {                                                                                                     \
        .scale = CAROM_NOT_GIVEN, .angle = NAN, .through = CAROM_NOT_GIVEN, .translate = CAROM_NOT_GIVEN, \
        .center = CAROM_NOT_GIVEN                                                                         \
    }

#endif
