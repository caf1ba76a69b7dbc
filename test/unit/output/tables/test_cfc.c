// SPDX-License-Identifier: MIT
// Tests src/output/tables/cfc.c.
// The CFC filter of SAE J211 against the amplitude response of the analytic filter, for sine waves and a step.
#include "output/tables/cfc.h"

#include "../../../support.h"

enum { COUNT = 40000, MIDDLE = COUNT / 2 };
static double values[COUNT];
static const double pi = 3.14159265358979323846;

// The amplitude far from the ends: since the phase does not change, it is the value at the maximum of a cosine.
static double amplitude(double cfc, double interval, double frequency) {
    for (int i = 0; i < COUNT; i++)
        values[i] = cos(2 * pi * frequency * interval * (i - MIDDLE));
    carom_cfc_apply(cfc, interval, values, COUNT, 1);
    return values[MIDDLE];
}

static void response(void **state) {
    (void)state;
    static const carom_filter filters[] = {CAROM_FILTER_CFC_60, CAROM_FILTER_CFC_180, CAROM_FILTER_CFC_600,
                                           CAROM_FILTER_CFC_1000};
    for (int f = 0; f < 4; f++) {
        double cfc = carom_cfc_class(filters[f]), interval = 1 / (100 * cfc);
        // two passes of a Butterworth filter of second order, whose frequencies the bilinear transform warps
        for (double ratio = 0.2; ratio < 8; ratio *= 1.5) {
            double w = tan(pi * ratio * cfc * interval) / tan(pi * 2.0775 * cfc * interval);
            assert_near(amplitude(cfc, interval, ratio * cfc), 1 / (1 + pow(w, 4)), 1e-6);
        }
        // the standard: -3 dB at 5/3 of the class (300 Hz for CFC 180), to the digits of its constant
        assert_near(20 * log10(amplitude(cfc, interval, cfc * 5 / 3)), -3.01, 0.02);
        assert_near(amplitude(cfc, interval, 0), 1, 1e-12);
    }
    assert_near(carom_cfc_class(CAROM_FILTER_CFC_180), 180, 0);
    assert_near(carom_cfc_class(CAROM_FILTER_NONE), 0, 0);
}

// The response to a step is antisymmetric about it: one half at the step, small overshoot, 0 and 1 far away.
static void step(void **state) {
    (void)state;
    for (int i = 0; i < COUNT; i++)
        values[i] = i < MIDDLE ? 0 : i > MIDDLE ? 1 : 0.5;
    carom_cfc_apply(180, 1e-5, values, COUNT, 1);
    assert_near(values[MIDDLE], 0.5, 1e-9);
    assert_near(values[0], 0, 1e-12);
    assert_near(values[COUNT - 1], 1, 1e-12);
    for (int i = 0; i < MIDDLE; i++) {
        assert_near(values[MIDDLE + i] + values[MIDDLE - i], 1, 1e-9);
        assert_true(values[i] > -0.1 && values[i] < 0.51);
    }
}

// With a stride, values of other signals are not changed; an empty signal is allowed.
static void strides(void **state) {
    (void)state;
    for (int i = 0; i < COUNT; i++)
        values[i] = i % 2 ? 7 : i;
    carom_cfc_apply(60, 1e-4, values, COUNT / 2, 2);
    for (int i = 1; i < COUNT; i += 2)
        assert_near(values[i], 7, 0);
    // a linear signal is unchanged far from the ends
    assert_near(values[MIDDLE], MIDDLE, 1e-6);
    carom_cfc_apply(60, 1e-4, values, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(response), cmocka_unit_test(step), cmocka_unit_test(strides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
