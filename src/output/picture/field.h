// SPDX-License-Identifier: MIT
// The field that a picture is coloured by.
#ifndef CAROM_OUTPUT_PICTURE_FIELD_H
#define CAROM_OUTPUT_PICTURE_FIELD_H

#include "carom/output.h"
#include "output/back/frame_reader.h"

// Size of the name of a field.
enum { CAROM_FIELD_NAME_MAX = 2 * CAROM_NAME_MAX };

// The number of the field that is asked for; `asked` NULL: von_mises, or the first that there is. Fails with a list of the
// fields if there is no such one.
carom_status carom_field_choose(const carom_frame_reader *reader, const char *asked, int *field, carom_error *error);

// The name of a field without the mark of a nodal mean, which is how the page and the user call it.
void carom_field_plain_name(const carom_frame_reader_field *field, char name[static CAROM_FIELD_NAME_MAX]);

// What engineers call a field; others are called as in the frames, without underscores.
void carom_field_quantity(const carom_frame_reader_field *field, const carom_units *units,
                          char text[static CAROM_FIELD_NAME_MAX]);

#endif
