// SPDX-License-Identifier: MIT
// Integrators: one const table each, with parameters and claims. The claims are executable: one conformance test runs over all
// integrators and checks every one of them.
#ifndef CAROM_INTEGRATOR_H
#define CAROM_INTEGRATOR_H

#include "carom/model.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_energy_claim {
    CAROM_ENERGY_NONE,
    CAROM_ENERGY_BOUNDED, // without contact and loads the error oscillates and falls with the step, no drift
    CAROM_ENERGY_EXACT,   // to round-off (and the tolerance of a solver)
} carom_energy_claim;

// What an integrator promises. Each is checked on free motion and, for momenta and energy, through impacts.
typedef struct carom_claims {
    bool linear_momentum; // exact to round-off, contact included
    bool
        angular_momentum; // exact to round-off for rotation-invariant elements, and in contact where the points that touch coincide
    carom_energy_claim energy; // smooth motion
    bool contact_energy;       // no impulse adds energy, and what it takes is booked exactly
    bool symplectic;           // smooth motion: the map of one step preserves dx ^ dp
    bool reversible;           // smooth motion: turning the velocities runs back along the same path
    int order;                 // convergence order of smooth motion
} carom_claims;

// The place where one integrator works on one model: its parameters and scratch memory. What must survive a restart is in the
// state, never here.
typedef struct carom_stepper carom_stepper;

// What a result of a method is, and who shows it.
typedef enum carom_method_result_kind {
    CAROM_RESULT_COUNTS,     // whole numbers, named by `labels`: an object of the summary
    CAROM_RESULT_NODAL,      // a vector per node: a field of the frames; a method has one at most
    CAROM_RESULT_RESULTANTS, // four vectors: loads, their moment about the origin, reactions of restraints, their moment
    CAROM_RESULT_STABLE_TO,  // one number: the load factor up to which all equilibria were stable, once one is not
} carom_method_result_kind;

// A result that a method offers beside positions, velocities and books. It lives in an array of the state, so that it is saved,
// restored and hashed with the state.
typedef struct carom_method_result {
    const char *name; // in files and messages; NULL ends a table of results
    carom_method_result_kind kind;
    const char *array;         // the array of the state that holds it, under which `setup` registers it
    int begin;                 // index of its first number there
    const char *const *labels; // of counts, one per number; ends with NULL
    const char *doc;           // one sentence
} carom_method_result;

typedef struct carom_integrator {
    carom_kind kind;
    carom_claims claims;
    bool implicit;    // any step is stable: the stable step of the model neither bounds it nor explains a failure
    bool equilibrium; // states are equilibria and time is the load factor: no velocities, no momenta, no inertia
    bool substeps;    // a step is a window in which elements take steps of their own: no stable step bounds it
    // What it offers beside positions, velocities and books; ends with a row without a name. NULL: nothing.
    const carom_method_result *results;
    // Settings of `contact` that have no effect on it; ends with NULL. NULL: each has one.
    const char *const *ignored;
    // Under which of its parameters the claims hold, and what else a user must know of them; NULL: nothing.
    const char *conditions;
    // Why this model cannot be integrated by this method, as CAROM_BAD_INPUT; CAROM_OK if it can.
    carom_status (*accepts)(const carom_model *model, const void *params, carom_error *error);
    // How many times the stable step of the model a step may be; NULL: once.
    double (*stability)(const void *params);
    // The step of which `time.step: auto` takes the safety fraction; NULL: the stable step of the model.
    double (*advised_step)(const carom_model *model, const void *params);
    // Allocates scratch memory, registers state arrays, and prepares the state at its initial time.
    carom_status (*setup)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Advances the state by one step.
    carom_status (*step)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Brings velocities and pending books to the time of the state, for a method whose steps leave them for later because nobody may
    // ask. Changes nothing that the next step depends on. NULL: each step leaves them at the time of the state.
    carom_status (*synchronize)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Energies and momenta of a synchronized state where the method defines them otherwise than by positions and velocities: fills
    // kinetic, internal, external (without the work of prescribed motion and live loads), momentum and angular_momentum of a row
    // of zeros. NULL: they are those of positions and velocities.
    void (*measure)(const carom_stepper *stepper, const carom_state *state, carom_ledger_row *row);
    // Frees what setup allocated.
    void (*release)(carom_stepper *stepper);
} carom_integrator;

// All integrators: "newmark-dcr", "asynchronous", "multisymplectic", "energy-momentum", "nonsmooth-newmark".
CAROM_API const carom_catalogue *carom_integrators(void);

// How many times the stable step of the model a step of an integrator with these parameters may be; HUGE_VAL: any number.
CAROM_API double carom_integrator_stability(const carom_integrator *integrator, const void *params);

// The first result of that kind that an integrator offers, or NULL.
CAROM_API const carom_method_result *carom_integrator_result(const carom_integrator *integrator, carom_method_result_kind kind);

// The numbers of a result in a state of that integrator: as many as its kind says.
CAROM_API const double *carom_method_result_values(const carom_method_result *result, const carom_state *state);

// `newmark-dcr` has no parameters of its own: contact settings belong to the model, the step to the run.

