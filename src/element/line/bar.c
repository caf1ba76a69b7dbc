// SPDX-License-Identifier: MIT
// Theory: docs/theory/bar.md
// Two-node bar in three dimensions: uniaxial stress, constant section A, length L, reference axis D.
//
//     d = x2 - x1,  D = (X2 - X1)/L
//     small strain   e = D.(d - L D)/L         de/dx2 = D/L          (linear; resists rotation, so use it for small ones)
//     Green strain   e = (d.d - L^2)/(2 L^2)   de/dx2 = d/L^2        (exact for any rotation)
//     log strain     e = ln(|d|/L)             de/dx2 = d/|d|^2      (also exact; S is Kirchhoff stress, the force S A L/|d|)
//
// Energy A L W(e); with S = W' and C = W'' of the material, the force on node 2 is -A L S de/dx2 and the stiffness
//     K22 = A L (C de/dx2 (x) de/dx2 + S d2e/dx2^2),
//     d2e/dx2^2 = 0 (small), I/L^2 (Green), (I - 2 d (x) d/|d|^2)/|d|^2 (log).
// Lumped mass rho A L / 2 at each end; omega_max^2 = 4 k / (rho A L) with k the largest eigenvalue of K22, so that the stable
// step of the chain is 2/omega_max = L/c for an undeformed bar.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "element/bound.h"
#include "element/conserving_point.h"
#include "element/element.h"
#include "element/line/bar_body.h"
#include "element/point_law.h"
#include "math/functions.h"
#include "math/log_quotient.h"
#include "math/vec3.h"

static const char *const strains[] = {"small", "green", "log", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_bar_params, area, CAROM_PARAM_REAL, "length^2", .initial = "1", CAROM_RANGE_POSITIVE,
              .doc = "Area of the cross section."),
    CAROM_ROW(
        carom_bar_params, strain, CAROM_PARAM_CHOICE, "", .initial = "small", .choices = strains,
        .doc = "`small`: change of length along the reference axis, linear. `green`: Green's strain, exact for any rotation. "
               "`log`: ln(l/L), exact as well; the one for large strains of elastoplastic laws."),
};

enum { LENGTH = CAROM_BAR_LENGTH, AXIS = CAROM_BAR_AXIS, DATA_SIZE = CAROM_BAR_DATA };

// A bar needs a law for uniaxial stress, which not every law of solids offers.
static carom_status accepts(const void *params_, const carom_material *material, carom_error *error) {
    (void)params_;
    return material->uniaxial || (material->inelastic && material->inelastic->uniaxial)
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "material '%s' has no uniaxial law: use linear, st-venant-kirchhoff, j2 or viscoelastic",
                            material->kind.name);
}

static int points(const carom_block *block, carom_point_form *form) {
    (void)block;
    *form = CAROM_POINT_UNIAXIAL;
    return 1;
}

static double volume_of(const carom_block *block, int e) {
    return ((const carom_bar_params *)block->params)->area * block->data[DATA_SIZE * e + LENGTH];
}

// The law of bar e; losses are recorded times its volume.
static carom_uniaxial law_at(const carom_block *block, int e, double strain) {
    return carom_point_uniaxial(block, e, 0, volume_of(block, e), strain);
}

// Half of the mass of a bar is lumped at each end.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    const carom_bar_params *p = block->params;
    double rho = block->material->density(block->material_params);
    for (int e = 0; e < block->count; e++) {
        const int *n = &block->nodes[2 * e];
        double *data = &block->data[DATA_SIZE * e];
        carom_difference(X[n[1]], X[n[0]], &data[AXIS]);
        data[LENGTH] = carom_normalize(&data[AXIS]);
        if (!(data[LENGTH] > 0) || !isfinite(data[LENGTH]))
            return carom_fail(error, CAROM_BAD_INPUT, "element %lld has length %g", (long long)carom_block_id(block, e),
                              data[LENGTH]);
        double half = 0.5 * rho * p->area * data[LENGTH];
        mass[n[0]] += half;
        mass[n[1]] += half;
    }
    return CAROM_OK;
}

