// SPDX-License-Identifier: MIT
// The keys of a scene, from the top of the file down. The parameters of kinds (meshes, elements, materials,
// integrators), of contact and of time are described where they are used, by their own tables; all other
// keys are described here. Documentation in this table becomes the manual and the JSON Schema.
//
// The leaves of the table come first, since each map refers to the keys of the maps within.
#include <math.h>
#include <string.h>

#include "scene/schema.h"

// clang-format off
// A key that holds one value; its parameter row has name, type, default, range and documentation.
#define PARAM(...) .shape = CAROM_KEY_PARAM, .param = &(const carom_param){__VA_ARGS__}

// The keys that select nodes, common to restraints, loads and probes. Conditions combine by "and".
#define SELECTION(owner, member)                                                                                            \
    {PARAM(.name = "body", .type = CAROM_PARAM_NAME, .offset = offsetof(owner, member.body), .unit = "",                    \
           .doc = "Name of the body; for an array, NAME selects all bodies and NAME_7 one of them.")},                      \
    {PARAM(.name = "set", .type = CAROM_PARAM_NAME, .offset = offsetof(owner, member.set), .unit = "",                      \
           .doc = "Only nodes of this set of its mesh. Nodes must meet all given conditions; without any, all nodes."),     \
     .optional = true},                                                                                                     \
    {PARAM(.name = "node", .type = CAROM_PARAM_INT, .offset = offsetof(owner, member.node), .unit = "",                     \
           CAROM_RANGE_NONNEGATIVE,                                                                                         \
           .doc = "Only the node with this number, instead of `set`: its number in the mesh file, or counted from 0."),     \
     .optional = true},                                                                                                     \
    {.shape = CAROM_KEY_MAP, .name = "in_box", .optional = true, .offset = offsetof(owner, member.in_box.given),            \
     .keys = (const carom_key[]){                                                                                           \
         {PARAM(.name = "low", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_box.low), .unit = "length",    \
                .doc = "The corner with the smallest coordinates.")},                                                       \
         {PARAM(.name = "high", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_box.high), .unit = "length",  \
                .doc = "The corner with the largest coordinates.")},                                                        \
         {CAROM_KEY_END}},                                                                                                  \
     .doc = "Only nodes that start in this box."},                                                                          \
    {.shape = CAROM_KEY_MAP, .name = "on_plane", .optional = true, .offset = offsetof(owner, member.on_plane.given),        \
     .keys = (const carom_key[]){                                                                                           \
         {PARAM(.name = "point", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.on_plane.point),                \
                .unit = "length", .doc = "A point of the plane.")},                                                         \
         {PARAM(.name = "normal", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.on_plane.normal), .unit = "",  \
                .flags = CAROM_PARAM_NONZERO, .doc = "Its normal, of any length.")},                                        \
         {PARAM(.name = "within", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member.on_plane.within),              \
                .unit = "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,                                                  \
                .doc = "Nodes up to this distance from the plane, on either side, are selected.")},                         \
         {CAROM_KEY_END}},                                                                                                  \
     .doc = "Only nodes that start on this plane."},                                                                        \
    {.shape = CAROM_KEY_MAP, .name = "in_sphere", .optional = true, .offset = offsetof(owner, member.in_sphere.given),      \
     .keys = (const carom_key[]){                                                                                           \
         {PARAM(.name = "center", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.in_sphere.center),             \
                .unit = "length", .doc = "Its centre.")},                                                                   \
         {PARAM(.name = "radius", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member.in_sphere.radius),             \
                .unit = "length", CAROM_RANGE_NONNEGATIVE, .doc = "Its radius.")},                                          \
         {CAROM_KEY_END}},                                                                                                  \
     .doc = "Only nodes that start in this sphere."},                                                                       \
    {.shape = CAROM_KEY_MAP, .name = "nearest", .optional = true, .offset = offsetof(owner, member.nearest.given),          \
     .keys = (const carom_key[]){                                                                                           \
         {PARAM(.name = "to", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member.nearest.to), .unit = "length",     \
                .doc = "The point.")},                                                                                      \
         {CAROM_KEY_END}},                                                                                                  \
     .doc = "Of the nodes that meet the other conditions, the one that starts nearest to a point."}

// Factors over time: a smooth start, and a table with linear interpolation.
#define RAMP(owner, text)                                                                                                   \
    {PARAM(.name = "ramp", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, ramp), .unit = "time", .initial = "0",       \
           CAROM_RANGE_NONNEGATIVE, .doc = text)}
#define HISTORY(owner, text)                                                                                                \
    {.shape = CAROM_KEY_TABLE, .name = "history", .offset = offsetof(owner, history), .optional = true, .columns = 2,       \
     .row = "[time, factor]", .doc = text}
// clang-format on

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

// Groups of keys that exclude each other.
static const char *const set_or_node[] = {"set", "node", NULL};
static const char *const load_forms[] = {"force", "acceleration", "traction", "pressure", NULL};
static const char *const set_or_box[] = {"set", "in_box", NULL};
static const char *const restraint_forms[] = {"fix", "plane", "line", "directions", NULL};

// In the order of CAROM_ABOUT_*.
static const char *const about_words[] = {"origin", "center", NULL};

