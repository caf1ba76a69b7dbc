// SPDX-License-Identifier: MIT
// The parameters of nonsmooth-newmark for scenes, the manual and C programs.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "integrator/nonsmooth/workspace.h"

static const char *const gradients[] = {"midpoint", "end", NULL};
static const char *const pairings[] = {"crossed", "closest", NULL};
static const char *const measures[] = {"signed", "gap", NULL};
static const char *const slips[] = {"rate", "increment", NULL};
static const char *const contacts[] = {"constraint", "penalty", NULL};

const carom_param carom_nonsmooth_rows[CAROM_NONSMOOTH_ROWS] = {
    CAROM_ROW(carom_nonsmooth_newmark_params, beta, CAROM_PARAM_REAL, "", .initial = "0", .min = 0, .max = 0.5,
              .doc = "How implicit the elements are. `0`: explicit, and only contact is implicit; the stable step bounds "
                     "`time.step`. With a quarter or more any step is stable."),
    CAROM_ROW(carom_nonsmooth_newmark_params, gamma, CAROM_PARAM_REAL, "", .initial = "0.5", .min = 0.5, .max = 1,
              .doc = "Above one half high frequencies are damped, at the price of second order; the ledger records what "
                     "this takes as `damping`."),
    CAROM_ROW(carom_nonsmooth_newmark_params, gradients, CAROM_PARAM_CHOICE, "", .initial = "midpoint", .choices = gradients,
              .doc = "Where contact forces take their directions: in the middle of the step, which conserves angular "
                     "momentum, or at its `end`, as in the paper."),
    CAROM_ROW(carom_nonsmooth_newmark_params, pairing, CAROM_PARAM_CHOICE, "", .initial = "crossed", .choices = pairings,
              .doc = "The face of a body on which a node that has come inside is held: the one that it has `crossed`, or the "
                     "`closest` one, with which a node that passes through a body in one step is not detected."),
    CAROM_ROW(carom_nonsmooth_newmark_params, measure, CAROM_PARAM_CHOICE, "", .initial = "signed", .choices = measures,
              .doc = "What must not become negative: `signed` area (in the plane) or volume, which needs no normals; or the "
                     "`gap`, a distance, for smooth surfaces."),
    CAROM_ROW(carom_nonsmooth_newmark_params, slip, CAROM_PARAM_CHOICE, "", .initial = "rate", .choices = slips,
              .doc = "What friction opposes: the `rate` of the slip at the end of the step, so that an impact that sticks ends "
                     "without sliding, as Coulomb's law has it; or the `increment` of the slip over the step, as in the paper, "
                     "with which such an impact reverses the sliding."),
    CAROM_ROW(carom_nonsmooth_newmark_params, contact, CAROM_PARAM_CHOICE, "", .initial = "constraint", .choices = contacts,
              .doc = "`constraint`: nothing overlaps at the end of a step. `penalty`: overlap is pushed out by a "
                     "stiffness, for comparison."),
    CAROM_ROW(carom_nonsmooth_newmark_params, penalty, CAROM_PARAM_REAL, "force/length", .initial = "auto", .min = 0,
              .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Stiffness of each pair, of `contact: penalty`. `auto`: 40 times the smallest mass of a node over the "
                     "square of the step."),
    CAROM_ROW(carom_nonsmooth_newmark_params, passes, CAROM_PARAM_INT, "", .initial = "50", .min = 2, .max = 10000,
              .doc = "Largest number of quadratic programmes of a step; then the step is halved."),
    CAROM_ROW(carom_nonsmooth_newmark_params, tolerance, CAROM_PARAM_REAL, "", .initial = "1e-14", .min = 1e-15, .max = 1e-6,
              .doc = "Largest displacement of a node by the last pass of a step, relative to the largest coordinate."),
    CAROM_ROW(carom_nonsmooth_newmark_params, halvings, CAROM_PARAM_INT, "", .initial = "10", .min = 0, .max = 30,
              .doc = "How often a step in which contact does not converge may be halved before the run fails."),
};
