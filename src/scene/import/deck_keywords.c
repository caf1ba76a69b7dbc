// SPDX-License-Identifier: MIT
// Converts keywords of a deck with their data lines.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scene/import/deck.h"
#include "scene/read/words.h"

static void copy_words(char *to, carom_words from) {
    size_t size = from.size < CAROM_DECK_NAME ? from.size : CAROM_DECK_NAME - 1;
    memcpy(to, from.text, size);
    to[size] = 0;
}

static void copy_parameter(char *to, const carom_inp_keyword *k, const char *key) {
    const carom_words *value = carom_inp_parameter(k, key);
    copy_words(to, value ? *value : (carom_words){"", 0});
}

static carom_deck_place place_of(carom_deck *deck, const carom_inp_keyword *k) {
    return (carom_deck_place){deck->file, carom_scan_line(deck->scan, k->place)};
}

// The next field of a data line as text.
static carom_words read_field(carom_scan *scan) {
    carom_words field = carom_inp_read_word(scan);
    carom_scan_accept(scan, ",");
    return field;
}

// Up to `count` numbers of a line; empty fields and those left out are zero. Returns how many there are, -1 after a failure.
static int read_numbers(carom_deck *deck, const char *what, double *values, int count) {
    carom_scan *scan = deck->scan;
    int found = 0;
    for (int i = 0; i < count; i++)
        values[i] = 0;
    while (found < count && !carom_inp_at_end_of_line(scan)) {
        if ((*scan->at != ',' && !carom_scan_number(scan, what, &values[found])) || !carom_inp_end_field(scan))
            return -1;
        found++;
    }
    return found;
}

static carom_deck_material *current(carom_deck *deck) {
    return deck->material < 0 ? NULL : &deck->materials[deck->material];
}

static bool take_material(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_material material = {.place = place_of(deck, k)};
    copy_parameter(material.name, k, "NAME");
    if (!*material.name)
        return carom_scan_fail(deck->scan, k->place, "expected NAME= after *MATERIAL");
    deck->material = (int)deck->material_count;
    return carom_deck_add(deck, (void **)&deck->materials, &deck->material_count, &deck->material_capacity, &material,
                          sizeof material);
}

static bool take_elastic(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_material *material = current(deck);
    const carom_words *type = carom_inp_parameter(k, "TYPE");
    if (!material)
        return carom_scan_fail(deck->scan, k->place, "expected *MATERIAL before *ELASTIC");
    if (type && !carom_scan_same(*type, "ISOTROPIC") && !carom_scan_same(*type, "ISO"))
        return carom_scan_fail(deck->scan, k->place, "material '%s' is not isotropic; carom has isotropic laws alone",
                               material->name);
    double row[2];
    int rows = 0;
    for (; carom_inp_data_line(deck->scan); rows++) {
        const unsigned char *start = deck->scan->at;
        int found = read_numbers(deck, rows ? "a number" : "Young's modulus", row, 2);
        if (found < 0)
            return false;
        if (rows == 0 && !(row[0] > 0))
            return carom_scan_fail(deck->scan, start, "expected Young's modulus above 0, found %g", row[0]);
        if (rows == 0 && !(row[1] > -1 && row[1] < 0.5))
            return carom_scan_fail(deck->scan, start, "expected Poisson's ratio between -1 and 0.5, found %g", row[1]);
        if (rows == 0)
            material->young = row[0], material->poisson = row[1];
        carom_scan_next_line(deck->scan);
    }
    if (rows == 0)
        return carom_scan_fail(deck->scan, k->place, "expected Young's modulus and Poisson's ratio below *ELASTIC");
    if (rows > 1)
        carom_deck_note(deck, place_of(deck, k), "*ELASTIC of '%s' depends on temperature; its first row is taken",
                        material->name);
    return true;
}