// The strain of one bar, and its gradient with respect to the second node; that of the first node is the opposite.
static double strain(const carom_bar_params *p, const double *data, const double x1[3], const double x2[3],
                     double gradient[3]) {
    double d[3], L = data[LENGTH];
    carom_difference(x2, x1, d);
    if (p->strain == CAROM_BAR_LOG) {
        double square = carom_dot(d, d);
        for (int i = 0; i < 3; i++)
            gradient[i] = d[i] / square;
        return 0.5 * carom_log(square / (L * L));
    }
    return carom_bar_strain_of(p->strain == CAROM_BAR_GREEN, data, d, gradient);
}

// A bar of a block at the given positions.
typedef struct bar {
    const double *data;
    double strain, gradient[3];
    double volume; // A L
} bar;

static bar bar_at(const carom_block *block, int e, const double (*x)[3]) {
    const int *n = &block->nodes[2 * e];
    bar b = {.data = &block->data[DATA_SIZE * e], .volume = volume_of(block, e)};
    b.strain = strain(block->params, b.data, x[n[0]], x[n[1]], b.gradient);
    return b;
}

// K22/(A L) = modulus gradient (x) gradient + geometric I.
typedef struct stiff {
    double modulus, geometric;
} stiff;

static stiff stiff_of(const carom_block *block, int e, const bar *b) {
    const carom_bar_params *p = block->params;
    carom_uniaxial law = law_at(block, e, b->strain);
    if (p->strain == CAROM_BAR_LOG)
        return (stiff){law.tangent - 2 * law.stress, law.stress * carom_dot(b->gradient, b->gradient)};
    return (stiff){law.tangent, p->strain == CAROM_BAR_GREEN ? law.stress / (b->data[LENGTH] * b->data[LENGTH]) : 0};
}

// Puts an entry of K22 into a matrix. Translations have no energy, so K11 = K22 = -K12.
static void put(int i, int j, double k, double (*K)[6]) {
    K[i][j] = K[i + 3][j + 3] = k;
    K[i][j + 3] = K[i + 3][j] = -k;
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    (void)X;
    for (int e = begin; e < end; e++) {
        bar b = bar_at(block, e, x);
        energy_[e] = b.volume * law_at(block, e, b.strain).energy;
    }
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    (void)X;
    const carom_bar_params *p = block->params;
    for (int e = begin; e < end; e++) {
        bar b = bar_at(block, e, x);
        double f[6];
        carom_bar_forces(p->area, b.data, law_at(block, e, b.strain).stress, b.gradient, f);
        for (int i = 0; i < 6; i++)
            force_[carom_lane(e, i, 6)] = f[i];
    }
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      double *stiffness_) {
    (void)X;
    for (int e = begin; e < end; e++) {
        bar b = bar_at(block, e, x);
        stiff k2 = stiff_of(block, e, &b);
        double(*K)[6] = (double(*)[6])(stiffness_ + 36 * (ptrdiff_t)e);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                put(i, j, b.volume * (k2.modulus * b.gradient[i] * b.gradient[j] + (i == j ? k2.geometric : 0)), K);
    }
}

// Strains at both ends of a step.
typedef struct strains_of_step {
    double at[2];
    double volume; // of the bar
} strains_of_step;

static double evaluate_law(const void *context, const carom_block *block, int e, int q, carom_step_end end) {
    const strains_of_step *strains_ = context;
    return carom_point_uniaxial(block, e, q, strains_->volume, strains_->at[end]).energy;
}

