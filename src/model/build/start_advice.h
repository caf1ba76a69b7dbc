// SPDX-License-Identifier: MIT
// How far a body must be moved so that a scene that is refused is accepted, in words.
#ifndef CAROM_MODEL_BUILD_START_ADVICE_H
#define CAROM_MODEL_BUILD_START_ADVICE_H

#include <stddef.h>

// Room for a vector in words.
enum { CAROM_CURE_MAX = 64 };

// The movement by `distance` > 0 along the unit vector `n` as it is typed into a scene, "[0, 0, 9.19]": four digits, rounded up
// so that the distance is reached.
void carom_cure_print(const double n[3], double distance, char text[CAROM_CURE_MAX]);

// A length > 0 in the same way.
void carom_cure_print_length(double length, char text[CAROM_CURE_MAX]);

#endif
