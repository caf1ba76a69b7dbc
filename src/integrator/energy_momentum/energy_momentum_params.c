// SPDX-License-Identifier: MIT
// The parameters of energy-momentum for scenes, the manual and C programs.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "integrator/energy_momentum/workspace.h"

static const char *const schemes[] = {"conserving", "midpoint", "newmark", NULL};
static const char *const updates[] = {"off", "on", "smallest-root", NULL};
static const char *const frictions[] = {"coulomb", "paper", NULL};
static const char *const slaves[] = {"first", "second", "both", NULL};
static const char *const solvers[] = {"auto", "direct", "cg", "petsc", NULL};
static const char *const quadratures[] = {"gauss", "nodal", NULL};

const carom_param carom_energy_momentum_rows[CAROM_ENERGY_MOMENTUM_ROWS] = {
    CAROM_ROW(carom_energy_momentum_params, scheme, CAROM_PARAM_CHOICE, "", .initial = "conserving", .choices = schemes,
              .doc = "`conserving`: stresses whose work is the change of stored energy. For comparison, with the same "
                     "contact: `midpoint`, the stresses of the middle of the step; `newmark`, Newmark's method with `beta` "
                     "and `gamma`."),
    CAROM_ROW_NAMED("velocity-update", carom_energy_momentum_params, velocity_update, CAROM_PARAM_CHOICE, "", .initial = "on",
                    .choices = updates,
                    .doc = "`on`: impulses at the end of a step restore the energy that contact removed beyond friction. "
                           "`off`: it is lost, and recorded as `projection`; with friction and small steps that is most of it. "
                           "`smallest-root`: by the other root of the equations of the paper, for comparison."),
    CAROM_ROW(carom_energy_momentum_params, update, CAROM_PARAM_CHOICE, "", .initial = "coulomb", .choices = frictions,
              .doc = "Friction of these impulses. `coulomb`: they obey Coulomb's law together with the forces of "
                     "the step, and their tangential work is friction. `paper`: they have the direction of the whole traction "
                     "and return friction as normal speed, so the loss by friction does not converge with the step; for "
                     "comparison with the paper. Without friction both are the same."),
    CAROM_ROW(carom_energy_momentum_params, penalty, CAROM_PARAM_REAL, "force/length^3", .initial = "auto", .min = 0,
              .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Normal traction per overlap. `auto`: ten times Young's modulus over element size, of the softer body."),
    CAROM_ROW(carom_energy_momentum_params, tangential, CAROM_PARAM_REAL, "force time/length^3", .initial = "auto", .min = 0,
              .max = HUGE_VAL, .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Tangential traction per slip velocity while it sticks. `auto`: `penalty` times the step."),
    CAROM_ROW(carom_energy_momentum_params, slave, CAROM_PARAM_CHOICE, "", .initial = "first", .choices = slaves,
              .doc =
                  "Which of two bodies has the contact points: the one named `first` in the scene, the `second`, or `both`."),
    CAROM_ROW(carom_energy_momentum_params, quadrature, CAROM_PARAM_CHOICE, "", .initial = "gauss", .choices = quadratures,
              .doc = "Where contact is evaluated: `gauss` points of the faces, or the `nodal` points."),
    CAROM_ROW(carom_energy_momentum_params, reach, CAROM_PARAM_REAL, "length", .initial = "auto", .min = 0, .max = HUGE_VAL,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
              .doc = "Largest distance of a point from a face, on either side, for contact: at most half of the thinnest "
                     "body, and more than surfaces approach in a step. `auto`: the smallest volume over surface of a body, or, "
                     "where only obstacles have surfaces, half their shortest side."),
    CAROM_ROW(
        carom_energy_momentum_params, augmented, CAROM_PARAM_INT, "", .initial = "auto", .min = 0, .max = 1000,
        .flags = CAROM_PARAM_ALLOW_AUTO,
        .doc = "Largest number of passes of the augmented Lagrangian in a step; they make the overlap arbitrarily "
               "small. `0`: penalty alone, with which overlap grows in each step while contact lasts. `auto`: 20 in steps that "
               "end with an overlap of more than a fiftieth of the smaller elements, and none in others."),
    CAROM_ROW(carom_energy_momentum_params, beta, CAROM_PARAM_REAL, "", .initial = "0.25", .min = 0, .max = 1,
              .flags = CAROM_PARAM_OPEN_MIN, .doc = "Parameter of `scheme: newmark`."),
    CAROM_ROW(carom_energy_momentum_params, gamma, CAROM_PARAM_REAL, "", .initial = "0.5", .min = 0, .max = 1,
              .doc = "Parameter of `scheme: newmark`."),
    CAROM_ROW(carom_energy_momentum_params, tolerance, CAROM_PARAM_REAL, "", .initial = "1e-11", .min = 0, .max = 1,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX,
              .doc = "Residual of the balance of momentum, relative to its terms. A large value shows as a drift of energy."),
    CAROM_ROW(carom_energy_momentum_params, iterations, CAROM_PARAM_INT, "", .initial = "40", .min = 1, .max = 1000,
              .doc =
                  "Largest number of iterations of Newton's method; then contact is softened, and finally the step is halved."),
    CAROM_ROW(carom_energy_momentum_params, halvings, CAROM_PARAM_INT, "", .initial = "10", .min = 0, .max = 30,
              .doc = "How often a step that does not converge may be halved before the run fails."),
    CAROM_ROW(carom_energy_momentum_params, solver, CAROM_PARAM_CHOICE, "", .initial = "auto", .choices = solvers,
              .doc =
                  "Solver of linear systems. `direct`: elimination, with one thread; any system, but time and memory grow fast "
                  "with the mesh. `cg`: an iteration with all threads, BiCGStab since these systems are not symmetric, good "
                  "while a step is not many times the stable one of explicit methods; systems on which it does not converge "
                  "are solved directly. `petsc`: GMRES with multigrid by PETSc, or the options of the environment variable "
                  "PETSC_OPTIONS with the prefix `carom_`; in `carom-mpi` only, and the last bits may differ from "
                  "run to run. `auto`: `cg` beyond 30,000 unknowns. Results agree to `tolerance`."),
};
