// SPDX-License-Identifier: MIT
// Writes the scene of a deck as YAML: every restraint and load with the line of the deck that it comes from, and at the end all
// that was not converted.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scene/import/deck.h"

// Nodes of a body that a row of the deck names.
typedef struct choice {
    char where[CAROM_DECK_NAME + 32]; // ", set: name", or ", node: 7", or nothing
    int count;                        // of nodes; 0: none of this body
} choice;

const char *carom_deck_without_instance(const carom_deck *deck, const char *target) {
    const char *dot = strchr(target, '.');
    for (int64_t i = 0; dot && !carom_deck_has_several(deck) && i < deck->instance_count; i++)
        if (strncasecmp(deck->instances[i].name, target, (size_t)(dot - target)) == 0 && !deck->instances[i].name[dot - target])
            return dot + 1;
    return target;
}

// The members of a set, `count` of them.
static void take_set(choice *found, const char *name, int count) {
    carom_text text = {0};
    carom_json_string(&text, name);
    snprintf(found->where, sizeof found->where, ", set: %s", text.data ? text.data : "\"\"");
    found->count = count;
    carom_text_release(&text);
}

static choice choose_nodes(const carom_deck *deck, const carom_deck_body *body, const char *target) {
    choice found = {.count = *target ? 0 : body->mesh.node_count};
    const char *name = carom_deck_without_instance(deck, target);
    const carom_node_set *set =
        found.count ? NULL : carom_deck_find_set(body->mesh.sets, body->mesh.set_count, sizeof *set, name);
    if (set)
        take_set(&found, set->name, set->count);
    char *end;
    long long number = strtoll(name, &end, 10);
    for (int k = 0; *name && !*end && k < body->mesh.node_count && !found.count; k++)
        if (carom_mesh_node_id(&body->mesh, k) == number) {
            found.count = 1;
            snprintf(found.where, sizeof found.where, ", node: %lld", number);
        }
    return found;
}

// Cells of a body that a row names: all of them, or the nodes of a cell set.
static choice choose_cells(const carom_deck *deck, const carom_deck_body *body, const char *target) {
    const char *name = carom_deck_without_instance(deck, target);
    choice found = {.count = !*name || strcasecmp(body->group, target) == 0 || strcasecmp(body->group, name) == 0};
    const carom_cell_set *set =
        found.count ? NULL : carom_deck_find_set(body->mesh.cell_sets, body->mesh.cell_set_count, sizeof *set, name);
    if (set && set->count < body->mesh.blocks[0].count)
        take_set(&found, set->name, 1);
    found.count = set ? 1 : found.count;
    return found;
}

static choice choose_faces(const carom_deck *deck, const carom_deck_body *body, const char *target) {
    choice found = {0};
    const char *name = carom_deck_without_instance(deck, target);
    const carom_face_set *set = carom_deck_find_set(body->mesh.face_sets, body->mesh.face_set_count, sizeof *set, name);
    if (set)
        take_set(&found, set->name, set->count);
    return found;
}

