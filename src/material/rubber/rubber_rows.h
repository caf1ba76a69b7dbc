// SPDX-License-Identifier: MIT
// The parameters of the laws of rubber, for their own tables and for that of `viscoelastic`, where their names must differ.
// CAROM_`NAME`_ROWS(owner, at, use, of) are the rows of a law, except `bulk` and `density`, for the struct `owner`, whose
// member for a parameter is `at` member. `of` is the beginning of each description; `use` is LAW, or BASE if required
// parameters have a default.
#ifndef CAROM_MATERIAL_RUBBER_RUBBER_ROWS_H
#define CAROM_MATERIAL_RUBBER_RUBBER_ROWS_H

#include <math.h>

#include "base/param.h"
#define CAROM_FIRST_PAGES
#include "material/laws.h"

// Required: a number > 0, a number >= 0, rows of numbers.
#define CAROM_RUBBER_POSITIVE_LAW CAROM_RANGE_POSITIVE
#define CAROM_RUBBER_POSITIVE_BASE \
    .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO
#define CAROM_RUBBER_NONNEGATIVE_LAW CAROM_RANGE_NONNEGATIVE
#define CAROM_RUBBER_NONNEGATIVE_BASE .initial = "0", CAROM_RANGE_NONNEGATIVE
#define CAROM_RUBBER_PAIRS_LAW CAROM_RANGE_ANY
#define CAROM_RUBBER_PAIRS_BASE .initial = "[]", CAROM_RANGE_ANY

#define CAROM_MOONEY_RIVLIN_WORD "mooney-rivlin"
#define CAROM_MOONEY_RIVLIN_ROWS(owner, at, use, of)                                                                       \
    CAROM_ROW_NAMED("c10", owner, at c10, CAROM_PARAM_REAL, "force/length^2", CAROM_RUBBER_NONNEGATIVE_##use,              \
                    .doc = of "Factor of I1 - 3."),                                                                        \
        CAROM_ROW_NAMED("c01", owner, at c01, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_NONNEGATIVE, \
                        .doc = of "Factor of I2 - 3."),

#define CAROM_OGDEN_WORD "ogden"
#define CAROM_OGDEN_ROWS(owner, at, use, of)                                                                    \
    CAROM_ROW_NAMED("terms", owner, at terms, CAROM_PARAM_PAIRS, "force/length^2, 1", CAROM_RUBBER_PAIRS_##use, \
                    .doc = of "Rows [mu, a], mu a > 0; the shear modulus is the sum of mu a/2."),

#endif
