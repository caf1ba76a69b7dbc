// SPDX-License-Identifier: MIT
// Runs a drift with impacts (nodes move straight between two velocity updates) as often as its bounces require: run, find the
// kick at its end, undo, and run again.
#include "integrator/fly.h"

#include <string.h>

carom_status carom_fly(const carom_flyer *flyer, const carom_neighbours *neighbours, bool *outran, carom_error *error) {
    carom_impacts *impacts = &flyer->contact->impacts;
    int begin = impacts->hits.count;
    int64_t events[CAROM_EVENT_COUNT];
    memcpy(events, flyer->books->events, sizeof events);
    *outran = false;
    carom_status status = flyer->pass(flyer->nodes, false, outran, error);
    for (int pass = 1; pass < flyer->passes && !status && !*outran; pass++) {
        if (!carom_contact_step_bounced(flyer->contact, neighbours, begin))
            break;
        flyer->find_end_kick(flyer->nodes, pass > 1);
        carom_impacts_undo(impacts, begin, flyer->x, flyer->w);
        carom_rigid_kick_restore_velocities(flyer->rigid, flyer->w);
        if (flyer->put_back)
            flyer->put_back(flyer->nodes);
        memcpy(flyer->books->events, events, sizeof events);
        status = flyer->pass(flyer->nodes, true, outran, error);
    }
    if (!status)
        carom_rigid_kick_store(flyer->rigid);
    return status;
}
