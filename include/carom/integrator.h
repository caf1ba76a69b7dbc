// SPDX-License-Identifier: MIT
// Integrators, methods of time integration: one const table each, with parameters and claims (promised properties, such as
// exact momentum). The claims are executable: one conformance test runs every claim of every integrator and fails if one is
// false. A table can be written outside the library; stepper.h says how.
#ifndef CAROM_INTEGRATOR_H
#define CAROM_INTEGRATOR_H

#include "carom/model.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

// The energy of smooth motion, without contact, damping and loads that change in time.
typedef enum carom_energy_claim {
    CAROM_ENERGY_NONE,    // no promise
    CAROM_ENERGY_BOUNDED, // the error oscillates and falls with the step; there is no drift
    CAROM_ENERGY_EXACT,   // the error is rounding, and the tolerance of the solver
} carom_energy_claim;

// The promises of an integrator. Each is tested on free motion; those on momenta and energy also through impacts.
typedef struct carom_claims {
    bool linear_momentum;      // exact to rounding, contact included
    bool angular_momentum;     // exact to rounding for elements that are invariant under rotation; in contact, where the
                               // two points that touch coincide
    carom_energy_claim energy; // of smooth motion
    bool contact_energy;       // no impulse adds energy, and its loss is recorded exactly
    bool symplectic;           // of smooth motion: the map of one step preserves dx ^ dp
    bool reversible;           // of smooth motion: reversed velocities lead back along the same path
    int order;                 // of convergence of smooth motion
} carom_claims;

// One integrator at work on one model: its parameters, its step and its scratch memory (stepper.h). State that must survive a
// restart is in carom_state, never here.
typedef struct carom_stepper carom_stepper;

// The kind of a result determines where it is shown.
typedef enum carom_method_result_kind {
    CAROM_RESULT_COUNTS,     // whole numbers, named by `labels`: an object of the summary
    CAROM_RESULT_NODAL,      // a vector per node: a field of the frames; a method has one at most
    CAROM_RESULT_RESULTANTS, // four vectors: loads, their moment about the origin, reactions of restraints, their moment
    CAROM_RESULT_STABLE_TO,  // one number: the load factor up to which all equilibria were stable, once one is not
} carom_method_result_kind;

// A result that a method provides in addition to positions, velocities and the ledger. It lives in an array of the state, so it
// is saved, restored and hashed with the state.
typedef struct carom_method_result {
    const char *name;              // in files and messages; NULL ends a table of results
    carom_method_result_kind kind; // where it is shown
    const char *array;             // the array of the state that holds it; `setup` registers it under this name
    int begin;                     // index of its first number in that array
    const char *const *labels;     // of counts, one per number; ends with NULL
    const char *doc;               // one sentence
} carom_method_result;

// Features that a model may need and a method may lack (carom_lack). carom_integrator_accepts refuses a model that needs a
// feature which its method lacks. The last ones, from contact of bodies on, it cannot find in a model: there `when` of
// the lack, or the function `accepts` in the table of the method, decides.
typedef enum carom_need {
    CAROM_NEED_NONE,
    CAROM_NEED_FRAMES,            // nodes that turn: beams
    CAROM_NEED_RIGID,             // rigid bodies
    CAROM_NEED_TIES,              // `tied` and `connections` between deformable bodies
    CAROM_NEED_WINDOWS,           // restraints that hold for a time
    CAROM_NEED_OBSTACLES,         // obstacles
    CAROM_NEED_HISTORY,           // materials with history
    CAROM_NEED_BRANCHES,          // viscous branches combined with plasticity
    CAROM_NEED_DAMPING,           // damping of bodies
    CAROM_NEED_STIFFNESS_DAMPING, // damping of bodies in proportion to their stiffness
    CAROM_NEED_SCHEDULES,         // loads and motions that change in time
    CAROM_NEED_CONTACT,           // contact of bodies
    CAROM_NEED_SURFACES,          // contact of surfaces
    CAROM_NEED_RESTITUTION,       // restitution below 1
    CAROM_NEED_FRICTION,          // friction
    CAROM_NEED_COUNT
} carom_need;

// A feature that a method does not support, always or with some of its settings.
typedef struct carom_lack {
    carom_need need;
    const char *with;                                           // these settings, in words; NULL: always
    bool (*when)(const carom_model *model, const void *params); // whether they are given; NULL: always
    const char *instead; // the settings that help, in words; NULL: another method; "or ...": both
} carom_lack;

// How processes of one run share its work (parallel.h).
typedef enum carom_sharing {
    CAROM_SHARES_NOTHING, // the method runs on one process
    CAROM_SHARES_PARTS,   // each has a part of the model
    CAROM_SHARES_SOLVER,  // each has the whole model, and they share the solution of linear systems
} carom_sharing;

