// SPDX-License-Identifier: MIT
// Open accounts: the energy errors of impacts that a pair of bodies could not return yet (docs/theory/repay.md).
//
// A debt is returned by the contacts that bounced in the same drift. Contacts pressed so hard that they have no speed left
// cannot pay, and their debt stays with the pair of bodies until it bounces again. An account is energy that the bodies hold
// too much (positive) or lack (negative). It is not a loss, and nothing is booked for it.
#ifndef CAROM_CONTACT_IMPACT_ENERGY_ACCOUNTS_H
#define CAROM_CONTACT_IMPACT_ENERGY_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

// Pairs beyond this number have no account: what they cannot return stays in the residual.
enum { CAROM_DEBTS_MAX = 1024 };

// The table, in one array of numbers that a caller owns and saves. All zero: no account was ever opened.
typedef struct carom_debts {
    double *numbers; // NULL: debts that cannot be returned are dropped
    int capacity;    // pairs
} carom_debts;

// How many pairs of bodies, and of bodies with planes, have accounts at most, and how many numbers they take.
int carom_debts_capacity(int body_count);
int64_t carom_debts_buffer(int capacity);

// The account of the pair of bodies of a contact, opened if there is none; NULL if there are too many.
double *carom_debts_account(const carom_debts *debts, const int body[2]);

// Notes that a hit of this weight, impulse times rate, takes part in returning the debts of a pair.
void carom_debts_note_hit(const carom_debts *debts, const int body[2], double weight);

// Notes the largest account so far, and debts that no account keeps.
void carom_debts_note_size(const carom_debts *debts, double account);
void carom_debts_drop(const carom_debts *debts, double energy);

// Sum of all accounts, the largest that one of them ever was, and all that was dropped.
double carom_debts_open(const carom_debts *debts);
double carom_debts_largest(const carom_debts *debts);

// An audit found that bodies hold `residual` more energy than the books explain. Accounts and dropped debts should add up to
// it; the difference goes to the pairs that were hit since the last audit, in proportion to their weights.
void carom_debts_audit(const carom_debts *debts, double residual);

#endif