// clang-format off
// Keys of a placement as a map and of a step of a list. NaN marks a vector that is not given.
#define PLACE_MORE(owner, member)                                                                                           \
    {PARAM(.name = "about", .type = CAROM_PARAM_CHOICE, .offset = offsetof(owner, member about), .unit = "",                \
           .initial = "origin", .choices = about_words,                                                                     \
           .doc = "What the axis of `angle` goes through: the origin, or the mass centre as it is then."),                  \
     .beside = "angle"},                                                                                                    \
    {PARAM(.name = "through", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member through), .unit = "length",        \
           .doc = "A point of that axis, instead of `about`."),                                                             \
     .optional = true},                                                                                                     \
    {PARAM(.name = "center", .type = CAROM_PARAM_VEC3, .offset = offsetof(owner, member center), .unit = "length",          \
           .doc = "Moves the mass centre there, instead of `translate`."),                                                  \
     .optional = true},                                                                                                     \
    {PARAM(.name = "on", .type = CAROM_PARAM_NAME, .offset = offsetof(owner, member on), .unit = "",                        \
           .doc = "Name of a contact plane: at last it is moved along the normal until its nearest node is there."),        \
     .optional = true},                                                                                                     \
    {PARAM(.name = "gap", .type = CAROM_PARAM_REAL, .offset = offsetof(owner, member gap), .unit = "length",                \
           .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "Distance that this node keeps from the plane."),                \
     .beside = "on"}
// clang-format on

// Placement and arrays of bodies, with the parameter tables of mesh/place.c.
static const carom_key place_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_placement_params, .offset = offsetof(carom_scene_body, placement)},
    PLACE_MORE(carom_scene_body, place.),
    {CAROM_KEY_END},
};

// One step of a list: nothing has a default, and the rows of the map do not serve.
static const carom_key step_keys[] = {
    {PARAM(.name = "scale", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_step, scale), .unit = "",
           CAROM_RANGE_POSITIVE, .doc = "Scales it, by factors along x, y, z, about the origin."),
     .optional = true},
    {PARAM(.name = "angle", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_step, angle), .unit = "degrees",
           CAROM_RANGE_ANY, .doc = "Turns it, counter-clockwise seen from the tip of the axis."),
     .optional = true},
    {PARAM(.name = "axis", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_step, axis), .unit = "",
           .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO, .doc = "Direction of the axis; beside `angle`."),
     .beside = "angle"},
    PLACE_MORE(carom_scene_step, ),
    {PARAM(.name = "translate", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_step, translate), .unit = "length",
           .doc = "Moves it."),
     .optional = true},
    {CAROM_KEY_END},
};

// A step before anything is read: nothing is given.
#define NOT_GIVEN \
    { NAN, NAN, NAN }
#define EMPTY_STEP \
    { .scale = NOT_GIVEN, .angle = NAN, .through = NOT_GIVEN, .translate = NOT_GIVEN, .center = NOT_GIVEN }

static const char *const step_forms[] = {"scale", "angle", "translate", "center", "on", NULL};

static const carom_key place_list = {
    .shape = CAROM_KEY_LIST,
    .name = "place",
    .item = "step",
    .keys = step_keys,
    .offset = offsetof(carom_scene_body, steps),
    .item_size = sizeof(carom_scene_step),
    .item_empty = &(const carom_scene_step)EMPTY_STEP,
    .exactly_one = step_forms,
    .doc = "The same as a list of steps, taken one after the other.",
};

// Both write into the same member: `array` holds the counts and distances of the copies.
static const carom_key array_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_array_params, .offset = offsetof(carom_scene_body, placement)},
    {CAROM_KEY_END},
};

// Other materials of some elements, and which elements these are.
static const carom_key material_keys[] = {
    {PARAM(.name = "set", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_material_def, set), .unit = "",
           .doc = "The elements of this group of the mesh: a physical group, an element set, a part."),
     .optional = true},
    {.shape = CAROM_KEY_MAP,
     .name = "in_box",
     .optional = true,
     .offset = offsetof(carom_material_def, in_box.given),
     .keys =
         (const carom_key[]){
             {PARAM(.name = "low", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_material_def, in_box.low),
                    .unit = "length", .doc = "The corner with the smallest coordinates.")},
             {PARAM(.name = "high", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_material_def, in_box.high),
                    .unit = "length", .doc = "The corner with the largest coordinates.")},
             {CAROM_KEY_END},
         },
     .doc = "The elements whose centre starts in this box."},
    {.shape = CAROM_KEY_PICK,
     .name = "material",
     .offset = offsetof(carom_material_def, material),
     .catalogue = carom_materials,
     .described = true,
     .doc = "Their material, as in `bodies[].material`."},
    {CAROM_KEY_END},
};