// The table of an integrator. A simulation asks carom_integrator_accepts and calls `setup` once, then `step` for each time
// step, and `release` at the end. Members that may be NULL are marked.
typedef struct carom_integrator {
    carom_kind kind;     // name, summary, publication and parameters
    carom_claims claims; // promises, tested
    // Unsupported features, tested as well; ends with CAROM_NEED_NONE. NULL: none.
    const carom_lack *lacks;
    bool device;      // forces can be found, and motions kept, by a device
    bool implicit;    // every step is stable: the stable step of the model neither bounds it nor explains a failure
    bool equilibrium; // states are equilibria and time is the load factor: no velocities, no momenta, no inertia
    bool substeps;    // elements have substeps: no stable step bounds the step
    bool divides;     // steps can be divided where bodies stiffen (`time.follow`)
    bool at_ends;     // contact is resolved for the ends of steps: the run searches for surfaces that have passed between
    carom_sharing sharing;
    // Results in addition to positions, velocities and the ledger; ends with a row without a name. NULL: none.
    const carom_method_result *results;
    // Settings of `contact` that have no effect on this method; ends with NULL. NULL: every setting has one.
    const char *const *ignored;
    // The parameters under which the claims hold, and other limits. NULL: none.
    const char *conditions;
    // Further remedy for a large energy error, printed after "use a smaller time.step": begins with a comma, or is empty if
    // there is none. NULL: a smaller restitution, if bodies bounce.
    const char *remedy;
    // True if the last bits of results with these parameters may differ from run to run. NULL: they never do.
    bool (*varies)(const void *params);
    // Says why this program cannot run the method with these parameters though another build could, as CAROM_BAD_INPUT. NULL:
    // every program can. A simulation asks before `accepts`; a scene may still be read and checked.
    carom_status (*available)(const void *params, carom_error *error);
    // Says why this method cannot integrate a model that needs nothing of what it lacks, as CAROM_BAD_INPUT; CAROM_OK if it
    // can.
    carom_status (*accepts)(const carom_model *model, const void *params, carom_error *error);
    // True if surfaces may overlap before contact acts on them, by a penalty or between two overlap checks, so that they could
    // pass through each other: the run then searches for nodes deep inside other bodies. NULL: contact prevents overlap.
    bool (*overlaps)(const carom_model *model, const void *params);
    // True if faces that the audit counts as intersecting may only touch, or belong to bars whose lines do not take part in
    // contact: the count is then no reason to fail. NULL: surfaces in contact keep a distance.
    bool (*touches)(const carom_model *model, const void *params);
    // The largest step as a multiple of the stable step of the model. NULL: 1.
    double (*stability)(const void *params);
    // The step that `time.step: auto` multiplies by the safety factor. NULL: the stable step of the model.
    double (*advised_step)(const carom_model *model, const void *params);
    // Allocates scratch memory, registers state arrays, and prepares the state at its initial time.
    carom_status (*setup)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Advances the state by one step.
    carom_status (*step)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Advances velocities and pending ledger terms to the time of the state, for a method whose steps defer them because they
    // are costly and may not be needed. It changes nothing that the next step depends on. NULL: every step leaves them at the
    // time of the state.
    carom_status (*synchronize)(carom_stepper *stepper, carom_state *state, carom_error *error);
    // Energies and momenta of a synchronized state, for a method that defines them otherwise than by positions and velocities.
    // Fills kinetic, internal, external (without the work of prescribed motion and live loads), momentum and angular_momentum
    // of a row of zeros. NULL: they are those of positions and velocities.
    void (*measure)(const carom_stepper *stepper, const carom_state *state, carom_ledger_row *row);
    // The oscillation of a synchronized state, for a method whose rows do not show it always: it is shown where it explains a
    // residual of more than a percent. NULL: rows always show it.
    double (*oscillation)(const carom_stepper *stepper, const carom_state *state);
    // Frees the memory of setup, also after a setup that failed halfway.
    void (*release)(carom_stepper *stepper);
} carom_integrator;

// All integrators: "newmark-dcr", "asynchronous", "multisymplectic", "energy-momentum", "nonsmooth-newmark".
CAROM_API const carom_catalogue *carom_integrators(void);

// Adds an integrator to this catalogue, so that scenes, `carom info` and carom_pick_of know it by its name; rules as of
// carom_register_material (material.h). A pick may also point to one that is not registered; carom_sim_create
// refuses a table without accepts, setup, step or release.
CAROM_API carom_status carom_register_integrator(const carom_integrator *integrator, carom_error *error);

