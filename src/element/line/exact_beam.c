// SPDX-License-Identifier: MIT
// Geometrically exact beam of two nodes with frames (docs/theory/exact_beam.md), after
//     J. C. Simo: A finite strain beam formulation. The three-dimensional dynamic problem. Part I. Computer Methods in Applied
//     Mechanics and Engineering 49 (1985) 55-70,
// discretised on the group of rigid motions by the Cayley map tau (math/se3.h) as in
//     F. Demoures, F. Gay-Balmaz, M. Desbrun, T. S. Ratiu, A. Alejandro: A multisymplectic integrator for elastodynamic
//     frictionless impact problems. Computer Methods in Applied Mechanics and Engineering 315 (2017) 1025-1052.
//
// With the poses g_1, g_2 of its nodes and the stress-free length l,
//
//     strain  z = tau^-1(g_1^-1 g_2)/l               (curvature, curvature, twist; shear, shear, stretch)
//     energy  l/2 <C (z - Z), z - Z>                 Z the stress-free strain: e6 = (0, 0, 0, 0, 0, 1), or as meshed
//     wrench  lam = (dtau^-1_{l z})^* C (z - Z) on node 1,  -Ad*_{tau(l z)} lam on node 2
//
// C = diag(E I1, E I2, G (I1 + I2), G A, G A, E A) with I1 = w h^3/12 about the first axis for width w and height h. Half of
// the mass and of the inertia rho diag(I1, I2, I1 + I2) l is lumped at each node.
//
// A separate element, straight and free of stress, has the squared frequencies 4 C/(l^2 m) of bending, torsion and stretching,
// with the inertia or mass per length m, and G A (4/(M l^2) + 1/J) of shear, in which the sections rotate against the chord.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "element/element.h"
#include "math/functions.h"
#include "math/se3.h"
#include "math/vec3.h"

static const char *const sections[] = {"rectangle", "circle", "direct", NULL};
static const char *const naturals[] = {"straight", "mesh", NULL};

static const carom_param params[] = {
    CAROM_ROW(
        carom_exact_beam_params, section, CAROM_PARAM_CHOICE, "", .initial = "rectangle", .choices = sections,
        .doc =
            "`rectangle` with `width` and `height`, `circle` with `radius`, both of a material; or `direct`: stiffnesses and "
            "inertias as they are, and no material."),
    CAROM_ROW(carom_exact_beam_params, width, CAROM_PARAM_REAL, "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,
              .doc = "Side of the rectangle along the first axis of the section."),
    CAROM_ROW(carom_exact_beam_params, height, CAROM_PARAM_REAL, "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,
              .doc = "Side of the rectangle along the second axis of the section."),
    CAROM_ROW(carom_exact_beam_params, radius, CAROM_PARAM_REAL, "length", .initial = "0", CAROM_RANGE_NONNEGATIVE,
              .doc = "Radius of the circle."),
    CAROM_ROW(carom_exact_beam_params, shear_factor, CAROM_PARAM_REAL, "", .initial = "1", CAROM_RANGE_POSITIVE,
              .doc = "Factor of the shear stiffness G A; 5/6 is usual for a rectangle."),
    CAROM_ROW(carom_exact_beam_params, torsion_factor, CAROM_PARAM_REAL, "", .initial = "1", CAROM_RANGE_POSITIVE,
              .doc = "Factor of the torsion stiffness G (I1 + I2): 1 for a circle and for "
                     "sections that do not warp, 0.843 for a square."),
    CAROM_ROW(carom_exact_beam_params, stretch_stiffness, CAROM_PARAM_VEC3, "force", .initial = "[0, 0, 0]",
              CAROM_RANGE_NONNEGATIVE, .doc = "Of a `direct` section: G A of shear along the first and second axis, and E A."),
    CAROM_ROW(carom_exact_beam_params, bend_stiffness, CAROM_PARAM_VEC3, "force length^2", .initial = "[0, 0, 0]",
              CAROM_RANGE_NONNEGATIVE,
              .doc = "Of a `direct` section: E I about the first and second axis, and the torsion stiffness."),
    CAROM_ROW(carom_exact_beam_params, line_mass, CAROM_PARAM_REAL, "mass/length", .initial = "0", CAROM_RANGE_NONNEGATIVE,
              .doc = "Of a `direct` section: mass per length."),
    CAROM_ROW(carom_exact_beam_params, line_inertia, CAROM_PARAM_VEC3, "mass length", .initial = "[0, 0, 0]",
              CAROM_RANGE_NONNEGATIVE, .doc = "Of a `direct` section: moments of inertia per length about the three axes."),
    CAROM_ROW(carom_exact_beam_params, axis, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]",
              .doc = "Where the first axis of the section points, as far as it can across the beam; "
                     "zero: anywhere. A mesh with frames has "
                     "its own axes."),
    CAROM_ROW(carom_exact_beam_params, natural, CAROM_PARAM_CHOICE, "", .initial = "mesh", .choices = naturals,
              .doc = "Where the beam is free of stress: as it was meshed (`mesh`), or `straight`."),
};

