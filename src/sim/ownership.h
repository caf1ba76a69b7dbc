// SPDX-License-Identifier: MIT
// How the numbers of a state are dealt to the processes that share it: those of nodes, of elements and of batches of elements.
// Each process answers for some of them, which are collected from it, and has copies of others, which are spread to it too.
#ifndef CAROM_SIM_OWNERSHIP_H
#define CAROM_SIM_OWNERSHIP_H

#include "model/model.h"
#include "model/state.h"

// Of one kind of numbers. Rank 0 knows the numbers of all processes in the whole model, process after process.
typedef struct carom_distributed {
    int count;            // numbers here
    int own_count;        // those that this process answers for, and
    int *own;             // which
    int whole;            // numbers in the whole model
    carom_shares own_of;  // how many of each process are collected,
    carom_shares here_of; // and how many are spread to it
    int *own_in_whole;    // rank 0; else NULL
    int *here_in_whole;   // likewise
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
    double *sent;     // numbers of this process
    double *received; // and of all; rank 0
} carom_distribution;

// Of a part of a model; `components` is the largest number of components of an array. Collective. Release it in any case.
carom_status carom_distribution_create(const carom_model *part, int components, carom_distribution *deal, carom_error *error);
void carom_distribution_release(carom_distribution *deal);

// The kind of an array of a state that is dealt; NULL: all processes have all of it.
const carom_distributed *carom_distribution_of(const carom_distribution *deal, const carom_state_array *array);

// Collects `components` numbers of each entry; `whole` is that of rank 0, NULL elsewhere. Collective.
void carom_distribution_collect(const carom_distribution *deal, const carom_distributed *dealt, int components,
                                const double *here, double *whole);
// And spreads them.
void carom_distribution_spread(const carom_distribution *deal, const carom_distributed *dealt, int components,
                               const double *whole, double *here);

#endif
