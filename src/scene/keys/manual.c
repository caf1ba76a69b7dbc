// SPDX-License-Identifier: MIT
// Writes the reference of scene files in Markdown: an introduction, then one section for each map of the
// table of keys and one for each kind of a catalogue.
#include <string.h>

#include "base/catalogue.h"
#include "base/numerals.h"
#include "base/stream.h"
#include "carom/integrator.h"
#include "device/device.h"
#include "integrator/engines.h"
#include "scene/expect.h"
#include "scene/scene.h"
#include "scene/schema.h"

// The part of the reference that is in no table: an example and the general rules.
static const char introduction[] =
    "# The scene file\n"
    "\n"
    "<!-- Generated from the table of keys by `carom manual scene`; do not edit. -->\n"
    "\n"
    "A scene says what to simulate: bodies, how they are held and loaded, how they touch, by which method and for how "
    "long, what\n"
    "to write, and what the result must fulfil. It is a YAML 1.2 file, or a JSON file if its name ends in `.json`.\n"
    "\n"
    "```yaml\n"
    "title: Two elastic bars\n"
    "integrator: newmark-dcr\n"
    "time: {end: 40, step: 0.05}\n"
    "bodies:\n"
    "  - name: left\n"
    "    mesh: {line: {from: [-10, 0, 0], to: [0, 0, 0], elements: 100}}\n"
    "    element: {bar: {area: 1}}\n"
    "    material: {linear: {young: 1, density: 1}}\n"
    "    velocity: [0.1, 0, 0]\n"
    "  - name: right\n"
    "    mesh: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 100}}\n"
    "    element: {bar: {area: 1}}\n"
    "    material: {linear: {young: 1, density: 1}}\n"
    "    velocity: [-0.1, 0, 0]\n"
    "contact: {restitution: 0}\n"
    "output:\n"
    "  probes:\n"
    "    - {name: left_tip, body: left, set: end, record: [displacement, velocity]}\n"
    "expect: {momentum_error: \"< 1e-14\", last_contact: \"19.7 .. 20.3\"}\n"
    "```\n"
    "\n"
    "## Rules\n"
    "\n"
    "- **Units.** Choose any consistent set (m, kg, s; mm, t, s; ...) and write numbers alone: none is converted. The "
    "tables below\n"
    "  give each unit in terms of length, mass and time.\n"
    "- **Strict.** A key that is not in this reference is an error, and so is one given twice. `carom check SCENE` "
    "reports all\n"
    "  errors of a file, each as `file:line:column: error: path: message`; exit code 2.\n"
    "- **Numbers** are decimal and finite: `3`, `.5`, `1e-3`. A number in quotes is a text. `true` and `false` are the only\n"
    "  truth values; `yes`, `no`, `on` and `off` are texts.\n"
    "- **Texts** stand on one line, plain or in quotes; block texts (`|`, `>`) are not used.\n"
    "- **A choice of a kind** (`mesh`, `element`, `material`, `integrator`) is a map with one key, the name of the "
    "kind, and its\n"
    "  parameters: `{bar: {area: 1}}`. The name alone stands for the kind with all its defaults: `bar`.\n"
    "- **Anchors and aliases** (`&steel`, `*steel`) may be used for values that appear more than once. Tags and merge "
    "keys are\n"
    "  not used.\n"
    "- **Overrides.** `carom run SCENE --set time.step=0.01 --set bodies.left.velocity=[1,0,0]` sets single values "
    "without editing\n"
    "  the file. An entry of a list is found by its `name` (`bodies.left`, `contact.planes.floor`, `output.probes.tip`) or by\n"
    "  its index (`bodies[0]`, `loads[1]`), a component of a vector by its index (`bodies.left.velocity[2]=-1`; components\n"
    "  that the file leaves out keep their defaults). A key that contains a dot is put in quotes:\n"
    "  `--set expect.'left_tip.vx'='< 0'`.\n"
    "- **Defaults.** `carom run SCENE --dump` prints the scene with every default filled in, `carom schema` a JSON Schema for\n"
    "  editors.\n";

