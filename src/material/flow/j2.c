// SPDX-License-Identifier: MIT
// The material `j2`: parameters, their contradictions, and the table of its forms. Impacts of such bodies:
// docs/theory/inelastic_impacts.md
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/param.h"
#include "material/elastic.h"
#include "material/flow/hardenings.h"
#include "material/flow/j2.h"
#include "material/flow/j2_rate.h"
#include "material/flow/j2_rows.h"
#include "material/material.h"

#define WORD(NAME, name, word, reads, ...) [CAROM_HARDENING_##NAME] = word,
#define NEEDS(NAME, name, word, reads, ...) \
    case CAROM_HARDENING_##NAME:            \
        return CAROM_##NAME##_NEEDS(p);
#define READS(NAME, name, word, reads, ...) [CAROM_HARDENING_##NAME] = reads,

const char *const carom_hardening_words[] = {CAROM_HARDENINGS(WORD, ) NULL};

#define STRESS "force/length^2"
#define AT(member) member

static const carom_param table[] = {
    CAROM_ROW_NAMED("young", carom_j2_params, elastic.young, CAROM_PARAM_REAL, STRESS, CAROM_RANGE_POSITIVE,
                    .doc = "Young's modulus."),
    CAROM_ROW_NAMED("poisson", carom_j2_params, elastic.poisson, CAROM_PARAM_REAL, "", .initial = "0", .min = -1, .max = 0.5,
                    .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX, .doc = "Poisson's ratio; bars do not use it."),
    CAROM_ROW_NAMED("density", carom_j2_params, elastic.density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,
                    .doc = "Mass per volume of the undeformed body."),
    CAROM_J2_FLOW_ROWS(carom_j2_params, AT, "")};

// With the slope H of the flow stress sigma the equation q - 3 mu da = sigma + H da has a positive solution only if
// 3 mu + H > 0; for a bar E replaces 3 mu. Both conditions hold if H > -E, since E <= 3 mu.
static bool too_soft(const carom_j2_params *p, double slope, const char *what, carom_error *error) {
    if (slope > -p->elastic.young)
        return false;
    carom_fail(error, CAROM_BAD_INPUT, "expected %s > %g (minus Young's modulus), found %g", what, -p->elastic.young, slope);
    return true;
}

static const char *curve_fault(const carom_j2_params *p, carom_error *error) {
    const double(*r)[2] = p->curve.rows;
    if (p->curve.count < 1 || r[0][0] != 0) {
        carom_fail(error, CAROM_BAD_INPUT,
                   "`hardening: table` needs rows [plastic strain, flow stress] that begin at strain 0");
        return "curve";
    }
    for (int i = 0; i < p->curve.count; i++) {
        if (!(r[i][1] > 0)) {
            carom_fail(error, CAROM_BAD_INPUT, "the flow stress must be > 0, found %g", r[i][1]);
            return "curve";
        }
        if (i > 0 && !(r[i][0] > r[i - 1][0])) {
            carom_fail(error, CAROM_BAD_INPUT, "strains must ascend: %g follows %g", r[i][0], r[i - 1][0]);
            return "curve";
        }
        if (i > 0 && too_soft(p, (r[i][1] - r[i - 1][1]) / (r[i][0] - r[i - 1][0]), "a slope", error))
            return "curve";
    }
    if (!isnan(p->yield) && p->yield != r[0][1]) {
        carom_fail(error, CAROM_BAD_INPUT, "%g is not the flow stress %g at the start of `curve`; one of them is enough",
                   p->yield, r[0][1]);
        return "yield";
    }
    return NULL;
}

static const char *default_mark(int hardening) {
    return hardening == CAROM_HARDENING_LINEAR ? " (the default)" : "";
}

static const char *needed(const char *name, int hardening, carom_error *error) {
    carom_fail(error, CAROM_BAD_INPUT, "missing key '%s', which `hardening: %s`%s needs", name,
               carom_hardening_words[hardening], default_mark(hardening));
    return name;
}

// True if the scene gave a number whose default is 0 or NaN.
static bool is_given(double value) {
    return !isnan(value) && value != 0;
}

bool carom_hardening_reads(int hardening, const char *name) {
    static const char *const reads[] = {CAROM_HARDENINGS(READS, )};
    const char *found = strstr(reads[hardening], name);
    for (size_t size = strlen(name); found; found = strstr(found + 1, name))
        if (found[-1] == ' ' && found[size] == ' ')
            return true;
    return false;
}

bool carom_hardening_readers(const char *name, const char *between, carom_hardening_text text) {
    size_t used = 0;
    *text = 0;
    for (int k = 0; carom_hardening_words[k]; k++)
        if (carom_hardening_reads(k, name))
            used += (size_t)snprintf(text + used, sizeof(carom_hardening_text) - used, "%s%s", used ? between : "",
                                     carom_hardening_words[k]);
    return used;
}

const char *carom_hardening_unused(const carom_j2_params *p) {
    const struct {
        const char *name;
        bool given;
    } numbers[] = {
        {"modulus", is_given(p->modulus)},
        {"saturation", is_given(p->saturation)},
        {"decay", is_given(p->decay)},
        {"strength", is_given(p->strength)},
        {"exponent", p->exponent > 0 && p->exponent < 1},
        {"rate", is_given(p->rate)},
        {"reference_rate", is_given(p->reference_rate)},
        {"melting", is_given(p->melting)},
        {"heat_capacity", is_given(p->heat_capacity)},
        {"curve", p->curve.count > 0},
        {"prestrain", is_given(p->prestrain)},
        {"yield", is_given(p->yield)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].given && !carom_hardening_reads(p->hardening, numbers[i].name))
            return numbers[i].name;
    return NULL;
}

