// SPDX-License-Identifier: MIT
// Gates on the contact of two sides: peak force, impulse, times and restitution (`part-floor.peak_force`).
#include "scene/pair_gates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "scene/scene.h"

#define PAIR_VALUE(name, expression)                                          \
    static double name(const carom_sim *sim, const carom_pair_record *pair) { \
        (void)sim;                                                            \
        return expression;                                                    \
    }

PAIR_VALUE(peak_force, pair->peak_force)
PAIR_VALUE(impulse, pair->impulse)
PAIR_VALUE(duration, pair->last_contact - pair->first_contact)
PAIR_VALUE(contact_time, pair->contact_time)
PAIR_VALUE(first_contact, pair->first_contact)
PAIR_VALUE(last_contact, pair->last_contact)
PAIR_VALUE(events, (double)pair->events)
PAIR_VALUE(restitution, carom_summary_restitution(sim, pair))

const carom_pair_quantity *carom_pair_quantities(int *count) {
    static const carom_pair_quantity quantities[] = {
        {"peak_force", CAROM_PAIR_LARGEST, 0, peak_force,
         "Largest normal contact force, as a mean over a window of the run (`output.history.force_window`)."},
        {"impulse", CAROM_PAIR_TOTAL, 0, impulse, "Sum of the normal impulses."},
        {"duration", CAROM_PAIR_LARGEST, NAN, duration, "Time from the first to the last contact."},
        {"contact_time", CAROM_PAIR_LARGEST, 0, contact_time, "Total length of the windows in which the two touched."},
        {"first_contact", CAROM_PAIR_SMALLEST, NAN, first_contact, "Time of the first impulse."},
        {"last_contact", CAROM_PAIR_LARGEST, NAN, last_contact, "Time of the last impulse."},
        {"events", CAROM_PAIR_TOTAL, 0, events, "Number of impulses."},
        {"restitution", CAROM_PAIR_ONLY, NAN, restitution,
         "Separation speed over approach speed of the mass centres, once they have parted."},
    };
    *count = sizeof quantities / sizeof *quantities;
    return quantities;
}

// Splits a name at the first hyphen that leaves two known names.
static bool find_sides(const char *name, size_t size, const carom_scene_def *def, char side[2][CAROM_NAME_MAX]) {
    for (size_t i = 1; i + 1 < size; i++) {
        if (name[i] != '-' || i >= CAROM_NAME_MAX || size - i - 1 >= CAROM_NAME_MAX)
            continue;
        snprintf(side[0], CAROM_NAME_MAX, "%.*s", (int)i, name);
        snprintf(side[1], CAROM_NAME_MAX, "%.*s", (int)(size - i - 1), name + i + 1);
        if (carom_scene_is_side(def, side[0]) && carom_scene_is_side(def, side[1]))
            return true;
    }
    return false;
}

// Appends a word to a text if it fits, else " ...".
static void append(char *text, size_t size, const char *separator, const char *word) {
    size_t used = strlen(text);
    if (used + strlen(separator) + strlen(word) + 6 < size)
        snprintf(text + used, size - used, "%s%s", separator, word);
    else if (used < 4 || strcmp(text + used - 4, " ...") != 0)
        snprintf(text + used, size - used, " ...");
}

static void list_sides(const carom_scene_def *def, char *hint, size_t size) {
    const carom_scene_body *bodies = def->bodies.items;
    const carom_plane_def *planes = def->planes.items;
    snprintf(hint, size, "; write a pair as NAME-NAME; names: ");
    const char *separator = "";
    for (int i = 0; i < def->bodies.count; i++, separator = ", ")
        append(hint, size, separator, bodies[i].def.name);
    for (int i = 0; i < def->planes.count; i++, separator = ", ")
        append(hint, size, separator, planes[i].name);
}

bool carom_pair_subject_find(const char *name, const carom_scene_def *def, carom_pair_subject *subject, char *hint,
                             size_t size) {
    *subject = (carom_pair_subject){0};
    hint[0] = 0;
    const char *dot = strrchr(name, '.');
    int count;
    const carom_pair_quantity *quantities = carom_pair_quantities(&count);
    for (int i = 0; dot && i < count; i++)
        if (strcmp(dot + 1, quantities[i].name) == 0)
            subject->quantity = &quantities[i];
    bool sides = dot && find_sides(name, (size_t)(dot - name), def, subject->side);
    if (sides && subject->quantity)
        return true;
    if (sides) {
        snprintf(hint, size, "; of a pair there are ");
        for (int i = 0; i < count; i++)
            append(hint, size, i ? ", " : "", quantities[i].name);
    } else if (subject->quantity) {
        list_sides(def, hint, size);
    }
    subject->quantity = NULL;
    return false;
}

// Whether a side of a record has that name, or belongs to the array of that name.
static bool is_called(const carom_model *model, int body, const char *name) {
    return strcmp(carom_model_side_name(model, body), name) == 0 || (body >= 0 && strcmp(model->bodies[body].group, name) == 0);
}

double carom_pair_subject_value(const carom_pair_subject *subject, const carom_sim *sim, const carom_summary *summary) {
    const carom_model *model = carom_sim_model(sim);
    const carom_pair_quantity *quantity = subject->quantity;
    double result = quantity->untouched;
    int found = 0;
    for (int i = 0; i < summary->pair_count; i++) {
        const carom_pair_record *pair = &summary->pairs[i];
        bool fits = (is_called(model, pair->body[0], subject->side[0]) && is_called(model, pair->body[1], subject->side[1])) ||
                    (is_called(model, pair->body[0], subject->side[1]) && is_called(model, pair->body[1], subject->side[0]));
        if (!fits)
            continue;
        double value = quantity->value(sim, pair);
        found++;
        switch (quantity->join) {
        case CAROM_PAIR_LARGEST: result = found > 1 ? fmax(result, value) : value; break;
        case CAROM_PAIR_SMALLEST: result = found > 1 ? fmin(result, value) : value; break;
        case CAROM_PAIR_TOTAL: result += value; break;
        case CAROM_PAIR_ONLY: result = found > 1 ? (double)NAN : value; break;
        }
    }
    return result;
}
