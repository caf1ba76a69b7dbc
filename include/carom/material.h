// SPDX-License-Identifier: MIT
// Materials: constitutive laws. A law maps the deformation at a point to energy density, stress and tangent (the derivative of
// stress); it is independent of elements.
#ifndef CAROM_MATERIAL_H
#define CAROM_MATERIAL_H

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Response to one strain component under uniaxial stress (bars): W(e), S = dW/de, C = dS/de.
typedef struct carom_uniaxial {
    double energy;  // per reference volume
    double stress;  // work-conjugate to the strain that was given
    double tangent; // modulus
} carom_uniaxial;

// Purpose of an evaluation of a law with history.
typedef enum carom_use {
    CAROM_USE_READ,   // energy and stress at the present history, without flow or relaxation; nothing is written
    CAROM_USE_TRIAL,  // energy and stress at the end of a step that begins with the history; nothing is written
    CAROM_USE_COMMIT, // the same, and the history becomes that of the end of the step
} carom_use;

// The step of a point.
typedef struct carom_flow {
    carom_use use;
    double before;  // time since the last commit; 0: at the first kick; negative: viscous relaxation is reversed
    double after;   // length of the drift after the kick: one half of viscous relaxation precedes the kick, one follows
    bool isochoric; // leave out the part of energy and stress that depends on the volume alone, bulk/2 (ln J)^2
    bool still;     // viscous branches relax at fixed deformation and record the whole loss
} carom_flow;

// Dissipation of a step, per reference volume. Every member is written by every use; zero by CAROM_USE_READ.
// Elements that take only a part of a law (a scale times its moduli and yield stresses) multiply stress, energy and losses
// and keep the history as it is: strains do not depend on a common scale.
typedef struct carom_losses {
    double plasticity; // trapezoid of the flow stress over the plastic strain, for explicit steps
    double viscosity;  // loss of viscous branches around the kick
    double pending;    // the part of `viscosity` after the kick
    double potential;  // Y(alpha_1) - Y(alpha_0), plus the potential of the rate: for conserving implicit steps. The sum of
                       // energy and potential is the incremental energy, whose derivative is P
} carom_losses;

// The forms of a law with history: the kinds of its points.
typedef enum carom_point_form {
    CAROM_POINT_SOLID,    // three dimensions; plane strain has F_33 = 1
    CAROM_POINT_UNIAXIAL, // a bar
    CAROM_POINT_SHEET,    // a layer of a shell, or plane stress
} carom_point_form;

// Internal variables that are available as fields.
typedef enum carom_inner {
    CAROM_INNER_PLASTIC_STRAIN, // equivalent plastic strain alpha
    CAROM_INNER_TEMPERATURE,
    CAROM_INNER_STRENGTH, // fraction of the flow stress left by heating: 1 cold, 0 molten
} carom_inner;

enum { CAROM_HISTORY_MAX = 256 }; // doubles of history of a point

// A law with history. `history` points to size(params, form) doubles of the point one after the other.
typedef struct carom_inelastic {
    // Doubles of history per point; 0: none (there are no viscous branches), and the functions of carom_material are the law.
    // -1: the law has no such form.
    int (*size)(const void *params, carom_point_form form);
    // Their values without deformation.
    void (*start)(const void *params, carom_point_form form, double *history);
    // As `solid` of carom_material. Returns the stored energy; writes P and the derivative A = dP/dF of this very step (of the
    // frozen history for CAROM_USE_READ) where not NULL. HUGE_VAL, and nothing is written, where the law is undefined.
    double (*solid)(const void *params, const carom_flow *flow, double *history, const double F[9], double P[9], double A[81],
                    carom_losses *losses);
    // As `uniaxial`, for any strain of a bar; the law of large strains is that for ln(l/L), whose conjugate is Kirchhoff's
    // stress: force = stress area L/l.
    carom_uniaxial (*uniaxial)(const void *params, const carom_flow *flow, double *history, double strain,
                               carom_losses *losses);
    // As `sheet`. The history does not depend on the coordinates. Plane stress is a sheet with the metric (1, 1, 0).
    double (*sheet)(const void *params, const carom_flow *flow, double *history, const double metric[3], const double strain[3],
                    double stress[3], double tangent[3][3], double *thinning, carom_losses *losses);
    // An internal variable; NaN if the law does not have it.
    double (*show)(const void *params, carom_point_form form, const double *history, carom_inner what);
    // Parts of the law that relax: rows [part of the stiffness of fast changes, relaxation time]. NULL: none do.
    carom_pairs (*relaxation)(const void *params);
    // False: the response does not depend on `before` and `after` of a flow. NULL: it does.
    bool (*ages)(const void *params);
    // Elastic strains stay small at any deformation (metals): without flow, the deviatoric response is linear with the modulus
    // `shear`, to first order in the stress.
    bool small_elastic;
} carom_inelastic;

