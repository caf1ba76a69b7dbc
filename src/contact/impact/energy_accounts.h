// SPDX-License-Identifier: MIT
// Open accounts: the energy errors of impacts that a pair of bodies has not yet returned (docs/theory/repay.md).
//
// Such an energy error, a debt, is returned by the contacts that bounced in the same drift. If their speeds do not suffice, the
// rest of the debt remains in the account of the pair of bodies until this pair bounces again. An account is the energy that
// the bodies have in excess (positive) or lack (negative). It is not a loss, and the ledger has no entry for it.
#ifndef CAROM_CONTACT_IMPACT_ENERGY_ACCOUNTS_H
#define CAROM_CONTACT_IMPACT_ENERGY_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

// Largest number of accounts; the energy errors that other pairs cannot return remain in the residual.
enum { CAROM_DEBTS_MAX = 1024 };

// The table, in one array of numbers that a caller owns and saves. The first is the number of accounts in use. All zero: no
// account was ever opened.
typedef struct carom_debts {
    double *numbers; // NULL: debts that cannot be returned are dropped
    int capacity;    // pairs
} carom_debts;

// The number of accounts for all pairs of bodies (a body with itself included) and of bodies with planes, at most
// CAROM_DEBTS_MAX; the size of the table in numbers.
int carom_debts_capacity(int body_count);
int64_t carom_debts_buffer(int capacity);

// The account of the pair of bodies of a contact, created if there is none; NULL if there are too many.
double *carom_debts_account(const carom_debts *debts, const int body[2]);

// Adds the weight of a hit, impulse times rate, that takes part in returning the debts of a pair.
void carom_debts_note_hit(const carom_debts *debts, const int body[2], double weight);

// Updates the largest account so far; adds to the debts that are in no account.
void carom_debts_note_size(const carom_debts *debts, double account);
void carom_debts_drop(const carom_debts *debts, double energy);

// Sum of all accounts, the largest that one of them ever was, and all that was dropped.
double carom_debts_open(const carom_debts *debts);
double carom_debts_largest(const carom_debts *debts);

// An audit found that the bodies have `residual` more energy than the ledger accounts for. Accounts and dropped debts should
// add up to it; the difference goes to the pairs that were hit since the last audit, in proportion to their weights.
void carom_debts_audit(const carom_debts *debts, double residual);

#endif
