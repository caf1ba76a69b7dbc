// SPDX-License-Identifier: MIT
// The keys of one of `bodies`: its mesh and where it is placed, its material, its motion at the start.
#include "scene/keys/keys.h"

static const char *const set_or_box[] = {"set", "in_box", NULL};

// In the order of CAROM_ABOUT_*.
static const char *const about_words[] = {"origin", "center", NULL};

// clang-format off
// Keys of a placement as a map and of a step of a list. NaN marks a vector that is not given.
#define PLACE_MORE(owner, member)                                                                                              \
    {CAROM_VALUE("about", CHOICE, owner, member about, "", .initial = "origin", .choices = about_words,                        \
                 .doc = "The point of the axis of `angle`: the origin, or the present mass centre."),                          \
     .needs_key = "angle"},                                                                                                    \
    {CAROM_OPTIONAL("through", VEC3, owner, member through, "length", .doc = "A point of that axis, instead of `about`.")},    \
    {CAROM_OPTIONAL("center", VEC3, owner, member center, "length",                                                            \
                    .doc = "Moves the mass centre there, instead of `translate`.")},                                           \
    {CAROM_OPTIONAL("on", NAME, owner, member on, "",                                                                          \
                    .doc = "Name of a contact plane: in the last step the body is moved along the normal until its "           \
                           "nearest node is there.")},                                                                         \
    {CAROM_VALUE("gap", REAL, owner, member gap, "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,                            \
                 .doc = "Distance of this node from the plane."),                                                              \
     .needs_key = "on"}
// clang-format on

// Placement and arrays of bodies, with the parameter tables of mesh/place.c.
static const carom_key place_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_placement_params, .offset = offsetof(carom_scene_body, placement)},
    PLACE_MORE(carom_scene_body, place.),
    {CAROM_KEY_END},
};

// One step of a list: no key has a default, so the rows of the map cannot be used.
static const carom_key step_keys[] = {
    {CAROM_OPTIONAL("scale", VEC3, carom_scene_step, scale, "", CAROM_RANGE_POSITIVE,
                    .doc = "Scales it, by factors along x, y, z, about the origin.")},
    {CAROM_OPTIONAL("angle", REAL, carom_scene_step, angle, "degrees", CAROM_RANGE_ANY,
                    .doc = "Turns it, counter-clockwise seen from the tip of the axis.")},
    {CAROM_VALUE("axis", VEC3, carom_scene_step, axis, "", .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO,
                 .doc = "Direction of the axis; requires `angle`."),
     .needs_key = "angle"},
    PLACE_MORE(carom_scene_step, ),
    {CAROM_OPTIONAL("translate", VEC3, carom_scene_step, translate, "length", .doc = "Moves it.")},
    {CAROM_KEY_END},
};

static const char *const step_forms[] = {"scale", "angle", "translate", "center", "on", NULL};

static const carom_key place_list = {
    CAROM_LIST("place", "step", step_keys, carom_scene_body, steps, carom_scene_step),
    .item_empty = &(const carom_scene_step)CAROM_EMPTY_STEP,
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
    {CAROM_OPTIONAL("set", NAME, carom_material_def, set, "",
                    .doc = "The elements of this group of the mesh: a physical group, an element set, a part.")},
    CAROM_BOX(carom_material_def, in_box, "The elements whose centre starts in this box."),
    {CAROM_PICK("material", carom_material_def, material, carom_materials), .described = true,
     .doc = "Their material, as in `bodies[].material`."},
    {CAROM_KEY_END},
};

// A body: geometry, then element and material, then initial motion and damping.
const carom_key carom_body_keys[] = {
    {CAROM_VALUE("name", NAME, carom_scene_body, def.name, "", .doc = "Name of the body; all names must differ.")},
    {CAROM_PICK("mesh", carom_scene_body, mesh, carom_generators), .doc = "The geometry."},
    {CAROM_VALUE("fix", BOOL, carom_scene_body, fix, "", .initial = "false",
                 .doc = "Mends faults of a mesh file if possible; without it a mesh with faults is refused.")},
    {CAROM_VALUE("renumber", BOOL, carom_scene_body, renumber, "", .initial = "false",
                 .doc = "Sorts nodes and elements along a space-filling curve, for speed; they keep their numbers.")},
    // placement comes before `array`: copies are placed copies
    {CAROM_MAP("place", place_keys), .as_list = &place_list,
     .doc = "Placement of the mesh: scaled, rotated, translated, put on a plane, in this order; or a list of such steps."},
    {CAROM_MAP("array", array_keys),
     .doc = "Turns one entry into an array of equal bodies, named NAME_0, NAME_1, ..., x fastest; NAME selects all of them."},
    {CAROM_PICK("element", carom_scene_body, def.element, carom_elements), .unless = "obstacle",
     .doc = "The element type of the cells."},
    {CAROM_PICK("material", carom_scene_body, def.material, carom_materials), .optional = true,
     .doc = "The material, or `{use: NAME}`, a substance of the library (`carom info materials`); required by all elements "
            "except those without one (`point-mass`, `rigid`)."},
    {CAROM_LIST("materials", "entry", material_keys, carom_scene_body, materials, carom_material_def), .optional = true,
     .exactly_one = set_or_box,
     .doc = "Other materials of disjoint sets of elements; the remaining elements have `material`, which may be left out if "
            "there are none."},
    {CAROM_MAP("obstacle", carom_obstacle_keys), .optional = true, .offset = offsetof(carom_scene_body, obstacle.given),
     .doc =
         "Makes the body an obstacle: a shape without element, material and mass, at rest (`{}`) or driven, that other bodies "
         "cannot pass. Any faces, lines and points will do, which need not fit together. Obstacles that are driven into "
         "each other end the run."},
    // initial motion: a rigid-body velocity field
    {CAROM_VALUE("velocity", VEC3, carom_scene_body, def.velocity, "length/time", .initial = "[0, 0, 0]",
                 .doc = "Velocity of all its nodes at the start.")},
    {CAROM_VALUE("spin", VEC3, carom_scene_body, def.spin, "1/time", .initial = "[0, 0, 0]",
                 .doc = "Angular velocity at the start, about the mass centre; added to `velocity`.")},
    {.shape = CAROM_KEY_MAP,
     .name = "damping",
     .keys = CAROM_ROWS(carom_damping_params, carom_scene_body, def.damping),
     .doc = "Rayleigh damping: a mode of circular frequency w is damped by (mass/w + stiffness w)/2 of critical damping."},
    {CAROM_KEY_END},
};