typedef struct carom_material {
    carom_kind kind;
    // The stored energy is never below that of the reference, zero (carom_element.nonnegative).
    bool nonnegative;
    // Properties of W(F) on which elements, guards and the choice of steps depend; a law of finite strains may have none.
    // `barrier`: W grows without bound as det F falls to 0, so that steps are divided until no element is inverted. Elements of
    // other laws can be inverted at finite energy, and their steps are divided in compression only to a limit.
    bool barrier;
    // W is quadratic in Green's strain, so that the stress at the mean of two strains does the work between them.
    bool quadratic;
    // For small rotations: P is linear in F, the law is defined for every F, and P is taken as Cauchy's stress.
    bool small;
    // The tangent grows faster with stretch than the element does: stretched elements are checked like thin ones.
    bool stiffens;
    // W is a difference of terms that do not vanish without strain, with their rounding errors at rest.
    bool cancels;
    // Mass per reference volume.
    double (*density)(const void *params);
    // NULL if the law has no uniaxial form.
    carom_uniaxial (*uniaxial)(const void *params, double strain);
    // Three dimensions. F is the deformation gradient, row by row: F[3 i + J] = dx_i/dX_J. Returns the energy W(F) per
    // reference volume; writes the first Piola-Kirchhoff stress P = dW/dF and the tangent A[9 (3 i + J) + 3 k + L] =
    // dP_iJ/dF_kL where not NULL. The energy is HUGE_VAL, and nothing is written, where the law is undefined (det F <= 0).
    double (*solid)(const void *params, const double F[9], double P[9], double A[81]);
    // Plane stress: F_33 > 0 for which P_33 vanishes, F = (F_11, F_12, F_21, F_22); the linear law, which is defined for every
    // F, may give any number. NaN if there is none. NULL: Newton's method finds it.
    double (*thinning)(const void *params, const double F[4]);
    // Shear modulus G without strain; NULL if the law has none.
    double (*shear)(const void *params);
    // Young's modulus without strain: the scale by which `energy-momentum` chooses its penalty. NULL: chosen by inertia
    // instead.
    double (*young)(const void *params);
    // A thin sheet under plane stress, in coordinates on its surface. `metric` is the reference metric (G_11, G_22, G_12),
    // `strain` is Green's strain (E_11, E_22, 2 E_12). Returns the energy per reference volume; writes, where not NULL, the
    // second Piola-Kirchhoff stress (S^11, S^22, S^12), its derivative with respect to `strain`, and the stretch across the
    // sheet. The energy is HUGE_VAL, and nothing is written, where the law is undefined. NULL: the law does not support shells.
    double (*sheet)(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning);
    // Laws whose energy is W_iso(F) + bulk/2 (ln J)^2, J = det F, where W_iso does not depend on J: the bulk modulus, and the
    // first part as `solid` gives the whole. Both NULL: the law has no such split.
    double (*bulk)(const void *params);
    double (*isochoric)(const void *params, const double F[9], double P[9], double A[81]);
    // The name of a parameter that contradicts others, with the reason in `error`; NULL if there is none. The member may be
    // NULL. Ranges of single parameters are in their table.
    const char *(*fault)(const void *params, carom_error *error);
    // The law with history; the functions above are then its response to the first small strains, without flow. NULL: no
    // history.
    const carom_inelastic *inelastic;
} carom_material;

