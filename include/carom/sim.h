// SPDX-License-Identifier: MIT
// A simulation: a model, an integrator and a state, advanced step by step. All that a program with its own
// time loop needs; carom_run (run.h) adds output, progress, checkpoints and signals.
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/integrator.h"
#include "carom/parallel.h"
#include "carom/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adaptive division of steps while a body is stiffer than at the start, or compressed too fast.
typedef enum carom_follow_mode {
    CAROM_FOLLOW_AUTO, // where the step is automatic, as are those of elements with substeps
    CAROM_FOLLOW_ON,   // also where it is given
    CAROM_FOLLOW_OFF,
} carom_follow_mode;

// Time settings. A simulation begins at time 0.
typedef struct carom_time_def {
    double end;          // [time] the run ends with the first whole step at or after it
    double step;         // [time] NaN: safety times the stable step
    double safety;       // [1] used with an automatic step
    int follow;          // carom_follow_mode
    int on_event;        // carom_on_event
    double energy_error; // [1] largest unexplained energy, relative to the energy scale
    int retries;         // how often a failed run starts again with half the step (carom_sim_retries)
    int halvings;        // how often an automatic step, and those of elements with substeps, are halved (carom_time_of_attempt)
} carom_time_def;

// An automatic step, half of the stable one; `end` has no default and must be set.
CAROM_API carom_time_def carom_default_time_def(void);
// The table of carom_time_def.
CAROM_API const carom_param *carom_time_params(int *count);

// The times of one attempt at a run: attempt 0 has the steps given, each later one half of those of the one before.
CAROM_API carom_time_def carom_time_of_attempt(const carom_time_def *time, int attempt);

// The time of a static analysis (carom_analyses): load factors from 0 to 1. NULL: with the default parameters.
CAROM_API carom_time_def carom_static_time(const carom_static_params *params);

// The steps of a run before it begins.
typedef struct carom_time_plan {
    double step;   // [time] the step in use
    int64_t steps; // to the end
    double bound;  // [time] the largest stable step of the method; HUGE_VAL: any step
    bool unstable; // the step is longer than that, which on_event: warn allows
} carom_time_plan;

// The steps that a simulation would choose, without making one. Fails like carom_sim_create on times that it would refuse.
CAROM_API carom_status carom_time_plan_of(const carom_time_def *time, const carom_model *model, carom_pick integrator,
                                          carom_time_plan *plan, carom_error *error);

// One running simulation: a model, an integrator with its scratch memory, and the state. Opaque; belongs to one thread at a
// time.
typedef struct carom_sim carom_sim;

// The model must outlive the simulation. `integrator` is a pick from carom_integrators().
CAROM_API carom_status carom_sim_create(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                        carom_sim **sim, carom_error *error);
// The same by all processes together (carom/parallel.h), each with a part of the model: rank 0 gives the whole, and on the
// others the arguments before `sim` are ignored. With one process there is no difference. CAROM_BAD_INPUT if the program lacks
// the library that distributes the nodes.
CAROM_API carom_status carom_sim_create_shared(const carom_model *model, carom_pick integrator, const carom_time_def *time,
                                               carom_partition partition, carom_sim **sim, carom_error *error);
// Releases the simulation and its state, not the model. NULL is permitted.
CAROM_API void carom_sim_release(carom_sim *sim);

// Computes the forces of elements on the GPU of this machine from now on; results have the same bits. CAROM_BAD_INPUT, and
// nothing changes, if there is no GPU, if it has too little memory, or if the GPU does not support the method, an element or a
// material. With the environment variable CAROM_DEVICE_EMULATE the processor emulates the GPU, slowly.
CAROM_API carom_status carom_sim_use_device(carom_sim *sim, carom_error *error);
// The name of the GPU; NULL: the processor computes the forces.
CAROM_API const char *carom_sim_device(const carom_sim *sim);

// Use of the GPU so far.
typedef struct carom_device_use {
    double waiting;  // [s] for copies and forces
    double settling; // [s] of the processor for energies of rows and extremes of stress
    double to, from; // bytes copied to the GPU and from it
    double memory;   // bytes of the model there
    double islands;  // of resting contacts that were solved there
} carom_device_use;
// False if there is none.
CAROM_API bool carom_sim_device_use(const carom_sim *sim, carom_device_use *use);

// The parts of a simulation, owned by it. The state stays the same object for the life of the simulation.
CAROM_API const carom_model *carom_sim_model(const carom_sim *sim);
CAROM_API const carom_state *carom_sim_state(const carom_sim *sim);
CAROM_API const carom_kind *carom_sim_integrator(const carom_sim *sim);
// The ledger at the current time: energies and momenta as the integrator defines them, and losses.
CAROM_API carom_ledger_row carom_sim_ledger(const carom_sim *sim);
// The step in use [time], and the number of steps to the end.
CAROM_API double carom_sim_step_size(const carom_sim *sim);
CAROM_API int64_t carom_sim_step_count(const carom_sim *sim);

