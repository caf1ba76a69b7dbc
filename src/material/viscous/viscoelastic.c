// SPDX-License-Identifier: MIT
// The material `viscoelastic`: viscous branches (branches_body.h) parallel to a law, Hencky's, `j2` or a rubber of the list.
// Law and branches have only the deformation in common: energies, stresses and losses add up, and the history is that of the
// law followed by those of the branches.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/param.h"
#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/flow/j2_rows.h"
#include "material/material.h"
#include "material/rubber/rubber.h"
#include "material/rubber/rubber_rows.h"
#include "material/viscous/branches.h"
#include "material/viscous/viscoelastic.h"
#include "material/viscous/viscoelastic_body.h"
#include "math/functions.h"

#define WORD(NAME, ...) CAROM_##NAME##_WORD,
static const char *const law_words[] = {"hencky", CAROM_RUBBER_LAWS(WORD, ) "j2", NULL};
enum { LAW_COUNT = sizeof law_words / sizeof *law_words - 1 };

#define STRESS "force/length^2"
#define AUTO CAROM_J2_AUTO
#define AT(member) j2.member
#define ROW(member, ...) CAROM_ROW(carom_viscoelastic_params, member, __VA_ARGS__)
#define ELASTIC_ROW(name, ...) CAROM_ROW_NAMED(#name, carom_viscoelastic_params, j2.elastic.name, __VA_ARGS__)
#define RUBBER(NAME, name, ...) CAROM_##NAME##_ROWS(carom_viscoelastic_params, name., BASE, CAROM_##NAME##_WORD ": ")

static const carom_param table[] = {
    ROW(law, CAROM_PARAM_CHOICE, "", .initial = "hencky", .choices = law_words,
        .doc = "The law of slow changes; hencky is linear in the logarithmic strain, and j2 is hencky with plasticity."),
    ELASTIC_ROW(young, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "hencky, j2: Young's modulus."),
    ELASTIC_ROW(poisson, CAROM_PARAM_REAL, "", .initial = "0", .min = -1, .max = 0.5,
                .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX, .doc = "hencky, j2: Poisson's ratio."),
    CAROM_RUBBER_LAWS(RUBBER, ) ROW(bulk, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "Rubbers: bulk modulus."),
    ELASTIC_ROW(density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,
                .doc = "Mass per volume of the undeformed body."),
    ROW(prony, CAROM_PARAM_PAIRS, "1, time", CAROM_RANGE_POSITIVE,
        .doc = "Branches: rows [g, relaxation time], g the modulus of the branch over that of the law."),
    CAROM_J2_FLOW_ROWS(carom_viscoelastic_params, AT, "j2: ")};

// The law without the branches; `law` is NULL for Hencky's law, which is computed as a branch that does not relax.
typedef struct base {
    const carom_material *law;
    carom_viscous_base numbers;
    const void *params;
} base;

static bool is_metal(const carom_viscoelastic_params *p) {
    return p->law == CAROM_VISCOELASTIC_J2;
}

#define LAW(NAME, name, ...) [CAROM_VISCOELASTIC_##NAME] = &carom_material_##name,
#define PLACE(NAME, name, ...) [CAROM_VISCOELASTIC_##NAME] = offsetof(carom_viscoelastic_params, name),

static const carom_material *const laws[] = {CAROM_RUBBER_LAWS(LAW, )[CAROM_VISCOELASTIC_J2] = &carom_material_j2};
// Offsets of the parameters of each law.
static const size_t places[] = {[CAROM_VISCOELASTIC_HENCKY] = offsetof(carom_viscoelastic_params, j2),
                                [CAROM_VISCOELASTIC_J2] = offsetof(carom_viscoelastic_params, j2),
                                CAROM_RUBBER_LAWS(PLACE, )};

static base base_of(const carom_viscoelastic_params *p) {
    return (base){.law = laws[p->law], .numbers = carom_viscous_base_of(p), .params = (const char *)p + places[p->law]};
}

