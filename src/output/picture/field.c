// SPDX-License-Identifier: MIT
// Chooses the field that colours a picture and formats its name.
#include "output/picture/field.h"

#include <string.h>

#include "carom/text.h"
#include "output/picture/units.h"

static const char suffix[] = "_nodes";

void carom_field_plain_name(const carom_frame_reader_field *field, char name[static CAROM_FIELD_NAME_MAX]) {
    snprintf(name, CAROM_FIELD_NAME_MAX, "%s", field->name);
    char *end = strstr(name, suffix);
    if (end)
        memmove(end, end + strlen(suffix), strlen(end + strlen(suffix)) + 1);
}

static int find_field(const carom_frame_reader *reader, const char *name) {
    for (int f = 0; f < reader->field_count; f++) {
        char plain[CAROM_FIELD_NAME_MAX];
        carom_field_plain_name(&reader->fields[f], plain);
        if (strcmp(plain, name) == 0 || strcmp(reader->fields[f].name, name) == 0)
            return f;
    }
    return -1;
}

carom_status carom_field_choose(const carom_frame_reader *reader, const char *asked, int *field, carom_error *error) {
    *field = find_field(reader, asked ? asked : "von_mises");
    // bars have no von Mises stress: the first field of elements, else the first of nodes
    for (int f = 0; !asked && *field < 0 && f < reader->field_count; f++)
        if (reader->fields[f].rank == 1)
            *field = f;
    if (!asked && *field < 0 && reader->field_count > 0)
        *field = 0;
    if (*field >= 0)
        return CAROM_OK;
    char names[CAROM_FRAME_FIELDS_MAX][CAROM_FIELD_NAME_MAX];
    const char *list[CAROM_FRAME_FIELDS_MAX];
    carom_text all = {0};
    for (int f = 0; f < reader->field_count; f++) {
        carom_field_plain_name(&reader->fields[f], names[f]);
        list[f] = names[f];
        carom_text_print(&all, "%s%s", f ? ", " : "", names[f]);
    }
    const char *nearest = asked ? carom_text_nearest(asked, list, reader->field_count) : NULL;
    carom_fail(error, CAROM_BAD_INPUT, "the frames of %s have no field '%s'%s%s%s; there are %.400s", reader->directory,
               asked ? asked : "", nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "",
               all.data ? all.data : "none");
    carom_text_release(&all);
    return CAROM_BAD_INPUT;
}

void carom_field_quantity(const carom_frame_reader_field *field, const carom_units *units,
                          char text[static CAROM_FIELD_NAME_MAX]) {
    carom_field_plain_name(field, text);
    char unit[CAROM_UNIT_MAX];
    carom_picture_unit(units, text, unit);
    // a unit after the name shows that it is a stress
    const struct {
        const char *name, *words;
    } known[] = {{"von_mises", *unit ? "von Mises" : "von Mises stress"},
                 {"max_von_mises", "max von Mises"},
                 {"max_principal", "max principal"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].name) == 0)
            snprintf(text, CAROM_FIELD_NAME_MAX, "%s", known[i].words);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}
