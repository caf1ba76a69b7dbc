// SPDX-License-Identifier: MIT
// Viscous branches beside an elastic law (a Prony series). Theory: docs/theory/inelastic.md
//
// Branch i has an inner metric Cv^-1 with determinant 1, the elastic strain e = dev 1/2 ln(F Cv^-1 F^T), the energy mu_i e:e
// and relaxes, at fixed F, as de/dt = -e/tau_i. A kick at t_n stands between two drifts; half of each is relaxed beside it,
// with k = exp(-h/(2 tau_i)) and the h of each side:
//
//     before the kick: e' = k e, stress 2 mu_i e';   after it: the history becomes that of e'' = k e'
//     lost: mu_i (1 - k^2) (e:e + e':e')
//
// Each term is the energy that relaxation at fixed F takes: never negative, and of second order in the step. The second one
// lies after t_n: it is pending. mu_i = g_i mu, mu the shear modulus of the law without strain; of a bar E_i = g_i E.
#include <math.h>
#include <string.h>

#include "base/param.h"
#include "material/material.h"
#include "material/trial.h"
#include "math/functions.h"

static const char *const law_words[] = {"hencky", "mooney-rivlin", "yeoh", "ogden", NULL};

#define STRESS "force/length^2"
#define AUTO .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO
#define ROW(member, ...) CAROM_ROW(carom_viscoelastic_params, member, __VA_ARGS__)

static const carom_param table[] = {
    ROW(law, CAROM_PARAM_CHOICE, "", .initial = "hencky", .choices = law_words,
        .doc = "The elastic law of slow changes; hencky is linear in the logarithmic strain."),
    ROW(young, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "hencky: Young's modulus."),
    ROW(poisson, CAROM_PARAM_REAL, "", .initial = "0", .min = -1, .max = 0.5,
        .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX, .doc = "hencky: Poisson's ratio."),
    ROW(c10, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "mooney-rivlin: factor of I1 - 3."),
    ROW(c01, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "mooney-rivlin: factor of I2 - 3."),
    ROW(c1, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "yeoh: factor of I1 - 3."),
    ROW(c2, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_ANY, .doc = "yeoh: factor of its square."),
    ROW(c3, CAROM_PARAM_REAL, STRESS, .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "yeoh: factor of its cube."),
    ROW(terms, CAROM_PARAM_PAIRS, STRESS ", 1", .initial = "[]", CAROM_RANGE_ANY, .doc = "ogden: rows [mu, a], mu a > 0."),
    ROW(bulk, CAROM_PARAM_REAL, STRESS, AUTO, .doc = "mooney-rivlin, yeoh, ogden: bulk modulus."),
    ROW(density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE, .doc = "Mass per volume of the undeformed body."),
    ROW(prony, CAROM_PARAM_PAIRS, "1, time", CAROM_RANGE_POSITIVE,
        .doc = "Branches: rows [g, relaxation time], g the modulus of the branch over that of the law."),
};

// The elastic law by itself. NULL: Hencky's, which is a branch that does not relax.
typedef struct base {
    const carom_material *law;
    double shear, bulk;
    carom_mooney_rivlin_params mooney_rivlin;
    carom_yeoh_params yeoh;
    carom_ogden_params ogden;
    const void *params;
} base;

static void find_base(const carom_viscoelastic_params *p, base *b) {
    b->bulk = p->bulk;
    switch ((carom_viscoelastic_law)p->law) {
    case CAROM_VISCOELASTIC_MOONEY_RIVLIN:
        b->law = &carom_material_mooney_rivlin;
        b->mooney_rivlin = (carom_mooney_rivlin_params){.c10 = p->c10, .c01 = p->c01, .bulk = p->bulk, .density = p->density};
        b->params = &b->mooney_rivlin;
        break;
    case CAROM_VISCOELASTIC_YEOH:
        b->law = &carom_material_yeoh;
        b->yeoh = (carom_yeoh_params){.c1 = p->c1, .c2 = p->c2, .c3 = p->c3, .bulk = p->bulk, .density = p->density};
        b->params = &b->yeoh;
        break;
    case CAROM_VISCOELASTIC_OGDEN:
        b->law = &carom_material_ogden;
        b->ogden = (carom_ogden_params){.terms = p->terms, .bulk = p->bulk, .density = p->density};
        b->params = &b->ogden;
        break;
    default:
        b->law = NULL;
        b->shear = p->young / (2 * (1 + p->poisson));
        b->bulk = p->young / (3 * (1 - 2 * p->poisson));
        return;
    }
    b->shear = b->law->shear(b->params);
}

