// SPDX-License-Identifier: MIT
// Tests src/model/state/ledger_columns.c, src/sim/ledger_table.c.
// The list of columns has each number of a ledger row once, and output made from the list has all of them.
#include "carom/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "../../../support.h"
#include "carom/run.h"

static void test_each_once(void **state) {
    (void)state;
    static const char *const units[] = {"time", "energy", "momentum", "angular_momentum", "length", ""};
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    assert_string_equal(columns[0].name, "time");
    for (int c = 0; c < count; c++) {
        bool known = false;
        for (size_t u = 0; u < sizeof units / sizeof *units; u++)
            known = known || strcmp(columns[c].unit, units[u]) == 0;
        assert_true(known);
        // parts, losses and the residual are energies
        assert_true(columns[c].role == CAROM_LEDGER_OTHER || strcmp(columns[c].unit, "energy") == 0);
        assert_true(columns[c].offset + sizeof(double) <= sizeof(carom_ledger_row));
        for (int d = 0; d < c; d++) {
            assert_string_not_equal(columns[c].name, columns[d].name);
            assert_string_not_equal(columns[c].label, columns[d].label);
            assert_true(columns[c].offset != columns[d].offset);
        }
    }
}

static void test_values_and_sums(void **state) {
    (void)state;
    const carom_ledger_row row = {.friction = 1,
                                  .restitution = 2,
                                  .projection = 4,
                                  .damping = 8,
                                  .plasticity = 16,
                                  .viscosity = 32,
                                  .kinetic = 64,
                                  .internal = 128,
                                  .external = 256,
                                  .contacts = 5,
                                  .angular_momentum = {0, 0, 7}};
    assert_true(carom_ledger_sum(&row, CAROM_LEDGER_LOSS) == 63);
    assert_true(carom_ledger_sum(&row, CAROM_LEDGER_PART) == 448);
    int count, found = 0;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++) {
        double value = carom_ledger_value(&row, &columns[c]);
        found += strcmp(columns[c].name, "contacts") == 0 && value == 5;
        found += strcmp(columns[c].name, "lz") == 0 && value == 7;
    }
    assert_int_equal(found, 2);
}

// Each energy that is not zero has one line of the table at the end of a run.
static void test_lines_of_the_table(void **state) {
    (void)state;
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++) {
        carom_summary summary = {.energy_scale = 1};
        if (columns[c].role == CAROM_LEDGER_OTHER)
            continue;
        *(double *)(void *)((char *)&summary.last + columns[c].offset) = 0.1234567;
        char *text = carom_ledger_table(&summary, NULL);
        assert_non_null(text);
        const char *line = strstr(text, columns[c].label), *number = line ? strstr(line, "0.1234567") : NULL;
        assert_non_null(number);
        assert_true((size_t)(number - line) < strcspn(line, "\n"));
        assert_null(strstr(number + 1, "0.1234567"));
        carom_free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_values_and_sums),
        cmocka_unit_test(test_lines_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
