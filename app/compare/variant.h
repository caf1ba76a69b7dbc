// SPDX-License-Identifier: MIT
// The methods that `carom compare` runs, as an integrator with settings: "newmark-dcr:step=0.01".
#ifndef CAROM_APP_COMPARE_VARIANT_H
#define CAROM_APP_COMPARE_VARIANT_H

#include "carom/param.h"

enum { CAROM_VARIANT_SETTINGS_MAX = 16 };

typedef struct carom_variant {
    char name[CAROM_TEXT_MAX];   // as it was written
    char folder[CAROM_TEXT_MAX]; // name of the folder of its results
    const carom_kind *kind;
    int setting_count;
    char *settings[CAROM_VARIANT_SETTINGS_MAX]; // overrides of the scene: "time.step=0.01"
} carom_variant;

typedef struct carom_variants {
    int count;
    carom_variant *items;
} carom_variants;

// Parses a list "a,b:step=1,c"; NULL means all integrators. Commas and colons within brackets or quotes are part of a
// value. Fails if a method or a parameter does not exist, or if two variants are the same. Release in any case.
carom_status carom_variants_read(const char *list, carom_variants *variants, carom_error *error);
void carom_variants_release(carom_variants *variants);

#endif
