// SPDX-License-Identifier: MIT
// Decomposition contact response (Cirak & West): the impulse of one closing contact (docs/theory/response.md).
#ifndef CAROM_CONTACT_RESPONSE_H
#define CAROM_CONTACT_RESPONSE_H

#include <stdint.h>

#include "contact/contact.h"
#include "contact/law.h"

// One impulse of contact, and its effect on the kinetic energy.
typedef struct carom_hit {
    carom_contact contact; // at the time of the impulse
    double time;           // absolute time
    double rate;           // n.u before
    double impulse[3];     // J at the contact point
    double normal;         // n.J
    double restitution;    // loss of kinetic energy by the normal impulse
    double friction;       // loss of kinetic energy by the tangential impulse
    double projection;     // loss of energy by contact handling itself
    carom_ground ground;   // momentum and work from outside
    carom_spot spot;       // place of the contact
    bool slips;            // the tangential impulse is on the Coulomb cone
    bool stops;            // a bounce shorter than two steps that was stopped although the restitution is above 0 (drift.c)
    bool amends;           // corrects an impact that was reported before (repay.h); not an impact by itself
    double late;           // of a hit within a kick: the part of its restitution after the time of the kick
} carom_hit;

// Indices of the array of corrections to the losses of plastic impacts, which are known only at the kick after the drift.
enum { CAROM_LOSS_CORRECTION_RESTITUTION, CAROM_LOSS_CORRECTION_PROJECTION, CAROM_LOSS_CORRECTION_NUMBERS };

// The impulses of one step, in the order in which they happened.
typedef struct carom_hits {
    int count;
    int64_t capacity;
    carom_hit *items;
    bool failed; // memory ran out; some are missing
} carom_hits;

void carom_hits_add(carom_hits *hits, const carom_hit *hit);
// Extends the list by `more` hits, which the caller fills in. False if memory is short; `failed` is set then.
bool carom_hits_extend(carom_hits *hits, int more);
void carom_hits_release(carom_hits *hits);

// All contacts of fixed geometry that are possible, and those of each node.
typedef struct carom_candidates {
    int count;
    carom_contact *items;
    int *begin;   // per node and one more: range in of_node; NULL if there are no candidates
    int *of_node; // indices into items, ascending per node
} carom_candidates;

// Brings the normal rate of a contact from n.u to `target` (>= n.u), with Coulomb friction, by changing the velocities of its
// nodes. Linear momentum is exact; angular momentum is exact for the normal impulse, and for friction if the gap is zero. For
// target = -e n.u with 0 <= e <= 1 the kinetic energy does not rise. A contact none of whose nodes can move along the normal
// gets no impulse.
carom_hit carom_response(const carom_contact *contact, carom_mobility mobility, double target, double friction, double (*v)[3]);

// Coulomb's law for a hit that has a normal impulse within a kick. The tangential impulse is -*size t: `speed` is the sliding
// speed along t after both, `middle` that in the middle of the kick, and `softness` the velocity that a unit impulse along t
// gives. Records it in the hit. False if there is none.
bool carom_hit_rub(carom_hit *hit, const carom_contact_law *law, double speed, double middle, double softness, double *size);

#endif
