// SPDX-License-Identifier: MIT
// The table of ledger columns, and sums over columns of one role.
#include "model/state/ledger_columns.h"

#define IS_INTEGER(field) _Generic(((carom_ledger_row *)0)->field, int64_t : true, default : false)
#define COLUMN(name, field, role, presence, unit, label) \
    {#name, label, unit, CAROM_LEDGER_##role, CAROM_LEDGER_##presence, IS_INTEGER(field), offsetof(carom_ledger_row, field)},

const carom_ledger_column *carom_ledger_columns(int *count) {
    static const carom_ledger_column columns[] = {CAROM_LEDGER_COLUMNS(COLUMN)};
    *count = sizeof columns / sizeof *columns;
    return columns;
}

double carom_ledger_value(const carom_ledger_row *row, const carom_ledger_column *column) {
    const void *value = (const char *)row + column->offset;
    return column->integer ? (double)*(const int64_t *)value : *(const double *)value;
}

double carom_ledger_sum(const carom_ledger_row *row, carom_ledger_role role) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    double sum = 0;
    for (int c = 0; c < count; c++)
        sum += columns[c].role == role ? carom_ledger_value(row, &columns[c]) : 0;
    return sum;
}