// S = (W(e1) - W(e0))/(e1 - e0) and its derivative with respect to e1, dS/de1 = (W'(e1) - S)/(e1 - e0). The first approximation
// is the stress at the mean strain. The difference quotient corrects it only where the correction exceeds rounding error: for
// an elastic law by an estimate from the strains (7e-15 is some thirty units of rounding of the energies, divided by the
// modulus). The stress of an elastoplastic law has a kink, and its elastic strains are small compared with the strain of the
// bar, so there the computed correction itself is compared with its rounding error. *last is the stress at e1.
static double mean_stress(const carom_block *block, int e, const strains_of_step *at, double *slope, double *last) {
    double e0 = at->at[0], e1 = at->at[1], d = e1 - e0, volume = at->volume;
    carom_uniaxial middle = carom_point_uniaxial(block, e, 0, volume, 0.5 * (e0 + e1));
    double S = middle.stress;
    *slope = 0.5 * middle.tangent;
    *last = middle.stress;
    if (!(block->history ? d != 0 : fabs(d * d * d) > 7e-15 * fabs(e0 + e1)))
        return S;
    carom_uniaxial before = carom_point_uniaxial(block, e, 0, volume, e0);
    carom_uniaxial after = carom_point_uniaxial(block, e, 0, volume, e1);
    double rest = (after.energy - before.energy - middle.stress * d) / d;
    double rounding = 1e-15 * (fabs(before.stress) + fabs(after.stress)) * (fabs(e0) + fabs(e1));
    *last = after.stress;
    if (!block->history || fabs(rest * d) > rounding) {
        S += rest;
        *slope = (after.stress - S) / d;
    }
    return S;
}

// The mean stress over a step of a bar with history.
static double step_stress(const carom_block *block, int e, const strains_of_step *at, double *slope) {
    carom_point_step step;
    double last, more_last, gain, unused;
    carom_point_step_open(block, e, 0, evaluate_law, at, &step);
    double S = mean_stress(&step.block, step.e, at, slope, &last);
    if (carom_point_step_vary(block, e, 0, evaluate_law, at, &step, &gain)) {
        double more = mean_stress(&step.block, step.e, at, &unused, &more_last);
        *slope += gain * (more - S) * (more_last - last);
        carom_point_step_unvary(block, &step);
    }
    carom_point_step_close(block, e, 0, at->volume, evaluate_law, at, &step);
    return S;
}

// A discrete gradient. With S = (W(e1) - W(e0))/(e1 - e0) the force -A L S de/dx2 with the mean of the gradients at both ends
// of the step conserves energy, because the small and Green's strain are at most quadratic in the positions. For the log strain
// the gradient is r (d0 + d1)/2 with r = ln(s1/s0)/(s1 - s0) and the squared lengths s, since e1 - e0 = r (s1 - s0)/2.
static void balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force_, double *tangent) {
    (void)X;
    const carom_bar_params *p = block->params;
    for (int e = begin; e < end; e++) {
        bar before = bar_at(block, e, x0), after = bar_at(block, e, x1);
        const double *g0 = before.gradient, *g1 = after.gradient;
        double gradient[3], L = before.data[LENGTH], C;
        for (int i = 0; i < 3; i++)
            gradient[i] = 0.5 * (g0[i] + g1[i]);
        // g = d/|d|^2 of the log strain
        double r = 0, slope = 0, mid[3] = {0}, s0 = 1 / carom_dot(g0, g0), s1 = 1 / carom_dot(g1, g1);
        for (int i = 0; i < 3 && p->strain == CAROM_BAR_LOG; i++) {
            r = carom_log_quotient(s0, s1, &slope);
            mid[i] = 0.5 * (s0 * g0[i] + s1 * g1[i]);
            gradient[i] = r * mid[i];
        }
        strains_of_step at = {{before.strain, after.strain}, after.volume};
        double last, S = block->history ? step_stress(block, e, &at, &C) : mean_stress(block, e, &at, &C, &last);
        for (int i = 0; i < 3; i++) {
            force_[carom_lane(e, i, 6)] = p->area * L * S * gradient[i];
            force_[carom_lane(e, 3 + i, 6)] = -p->area * L * S * gradient[i];
        }
        if (!tangent)
            continue;
        double(*K)[6] = (double(*)[6])(tangent + 36 * (ptrdiff_t)(e - begin));
        double geometric = p->strain == CAROM_BAR_GREEN ? 0.5 * S / (L * L) : p->strain == CAROM_BAR_LOG ? 0.5 * S * r : 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                // Not symmetric: the gradient is that of the step, the derivative is taken at its end.
                double turn = p->strain == CAROM_BAR_LOG ? 2 * S * slope * s1 * mid[i] * g1[j] : 0;
                put(i, j, p->area * L * (C * gradient[i] * g1[j] + turn + (i == j ? geometric : 0)), K);
            }
    }
}

