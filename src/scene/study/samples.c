// SPDX-License-Identifier: MIT
// Draws the points of a Latin hypercube (M. D. McKay, R. J. Beckman, W. J. Conover, "A comparison of three methods for
// selecting values of input variables", Technometrics 21, 1979). Each axis is divided into n classes of equal probability; a
// random permutation p assigns class p_i to point i, and the position within the class is random:
//
//     u_i = (p_i + r_i) / n,    0 <= r_i < 1.
//
// On a continuous range from a to b the value is a + u (b - a) or, on a logarithmic one, a (b/a)^u. Of m listed values it is
// number floor(m u), so that each occurs equally often. The random numbers are those of SplitMix64 (G. L. Steele, D. Lea,
// C. H. Flood, OOPSLA 2014), whose integer arithmetic gives the same bits on all machines.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/functions.h"
#include "scene/study/axis.h"

enum {
    DIGITS = 6,       // of a random number, relative to the width of its range
    DIGITS_MAX = 17,  // of any number
    SAMPLE_SIZE = 64, // bytes of a number
};

// The next 64 bits of a stream.
static uint64_t next(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return carom_hash_mix(*state);
}

// A number of [0, 1) with 53 bits.
static double next_part(uint64_t *state) {
    return (double)(next(state) >> 11) * 0x1p-53;
}

static void shuffle(int *items, int count, uint64_t *state) {
    for (int i = count - 1; i > 0; i--) {
        int k = (int)(next_part(state) * (i + 1));
        int item = items[i];
        items[i] = items[k];
        items[k] = item;
    }
}

// A range that is narrow compared with its values needs more digits.
static int digits_of(const carom_axis *axis) {
    double size = fmax(fabs(axis->from), fabs(axis->to)), width = fabs(axis->to - axis->from);
    int digits = DIGITS;
    for (; !axis->log && width < size && digits < DIGITS_MAX; width *= 10)
        digits++;
    return digits;
}

static char *value_at(const carom_axis *axis, double part) {
    if (!axis->continuous)
        return strdup(axis->values[(int)(part * axis->count)]);
    double value =
        axis->log ? axis->from * carom_pow(axis->to / axis->from, part) : axis->from + part * (axis->to - axis->from);
    char *text = malloc(SAMPLE_SIZE);
    if (text)
        snprintf(text, SAMPLE_SIZE, "%.*g", digits_of(axis), value);
    return text;
}

static carom_status sample(carom_axis *axis, int samples, uint64_t state, carom_error *error) {
    carom_axis drawn = {.key = strdup(axis->key)};
    int *classes = carom_allocate(samples, sizeof *classes);
    carom_status status =
        classes && drawn.key ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the points of the study");
    for (int i = 0; i < samples && !status; i++)
        classes[i] = i;
    if (!status)
        shuffle(classes, samples, &state);
    for (int i = 0; i < samples && !status; i++) {
        // the quotient may be rounded up to 1
        double part = fmin((classes[i] + next_part(&state)) / samples, 1 - 0x1p-53);
        char *text = value_at(axis, part);
        status = text ? carom_axis_add(&drawn, text, strlen(text), error)
                      : carom_fail(error, CAROM_NO_MEMORY, "no memory for the points of the study");
        free(text);
    }
    free(classes);
    carom_axis_release(axis);
    *axis = drawn;
    return status;
}

carom_status carom_axes_sample(carom_axis *axes, int axis_count, int samples, uint64_t seed, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int k = 0; k < axis_count && !status; k++)
        status = sample(&axes[k], samples, carom_hash_mix(carom_hash_mix(seed) + (uint64_t)k), error);
    return status;
}
