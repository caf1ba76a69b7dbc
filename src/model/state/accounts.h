// SPDX-License-Identifier: MIT
// The accounts of the ledger (its running sums of losses, work and external impulses) as exact sums: entries may come in any
// order, with the same bits (math/exact.h).
#ifndef CAROM_MODEL_STATE_ACCOUNTS_H
#define CAROM_MODEL_STATE_ACCOUNTS_H

#include "model/state.h"

// Adds `factor` times the entries.
void carom_accounts_add(carom_exact_accounts *sums, double factor, const carom_accounts *entries);

// Writes the entries into an array in the order of the accounts.
void carom_accounts_terms(const carom_accounts *entries, double terms[CAROM_ACCOUNTS]);

// Adds an impulse, or its moment, to three accounts from `first` on.
void carom_accounts_add_vector(carom_exact_accounts *sums, int first, double factor, const double v[3]);

// The current sums, each rounded once; the second function subtracts other sums.
carom_accounts carom_accounts_value(const carom_exact_accounts *sums);
carom_accounts carom_accounts_difference(const carom_exact_accounts *sums, const carom_exact_accounts *less);

void carom_accounts_clear(carom_exact_accounts *sums);
void carom_accounts_copy(carom_exact_accounts *to, const carom_exact_accounts *from);

#endif
