// SPDX-License-Identifier: MIT
// The field that determines the colours of a picture.
#ifndef CAROM_OUTPUT_PICTURE_FIELD_H
#define CAROM_OUTPUT_PICTURE_FIELD_H

#include "carom/output.h"
#include "output/back/frame_reader.h"

// Size of the name of a field.
enum { CAROM_FIELD_NAME_MAX = 2 * CAROM_NAME_MAX };

// The number of the requested field; `asked` NULL: von_mises, or the first field. Fails with a list of the fields if there is
// no such one.
carom_status carom_field_choose(const carom_frame_reader *reader, const char *asked, int *field, carom_error *error);

// The name of a field without the mark of a nodal mean, as on the page and in commands.
void carom_field_plain_name(const carom_frame_reader_field *field, char name[static CAROM_FIELD_NAME_MAX]);

// The usual name of a quantity; other fields have the name in the frames, without underscores.
void carom_field_quantity(const carom_frame_reader_field *field, const carom_units *units,
                          char text[static CAROM_FIELD_NAME_MAX]);

#endif