static const carom_param *find_row(const carom_param *rows, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool law_reads(int law, const char *name) {
    const carom_kind *kind = laws[law] ? &laws[law]->kind : NULL;
    return kind ? find_row(kind->params, kind->param_count, name) : find_row(carom_elastic_table, CAROM_ELASTIC_PARAMS, name);
}

bool carom_viscoelastic_reads(const char *word, const char *name) {
    int law = 0;
    while (law < LAW_COUNT && strcmp(law_words[law], word) != 0)
        law++;
    return law < LAW_COUNT && law_reads(law, name);
}

bool carom_viscoelastic_readers(const char *name, carom_law_words words) {
    int count = 0, seen = 0;
    for (int law = 0; law < LAW_COUNT; law++)
        count += law_reads(law, name);
    *words = 0;
    for (int law = 0; law < LAW_COUNT; law++)
        if (law_reads(law, name)) {
            size_t size = strlen(words);
            snprintf(words + size, sizeof(carom_law_words) - size, "%s%s",
                     seen == 0          ? ""
                     : seen + 1 < count ? ", "
                                        : " or ",
                     law_words[law]);
            seen++;
        }
    return count > 0 && count < LAW_COUNT;
}

static bool is_given(double value) {
    return !isnan(value) && value != 0;
}

static const char *default_mark(int law) {
    return law == CAROM_VISCOELASTIC_HENCKY ? " (the default)" : "";
}

// The name of a parameter of plastic flow that was given, or NULL.
static const char *flow_of(const carom_viscoelastic_params *p) {
    carom_j2_params straight = p->j2;
    straight.hardening = CAROM_HARDENING_LINEAR;
    const char *flow = is_given(p->j2.yield) ? "yield" : carom_hardening_unused(&straight);
    return flow ? flow : is_given(p->j2.modulus) ? "modulus" : p->j2.hardening != CAROM_HARDENING_LINEAR ? "hardening" : NULL;
}

// The name of a parameter that was given and that the law does not read, or NULL: a yield stress with an elastic law would
// otherwise be ignored silently.
static const char *unused_of(const carom_viscoelastic_params *p, carom_error *error) {
    const char *unused = is_metal(p) ? NULL : flow_of(p);
    carom_law_words words;
    for (size_t i = 0; !unused && i < sizeof table / sizeof *table; i++) {
        const void *at = (const char *)p + table[i].offset;
        bool real = table[i].type == CAROM_PARAM_REAL, pairs = table[i].type == CAROM_PARAM_PAIRS;
        bool given = (real && is_given(*(const double *)at)) || (pairs && ((const carom_pairs *)at)->count > 0);
        // parameters of plastic flow may have defaults other than 0
        bool flows = law_reads(CAROM_VISCOELASTIC_J2, table[i].name) && !law_reads(CAROM_VISCOELASTIC_HENCKY, table[i].name);
        if (given && !flows && !law_reads(p->law, table[i].name) && carom_viscoelastic_readers(table[i].name, words))
            unused = table[i].name;
    }
    if (unused && carom_viscoelastic_readers(unused, words))
        carom_fail(error, CAROM_BAD_INPUT, "has a meaning only with `law` %s, and `law` is %s%s: remove `%s`, or change `law`",
                   words, law_words[p->law], default_mark(p->law), unused);
    return unused;
}

// The name of a parameter that the law needs and that was not given, or NULL.
static const char *missing_of(const carom_viscoelastic_params *p, const base *b) {
    if (p->law == CAROM_VISCOELASTIC_HENCKY || is_metal(p))
        return isnan(p->j2.elastic.young) ? "young" : NULL;
    if (isnan(p->bulk))
        return "bulk";
    for (int i = 0; i < b->law->kind.param_count; i++) {
        const carom_param *row = &b->law->kind.params[i];
        bool own = !find_row(carom_elastic_table, CAROM_ELASTIC_PARAMS, row->name) && strcmp(row->name, "bulk") != 0;
        if (own && row->type == CAROM_PARAM_REAL && isnan(*(const double *)((const char *)b->params + row->offset)))
            return row->name;
    }
    return NULL;
}

static const char *fault(const void *params, carom_error *error) {
    const carom_viscoelastic_params *p = params;
    const char *unused = unused_of(p, error);
    if (unused)
        return unused;
    base b = base_of(p);
    const char *missing = missing_of(p, &b);
    if (missing) {
        carom_fail(error, CAROM_BAD_INPUT, "missing key '%s', which `law: %s`%s needs", missing, law_words[p->law],
                   default_mark(p->law));
        return missing;
    }
    if (p->prony.count == 0) {
        carom_fail(error, CAROM_BAD_INPUT, "needs at least one row [g, relaxation time]; without any, take the material '%s'%s",
                   p->law == 0 ? "st-venant-kirchhoff" : law_words[p->law], p->law == 0 ? " (small strains)" : "");
        return "prony";
    }
    return b.law && b.law->fault ? b.law->fault(b.params, error) : NULL;
}

// Number of history variables of the law without branches; -1 if it does not have this form.
static int size_of_law(const carom_viscoelastic_params *p, carom_point_form form) {
    if (is_metal(p))
        return carom_material_j2.inelastic->size(&p->j2, form);
    return form == CAROM_POINT_UNIAXIAL && p->law != CAROM_VISCOELASTIC_HENCKY ? -1 : 0;
}

static int size(const void *params, carom_point_form form) {
    static const int sizes[] = {[CAROM_POINT_SOLID] = CAROM_BRANCH_SOLID,
                                [CAROM_POINT_UNIAXIAL] = CAROM_BRANCH_UNIAXIAL,
                                [CAROM_POINT_SHEET] = CAROM_BRANCH_SHEET};
    const carom_viscoelastic_params *p = params;
    int law = size_of_law(p, form);
    return law < 0 ? -1 : law + sizes[form] * p->prony.count;
}

static void start(const void *params, carom_point_form form, double *history) {
    const carom_viscoelastic_params *p = params;
    int law = size_of_law(p, form), n = size(params, form) - law;
    if (is_metal(p))
        carom_material_j2.inelastic->start(&p->j2, form, history);
    // inner metrics start as the identity
    for (int k = 0; k < n; k++)
        history[law + k] = (form == CAROM_POINT_SOLID && k % CAROM_BRANCH_SOLID < 3) ||
                           (form == CAROM_POINT_SHEET && k % CAROM_BRANCH_SHEET < 2);
}

static double show(const void *params, carom_point_form form, const double *history, carom_inner what) {
    const carom_viscoelastic_params *p = params;
    return is_metal(p) ? carom_material_j2.inelastic->show(&p->j2, form, history, what) : NAN;
}

static carom_branches branches_of(const carom_viscoelastic_params *p, carom_point_form form, double modulus,
                                  const carom_flow *flow, double *history) {
    return (carom_branches){.rows = &p->prony, .modulus = modulus, .flow = flow, .history = history + size_of_law(p, form)};
}

// A bar, for Hencky's law and j2: springs of moduli g_i E whose strains relax.
static carom_uniaxial uniaxial(const void *params, const carom_flow *flow, double *history, double strain,
                               carom_losses *losses) {
    const carom_viscoelastic_params *p = params;
    double E = p->j2.elastic.young;
    carom_uniaxial out = {.energy = 0.5 * E * strain * strain, .stress = E * strain, .tangent = E};
    carom_losses sum = {0};
    carom_branches branches = branches_of(p, CAROM_POINT_UNIAXIAL, E, flow, history);
    if (is_metal(p))
        out = carom_j2_uniaxial(&p->j2, flow, history, strain, &sum);
    carom_branches_uniaxial(&branches, strain, &out, &sum);
    if (losses)
        *losses = sum;
    return out;
}

// The result for a layer: sums over law and branches, and ln F_33.
typedef struct layer_answer {
    carom_sheet_sum sum;
    carom_losses losses;
    double across;
} layer_answer;

#define RUBBER_OF(NAME, name, ...) \
    case CAROM_VISCOELASTIC_##NAME: return carom_##name##_rubber(&p->name, p->bulk);
static carom_rubber rubber_of(const carom_viscoelastic_params *p) {
    switch (p->law) {
        CAROM_RUBBER_LAWS(RUBBER_OF, )
    default: return (carom_rubber){.bulk = p->bulk};
    }
}

// The law without branches in a layer.
static double slow_layer(const carom_viscoelastic_params *p, const base *b, const carom_flow *flow, double *history,
                         const double metric[3], const double strain[3], const carom_sheet_side *side, bool slopes,
                         layer_answer *answer) {
    if (is_metal(p)) {
        carom_j2_layer_state s;
        double energy = carom_j2_layer(&p->j2, flow, history, metric, strain, side, slopes, &s, &answer->losses);
        if (!(energy < HUGE_VAL))
            return HUGE_VAL;
        carom_sheet_add(&s.axes, &s.law, slopes, &answer->sum);
        answer->across = s.across;
        return energy;
    }
    carom_sheet_axes axes;
    carom_principal law;
    double energy;
    if (!carom_sheet_axes_of(metric, strain, NULL, &axes))
        return HUGE_VAL;
    if (b->law) {
        carom_rubber rubber = rubber_of(p);
        energy = carom_rubber_layer(&rubber, &axes, side, &law);
        if (!(energy < HUGE_VAL))
            return HUGE_VAL;
    } else {
        double lambda = b->numbers.bulk - 2 * b->numbers.shear / 3, plane = axes.strain[0] + axes.strain[1];
        double e[3] = {axes.strain[0], axes.strain[1],
                       -(lambda * plane + side->stress) / (lambda + 2 * b->numbers.shear + side->slope)};
        double trace = plane + e[2], squares = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        for (int i = 0; i < 3; i++) {
            law.strain[i] = e[i];
            law.stress[i] = lambda * trace + 2 * b->numbers.shear * e[i];
            for (int j = 0; j < 3; j++) {
                law.slope[i][j] = lambda + (i == j ? 2 * b->numbers.shear : 0);
                law.secant[i][j] = 2 * b->numbers.shear;
            }
        }
        energy = 0.5 * lambda * trace * trace + b->numbers.shear * squares;
    }
    carom_sheet_add(&axes, &law, slopes, &answer->sum);
    answer->across = law.strain[2];
    return energy;
}

static double sheet(const void *params, const carom_flow *flow, double *history, const double metric[3], const double strain[3],
                    double stress[3], double tangent[3][3], double *thinning, carom_losses *losses) {
    const carom_viscoelastic_params *p = params;
    base b = base_of(p);
    carom_layer_branches layer;
    carom_sheet_side side;
    layer_answer answer = {.across = 0};
    carom_branches branches = branches_of(p, CAROM_POINT_SHEET, b.numbers.shear, flow, history);
    if (!carom_branches_open(&branches, metric, strain, &layer, &side))
        return HUGE_VAL;
    double energy = slow_layer(p, &b, flow, history, metric, strain, &side, tangent, &answer);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    energy += carom_branches_close(&branches, &layer, answer.across, tangent, &answer.sum, &answer.losses);
    if (stress)
        memcpy(stress, answer.sum.stress, sizeof answer.sum.stress);
    if (tangent)
        carom_sheet_condense(&answer.sum, tangent);
    if (thinning)
        *thinning = carom_exp(answer.across);
    if (losses)
        *losses = answer.losses;
    return energy;
}

// Ratio of the shear stiffness for fast changes to that for slow changes.
static double stiffening(const carom_viscoelastic_params *p) {
    double sum = 1;
    for (int i = 0; i < p->prony.count; i++)
        sum += p->prony.rows[i][0];
    return sum;
}

static carom_pairs relaxation(const void *params) {
    const carom_viscoelastic_params *p = params;
    carom_pairs rows = p->prony;
    for (int i = 0; i < rows.count; i++)
        rows.rows[i][0] /= stiffening(p);
    return rows;
}

// The response to fast changes of strain, without relaxation or plastic flow, for callers without history.
static double fast(const void *params, bool isochoric, const double F[9], double P[9], double A[81]) {
    const carom_flow frozen = {.use = CAROM_USE_READ, .isochoric = isochoric};
    double history[CAROM_HISTORY_MAX];
    start(params, CAROM_POINT_SOLID, history);
    return carom_viscoelastic_solid(params, &frozen, history, F, P, A, NULL);
}

static double fast_solid(const void *params, const double F[9], double P[9], double A[81]) {
    return fast(params, false, F, P, A);
}

static double fast_isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    return fast(params, true, F, P, A);
}