static bool take_density(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_material *material = current(deck);
    double density;
    if (!material)
        return carom_scan_fail(deck->scan, k->place, "expected *MATERIAL before *DENSITY");
    if (!carom_inp_data_line(deck->scan))
        return carom_scan_expected(deck->scan, "a density");
    const unsigned char *start = deck->scan->at;
    if (read_numbers(deck, "a density", &density, 1) < 0)
        return false;
    if (!(density > 0))
        return carom_scan_fail(deck->scan, start, "expected a density above 0, found %g", density);
    material->density = density;
    return true;
}

// The law of the body is elastic; the yield stress is written as a comment.
static bool take_plastic(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_material *material = current(deck);
    if (!material)
        return carom_scan_fail(deck->scan, k->place, "expected *MATERIAL before *PLASTIC");
    if (carom_inp_data_line(deck->scan) && read_numbers(deck, "a yield stress", &material->yield, 1) < 0)
        return false;
    material->plastic = true;
    carom_deck_note(deck, place_of(deck, k), "*PLASTIC of '%s' is not taken over: %s; it yields at %g", material->name,
                    carom_word_answer("plastic"), material->yield);
    return true;
}

// *SOLID SECTION, *SHELL SECTION, *MEMBRANE SECTION: the first number below is a thickness or an area.
static bool take_section(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_section section = {.place = place_of(deck, k)};
    copy_parameter(section.elset, k, "ELSET");
    copy_parameter(section.material, k, "MATERIAL");
    memcpy(section.part, deck->part, sizeof section.part);
    if (!*section.elset || !*section.material)
        return carom_scan_fail(deck->scan, k->place, "expected %s= after *%.*s", *section.elset ? "MATERIAL" : "ELSET",
                               (int)k->name.size, k->name.text);
    if (carom_inp_data_line(deck->scan) && read_numbers(deck, "a thickness or an area", &section.size, 1) < 0)
        return false;
    return carom_deck_add(deck, (void **)&deck->sections, &deck->section_count, &deck->section_capacity, &section,
                          sizeof section);
}

static bool take_element(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_type type = {0};
    const carom_words *name = carom_inp_parameter(k, "TYPE");
    memcpy(type.part, deck->part, sizeof type.part);
    if (name)
        carom_inp_capitals(*name, type.name, sizeof type.name);
    return carom_deck_add(deck, (void **)&deck->types, &deck->type_count, &deck->type_capacity, &type, sizeof type);
}

static bool take_instance(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_instance instance = {0};
    copy_parameter(instance.name, k, "NAME");
    copy_parameter(instance.part, k, "PART");
    if (!*instance.part)
        memcpy(instance.part, instance.name, sizeof instance.part);
    // Nodes and sections within the instance belong to a part of its own name.
    memcpy(deck->part, instance.part, sizeof deck->part);
    return carom_deck_add(deck, (void **)&deck->instances, &deck->instance_count, &deck->instance_capacity, &instance,
                          sizeof instance);
}

// Reads times and factors: up to four pairs on a line, and a pair may be divided between two lines.
static bool take_amplitude(carom_deck *deck, const carom_inp_keyword *k) {
    carom_deck_amplitude amplitude = {0};
    const carom_words *definition = carom_inp_parameter(k, "DEFINITION");
    copy_parameter(amplitude.name, k, "NAME");
    if (definition && !carom_scan_same(*definition, "TABULAR")) {
        carom_deck_note(deck, place_of(deck, k), "*AMPLITUDE '%s' is no table and not taken over; its loads are constant",
                        amplitude.name);
        return true;
    }
    int64_t capacity = 0, count = 0;
    bool half = false, good = true;
    double row[2];
    while (good && carom_inp_data_line(deck->scan)) {
        double values[8];
        int found = read_numbers(deck, "a time or a factor", values, 8);
        good = found >= 0;
        for (int i = 0; good && i < found && count < CAROM_DECK_ROWS; i++) {
            row[half] = values[i];
            if (half)
                good = carom_deck_add(deck, (void **)&amplitude.rows, &count, &capacity, row, sizeof row);
            half = !half;
        }
        if (good)
            carom_scan_next_line(deck->scan);
    }
    amplitude.count = (int)count;
    good = good && carom_deck_add(deck, (void **)&deck->amplitudes, &deck->amplitude_count, &deck->amplitude_capacity,
                                  &amplitude, sizeof amplitude);
    if (!good)
        free(amplitude.rows);
    return good;
}

