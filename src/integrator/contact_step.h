// SPDX-License-Identifier: MIT
// Contact of nodes that are kicked at one time and fly straight until the next: what answers a kick, and the impacts inside the drift after it.
#ifndef CAROM_INTEGRATOR_CONTACT_STEP_H
#define CAROM_INTEGRATOR_CONTACT_STEP_H

#include "contact/impact/repay.h"
#include "contact/impact/rest.h"
#include "model/model.h"
#include "model/state.h"

// Start from {0}.
typedef struct carom_contact_step {
    const carom_model *model;
    carom_mobility mobility;
    double (*kicks)[3]; // velocities that forces gave to the nodes in the last kick, part of the state; NULL if nothing bounces
    carom_drift_space drift;
    carom_rest_space rest;
    carom_repay_space repay;
    carom_hits hits; // of a drift and of the kick after it
} carom_contact_step;

// Registers what must survive a restart under this name.
carom_status carom_contact_step_create(carom_contact_step *contact, const carom_model *model, carom_mobility mobility,
                                       carom_state *state, const char *name, carom_error *error);
void carom_contact_step_release(carom_contact_step *contact);

// A drift, and the kick at its end or at its start.
typedef struct carom_contact_moment {
    carom_neighbours neighbours;
    const int *nodes; // those that take part; NULL: all
    int node_count;
    double time;  // of the run where t is 0
    double begin; // t at the start of the drift; nodes are at x + t w
    double step;  // length of the drift
    double kick;  // largest speed that the kick gave to a node
    double reach; // no pair of surfaces farther apart is answered
} carom_contact_moment;

// Answers a kick at `time`, the end of the drift: what impacts in the drift err by is returned, and what touches is kept from closing. The
// kick changed w_before to w and is `part` of a whole one; nodes are at x. Hits are appended to those of the drift.
carom_status carom_contact_step_answer(carom_contact_step *contact, const carom_contact_moment *moment, double time,
                                       double part, const double (*x)[3], const double (*w_before)[3], double (*w)[3],
                                       carom_error *error);

// The drift, with its impacts, which are appended to the hits: as carom_drift_run. Books what it had to be helped with.
carom_status carom_contact_step_drift(carom_contact_step *contact, const carom_contact_moment *moment, bool flies,
                                      double allowance, const double (*v)[3], double (*x)[3], double (*w)[3],
                                      carom_books *books, bool *outran, carom_error *error);

#endif
