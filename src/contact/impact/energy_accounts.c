// SPDX-License-Identifier: MIT
// Keeps the energy errors of impacts that pairs of bodies have not yet returned (energy_accounts.h), in a table: a header, then
// one entry (account) per pair of bodies, found by linear search.
#include "contact/impact/energy_accounts.h"

#include <math.h>
#include <stddef.h>

#include "math/sum.h"

// The header of the table: pairs in use, the largest account so far, and energy that is in no account.
enum { COUNT, LARGEST, DROPPED, HEADER };

// One pair: its bodies plus one, planes being 0; its account; the weight of its hits since the last audit.
enum { FIRST, SECOND, ACCOUNT, WEIGHT, NUMBERS };

int carom_debts_capacity(int body_count) {
    int64_t pairs = (int64_t)body_count * (body_count + 3) / 2;
    return pairs < CAROM_DEBTS_MAX ? (int)pairs : CAROM_DEBTS_MAX;
}

int64_t carom_debts_buffer(int capacity) {
    return HEADER + (int64_t)NUMBERS * capacity;
}

static double *entry(const carom_debts *debts, int pair) {
    return debts->numbers + HEADER + (int64_t)NUMBERS * pair;
}

static int count_of(const carom_debts *debts) {
    return (int)debts->numbers[COUNT];
}

// The entry of a pair in either order of its bodies, created if there is none. All planes share one account with a body.
static double *find(const carom_debts *debts, const int body[2]) {
    double a = body[0] < 0 ? 0 : body[0] + 1, b = body[1] < 0 ? 0 : body[1] + 1;
    double first = fmin(a, b), second = fmax(a, b);
    int count = count_of(debts);
    for (int i = 0; i < count; i++) {
        double *own = entry(debts, i);
        if (own[FIRST] == first && own[SECOND] == second)
            return own;
    }
    if (count == debts->capacity)
        return NULL;
    double *own = entry(debts, count);
    debts->numbers[COUNT]++;
    own[FIRST] = first;
    own[SECOND] = second;
    return own;
}

double *carom_debts_account(const carom_debts *debts, const int body[2]) {
    double *own = find(debts, body);
    return own ? &own[ACCOUNT] : NULL;
}

void carom_debts_note_hit(const carom_debts *debts, const int body[2], double weight) {
    double *own = find(debts, body);
    if (own)
        own[WEIGHT] += weight;
}

void carom_debts_note_size(const carom_debts *debts, double account) {
    debts->numbers[LARGEST] = fmax(debts->numbers[LARGEST], fabs(account));
}

void carom_debts_drop(const carom_debts *debts, double energy) {
    debts->numbers[DROPPED] += energy;
}

double carom_debts_open(const carom_debts *debts) {
    carom_sum sum = {0};
    for (int i = 0; i < count_of(debts); i++)
        carom_sum_add(&sum, entry(debts, i)[ACCOUNT]);
    return carom_sum_value(&sum);
}

double carom_debts_largest(const carom_debts *debts) {
    return debts->numbers[LARGEST];
}

void carom_debts_audit(const carom_debts *debts, double residual) {
    carom_sum weights = {0};
    int count = count_of(debts);
    for (int i = 0; i < count; i++)
        carom_sum_add(&weights, entry(debts, i)[WEIGHT]);
    double all = carom_sum_value(&weights);
    if (!(all > 0))
        return;
    double missing = residual - carom_debts_open(debts) - debts->numbers[DROPPED];
    for (int i = 0; i < count; i++) {
        double *own = entry(debts, i);
        own[ACCOUNT] += missing * own[WEIGHT] / all;
        own[WEIGHT] = 0;
        carom_debts_note_size(debts, own[ACCOUNT]);
    }
}
