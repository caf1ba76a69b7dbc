// SPDX-License-Identifier: MIT
// Energy-error correction: the energy error of impacts inside a drift is returned by impulses at their contacts at the next
// kick.
#ifndef CAROM_CONTACT_IMPACT_REPAY_H
#define CAROM_CONTACT_IMPACT_REPAY_H

#include "contact/impact/energy_accounts.h"
#include "contact/impact/impacts.h"
#include "contact/impact/interval.h"

// Scratch memory; start from {0}.
typedef struct carom_repay_space {
    double *debt;        // per root of a cluster: energy that its impacts added beyond the losses and works that are recorded
    double *share;       // per root: sum of the weights of hits that have not yet returned energy
    int *returning_hits; // per root: number of hits that can return energy
    int *pending_hits;   // per root: number of those that have not yet done so
    double *lost;        // per root: recorded loss of its impacts by restitution
    carom_vectors base;  // per node: velocities before the kick, with returns
    carom_vectors kick;  // per node: velocity change of the kick, in units of the drift to come
    carom_arena *arena;  // owns these arrays
} carom_repay_space;

carom_status carom_repay_reserve(carom_repay_space *space, int node_count, carom_error *error);
void carom_repay_release(carom_repay_space *space);

// The kick after a drift changed the velocities from w_before to w, without contact. Corrects w by impulses along the normals
// of the contacts that bounced in the drift; if all contacts of a cluster were stopped, the error is recorded as a loss.
// `impacts` are those of the drift: correcting impulses are appended to their hits, with the times of the impacts that they
// belong to. `impacts->forces` is replaced by the velocity changes of this kick by forces with a potential. x are the positions
// at the kick. Pairs of bodies that bounced add their open accounts to the debt, and keep in them what they could not return.
// Corrections of the losses of clusters without a bounce are added to `loss_corrections`, which may be NULL. Linear and angular
// momentum are exact.
carom_status carom_repay_run(const carom_contact_interval *interval, carom_repay_space *space, const carom_debts *debts,
                             double *loss_corrections, const double (*x)[3], const double (*w_before)[3], double (*w)[3],
                             carom_impacts *impacts, carom_error *error);

// The same if no pair bounces: computes the losses of plastic impacts, and changes no velocity. `kick` is the kick before the
// drift, and is replaced by the present one.
void carom_repay_measure(const carom_contact_interval *interval, carom_repay_space *space, double *loss_corrections,
                         const double (*x)[3], const double (*w_before)[3], const double (*w)[3], const carom_impacts *impacts,
                         double (*kick)[3]);

// A contact of the drift at the positions x of the kick: normal and weights of surfaces have changed since the impact.
carom_contact carom_repay_contact(const carom_contact *old, const double (*x)[3]);

// Stores a kick without impacts as both functions above do: `forces` become the velocity changes of this kick.
void carom_repay_keep(const carom_contact_interval *interval, const double (*w_before)[3], const double (*w)[3],
                      double (*forces)[3]);

// The velocities before the kick by which the work of resting contacts is computed: w_before plus the returned impulses r. With
// an impulse s of a resting contact in the same kick, both do the work (r + s).(w- + w+)/2 together; r.(w- + w)/2 is recorded
// for the returns, where w is the velocity after them, and s.(w- + r + w+)/2 remains. Without returns the result is w_before.
carom_const_vectors carom_repay_base(const carom_contact_interval *interval, carom_repay_space *space,
                                     const carom_impacts *impacts, const double (*w_before)[3]);

#endif