// Contact forces are means over windows of the run, of whole steps; the largest one of each pair of bodies is in its record
// (carom_pair_record.peak_force). The length of a window in time: a thousandth of the run and at least four stable steps, or
// what was set, before the first step, rounded to whole steps. A window of a resumed motion is not changed.
CAROM_API double carom_sim_force_window(const carom_sim *sim);
CAROM_API void carom_sim_set_force_window(carom_sim *sim, double length);
// How steps were divided so far.
typedef struct carom_division {
    bool possible;                    // steps may be divided
    double nominal;                   // the step that is divided
    int64_t parts;                    // parts shorter than a step that were taken
    double smallest;                  // the shortest of them; the step itself if there were none
    double time;                      // when it was taken first; NaN: never
    char element[2 * CAROM_NAME_MAX]; // the element that required it; "" if there is none
} carom_division;
CAROM_API carom_division carom_sim_division(const carom_sim *sim);
// True if such a simulation may divide its steps.
CAROM_API bool carom_time_divides(const carom_time_def *time, const carom_model *model, const carom_kind *integrator);
// True once the last step has been taken. Further steps are possible and continue beyond the end.
CAROM_API bool carom_sim_done(const carom_sim *sim);
// Number of threads of a step: one for a small model, else as many as carom_threads().
CAROM_API int carom_sim_threads(const carom_sim *sim);

// The largest step that the integrator of this simulation may take without becoming unstable; HUGE_VAL: any step.
CAROM_API double carom_sim_stable_step(const carom_sim *sim);

// One step; positions, velocities and the ledger are then all at the time of the state. On CAROM_NUMERICAL the state is
// the last admissible state, at most 64 steps back.
CAROM_API carom_status carom_sim_step(carom_sim *sim, carom_error *error);

// Steps until the state's time is at or just past `time`; also stops when the simulation is done (time.end). Does nothing if
// that time has been reached. Fails like carom_sim_step.
CAROM_API carom_status carom_sim_run_until(carom_sim *sim, double time, carom_error *error);

// Replaces positions and velocities of all nodes (NULL leaves that array unchanged) in the order of the model, between two
// steps. Velocities of restrained nodes are those that the restraints prescribe. The integrator is set up again at the present
// time; the resulting change in energy and momenta is recorded as external (`external` and external impulse), so the ledger
// remains balanced. Frames and their spins stay.
//
// Fails with CAROM_BAD_INPUT, and the simulation is as before, if a number is not finite, if faces that touch intersect at the
// new positions, if an element is inverted there (unless time.on_event is `warn`), or if the method is `asynchronous` and a
// step has been taken, because its elements are then at different times.
//
// Nodal impulses, pair records and listeners count each contact impulse once: the contact impulses of the new set-up replace
// the share of the last kick that acts on the following step, and are not counted again.
//
// Setting the velocities that the state has already does not change the motion, except with `multisymplectic`: `start: slab`
// reads them as slab velocities, and a closed contact starts again.
CAROM_API carom_status carom_sim_set_motion(carom_sim *sim, const double (*x)[3], const double (*v)[3], carom_error *error);

// One hit, that is one impulse of contact, as reported to a callback.
typedef struct carom_hit_report {
    carom_contact contact; // the geometry: kind, nodes, weights, bodies (a plane is -1 - its index)
    double time;           // at which it happened
    int64_t step;          // to which it belongs
    double point[3];       // where: the middle of the points that touch
    double gap;            // length between these along the normal; 0 at a contact in the drift of a step
    double normal[3];      // unit vector, towards the first body
    double impulse[3];     // mass length / time, on the first body, friction included; the second gets the opposite
    double normal_impulse; // normal . impulse
    double closing_speed;  // along the normal before the impulse, > 0 if the bodies approached
    double restitution;    // kinetic energy that the normal impulse took; over a run the sum is that of the ledger
    double friction;       // kinetic energy that the tangential impulse took; its sum is in the ledger
    bool slips;            // the tangential impulse is on Coulomb's cone: the point slides
} carom_hit_report;

// Called for each hit of a step once the step is complete, in the order in which they happened, by the thread that called
// carom_sim_step. May read the simulation, but neither step, change nor release it.
typedef void (*carom_hit_function)(void *context, const carom_sim *sim, const carom_hit_report *hit);

// Registers a callback for each hit from now on; NULL: none. Results do not depend on it. After a numerical failure the
// state may be that of an earlier step; the hits since then have already been reported.
CAROM_API void carom_sim_on_hit(carom_sim *sim, carom_hit_function function, void *context);

// The mass-weighted mean over some nodes now, as a probe records it.
typedef struct carom_probe_reading {
    double position[3];     // length
    double displacement[3]; // length, from the reference
    double velocity[3];     // length / time
} carom_probe_reading;

// Reads a probe. Fails with CAROM_BAD_INPUT if the selection names something that does not exist.
CAROM_API carom_status carom_sim_probe(const carom_sim *sim, const carom_selection *where, carom_probe_reading *reading,
                                       carom_error *error);

// Writes all of the state to a file (atomically), and reads it back into a simulation of the same model and integrator.
CAROM_API carom_status carom_sim_save(const carom_sim *sim, const char *path, carom_error *error);
CAROM_API carom_status carom_sim_load(carom_sim *sim, const char *path, carom_error *error);
// The step of the simulation that saved the file; 0 if it cannot be read.
CAROM_API double carom_saved_step(const char *path);

#ifdef __cplusplus
}
#endif
#endif