// A body: geometry, then element and material, then initial motion and damping.
static const carom_key body_keys[] = {
    {PARAM(.name = "name", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_body, def.name), .unit = "",
           .doc = "Name of the body; all names must differ.")},
    {.shape = CAROM_KEY_PICK,
     .name = "mesh",
     .offset = offsetof(carom_scene_body, mesh),
     .catalogue = carom_generators,
     .doc = "The geometry."},
    {PARAM(.name = "fix", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_body, fix), .unit = "", .initial = "false",
           .doc = "Mends faults of a mesh file if possible; without it a mesh with faults is refused.")},
    {PARAM(.name = "renumber", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_body, renumber), .unit = "",
           .initial = "false",
           .doc = "Sorts nodes and elements along a space-filling curve, for speed; they keep their numbers.")},
    // placement comes before `array`: copies are placed copies
    {.shape = CAROM_KEY_MAP,
     .name = "place",
     .keys = place_keys,
     .as_list = &place_list,
     .doc = "Placement of the mesh: scaled, rotated, translated, put on a plane, in this order; or a list of such steps."},
    {.shape = CAROM_KEY_MAP,
     .name = "array",
     .keys = array_keys,
     .doc = "Turns one entry into an array of equal bodies, named NAME_0, NAME_1, ..., x fastest; NAME selects all of them."},
    {.shape = CAROM_KEY_PICK,
     .name = "element",
     .offset = offsetof(carom_scene_body, def.element),
     .catalogue = carom_elements,
     .unless = "obstacle",
     .doc = "The element type of the cells."},
    {.shape = CAROM_KEY_PICK,
     .name = "material",
     .offset = offsetof(carom_scene_body, def.material),
     .catalogue = carom_materials,
     .optional = true,
     .doc = "The material, or `{use: NAME}`, a substance of the library (`carom info materials`); required by all elements "
            "except those without one (`point-mass`, `rigid`)."},
    {.shape = CAROM_KEY_LIST,
     .name = "materials",
     .item = "entry",
     .keys = material_keys,
     .offset = offsetof(carom_scene_body, materials),
     .item_size = sizeof(carom_material_def),
     .optional = true,
     .exactly_one = set_or_box,
     .doc = "Other materials of some elements, which no two entries have in common; the rest has `material`, which may be left "
            "out if there is no rest."},
    {.shape = CAROM_KEY_MAP,
     .name = "obstacle",
     .keys = carom_obstacle_keys,
     .optional = true,
     .offset = offsetof(carom_scene_body, obstacle.given),
     .doc =
         "Makes the body an obstacle: a shape without element, material and mass, at rest (`{}`) or driven, that other bodies "
         "cannot pass. Any faces, lines and points will do, which need not fit together. Obstacles pass through each other."},
    // initial motion: a rigid-body velocity field
    {PARAM(.name = "velocity", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, def.velocity),
           .unit = "length/time", .initial = "[0, 0, 0]", .doc = "Velocity of all its nodes at the start.")},
    {PARAM(.name = "spin", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_body, def.spin), .unit = "1/time",
           .initial = "[0, 0, 0]", .doc = "Angular velocity at the start, about the mass centre; added to `velocity`.")},
    {.shape = CAROM_KEY_MAP,
     .name = "damping",
     .keys =
         (const carom_key[]){
             {.shape = CAROM_KEY_PARAMS, .params = carom_damping_params, .offset = offsetof(carom_scene_body, def.damping)},
             {CAROM_KEY_END},
         },
     .doc = "Rayleigh damping: a mode of circular frequency w is damped by (mass/w + stiffness w)/2 of critical damping."},
    {CAROM_KEY_END},
};

// A restraint: which nodes, which directions are blocked, and the motion imposed along these.
static const carom_key restraint_keys[] = {
    SELECTION(carom_scene_restraint, where),
    // four ways to block directions, of which an entry has exactly one
    {PARAM(.name = "fix", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_restraint, fix), .unit = "",
           .doc = "The axes along which the nodes cannot move: any of the letters x, y, z."),
     .form = &form_axes, .optional = true},
    {PARAM(.name = "plane", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_restraint, plane), .unit = "",
           .flags = CAROM_PARAM_NONZERO, .doc = "Normal of the plane in which each node must stay."),
     .optional = true},
    {PARAM(.name = "line", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_restraint, line), .unit = "",
           .flags = CAROM_PARAM_NONZERO, .doc = "Direction of the line along which each node can move."),
     .optional = true},
    {.shape = CAROM_KEY_VECTORS,
     .name = "directions",
     .offset = offsetof(carom_scene_restraint, directions),
     .optional = true,
     .doc = "One to three independent directions along which the nodes cannot move."},
    {PARAM(.name = "velocity", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_restraint, velocity),
           .unit = "length/time", .initial = "[0, 0, 0]",
           .doc = "Motion imposed along the restrained directions; other components are ignored.")},
    // the motion over time: a factor of `velocity`, or a table of velocities
    RAMP(carom_scene_restraint, "Soft start of `velocity`: within this time its factor rises smoothly from 0 to 1."),
    HISTORY(carom_scene_restraint, "Factor of `velocity` over time: linear between rows, constant before and after."),
    {.shape = CAROM_KEY_TABLE,
     .name = "velocities",
     .offset = offsetof(carom_scene_restraint, velocities),
     .optional = true,
     .columns = 4,
     .row = "[time, x, y, z]",
     .doc = "Velocities over time instead of `velocity`: linear between rows, constant before and after."},
    {PARAM(.name = "from", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_restraint, from), .unit = "time",
           CAROM_RANGE_POSITIVE,
           .doc = "It holds from this time on; without it from the start. Steps belong to it by their middle."),
     .optional = true},
    {PARAM(.name = "until", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_restraint, until), .unit = "time",
           CAROM_RANGE_POSITIVE, .doc = "It lets go at this time; without it never."),
     .optional = true},
    {PARAM(.name = "clamped", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_restraint, clamped), .unit = "",
           .initial = "false",
           .doc = "Nodes of beams: the cross-section does not rotate either. `fix: xyz` alone makes a hinge.")},
    {CAROM_KEY_END},
};

