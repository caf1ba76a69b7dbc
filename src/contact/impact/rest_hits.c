// SPDX-License-Identifier: MIT
// Records the impulses J of resting contacts as hits for the ledger (rest_hits.h), with their work J.(u- + u+)/2 (u-, u+:
// relative velocities before and after), divided into restitution, friction and the cost of contact handling.
#include "contact/impact/rest_hits.h"

#include <math.h>
#include <string.h>

#include "base/pieces.h"
#include "math/vec3.h"

enum {
    PORTIONS = 64,        // blocks of a list that threads share
    SHARED_CONTACTS = 256 // number of contacts above which threads share it
};

// Assigns the work of a contact to the columns of the ledger. Restitution takes energy only from a contact that arrived;
// otherwise the normal work, zero up to the thresholds, is a cost of contact handling. So is the energy that friction adds when
// sliding reverses within the kick; for rigid bodies share_friction decides.
static void sort_work(const carom_contact_interval *interval, carom_hit *hit) {
    bool moving = carom_contact_is_between_surfaces(&hit->contact) || carom_contact_is_rigid(&hit->contact);
    bool arrived = moving && hit->rate < -interval->neighbours.layer.slow && hit->restitution > 0;
    if (!arrived) {
        hit->projection = hit->restitution;
        hit->restitution = 0;
    }
    // other contacts may reverse the motion within the kick; energy lost before remains lost
    hit->late = fmax(0, fmin(hit->late, hit->restitution));
    if (hit->friction < 0 && !carom_contact_is_rigid(&hit->contact)) {
        hit->projection += hit->friction;
        hit->friction = 0;
    }
}

// The hit of a solved contact. Its work is computed with the mean of `base` and the velocities after the kick.
static carom_hit hit_of(const carom_contact_interval *interval, carom_solved_contact *one, const double (*x)[3],
                        const double (*base)[3], const double (*w)[3]) {
    double rate = carom_dot(one->contact.normal, one->before);
    carom_contact_velocity(&one->contact, base, one->before);
    carom_hit hit = carom_contact_solve_hit(one, interval->mobility, x, w, 0, interval->kick_after);
    // the work of driven nodes is computed with the mean of their velocities, too
    hit.ground.work += carom_contact_work_correction(&one->contact, interval->mobility, hit.impulse, base, w);
    hit.rate = rate;
    hit.time = interval->kick_time;
    sort_work(interval, &hit);
    return hit;
}

// Rigid bodies have redundant contacts, so friction impulses at some may balance those at others, and in a small motion some
// contacts show a loss and others a gain that do not exist physically. Only the sum over the island is meaningful: a loss is
// distributed among the contacts with losses, a gain among those with gains as a cost of contact handling.
static void share_friction(const carom_contact_solve *solve, const carom_islands *islands, carom_hits *hits, int first) {
    memset(islands->rubbed, 0, (size_t)islands->count * sizeof *islands->rubbed);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0, h = first; i < solve->count; i++) {
            if (!(solve->items[i].normal > 0))
                continue;
            carom_hit *hit = &hits->items[h++];
            double *sum = islands->rubbed[islands->island[i]], taken = sum[0], given = sum[1];
            if (!carom_contact_is_rigid(&hit->contact))
                continue;
            if (!pass) {
                sum[0] += fmax(0, hit->friction);
                sum[1] += fmax(0, -hit->friction);
                continue;
            }
            if (hit->friction < 0)
                hit->projection += hit->friction * (fmax(0, given - taken) / given);
            hit->friction = hit->friction > 0 ? hit->friction * (fmax(0, taken - given) / taken) : 0;
        }
}

void carom_rest_add_hits(const carom_contact_interval *interval, carom_contact_solve *solve, const carom_islands *islands,
                         const double (*x)[3], const double (*base)[3], const double (*w)[3], carom_hits *hits) {
    // indices of hits are computed first, so that threads can write them
    int first = hits->count, places[PORTIONS + 1] = {0};
    if (solve->count == 0)
        return;
#pragma omp parallel for schedule(static) if (solve->count > SHARED_CONTACTS)
    for (int p = 0; p < PORTIONS; p++)
        for (int i = carom_portion_begin(solve->count, p, PORTIONS); i < carom_portion_begin(solve->count, p + 1, PORTIONS);
             i++)
            places[p + 1] += solve->items[i].normal > 0;
    for (int p = 0; p < PORTIONS; p++)
        places[p + 1] += places[p];
    int count = places[PORTIONS];
    // a parallel region takes half a microsecond even if it is empty
    if (count == 0 || !carom_hits_extend(hits, count))
        return;
#pragma omp parallel for schedule(static) if (count > SHARED_CONTACTS)
    for (int p = 0; p < PORTIONS; p++) {
        int place = first + places[p];
        for (int i = carom_portion_begin(solve->count, p, PORTIONS); i < carom_portion_begin(solve->count, p + 1, PORTIONS);
             i++)
            if (solve->items[i].normal > 0)
                hits->items[place++] = hit_of(interval, &solve->items[i], x, base, w);
    }
    if (interval->mobility.rigid_bodies)
        share_friction(solve, islands, hits, first);
}
