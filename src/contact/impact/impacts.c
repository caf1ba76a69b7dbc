// SPDX-License-Identifier: MIT
// Records the flight (straight path) of each node before its first impact of a drift, by which a drift is undone (impacts.h).
#include "contact/impact/impacts.h"

#include <stdlib.h>

#include "base/allocate.h"

carom_status carom_impacts_reserve(carom_impacts *impacts, int node_count, carom_error *error) {
    impacts->flights = carom_allocate(node_count, sizeof *impacts->flights);
    impacts->flight_of = carom_allocate(node_count, sizeof *impacts->flight_of);
    impacts->flight_capacity = node_count;
    if (!impacts->flights || !impacts->flight_of)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return carom_clusters_reserve(&impacts->clusters, node_count, error);
}

void carom_impacts_release(carom_impacts *impacts) {
    carom_hits_release(&impacts->hits);
    carom_clusters_release(&impacts->clusters);
    free(impacts->flights);
    free(impacts->flight_of);
    *impacts = (carom_impacts){0};
}

void carom_impacts_clear(carom_impacts *impacts) {
    carom_clusters_clear(&impacts->clusters);
    // only the nodes hit last time have an entry: clearing costs as much as the last drift had impacts
    for (int i = 0; i < impacts->flight_count; i++)
        impacts->flight_of[impacts->flights[i].node] = 0;
    impacts->flight_count = 0;
}

void carom_impacts_record_flights(carom_impacts *impacts, const int *nodes, int count, const double (*b)[3],
                                  const double (*w)[3]) {
    for (int k = 0; k < count; k++) {
        int node = nodes[k];
        // only the first flight is recorded: energy and deviation are measured from it
        const carom_restraint *restraint = carom_restraint_of(impacts->obstacles, node);
        bool obstacle = restraint && restraint->count == 3;
        if (!obstacle && impacts->flight_of[node])
            continue;
        carom_first_flight *flights =
            carom_grow(impacts->flights, impacts->flight_count, &impacts->flight_capacity, sizeof *flights);
        if (!flights) {
            impacts->hits.failed = true;
            return;
        }
        impacts->flights = flights;
        carom_first_flight *flight = &flights[impacts->flight_count++];
        if (!obstacle)
            impacts->flight_of[node] = impacts->flight_count;
        flight->node = node;
        carom_copy(b[node], flight->b);
        carom_copy(w[node], flight->w);
    }
}

void carom_impacts_undo(carom_impacts *impacts, int hit_count, double (*b)[3], double (*w)[3]) {
    for (int i = 0; i < impacts->flight_count; i++) {
        const carom_first_flight *flight = &impacts->flights[i];
        carom_copy(flight->b, b[flight->node]);
        carom_copy(flight->w, w[flight->node]);
    }
    impacts->hits.count = hit_count;
    impacts->settled = impacts->held = 0;
}