// Text of a table cell: a bar would end the cell and is escaped.
static void cell(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

// The columns Value and Default of a key.
static void describe(const carom_key *key, char *value, char *initial, size_t size) {
    carom_key_expected(key, value, size);
    // the default column also says which keys are required
    snprintf(initial, size, "%s", carom_key_is_required(key) ? "required" : "");
    if (key->unless)
        snprintf(initial, size, "required unless there is `%s`", key->unless);
    switch (key->shape) {
    case CAROM_KEY_PARAM:
        if (key->param->initial)
            snprintf(initial, size, "`%s`", key->param->initial);
        break;
    case CAROM_KEY_LIST: snprintf(value, size, "a list, see below"); break;
    case CAROM_KEY_MAP:
        snprintf(value, size,
                 key->can_be_off ? "a map, see below, or `false`"
                 : key->as_list  ? "a map or a list, see below"
                                 : "a map, see below");
        if (key->off)
            snprintf(initial, size, "`false`");
        break;
    case CAROM_KEY_GATES: snprintf(value, size, "a map, see below"); break;
    case CAROM_KEY_WORDS: snprintf(initial, size, "all"); break;
    default: break;
    }
}

// A table with one row for each key.
static void write_table(const carom_key *keys, int count, FILE *stream) {
    if (count == 0) {
        fputs("No parameters.\n", stream);
        return;
    }
    fputs("| Key | Value | Unit | Default | Meaning |\n|---|---|---|---|---|\n", stream);
    for (int i = 0; i < count; i++) {
        char value[512], initial[512];
        describe(&keys[i], value, initial, sizeof value);
        // only single values have units
        const char *unit = keys[i].shape == CAROM_KEY_PARAM ? keys[i].param->unit : "";
        fprintf(stream, "| `%s` | ", keys[i].name);
        cell(stream, value);
        fprintf(stream, " | %s | %s | ", unit ? unit : "", initial);
        cell(stream, keys[i].doc);
        fputs(" |\n", stream);
    }
}

// Names in a sentence: "`a`, `b` or `c`".
static void write_names(const char *const *names, FILE *stream) {
    for (int i = 0; names[i]; i++)
        fprintf(stream, "%s`%s`", !i ? "" : names[i + 1] ? ", " : " or ", names[i]);
}

// Writes whether a method supports a need of a model, on one process and on several.
static void write_cell(const carom_integrator *method, carom_need need, FILE *stream) {
    bool any = false;
    for (const carom_lack *lack = method->lacks; lack && lack->need; lack++)
        if (lack->need == need && !lack->with) {
            fputs(" no |", stream);
            return;
        }
    fputs(" yes", stream);
    for (carom_engine engine = CAROM_ENGINE_THREADS; engine < CAROM_ENGINE_COUNT; engine++) {
        const carom_lack *lack = engine == CAROM_ENGINE_THREADS ? method->lacks : carom_engine_lacks(engine, method);
        const char *where = carom_engine_words(engine);
        for (; lack && lack->need; lack++)
            if (lack->need == need) {
                fprintf(stream, "%s %s%s%s%s", any ? " or" : ", but not", lack->with ? "with " : "",
                        lack->with ? lack->with : "", lack->with && *where ? " " : "", where);
                any = true;
            }
    }
    fputs(" |", stream);
}

// Elements with their settings, and the laws that devices support with them.
static void write_device(FILE *stream) {
    int count;
    const carom_device_row *rows = carom_device_rows(&count);
    const carom_catalogue *laws = carom_materials();
    fputs("\n### What a device has\n\nForces are found by a device (`--device`) for these elements and materials, with "
          "`point-mass`, `rigid` and obstacles, which need none.\n\n| |",
          stream);
    for (int l = 0; l < laws->count; l++)
        fprintf(stream, " `%s` |", laws->kinds[l]->name);
    fputs("\n|---|", stream);
    for (int l = 0; l < laws->count; l++)
        fputs("---|", stream);
    for (int r = 0; r < count; r++) {
        fprintf(stream, "\n| `%s`", rows[r].elements[0]->kind.name);
        if (rows[r].with)
            fprintf(stream, " with `%s`", rows[r].with);
        fputs(" |", stream);
        for (int l = 0; l < laws->count; l++)
            fputs(carom_device_row_has(&rows[r], (const carom_material *)laws->kinds[l]) ? " yes |" : " no |", stream);
    }
    fputc('\n', stream);
}

// Methods and what models may need, then what runs them. Refusals read the same tables.
static void write_matrix(FILE *stream) {
    static const char *const shares[] = {"no", "parts of the model", "the solver"};
    const carom_catalogue *all[] = {carom_integrators(), carom_analyses()};
    const carom_integrator *methods[2 * CAROM_CATALOGUE_MAX];
    int count = 0;
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < all[a]->count; k++)
            methods[count++] = (const carom_integrator *)all[a]->kinds[k];
    fputs("\n### What the methods have\n\nA scene that needs more is refused, with the names of the methods that support "
          "it.\n\n| |",
          stream);
    for (int m = 0; m < count; m++)
        fprintf(stream, " `%s` |", methods[m]->kind.name);
    fputs("\n|---|", stream);
    for (int m = 0; m < count; m++)
        fputs("---|", stream);
    for (int need = CAROM_NEED_NONE + 1; need < CAROM_NEED_COUNT; need++) {
        fprintf(stream, "\n| %s |", carom_need_name((carom_need)need));
        for (int m = 0; m < count; m++)
            write_cell(methods[m], (carom_need)need, stream);
    }
    fputs("\n| several processes share |", stream);
    for (int m = 0; m < count; m++)
        fprintf(stream, " %s |", shares[methods[m]->sharing]);
    fputs("\n| a device |", stream);
    for (int m = 0; m < count; m++)
        fputs(methods[m]->device ? " yes |" : " no |", stream);
    fputc('\n', stream);
}