// A load: on nodes (force, acceleration) or on faces (traction, pressure).
static const carom_key load_keys[] = {
    SELECTION(carom_scene_force, where),
    {PARAM(.name = "force", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_force, force),
           .unit = "mass length/time^2", .flags = CAROM_PARAM_NONZERO,
           .doc = "A force of constant direction, divided equally among the selected nodes."),
     .optional = true},
    {PARAM(.name = "acceleration", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_force, acceleration),
           .unit = "length/time^2", .flags = CAROM_PARAM_NONZERO,
           .doc = "A force per mass on the selected nodes, like gravity."),
     .optional = true},
    {PARAM(.name = "traction", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_force, traction),
           .unit = "mass/(length time^2)", .flags = CAROM_PARAM_NONZERO,
           .doc = "A force per area of constant direction. It acts on the faces of a face set, or on those whose nodes are all "
                  "selected; faces of plane bodies are their edges times the thickness. The area is that at the start."),
     .optional = true},
    {PARAM(.name = "pressure", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_force, pressure),
           .unit = "mass/(length time^2)",
           .doc = "A pressure on faces, selected as for `traction`; positive values push inward."),
     .optional = true},
    // beside `pressure` only
    {PARAM(.name = "following", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_force, following), .unit = "",
           .initial = "true",
           .doc = "`pressure`: it follows the faces as they turn and stretch. `false`: as they were at the start."),
     .beside = "pressure"},
    RAMP(carom_scene_force, "Soft start: within this time the factor of the load rises smoothly from 0 to 1."),
    HISTORY(carom_scene_force, "Factor of the load over time: linear between rows, constant before and after."),
    {CAROM_KEY_END},
};

// Contact: planes, exceptions for pairs of bodies, and the parameters for all.
static const carom_key plane_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_plane_params},
    {CAROM_KEY_END},
};

// Exceptions for pairs of bodies; parameters not given are those of `contact`.
static const carom_key pair_keys[] = {
    // the two sides come first: they are what a reader looks for
    {.shape = CAROM_KEY_NAMES,
     .name = "bodies",
     .offset = offsetof(carom_contact_pair_def, side),
     .columns = 2,
     .doc = "Names of the two sides: bodies, arrays of bodies, planes. The same name twice means self-contact and, for an "
            "array, contact of its bodies with each other."},
    {.shape = CAROM_KEY_PARAMS, .params = carom_contact_pair_params},
    {CAROM_KEY_END},
};

// Parameters for all contacts, then planes and pairs.
static const carom_key contact_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_contact_params, .offset = offsetof(carom_scene_def, contact)},
    {.shape = CAROM_KEY_LIST,
     .name = "planes",
     .item = "plane",
     .keys = plane_keys,
     .offset = offsetof(carom_scene_def, planes),
     .item_size = sizeof(carom_plane_def),
     .doc = "Fixed planes that no body crosses."},
    {.shape = CAROM_KEY_LIST,
     .name = "pairs",
     .item = "pair",
     .keys = pair_keys,
     .offset = offsetof(carom_scene_def, pairs),
     .item_size = sizeof(carom_contact_pair_def),
     .doc = "Contact parameters between two bodies, or a body and a plane, that replace the general ones. If several entries "
            "name the same two, the last one counts."},
    {CAROM_KEY_END},
};

// Output: one map for each kind of file.
static const carom_key history_keys[] = {
    {PARAM(.name = "every", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, output.history_every), .unit = "steps",
           .initial = "auto", .min = 1, .max = HUGE_VAL, .flags = CAROM_PARAM_ALLOW_AUTO,
           .doc = "Steps between two rows; `auto`: about 1000 rows in all.")},
    {PARAM(.name = "bodies", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_def, output.history_bodies), .unit = "",
           .initial = "false", .doc = "Adds columns for each body.")},
    {PARAM(.name = "peaks", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_def, output.history_peaks), .unit = "",
           .initial = "true",
           .doc = "Adds columns with the largest stresses and strains of each body over all steps since the previous row. A "
                  "model with more than 100 bodies has them only with `bodies: true`. `false`: they are not looked for at all, "
                  "which saves 1 to 12 % of the time of a run of elastic solids and up to a half of others, unless a gate of "
                  "`expect` names one.")},
    {PARAM(.name = "pairs", .type = CAROM_PARAM_BOOL, .offset = offsetof(carom_scene_def, output.history_pairs), .unit = "",
           .initial = "true",
           .doc =
               "Writes `pairs.csv`: the mean contact force since the previous row, for every two bodies that have touched.")},
    {PARAM(.name = "pairs_most", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, output.pairs_most), .unit = "",
           .initial = "64", CAROM_RANGE_NONNEGATIVE,
           .doc = "Largest number of pairs in `pairs.csv`, those that touched first, so that many bodies do not fill the disk; "
                  "0: all, up to 1024. `summary.json` has them all.")},
    {PARAM(.name = "force_window", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_def, output.force_window),
           .unit = "time", .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
           .doc =
               "Time over which contact forces are averaged before the largest one counts as `peak_force`, in whole steps; "
               "`auto`: a thousandth of the run, the interval of the rows by default, but at least four stable steps, in which "
               "waves cross about two elements.")},
    {CAROM_KEY_END},
};