// Stored per element: length, stress-free strain, stiffnesses, and mass and inertia per length.
enum { LENGTH, NATURAL, STIFFNESS = NATURAL + 6, MASS = STIFFNESS + 6, INERTIA, DATA_SIZE = INERTIA + 3 };

// Stiffnesses, mass and inertia per length.
typedef struct section {
    double C[6], mass, inertia[3];
} section;

// The stiffnesses and inertias of the section: given directly, or computed from its shape and material.
static carom_status measure_section(const carom_block *block, section *s, carom_error *error) {
    const carom_exact_beam_params *p = block->params;
    if (p->section == CAROM_SECTION_DIRECT) {
        s->mass = p->line_mass;
        for (int i = 0; i < 3; i++) {
            s->C[i] = p->bend_stiffness[i];
            s->C[i + 3] = p->stretch_stiffness[i];
            s->inertia[i] = p->line_inertia[i];
        }
        if (!(s->mass > 0) || !(s->inertia[0] > 0) || !(s->inertia[1] > 0) || !(s->inertia[2] > 0))
            return carom_fail(error, CAROM_BAD_INPUT, "a `direct` section needs line_mass and line_inertia > 0");
        return CAROM_OK;
    }
    if (!block->material)
        return carom_fail(error, CAROM_BAD_INPUT, "a section that is not `direct` needs a material");
    // Young's modulus comes from the uniaxial law, G from the shear law.
    if (!block->material->uniaxial || !block->material->shear)
        return carom_fail(error, CAROM_BAD_INPUT, "material '%s' has no shear modulus for a beam", block->material->kind.name);

    double w = p->width, h = p->height, r = p->radius;
    bool round = p->section == CAROM_SECTION_CIRCLE;
    if (round ? !(r > 0) : !(w > 0) || !(h > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          round ? "a circle needs a radius > 0" : "a rectangle needs width and height > 0");
    // I = w h^3/12 for a rectangle, pi r^4/4 for a circle; the polar moment is the sum of both.
    const double pi = 3.14159265358979323846;
    double A = round ? pi * r * r : w * h;
    double I[3] = {round ? 0.25 * pi * carom_pow(r, 4) : w * h * h * h / 12,
                   round ? 0.25 * pi * carom_pow(r, 4) : h * w * w * w / 12};
    I[2] = I[0] + I[1];
    double rho = block->material->density(block->material_params);
    // Moduli at zero strain: the beam is linear in its strains, whatever the law.
    double E = block->material->uniaxial(block->material_params, 0).tangent, G = block->material->shear(block->material_params);
    *s = (section){
        .C = {E * I[0], E * I[1], G * I[2] * p->torsion_factor, G * A * p->shear_factor, G * A * p->shear_factor, E * A},
        .mass = rho * A,
        .inertia = {rho * I[0], rho * I[1], rho * I[2]}};
    return CAROM_OK;
}

// Frames for a mesh without them: the third axis is the mean direction of the elements at the node; the first one lies as close
// to `axis` as it can.
static void frames(const carom_block *block, const double (*X)[3], double (*R)[3][3]) {
    const carom_exact_beam_params *p = block->params;
    for (int i = 0; i < 2 * block->count; i++)
        for (int j = 0; j < 3; j++)
            R[block->nodes[i]][j][0] = R[block->nodes[i]][j][1] = R[block->nodes[i]][j][2] = 0;
    for (int e = 0; e < block->count; e++) {
        const int *n = &block->nodes[2 * e];
        double d[3];
        carom_difference(X[n[1]], X[n[0]], d);
        carom_normalize(d);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                R[n[i]][j][2] += d[j];
    }
    for (int i = 0; i < 2 * block->count; i++) {
        double(*F)[3] = R[block->nodes[i]];
        double third[3] = {F[0][2], F[1][2], F[2][2]}, lean[3], first[3], second[3];
        carom_normalize(third);
        // If no axis is given, or one along the beam, the coordinate axis farthest from the beam takes its place.
        carom_copy(p->axis, lean);
        carom_cross(third, lean, second);
        if (!(carom_norm(second) > 1e-6 * carom_norm(lean))) {
            int least = fabs(third[0]) <= fabs(third[1]) ? 0 : 1;
            least = fabs(third[2]) < fabs(third[least]) ? 2 : least;
            for (int j = 0; j < 3; j++)
                lean[j] = j == least;
            carom_cross(third, lean, second);
        }
        carom_normalize(second);
        carom_cross(second, third, first);
        for (int j = 0; j < 3; j++)
            F[j][0] = first[j], F[j][1] = second[j], F[j][2] = third[j];
    }
}

// The motion from the first node to the second, (T, t) = tau(w, g): w and g are the strain times the length.
static void twist(const int n[2], const double (*x)[3], const double (*R)[3][3], double T[3][3], double t[3], double w[3],
                  double g[3]) {
    carom_pose_between(x[n[0]], R[n[0]], x[n[1]], R[n[1]], T, t);
    carom_cayley_inverse((carom_const_vectors)T, t, w, g);
}

// The strain minus the stress-free strain, and the relative pose and the twist from which it is computed.
static void strain(const double *data, const int n[2], const double (*x)[3], const double (*R)[3][3], double T[3][3],
                   double t[3], double w[3], double g[3], double excess[6]) {
    twist(n, x, R, T, t, w, g);
    for (int i = 0; i < 3; i++) {
        excess[i] = w[i] / data[LENGTH] - data[NATURAL + i];
        excess[i + 3] = g[i] / data[LENGTH] - data[NATURAL + 3 + i];
    }
}

static carom_status prepare(const carom_block *block, const double (*X)[3], const double (*R)[3][3], double *mass,
                            double (*inertia)[3], carom_error *error) {
    const carom_exact_beam_params *p = block->params;
    section s;
    carom_status status = measure_section(block, &s, error);
    if (status)
        return status;
    for (int e = 0; e < block->count; e++) {
        const int *n = &block->nodes[2 * e];
        double *data = &block->data[DATA_SIZE * e], T[3][3], t[3], w[3], g[3];
        twist(n, X, R, T, t, w, g);
        // The length of the arc by which the Cayley map joins the two poses, equal to the chord of a straight element.
        double length = carom_norm(g);
        data[LENGTH] = length;
        // Two nodes at the same place, or at infinity.
        if (!(length > 0) || !isfinite(length))
            return carom_fail(error, CAROM_BAD_INPUT, "element %lld has length %g", (long long)carom_block_id(block, e),
                              length);
        for (int i = 0; i < 3; i++) {
            // A beam that is straight by nature but meshed curved starts under stress.
            data[NATURAL + i] = p->natural == CAROM_NATURAL_MESH ? w[i] / length : 0;
            data[NATURAL + 3 + i] = p->natural == CAROM_NATURAL_MESH ? g[i] / length : i == 2;
        }
        for (int i = 0; i < 6; i++)
            data[STIFFNESS + i] = s.C[i];
        data[MASS] = s.mass;
        for (int i = 0; i < 3; i++)
            data[INERTIA + i] = s.inertia[i];
        for (int i = 0; i < 2; i++) {
            // Lumped by halves.
            mass[n[i]] += 0.5 * length * s.mass;
            carom_add_scaled(0.5 * length, s.inertia, inertia[n[i]]);
        }
    }
    return CAROM_OK;
}

// l/2 <C (z - Z), z - Z>: the stiffness is diagonal in the axes of the section.
static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3],
                   double *energy_) {
    for (int e = begin; e < end; e++) {
        const double *data = &block->data[DATA_SIZE * e];
        double T[3][3], t[3], w[3], g[3], excess[6], sum = 0;
        strain(data, &block->nodes[2 * e], x, R, T, t, w, g, excess);
        for (int i = 0; i < 6; i++)
            sum += data[STIFFNESS + i] * excess[i] * excess[i];
        energy_[e] = 0.5 * data[LENGTH] * sum;
    }
}