// A section for each kind of a catalogue, with its source and its parameters.
static void write_kinds(const carom_key *key, const char *path, FILE *stream) {
    const carom_catalogue *catalogue = key->catalogue();
    for (int k = 0; k < catalogue->count; k++) {
        const carom_kind *kind = catalogue->kinds[k];
        fprintf(stream, "\n### `%s: %s`\n\n%s\n", path, kind->name, kind->summary);
        // methods cite their paper
        if (kind->reference && kind->reference[0])
            fprintf(stream, "After: %s\n", kind->reference);
        fputc('\n', stream);
        carom_key keys[CAROM_KEYS_MAX];
        write_table(keys, carom_kind_expand(kind, keys), stream);
    }
    if (catalogue == carom_integrators()) {
        write_matrix(stream);
        write_device(stream);
    }
}

// The section of `expect`: the syntax of conditions, and the table of results.
static void write_gates(const carom_key *key, FILE *stream) {
    carom_key keys[CAROM_KEYS_MAX];
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    fprintf(
        stream,
        "\n## `%s`\n\n%s\n\n"
        "A condition is a text: `\"< x\"`, `\"<= x\"`, `\"> x\"`, `\">= x\"`, `\"== x\"`, `\"a .. b\"` (ends included), or a "
        "number alone (equal).\n"
        "A result that does not exist, such as the time of a contact that never happened, meets no condition.\n\n"
        "In place of the condition, a map states it as `gate`, with the value that theory or a publication gives and its "
        "source:\n`last_contact: {gate: \"19.7 .. 20.3\", exact: 20, source: \"two transits of the wave, 2 L / c\"}`. "
        "`carom verify` and `summary.json` "
        "report them, and the [verification manual](../verification.md) is made of them.\n\n",
        key->name, key->doc);
    write_table(keys, carom_keys_expand(key->keys, keys), stream);
    fputs("\n| Result | Meaning |\n|---|---|\n", stream);
    for (int i = 0; i < count; i++)
        fprintf(stream, "| `%s` | %s |\n", quantities[i].name, quantities[i].doc);
    // pairs and columns of probes have names that depend on the scene
    int pair_count;
    const carom_pair_quantity *pairs = carom_pair_quantities(&pair_count);
    for (int i = 0; i < pair_count; i++)
        fprintf(stream, "| `A-B.%s` | %s |\n", pairs[i].name, pairs[i].doc);
    int cell_count;
    const carom_cell_quantity *cells = carom_cell_quantities(&cell_count);
    for (int i = 0; i < cell_count; i++)
        fprintf(stream, "| `OBSTACLE.%s` | %s |\n", cells[i].name, cells[i].doc);
    fputs("| `PROBE.COLUMN` | The last value of a column of `probes.csv`, such as `left_tip.vx`. |\n", stream);
    fputs("| `PROBE.max_filtered_acceleration` | The largest filtered acceleration of a probe with a `filter` that records "
          "`acceleration`; `max_filtered_force` for `force`. |\n",
          stream);
    fputs("| `BODY.max_von_mises` | The same of one body; also `max_principal`, `min_principal` and `max_strain`. |\n", stream);
    fputs("\nA and B are the names of two bodies, or of a body and a plane, in any order, as in `part-floor.peak_force`. Of an "
          "array of bodies `NAME_7` is one, and `NAME` means all of them: the largest force, the first contact, the sum of "
          "the impulses.\n",
          stream);
}