static bool add_row(carom_deck *deck, const carom_deck_row *row) {
    return carom_deck_add(deck, (void **)&deck->rows, &deck->row_count, &deck->row_capacity, row, sizeof *row);
}

// Loads of a second step would act at another time; the scene has one.
static bool is_later(carom_deck *deck, const carom_inp_keyword *k) {
    if (deck->step < 2)
        return false;
    carom_deck_note(deck, place_of(deck, k), "*%.*s of step %d is not taken over: a scene is one step", (int)k->name.size,
                    k->name.text, deck->step);
    return true;
}

// The axes along which ENCASTRE and similar words block displacements, as bits.
static unsigned axes_of_word(carom_words word) {
    static const struct {
        const char *word;
        unsigned axes;
    } words[] = {{"ENCASTRE", 7}, {"PINNED", 7}, {"XSYMM", 1},  {"YSYMM", 2},
                 {"ZSYMM", 4},    {"XASYMM", 6}, {"YASYMM", 5}, {"ZASYMM", 3}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (carom_scan_same(word, words[i].word))
            return words[i].axes;
    return 0;
}

// set, first, last, value; or set, ENCASTRE.
static bool take_boundary_row(carom_deck *deck, carom_deck_row row) {
    carom_scan *scan = deck->scan;
    row.place = carom_deck_here(deck);
    copy_words(row.target, read_field(scan));
    if (carom_inp_at_end_of_line(scan))
        return carom_scan_expected(scan, "a degree of freedom or ENCASTRE");
    if (!carom_inp_is_number(scan)) {
        const unsigned char *start = scan->at;
        carom_words word = read_field(scan);
        row.axes = axes_of_word(word);
        row.kind = CAROM_DECK_FIX;
        return row.axes
                   ? add_row(deck, &row)
                   : carom_scan_fail(scan, start, "expected a degree of freedom or ENCASTRE, PINNED, XSYMM, ..., found '%.*s'",
                                     word.size > 40 ? 40 : (int)word.size, word.text);
    }
    double numbers[3];
    const unsigned char *start = scan->at;
    int found = read_numbers(deck, "a degree of freedom", numbers, 3);
    if (found < 0)
        return false;
    double first = numbers[0], last = found > 1 && numbers[1] > 0 ? numbers[1] : first;
    if (!(first >= 1 && last <= 11 && last >= first))
        return carom_scan_fail(scan, start, "expected degrees of freedom from 1 to 6, found %g to %g", first, last);
    for (int axis = 1; axis <= 3; axis++)
        row.axes |= first <= axis && axis <= last ? 1u << (axis - 1) : 0;
    row.value = found > 2 ? numbers[2] : 0;
    if (last > 3)
        carom_deck_note(deck, row.place, "*BOUNDARY of '%s': degrees of freedom above 3 do not exist here", row.target);
    if (row.value == 0)
        row.kind = CAROM_DECK_FIX;
    return !row.axes || add_row(deck, &row);
}

static bool take_boundary(carom_deck *deck, const carom_inp_keyword *k) {
    const carom_words *type = carom_inp_parameter(k, "TYPE");
    if (is_later(deck, k))
        return true;
    carom_deck_row row = {.kind = type && carom_scan_same(*type, "VELOCITY") ? CAROM_DECK_DRIVE : CAROM_DECK_DISPLACE};
    if (type && carom_scan_same(*type, "ACCELERATION")) {
        carom_deck_note(deck, place_of(deck, k), "*BOUNDARY, TYPE=ACCELERATION is not taken over");
        return true;
    }
    copy_parameter(row.amplitude, k, "AMPLITUDE");
    for (; carom_inp_data_line(deck->scan); carom_scan_next_line(deck->scan))
        if (!take_boundary_row(deck, row))
            return false;
    return true;
}

// set, degree of freedom, value
static bool take_nodal(carom_deck *deck, const carom_inp_keyword *k, carom_deck_kind kind) {
    carom_deck_row row = {.kind = kind};
    copy_parameter(row.amplitude, k, "AMPLITUDE");
    for (; carom_inp_data_line(deck->scan); carom_scan_next_line(deck->scan)) {
        double numbers[2];
        row.place = carom_deck_here(deck);
        copy_words(row.target, read_field(deck->scan));
        const unsigned char *start = deck->scan->at;
        int found = read_numbers(deck, "a degree of freedom", numbers, 2);
        if (found < 0)
            return false;
        if (found < 2 || !(numbers[0] >= 1 && numbers[0] <= 6))
            return carom_scan_fail(deck->scan, start, "expected a degree of freedom from 1 to 6 and a value");
        if (numbers[0] > 3)
            carom_deck_note(deck, row.place, "a moment or spin about axis %g of '%s' is not taken over", numbers[0] - 3,
                            row.target);
        row.axes = numbers[0] <= 3 ? 1u << ((int)numbers[0] - 1) : 0;
        row.value = numbers[1];
        if (row.axes && row.value != 0 && !add_row(deck, &row))
            return false;
    }
    return true;
}

// set, label, value, direction: GRAV of elements, P of a surface.
static bool take_distributed(carom_deck *deck, const carom_inp_keyword *k) {
    bool surface = carom_scan_same(k->name, "DSLOAD");
    if (is_later(deck, k))
        return true;
    for (; carom_inp_data_line(deck->scan); carom_scan_next_line(deck->scan)) {
        carom_deck_row row = {.place = carom_deck_here(deck)};
        copy_parameter(row.amplitude, k, "AMPLITUDE");
        copy_words(row.target, read_field(deck->scan));
        carom_words label = read_field(deck->scan);
        bool gravity = !surface && carom_scan_same(label, "GRAV"), pressure = surface && carom_scan_same(label, "P");
        if (!gravity && !pressure) {
            carom_deck_note(deck, row.place, "*%.*s %.*s is not taken over (GRAV is, and P of *DSLOAD)", (int)k->name.size,
                            k->name.text, label.size > 20 ? 20 : (int)label.size, label.text);
            continue;
        }
        double numbers[4];
        const unsigned char *start = deck->scan->at;
        int found = read_numbers(deck, gravity ? "an acceleration" : "a pressure", numbers, 4);
        if (found < 0)
            return false;
        if (found < (gravity ? 4 : 1))
            return carom_scan_fail(deck->scan, start, "expected %s",
                                   gravity ? "an acceleration and a direction" : "a pressure");
        row.kind = gravity ? CAROM_DECK_GRAVITY : CAROM_DECK_PRESSURE;
        row.value = numbers[0];
        double length = sqrt(numbers[1] * numbers[1] + numbers[2] * numbers[2] + numbers[3] * numbers[3]);
        if (gravity && !(length > 0))
            return carom_scan_fail(deck->scan, start, "expected a direction of gravity, found (0, 0, 0)");
        for (int i = 0; gravity && i < 3; i++)
            row.direction[i] = numbers[1 + i] / length;
        if (!add_row(deck, &row))
            return false;
    }
    return true;
}

static bool take_initial(carom_deck *deck, const carom_inp_keyword *k) {
    const carom_words *type = carom_inp_parameter(k, "TYPE");
    if (type && carom_scan_same(*type, "VELOCITY"))
        return take_nodal(deck, k, CAROM_DECK_START);
    carom_deck_note(deck, place_of(deck, k), "*INITIAL CONDITIONS, TYPE=%.*s is not taken over",
                    type && type->size < 40 ? (int)type->size : 0, type ? type->text : "");
    return true;
}

// *DYNAMIC and *STATIC: the second number is the length of the step.
static bool take_procedure(carom_deck *deck, const carom_inp_keyword *k) {
    bool is_static = carom_scan_same(k->name, "STATIC");
    double numbers[2] = {0, 0};
    if (is_later(deck, k))
        return true;
    if (carom_inp_data_line(deck->scan) && read_numbers(deck, "a time", numbers, 2) < 0)
        return false;
    deck->is_static = is_static;
    deck->is_dynamic = !is_static;
    deck->nonlinear = deck->nonlinear || carom_inp_parameter(k, "EXPLICIT");
    deck->period = numbers[1] > 0 ? numbers[1] : 0;
    return true;
}

static bool take_step(carom_deck *deck, const carom_inp_keyword *k) {
    const carom_words *nonlinear = carom_inp_parameter(k, "NLGEOM");
    deck->step++;
    if (deck->step == 1)
        deck->nonlinear = nonlinear && !carom_scan_same(*nonlinear, "NO");
    if (deck->step == 2)
        carom_deck_note(deck, place_of(deck, k), "a second *STEP: a scene is one step, the first one");
    return true;
}

static bool take_friction(carom_deck *deck, const carom_inp_keyword *k) {
    double friction = 0;
    if (carom_inp_data_line(deck->scan) && read_numbers(deck, "a coefficient of friction", &friction, 1) < 0)
        return false;
    if (friction < 0)
        return carom_scan_fail(deck->scan, k->place, "expected a coefficient of friction of at least 0, found %g", friction);
    if (deck->has_friction && friction != deck->friction)
        carom_deck_note(deck, place_of(deck, k), "another coefficient of friction, %g: write it under contact.pairs", friction);
    else
        deck->friction = friction;
    deck->has_friction = true;
    return true;
}

static bool take_heading(carom_deck *deck, const carom_inp_keyword *k) {
    (void)k;
    carom_words line;
    if (!carom_inp_data_line(deck->scan) || !carom_scan_rest(deck->scan, &line))
        return true;
    size_t size = line.size < sizeof deck->title ? line.size : sizeof deck->title - 1;
    for (size_t i = 0; i < size; i++)
        deck->title[i] = line.text[i] >= ' ' && line.text[i] <= '~' ? line.text[i] : '?';
    deck->title[size] = 0;
    return true;
}

static bool take_part(carom_deck *deck, const carom_inp_keyword *k) {
    copy_parameter(deck->part, k, "NAME");
    deck->part_count++;
    return true;
}

static bool leave_part(carom_deck *deck, const carom_inp_keyword *k) {
    (void)k;
    deck->part[0] = 0;
    return true;
}

static bool take_forces(carom_deck *deck, const carom_inp_keyword *k) {
    return is_later(deck, k) || take_nodal(deck, k, CAROM_DECK_FORCE);
}

static bool take_contact(carom_deck *deck, const carom_inp_keyword *k) {
    (void)k;
    deck->has_contact = true;
    return true;
}

// The present material remains set until the next *MATERIAL; only keywords of material properties refer to it.
bool carom_deck_take(carom_deck *deck, const carom_inp_keyword *k, bool *known) {
    static const struct {
        const char *word;
        bool (*take)(carom_deck *deck, const carom_inp_keyword *k);
    } keywords[] = {
        {"HEADING", take_heading},
        {"PART", take_part},
        {"END PART", leave_part},
        {"END INSTANCE", leave_part},
        {"INSTANCE", take_instance},
        {"ELEMENT", take_element},
        {"MATERIAL", take_material},
        {"ELASTIC", take_elastic},
        {"DENSITY", take_density},
        {"PLASTIC", take_plastic},
        {"SOLID SECTION", take_section},
        {"SHELL SECTION", take_section},
        {"MEMBRANE SECTION", take_section},
        {"AMPLITUDE", take_amplitude},
        {"BOUNDARY", take_boundary},
        {"CLOAD", take_forces},
        {"DLOAD", take_distributed},
        {"DSLOAD", take_distributed},
        {"INITIAL CONDITIONS", take_initial},
        {"STEP", take_step},
        {"DYNAMIC", take_procedure},
        {"STATIC", take_procedure},
        {"FRICTION", take_friction},
        {"CONTACT", take_contact},
        {"CONTACT PAIR", take_contact},
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (carom_scan_same(k->name, keywords[i].word))
            return keywords[i].take(deck, k);
    *known = false;
    return true;
}
