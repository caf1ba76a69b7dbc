// SPDX-License-Identifier: MIT
// The keys of `output`: one map for each kind of file, and the probes.
#include "scene/keys/keys.h"

// The tables over time.
static const carom_key history_keys[] = {
    {CAROM_VALUE("every", INT, carom_scene_def, output.history_every, "steps", .initial = "auto", .min = 1, .max = HUGE_VAL,
                 .flags = CAROM_PARAM_ALLOW_AUTO, .doc = "Steps between two rows; `auto`: about 1000 rows in all.")},
    {CAROM_VALUE("bodies", BOOL, carom_scene_def, output.history_bodies, "", .initial = "false",
                 .doc = "Adds columns for each body.")},
    {CAROM_VALUE(
        "peaks", BOOL, carom_scene_def, output.history_peaks, "", .initial = "true",
        .doc = "Adds columns with the largest stresses and strains of each body over all steps since the previous row. A "
               "model with more than 100 bodies has them only with `bodies: true`. `false`: they are not computed at all, "
               "which saves 1 to 12 % of the time of a run of elastic solids and up to a half of others, unless a gate of "
               "`expect` names one.")},
    {CAROM_VALUE(
        "pairs", BOOL, carom_scene_def, output.history_pairs, "", .initial = "true",
        .doc = "Writes `pairs.csv`: the mean contact force since the previous row, for every two bodies that have touched.")},
    {CAROM_VALUE(
        "pairs_most", INT, carom_scene_def, output.pairs_most, "", .initial = "64", CAROM_RANGE_NONNEGATIVE,
        .doc = "Largest number of pairs in `pairs.csv`, those that touched first, so that many bodies do not fill the disk; "
               "0: all, up to 1024. `summary.json` has them all.")},
    {CAROM_VALUE(
        "force_window", REAL, carom_scene_def, output.force_window, "time", .initial = "auto", .min = 0, .max = HUGE_VAL,
        .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
        .doc = "Time over which contact forces are averaged before the largest one counts as `peak_force`, in whole steps; "
               "`auto`: a thousandth of the run, the interval of the rows by default, but at least four stable steps, in "
               "which waves cross about two elements.")},
    {CAROM_KEY_END},
};

// In the order of carom_field_format.
static const char *const field_formats[] = {"vtu", "vtkhdf", "both", NULL};

// In the order of carom_field_precision and of carom_switch.
static const char *const precisions[] = {"auto", "single", "double", NULL};
static const char *const switches[] = {"auto", "false", "true", NULL};

// The animation.
static const carom_key fields_keys[] = {
    {CAROM_VALUE(
        "every", INT, carom_scene_def, output.fields_every, "steps", .initial = "auto", CAROM_RANGE_NONNEGATIVE,
        .flags = CAROM_PARAM_ALLOW_AUTO,
        .doc = "Steps between two frames of the animation; 0: none; `auto`: about 100 frames in all, fewer in large models.")},
    {.shape = CAROM_KEY_NUMBERS,
     .name = "at",
     .offset = offsetof(carom_scene_def, field_times),
     .optional = true,
     .doc = "Times of further frames, each written at the first step at or after it. With `every: 0` there are no others."},
    {CAROM_VALUE("format", CHOICE, carom_scene_def, output.fields_format, "", .initial = "vtu", .choices = field_formats,
                 .doc = "`vtu`: `fields.pvd` with one file per frame. `vtkhdf`: one file, if this build can write HDF5.")},
    {.shape = CAROM_KEY_WORDLIST,
     .name = "names",
     .offset = offsetof(carom_scene_def, field_names),
     .optional = true,
     .doc = "Fields to write, by the names that they have in the frames, or `[all]`. By default all, in large models the most "
            "useful ones. Positions and the number of the body are always there."},
    {CAROM_VALUE("precision", CHOICE, carom_scene_def, output.fields_precision, "", .initial = "auto", .choices = precisions,
                 .doc = "Of the numbers in frames: `single` has seven digits. `auto`: `double`, in large models `single`.")},
    {CAROM_VALUE("compress", CHOICE, carom_scene_def, output.fields_compress, "", .initial = "auto", .choices = switches,
                 .doc = "Packs frames by zlib, as VTK reads it. `auto`: in large models; `.vtkhdf` files always.")},
    {CAROM_VALUE("surface", CHOICE, carom_scene_def, output.fields_surface, "", .initial = "auto", .choices = switches,
                 .doc = "Writes only the outer faces of solids, with their nodes and fields. `auto`: in very large models.")},
    {CAROM_KEY_END},
};