static const char *fault(const void *params, carom_error *error) {
    const carom_viscoelastic_params *p = params;
    const char *missing = p->law == CAROM_VISCOELASTIC_HENCKY                 ? (isnan(p->young) ? "young" : NULL)
                          : isnan(p->bulk)                                    ? "bulk"
                          : p->law == CAROM_VISCOELASTIC_YEOH && isnan(p->c1) ? "c1"
                                                                              : NULL;
    if (missing) {
        carom_fail(error, CAROM_BAD_INPUT, "`law: %s` needs it", law_words[p->law]);
        return missing;
    }
    if (p->prony.count == 0) {
        carom_fail(error, CAROM_BAD_INPUT, "needs at least one row [g, relaxation time]; without any, take the elastic law");
        return "prony";
    }
    base b;
    find_base(p, &b);
    return b.law ? b.law->fault(b.params, error) : NULL;
}

// Energy, stress and tangent of a branch whose strain at the end is k e, added to what is there.
static double add_branch(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k, double P[9],
                         double A[81]) {
    if (P)
        carom_trial_stress(shape, trial, kappa * shape->log_J, 2 * mu * k, true, P);
    if (A) {
        carom_principal law;
        carom_trial_principal(shape, trial, &law);
        for (int a = 0; a < 3; a++) {
            law.stress[a] = kappa * shape->log_J + 2 * mu * k * law.strain[a];
            for (int b = 0; b < 3; b++) {
                law.slope[a][b] = kappa + 2 * mu * k * ((a == b) - 1.0 / 3);
                law.secant[a][b] = 2 * mu * k;
            }
        }
        carom_principal_tangent(&law, 1, A);
    }
    return 0.5 * kappa * shape->log_J * shape->log_J + mu * k * k * trial->norm2;
}

static double elastic(const base *b, bool isochoric, const double F[9], const carom_shape *shape, double P[9], double A[81]) {
    static const double identity[6] = {1, 1, 1};
    if (b->law)
        return (isochoric ? b->law->isochoric : b->law->solid)(b->params, F, P, A);
    carom_trial trial;
    carom_trial_of(F, identity, &trial);
    for (int a = 0; P && a < 9; a++)
        P[a] = 0;
    for (int a = 0; A && a < 81; a++)
        A[a] = 0;
    return add_branch(shape, &trial, b->shear, isochoric ? 0 : b->bulk, 1, P, A);
}

// Books the relaxation of a branch of modulus mu (energy mu e:e) around a kick.
static void book(double mu, double norm2, double before, double after, carom_losses *losses) {
    double first = mu * (1 - before * before) * norm2, second = mu * before * before * (1 - after * after) * norm2;
    losses->viscosity += first + second;
    losses->pending += second;
    losses->potential += mu * before * (1 - before) * norm2;
}

// What half of a span of time leaves of the strain of a branch. Time that is led back, from where the branch has relaxed too
// far, restores it; beyond a factor e rounding of the history would count, and a branch as fast as that has next to no energy.
static double relaxation(double span, double time) {
    return carom_exp(fmin(-0.5 * span / time, 1));
}

static double solid(const void *params, const carom_flow *flow, double *history, const double F[9], double P[9], double A[81],
                    carom_losses *losses) {
    const carom_viscoelastic_params *p = params;
    base b;
    carom_shape shape;
    carom_losses sum = {0};
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    find_base(p, &b);
    double energy = elastic(&b, flow->isochoric, F, &shape, P, A);
    bool moves = flow->use != CAROM_USE_READ;
    for (int i = 0; i < p->prony.count; i++) {
        double mu = p->prony.rows[i][0] * b.shear, time = p->prony.rows[i][1];
        double before = moves ? relaxation(flow->before, time) : 1, after = moves ? relaxation(flow->after, time) : 1;
        carom_trial trial;
        carom_trial_of(F, &history[6 * i], &trial);
        energy += add_branch(&shape, &trial, mu, 0, before, P, A);
        book(mu, trial.norm2, before, after, &sum);
        if (flow->use == CAROM_USE_COMMIT)
            carom_trial_flow(&shape, &trial, 1 - before * after, &history[6 * i]);
    }
    if (losses)
        *losses = sum;
    return energy;
}

