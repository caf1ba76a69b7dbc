// SPDX-License-Identifier: MIT
// The members of a simulation (carom_sim), and its functions for the other sources of this folder.
#ifndef CAROM_SIM_SIM_H
#define CAROM_SIM_SIM_H

#include "carom/sim.h"
#include "contact/pairs/audit.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/remote.h"
#include "model/watch/closing.h"
#include "model/watch/deformation.h"
#include "model/watch/lanczos_step.h"
#include "output/run/output.h"
#include "output/tables/contacts.h"

// The whole state of a simulation that several processes share, on the first of them (collect.h).
typedef struct carom_collection carom_collection;

struct carom_sim {
    const carom_model *model;
    const carom_model *whole;     // the model of which this one is a subdomain, on the first process; else NULL
    carom_model *own, *own_space; // models that the simulation releases; NULL: none
    carom_model *view;            // of a model of the caller, whose arrays it has; NULL: none
    carom_collection *collection; // NULL if no other process has a part of the state
    carom_partition partition;    // how nodes are distributed to processes
    double distribution_seconds;  // processor time of this process to create subdomains and simulation
    void *params;                 // copy of the integrator's parameters
    carom_stepper stepper;
    carom_time_def time;
    int64_t step_count;
    carom_state *state;
    carom_state *last_good;    // the state that a numerical failure returns to
    carom_state *balanced;     // the last state whose audit balanced
    carom_vectors checked_x;   // positions at the last check of elements: those before a failure
    carom_remote *checked_by;  // the device that has them; NULL: none
    carom_shape_memory shapes; // of the last check that found no inverted element
    carom_outgrown_space outgrown;
    carom_audit audit;           // of methods that let surfaces overlap: created when needed
    double *edges;               // per body: its shortest edge; HUGE_VAL of point masses
    carom_closing *closing;      // of bodies that cannot yield; NULL: none
    double farthest;             // the largest distance of a node from the origin at the start
    bool unwatched;              // guards are switched off, to measure their cost
    bool unpeaked;               // peaks of stresses are switched off
    bool unbalanced;             // the run has returned to that state
    bool advised;                // the message of a failure contains advice already
    carom_output *output;        // of a run that records impulses; NULL: none
    carom_hit_function listener; // of the program; NULL: none
    void *listener_context;
    carom_contacts heard; // impulses of the present step, for the listener
};

// carom_sim_create for a subdomain of `whole`, which is NULL except on the first process, and NULL if the model is whole.
carom_status carom_sim_create_for(const carom_model *model, const carom_model *whole, carom_pick integrator,
                                  const carom_time_def *time, carom_sim **sim, carom_error *error);
// Creates everything in a simulation whose members `model` and `whole` are set. `before`: the collection of the same simulation
// on the previous subdomains, whose buffers are borrowed (collect.h); NULL: none. Clear it in any case.
carom_status carom_sim_prepare(carom_sim *sim, carom_pick integrator, const carom_time_def *time,
                               const carom_collection *before, carom_error *error);
// Releases all members, also of a partly created simulation.
void carom_sim_clear(carom_sim *sim);
// carom_time_plan_of for a method and parameters that were checked.
carom_status carom_time_choose(const carom_time_def *time, const carom_model *model, const carom_integrator *method,
                               const void *params, carom_time_plan *plan, carom_error *error);
// carom_sim_step without the synchronization of velocities and ledger at its end.
carom_status carom_sim_advance(carom_sim *sim, carom_error *error);
// Brings velocities and ledger to the time of the state, without effect on later steps.
carom_status carom_sim_synchronize(carom_sim *sim, carom_error *error);
// Returns to the last admissible state.
void carom_sim_return(carom_sim *sim);
// Adds an array of `count` numbers that is distributed to processes and hashed like the given one.
carom_status carom_state_add_like(carom_state *state, const carom_state_array *array, int64_t count, carom_error *error);
// A further state of the same model with the same arrays, at the start; release it with carom_state_release.
carom_status carom_state_create_like(const carom_state *state, carom_state **copy, carom_error *error);

// Declares the present state admissible: a numerical failure later on returns to it. Synchronizes it. Fails, and returns to
// the one before, if the present state is not finite.
carom_status carom_sim_accept(carom_sim *sim, carom_error *error);
// CAROM_NUMERICAL if the device that finds forces has failed.
carom_status carom_sim_judge_device(const carom_sim *sim, carom_error *error);

// From now on each impulse of contact is passed to the output; NULL: no longer.
void carom_sim_report_output(carom_sim *sim, carom_output *output);
// Passes the impacts of the last step to the callback of the program, and clears them.
carom_status carom_sim_report_impacts(carom_sim *sim, carom_error *error);
// Clears the impacts of a step that failed, or for which memory was short.
void carom_sim_drop_impacts(carom_sim *sim);
// Frees the memory of impacts.
void carom_sim_forget_impacts(carom_sim *sim);

// Like carom_sim_save and carom_sim_load, with a block of bytes of the caller's own behind the state. The loader receives a
// copy to free.
carom_status carom_checkpoint_write(const carom_sim *sim, const char *path, const void *blob, size_t blob_size,
                                    carom_error *error);
carom_status carom_checkpoint_read(carom_sim *sim, const char *path, void **blob, size_t *blob_size, carom_error *error);

#endif
