// SPDX-License-Identifier: MIT
// Conservative advancement along a separating direction.
//
// Let n be any unit vector, p_i the corners of the first feature and q_j those of the second. Both features are convex, so that
//     distance(t) >= B(t) = min_i n.p_i(t) - max_j n.q_j(t),
// and B falls below a level L for the first time where one of the linear functions n.(p_i - q_j) does. With the direction of the closest
// points at time t, B(t) is the distance itself; so until that first time the features stay L apart, whatever they do. Then the closest
// points are found again, and so on, until the level is reached or the end. Where the motion keeps the direction, one step is exact;
// features that slide along each other are never stopped; rotations need a few steps. The bound holds for every n: rounding in the closest
// points costs steps, never safety.
//
// The idea of advancing by what is safe: B. Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, PhD thesis, Berkeley, 1996.
//
// Levels. Contact acts at the thickness of the layer, or at its lowest part where a border holds the closest points back. Features that
// are in the layer from the start and do not close, or slowly, are looked at again when their distance has halved.
#include "contact/approach.h"

#include <math.h>

#include "math/vec3.h"

enum { STEPS = 1000 };

// A level counts as reached within this part of it.
static const double reached = 0.05;

// The last time up to which B(t) >= level, from `now` on; HUGE_VAL if it always is.
static double safe_until(carom_contact_kind kind, const double x[4][3], const double v[4][3], const double n[3], double now,
                         double level) {
    int count = carom_closest_count(kind), split = carom_closest_split(kind);
    double gap[4], rate[4], safe = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        gap[k] = carom_dot(n, x[k]);
        rate[k] = carom_dot(n, v[k]);
    }
    for (int i = 0; i < split; i++)
        for (int j = split; j < count; j++) {
            double g = gap[i] - gap[j] - level, r = rate[i] - rate[j];
            if (r < 0)
                safe = fmin(safe, fmax(now, -g / r));
        }
    return safe;
}

// B at the positions y.
static double separation(carom_contact_kind kind, const double y[4][3], const double n[3]) {
    int count = carom_closest_count(kind), split = carom_closest_split(kind);
    double first = HUGE_VAL, second = -HUGE_VAL;
    for (int k = 0; k < split; k++)
        first = fmin(first, carom_dot(n, y[k]));
    for (int k = split; k < count; k++)
        second = fmax(second, carom_dot(n, y[k]));
    return first - second;
}

static double closing_rate(int count, const double v[4][3], const carom_closest *closest) {
    double rate = 0;
    for (int k = 0; k < count; k++)
        rate += closest->weight[k] * carom_dot(closest->normal, v[k]);
    return rate;
}

// Below the level from the start: fast enough to be stopped at once? Slow is less and less tolerable further down.
static bool acts_at_once(const carom_layer *layer, double level, double distance, double rate) {
    double quarter = 0.25 * level;
    return rate < -layer->slow * level / layer->thickness * fmin(1, fmax(0, (distance - quarter) / (level - quarter)));
}

bool carom_approach_first(carom_contact_kind kind, const double x[4][3], const double v[4][3], double end, carom_layer layer,
                          double *time, carom_closest *closest) {
    int count = carom_closest_count(kind);
    double upper = layer.thickness, lowest = CAROM_LAYER_LOWEST * layer.thickness, now = 0;
    for (int step = 0; step < STEPS; step++) {
        double y[4][3];
        for (int k = 0; k < count; k++)
            for (int i = 0; i < 3; i++)
                y[k][i] = x[k][i] + now * v[k][i];
        *closest = carom_closest_points(kind, (const double(*)[3])y);
        double d = closest->distance, rate = closing_rate(count, v, closest);
        *time = now;

        // below the level from the start: at once, or not before half of the distance is gone
        double level = closest->inside ? upper : lowest;
        if (step == 0 && d < (1 + reached) * level) {
            if (acts_at_once(&layer, level, d, rate))
                return true;
            level = 0.5 * d;
            upper = fmin(upper, level);
            lowest = fmin(lowest, level);
        }
        if (d <= (1 + reached) * level && rate < 0)
            return true;

        // on to where it could be reached; below the level without closing: to where half of the distance could be gone
        double next = d > upper ? upper : d > (1 + reached) * level ? fmax(level, 0.5 * d) : 0.5 * d;
        double bound = separation(kind, (const double(*)[3])y, closest->normal);
        if (!(bound > 0))
            return rate < 0;
        now = safe_until(kind, x, v, closest->normal, now, fmin(next, 0.999 * bound));
        if (!(now < end))
            return false;
    }
    return true;
}
