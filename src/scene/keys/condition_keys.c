// SPDX-License-Identifier: MIT
// The keys of one of `restraints` and of one of `loads`.
#include <string.h>

#include "scene/keys/keys.h"

// Letters x, y, z, each at most once.
static bool is_axes(const char *text) {
    if (!*text)
        return false;
    for (const char *c = text; *c; c++)
        if (!strchr("xyz", *c) || strchr(c + 1, *c))
            return false;
    return true;
}

// The lookahead of the pattern refuses a repeated letter.
static const carom_form form_axes = {
    .expected = "axes such as x, xy or xyz",
    .pattern = "^(?!.*(.).*\\1)[xyz]+$",
    .matches = is_axes,
};

// A restraint: which nodes, which directions are blocked, and the motion imposed along these.
const carom_key carom_restraint_keys[] = {
    CAROM_SELECTION(carom_scene_restraint, where),
    // four keys that block directions, of which an entry has exactly one
    {CAROM_VALUE("fix", NAME, carom_scene_restraint, fix, "",
                 .doc = "The axes along which the nodes cannot move: any of the letters x, y, z."),
     .form = &form_axes, .optional = true},
    {CAROM_OPTIONAL("plane", VEC3, carom_scene_restraint, plane, "", .flags = CAROM_PARAM_NONZERO,
                    .doc = "Normal of the plane in which each node must stay.")},
    {CAROM_OPTIONAL("line", VEC3, carom_scene_restraint, line, "", .flags = CAROM_PARAM_NONZERO,
                    .doc = "Direction of the line along which each node can move.")},
    {.shape = CAROM_KEY_VECTORS,
     .name = "directions",
     .offset = offsetof(carom_scene_restraint, directions),
     .optional = true,
     .doc = "One to three independent directions along which the nodes cannot move."},
    {CAROM_VALUE("velocity", VEC3, carom_scene_restraint, velocity, "length/time", .initial = "[0, 0, 0]",
                 .doc = "Motion imposed along the restrained directions; other components are ignored.")},
    // the motion over time: a factor of `velocity`, or a table of velocities
    CAROM_RAMP(carom_scene_restraint, ramp,
               "Soft start of `velocity`: within this time its factor rises smoothly from 0 to 1."),
    CAROM_HISTORY(carom_scene_restraint, history,
                  "Factor of `velocity` over time: linear between rows, constant before and after."),
    CAROM_VECTORS("velocities", carom_scene_restraint, velocities,
                  "Velocities over time instead of `velocity`: linear between rows, constant before and after."),
    {CAROM_OPTIONAL("from", REAL, carom_scene_restraint, from, "time", CAROM_RANGE_POSITIVE,
                    .doc = "Start of the restraint; without it the start of the run. Steps belong to it by their middle.")},
    {CAROM_OPTIONAL("until", REAL, carom_scene_restraint, until, "time", CAROM_RANGE_POSITIVE,
                    .doc = "End of the restraint; without it never.")},
    {CAROM_VALUE("clamped", BOOL, carom_scene_restraint, clamped, "", .initial = "false",
                 .doc = "Nodes of beams: the cross-section does not rotate either. `fix: xyz` alone makes a hinge.")},
    {CAROM_KEY_END},
};

// A load: on nodes (force, acceleration) or on faces (traction, pressure).
const carom_key carom_load_keys[] = {
    CAROM_SELECTION(carom_scene_force, where),
    {CAROM_OPTIONAL("force", VEC3, carom_scene_force, force, "mass length/time^2", .flags = CAROM_PARAM_NONZERO,
                    .doc = "A force of constant direction, divided equally among the selected nodes.")},
    {CAROM_OPTIONAL("acceleration", VEC3, carom_scene_force, acceleration, "length/time^2", .flags = CAROM_PARAM_NONZERO,
                    .doc = "A force per mass on the selected nodes, like gravity.")},
    {CAROM_OPTIONAL(
        "traction", VEC3, carom_scene_force, traction, "mass/(length time^2)", .flags = CAROM_PARAM_NONZERO,
        .doc = "A force per area of constant direction. It acts on the faces of a face set, or on those whose nodes are all "
               "selected; faces of plane bodies are their edges times the thickness. The area is that at the start.")},
    {CAROM_OPTIONAL("pressure", REAL, carom_scene_force, pressure, "mass/(length time^2)",
                    .doc = "A pressure on faces, selected as for `traction`; positive values push inward.")},
    // with `pressure` only
    {CAROM_VALUE("following", BOOL, carom_scene_force, following, "", .initial = "true",
                 .doc = "`pressure`: it acts on the deformed faces, as they turn and stretch (follower load). `false`: on "
                        "the faces at the start."),
     .needs_key = "pressure"},
    CAROM_RAMP(carom_scene_force, ramp, "Soft start: within this time the factor of the load rises smoothly from 0 to 1."),
    CAROM_HISTORY(carom_scene_force, history, "Factor of the load over time: linear between rows, constant before and after."),
    {CAROM_KEY_END},
};
