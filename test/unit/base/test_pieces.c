// SPDX-License-Identifier: MIT
// Tests src/base/pieces.h.
// Every item is seen once, alone and in a team, and the largest answer is that of all items.
#include <math.h>

#include "../../support.h"
#include "base/pieces.h"

enum { ITEMS = 1000 };

typedef struct seen {
    int *times;
    const double *values;
} seen;

static double look(const void *context, int begin, int end) {
    const seen *s = context;
    double most = NAN;
    for (int i = begin; i < end; i++) {
        s->times[i]++;
        most = fmax(most, s->values[i]);
    }
    return most;
}

static void check(int count, int alone) {
    int times[ITEMS] = {0};
    double values[ITEMS];
    // the largest at the last place; 0 where there is none
    for (int i = 0; i < ITEMS; i++)
        values[i] = i;
    assert_true(carom_pieces(count, alone, look, &(seen){times, values}) == (count > 0 ? count - 1 : 0));
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(times[i], i < count);
}

static void every_item_is_seen_once(void **state) {
    (void)state;
    const int counts[] = {0, 1, 255, 256, 257, 999, ITEMS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check(counts[i], ITEMS);
        check(counts[i], 0);
    }
}

// Of answers that are no numbers none counts, alone or in a team.
static void what_is_no_number_does_not_count(void **state) {
    (void)state;
    int times[ITEMS] = {0};
    double values[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        values[i] = i < ITEMS / 2 ? NAN : -1;
    assert_true(carom_pieces(ITEMS / 2, ITEMS, look, &(seen){times, values}) == 0);
    assert_true(carom_pieces(ITEMS, 0, look, &(seen){times, values}) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_seen_once),
        cmocka_unit_test(what_is_no_number_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
