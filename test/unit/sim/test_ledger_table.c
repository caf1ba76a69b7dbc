// SPDX-License-Identifier: MIT
// Tests src/sim/ledger_table.c.
// The columns of the printed ledger table are aligned for any values.
#include "carom/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../support.h"

enum { ROOM = 16384 };

static void print_table(const carom_summary *summary, const carom_pair_label *labels, char text[static ROOM]) {
    char *table = carom_ledger_table(summary, labels);
    assert_non_null(table);
    assert_true(strlen(table) < ROOM);
    strcpy(text, table);
    carom_free(table);
}

// Copies the line of the table that begins with the name.
static void find_line(const char *text, const char *name, char line[static 128]) {
    const char *found = strstr(text, name);
    assert_non_null(found);
    size_t size = strcspn(found, "\n");
    assert_true(size < 128);
    memcpy(line, found, size);
    line[size] = 0;
}

static carom_summary filled(double value) {
    carom_summary summary = {.energy_error = fabs(value), .energy_scale = 1e-300, .momentum_error = fabs(value)};
    carom_ledger_row row = {.kinetic = value, .internal = value, .total = value, .restitution = value, .residual = value};
    for (int i = 0; i < 3; i++) {
        row.momentum[i] = row.angular_momentum[i] = value;
        summary.external_impulse[i] = summary.external_angular_impulse[i] = value;
    }
    summary.last = row;
    return summary;
}

static void test_columns(void **state) {
    (void)state;
    const double values[] = {0, 1, -1.23456789, -1.23456789e-300, -1.23456789e300, 1.23456789e17, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        carom_pair_record pair = {.events = 1, .approach = values[i], .impulse = values[i], .last_contact = values[i]};
        const carom_pair_label label = {.name = {"left", "right"}, .restitution = values[i]};
        carom_summary summary = filled(values[i]);
        summary.pairs = &pair;
        summary.pair_count = 1;
        char text[ROOM], line[128];
        print_table(&summary, &label, text);
        static const char *const energies[] = {"  kinetic", "  total", "  lost by restitution", "  residual", "  largest"};
        for (size_t k = 0; k < sizeof energies / sizeof *energies; k++) {
            find_line(text, energies[k], line);
            assert_int_equal(strlen(line), 90);
            // there is a blank before each cell
            for (int column = 26; column < 90; column += 16)
                assert_int_equal(line[column], ' ');
        }
        find_line(text, "  linear, end", line);
        assert_int_equal(strlen(line), 90);
        find_line(text, "    from outside", line);
        assert_int_equal(strlen(line), 74);
        find_line(text, "  left - right", line);
        assert_int_equal(strlen(line), 98);
        for (int column = 36; column <= 84; column += 12)
            assert_int_equal(line[column], ' ');
    }
}

// The ratio of energies in the table is that of the history; results of older versions without it have no such line.
static void test_energy_ratio(void **state) {
    (void)state;
    carom_summary summary = filled(1);
    char text[ROOM], line[128];
    summary.first.energy_ratio = 1;
    summary.last.energy_ratio = 1.25;
    print_table(&summary, NULL, text);
    find_line(text, "  energy ratio", line);
    assert_string_equal(line, "  energy ratio                           1            1.25            0.25");
    summary.last.energy_ratio = (double)NAN;
    print_table(&summary, NULL, text);
    assert_null(strstr(text, "energy ratio"));
}

static void test_no_minus_before_zero(void **state) {
    (void)state;
    carom_pair_record pair = {.events = 3, .approach = -0.0};
    const carom_pair_label label = {.name = {"left", "right"}, .restitution = NAN};
    carom_summary summary = filled(-0.0);
    summary.pairs = &pair;
    summary.pair_count = 1;
    char text[ROOM], line[128];
    print_table(&summary, &label, text);
    assert_null(strstr(text, "-0"));
    // a missing restitution is printed as a dash
    find_line(text, "  left - right", line);
    assert_string_equal(line + 90, "       -");
}

static void test_long_names(void **state) {
    (void)state;
    carom_pair_record pair = {.events = 3};
    carom_pair_label label = {.restitution = 0.5};
    memset(label.name[0], 'a', CAROM_NAME_MAX - 1);
    memset(label.name[1], 'b', 20);
    carom_summary summary = {.pairs = &pair, .pair_count = 1};
    char text[ROOM], line[128];
    print_table(&summary, &label, text);
    find_line(text, "  aaaa", line);
    assert_int_equal(strlen(line), 2 + 63 + 3 + 20);
    const char *next = strstr(text, "  aaaa") + strlen(line) + 1;
    assert_int_equal(strcspn(next, "\n"), 98);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_energy_ratio),
        cmocka_unit_test(test_no_minus_before_zero),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
