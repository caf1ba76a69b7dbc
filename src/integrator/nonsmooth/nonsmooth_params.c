// SPDX-License-Identifier: MIT
// The parameters of nonsmooth-newmark, as scenes, the manual and C programs see them.
#include <math.h>
#include <stddef.h>

#include "integrator/nonsmooth/workspace.h"

static const char *const gradients[] = {"midpoint", "end", NULL};
static const char *const pairings[] = {"crossed", "closest", NULL};
static const char *const measures[] = {"signed", "gap", NULL};
static const char *const contacts[] = {"constraint", "penalty", NULL};

#define ROW(type_, field_) .type = type_, .offset = offsetof(carom_nonsmooth_newmark_params, field_)

const carom_param carom_nonsmooth_rows[CAROM_NONSMOOTH_ROWS] = {
    {.name = "beta",
     ROW(CAROM_PARAM_REAL, beta),
     .unit = "",
     .initial = "0",
     .min = 0,
     .max = 0.5,
     .doc = "How implicit the elements are. `0`: explicit, and only contact is implicit; the stable step bounds `time.step`. "
            "From a quarter on any step is "
            "stable."},
    {.name = "gamma",
     ROW(CAROM_PARAM_REAL, gamma),
     .unit = "",
     .initial = "0.5",
     .min = 0.5,
     .max = 1,
     .doc = "Above one half high frequencies are damped, at the price of second order."},
    {.name = "gradients",
     ROW(CAROM_PARAM_CHOICE, gradients),
     .unit = "",
     .initial = "midpoint",
     .choices = gradients,
     .doc =
         "Where contact forces take their directions: in the middle of the step, which conserves angular momentum, or at its "
         "`end`, as in "
         "the paper."},
    {.name = "pairing",
     ROW(CAROM_PARAM_CHOICE, pairing),
     .unit = "",
     .initial = "crossed",
     .choices = pairings,
     .doc = "Against which face of a body a node is held that has come inside: the one that it has `crossed`, or the `closest` "
            "one, which "
            "sees nothing that passes through a body in one step."},
    {.name = "measure",
     ROW(CAROM_PARAM_CHOICE, measure),
     .unit = "",
     .initial = "signed",
     .choices = measures,
     .doc = "What may not become negative: `signed` area (in the plane) or volume, which needs no normals; or the `gap`, a "
            "distance, for smooth "
            "surfaces."},
    {.name = "contact",
     ROW(CAROM_PARAM_CHOICE, contact),
     .unit = "",
     .initial = "constraint",
     .choices = contacts,
     .doc = "`constraint`: nothing overlaps at the end of a step. `penalty`: overlap is pushed out by a stiffness, for "
            "comparison."},
    {.name = "penalty",
     ROW(CAROM_PARAM_REAL, penalty),
     .unit = "force/length",
     .initial = "auto",
     .min = 0,
     .max = HUGE_VAL,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
     .doc =
         "Stiffness of each pair, of `contact: penalty`. `auto`: 40 times the smallest mass of a node over the square of the "
         "step."},
    {.name = "passes",
     ROW(CAROM_PARAM_INT, passes),
     .unit = "",
     .initial = "50",
     .min = 2,
     .max = 10000,
     .doc = "Most quadratic programmes of a step; then the step is halved."},
    {.name = "tolerance",
     ROW(CAROM_PARAM_REAL, tolerance),
     .unit = "",
     .initial = "1e-14",
     .min = 1e-15,
     .max = 1e-6,
     .doc = "How far the last pass of a step may move a node, relative to the largest coordinate."},
    {.name = "halvings",
     ROW(CAROM_PARAM_INT, halvings),
     .unit = "",
     .initial = "10",
     .min = 0,
     .max = 30,
     .doc = "How often a step in which contact does not settle may be halved before the run fails."},
};
