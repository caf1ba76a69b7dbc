// SPDX-License-Identifier: MIT
#include "base/profile.h"

#include <sys/resource.h>
#include <time.h>

static const char *const names[CAROM_PHASE_COUNT] = {
    [CAROM_PHASE_SETUP] = "setup",         [CAROM_PHASE_ELEMENTS] = "elements", [CAROM_PHASE_NODES] = "nodes",
    [CAROM_PHASE_SEARCH] = "search",       [CAROM_PHASE_HITS] = "hits",         [CAROM_PHASE_REST] = "rest",
    [CAROM_PHASE_FOLLOWING] = "following", [CAROM_PHASE_SOLVING] = "solving",   [CAROM_PHASE_GUARDS] = "guards",
    [CAROM_PHASE_ROWS] = "rows",           [CAROM_PHASE_AUDITS] = "audits",     [CAROM_PHASE_OUTPUT] = "output",
    [CAROM_PHASE_WAITING] = "waiting",     [CAROM_PHASE_EXCHANGE] = "exchange", [CAROM_PHASE_AGREEMENT] = "agreement",
    [CAROM_PHASE_OTHER] = "other",
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

void carom_profile_start(carom_profile *profile) {
    carom_phase_time now = carom_profile_clocks();
    *profile = (carom_profile){.on = true, .phase = CAROM_PHASE_OTHER, .wall = now.wall, .processor = now.processor};
}

carom_phase carom_profile_switch(carom_profile *profile, carom_phase phase) {
    carom_phase before = profile->phase;
    if (phase == before)
        return before;
    carom_phase_time now = carom_profile_clocks();
    profile->time[before].wall += now.wall - profile->wall;
    profile->time[before].processor += now.processor - profile->processor;
    profile->wall = now.wall;
    profile->processor = now.processor;
    profile->phase = phase;
    return before;
}

void carom_profile_stop(carom_profile *profile) {
    if (!profile->on)
        return;
    // entering any other phase stops the watch of this one
    carom_profile_switch(profile, profile->phase == CAROM_PHASE_OTHER ? CAROM_PHASE_WAITING : CAROM_PHASE_OTHER);
    profile->on = false;
}

int64_t carom_profile_memory(void) {
    struct rusage usage;
    // Linux counts kilobytes.
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024 * (int64_t)usage.ru_maxrss : 0;
}
