// SPDX-License-Identifier: MIT
// Chooses the number of threads for the next steps of a run, from the measured times of its steps (thread_count.h). A trial
// compares two thread counts in four alternating windows of steps: new, old, new, old. The cost of steps varies with contact
// during a run; in alternating windows both counts get similar steps. A count that is clearly slower in its first window is
// rejected at once. The pause after a trial is a multiple of its duration, so that all trials together cost a few hundredths of
// a run even if every one of them fails. Counts are powers of two, and the limit: the best of these is close to the best of
// all, and there are few to try.
#include "sim/thread_count.h"

enum {
    // Above this number of elements a run begins with all threads: a step takes almost a millisecond on one thread, and contact
    // more.
    MANY_ELEMENTS = 4000,
    // Minimum number of steps in a window of short steps ...
    WINDOW_STEPS = 8,
    // ... and of long steps.
    WINDOW_STEPS_LEAST = 3,
    // Largest number of doublings of the pause while trials fail.
    DOUBLINGS_MAX = 3
};

// Minimum seconds of a window of short steps, and of long steps, so that errors of the clock and noise are below a hundredth.
static const double window_seconds = 2e-3, window_seconds_long = 10e-3;
// Seconds of a step on one thread per thread of the initial count: much more than the cost of a parallel region, because a
// short run ends before too large a count is corrected.
static const double thread_seconds = 200e-6;
// Ratio of the new to the old time per step below which a trial succeeds. A larger count takes cores from other programs, and
// windows vary; twice as many threads that have enough work save more than this. A smaller count succeeds if it is faster at
// all.
static const double accept_larger_below = 0.9, accept_smaller_below = 1;
// Ratio after the first window above which a trial is ended.
static const double reject_above = 1.15;
// Seconds from the first steps to the first trial ...
static const double first_pause = 5e-3;
// ... and if the run uses all threads, which is usually best for long steps on an idle machine.
static const double full_pause = 0.25;
// Minimum seconds between trials, and the pause in units of the duration of the trial.
static const double least_pause = 20e-3, pause_ratio = 20;

carom_thread_count carom_thread_count_start(int limit, int64_t elements, bool fixed) {
    carom_thread_count tuner = {.trial = -1, .direction = 1, .adapts = !fixed && limit > 1, .pause = first_pause};
    for (int size = 1; size < limit && tuner.size_count < CAROM_THREAD_COUNT_SIZES_MAX - 1; size *= 2)
        tuner.sizes[tuner.size_count++] = size;
    tuner.sizes[tuner.size_count++] = limit > 1 ? limit : 1;
    if (!tuner.adapts || elements > MANY_ELEMENTS) {
        tuner.current = tuner.size_count - 1;
        tuner.size_chosen = true;
        tuner.direction = -1;
        tuner.pause = full_pause;
    }
    tuner.warming_up = true;
    return tuner;
}

int carom_thread_count_size(const carom_thread_count *tuner) {
    bool on_trial = tuner->trial >= 0 && tuner->window % 2 == 0;
    return tuner->sizes[on_trial ? tuner->trial : tuner->current];
}

double carom_thread_count_mean(const carom_thread_count *tuner) {
    return tuner->seconds > 0 ? tuner->thread_time / tuner->seconds : carom_thread_count_size(tuner);
}

static double mean(carom_thread_count_window w) {
    return w.steps > 0 ? w.seconds / (double)w.steps : 0;
}

static bool is_full(carom_thread_count_window w) {
    return (w.steps >= WINDOW_STEPS && w.seconds >= window_seconds) ||
           (w.steps >= WINDOW_STEPS_LEAST && w.seconds >= window_seconds_long);
}

static void begin_window(carom_thread_count *tuner) {
    tuner->running = (carom_thread_count_window){0};
    tuner->warming_up = true;
}

// Chooses the initial count from the first steps, which run on one thread. The shortest of them counts, because the first
// access to memory and the first search make others longer.
static void choose_initial_size(carom_thread_count *tuner) {
    double step = tuner->shortest_step;
    while (tuner->current + 1 < tuner->size_count && tuner->sizes[tuner->current + 1] * thread_seconds <= step)
        tuner->current++;
    tuner->size_chosen = true;
    // The estimate is high, so a smaller count is tried first.
    tuner->direction = tuner->current > 0 ? -1 : 1;
    if (tuner->current == tuner->size_count - 1)
        tuner->pause = full_pause;
    begin_window(tuner);
}

// Chooses the count to try: the next one in the present direction, or at the end of the list in the other direction.
static void begin_trial(carom_thread_count *tuner) {
    int next = tuner->current + tuner->direction;
    if (next < 0 || next >= tuner->size_count) {
        tuner->direction = -tuner->direction;
        next = tuner->current + tuner->direction;
    }
    tuner->trial = next;
    tuner->window = 0;
    tuner->trial_seconds = 0;
    tuner->sums[0] = tuner->sums[1] = (carom_thread_count_window){0};
    begin_window(tuner);
}

static void end_trial(carom_thread_count *tuner, bool won) {
    if (won) {
        tuner->current = tuner->trial;
        tuner->failed_trials = 0;
        tuner->pause = 0;
    } else {
        tuner->direction = -tuner->direction;
        tuner->failed_trials++;
        // Both neighbours are tried before the first pause.
        int doublings = tuner->failed_trials / 2 < DOUBLINGS_MAX ? tuner->failed_trials / 2 : DOUBLINGS_MAX;
        double pause = pause_ratio * tuner->trial_seconds * (double)(1 << doublings) / 2;
        tuner->pause = tuner->failed_trials == 1 ? 0 : pause > least_pause ? pause : least_pause;
    }
    tuner->trial = -1;
    begin_window(tuner);
}

// Ends a window of a trial, and the trial if its result is known.
static void end_window(carom_thread_count *tuner) {
    carom_thread_count_window *sum = &tuner->sums[tuner->window % 2 == 0];
    sum->steps += tuner->running.steps;
    sum->seconds += tuner->running.seconds;
    tuner->window++;
    begin_window(tuner);
    double before = mean(tuner->sums[0]), now = mean(tuner->sums[1]);
    if (tuner->window == 2 && now > reject_above * before)
        end_trial(tuner, false);
    else if (tuner->window == 4)
        end_trial(tuner, now < (tuner->trial > tuner->current ? accept_larger_below : accept_smaller_below) * before);
}

bool carom_thread_count_note(carom_thread_count *tuner, double seconds) {
    int size = carom_thread_count_size(tuner);
    tuner->seconds += seconds;
    tuner->thread_time += size * seconds;
    if (!tuner->adapts)
        return false;
    if (tuner->trial >= 0)
        tuner->trial_seconds += seconds;
    else
        tuner->pause -= seconds;
    // The first step with a new count creates threads and fills caches. It is not counted, unless it is so long that one step
    // is enough.
    if (tuner->warming_up && !(!tuner->size_chosen && seconds > window_seconds_long)) {
        tuner->warming_up = false;
        return false;
    }
    tuner->running.steps++;
    tuner->running.seconds += seconds;
    if (!tuner->size_chosen) {
        tuner->shortest_step = tuner->shortest_step > 0 && tuner->shortest_step < seconds ? tuner->shortest_step : seconds;
        if (tuner->running.steps >= WINDOW_STEPS_LEAST || seconds > window_seconds_long)
            choose_initial_size(tuner);
    } else if (tuner->trial >= 0) {
        if (is_full(tuner->running))
            end_window(tuner);
    } else if (tuner->pause <= 0) {
        begin_trial(tuner);
    }
    return carom_thread_count_size(tuner) != size;
}
