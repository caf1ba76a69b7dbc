// SPDX-License-Identifier: MIT
// Translations that remove an overlap at the start and that a scene can express. A body placed `on` a plane is positioned there
// after all other translations: it can move along the plane, or be lifted by its gap.
#ifndef CAROM_MODEL_BUILD_SEPARATION_H
#define CAROM_MODEL_BUILD_SEPARATION_H

#include "model/model.h"

typedef enum carom_move_kind {
    CAROM_MOVE_NONE,      // impossible: the plane it stands on fixes its height, or another plane is in between
    CAROM_MOVE_TRANSLATE, // by `translate`
    CAROM_MOVE_LIFT       // by the gap to the plane it stands on
} carom_move_kind;

// How a body can be moved by `distance` >= 0 along the unit vector `n`.
carom_move_kind carom_move_of(const carom_model *model, int body, const double n[3], double distance);

// Size of the text of a vector.
enum { CAROM_ADVICE_MAX = 64 };

// Prints a translation by `distance` > 0 along the unit vector `n` as in a scene, "[0, 0, 9.19]": four digits, rounded up so
// that the distance is reached.
void carom_advice_print(const double n[3], double distance, char text[CAROM_ADVICE_MAX]);

// Prints the advice to do so: "moving 'high' by [0, 0, 0.126]", "`gap: 0.126` of 'high' on 'floor'"; empty if it is impossible.
void carom_move_print(const carom_model *model, int body, const double n[3], double distance, char *text, size_t size);

// Prints the shortest translation to the front of plane `p` for a body that is `depth` behind it: "move it by [0, 0, 1], or
// give it `place: {on: floor}`".
void carom_move_print_front(const carom_model *model, int body, int p, double depth, char *text, size_t size);

#endif
