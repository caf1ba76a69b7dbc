// SPDX-License-Identifier: MIT
// Units in the texts of a picture.
#ifndef CAROM_OUTPUT_PICTURE_UNITS_H
#define CAROM_OUTPUT_PICTURE_UNITS_H

#include "carom/output.h"

enum { CAROM_UNIT_MAX = 2 * CAROM_NAME_MAX };

// The unit of a field by its plain name, such as MPa of von_mises in t, mm, s; "time", "length" and "energy" select
// the units of these quantities. Empty if the scene has no units, and for numbers without a unit.
void carom_picture_unit(const carom_units *units, const char *field, char text[static CAROM_UNIT_MAX]);

#endif
