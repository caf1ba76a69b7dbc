// SPDX-License-Identifier: MIT
// For authors of integrators: everything that a `carom_integrator` (integrator.h) needs to be written outside the library.
//
// A method is one const table. carom_sim_create calls `accepts` and `setup` once, carom_sim_step calls `step` for every time
// step, carom_sim_release calls `release`. `setup`, `step` and `release` receive the stepper, which contains the model, the
// parameters and the step, and one pointer for the method, its workspace. All that must survive a restart is in the state:
// positions, velocities, and the arrays that `setup` registers with carom_state_add_array or carom_state_add_nodal. They are
// saved, restored, hashed and checked for finite values automatically.
//
// A method can be written at two levels. It may do everything itself with carom_state_edit_positions,
// carom_state_edit_velocities and the masses of the model. Or it is a splitting method, built from the kicks and drifts of
// carom_kick_drift: these evaluate the forces, impose the restraints, resolve carom's contact at its times inside the drift,
// and update the ledger. Leapfrog is then:
//
//     static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
//         carom_kick_drift *nodes;
//         carom_status status = carom_kick_drift_create(stepper, state, true, &nodes, error);
//         carom_stepper_set_workspace(stepper, nodes);
//         // half a kick leads from the initial velocities to those of the first drift
//         return status ? status : carom_kick_drift_kick(nodes, state, 0.5 * carom_stepper_step(stepper), 1, error);
//     }
//
//     static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
//         carom_kick_drift *nodes = carom_stepper_workspace(stepper);
//         double h = carom_stepper_step(stepper);
//         carom_status status = carom_kick_drift_drift(nodes, state, h, error);
//         if (status)
//             return status;
//         carom_stepper_advance_time(stepper, state);
//         // half of this kick belongs to the time before, half to the time after
//         status = carom_kick_drift_kick(nodes, state, h, 0.5, error);
//         return status ? status : carom_kick_drift_finish(nodes, state, error);
//     }
//
//     static void release(carom_stepper *stepper) {
//         carom_kick_drift_release(carom_stepper_workspace(stepper));
//         carom_stepper_set_workspace(stepper, NULL);
//     }
//
//     static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
//         (void)params;
//         return carom_model_has_frames(model) ? carom_fail(error, CAROM_BAD_INPUT, "no beams") : CAROM_OK;
//     }
//
//     static const carom_integrator leapfrog = {
//         .kind = {.name = "leapfrog", .summary = "Explicit Newmark, written as kick and drift.", .reference = ""},
//         .claims = {.linear_momentum = true, .energy = CAROM_ENERGY_BOUNDED, .symplectic = true, .order = 2},
//         .accepts = accepts, .setup = setup, .step = step, .release = release,
//     };
//
// `(carom_pick){&leapfrog.kind, NULL}` is then a pick for carom_sim_create; carom_register_integrator makes it available in
// scenes.
//
// Rules: a step is deterministic, its sums have a fixed order whatever the number of threads, and the workspace carries no
// information from one step to the next. Errors are returned with carom_fail; a step that cannot continue returns
// CAROM_NUMERICAL, and the simulation returns to the last admissible state.
#ifndef CAROM_STEPPER_H
#define CAROM_STEPPER_H

#include "carom/integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

// The model that the method works on, its parameters (of kind.params_size bytes; the method casts them to its own struct) and
// the length of a time step. All three are constant for the life of the stepper.
CAROM_API const carom_model *carom_stepper_model(const carom_stepper *stepper);
CAROM_API const void *carom_stepper_params(const carom_stepper *stepper);
CAROM_API double carom_stepper_step(const carom_stepper *stepper);

// The one pointer that the stepper keeps for the method. Set it in `setup` even if a call fails (see above): `release` is
// called if and only if it is not NULL, even after a failed `setup`.
CAROM_API void *carom_stepper_workspace(const carom_stepper *stepper);
CAROM_API void carom_stepper_set_workspace(carom_stepper *stepper, void *workspace);

// Ends the step in time: increments the counter and sets time = count x step. Times are never summed up, so they do not collect
// rounding errors.
CAROM_API void carom_stepper_advance_time(const carom_stepper *stepper, carom_state *state);

// The last call of a step that does not use carom_kick_drift_finish. Velocities and ledger must be at the new time. Records the
// separation speed of bodies that have just separated. With `finite` false it counts CAROM_EVENT_NOT_FINITE and fails with
// CAROM_NUMERICAL.
CAROM_API carom_status carom_stepper_finish_step(const carom_stepper *stepper, carom_state *state, bool finite,
                                                 carom_error *error);