static void wrench(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3],
                   double (*wrench_)[6]) {
    for (int e = begin; e < end; e++) {
        const double *data = &block->data[DATA_SIZE * e];
        double T[3][3], t[3], w[3], g[3], excess[6], *first = wrench_[2 * e], *second = wrench_[2 * e + 1];
        strain(data, &block->nodes[2 * e], x, R, T, t, w, g, excess);
        for (int i = 0; i < 6; i++)
            excess[i] *= data[STIFFNESS + i];
        // The wrench on node 1 is the dual of the derivative of the strain; that on node 2 is the opposite one in the axes of
        // its own frame.
        carom_cayley_dual(w, g, &excess[0], &excess[3], &first[0], &first[3]);
        carom_ad_dual((carom_const_vectors)T, t, &first[0], &first[3], &second[0], &second[3]);
        for (int i = 0; i < 6; i++)
            second[i] = -second[i];
    }
}

static void stable_step(const carom_block *block, int begin, int end, double *step) {
    for (int e = begin; e < end; e++) {
        const double *data = &block->data[DATA_SIZE * e], *C = &data[STIFFNESS], *J = &data[INERTIA];
        double square = 0, stretch = 4 / (data[LENGTH] * data[LENGTH]);
        for (int i = 0; i < 3; i++)
            square = fmax(square, stretch * C[i] / J[i]);
        square = fmax(square, stretch * C[5] / data[MASS]);
        // Shear along one axis rotates the section about the other.
        square = fmax(square, C[3] * (stretch / data[MASS] + 1 / J[1]));
        square = fmax(square, C[4] * (stretch / data[MASS] + 1 / J[0]));
        step[e] = square > 0 ? 2 / sqrt(square) : HUGE_VAL;
    }
}

