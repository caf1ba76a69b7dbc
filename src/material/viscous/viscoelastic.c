// SPDX-License-Identifier: MIT
// The material `viscoelastic`: viscous branches (branches_body.h) parallel to a law, elastic or `j2`. Law and branches have
// only the deformation in common: energies, stresses and losses add up, and the history is that of the law followed by those of
// the branches.
#include <math.h>
#include <string.h>

#include "base/param.h"
#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/flow/j2_rows.h"
#include "material/material.h"
#include "material/rubber/rubber.h"
#include "material/viscous/branches.h"
#include "material/viscous/viscoelastic_body.h"
#include "math/functions.h"

static const char *const law_words[] = {"hencky", "mooney-rivlin", "yeoh", "ogden", "j2", NULL};

#define STRESS "force/length^2"
#define AUTO CAROM_J2_AUTO
#define AT(member) j2.member
#define ROW(member, ...) CAROM_ROW(carom_viscoelastic_params, member, __VA_ARGS__)
#define ELASTIC_ROW(name, ...) CAROM_ROW_NAMED(#name, carom_viscoelastic_params, j2.elastic.name, __VA_ARGS__)

static const carom_param table[] = {
    ROW(law, CAROM_PARAM_CHOICE, "", .initial = "hencky", .choices = law_words,
        .doc = "The law of slow changes; hencky is linear in the logarithmic strain, and j2 is hencky with plasticity."),
    ELASTIC_ROW(young, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "hencky, j2: Young's modulus."),
    ELASTIC_ROW(poisson, CAROM_PARAM_REAL, "", .initial = "0", .min = -1, .max = 0.5,
                .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX, .doc = "hencky, j2: Poisson's ratio."),
    ROW(c10, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "mooney-rivlin: factor of I1 - 3."),
    ROW(c01, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "mooney-rivlin: factor of I2 - 3."),
    ROW(c1, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "yeoh: factor of I1 - 3."),
    ROW(c2, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_ANY, .doc = "yeoh: factor of its square."),
    ROW(c3, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "yeoh: factor of its cube."),
    ROW(terms, CAROM_PARAM_PAIRS, STRESS ", 1", .initial = "[]", CAROM_RANGE_ANY, .doc = "ogden: rows [mu, a], mu a > 0."),
    ROW(bulk, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "mooney-rivlin, yeoh, ogden: bulk modulus."),
    ELASTIC_ROW(density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,
                .doc = "Mass per volume of the undeformed body."),
    ROW(prony, CAROM_PARAM_PAIRS, "1, time", CAROM_RANGE_POSITIVE,
        .doc = "Branches: rows [g, relaxation time], g the modulus of the branch over that of the law."),
    CAROM_J2_FLOW_ROWS(carom_viscoelastic_params, AT, "j2: ")};

// The law by itself. NULL: Hencky's, which is a branch that does not relax.
typedef struct base {
    const carom_material *law;
    carom_viscous_base numbers;
    const void *params;
} base;

static bool is_metal(const carom_viscoelastic_params *p) {
    return p->law == CAROM_VISCOELASTIC_J2;
}

static void find_base(const carom_viscoelastic_params *p, base *b) {
    carom_viscous_base_of(p, &b->numbers);
    switch ((carom_viscoelastic_law)p->law) {
    case CAROM_VISCOELASTIC_MOONEY_RIVLIN:
        b->law = carom_law_material(CAROM_LAW_MOONEY_RIVLIN);
        b->params = &b->numbers.mooney_rivlin;
        break;
    case CAROM_VISCOELASTIC_YEOH:
        b->law = carom_law_material(CAROM_LAW_YEOH);
        b->params = &b->numbers.yeoh;
        break;
    case CAROM_VISCOELASTIC_OGDEN:
        b->law = carom_law_material(CAROM_LAW_OGDEN);
        b->params = &b->numbers.ogden;
        break;
    default:
        b->law = is_metal(p) ? carom_law_material(CAROM_LAW_J2) : NULL;
        b->params = &p->j2;
        break;
    }
}

static bool is_given(double value) {
    return !isnan(value) && value != 0;
}

