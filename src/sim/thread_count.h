// SPDX-License-Identifier: MIT
// Adapts the number of threads of a run. More threads are not always faster: starting and synchronising them costs microseconds
// per loop, cores may be busy with other programs, and contact may be sequential. So the time of the steps is measured, and at
// intervals the next smaller or larger number is tried. Results do not depend on the number of threads.
#ifndef CAROM_SIM_THREAD_COUNT_H
#define CAROM_SIM_THREAD_COUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { CAROM_THREAD_COUNT_SIZES_MAX = 16 };

// Steps with one thread count: their number and seconds, without the first step after a change.
typedef struct carom_thread_count_window {
    int64_t steps;
    double seconds;
} carom_thread_count_window;

// Start from carom_thread_count_start.
typedef struct carom_thread_count {
    int sizes[CAROM_THREAD_COUNT_SIZES_MAX]; // thread counts: 1, 2, 4, ... and the limit
    int size_count;
    int current;                       // index in sizes of the present count
    int trial;                         // index in sizes of the count on trial; -1: none
    int direction;                     // of the next trial: +1 a larger count, -1 a smaller one
    int failed_trials;                 // failed trials in succession
    bool adapts;                       // false: the count is fixed
    bool size_chosen;                  // the initial count was chosen from the time of the first steps
    bool warming_up;                   // the next step is the first with a new count
    int window;                        // of the trial: 0, 2 with the new count, 1, 3 with the old one
    carom_thread_count_window running; // the present window
    carom_thread_count_window sums[2]; // of the trial so far: old count, new count
    double shortest_step;              // seconds of the shortest of the first steps
    double pause;                      // seconds until the next trial
    double trial_seconds;              // seconds of this trial
    double seconds, thread_time;       // of all steps: their time, and that times the threads
} carom_thread_count;

// For steps with `elements` elements and at most `limit` threads; `fixed`: always all of them.
carom_thread_count carom_thread_count_start(int limit, int64_t elements, bool fixed);
// The threads for the next step.
int carom_thread_count_size(const carom_thread_count *tuner);
// Adds a step that took so many seconds. True if the thread count has changed.
bool carom_thread_count_note(carom_thread_count *tuner, double seconds);
// The mean number of threads of the steps so far, weighted by their time.
double carom_thread_count_mean(const carom_thread_count *tuner);

#endif
