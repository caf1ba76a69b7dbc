// SPDX-License-Identifier: MIT
// Movements that take a body out of something at the start and that a scene can say. A body that stands `on` a plane is put
// there last, whatever moved it before: it can go along the plane, or leave it by its gap.
#ifndef CAROM_MODEL_BUILD_SEPARATION_H
#define CAROM_MODEL_BUILD_SEPARATION_H

#include "model/model.h"

typedef enum carom_way_out {
    CAROM_WAY_NONE, // the plane it stands on takes it back, or another plane is in the way
    CAROM_WAY_MOVE, // by `translate`
    CAROM_WAY_LIFT  // by the gap to the plane it stands on
} carom_way_out;

// How a body can go by `distance` >= 0 along the unit vector `n`.
carom_way_out carom_way_of(const carom_model *model, int body, const double n[3], double distance);

// Room for a vector in words.
enum { CAROM_ADVICE_MAX = 64 };

// A movement by `distance` > 0 along the unit vector `n` as it is typed into a scene, "[0, 0, 9.19]": four digits, rounded up
// so that the distance is reached.
void carom_advice_print(const double n[3], double distance, char text[CAROM_ADVICE_MAX]);

// What to do for that, as text: "moving 'high' by [0, 0, 0.126]", "`gap: 0.126` of 'high' on 'floor'"; empty: there is no way.
void carom_way_print(const carom_model *model, int body, const double n[3], double distance, char *text, size_t size);

// The shortest way to the front of plane `p` for a body that is `depth` behind it, in words: "move it by [0, 0, 1], or give it
// `place: {on: floor}`".
void carom_way_print_front(const carom_model *model, int body, int p, double depth, char *text, size_t size);

#endif
