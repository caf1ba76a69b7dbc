// SPDX-License-Identifier: MIT
// The field that determines the colours of a picture.
#ifndef CAROM_OUTPUT_PICTURE_FIELD_H
#define CAROM_OUTPUT_PICTURE_FIELD_H

#include "carom/output.h"
#include "output/back/frame_reader.h"

// Size of the name of a field.
enum { CAROM_FIELD_NAME_MAX = 2 * CAROM_NAME_MAX };

// Finds the number of the field `asked` or, if this is NULL, of von_mises, or else of the first field of elements, or of nodes.
// Fails with a list of the fields if there is none of that name.
carom_status carom_field_choose(const carom_frame_reader *reader, const char *asked, int *field, carom_error *error);

// The name of a field without the mark of a nodal mean, as on the page and in commands.
void carom_field_plain_name(const carom_frame_reader_field *field, char name[static CAROM_FIELD_NAME_MAX]);

// The name of the quantity for the legend: the usual name if it has one, else the name in the frames without underscores.
void carom_field_quantity(const carom_frame_reader_field *field, const carom_units *units,
                          char text[static CAROM_FIELD_NAME_MAX]);

#endif