// The words for a need: "rigid bodies", ...
CAROM_API const char *carom_need_name(carom_need need);

// CAROM_OK if the method can integrate the model with these parameters; otherwise CAROM_BAD_INPUT, what the method lacks, and
// which methods have it.
CAROM_API carom_status carom_integrator_accepts(const carom_integrator *integrator, const carom_model *model,
                                                const void *params, carom_error *error);

// CAROM_OK if this program can run that integrator with its parameters; otherwise CAROM_BAD_INPUT and what is missing.
CAROM_API carom_status carom_integrator_available(carom_pick integrator, carom_error *error);

// The largest step of an integrator with these parameters, as a multiple of the stable step of the model; HUGE_VAL: unlimited.
CAROM_API double carom_integrator_stability(const carom_integrator *integrator, const void *params);

// The first result of that kind of an integrator, or NULL.
CAROM_API const carom_method_result *carom_integrator_result(const carom_integrator *integrator, carom_method_result_kind kind);

// The numbers of a result in a state of that integrator: as many as its kind says.
CAROM_API const double *carom_method_result_values(const carom_method_result *result, const carom_state *state);

// `newmark-dcr` has no parameters of its own: contact settings belong to the model, the step to the run.

// The meaning of the initial velocities for `multisymplectic`.
typedef enum carom_multisymplectic_start {
    CAROM_START_LEVEL, // velocities at time 0: second order
    CAROM_START_SLAB,  // velocities of the whole first step, as in the paper
} carom_multisymplectic_start;

// How `multisymplectic` keeps the energy through an impact.
typedef enum carom_multisymplectic_rule {
    CAROM_RULE_AUTO,    // kinked; target for models with beams
    CAROM_RULE_KINKED,  // the levels stay on the grid of time, and contact changes between them: no beams
    CAROM_RULE_TARGET,  // an impact is a level of its own and aims at the energy of the motion: beams, at short steps
    CAROM_RULE_PRINTED, // an impact is a level of its own between slabs of equal energy, as in the paper
} carom_multisymplectic_rule;

// `multisymplectic`
typedef struct carom_multisymplectic_params {
    int contact_integrator; // 1: impacts at their exact times; 2: massless virtual tips of bars
    int contact_rule;       // carom_multisymplectic_rule
    int start;              // carom_multisymplectic_start
} carom_multisymplectic_params;

// All analyses without motion in time: "static". Each is a carom_integrator whose time is the load factor, without claims; give
// it to carom_sim_create with the time of carom_static_time.
CAROM_API const carom_catalogue *carom_analyses(void);

// How `energy-momentum` and `static` solve the linear systems of Newton's method.
typedef enum carom_solver {
    CAROM_SOLVER_AUTO,   // energy-momentum: directly up to 30,000 unknowns, by cg beyond; static: directly
    CAROM_SOLVER_DIRECT, // by elimination, with one thread
    CAROM_SOLVER_CG,     // by conjugate gradients with all threads; directly where they do not converge
    CAROM_SOLVER_PETSC,  // by PETSc with multigrid, else directly; in carom-mpi only; bits may differ from run to run
} carom_solver;

// `static`: equilibrium at load factors from 0 to 1, in equal steps. Gravity and loads without a schedule of their own grow
// with the factor; the time of a schedule is the factor; a prescribed velocity is the displacement at the factor 1.
typedef struct carom_static_params {
    int steps;        // load steps
    bool linear;      // small displacements: one linear system for all steps
    double tolerance; // unbalanced force over all forces, a pure number
    int iterations;   // of Newton's method in a load step, at most
    int halvings;     // of a load step that does not converge, at most
    int on_event;     // carom_on_event: the effect of a numerical event, such as the loss of stability
    int solver;       // carom_solver
} carom_static_params;

// How `energy-momentum` balances momentum over a step.
typedef enum carom_energy_momentum_scheme {
    CAROM_EM_CONSERVING, // at the midpoint, with stresses whose work is the change of stored energy
    CAROM_EM_MIDPOINT,   // at the midpoint, with the stresses of the midpoint
    CAROM_EM_NEWMARK,    // at the end: Newmark's method
} carom_energy_momentum_scheme;

// The velocity update of `energy-momentum`, which restores the energy that contact took, except that of friction.
typedef enum carom_energy_momentum_update {
    CAROM_EM_UPDATE_OFF,      // the energy is lost, and recorded as projection
    CAROM_EM_UPDATE_ON,       // it is given back
    CAROM_EM_UPDATE_SMALLEST, // it is given back by the other root of the update's equations
} carom_energy_momentum_update;