// The table of impulses, off by default since it can grow large.
static const carom_key contacts_keys[] = {
    {CAROM_VALUE("every", INT, carom_scene_def, output.contacts_every, "steps", .initial = "1", .min = 1, .max = HUGE_VAL,
                 .doc = "Only the contacts of every n-th step.")},
    {CAROM_KEY_END},
};

// Checkpoints by steps, by wall time, or both.
static const carom_key checkpoint_keys[] = {
    {CAROM_VALUE("every", INT, carom_scene_def, output.checkpoint_every, "steps", .initial = "0", CAROM_RANGE_NONNEGATIVE,
                 .doc = "Steps between two checkpoints; 0: none.")},
    {CAROM_VALUE("minutes", REAL, carom_scene_def, output.checkpoint_minutes, "minutes", .initial = "0",
                 CAROM_RANGE_NONNEGATIVE, .doc = "Minutes of wall time between two checkpoints; 0: none.")},
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
    {CAROM_VALUE("name", NAME, carom_scene_probe, name, "",
                 .doc = "Name of the probe; its columns are `NAME.x`, `NAME.ux`, `NAME.vx` and so on.")},
    CAROM_SELECTION(carom_scene_probe, where),
    {.shape = CAROM_KEY_WORDS,
     .name = "record",
     .offset = offsetof(carom_scene_probe, record),
     .words = record_words,
     .word_default = CAROM_RECORD_POSITION | CAROM_RECORD_DISPLACEMENT | CAROM_RECORD_VELOCITY,
     .doc = "Recorded quantities. For several nodes, the mean weighted by mass; of the contact `force` the sum. `acceleration` "
            "and `force` are means since the previous row; `stress` and `strain` belong to nodes of solids; `rotation`, "
            "`angular_velocity`, `momentum` and `angular_momentum` to a rigid body, the first two also to an obstacle."},
    {CAROM_VALUE("filter", CHOICE, carom_scene_probe, filter, "", .initial = "none", .choices = filters,
                 .doc = "Channel frequency class (SAE J211, ISO 6487) by which `acceleration` and `force` are filtered, into "
                        "`probes_filtered.csv`.")},
    {CAROM_VALUE("second", REAL, carom_scene_probe, second, "time", .initial = "auto", .min = 0, .max = HUGE_VAL,
                 .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
                 .doc =
                     "Length of a second in the units of the scene, for `filter`: 1000 if times are milliseconds. `auto`: as "
                     "`units` says, 1 without `units`.")},
    {CAROM_KEY_END},
};

// All that a run writes.
const carom_key carom_output_keys[] = {
    // without a default here: it depends on the name of the scene file
    {CAROM_OPTIONAL("directory", TEXT, carom_scene_def, output.directory, "",
                    .doc = "Folder of the results; by default `out/` and the name of the scene file without its ending.")},
    {CAROM_MAP("history", history_keys), .doc = "`history.csv`, the ledger over time."},
    {CAROM_MAP("fields", fields_keys), .doc = "The animation."},
    {CAROM_MAP("contacts", contacts_keys), .can_be_off = true, .off = true,
     .offset = offsetof(carom_scene_def, output.contacts),
     .doc = "`contacts.csv`, each impulse of contact: where, between which nodes, how large. `true`: those of all steps."},
    {CAROM_MAP("checkpoint", checkpoint_keys), .doc = "Files from which a run can be resumed."},
    {CAROM_LIST("probes", "probe", probe_keys, carom_scene_def, probes, carom_scene_probe),
     // CAROM_AUTO marks a node number that is not given
     .item_empty = &(const carom_scene_probe){.where.node = CAROM_AUTO}, .at_most_one = carom_set_or_node,
     .doc = "Nodes whose motion is recorded in `probes.csv`, at the rows of `history.csv`."},
    {CAROM_KEY_END},
};