static void write_section(const carom_key *table, const char *path, FILE *stream);

// The heading and content of a map or list.
static void write_part(const carom_key *key, const char *path, FILE *stream) {
    fprintf(stream, "\n## `%s`\n\n%s\n", path, key->doc);
    // alternatives are a property of the list, not of a single key
    if (key->exactly_one) {
        fputs("Each has exactly one of ", stream);
        write_names(key->exactly_one, stream);
        fputs(".\n", stream);
    }
    fputc('\n', stream);
    write_section(key->keys, path, stream);
}

// The table of a map, then the sections of the maps and lists within it, depth first.
static void write_section(const carom_key *table, const char *path, FILE *stream) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(table, keys);
    write_table(keys, count, stream);
    for (int i = 0; i < count; i++) {
        char inner[256];
        // the path as messages show it: bodies[].mesh
        snprintf(inner, sizeof inner, "%s%s%s%s", path, *path ? "." : "", keys[i].name,
                 keys[i].shape == CAROM_KEY_LIST ? "[]" : "");
        if (keys[i].shape == CAROM_KEY_PICK && !keys[i].described)
            write_kinds(&keys[i], inner, stream);
        if (keys[i].shape == CAROM_KEY_GATES)
            write_gates(&keys[i], stream);
        if (keys[i].shape != CAROM_KEY_MAP && keys[i].shape != CAROM_KEY_LIST)
            continue;
        write_part(&keys[i], inner, stream);
        if (!keys[i].as_list)
            continue;
        snprintf(inner, sizeof inner, "%s%s%s[]", path, *path ? "." : "", keys[i].name);
        write_part(keys[i].as_list, inner, stream);
    }
}

// The output is docs/manual/scene.md; a test compares both.
static void write_manual(FILE *stream) {
    carom_numerals numerals = carom_numerals_enter();
    fputs(introduction, stream);
    fputs("\n## The keys\n\n", stream);
    write_section(carom_schema(), "", stream);
    carom_numerals_leave(numerals);
}

enum { WIDTH = 128 };

// Breaks long lines at blanks; rows of tables stay as they are.
static void wrap(char *text) {
    for (char *line = text; line && *line;) {
        char *end = line + strcspn(line, "\n"), *blank = NULL;
        for (char *c = line; *line != '|' && end - line > WIDTH && c <= line + WIDTH; c++)
            blank = *c == ' ' ? c : blank;
        if (blank)
            *blank = '\n';
        line = blank ? blank + 1 : *end ? end + 1 : end;
    }
}

char *carom_scene_manual(void) {
    carom_stream stream;
    carom_stream_open(&stream);
    if (stream.file)
        write_manual(stream.file);
    char *text = carom_stream_close(&stream);
    if (text)
        wrap(text);
    return text;
}