// Doubles of history per point; 0: none, -1: no such form.
static inline int carom_material_history(const carom_material *material, const void *params, carom_point_form form) {
    return material->inelastic ? material->inelastic->size(params, form) : 0;
}

// All materials: "linear", "st-venant-kirchhoff", "neo-hookean", "mooney-rivlin", "yeoh", "gent", "ogden",
// "j2", "viscoelastic".
CAROM_API const carom_catalogue *carom_materials(void);

// Adds a material to this catalogue, so that scenes, `carom info` and carom_pick_of can refer to it by its name. The table is
// not copied: it must stay unchanged until the program ends, and it cannot be removed. The catalogues belong to the process and
// have no lock: register before the first use, from one thread. Fails with CAROM_BAD_INPUT if the name is taken or cannot be
// written in a scene, if a function is missing that every material has, or if a row of the parameter table contradicts itself.
// A pick may also point to the kind of a material that is not registered: `(carom_pick){&my_material.kind, &my_params}`.
CAROM_API carom_status carom_register_material(const carom_material *material, carom_error *error);

// A substance of the library: a law with parameters from the literature.
typedef struct carom_substance {
    const char *name;    // "steel-304"
    const char *law;     // name of a material
    const char *summary; // a few words
    const char *values;  // parameters in metres, kilograms, seconds, kelvins: "young: 200e9; poisson: 0.3"
    const char *source;  // where each number comes from
} carom_substance;

CAROM_API const carom_substance *carom_substances(int *count);

// The substance of that name, or NULL.
CAROM_API const carom_substance *carom_substance_find(const char *name);

// The law of a substance with its parameters in units whose sizes in metres, kilograms and seconds are given; temperatures are
// in kelvins. `params` is the parameter struct of the law and must outlive the pick; carom_catalogue_find(carom_materials(),
// substance->law)->params_size is its size.
CAROM_API carom_pick carom_substance_pick(const carom_substance *substance, double length, double mass, double time,
                                          void *params);

// The parameters of the elastic laws `linear`, `st-venant-kirchhoff`, `neo-hookean`, and the first ones of `j2`.
typedef struct carom_elastic_params {
    double young;   // force / area
    double poisson; // pure number
    double density; // mass / volume
} carom_elastic_params;

// How the flow stress of `j2` grows with the plastic strain a.
typedef enum carom_hardening {
    CAROM_HARDENING_LINEAR,       // yield + modulus a
    CAROM_HARDENING_VOCE,         // yield + modulus a + (saturation - yield) (1 - exp(-decay a))
    CAROM_HARDENING_JOHNSON_COOK, // (yield + strength a^exponent) (1 + rate ln(da/dt/reference_rate)) (1 - T*^softening)
    CAROM_HARDENING_TABLE,        // straight between the rows of `curve`
    CAROM_HARDENING_SWIFT,        // strength (prestrain + a)^exponent
} carom_hardening;

// `j2`: metals. Numbers that the chosen hardening does not use are ignored; NaN stands for `auto`.
typedef struct carom_j2_params {
    carom_elastic_params elastic;
    double yield;          // force / area; NaN with `curve`, whose first row has it
    int hardening;         // carom_hardening
    double modulus;        // force / area
    double saturation;     // force / area
    double decay;          // pure number
    double strength;       // force / area
    double exponent;       // pure number
    double rate;           // pure number
    double reference_rate; // 1 / time
    double softening;      // pure number
    double temperature;    // of the start, where thermal softening begins
    double melting;        // temperature; NaN: no thermal softening
    double heat_capacity;  // energy / (mass temperature); NaN: constant temperature
    double heat_share;     // pure number: the part of the plastic work that heats
    carom_pairs curve;     // plastic strain and flow stress
    double prestrain;      // pure number
} carom_j2_params;