static double fast_sheet(const void *params, const double metric[3], const double strain[3], double stress[3],
                         double tangent[3][3], double *thinning) {
    const carom_flow frozen = {.use = CAROM_USE_READ};
    double history[CAROM_HISTORY_MAX];
    start(params, CAROM_POINT_SHEET, history);
    return sheet(params, &frozen, history, metric, strain, stress, tangent, thinning, NULL);
}

static double density(const void *params) {
    return ((const carom_viscoelastic_params *)params)->j2.elastic.density;
}

static double bulk(const void *params) {
    return carom_viscous_base_of(params).bulk;
}

static double shear(const void *params) {
    return carom_viscous_base_of(params).shear * stiffening(params);
}

static double young(const void *params) {
    double G = shear(params), K = bulk(params);
    return 9 * K * G / (3 * K + G);
}

static const carom_inelastic inelastic = {
    .size = size,
    .start = start,
    .solid = carom_viscoelastic_solid,
    .uniaxial = uniaxial,
    .sheet = sheet,
    .show = show,
    .relaxation = relaxation,
};

const carom_material carom_material_viscoelastic = {
    .kind =
        {
            .name = "viscoelastic",
            .summary = "Polymers, rubber and metals that damp: viscous branches (a Prony series) parallel to a law.",
            .reference = "S. Reese, S. Govindjee: A theory of finite viscoelasticity and numerical aspects. International "
                         "Journal of Solids and Structures 35 (1998) 3455-3482.",
            CAROM_PARAMS(table, carom_viscoelastic_params),
        },
    .nonnegative = true,
    .cancels = true,
    .density = density,
    .young = young,
    .shear = shear,
    .solid = fast_solid,
    .sheet = fast_sheet,
    .bulk = bulk,
    .isochoric = fast_isochoric,
    .fault = fault,
    .inelastic = &inelastic,
};
