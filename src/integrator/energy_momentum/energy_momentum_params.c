// SPDX-License-Identifier: MIT
// The parameters of energy-momentum, as scenes, the manual and C programs see them.
#include <math.h>
#include <stddef.h>

#include "integrator/energy_momentum/workspace.h"

static const char *const schemes[] = {"conserving", "midpoint", "newmark", NULL};
static const char *const updates[] = {"off", "on", "smallest-root", NULL};
static const char *const slaves[] = {"first", "second", "both", NULL};
static const char *const quadratures[] = {"gauss", "nodal", NULL};

#define ROW(type_, field_) .type = type_, .offset = offsetof(carom_energy_momentum_params, field_)

const carom_param carom_energy_momentum_rows[CAROM_ENERGY_MOMENTUM_ROWS] = {
    {.name = "scheme",
     ROW(CAROM_PARAM_CHOICE, scheme),
     .unit = "",
     .initial = "conserving",
     .choices = schemes,
     .doc = "`conserving`: stresses whose work is the change of stored energy. For comparison, with the same contact: "
            "`midpoint`, the "
            "stresses of the middle of the step; `newmark`, Newmark's method with `beta` and `gamma`."},
    {.name = "velocity-update",
     ROW(CAROM_PARAM_CHOICE, velocity_update),
     .unit = "",
     .initial = "on",
     .choices = updates,
     .doc =
         "`on`: impulses at the end of a step give back the energy that contact took and friction did not. `off`: it is lost, "
         "and booked "
         "as `projection`. `smallest-root`: by the other root of their equations, for comparison."},
    {.name = "penalty",
     ROW(CAROM_PARAM_REAL, penalty),
     .unit = "force/length^3",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc = "Normal traction per overlap. `auto`: ten times Young's modulus over element size, of the softer body."},
    {.name = "tangential",
     ROW(CAROM_PARAM_REAL, tangential),
     .unit = "force time/length^3",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc = "Tangential traction per slip velocity, as long as it sticks. `auto`: `penalty` times the step."},
    {.name = "slave",
     ROW(CAROM_PARAM_CHOICE, slave),
     .unit = "",
     .initial = "first",
     .choices = slaves,
     .doc = "Which of two bodies carries the contact points: the one named `first` in the scene, the `second`, or `both`."},
    {.name = "quadrature",
     ROW(CAROM_PARAM_CHOICE, quadrature),
     .unit = "",
     .initial = "gauss",
     .choices = quadratures,
     .doc = "Where contact is looked at: `gauss` points of the faces, or the `nodal` points."},
    {.name = "reach",
     ROW(CAROM_PARAM_REAL, reach),
     .unit = "length",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc = "How far from a face a point may be, on either side, to see it: at most half of the thinnest body, and more than "
            "surfaces "
            "approach in a step. `auto`: the smallest volume over surface of a body."},
    {.name = "augmented",
     ROW(CAROM_PARAM_INT, augmented),
     .unit = "",
     .initial = "auto",
     .min = 0,
     .max = 1000,
     .flags = CAROM_PARAM_ALLOW_AUTO,
     .doc =
         "Most passes of the augmented Lagrangian in a step; they make the overlap as small as one likes. `0`: penalty alone, "
         "where "
         "overlap grows in each step as long as contact lasts. `auto`: 20 in steps that end with an overlap of more than a "
         "fiftieth of "
         "the smaller elements, and none in others."},
    {.name = "beta",
     ROW(CAROM_PARAM_REAL, beta),
     .unit = "",
     .initial = "0.25",
     .min = 0,
     .max = 1,
     .flags = CAROM_PARAM_OPEN_MIN,
     .doc = "Of `scheme: newmark`."},
    {.name = "gamma",
     ROW(CAROM_PARAM_REAL, gamma),
     .unit = "",
     .initial = "0.5",
     .min = 0,
     .max = 1,
     .doc = "Of `scheme: newmark`."},
    {.name = "tolerance",
     ROW(CAROM_PARAM_REAL, tolerance),
     .unit = "",
     .initial = "1e-11",
     .min = 0,
     .max = 1,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX,
     .doc = "Residual of the balance of momentum, relative to its parts. A loose one shows as a drift of energy."},
    {.name = "iterations",
     ROW(CAROM_PARAM_INT, iterations),
     .unit = "",
     .initial = "40",
     .min = 1,
     .max = 1000,
     .doc = "Most iterations of Newton's method; then contact is softened for a new start, and then the step is halved."},
    {.name = "halvings",
     ROW(CAROM_PARAM_INT, halvings),
     .unit = "",
     .initial = "10",
     .min = 0,
     .max = 30,
     .doc = "How often a step that does not converge may be halved before the run fails."},
};