// Prints the fewest digits that restore the number.
static void print_real(carom_text *text, const char *before, double value) {
    char digits[40];
    for (int count = 6; count <= 17; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    carom_text_print(text, "%s%s", before, digits);
}

static void print_vector(carom_text *text, const char *key, const double v[3]) {
    carom_text_print(text, ", %s: [", key);
    for (int i = 0; i < 3; i++)
        print_real(text, i ? ", " : "", v[i]);
    carom_text_print(text, "]");
}

// An amplitude as a history of factors; one that the deck does not define is reported as missing.
static void print_history(carom_deck *deck, carom_text *text, const carom_deck_row *row) {
    if (!*row->amplitude)
        return;
    for (int64_t a = 0; a < deck->amplitude_count; a++) {
        const carom_deck_amplitude *amplitude = &deck->amplitudes[a];
        if (strcasecmp(amplitude->name, row->amplitude) != 0 || amplitude->count == 0)
            continue;
        carom_text_print(text, ", history: [");
        for (int i = 0; i < amplitude->count; i++) {
            print_real(text, i ? ", [" : "[", amplitude->rows[i][0]);
            print_real(text, ", ", amplitude->rows[i][1]);
            carom_text_print(text, "]");
        }
        carom_text_print(text, "]");
        return;
    }
    carom_deck_note(deck, row->place, "amplitude '%s' is not taken over; the value is constant", row->amplitude);
}

static void axis_vector(const carom_deck_row *row, double value, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = row->axes >> i & 1 ? value : 0;
}

static void print_axes(carom_text *text, unsigned axes) {
    carom_text_print(text, ", fix: %s%s%s", axes & 1 ? "x" : "", axes & 2 ? "y" : "", axes & 4 ? "z" : "");
}

static void note_missing_target(carom_deck *deck, const carom_deck_row *row, bool found) {
    if (!found)
        carom_deck_note(deck, row->place, "not taken over: no body has a set or a single node '%s' to hold, move or load",
                        row->target);
}

// Axes of one target that several lines block are one restraint.
static void write_fixed(carom_deck *deck, carom_text *text, int64_t r) {
    carom_deck_row *row = &deck->rows[r];
    unsigned axes = row->axes;
    for (int64_t later = r + 1; later < deck->row_count; later++) {
        carom_deck_row *other = &deck->rows[later];
        if (other->kind != CAROM_DECK_FIX || strcasecmp(other->target, row->target) != 0)
            continue;
        axes |= other->axes;
        other->axes = 0;
    }
    bool found = false;
    for (int64_t b = 0; b < deck->body_count && axes; b++) {
        choice nodes = choose_nodes(deck, &deck->bodies[b], row->target);
        if (!nodes.count)
            continue;
        found = true;
        carom_text_print(text, "  - {body: %s%s", deck->bodies[b].name, nodes.where);
        print_axes(text, axes);
        carom_text_print(text, "}  # line %lld\n", (long long)row->place.line);
    }
    if (axes)
        note_missing_target(deck, row, found);
}

static void write_driven(carom_deck *deck, carom_text *text, const carom_deck_row *row) {
    bool moved = row->kind == CAROM_DECK_DISPLACE, found = false;
    if (moved && *row->amplitude && !deck->is_static) {
        carom_deck_note(deck, row->place, "a displacement with an amplitude is not taken over; give `velocities` instead");
        return;
    }
    // In a static analysis time is the load factor, so that `velocity` is the displacement at the end. In a dynamic one the
    // displacement is imposed at constant velocity over the step.
    double v[3], end = deck->period > 0 ? deck->period : 1;
    axis_vector(row, moved && !deck->is_static ? row->value / end : row->value, v);
    for (int64_t b = 0; b < deck->body_count; b++) {
        choice nodes = choose_nodes(deck, &deck->bodies[b], row->target);
        if (!nodes.count)
            continue;
        found = true;
        carom_text_print(text, "  - {body: %s%s", deck->bodies[b].name, nodes.where);
        print_axes(text, row->axes);
        print_vector(text, "velocity", v);
        if (!moved)
            print_history(deck, text, row);
        carom_text_print(text, "}  # line %lld%s\n", (long long)row->place.line,
                         moved && !deck->is_static ? ", a displacement spread evenly over the run" : "");
    }
    note_missing_target(deck, row, found);
}

// A list that is left out if it is empty.
static void print_list(carom_text *text, const char *key, carom_text *list) {
    if (list->size)
        carom_text_print(text, "%s:\n%s", key, list->data ? list->data : "");
    text->failed = text->failed || list->failed;
    carom_text_release(list);
}

static void write_restraints(carom_deck *deck, carom_text *text) {
    carom_text list = {0};
    for (int64_t r = 0; r < deck->row_count; r++) {
        if (deck->rows[r].kind == CAROM_DECK_FIX)
            write_fixed(deck, &list, r);
        if (deck->rows[r].kind == CAROM_DECK_DISPLACE || deck->rows[r].kind == CAROM_DECK_DRIVE)
            write_driven(deck, &list, &deck->rows[r]);
    }
    print_list(text, "restraints", &list);
}

// True if a row of gravity acts on all elements of all bodies and is written as the key `gravity`; other rows become loads.
static bool is_general(const carom_deck *deck, const carom_deck_row *row) {
    bool all = row->kind == CAROM_DECK_GRAVITY && !*row->amplitude && !deck->is_static;
    for (int64_t b = 0; all && b < deck->body_count; b++) {
        choice cells = choose_cells(deck, &deck->bodies[b], row->target);
        all = cells.count && !*cells.where;
    }
    return all;
}

// Gravity on a set of elements becomes gravity on the nodes of the set. False if an earlier row has written it for the whole
// body.
static bool spread_gravity(carom_deck *deck, const carom_deck_body *body, const carom_deck_row *row, choice *where) {
    bool first;
    if (carom_deck_gravity_is_whole(deck, body, row, &first)) {
        where->where[0] = 0;
        return first;
    }
    carom_deck_note(deck, row->place,
                    "gravity on a part of body '%s' acts on the nodes of '%s', with the mass that other elements give them",
                    body->name, row->target);
    return true;
}

static void write_load(carom_deck *deck, carom_text *text, const carom_deck_row *row) {
    bool found = false;
    for (int64_t b = 0; b < deck->body_count; b++) {
        const carom_deck_body *body = &deck->bodies[b];
        choice where = row->kind == CAROM_DECK_FORCE     ? choose_nodes(deck, body, row->target)
                       : row->kind == CAROM_DECK_GRAVITY ? choose_cells(deck, body, row->target)
                                                         : choose_faces(deck, body, row->target);
        if (!where.count)
            continue;
        found = true;
        if (row->kind == CAROM_DECK_GRAVITY && *where.where && !spread_gravity(deck, body, row, &where))
            continue;
        double v[3];
        carom_text_print(text, "  - {body: %s%s", body->name, where.where);
        if (row->kind == CAROM_DECK_FORCE) {
            axis_vector(row, row->value * where.count, v);
            print_vector(text, "force", v);
        } else if (row->kind == CAROM_DECK_GRAVITY) {
            for (int i = 0; i < 3; i++)
                v[i] = row->value * row->direction[i];
            print_vector(text, "acceleration", v);
        } else {
            print_real(text, ", pressure: ", row->value);
        }
        print_history(deck, text, row);
        carom_text_print(text, "}  # line %lld", (long long)row->place.line);
        if (row->kind == CAROM_DECK_FORCE && where.count > 1)
            carom_text_print(text, ": %g on each of %d nodes", row->value, where.count);
        carom_text_print(text, "\n");
    }
    note_missing_target(deck, row, found);
}

static void write_loads(carom_deck *deck, carom_text *text) {
    carom_text list = {0};
    double gravity[3] = {0, 0, 0};
    bool general = false;
    for (int64_t r = 0; r < deck->row_count; r++) {
        const carom_deck_row *row = &deck->rows[r];
        if (row->kind < CAROM_DECK_FORCE)
            continue;
        if (is_general(deck, row)) {
            general = true;
            for (int i = 0; i < 3; i++)
                gravity[i] += row->value * row->direction[i];
        } else {
            write_load(deck, &list, row);
        }
    }
    if (general) {
        carom_text line = {0};
        print_vector(&line, "gravity", gravity);
        carom_text_print(text, "%s\n", line.data ? line.data + 2 : "");
        carom_text_release(&line);
    }
    print_list(text, "loads", &list);
}

// Velocities of all nodes of a body are one of the body; carom has no others.
static void write_velocity(carom_deck *deck, carom_text *text, const carom_deck_body *body) {
    double v[3] = {0, 0, 0};
    bool any = false;
    for (int64_t r = 0; r < deck->row_count; r++) {
        const carom_deck_row *row = &deck->rows[r];
        if (row->kind != CAROM_DECK_START)
            continue;
        choice nodes = choose_nodes(deck, body, row->target);
        if (!nodes.count)
            continue;
        if (nodes.count < body->mesh.node_count) {
            carom_deck_note(deck, row->place,
                            "the velocity of '%s' is that of a part of body '%s': carom gives one to whole bodies", row->target,
                            body->name);
            continue;
        }
        any = true;
        for (int i = 0; i < 3; i++)
            v[i] = row->axes >> i & 1 ? row->value : v[i];
    }
    if (!any)
        return;
    carom_text line = {0};
    print_vector(&line, "velocity", v);
    carom_text_print(text, "    %s\n", line.data ? line.data + 2 : "");
    carom_text_release(&line);
}

static void write_material(carom_text *text, const char *law, const carom_deck_material *material) {
    carom_text_print(text, "{%s: {", law);
    print_real(text, "young: ", material->young);
    print_real(text, ", poisson: ", material->poisson);
    print_real(text, ", density: ", material->density);
    carom_text_print(text, "}}");
}

static void write_yield(carom_text *text, const carom_deck_material *material) {
    if (material->plastic)
        carom_text_print(text, "    # *PLASTIC: the deck yields at %g; here '%.60s' stays elastic\n", material->yield,
                         material->name);
}

// One material, or one for each section of the body.
static void write_materials(carom_text *text, const char *law, const carom_deck_body *body) {
    bool same = true;
    for (int i = 0; i < body->share_count; i++)
        same = same && body->shares[i].material == body->material;
    if (same) {
        carom_text_print(text, "    material: ");
        write_material(text, law, body->material);
        carom_text_print(text, "  # %.60s, line %lld\n", body->material->name, (long long)body->material->place.line);
        write_yield(text, body->material);
        return;
    }
    carom_text_print(text, "    materials:  # the sections of this part share nodes\n");
    for (int i = 0; i < body->share_count; i++) {
        const carom_deck_share *share = &body->shares[i];
        carom_text_print(text, "      - {set: ");
        carom_json_string(text, share->set);
        carom_text_print(text, ", material: ");
        write_material(text, law, share->material);
        carom_text_print(text, "}  # %.60s, line %lld\n", share->material->name, (long long)share->material->place.line);
    }
    for (int i = 0; i < body->share_count; i++)
        write_yield(text, body->shares[i].material);
}

static void write_bodies(carom_deck *deck, const char *mesh_path, carom_text *text) {
    // Small displacements only where the deck sets them; rotations need the nonlinear law.
    const char *law = deck->is_static && !deck->nonlinear ? "linear" : "st-venant-kirchhoff";
    carom_text_print(text, "bodies:\n");
    for (int64_t b = 0; b < deck->body_count; b++) {
        const carom_deck_body *body = &deck->bodies[b];
        carom_text_print(text, "  - name: %s\n    mesh: {file: {path: ", body->name);
        carom_json_string(text, mesh_path);
        if (*body->group) {
            carom_text_print(text, ", group: ");
            carom_json_string(text, body->group);
        }
        bool bends = strcmp(body->element, "tet4") == 0 && body->share_count == 0;
        carom_text_print(text, "}}\n    element: %s%s\n", body->element,
                         bends ? "  # `nodal` bends more easily with few elements" : "");
        write_materials(text, law, body);
        write_velocity(deck, text, body);
    }
}

// Densities of metals and plastics indicate the probable units of a deck.
static void write_head(const carom_deck *deck, carom_text *text) {
    double density = deck->bodies[0].material->density;
    const char *guess = density > 300 && density < 3e4      ? " Its densities are probably in kg, m, s (N, Pa)."
                        : density > 3e-10 && density < 3e-8 ? " Its densities are probably in t, mm, s (N, MPa)."
                        : density > 3e-7 && density < 3e-5  ? " Its densities are probably in kg, mm, ms (kN, GPa)."
                                                            : "";
    carom_text_print(text,
                     "# Made by `carom import` from %.200s; yours to edit. Meshes are read from the deck.\n"
                     "# Units are those of the deck, which carom uses unchanged: they must be consistent.%s\n",
                     deck->files[0], guess);
    if (*deck->title) {
        carom_text_print(text, "title: ");
        carom_json_string(text, deck->title);
        carom_text_print(text, "\n");
    }
    if (deck->is_static) {
        carom_text_print(text, "analysis: {static: {steps: 10, linear: %s}}\n", deck->nonlinear ? "false" : "true");
        return;
    }
    print_real(text, "integrator: newmark-dcr\ntime: {end: ", deck->period > 0 ? deck->period : 1);
    carom_text_print(text, ", step: auto}%s\n", deck->period > 0 ? "" : "  # the deck gives no time: choose the end");
}

// Bodies that touch at the start are refused unless they may pass through each other.
static void write_pairs(carom_deck *deck, carom_text *text) {
    bool any = false;
    for (int64_t a = 0; a < deck->body_count; a++)
        for (int64_t b = a + 1; b < deck->body_count; b++) {
            if (!carom_deck_touch(deck, &deck->bodies[a], &deck->bodies[b]))
                continue;
            if (!any)
                carom_text_print(text,
                                 "  pairs:  # these have nodes at the same places; leave a gap (place.translate) and remove\n");
            any = true;
            carom_text_print(text, "    - {bodies: [%s, %s], touch: false}\n", deck->bodies[a].name, deck->bodies[b].name);
            carom_deck_note(
                deck, deck->sections[deck->bodies[b].section].place,
                "bodies '%s' and '%s' touch at the start: their contact is disabled and they are not tied (use `tied`)",
                deck->bodies[a].name, deck->bodies[b].name);
        }
}

static void write_contact(carom_deck *deck, carom_text *text) {
    if (deck->is_static && (deck->has_contact || deck->has_friction))
        carom_text_print(text, "contact: false  # the deck has contact, which a static analysis of carom has not\n");
    else if (deck->has_contact || deck->has_friction) {
        carom_text_print(text, "contact:  # of all surfaces of all bodies; `pairs` makes exceptions\n  restitution: 0\n");
        print_real(text, "  friction: ", deck->friction);
        carom_text_print(text, "\n");
        write_pairs(deck, text);
    } else if (!deck->is_static) {
        carom_text_print(text, "contact: false  # the deck has none; remove this line and bodies touch\n");
    }
}

bool carom_deck_write(carom_deck *deck, const char *mesh_path, carom_text *text) {
    write_head(deck, text);
    write_bodies(deck, mesh_path, text);
    write_restraints(deck, text);
    write_loads(deck, text);
    write_contact(deck, text);
    if (deck->remarks.size)
        carom_text_print(text, "\n# Not taken over from the deck:\n%s", deck->remarks.data ? deck->remarks.data : "");
    return true;
}