// Curvature and strain minus their stress-free values, and the torque and force conjugate to them, in the axes of the section.
static void field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3], int which,
                  double *values) {
    for (int e = begin; e < end; e++) {
        const double *data = &block->data[DATA_SIZE * e];
        double T[3][3], t[3], w[3], g[3], excess[6];
        strain(data, &block->nodes[2 * e], x, R, T, t, w, g, excess);
        int first = which % 2 ? 3 : 0;
        for (int i = 0; i < 3; i++)
            values[3 * e + i] = excess[first + i] * (which >= 2 ? data[STIFFNESS + first + i] : 1);
    }
}

// The cross section for display and contact output; a `direct` section has no shape.
static int outline(const carom_block *block, double (*points)[2]) {
    const carom_exact_beam_params *p = block->params;
    if (p->section == CAROM_SECTION_DIRECT)
        return 0;
    if (p->section == CAROM_SECTION_RECTANGLE) {
        for (int i = 0; i < 4; i++) {
            points[i][0] = (i == 0 || i == 3 ? -0.5 : 0.5) * p->width;
            points[i][1] = (i < 2 ? -0.5 : 0.5) * p->height;
        }
        return 4;
    }
    for (int i = 0; i < CAROM_OUTLINE_MAX; i++) {
        double angle = 2 * 3.14159265358979323846 * i / CAROM_OUTLINE_MAX;
        points[i][0] = p->radius * carom_cos(angle);
        points[i][1] = p->radius * carom_sin(angle);
    }
    return CAROM_OUTLINE_MAX;
}

static const carom_framed framed = {
    .frames = frames,
    .prepare = prepare,
    .energy = energy,
    .wrench = wrench,
    .stable_step = stable_step,
    .field = field,
    .outline = outline,
};

const carom_element carom_element_exact_beam = {
    .kind = {.name = "exact-beam",
             .summary =
                 "Geometrically exact beam: bends, twists, shears and stretches by any amount (integrator multisymplectic).",
             .reference = "J. C. Simo: A finite strain beam formulation. The three-dimensional dynamic problem. Part I. "
                          "Comput. Methods Appl. Mech. Engrg. 49 (1985) 55-70.",
             CAROM_PARAMS(params, carom_exact_beam_params)},
    .nonnegative = true,
    .cell = CAROM_CELL_LINE2,
    .node_count = 2,
    .data_size = DATA_SIZE,
    .may_have_material = true,
    .fields = {{"curvature", 3}, {"beam_strain", 3}, {"moment", 3}, {"force", 3}},
    .framed = &framed,
};