static bool stiffens(const carom_block *block) {
    return ((const carom_bar_params *)block->params)->strain != CAROM_BAR_SMALL;
}

// Ratio of present to initial length; negative if the ends of the bar have passed each other along its line. For a bar that
// rotates it is always positive.
static double length_ratio(const double *data, const double d[3], const double u[3]) {
    static const double collinear_tolerance = 1e-9; // sine of the angle to the axis, well above rounding
    double off[3], turn[3], length = carom_norm(d);
    carom_cross(d, &data[AXIS], off);
    carom_cross(u, &data[AXIS], turn);
    bool on_line = carom_norm(off) <= collinear_tolerance * length && carom_norm(turn) <= collinear_tolerance * carom_norm(u);
    return (on_line && carom_dot(d, &data[AXIS]) < 0 ? -length : length) / data[LENGTH];
}

// Green's strain makes a bar stiffer when it is stretched: K22 <= A L (C |d|^2/L^4 + max(0, S)/L^2), twice that for both ends.
// The log strain makes it stiffer when it is compressed: K22 <= A L max(C - S, S)/|d|^2.
static void bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                  double *measures) {
    for (int e = begin; e < end; e++) {
        const int *n = &block->nodes[2 * e];
        bar b = bar_at(block, e, motion->x);
        stiff k2 = stiff_of(block, e, &b);
        double k = 2 * b.volume * (fmax(0, k2.modulus) * carom_dot(b.gradient, b.gradient) + fmax(0, k2.geometric));
        double d[3], u[3], a[3];
        share[carom_lane(e, 0, 6)] = share[carom_lane(e, 3, 6)] = k;
        carom_difference(motion->x[n[1]], motion->x[n[0]], d);
        carom_difference(motion->v[n[0]], motion->v[n[1]], u);
        carom_difference(motion->a[n[0]], motion->a[n[1]], a);
        double square = carom_dot(d, d), rate = carom_dot(u, d) / square;
        carom_bound_measure(fabs(rate), fmax(0, rate), fmax(0, carom_dot(a, d) / square), length_ratio(b.data, d, u), e,
                            measures);
    }
}

// K22/(A L) has one eigenvalue along the bar and a double one across it; the lumped mass is rho A L/2, so the area cancels.
static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    (void)X;
    double rho = block->material->density(block->material_params);
    for (int e = begin; e < end; e++) {
        bar b = bar_at(block, e, x);
        stiff k2 = stiff_of(block, e, &b);
        double along = k2.modulus * carom_dot(b.gradient, b.gradient) + k2.geometric;
        double k = along > k2.geometric ? along : k2.geometric;
        step[e] = k > 0 ? sqrt(rho / k) : HUGE_VAL;
    }
}

static void field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int which,
                  double *values) {
    (void)X;
    for (int e = begin; e < end; e++) {
        double s = bar_at(block, e, x).strain;
        values[e] = which == 0 ? s : law_at(block, e, s).stress;
    }
}

// The small strain resists rotations; the others are invariant.
static bool turns_freely(const carom_block *block) {
    const carom_bar_params *p = block->params;
    return p->strain != CAROM_BAR_SMALL;
}

static double section(const void *params_) {
    return ((const carom_bar_params *)params_)->area;
}

const carom_element carom_element_bar = {
    .kind = {.name = "bar",
             .summary = "Two-node bar in three dimensions, uniaxial stress.",
             .reference = "",
             CAROM_PARAMS(params, carom_bar_params)},
    .nonnegative = true,
    .cell = CAROM_CELL_LINE2,
    .node_count = 2,
    .data_size = DATA_SIZE,
    .needs_material = true,
    .fields = {{"axial_strain", 1}, {"axial_stress", 1}},
    .section = section,
    .accepts = accepts,
    .points = points,
    .prepare = prepare,
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .balanced = balanced,
    .stable_step = stable_step,
    .stiffens = stiffens,
    .bound = bound,
    .field = field,
    .turns_freely = turns_freely,
};
