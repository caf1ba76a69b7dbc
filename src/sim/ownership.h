// SPDX-License-Identifier: MIT
// How the numbers of a state are dealt to the processes that share it: those of nodes, of elements and of batches of elements.
// Each process answers for some of them, which are collected from it, and has copies of others, which are spread to it too.
#ifndef CAROM_SIM_OWNERSHIP_H
#define CAROM_SIM_OWNERSHIP_H

#include "model/model.h"
#include "model/state.h"

// Of one kind of numbers. Rank 0 knows the numbers of all processes in the whole model, process after process.
typedef struct carom_dealt {
    int count;            // numbers here
    int own_count;        // those that this process answers for, and
    int *own;             // which
    int whole;            // numbers in the whole model
    carom_shares own_of;  // how many of each process are collected,
    carom_shares here_of; // and how many are spread to it
    int *own_in_whole;    // rank 0; else NULL
    int *here_in_whole;   // likewise
} carom_dealt;

enum { CAROM_DEAL_NODES, CAROM_DEAL_ELEMENTS, CAROM_DEAL_BATCHES, CAROM_DEAL_ROWS, CAROM_DEALS };

typedef struct carom_deal {
    carom_dealt of[CAROM_DEALS];
    double *sent;     // numbers of this process
    double *received; // and of all; rank 0
} carom_deal;

// Of a part of a model; `components` is the largest number of components of an array. Collective. Release it in any case.
carom_status carom_deal_create(const carom_model *part, int components, carom_deal *deal, carom_error *error);
void carom_deal_release(carom_deal *deal);

// The kind of an array of a state that is dealt; NULL: all processes have all of it.
const carom_dealt *carom_deal_of(const carom_deal *deal, const carom_state_array *array);

// Collects `components` numbers of each entry; `whole` is that of rank 0, NULL elsewhere. Collective.
void carom_deal_collect(const carom_deal *deal, const carom_dealt *dealt, int components, const double *here, double *whole);
// And spreads them.
void carom_deal_spread(const carom_deal *deal, const carom_dealt *dealt, int components, const double *whole, double *here);

#endif
