// SPDX-License-Identifier: MIT
// Factors and velocities as functions of time: a soft start (ramp) times a table; both are continuous.
#include "model/schedule.h"

#include <math.h>

#include "base/hash.h"
#include "math/vec3.h"

int carom_table_row(const double *rows, int count, int columns, double time) {
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (rows[(ptrdiff_t)columns * middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Linear interpolation of column c at a time, in rows of `columns` numbers with the time first.
static double interpolate(const double *rows, int count, int columns, int c, double time) {
    // Constant outside of the table; NaN gives the first row.
    if (!(time > rows[0]))
        return rows[c];
    if (time >= rows[columns * (count - 1)])
        return rows[columns * (count - 1) + c];
    const double *a = &rows[columns * carom_table_row(rows, count, columns, time)], *b = a + columns;
    // Weighted from both ends: at a row the result is exactly the value of the row.
    double s = (time - a[0]) / (b[0] - a[0]);
    return (1 - s) * a[c] + s * b[c];
}

double carom_schedule_factor(const carom_schedule *schedule, double time) {
    double factor = schedule->count ? interpolate(schedule->points[0], schedule->count, 2, 1, time) : 1;
    if (schedule->ramp == 0 || time >= schedule->ramp)
        return factor;
    double s = fmax(0, time / schedule->ramp);
    // The cubic with zero slope at both ends: neither the factor nor its rate jumps.
    return factor * s * s * (3 - 2 * s);
}

void carom_motion_velocity(const carom_motion *motion, double time, double velocity[3]) {
    // a motion given by a table has no schedule
    double factor = motion->count ? 0 : carom_schedule_factor(&motion->schedule, time);
    for (int i = 0; i < 3; i++)
        velocity[i] =
            motion->count ? interpolate(motion->points[0], motion->count, 4, 1 + i, time) : factor * motion->velocity[i];
}

void carom_motion_integrate(const carom_motion *motion, double begin, double end, double sum[3]) {
    // Weights of the unit interval; the points are (1 +- sqrt(3/5))/2 and the middle.
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    for (int q = 0; q < 3; q++) {
        double v[3], at = 0.5 * (1 + (q - 1) * sqrt(0.6));
        carom_motion_velocity(motion, begin + at * (end - begin), v);
        carom_add_scaled(weight[q] * (end - begin), v, sum);
    }
}

bool carom_motion_copy(carom_arena *arena, const carom_motion *from, carom_motion *to) {
    *to = *from;
    to->points = from->count ? carom_arena_copy(arena, from->points, (size_t)from->count * sizeof *from->points) : NULL;
    return carom_schedule_copy(arena, &from->schedule, &to->schedule) && (to->points || !from->count);
}

uint64_t carom_motion_hash(uint64_t h, const carom_motion *motion) {
    h = carom_hash(h, motion->velocity, sizeof motion->velocity);
    h = carom_schedule_hash(h, &motion->schedule);
    return carom_hash(h, motion->points, (size_t)motion->count * sizeof *motion->points);
}

bool carom_schedule_is_constant(const carom_schedule *schedule) {
    bool constant = schedule->ramp == 0;
    for (int i = 0; i < schedule->count; i++)
        constant = constant && schedule->points[i][1] == 1;
    return constant;
}

double carom_schedule_peak(const carom_schedule *schedule, double time) {
    const carom_schedule ramp = {.ramp = schedule->ramp};
    double peak = schedule->count ? fabs(interpolate(schedule->points[0], schedule->count, 2, 1, time)) : 1;
    // a piecewise linear factor has its extrema at the points
    for (int i = 0; i < schedule->count && schedule->points[i][0] <= time; i++)
        peak = fmax(peak, fabs(schedule->points[i][1]));
    // The soft start rises, so its largest factor up to a time is that at the time.
    return peak * carom_schedule_factor(&ramp, time);
}

carom_status carom_table_check(const double *rows, int count, int columns, const char *owner, carom_error *error) {
    for (int i = 0; i < count * columns; i++)
        if (!isfinite(rows[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: its table has a number that is not finite", owner);
    // Strictly: equal times would divide by zero.
    for (int i = 1; i < count; i++)
        if (!(rows[columns * i] > rows[columns * (i - 1)]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: the times of its table do not ascend at %g", owner,
                              rows[columns * i]);
    return CAROM_OK;
}

carom_status carom_schedule_check(const carom_schedule *schedule, const char *owner, carom_error *error) {
    if (!(schedule->ramp >= 0) || isinf(schedule->ramp))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: its ramp is not a time >= 0", owner);
    return schedule->count ? carom_table_check(schedule->points[0], schedule->count, 2, owner, error) : CAROM_OK;
}

bool carom_schedule_copy(carom_arena *arena, const carom_schedule *from, carom_schedule *to) {
    *to = *from;
    to->points = from->count ? carom_arena_copy(arena, from->points, (size_t)from->count * sizeof *from->points) : NULL;
    return to->points || !from->count;
}

uint64_t carom_schedule_hash(uint64_t h, const carom_schedule *schedule) {
    h = carom_hash(h, &schedule->ramp, sizeof schedule->ramp);
    return carom_hash(h, schedule->points, (size_t)schedule->count * sizeof *schedule->points);
}