typedef enum carom_multisymplectic_start {
    CAROM_START_LEVEL, // initial velocities are those at time 0
    CAROM_START_SLAB,  // they are those of the first step
} carom_multisymplectic_start;

// `multisymplectic`
typedef struct carom_multisymplectic_params {
    int contact_integrator; // 1: impacts at their exact times; 2: massless virtual tips of bars
    int start;              // carom_multisymplectic_start
} carom_multisymplectic_params;

// All analyses that are no motion in time: "static". Each is a carom_integrator whose time is the load factor, without claims; give it
// to carom_sim_create with the time of carom_static_time.
CAROM_API const carom_catalogue *carom_analyses(void);

// `static`: equilibrium at load factors from 0 to 1, in equal steps. Loads without a history of their own and gravity grow with the factor; the
// time of histories is the factor; a prescribed velocity is the displacement at the factor 1.
typedef struct carom_static_params {
    int steps;        // load steps
    bool linear;      // small displacements: one linear system for all steps
    double tolerance; // pure number: unbalanced force over all forces
    int iterations;   // of Newton's method, per load step
    int halvings;     // of a load step that does not converge
    int on_event;     // carom_on_event: what a numerical event does, such as the loss of stability
} carom_static_params;

typedef enum carom_energy_momentum_scheme {
    CAROM_EM_CONSERVING, // midpoint balance with stresses that conserve energy
    CAROM_EM_MIDPOINT,   // midpoint balance with the stresses of the middle
    CAROM_EM_NEWMARK,    // Newmark's method
} carom_energy_momentum_scheme;

typedef enum carom_energy_momentum_update {
    CAROM_EM_UPDATE_OFF,
    CAROM_EM_UPDATE_ON,
    CAROM_EM_UPDATE_SMALLEST, // by the other root of its equations
} carom_energy_momentum_update;

// `energy-momentum`
typedef struct carom_energy_momentum_params {
    int scheme;          // carom_energy_momentum_scheme
    int velocity_update; // carom_energy_momentum_update; Newmark's method has none
    double penalty;      // force / length^3; NaN: from the bodies
    double tangential;   // force time / length^3; NaN: penalty times step
    int slave;           // which of two bodies carries the points: 0 the first, 1 the second, 2 both
    int quadrature;      // 0 Gauss points of faces, 1 nodes
    double reach;        // length; NaN: from the bodies
    int augmented;       // passes of the augmented Lagrangian; 0: penalty alone; CAROM_AUTO: where contact lasts
    double beta, gamma;  // of Newmark's method
    double tolerance;    // of the balance of momentum, relative
    int iterations;      // of Newton's method, at most
    int halvings;        // how often a step may be halved that does not converge
} carom_energy_momentum_params;

typedef enum carom_nonsmooth_gradients {
    CAROM_NONSMOOTH_MIDPOINT, // contact forces by the gradients in the middle of the step
    CAROM_NONSMOOTH_END,      // at its end
} carom_nonsmooth_gradients;

typedef enum carom_nonsmooth_pairing {
    CAROM_NONSMOOTH_CROSSED, // a node is held against the face that it has crossed
    CAROM_NONSMOOTH_CLOSEST, // against the closest one of the body that it is in
} carom_nonsmooth_pairing;

typedef enum carom_nonsmooth_measure {
    CAROM_NONSMOOTH_SIGNED, // signed areas and volumes
    CAROM_NONSMOOTH_GAP,    // distances
} carom_nonsmooth_measure;

typedef enum carom_nonsmooth_contact {
    CAROM_NONSMOOTH_CONSTRAINT,
    CAROM_NONSMOOTH_PENALTY,
} carom_nonsmooth_contact;

// `nonsmooth-newmark`
typedef struct carom_nonsmooth_newmark_params {
    double beta, gamma; // of Newmark's method
    int gradients;      // carom_nonsmooth_gradients
    int pairing;        // carom_nonsmooth_pairing
    int measure;        // carom_nonsmooth_measure
    int contact;        // carom_nonsmooth_contact
    double penalty;     // force / length; NaN: from masses and step
    int passes;         // quadratic programmes of a step, at most
    double tolerance;   // of positions, relative to coordinates
    int halvings;       // how often a step may be halved in which contact does not settle
} carom_nonsmooth_newmark_params;

// When contact acts.
typedef enum carom_asynchronous_contact {
    CAROM_ASYNCHRONOUS_EXACT,      // at times of impact
    CAROM_ASYNCHRONOUS_SEQUENTIAL, // all nodes look for overlap at one time
    CAROM_ASYNCHRONOUS_CONSTANT,   // each with the shortest step of the elements around it
    CAROM_ASYNCHRONOUS_ADAPTIVE,   // more often if it is fast
} carom_asynchronous_contact;

// `asynchronous`
typedef struct carom_asynchronous_params {
    double beta;  // pure number: step of each element over its critical one
    int classes;  // steps per factor of two that they are rounded down to; 0: not rounded
    int contact;  // carom_asynchronous_contact
    double alpha; // pure number: way of a node between two looks over its size, with CAROM_ASYNCHRONOUS_ADAPTIVE
    bool centred; // contact acts on the velocities at its time
} carom_asynchronous_params;

#ifdef __cplusplus
}
#endif
#endif