// In the order of carom_field_format.
static const char *const field_formats[] = {"vtu", "vtkhdf", "both", NULL};

// In the order of carom_field_precision and of carom_switch.
static const char *const precisions[] = {"auto", "single", "double", NULL};
static const char *const switches[] = {"auto", "false", "true", NULL};

// The animation.
static const carom_key fields_keys[] = {
    {PARAM(.name = "every", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, output.fields_every), .unit = "steps",
           .initial = "auto", CAROM_RANGE_NONNEGATIVE, .flags = CAROM_PARAM_ALLOW_AUTO,
           .doc =
               "Steps between two frames of the animation; 0: none; `auto`: about 100 frames in all, fewer in large models.")},
    {.shape = CAROM_KEY_NUMBERS,
     .name = "at",
     .offset = offsetof(carom_scene_def, field_times),
     .optional = true,
     .doc = "Times of further frames, each written at the first step at or after it. With `every: 0` there are no others."},
    {PARAM(.name = "format", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_def, output.fields_format), .unit = "",
           .initial = "vtu", .choices = field_formats,
           .doc = "`vtu`: `fields.pvd` with one file per frame. `vtkhdf`: one file, if this build can write HDF5.")},
    {.shape = CAROM_KEY_WORDLIST,
     .name = "names",
     .offset = offsetof(carom_scene_def, field_names),
     .optional = true,
     .doc = "Fields to write, by the names that they have in the frames, or `[all]`. By default all, in large models the most "
            "useful ones. Positions and the number of the body are always there."},
    {PARAM(.name = "precision", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_def, output.fields_precision),
           .unit = "", .initial = "auto", .choices = precisions,
           .doc = "Of the numbers in frames: `single` has seven digits. `auto`: `double`, in large models `single`.")},
    {PARAM(.name = "compress", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_def, output.fields_compress),
           .unit = "", .initial = "auto", .choices = switches,
           .doc = "Packs frames by zlib, as VTK reads it. `auto`: in large models; `.vtkhdf` files always.")},
    {PARAM(.name = "surface", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_def, output.fields_surface),
           .unit = "", .initial = "auto", .choices = switches,
           .doc = "Writes only the outer faces of solids, with their nodes and fields. `auto`: in very large models.")},
    {CAROM_KEY_END},
};

// The table of impulses, off by default since it can grow large.
static const carom_key contacts_keys[] = {
    {PARAM(.name = "every", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, output.contacts_every),
           .unit = "steps", .initial = "1", .min = 1, .max = HUGE_VAL, .doc = "Only the contacts of every n-th step.")},
    {CAROM_KEY_END},
};

// Checkpoints by steps, by wall time, or both.
static const carom_key checkpoint_keys[] = {
    {PARAM(.name = "every", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, output.checkpoint_every),
           .unit = "steps", .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "Steps between two checkpoints; 0: none.")},
    {PARAM(.name = "minutes", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_def, output.checkpoint_minutes),
           .unit = "minutes", .initial = "0", CAROM_RANGE_NONNEGATIVE,
           .doc = "Minutes of wall time between two checkpoints; 0: none.")},
    {CAROM_KEY_END},
};

// Two surfaces that are glued together.
static const carom_key tie_keys[] = {
    {.shape = CAROM_KEY_MAP,
     .name = "from",
     .keys = (const carom_key[]){SELECTION(carom_tie_def, from), {CAROM_KEY_END}},
     .doc = "The faces whose nodes follow: those of a face set, or those whose nodes are all selected. They should be the "
            "smaller ones."},
    {.shape = CAROM_KEY_MAP,
     .name = "to",
     .keys = (const carom_key[]){SELECTION(carom_tie_def, to), {CAROM_KEY_END}},
     .doc = "The faces that they follow, selected likewise."},
    {PARAM(.name = "tolerance", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_tie_def, tolerance), .unit = "length",
           CAROM_RANGE_NONNEGATIVE,
           .doc =
               "Nodes of `from` that are farther away from `to` are refused; nearer ones are moved there, without strain. By "
               "default a tenth of the mean size of the faces of `from`."),
     .optional = true},
    {CAROM_KEY_END},
};

// One point of a connection.
#define SPOT(member)                                                                                                        \
    (const carom_key[]) {                                                                                                   \
        {PARAM(.name = "body", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_connection_def, member.body), .unit = "", \
               .doc = "Name of the body.")},                                                                                \
            {PARAM(.name = "point", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_connection_def, member.point),       \
                   .unit = "length", .doc = "A point in the body or on its surface, as it is at the start.")},              \
            {CAROM_KEY_END},                                                                                                \
    }

// Two points that stay together.
static const carom_key connection_keys[] = {
    {.shape = CAROM_KEY_MAP, .name = "from", .keys = SPOT(from), .doc = "A point of one body."},
    {.shape = CAROM_KEY_MAP, .name = "to", .keys = SPOT(to), .doc = "A point of another body."},
    {CAROM_KEY_END},
};

