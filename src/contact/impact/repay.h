// SPDX-License-Identifier: MIT
// The energy error of impacts inside a drift, returned to their contacts at the kick after it.
#ifndef CAROM_CONTACT_IMPACT_REPAY_H
#define CAROM_CONTACT_IMPACT_REPAY_H

#include "contact/impact/energy_accounts.h"
#include "contact/impact/impacts.h"
#include "contact/impact/interval.h"

// Scratch memory; start from {0}.
typedef struct carom_repay_space {
    double *debt;       // per root of a cluster: energy that its impacts added beyond what the books explain
    double *share;      // per root: sum of the shares of hits that have not paid yet
    int *bearers;       // per root: number of hits that can pay
    int *payers;        // per root: those of them that have not paid yet
    double *lost;       // per root: what its impacts booked as lost by restitution
    carom_vectors base; // per node: velocities before the kick, with returns
    carom_vectors kick; // per node: velocity change of the kick, in units of the drift to come
    carom_arena *arena; // has these arrays
} carom_repay_space;

carom_status carom_repay_reserve(carom_repay_space *space, int node_count, carom_error *error);
void carom_repay_release(carom_repay_space *space);

// The kick after a drift changed the velocities from w_before to w, without contact. Corrects w by impulses along the normals
// of the contacts that bounced in the drift; if all contacts of a cluster were stopped, the error is booked instead. `impacts`
// are those of the drift: correcting impulses are appended to their hits, with the times of the impacts that they belong to.
// `impacts->forces` is replaced by the velocity changes of this kick, as far as forces with a potential made them. x are the
// positions at the kick. Pairs of bodies that bounced take over their open accounts, and leave there what they could not
// return. What is known of the losses of clusters without a bounce is added to `unbooked`, which may be NULL. Linear and
// angular momentum are exact.
carom_status carom_repay_run(const carom_contact_interval *interval, carom_repay_space *space, const carom_debts *debts,
                             double *unbooked, const double (*x)[3], const double (*w_before)[3], double (*w)[3],
                             carom_impacts *impacts, carom_error *error);

// The same where nothing bounces: measures what plastic impacts lost, and changes no velocity. `kick` is that before the drift,
// and becomes this one.
void carom_repay_measure(const carom_contact_interval *interval, carom_repay_space *space, double *unbooked,
                         const double (*x)[3], const double (*w_before)[3], const double (*w)[3], const carom_impacts *impacts,
                         double (*kick)[3]);

// A contact of the drift at the positions x of the kick: normal and weights of surfaces have changed since the impact.
carom_contact carom_repay_contact(const carom_contact *old, const double (*x)[3]);

// What both keep of a kick, for nodes that no contact moves: `forces` become the velocity changes of this kick.
void carom_repay_keep(const carom_contact_interval *interval, const double (*w_before)[3], const double (*w)[3],
                      double (*forces)[3]);

// The velocities that the books of resting contacts take as those before the kick: w_before, with the returned impulses added
// as if they had been there. A return r and an impulse s of a resting contact, both in one kick, do the work
// (r + s).(w- + w+)/2 together; returns have counted r.(w- + w)/2, where w is the velocity that they lead to, and the rest is
// s.(w- + r + w+)/2. Without returns the answer is w_before.
carom_const_vectors carom_repay_base(const carom_contact_interval *interval, carom_repay_space *space,
                                     const carom_impacts *impacts, const double (*w_before)[3]);

#endif