// A bar, for Hencky's law: springs of moduli g_i E whose strains relax.
static carom_uniaxial uniaxial(const void *params, const carom_flow *flow, double *history, double strain,
                               carom_losses *losses) {
    const carom_viscoelastic_params *p = params;
    double E = p->young;
    carom_uniaxial out = {.energy = 0.5 * E * strain * strain, .stress = E * strain, .tangent = E};
    carom_losses sum = {0};
    bool moves = flow->use != CAROM_USE_READ;
    for (int i = 0; i < p->prony.count; i++) {
        double modulus = p->prony.rows[i][0] * E, time = p->prony.rows[i][1], e = strain - history[i];
        double before = moves ? relaxation(flow->before, time) : 1, after = moves ? relaxation(flow->after, time) : 1;
        out.energy += 0.5 * modulus * before * before * e * e;
        out.stress += modulus * before * e;
        out.tangent += modulus * before;
        book(0.5 * modulus, e * e, before, after, &sum);
        if (flow->use == CAROM_USE_COMMIT)
            history[i] += (1 - before * after) * e;
    }
    if (losses)
        *losses = sum;
    return out;
}

static int size(const void *params, carom_point_form form) {
    const carom_viscoelastic_params *p = params;
    if (form == CAROM_POINT_SOLID)
        return 6 * p->prony.count;
    return form == CAROM_POINT_UNIAXIAL && p->law == CAROM_VISCOELASTIC_HENCKY ? p->prony.count : -1;
}

static void start(const void *params, carom_point_form form, double *history) {
    int n = size(params, form);
    for (int k = 0; k < n; k++)
        history[k] = form == CAROM_POINT_SOLID && k % 6 < 3;
}

static double show(const void *params, carom_point_form form, const double *history, carom_inner what) {
    (void)params, (void)form, (void)history, (void)what;
    return NAN;
}

// How many times stiffer in shear the law is for fast changes than for slow ones.
static double stiffening(const carom_viscoelastic_params *p) {
    double sum = 1;
    for (int i = 0; i < p->prony.count; i++)
        sum += p->prony.rows[i][0];
    return sum;
}

// Fast changes, in which nothing relaxes: the slots of those who do not know histories.
static double fast(const void *params, bool isochoric, const double F[9], double P[9], double A[81]) {
    const carom_flow frozen = {.use = CAROM_USE_READ, .isochoric = isochoric};
    double history[6 * CAROM_PAIRS_MAX];
    start(params, CAROM_POINT_SOLID, history);
    return solid(params, &frozen, history, F, P, A, NULL);
}

static double fast_solid(const void *params, const double F[9], double P[9], double A[81]) {
    return fast(params, false, F, P, A);
}

static double fast_isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    return fast(params, true, F, P, A);
}

static double density(const void *params) {
    return ((const carom_viscoelastic_params *)params)->density;
}

static double bulk(const void *params) {
    base b;
    find_base(params, &b);
    return b.bulk;
}

static double shear(const void *params) {
    base b;
    find_base(params, &b);
    return b.shear * stiffening(params);
}

static double young(const void *params) {
    double G = shear(params), K = bulk(params);
    return 9 * K * G / (3 * K + G);
}

static const carom_inelastic inelastic = {.size = size, .start = start, .solid = solid, .uniaxial = uniaxial, .show = show};

const carom_material carom_material_viscoelastic = {
    .kind =
        {
            .name = "viscoelastic",
            .summary = "Polymers and rubber that damp: viscous branches (a Prony series) beside an elastic law.",
            .reference = "S. Reese, S. Govindjee: A theory of finite viscoelasticity and numerical aspects. International "
                         "Journal of Solids and Structures 35 (1998) 3455-3482.",
            .params = table,
            .param_count = sizeof table / sizeof *table,
            .params_size = sizeof(carom_viscoelastic_params),
        },
    .nonnegative = true,
    .density = density,
    .young = young,
    .shear = shear,
    .solid = fast_solid,
    .bulk = bulk,
    .isochoric = fast_isochoric,
    .fault = fault,
    .inelastic = &inelastic,
};