// In the order of carom_joint_kind.
static const char *const joint_kinds[] = {"hinge", "ball", "slider", "cylinder", "planar", "upright", NULL};

static const carom_key joint_keys[] = {
    {PARAM(.name = "kind", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_joint, joint.kind), .unit = "",
           .choices = joint_kinds,
           .doc = "`hinge`: the body turns about an axis. `ball`: it turns about a point. `slider`: it moves along an axis and "
                  "does not turn. `cylinder`: it moves along an axis and turns about it. `planar`: it moves across an axis and "
                  "turns about it, as in a plane. `upright`: it moves anyhow and does not turn.")},
    {PARAM(.name = "body", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_joint, joint.body), .unit = "",
           .doc = "Name of a rigid body.")},
    {PARAM(.name = "to", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_joint, joint.to), .unit = "",
           .initial = "ground", .doc = "What it is joined to: another rigid body, or `ground`, which does not move.")},
    {PARAM(.name = "at", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_joint, joint.at), .unit = "length",
           .doc = "The point of a `ball`, or one on the axis of a `hinge` or a `cylinder`, in the body or outside of it."),
     .optional = true},
    {PARAM(.name = "axis", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_joint, joint.axis), .unit = "",
           .flags = CAROM_PARAM_NONZERO, .doc = "Direction of the axis, of any length; `ball` and `upright` have none."),
     .optional = true},
    {PARAM(.name = "speed", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_joint, speed), .unit = "1/time",
           .doc = "A motor turns a `hinge` about its axis with this angular velocity, or moves a `slider` along it with this "
                  "velocity (length/time), relative to `to`. Its work is `external`."),
     .optional = true},
    RAMP(carom_scene_joint, "Soft start of `speed`: within this time its factor rises smoothly from 0 to 1."),
    HISTORY(carom_scene_joint, "Factor of `speed` over time: linear between rows, constant before and after."),
    {PARAM(.name = "from", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_joint, from), .unit = "time",
           CAROM_RANGE_POSITIVE, .doc = "The motor is on from this time on; without it from the start."),
     .optional = true},
    {PARAM(.name = "until", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_joint, until), .unit = "time",
           CAROM_RANGE_POSITIVE, .doc = "The motor lets go at this time; without it never."),
     .optional = true},
    {CAROM_KEY_END},
};

// One end of a spring.
#define SPRING_END(member)                                                                                              \
    (const carom_key[]) {                                                                                               \
        {PARAM(.name = "body", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_spring_def, member.body), .unit = "", \
               .initial = "ground", .doc = "Name of the body, or `ground`, which does not move.")},                     \
            {PARAM(.name = "point", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_spring_def, member.point),       \
                   .unit = "length", .doc = "Where it is at the start: at a node of the body.")},                       \
            {CAROM_KEY_END},                                                                                            \
    }

static const carom_key spring_keys[] = {
    {.shape = CAROM_KEY_MAP, .name = "from", .keys = SPRING_END(from), .doc = "One end."},
    {.shape = CAROM_KEY_MAP, .name = "to", .keys = SPRING_END(to), .doc = "The other end. One of them is at a rigid body."},
    {PARAM(.name = "stiffness", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_spring_def, stiffness),
           .unit = "mass/time^2", .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "Force over change of length.")},
    {PARAM(.name = "damping", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_spring_def, damping), .unit = "mass/time",
           .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "Force over the speed at which the length changes.")},
    {PARAM(.name = "length", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_spring_def, length), .unit = "length",
           CAROM_RANGE_NONNEGATIVE, .doc = "Length without force; by default that at the start."),
     .optional = true},
    {CAROM_KEY_END},
};

// In the order of the bits CAROM_RECORD_*.
static const char *const record_words[] = {
    "position", "displacement",     "velocity", "acceleration",     "force", "stress", "strain",
    "rotation", "angular_velocity", "momentum", "angular_momentum", NULL};

// In the order of carom_filter.
static const char *const filters[] = {"none", "cfc-60", "cfc-180", "cfc-600", "cfc-1000", NULL};

// A probe: its name, its nodes, and the quantities to record.
static const carom_key probe_keys[] = {
    {PARAM(.name = "name", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_probe, name), .unit = "",
           .doc = "Name of the probe; its columns are `NAME.x`, `NAME.ux`, `NAME.vx` and so on.")},
    SELECTION(carom_scene_probe, where),
    {.shape = CAROM_KEY_WORDS,
     .name = "record",
     .offset = offsetof(carom_scene_probe, record),
     .words = record_words,
     .word_default = CAROM_RECORD_POSITION | CAROM_RECORD_DISPLACEMENT | CAROM_RECORD_VELOCITY,
     .doc = "Recorded quantities. For several nodes, the mean weighted by mass; of the contact `force` the sum. `acceleration` "
            "and `force` are means since the previous row; `stress` and `strain` belong to nodes of solids; `rotation`, "
            "`angular_velocity`, `momentum` and `angular_momentum` to a rigid body, the first two also to an obstacle."},
    {PARAM(.name = "filter", .type = CAROM_PARAM_CHOICE, .offset = offsetof(carom_scene_probe, filter), .unit = "",
           .initial = "none", .choices = filters,
           .doc = "Channel frequency class (SAE J211, ISO 6487) by which `acceleration` and `force` are filtered, into "
                  "`probes_filtered.csv`.")},
    {PARAM(.name = "second", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_probe, second), .unit = "time",
           .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
           .doc = "Length of a second in the units of the scene, for `filter`: 1000 if times are milliseconds. `auto`: as "
                  "`units` says, 1 without `units`.")},
    {CAROM_KEY_END},
};

