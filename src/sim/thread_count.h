// SPDX-License-Identifier: MIT
// How many of the threads that a run may use share its steps. More threads are not always faster: forming a team and waiting
// for its last member cost microseconds for every loop, cores may be busy with other programs, and contact may be one long
// chain. So the time of the steps is measured, and now and then the next smaller or larger team is tried. The result does not
// depend on the number of threads, so nothing but the time changes.
#ifndef CAROM_SIM_THREAD_COUNT_H
#define CAROM_SIM_THREAD_COUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { CAROM_THREAD_COUNT_SIZES_MAX = 16 };

// Steps on one size of the team: their number and seconds, those after a change of size that do not count left out.
typedef struct carom_thread_count_window {
    int64_t steps;
    double seconds;
} carom_thread_count_window;

// Start from carom_thread_count_start.
typedef struct carom_thread_count {
    int sizes[CAROM_THREAD_COUNT_SIZES_MAX]; // 1, 2, 4, ... and the most that is allowed
    int size_count;
    int held;                          // which size the run has
    int tried;                         // which one is on trial; -1: none
    int direction;                     // of the next trial: +1 a larger team, -1 a smaller one
    int refused;                       // trials in a row that changed nothing
    bool measures;                     // false: the team stays as it is
    bool opened;                       // the size was chosen from the time of the first steps
    bool forming;                      // the next step is the first of a new team
    int window;                        // of the trial: 0, 2 on trial, 1, 3 as before
    carom_thread_count_window part;    // the window that runs
    carom_thread_count_window sums[2]; // of the trial so far: as before, on trial
    double least;                      // seconds of the shortest of the first steps
    double pause;                      // seconds until the next trial
    double spent;                      // seconds of this trial
    double seconds, thread_time;       // of all steps: their time, and that times the threads
} carom_thread_count;

// A team for steps with `elements` elements of which at most `limit` threads take part; `fixed`: all of them, always.
carom_thread_count carom_thread_count_start(int limit, int64_t elements, bool fixed);
// The threads for the next step.
int carom_thread_count_size(const carom_thread_count *team);
// Tells of a step that took so many seconds. True if the size of the team is another one now.
bool carom_thread_count_note(carom_thread_count *team, double seconds);
// The mean number of threads of the steps so far, weighted by their time.
double carom_thread_count_mean(const carom_thread_count *team);

#endif
