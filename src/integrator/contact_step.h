// SPDX-License-Identifier: MIT
// Contact of nodes that are kicked at the same time and move straight until the next kick: the impacts inside the drift, and
// the contact impulses at the kick after it.
#ifndef CAROM_INTEGRATOR_CONTACT_STEP_H
#define CAROM_INTEGRATOR_CONTACT_STEP_H

#include "contact/impact/drift.h"
#include "contact/impact/repay.h"
#include "contact/impact/rest.h"
#include "integrator/search.h"
#include "model/model.h"
#include "model/state.h"

// Start from {0}.
typedef struct carom_contact_step {
    const carom_model *model;
    bool drifts;           // impacts happen inside the drift; if set before the creation, whatever `contact.resolve` says
    carom_impacts impacts; // of the last drift; `hits` also contains those of the kick after it
    carom_drift_space drift;
    carom_rest_space rest;
    carom_repay_space repay;
    carom_debts debts;         // energy errors that cannot be returned at once; numbers NULL: these are dropped
    double *loss_corrections;  // corrections of the losses of plastic impacts, part of the state; NULL: none
    carom_vectors kick;        // if nothing bounces: velocity changes by the forces of the last kick; part of the state
    carom_vectors kept;        // if several processes share the model: those changes over the nodes of the state; else NULL
    carom_vectors space_kicks; // in that case: the same changes over the nodes of contact
} carom_contact_step;

// Registers the state that must survive a restart, the velocity changes of the last kick, under this name.
carom_status carom_contact_step_create(carom_contact_step *contact, const carom_model *whole, carom_state *state,
                                       const char *name, carom_error *error);
// Registers a table of accounts with the state. Its numbers are NULL if memory is short.
carom_debts carom_contact_accounts_register(carom_state *state, const carom_model *model);
// Opens accounts for energy errors that bouncing pairs cannot return at once; they are registered with the state. Does nothing
// if no pair bounces. The caller must audit them if materials are nonlinear.
carom_status carom_contact_step_open_accounts(carom_contact_step *contact, carom_state *state, carom_error *error);
// Corrects the recorded losses of plastic impacts by the forces of the kick after the drift; the corrections are registered
// with the state. For methods that kick all nodes of a contact at once, between drifts.
carom_status carom_contact_step_measure_losses(carom_contact_step *contact, carom_state *state, carom_error *error);
// The velocity changes by the forces of the last kick over the nodes of contact; NULL if none are kept.
carom_vectors carom_contact_step_forces(const carom_contact_step *contact);
void carom_contact_step_release(carom_contact_step *contact);

// True if any two bodies of the model bounce off each other, or off a plane, in a method that resolves impacts inside a drift.
bool carom_contact_step_bounces(const carom_model *model, bool drifts);
// True if impacts of the last drift, from hit number `begin` on, have reflected a contact: its drift should be run again with
// the forces at its end.
bool carom_contact_step_bounced(const carom_contact_step *contact, const carom_neighbours *neighbours, int begin);

// A drift of length `step` that begins at `time`, with whole kicks at both ends and the contacts that the search has found.
carom_contact_interval carom_contact_step_interval(const carom_contact_step *contact, const carom_search *search,
                                                   carom_mobility mobility, double time, double step, double kick_speed);

// Runs the drift of the interval with its impacts (carom_drift_run), and counts how often cascades had to be ended. *outran is
// set if impacts diverted a node farther from its straight path than the list of neighbours allows: nothing has changed, and
// the drift must be run again with a list for a larger allowance.
carom_status carom_contact_step_drift(carom_contact_step *contact, const carom_contact_interval *interval, const double (*v)[3],
                                      double (*x)[3], double (*w)[3], carom_books *ledger, bool *outran, carom_error *error);

// The contact impulses at the kick at the end of the drift, which changed w_before to w at the positions x: first the energy
// error of the impacts in the drift is repaid, then touching contacts are kept from closing. Hits are appended to those of the
// drift.
carom_status carom_contact_step_answer(carom_contact_step *contact, const carom_contact_interval *interval,
                                       const double (*x)[3], const double (*w_before)[3], double (*w)[3], carom_error *error);

#endif