// All that a run writes.
static const carom_key output_keys[] = {
    // without a default here: it depends on the name of the scene file
    {PARAM(.name = "directory", .type = CAROM_PARAM_TEXT, .offset = offsetof(carom_scene_def, output.directory), .unit = "",
           .doc = "Folder of the results; by default `out/` and the name of the scene file without its ending."),
     .optional = true},
    {.shape = CAROM_KEY_MAP, .name = "history", .keys = history_keys, .doc = "`history.csv`, the ledger over time."},
    {.shape = CAROM_KEY_MAP, .name = "fields", .keys = fields_keys, .doc = "The animation."},
    {.shape = CAROM_KEY_MAP,
     .name = "contacts",
     .keys = contacts_keys,
     .can_be_off = true,
     .off = true,
     .offset = offsetof(carom_scene_def, output.contacts),
     .doc = "`contacts.csv`, each impulse of contact: where, between which nodes, how large. `true`: those of all steps."},
    {.shape = CAROM_KEY_MAP, .name = "checkpoint", .keys = checkpoint_keys, .doc = "Files from which a run can be resumed."},
    {.shape = CAROM_KEY_LIST,
     .name = "probes",
     .item = "probe",
     .keys = probe_keys,
     .offset = offsetof(carom_scene_def, probes),
     .item_size = sizeof(carom_scene_probe),
     // CAROM_AUTO marks a node number that is not given
     .item_empty = &(const carom_scene_probe){.where.node = CAROM_AUTO},
     .at_most_one = set_or_node,
     .doc = "Nodes whose motion is recorded in `probes.csv`, at the rows of `history.csv`."},
    {CAROM_KEY_END},
};

// The long form of a gate of `expect`: the condition, and for the verification manual the known value and
// its source.
static const carom_key gate_keys[] = {
    {.shape = CAROM_KEY_CONDITION,
     .name = "gate",
     .offset = offsetof(carom_scene_gate, condition),
     .doc = "The condition that the result must meet."},
    {PARAM(.name = "exact", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_gate, exact), .unit = "that of the result",
           .doc = "Its exact value, by a closed form or a conservation law."),
     .optional = true},
    {PARAM(.name = "published", .type = CAROM_PARAM_REAL, .offset = offsetof(carom_scene_gate, published),
           .unit = "that of the result", .doc = "The value that a publication gives, instead of `exact`."),
     .optional = true},
    {PARAM(.name = "source", .type = CAROM_PARAM_TEXT, .offset = offsetof(carom_scene_gate, source), .unit = "",
           .doc =
               "Where that value comes from: the formula, or the publication and the place in it. Of a gate without a value, "
               "the reason for the bound."),
     .optional = true},
    {CAROM_KEY_END},
};

// A label is printed beside numbers and columns: at most 16 characters, no blanks, no quotes, and not a number itself.
static bool is_label(const char *text) {
    int length = 0;
    if (strchr("+-.0123456789", *text))
        return false;
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c <= ' ' || strchr("\"\\\x7f", *c))
            return false;
        // the bytes 10xxxxxx continue a character of UTF-8
        length += ((unsigned char)*c & 0xc0) != 0x80;
    }
    return length >= 1 && length <= 16;
}

static const carom_form form_label = {
    .expected = "the name of a unit, such as mm, t or s",
    .pattern = "^(?![-+.0-9])[^\\s\"\\\\]{1,16}$",
    .matches = is_label,
};

// Labels for the page, for remarks and for filters, whose classes are in hertz; no number is ever converted.
static const carom_key units_keys[] = {
    {PARAM(.name = "length", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_def, units.length), .unit = "",
           .doc = "Name of the unit of length: `m`, `mm`, ..."),
     .form = &form_label},
    {PARAM(.name = "mass", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_def, units.mass), .unit = "",
           .doc = "Name of the unit of mass: `kg`, `t`, ..."),
     .form = &form_label},
    {PARAM(.name = "time", .type = CAROM_PARAM_NAME, .offset = offsetof(carom_scene_def, units.time), .unit = "",
           .doc = "Name of the unit of time: `s`, `ms`, ..."),
     .form = &form_label},
    {CAROM_KEY_END},
};

