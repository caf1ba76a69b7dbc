// SPDX-License-Identifier: MIT
// Tests src/base/pieces.h.
// A loop divided into pieces visits every item once, by one thread or several, and returns the largest value of all items.
#include <math.h>

#include "../../support.h"
#include "base/pieces.h"

enum { ITEMS = 1000 };

typedef struct seen {
    int *times;
    const double *values;
} seen;

static double visit(const void *context, int begin, int end) {
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
    // the last item has the largest value; without items the result is 0
    for (int i = 0; i < ITEMS; i++)
        values[i] = i;
    assert_true(carom_pieces(count, alone, visit, &(seen){times, values}) == (count > 0 ? count - 1 : 0));
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(times[i], i < count);
}

static void every_item_is_visited_once(void **state) {
    (void)state;
    const int counts[] = {0, 1, 255, 256, 257, 999, ITEMS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check(counts[i], ITEMS);
        check(counts[i], 0);
    }
}

// NaN and negative values do not count: the result is 0, by one thread or several.
static void nan_does_not_count(void **state) {
    (void)state;
    int times[ITEMS] = {0};
    double values[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        values[i] = i < ITEMS / 2 ? NAN : -1;
    assert_true(carom_pieces(ITEMS / 2, ITEMS, visit, &(seen){times, values}) == 0);
    assert_true(carom_pieces(ITEMS, 0, visit, &(seen){times, values}) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_visited_once),
        cmocka_unit_test(nan_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