// Treatment of friction in the velocity update of `energy-momentum`.
typedef enum carom_energy_momentum_friction {
    CAROM_EM_FRICTION_COULOMB, // its impulses obey Coulomb's law, and their tangential work is friction
    CAROM_EM_FRICTION_PAPER,   // they have the direction of the whole traction, as in the paper
} carom_energy_momentum_friction;

// `energy-momentum`
typedef struct carom_energy_momentum_params {
    int scheme;          // carom_energy_momentum_scheme
    int velocity_update; // carom_energy_momentum_update; Newmark's method has none
    int update;          // carom_energy_momentum_friction, of CAROM_EM_UPDATE_ON
    double penalty;      // force / length^3; NaN: from the bodies
    double tangential;   // force time / length^3; NaN: penalty times step
    int slave;           // which of two bodies carries the contact points: 0 the first, 1 the second, 2 both
    int quadrature;      // where contact points are: 0 Gauss points of faces, 1 nodes
    double reach;        // length: how far from a face a point may be to see it; NaN: from the bodies
    int augmented;       // passes of the augmented Lagrangian; 0: penalty alone; CAROM_AUTO: where contact lasts
    double beta, gamma;  // of Newmark's method
    double tolerance;    // residual of the balance of momentum, relative to its parts
    int iterations;      // of Newton's method, at most
    int halvings;        // of a step that does not converge, at most
    int solver;          // carom_solver
} carom_energy_momentum_params;

// The time at which contact forces of `nonsmooth-newmark` take their directions.
typedef enum carom_nonsmooth_gradients {
    CAROM_NONSMOOTH_MIDPOINT, // in the middle of the step, which conserves angular momentum
    CAROM_NONSMOOTH_END,      // at its end, as in the paper
} carom_nonsmooth_gradients;

// The face against which `nonsmooth-newmark` holds a node that has entered a body.
typedef enum carom_nonsmooth_pairing {
    CAROM_NONSMOOTH_CROSSED, // the face that the node has crossed
    CAROM_NONSMOOTH_CLOSEST, // the closest face of the body
} carom_nonsmooth_pairing;

// The constraint function of `nonsmooth-newmark`.
typedef enum carom_nonsmooth_measure {
    CAROM_NONSMOOTH_SIGNED, // signed areas in the plane, signed volumes in space
    CAROM_NONSMOOTH_GAP,    // distances
} carom_nonsmooth_measure;

// What friction of `nonsmooth-newmark` opposes.
typedef enum carom_nonsmooth_slip {
    CAROM_NONSMOOTH_RATE,      // the slip rate at the end of the step: an impact that sticks ends without sliding
    CAROM_NONSMOOTH_INCREMENT, // the slip over the step, as in the paper: an impact that sticks reverses the sliding
} carom_nonsmooth_slip;

// How `nonsmooth-newmark` enforces the constraint.
typedef enum carom_nonsmooth_contact {
    CAROM_NONSMOOTH_CONSTRAINT, // exactly, by multipliers
    CAROM_NONSMOOTH_PENALTY,    // by a stiffness, for comparison
} carom_nonsmooth_contact;

// `nonsmooth-newmark`
typedef struct carom_nonsmooth_newmark_params {
    double beta, gamma; // of Newmark's method
    int gradients;      // carom_nonsmooth_gradients
    int pairing;        // carom_nonsmooth_pairing
    int measure;        // carom_nonsmooth_measure
    int slip;           // carom_nonsmooth_slip
    int contact;        // carom_nonsmooth_contact
    double penalty;     // force / length; NaN: from masses and step
    int passes;         // quadratic programmes of a step, at most
    double tolerance;   // of positions, relative to the largest coordinate
    int halvings;       // of a step in which contact does not converge, at most
} carom_nonsmooth_newmark_params;

// When contact acts in `asynchronous`.
typedef enum carom_asynchronous_contact {
    CAROM_ASYNCHRONOUS_EXACT,      // at times of impact
    CAROM_ASYNCHRONOUS_SEQUENTIAL, // overlap of all nodes is checked at the same times
    CAROM_ASYNCHRONOUS_CONSTANT,   // each node with the shortest step of the elements around it
    CAROM_ASYNCHRONOUS_ADAPTIVE,   // more often if the node is fast
} carom_asynchronous_contact;

// `asynchronous`
typedef struct carom_asynchronous_params {
    double beta;  // step of each element over its critical one, a pure number
    int classes;  // steps are rounded down to so many values per factor of two; 0: not rounded
    int contact;  // carom_asynchronous_contact
    double alpha; // path of a node between two overlap checks over its size, with CAROM_ASYNCHRONOUS_ADAPTIVE; a pure number
    bool centred; // contact acts on the velocities at its time
} carom_asynchronous_params;

#ifdef __cplusplus
}
#endif
#endif
