// SPDX-License-Identifier: MIT
// Stop watches of the phases of a run, by the monotonic clock and the processor time.
#include "base/profile.h"

#include <time.h>

static const char *const names[CAROM_PHASE_COUNT] = {
    [CAROM_PHASE_SETUP] = "setup",         [CAROM_PHASE_ELEMENTS] = "elements",   [CAROM_PHASE_NODES] = "nodes",
    [CAROM_PHASE_SEARCH] = "search",       [CAROM_PHASE_HITS] = "hits",           [CAROM_PHASE_REST] = "rest",
    [CAROM_PHASE_FOLLOWING] = "following", [CAROM_PHASE_SOLVING] = "solving",     [CAROM_PHASE_GUARDS] = "guards",
    [CAROM_PHASE_PEAKS] = "peaks",         [CAROM_PHASE_ROWS] = "rows",           [CAROM_PHASE_AUDITS] = "audits",
    [CAROM_PHASE_OUTPUT] = "output",       [CAROM_PHASE_WAITING] = "waiting",     [CAROM_PHASE_EXCHANGE] = "exchange",
    [CAROM_PHASE_AGREEMENT] = "agreement", [CAROM_PHASE_BALANCING] = "balancing", [CAROM_PHASE_OTHER] = "other",
};

const char *carom_phase_name(carom_phase phase) {
    return phase >= 0 && phase < CAROM_PHASE_COUNT ? names[phase] : "";
}

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

carom_phase_time carom_profile_clocks(void) {
    return (carom_phase_time){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

double carom_profile_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double carom_profile_work(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

void carom_profile_start(carom_profile *profile) {
    carom_phase_time now = carom_profile_clocks();
    *profile =
        (carom_profile){.on = true, .times = true, .phase = CAROM_PHASE_OTHER, .wall = now.wall, .processor = now.processor};
}

// Adds the time since the last call to that of the present phase.
static void count_time(carom_profile *profile) {
    carom_phase before = profile->phase;
    carom_phase_time now = carom_profile_clocks();
    profile->time[before].wall += now.wall - profile->wall;
    profile->time[before].processor += now.processor - profile->processor;
    profile->wall = now.wall;
    profile->processor = now.processor;
}

// Adds the work since the last call to that of the present phase.
static void count_work(carom_profile *profile) {
    double now = carom_profile_work();
    profile->work[profile->phase] += now - profile->mark;
    profile->mark = now;
}

carom_phase carom_profile_switch(carom_profile *profile, carom_phase phase) {
    carom_phase before = profile->phase;
    if (phase == before)
        return before;
    if (profile->times)
        count_time(profile);
    if (profile->weighs)
        count_work(profile);
    profile->phase = phase;
    return before;
}

void carom_profile_measure_work(carom_profile *profile, bool weighs) {
    if (!profile->on)
        profile->phase = CAROM_PHASE_OTHER;
    if (profile->weighs)
        count_work(profile);
    else
        profile->mark = carom_profile_work();
    profile->weighs = weighs;
    profile->on = profile->times || weighs;
}

void carom_profile_stop(carom_profile *profile) {
    if (profile->times)
        count_time(profile);
    profile->on = profile->times = profile->weighs = false;
}
