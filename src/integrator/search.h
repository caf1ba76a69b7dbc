// SPDX-License-Identifier: MIT
// The search for contact along a run: the list of near pairs of surfaces, kept from step to step.
#ifndef CAROM_INTEGRATOR_SEARCH_H
#define CAROM_INTEGRATOR_SEARCH_H

#include "carom/model.h"
#include "contact/pairs/neighbours.h"

// Start from {0}.
typedef struct carom_search {
    const carom_model *model;
    double step;
    double extra_margin; // added to the margin of a new list
    double extent;       // of the bodies in the reference
    double allowance;    // of the last list: largest distance by which impacts may deflect a node from its straight path
    carom_broad broad;   // of the surface of the model; unused if it has none
} carom_search;

carom_status carom_search_create(const carom_model *model, double step, carom_search *search, carom_error *error);
void carom_search_release(carom_search *search);

// Lists all pairs that can touch in the drift x + t w of a step, or be pressed by the kick after it, as long as impacts deflect
// no node farther than the allowance from its straight path. Keeps the old list if it is still valid.
carom_status carom_search_list(carom_search *search, const double (*x)[3], const double (*w)[3], double allowance,
                               carom_error *error);

// CAROM_NUMERICAL if a node would move farther in a step than bodies can be separated: four extents of the scene, relative to
// the mean motion of its body.
carom_status carom_search_check_paths(const carom_search *search, const carom_model *model, const double (*w)[3], double time,
                                      carom_error *error);

// True if carom_search_check_paths certainly succeeds: checks the nodes of a list, and `others`, the largest square of a speed
// of the remaining nodes.
bool carom_search_is_slow(const carom_search *search, const double (*w)[3], const int *list, int count, double others);

// An initial allowance: about the displacement of the fastest node in a step, within bounds, and not less than half of that of
// the last step. Results do not depend on it.
double carom_search_allowance(const carom_search *search, const double (*w)[3]);

// All pairs that may touch, from the present list.
carom_neighbours carom_search_neighbours(const carom_search *search);

// The largest distance of pairs of surfaces, beyond their thickness, at which they interact: the list contains all such pairs.
double carom_search_range(const carom_search *search);

// The largest distance of pairs of surfaces, beyond their thickness, at which the solution for resting contacts includes them.
double carom_search_reach(const carom_search *search);

#endif
