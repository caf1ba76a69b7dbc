// SPDX-License-Identifier: MIT
// The keys of a scene, from the top of the file down. The parameters of kinds (meshes, elements, materials, integrators), of
// contact and of time are described where they are used, by their own tables; the larger maps have files of their own (keys.h);
// all other keys are described here. Documentation in these tables becomes the manual and the JSON Schema.
//
// Inner maps come first in this file, since a map refers to the tables of the maps within it.
#include "scene/keys/keys.h"

#include <string.h>

// Groups of keys that exclude each other.
const char *const carom_set_or_node[] = {"set", "node", NULL};
static const char *const load_forms[] = {"force", "acceleration", "traction", "pressure", NULL};
static const char *const restraint_forms[] = {"fix", "plane", "line", "directions", NULL};

// Contact: planes, exceptions for pairs of bodies, and the parameters for all.
static const carom_key plane_keys[] = {
    {.shape = CAROM_KEY_PARAMS, .params = carom_plane_params},
    {CAROM_KEY_END},
};

// Exceptions for pairs of bodies; parameters not given are those of `contact`.
static const carom_key pair_keys[] = {
    // the two sides come first, since they identify the pair
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
    {CAROM_LIST("planes", "plane", plane_keys, carom_scene_def, planes, carom_plane_def),
     .doc = "Fixed planes that no body crosses."},
    {CAROM_LIST("pairs", "pair", pair_keys, carom_scene_def, pairs, carom_contact_pair_def),
     .doc = "Contact parameters between two bodies, or a body and a plane, that replace the general ones. If several entries "
            "name the same two, the last one counts."},
    {CAROM_KEY_END},
};

// The long form of a gate of `expect`: the condition, and for the verification manual the known value and
// its source.
static const carom_key gate_keys[] = {
    {.shape = CAROM_KEY_CONDITION,
     .name = "gate",
     .offset = offsetof(carom_scene_gate, condition),
     .doc = "The condition that the result must meet."},
    {CAROM_OPTIONAL("exact", REAL, carom_scene_gate, exact, "that of the result",
                    .doc = "Its exact value, by a closed form or a conservation law.")},
    {CAROM_OPTIONAL("published", REAL, carom_scene_gate, published, "that of the result",
                    .doc = "The value that a publication gives, instead of `exact`.")},
    {CAROM_OPTIONAL(
        "source", TEXT, carom_scene_gate, source, "",
        .doc = "Where that value comes from: the formula, or the publication and the place in it. Of a gate without a value, "
               "the reason for the bound.")},
    {CAROM_KEY_END},
};

// A label is printed next to numbers and columns: at most 16 characters, no blanks, no quotes, and not a number itself.
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

// Labels for the page, for notes and for filters, whose classes are in hertz; no number is converted.
static const carom_key units_keys[] = {
    {CAROM_VALUE("length", NAME, carom_scene_def, units.length, "", .doc = "Name of the unit of length: `m`, `mm`, ..."),
     .form = &form_label},
    {CAROM_VALUE("mass", NAME, carom_scene_def, units.mass, "", .doc = "Name of the unit of mass: `kg`, `t`, ..."),
     .form = &form_label},
    {CAROM_VALUE("time", NAME, carom_scene_def, units.time, "", .doc = "Name of the unit of time: `s`, `ms`, ..."),
     .form = &form_label},
    {CAROM_KEY_END},
};

// The top of the file.
static const carom_key scene_keys[] = {
    {CAROM_VALUE("schema", INT, carom_scene_def, schema, "", .initial = "1", .min = 1, .max = 1,
                 .doc = "Version of this format.")},
    {CAROM_OPTIONAL("title", TEXT, carom_scene_def, title, "", .doc = "One line about the scene.")},
    {.shape = CAROM_KEY_MAP,
     .name = "units",
     .optional = true,
     .offset = offsetof(carom_scene_def, units.given),
     .keys = units_keys,
     .doc = "The units that the numbers of the scene are in, for labels, for the seconds of filters and for remarks on numbers "
            "that are implausible in them: no number of the scene is converted, but those of a substance (`use`) are."},
    {CAROM_PICK("integrator", carom_scene_def, integrator, carom_integrators), .unless = "analysis",
     .doc = "The method that advances the scene in time."},
    {CAROM_PICK("analysis", carom_scene_def, analysis, carom_analyses), .optional = true,
     .doc = "An analysis, in place of `integrator` and `time`."},
    {.shape = CAROM_KEY_MAP,
     .name = "time",
     .keys = CAROM_ROWS(carom_time_params, carom_scene_def, time),
     .unless = "analysis",
     .doc = "Duration and time step."},
    {CAROM_VALUE("gravity", VEC3, carom_scene_def, gravity, "length/time^2", .initial = "[0, 0, 0]",
                 .doc = "Acceleration of gravity on all bodies.")},
    {CAROM_LIST("bodies", "body", carom_body_keys, carom_scene_def, bodies, carom_scene_body),
     .item_empty =
         &(const carom_scene_body){.place = CAROM_EMPTY_STEP, .obstacle = {.point = CAROM_NOT_GIVEN, .cell = CAROM_NOT_GIVEN}},
     .least = 1, .doc = "The bodies; at least one."},
    {CAROM_LIST("restraints", "restraint", carom_restraint_keys, carom_scene_def, restraints, carom_scene_restraint),
     .item_empty = &(const carom_scene_restraint){.where.node = CAROM_AUTO, .from = NAN, .until = NAN},
     .exactly_one = restraint_forms, .at_most_one = carom_set_or_node,
     .doc = "Nodes whose motion is restrained or prescribed."},
    {CAROM_LIST("loads", "load", carom_load_keys, carom_scene_def, loads, carom_scene_force),
     // CAROM_AUTO and NaN mark a node number and a pressure that are not given
     .item_empty = &(const carom_scene_force){.where.node = CAROM_AUTO, .pressure = NAN}, .exactly_one = load_forms,
     .at_most_one = carom_set_or_node, .doc = "Forces on nodes, bodies and faces."},
    {CAROM_LIST("tied", "tie", carom_tie_keys, carom_scene_def, ties, carom_tie_def),
     .item_empty = &(const carom_tie_def){.from.node = CAROM_AUTO, .to.node = CAROM_AUTO, .tolerance = NAN},
     .doc = "Surfaces of solids that are tied together, whatever their meshes."},
    {CAROM_LIST("connections", "connection", carom_connection_keys, carom_scene_def, connections, carom_connection_def),
     .doc = "Pairs of points of solids that coincide, as if joined by a rigid pin."},
    {CAROM_LIST("joints", "joint", carom_joint_keys, carom_scene_def, joints, carom_scene_joint),
     .item_empty =
         &(const carom_scene_joint){
             .joint = {.at = {NAN, NAN, NAN}, .axis = {NAN, NAN, NAN}}, .speed = NAN, .from = NAN, .until = NAN},
     .doc = "Joints of rigid bodies with the ground or with each other."},
    {CAROM_LIST("springs", "spring", carom_spring_keys, carom_scene_def, springs, carom_spring_def),
     .item_empty = &(const carom_spring_def){.length = NAN},
     .doc = "Springs and dampers between nodes of rigid bodies and other nodes or the ground."},
    {CAROM_MAP("contact", contact_keys), .can_be_off = true, .offset = offsetof(carom_scene_def, contact.enabled),
     .doc = "Contact of bodies; `false`: they pass through each other."},
    {CAROM_MAP("output", carom_output_keys), .doc = "Output of a run."},
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