// For a method that defers velocities or ledger terms (carom_integrator.synchronize): call it at the end of each such step.
// The simulation then calls `synchronize` before they are read.
CAROM_API void carom_stepper_set_stale(carom_stepper *stepper);

// Resets the ledger's initial energy and momenta to the current ones, as the method measures them (carom_integrator.measure).
// For a `setup` that has changed them.
CAROM_API void carom_stepper_restart_ledger(const carom_stepper *stepper, carom_state *state);

// Properties that a method may have to refuse in `accepts`: nodes with frames (beams), damping of bodies, bodies or planes that
// can touch, velocities or loads that change in time.
CAROM_API bool carom_model_has_frames(const carom_model *model);
CAROM_API bool carom_model_has_damping(const carom_model *model);
CAROM_API bool carom_model_has_contact(const carom_model *model);
CAROM_API bool carom_model_has_schedules(const carom_model *model);

// Forces, kicks and drifts of all nodes of a model without frames. It holds scratch memory and w, the velocity between two
// kicks, which is an array of the state.
typedef struct carom_kick_drift carom_kick_drift;

// Makes one at the positions and velocities of the state; w starts as the velocities. With `contact` the drift resolves impacts
// at their times and the kick prevents approach of touching bodies; without it bodies pass through each other. CAROM_BAD_INPUT
// for a model with frames and, with contact, for `contact.resolve: projection`. Release in any case, also after a failure.
CAROM_API carom_status carom_kick_drift_create(carom_stepper *stepper, carom_state *state, bool contact,
                                               carom_kick_drift **nodes, carom_error *error);
CAROM_API void carom_kick_drift_release(carom_kick_drift *nodes);

// w of all nodes, free to be read and changed. A method that changes it must record the changes of energy and momentum.
CAROM_API double (*carom_kick_drift_velocities(carom_kick_drift *nodes))[3];

// Time within a step starts at the time of the state, each drift advances it by its h, and carom_stepper_advance_time makes it
// the new time of the state. Kicks and drifts happen at that time.
//
// w <- w + h M^-1 f at the positions of the state and the time within the step, with all loads, damping, restraints and
// touching contacts, all of it recorded. `after` is the share of this kick that belongs to the time after the state's: 1/2 for
// a kick between two steps of leapfrog, 1 for the half kick that starts it, 0 for one whose effect is complete at the time of
// the state. The pending share of a kick is recorded as complete at the next kick.
CAROM_API carom_status carom_kick_drift_kick(carom_kick_drift *nodes, carom_state *state, double h, double after,
                                             carom_error *error);

// x <- x + h w, 0 < h <= the step, with impacts during the drift resolved and recorded one after another. The time of the state
// stays as it is. Restrained nodes move with the velocity that is prescribed for the middle of the drift; if their w changes
// for this, because the drift is shorter than the step or not the first of it, the reaction is recorded.
//
// The energy error of impacts inside a drift is returned by the next kick if drift and kick both have the length of the step.
// Otherwise it remains and appears in the residual. The drift takes 2 (w - v), with v the velocities of the state, as the
// change of velocity by the last kick, and with restitution below 1 it stops bounces slower than this. That is correct after
// carom_kick_drift_finish; with a method that sets v = w bounces are never stopped.
CAROM_API carom_status carom_kick_drift_drift(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error);

// Velocities of the state become (w- + w+)/2, the mean of those before and after the last kick, and the step ends as by
// carom_stepper_finish_step.
CAROM_API carom_status carom_kick_drift_finish(carom_kick_drift *nodes, carom_state *state, carom_error *error);

// For `measure` of a leapfrog method (carom_integrator): energies and momenta of the state, the oscillation of the
// energy about the one that leapfrog conserves, and the open accounts of bouncing pairs.
CAROM_API void carom_kick_drift_measure(carom_kick_drift *nodes, const carom_state *state, carom_ledger_row *row);

// For non-splitting methods: forces of elements, gravity and loads on all nodes at positions x and a time, without damping,
// restraints and contact, in the fixed order of sums. Counts the element evaluations in the state.
CAROM_API void carom_kick_drift_force(carom_kick_drift *nodes, carom_state *state, double time, const double (*x)[3],
                                      double (*force)[3]);

// Sets the restrained components of velocities of all nodes to those that are prescribed at a time.
CAROM_API void carom_kick_drift_impose(carom_kick_drift *nodes, double time, double (*v)[3]);

#ifdef __cplusplus
}
#endif
#endif