// The name of a parameter that a concave law needs and that was not given.
static const char *missing_of(const carom_j2_params *p) {
    switch (p->hardening) {
        CAROM_CONCAVE_HARDENINGS(NEEDS, )
    default: return isnan(p->yield) ? "yield" : NULL;
    }
}

const char *carom_hardening_fault(const carom_j2_params *p, carom_error *error) {
    const char *word = carom_hardening_words[p->hardening], *unused = carom_hardening_unused(p);
    carom_hardening_text use;
    if (unused) {
        carom_hardening_readers(unused, "` or `", use);
        carom_fail(error, CAROM_BAD_INPUT,
                   "has a meaning only with `hardening: %s`, and `hardening` is %s%s: remove `%s`, or change `hardening`", use,
                   word, default_mark(p->hardening), unused);
        return unused;
    }
    if (p->hardening == CAROM_HARDENING_TABLE)
        return curve_fault(p, error);
    const char *missing = missing_of(p);
    if (missing || CAROM_HARDENING_IS_CONCAVE(p->hardening))
        return missing ? needed(missing, p->hardening, error) : NULL;
    if (p->hardening == CAROM_HARDENING_JOHNSON_COOK) {
        if (p->rate > 0 && isnan(p->reference_rate)) {
            carom_fail(error, CAROM_BAD_INPUT, "missing key 'reference_rate', which `rate` needs");
            return "reference_rate";
        }
        if (!isnan(p->melting) && !(p->melting > p->temperature)) {
            carom_fail(error, CAROM_BAD_INPUT, "%g is not above the temperature %g of the start", p->melting, p->temperature);
            return "melting";
        }
        return NULL;
    }
    if (p->hardening == CAROM_HARDENING_VOCE) {
        if (isnan(p->saturation))
            return needed("saturation", p->hardening, error);
        if (isnan(p->decay))
            return needed("decay", p->hardening, error);
        if (p->saturation < p->yield &&
            too_soft(p, p->modulus + (p->saturation - p->yield) * p->decay, "a slope of the flow stress at strain 0", error))
            return "decay";
    }
    return too_soft(p, p->modulus, "a modulus", error) ? "modulus" : NULL;
}

static const char *fault(const void *params, carom_error *error) {
    return carom_hardening_fault(params, error);
}

static int size(const void *params, carom_point_form form) {
    static const int sizes[] = {[CAROM_POINT_SOLID] = CAROM_J2_SOLID_SIZE, [CAROM_POINT_UNIAXIAL] = 3, [CAROM_POINT_SHEET] = 6};
    return sizes[form] + carom_j2_heats(params);
}

static void start(const void *params, carom_point_form form, double *history) {
    int n = size(params, form);
    memset(history, 0, (size_t)n * sizeof *history);
    if (form == CAROM_POINT_SOLID)
        history[0] = history[1] = history[2] = 1;
    if (form == CAROM_POINT_SHEET)
        history[0] = history[1] = history[CAROM_J2_SHEET_STRETCH] = 1;
    if (carom_j2_heats(params))
        history[n - 1] = ((const carom_j2_params *)params)->temperature;
}

static double show(const void *params, carom_point_form form, const double *history, carom_inner what) {
    int n = size(params, form), heats = carom_j2_heats(params);
    // at the end of the history: alpha, stress, temperature
    if (what == CAROM_INNER_PLASTIC_STRAIN)
        return history[n - heats - 2];
    if (!heats)
        return NAN;
    return what == CAROM_INNER_TEMPERATURE ? history[n - 1] : carom_flow_softening(params, history[n - 1]);
}

static const carom_flow frozen = {.use = CAROM_USE_READ}, frozen_isochoric = {.use = CAROM_USE_READ, .isochoric = true};

// The elastic response of the undeformed state, without plastic flow, for callers without history.
static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    double history[9];
    start(params, CAROM_POINT_SOLID, history);
    return carom_j2_solid(params, &frozen, history, F, P, A, NULL);
}

static double isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    double history[9];
    start(params, CAROM_POINT_SOLID, history);
    return carom_j2_solid(params, &frozen_isochoric, history, F, P, A, NULL);
}

static double sheet(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning) {
    double history[7];
    start(params, CAROM_POINT_SHEET, history);
    return carom_j2_sheet(params, &frozen, history, metric, strain, stress, tangent, thinning, NULL);
}

static double bulk(const void *params) {
    carom_lame m = carom_elastic_lame(params);
    return m.lambda + 2 * m.mu / 3;
}

static const carom_inelastic inelastic = {
    .size = size,
    .start = start,
    .solid = carom_j2_solid,
    .uniaxial = carom_j2_uniaxial,
    .sheet = carom_j2_sheet,
    .show = show,
    .ages = carom_j2_ages,
    .small_elastic = true,
};

const carom_material carom_material_j2 = {
    .kind =
        {
            .name = "j2",
            .summary = "Elastoplastic metals: von Mises plasticity at large strains, with hardening, rate and temperature.",
            .reference = "J. C. Simo: Algorithms for static and dynamic multiplicative plasticity that preserve the classical "
                         "return mapping schemes of the infinitesimal theory. Computer Methods in Applied Mechanics and "
                         "Engineering 99 (1992) 61-112.",
            CAROM_PARAMS(table, carom_j2_params),
        },
    .nonnegative = true,
    .density = carom_elastic_density,
    .young = carom_elastic_young,
    .uniaxial = carom_elastic_uniaxial,
    .shear = carom_elastic_shear,
    .solid = solid,
    .sheet = sheet,
    .bulk = bulk,
    .isochoric = isochoric,
    .fault = fault,
    .inelastic = &inelastic,
};
