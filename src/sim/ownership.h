// SPDX-License-Identifier: MIT
// Distribution of the arrays of a state to processes, by nodes, elements, batches of elements and rows of material history.
// Each process owns some entries, which are collected from it, and has copies of others, which are spread to it too.
#ifndef CAROM_SIM_OWNERSHIP_H
#define CAROM_SIM_OWNERSHIP_H

#include "model/model.h"
#include "model/state.h"

// Distribution of one kind of entries. Rank 0 has the indices in the whole model of the entries of all processes, in the order
// of ranks.
typedef struct carom_distributed {
    int count;            // entries on this process
    int own_count;        // entries that it owns
    int *own;             // their local indices
    int whole;            // entries of the whole model
    carom_shares own_of;  // per process: entries collected from it
    carom_shares here_of; // per process: entries spread to it
    int *own_in_whole;    // indices in the whole model, for own_of; rank 0 only, else NULL
    int *here_in_whole;   // the same for here_of
} carom_distributed;

enum {
    CAROM_DISTRIBUTE_NODES,
    CAROM_DISTRIBUTE_ELEMENTS,
    CAROM_DISTRIBUTE_BATCHES,
    CAROM_DISTRIBUTE_ROWS,
    CAROM_DISTRIBUTIONS
};

typedef struct carom_distribution {
    carom_distributed of[CAROM_DISTRIBUTIONS];
    double *sent;     // buffer for the values of this process
    double *received; // buffer for the values of all; rank 0 only
} carom_distribution;

// For a subdomain of a model; `components` is the largest number of components of an array. Collective. Release it in any case.
carom_status carom_distribution_create(const carom_model *part, int components, carom_distribution *distribution,
                                       carom_error *error);
void carom_distribution_release(carom_distribution *distribution);

// The distribution of an array of a state; NULL: all processes have the whole array.
const carom_distributed *carom_distribution_of(const carom_distribution *distribution, const carom_state_array *array);

// Collects `components` numbers of each entry; `whole` is the array on rank 0, NULL on the others. Collective.
void carom_distribution_collect(const carom_distribution *distribution, const carom_distributed *distributed, int components,
                                const double *here, double *whole);
// Spreads them. Collective.
void carom_distribution_spread(const carom_distribution *distribution, const carom_distributed *distributed, int components,
                               const double *whole, double *here);

#endif
