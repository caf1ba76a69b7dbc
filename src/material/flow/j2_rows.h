// SPDX-License-Identifier: MIT
// The rows of the parameter tables, for scenes and the manual, of the materials with plastic flow: `j2` and `viscoelastic`.
#ifndef CAROM_MATERIAL_FLOW_J2_ROWS_H
#define CAROM_MATERIAL_FLOW_J2_ROWS_H

#include <math.h>

#include "base/param.h"
#include "material/flow/hardenings.h"

// The words of carom_hardening.
extern const char *const carom_hardening_words[];

#define CAROM_J2_AUTO .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO

// The rows of a concave hardening law; each ends with a comma.
#define CAROM_HARDENING_ROWS(NAME, name, word, reads, owner, at, of) CAROM_##NAME##_ROWS(owner, at, of)

// Rows of the struct `owner`. at(member) is its member that corresponds to `member` of carom_j2_params; `of` is the beginning
// of each description.
#define CAROM_J2_FLOW_ROWS(owner, at, of)                                                                                    \
    CAROM_ROW_NAMED("yield", owner, at(yield), CAROM_PARAM_REAL, "force/length^2", CAROM_J2_AUTO,                            \
                    .doc = of "Stress at which flow begins; A of johnson-cook. auto: that of `curve`."),                     \
        CAROM_ROW_NAMED("hardening", owner, at(hardening), CAROM_PARAM_CHOICE, "", .initial = "linear",                      \
                        .choices = carom_hardening_words,                                                                    \
                        .doc = of "How the flow stress grows with the plastic strain, and with rate and temperature."),      \
        CAROM_ROW_NAMED("modulus", owner, at(modulus), CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_ANY,  \
                        .doc = of "linear, voce: slope of the flow stress; negative: softening."),                           \
        CAROM_ROW_NAMED("saturation", owner, at(saturation), CAROM_PARAM_REAL, "force/length^2", CAROM_J2_AUTO,              \
                        .doc = of "voce: flow stress at large strain; requires `modulus`."),                                 \
        CAROM_ROW_NAMED("decay", owner, at(decay), CAROM_PARAM_REAL, "", CAROM_J2_AUTO,                                      \
                        .doc = of "voce: 1 over the plastic strain of saturation."),                                         \
        CAROM_ROW_NAMED("strength", owner, at(strength), CAROM_PARAM_REAL, "force/length^2", .initial = "0",                 \
                        CAROM_RANGE_NONNEGATIVE, .doc = of "johnson-cook: B, factor of a^n; factor of other powers."),       \
        CAROM_ROW_NAMED("exponent", owner, at(exponent), CAROM_PARAM_REAL, "", .initial = "1", .min = 0, .max = 1,           \
                        .flags = CAROM_PARAM_OPEN_MIN, .doc = of "johnson-cook: n; that of other powers."),                  \
        CAROM_ROW_NAMED("rate", owner, at(rate), CAROM_PARAM_REAL, "", .initial = "0", CAROM_RANGE_NONNEGATIVE,              \
                        .doc = of "johnson-cook: C, factor of the rate."),                                                   \
        CAROM_ROW_NAMED("reference_rate", owner, at(reference_rate), CAROM_PARAM_REAL, "1/time", CAROM_J2_AUTO,              \
                        .doc = of                                                                                            \
                        "johnson-cook: rate of plastic strain at which the rate begins to count; required with `rate`."),    \
        CAROM_ROW_NAMED("softening", owner, at(softening), CAROM_PARAM_REAL, "", .initial = "1", CAROM_RANGE_POSITIVE,       \
                        .doc = of "johnson-cook: m, of the temperature."),                                                   \
        CAROM_ROW_NAMED("temperature", owner, at(temperature), CAROM_PARAM_REAL, "temperature", .initial = "293",            \
                        CAROM_RANGE_NONNEGATIVE,                                                                             \
                        .doc = of "johnson-cook: temperature of the start, where thermal softening begins."),                \
        CAROM_ROW_NAMED("melting", owner, at(melting), CAROM_PARAM_REAL, "temperature", CAROM_J2_AUTO,                       \
                        .doc = of "johnson-cook: where strength ends; auto: no thermal softening."),                         \
        CAROM_ROW_NAMED("heat_capacity", owner, at(heat_capacity), CAROM_PARAM_REAL, "length^2/time^2/temperature",          \
                        CAROM_J2_AUTO, .doc = of "johnson-cook: per mass; auto: plastic work does not heat."),               \
        CAROM_ROW_NAMED("heat_share", owner, at(heat_share), CAROM_PARAM_REAL, "", .initial = "0.9", CAROM_RANGE_UNIT,       \
                        .doc = of "johnson-cook: part of the plastic work that heats (Taylor and Quinney)."),                \
        CAROM_ROW_NAMED("curve", owner, at(curve), CAROM_PARAM_PAIRS, "1, force/length^2", .initial = "[]",                  \
                        CAROM_RANGE_NONNEGATIVE,                                                                             \
                        .doc = of "table: rows [plastic strain, flow stress], from strain 0 on; constant beyond the last."), \
        CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_ROWS, owner, at, of)

#endif
