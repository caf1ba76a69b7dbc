// SPDX-License-Identifier: MIT
// Finds the units of the numbers in a picture: those of the scene, or the SI unit that equals their product, as on the report
// page. Products without a name of their own are left out here, since they do not fit into a picture; the page shows them.
#include "output/picture/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Powers of length, mass and time.
typedef struct quantity {
    const char *names; // fields, each between blanks
    int length, mass, time;
    const char *unit; // of SI; NULL: that of the scene
} quantity;

static const quantity quantities[] = {
    {" von_mises max_von_mises max_principal stress principal_stress axial_stress plastic_work ", -1, 1, -2, "Pa"},
    {" contact_force reaction ", 1, 1, -2, "N"},
    {" energy ", 2, 1, -2, "J"},
    {" length displacement thickness ", 1, 0, 0, NULL},
    {" time ", 0, 0, 1, NULL},
    {" velocity speed ", 1, 0, -1, NULL},
};

static double size_of(const char *name) {
    static const struct {
        const char *name;
        double size;
    } known[] = {{"m", 1},    {"dm", 1e-1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"km", 1e3}, {"kg", 1},
                 {"g", 1e-3}, {"mg", 1e-6}, {"t", 1e3},   {"s", 1},     {"ms", 1e-3}, {"us", 1e-6}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].size;
    return (double)NAN;
}

static double power(double x, int exponent) {
    double product = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        product *= x;
    return exponent < 0 ? 1 / product : product;
}

// The prefix for a power of a thousand; NULL if there is none.
static const char *prefix_of(double factor) {
    static const struct {
        double size;
        const char *text;
    } prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (fabs(factor / prefixes[i].size - 1) < 1e-9)
            return prefixes[i].text;
    return NULL;
}

void carom_picture_unit(const carom_units *units, const char *field, char text[static CAROM_UNIT_MAX]) {
    text[0] = 0;
    char word[2 * CAROM_NAME_MAX];
    snprintf(word, sizeof word, " %s ", field);
    for (size_t i = 0; units && units->given && i < sizeof quantities / sizeof *quantities; i++) {
        const quantity *q = &quantities[i];
        if (!strstr(q->names, word))
            continue;
        if (!q->unit) {
            snprintf(text, CAROM_UNIT_MAX, "%s%s%s", q->length ? units->length : "", q->length && q->time ? "/" : "",
                     q->time ? units->time : "");
            return;
        }
        double factor = power(size_of(units->length), q->length) * power(size_of(units->mass), q->mass) *
                        power(size_of(units->time), q->time);
        const char *prefix = prefix_of(factor);
        if (prefix)
            snprintf(text, CAROM_UNIT_MAX, "%s%s", prefix, q->unit);
        return;
    }
}
