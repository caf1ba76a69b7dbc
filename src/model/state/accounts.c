// SPDX-License-Identifier: MIT
// Conversion between the members of carom_accounts (the ledger's sums of losses, work and impulses) and exact sums in the same
// order.
#include "model/state/accounts.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(carom_accounts, damping) == CAROM_ACCOUNT_DAMPING * sizeof(double), "order of the accounts");
_Static_assert(offsetof(carom_accounts, plasticity) == CAROM_ACCOUNTS * sizeof(double), "order of the accounts");

void carom_accounts_terms(const carom_accounts *entries, double terms[CAROM_ACCOUNTS]) {
    memcpy(terms, entries, CAROM_ACCOUNTS * sizeof *terms);
}

void carom_accounts_add(carom_exact_accounts *sums, double factor, const carom_accounts *entries) {
    double terms[CAROM_ACCOUNTS];
    carom_accounts_terms(entries, terms);
    for (int a = 0; a < CAROM_ACCOUNTS; a++)
        carom_exact_add(&sums->of[a], factor * terms[a]);
}

void carom_accounts_add_vector(carom_exact_accounts *sums, int first, double factor, const double v[3]) {
    for (int i = 0; i < 3; i++)
        carom_exact_add(&sums->of[first + i], factor * v[i]);
}

static carom_accounts from_values(const double value[CAROM_ACCOUNTS]) {
    carom_accounts a = {0};
    memcpy(&a, value, CAROM_ACCOUNTS * sizeof *value);
    return a;
}

carom_accounts carom_accounts_value(const carom_exact_accounts *sums) {
    double value[CAROM_ACCOUNTS];
    for (int a = 0; a < CAROM_ACCOUNTS; a++)
        value[a] = carom_exact_value(&sums->of[a]);
    return from_values(value);
}

static bool is_empty(const carom_exact *sum) {
    return sum->first == sum->end && !sum->special;
}

carom_accounts carom_accounts_difference(const carom_exact_accounts *sums, const carom_exact_accounts *less) {
    double value[CAROM_ACCOUNTS];
    for (int a = 0; a < CAROM_ACCOUNTS; a++) {
        if (is_empty(&less->of[a])) {
            value[a] = carom_exact_value(&sums->of[a]);
            continue;
        }
        carom_exact difference = {0};
        carom_exact_merge(&difference, &sums->of[a]);
        carom_exact_subtract(&difference, &less->of[a]);
        value[a] = carom_exact_value(&difference);
    }
    return from_values(value);
}

void carom_accounts_clear(carom_exact_accounts *sums) {
    for (int a = 0; a < CAROM_ACCOUNTS; a++)
        carom_exact_clear(&sums->of[a]);
}

void carom_accounts_copy(carom_exact_accounts *to, const carom_exact_accounts *from) {
    for (int a = 0; a < CAROM_ACCOUNTS; a++)
        carom_exact_copy(&to->of[a], &from->of[a]);
}