// The top of the file.
static const carom_key scene_keys[] = {
    {PARAM(.name = "schema", .type = CAROM_PARAM_INT, .offset = offsetof(carom_scene_def, schema), .unit = "", .initial = "1",
           .min = 1, .max = 1, .doc = "Version of this format.")},
    {PARAM(.name = "title", .type = CAROM_PARAM_TEXT, .offset = offsetof(carom_scene_def, title), .unit = "",
           .doc = "One line about the scene."),
     .optional = true},
    {.shape = CAROM_KEY_MAP,
     .name = "units",
     .optional = true,
     .offset = offsetof(carom_scene_def, units.given),
     .keys = units_keys,
     .doc = "The units that the numbers of the scene are in, for labels, for the seconds of filters and for remarks on numbers "
            "that are implausible in them: no number is converted."},
    {.shape = CAROM_KEY_PICK,
     .name = "integrator",
     .offset = offsetof(carom_scene_def, integrator),
     .catalogue = carom_integrators,
     .unless = "analysis",
     .doc = "The method that advances the scene in time."},
    {.shape = CAROM_KEY_PICK,
     .name = "analysis",
     .offset = offsetof(carom_scene_def, analysis),
     .catalogue = carom_analyses,
     .optional = true,
     .doc = "An analysis that takes the place of `integrator` and `time`."},
    {.shape = CAROM_KEY_MAP,
     .name = "time",
     .keys =
         (const carom_key[]){
             {.shape = CAROM_KEY_PARAMS, .params = carom_time_params, .offset = offsetof(carom_scene_def, time)},
             {CAROM_KEY_END},
         },
     .unless = "analysis",
     .doc = "Duration and time step."},
    {PARAM(.name = "gravity", .type = CAROM_PARAM_VEC3, .offset = offsetof(carom_scene_def, gravity), .unit = "length/time^2",
           .initial = "[0, 0, 0]", .doc = "Acceleration of gravity on all bodies.")},
    {.shape = CAROM_KEY_LIST,
     .name = "bodies",
     .item = "body",
     .keys = body_keys,
     .offset = offsetof(carom_scene_def, bodies),
     .item_size = sizeof(carom_scene_body),
     .item_empty = &(const carom_scene_body){.place = EMPTY_STEP, .obstacle = {.point = NOT_GIVEN, .cell = NOT_GIVEN}},
     .least = 1,
     .doc = "The bodies; at least one."},
    {.shape = CAROM_KEY_LIST,
     .name = "restraints",
     .item = "restraint",
     .keys = restraint_keys,
     .offset = offsetof(carom_scene_def, restraints),
     .item_size = sizeof(carom_scene_restraint),
     .item_empty = &(const carom_scene_restraint){.where.node = CAROM_AUTO, .from = NAN, .until = NAN},
     .exactly_one = restraint_forms,
     .at_most_one = set_or_node,
     .doc = "Nodes whose motion is restrained or prescribed."},
    {.shape = CAROM_KEY_LIST,
     .name = "loads",
     .item = "load",
     .keys = load_keys,
     .offset = offsetof(carom_scene_def, loads),
     .item_size = sizeof(carom_scene_force),
     // CAROM_AUTO and NaN mark a node number and a pressure that are not given
     .item_empty = &(const carom_scene_force){.where.node = CAROM_AUTO, .pressure = NAN},
     .exactly_one = load_forms,
     .at_most_one = set_or_node,
     .doc = "Forces on nodes, bodies and faces."},
    {.shape = CAROM_KEY_LIST,
     .name = "tied",
     .item = "tie",
     .keys = tie_keys,
     .offset = offsetof(carom_scene_def, ties),
     .item_size = sizeof(carom_tie_def),
     .item_empty = &(const carom_tie_def){.from.node = CAROM_AUTO, .to.node = CAROM_AUTO, .tolerance = NAN},
     .doc = "Surfaces of solids that are glued together, whatever their meshes."},
    {.shape = CAROM_KEY_LIST,
     .name = "connections",
     .item = "connection",
     .keys = connection_keys,
     .offset = offsetof(carom_scene_def, connections),
     .item_size = sizeof(carom_connection_def),
     .doc = "Pairs of points of solids that stay together, as by a rigid pin."},
    {.shape = CAROM_KEY_LIST,
     .name = "joints",
     .item = "joint",
     .keys = joint_keys,
     .offset = offsetof(carom_scene_def, joints),
     .item_size = sizeof(carom_scene_joint),
     .item_empty =
         &(const carom_scene_joint){
             .joint = {.at = {NAN, NAN, NAN}, .axis = {NAN, NAN, NAN}}, .speed = NAN, .from = NAN, .until = NAN},
     .doc = "Joints of rigid bodies with the ground."},
    {.shape = CAROM_KEY_LIST,
     .name = "springs",
     .item = "spring",
     .keys = spring_keys,
     .offset = offsetof(carom_scene_def, springs),
     .item_size = sizeof(carom_spring_def),
     .item_empty = &(const carom_spring_def){.length = NAN},
     .doc = "Springs and dampers between nodes of rigid bodies and other nodes or the ground."},
    {.shape = CAROM_KEY_MAP,
     .name = "contact",
     .keys = contact_keys,
     .can_be_off = true,
     .offset = offsetof(carom_scene_def, contact.enabled),
     .doc = "Contact of bodies; `false`: they pass through each other."},
    {.shape = CAROM_KEY_MAP, .name = "output", .keys = output_keys, .doc = "Output of a run."},
    {.shape = CAROM_KEY_GATES,
     .name = "expect",
     .keys = gate_keys,
     .offset = offsetof(carom_scene_def, gates),
     .doc = "Conditions on the results; if one fails, the command ends with exit code 1."},
    {CAROM_KEY_END},
};

// The table is constant: no part of the program can change it.
const carom_key *carom_schema(void) {
    return scene_keys;
}