// The name of a parameter that was given and that the law does not read, or NULL: a yield stress with an elastic law would
// otherwise be ignored silently.
static const char *unused_of(const carom_viscoelastic_params *p, carom_error *error) {
    bool stiff = p->law == CAROM_VISCOELASTIC_HENCKY || is_metal(p), yeoh = p->law == CAROM_VISCOELASTIC_YEOH;
    bool mooney = p->law == CAROM_VISCOELASTIC_MOONEY_RIVLIN, ogden = p->law == CAROM_VISCOELASTIC_OGDEN;
    carom_j2_params straight = p->j2;
    straight.hardening = CAROM_HARDENING_LINEAR;
    const char *flow = carom_hardening_unused(&straight);
    if (!flow && is_given(p->j2.modulus))
        flow = "modulus";
    if (!flow && p->j2.hardening != CAROM_HARDENING_LINEAR)
        flow = "hardening";
    const struct {
        const char *name, *use;
        bool given, used;
    } numbers[] = {
        {"young", "hencky` or `j2", is_given(p->j2.elastic.young), stiff},
        {"poisson", "hencky` or `j2", is_given(p->j2.elastic.poisson), stiff},
        {"c10", "mooney-rivlin", is_given(p->c10), mooney},
        {"c01", "mooney-rivlin", is_given(p->c01), mooney},
        {"c1", "yeoh", is_given(p->c1), yeoh},
        {"c2", "yeoh", is_given(p->c2), yeoh},
        {"c3", "yeoh", is_given(p->c3), yeoh},
        {"terms", "ogden", p->terms.count > 0, ogden},
        {"bulk", "mooney-rivlin`, `yeoh` or `ogden", is_given(p->bulk), !stiff},
        {"yield", "j2", is_given(p->j2.yield), is_metal(p)},
        {flow, "j2", flow, is_metal(p)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].given && !numbers[i].used) {
            carom_fail(error, CAROM_BAD_INPUT, "has a meaning only with `law: %s`, found %s", numbers[i].use,
                       law_words[p->law]);
            return numbers[i].name;
        }
    return NULL;
}

static const char *fault(const void *params, carom_error *error) {
    const carom_viscoelastic_params *p = params;
    bool stiff = p->law == CAROM_VISCOELASTIC_HENCKY || is_metal(p);
    const char *unused = unused_of(p, error);
    if (unused)
        return unused;
    const char *missing = stiff                                               ? (isnan(p->j2.elastic.young) ? "young" : NULL)
                          : isnan(p->bulk)                                    ? "bulk"
                          : p->law == CAROM_VISCOELASTIC_YEOH && isnan(p->c1) ? "c1"
                                                                              : NULL;
    if (missing) {
        carom_fail(error, CAROM_BAD_INPUT, "`law: %s` needs it", law_words[p->law]);
        return missing;
    }
    if (p->prony.count == 0) {
        carom_fail(error, CAROM_BAD_INPUT, "needs at least one row [g, relaxation time]; without any, take the law itself");
        return "prony";
    }
    base b;
    find_base(p, &b);
    return b.law ? b.law->fault(b.params, error) : NULL;
}

// Numbers of history of the law by itself; -1: it has no such form.
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
    // metrics are the identity
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

// Sums of a layer, and ln F_33.
typedef struct layer_answer {
    carom_sheet_sum sum;
    carom_losses losses;
    double across;
} layer_answer;

// The law by itself in a layer, without its branches.
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
        carom_rubber rubber = p->law == CAROM_VISCOELASTIC_MOONEY_RIVLIN
                                  ? carom_mooney_rivlin_rubber(&b->numbers.mooney_rivlin, b->numbers.bulk)
                              : p->law == CAROM_VISCOELASTIC_YEOH ? carom_yeoh_rubber(&b->numbers.yeoh, b->numbers.bulk)
                                                                  : carom_ogden_rubber(&b->numbers.ogden, b->numbers.bulk);
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
    base b;
    carom_layer_branches layer;
    carom_sheet_side side;
    layer_answer answer = {.across = 0};
    find_base(p, &b);
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

// Fast changes, without relaxation or plastic flow: the functions for callers without history.
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
    base b;
    find_base(params, &b);
    return b.numbers.bulk;
}

static double shear(const void *params) {
    base b;
    find_base(params, &b);
    return b.numbers.shear * stiffening(params);
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