// Rubbers: an isochoric energy, which depends on the isochoric stretches alone, plus bulk/2 (ln J)^2. The ratio of bulk and
// shear modulus decides the stable step: pressure waves are sqrt(bulk/shear) times faster than shear waves.
//
// The list of these laws as X(CONSTANT, name, ...), to which further arguments are passed on. The parameters of each are
// carom_`name`_params, with members `bulk` and `density`. CAROM_FIRST_LAWS are the laws of the first invariant alone.
#define CAROM_RUBBER_LAWS(X, ...)                \
    X(MOONEY_RIVLIN, mooney_rivlin, __VA_ARGS__) \
    CAROM_FIRST_LAWS(X, __VA_ARGS__)             \
    X(OGDEN, ogden, __VA_ARGS__)
#define CAROM_FIRST_LAWS(X, ...) X(YEOH, yeoh, __VA_ARGS__) X(GENT, gent, __VA_ARGS__)

// `mooney-rivlin`: c10 (I1 - 3) + c01 (I2 - 3); shear modulus 2 (c10 + c01).
typedef struct carom_mooney_rivlin_params {
    double c10, c01; // force / area
    double bulk;     // force / area
    double density;  // mass / volume
} carom_mooney_rivlin_params;

// `yeoh`: c1 x + c2 x^2 + c3 x^3 with x = I1 - 3; shear modulus 2 c1.
typedef struct carom_yeoh_params {
    double c1, c2, c3; // force / area
    double bulk;       // force / area
    double density;    // mass / volume
} carom_yeoh_params;

// `gent`: -shear/2 limit ln(1 - (I1 - 3)/limit), which models the limited extensibility of chains near I1 - 3 = limit.
typedef struct carom_gent_params {
    double shear;   // force / area
    double limit;   // pure number
    double bulk;    // force / area
    double density; // mass / volume
} carom_gent_params;

// `ogden`: the sum over rows [mu, a] of mu/a (l1^a + l2^a + l3^a - 3); shear modulus: the sum of mu a/2.
typedef struct carom_ogden_params {
    carom_pairs terms; // force / area, pure number
    double bulk;       // force / area
    double density;    // mass / volume
} carom_ogden_params;

#define CAROM_VISCOELASTIC_CONSTANT(NAME, name, ...) CAROM_VISCOELASTIC_##NAME,
#define CAROM_VISCOELASTIC_MEMBER(NAME, name, ...) carom_##name##_params name;

// The law that the viscous branches of `viscoelastic` are added to: one of two for metals and polymers, or a rubber.
typedef enum carom_viscoelastic_law {
    CAROM_VISCOELASTIC_HENCKY, // bulk/2 (ln J)^2 + shear e:e with e the deviator of the logarithmic strain
    CAROM_RUBBER_LAWS(CAROM_VISCOELASTIC_CONSTANT, ) CAROM_VISCOELASTIC_J2, // hencky with plasticity
} carom_viscoelastic_law;

// `viscoelastic`: a law of slow changes, with parallel branches of springs and dampers. NaN stands for `auto`.
typedef struct carom_viscoelastic_params {
    int law;            // carom_viscoelastic_law
    carom_j2_params j2; // elastic.young and .poisson: hencky and j2; elastic.density: every law; the rest: j2
    // The parameters of each rubber, of which its `bulk` and `density` are ignored.
    CAROM_RUBBER_LAWS(CAROM_VISCOELASTIC_MEMBER, )
    double bulk;       // force / area; rubbers
    carom_pairs prony; // shear modulus of a branch over that of the law, and its relaxation time
} carom_viscoelastic_params;

// The plane forms of a law. F is as above with F_33 to be found and no other component out of the plane.
typedef enum carom_plane {
    CAROM_PLANE_STRAIN, // F_33 = 1
    CAROM_PLANE_STRESS, // P_33 = 0
} carom_plane;

// Energy, stress (P_11, P_12, P_21, P_22) and condensed tangent (4 x 4) of a plane deformation F = (F_11, F_12, F_21, F_22);
// *thinning receives F_33 (NaN where there is none); where Newton's method finds it, a positive number is the first guess. P
// and A may be NULL. HUGE_VAL where the law is undefined.
CAROM_API double carom_material_plane(const carom_material *material, const void *params, carom_plane plane, const double F[4],
                                      double *thinning, double P[4], double A[16]);

#ifdef __cplusplus
}
#endif
#endif
