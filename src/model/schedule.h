// SPDX-License-Identifier: MIT
// Functions of time: load factors and prescribed velocities.
#ifndef CAROM_MODEL_SCHEDULE_H
#define CAROM_MODEL_SCHEDULE_H

#include "base/arena.h"
#include "carom/model.h"

// A prescribed velocity: a vector times a schedule, or a table.
typedef struct carom_motion {
    double velocity[3];
    carom_schedule schedule;
    int count; // points of the table; 0: none
    const double (*points)[4];
} carom_motion;

// The velocity at a time.
void carom_motion_velocity(const carom_motion *motion, double time, double velocity[3]);
// Adds the integral of the velocity from `begin` to `end`, if no point of a table and no end of a ramp lies between them. The
// integrand is a polynomial of degree four at most, the cubic of the ramp times a linear function, and the three-point Gauss
// rule is exact.
void carom_motion_integrate(const carom_motion *motion, double begin, double end, double sum[3]);
// Copies a motion with its table into the arena; false if memory is short.
bool carom_motion_copy(carom_arena *arena, const carom_motion *from, carom_motion *to);
// Continues a hash with all values of the motion.
uint64_t carom_motion_hash(uint64_t h, const carom_motion *motion);

// True if the factor is 1 at all times.
bool carom_schedule_is_constant(const carom_schedule *schedule);
// An upper bound of the absolute value of the factor from the start to a time: the largest value of the table so far, times the
// ramp so far.
double carom_schedule_peak(const carom_schedule *schedule, double time);
// Fails unless numbers are finite, the ramp is not negative and times ascend; `owner` begins the message.
carom_status carom_schedule_check(const carom_schedule *schedule, const char *owner, carom_error *error);
// The same check for a table of `count` rows of `columns` numbers, of which the first is a time.
carom_status carom_table_check(const double *rows, int count, int columns, const char *owner, carom_error *error);
// Index of the last of the first `count` rows of such a table that is not later than a time; 0 if all are later.
int carom_table_row(const double *rows, int count, int columns, double time);
// Copies a schedule with its table into the arena; false if memory is short.
bool carom_schedule_copy(carom_arena *arena, const carom_schedule *from, carom_schedule *to);
// Continues a hash with all values of the schedule.
uint64_t carom_schedule_hash(uint64_t h, const carom_schedule *schedule);

#endif
