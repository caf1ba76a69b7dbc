// SPDX-License-Identifier: MIT
// A trial compares two sizes in four windows in turn: new, old, new, old. Contact makes steps dearer and cheaper in the course
// of a run; taken in turn, both sizes meet the same steps but for chance. A size that loses its first window clearly is given
// up at once. A trial costs at most what the slower size costs in its windows; the pause after it is a multiple of that, so all
// trials together cost a few hundredths of a run even if every one of them fails. Sizes are powers of two: the best of these is
// close to the best of all, and fewer sizes are found sooner.
#include "sim/thread_count.h"

enum {
    // With so many elements all threads begin: a step takes a good part of a millisecond on one of them, and contact more.
    MANY_ELEMENTS = 4000,
    // Steps in a window, if they are short ...
    WINDOW_STEPS = 8,
    // ... or if they are long.
    WINDOW_STEPS_LEAST = 3,
    // A pause grows by this number of doublings while trials change nothing.
    DOUBLINGS_MAX = 3
};

// A window of short and of long steps takes at least this long, seconds: the clock and chance stay below a hundredth.
static const double window_seconds = 2e-3, window_seconds_long = 10e-3;
// The share of a step on one thread that makes a further thread worth its while at the start, seconds: much more than it takes
// to form a team and to wait for it, because a short run ends before a guess that was too large is corrected.
static const double thread_seconds = 200e-6;
// A larger team must be faster by so much: it takes cores from others, and single windows vary. Twice as many threads that
// have work to do save more. A smaller team need only be as good.
static const double worth = 0.9, as_good = 1;
// A new team that is slower by so much in its first window is given up.
static const double hopeless = 1.15;
// The first trial comes so many seconds after the first steps, ...
static const double first_pause = 5e-3;
// ... or, with all threads, later: long steps are right on all threads of an idle machine.
static const double full_pause = 0.25;
// The pauses between trials, at least, and in units of the time that the trial took.
static const double least_pause = 20e-3, pause_ratio = 20;

carom_thread_count carom_thread_count_start(int limit, int64_t elements, bool fixed) {
    carom_thread_count team = {.tried = -1, .direction = 1, .measures = !fixed && limit > 1, .pause = first_pause};
    for (int size = 1; size < limit && team.size_count < CAROM_THREAD_COUNT_SIZES_MAX - 1; size *= 2)
        team.sizes[team.size_count++] = size;
    team.sizes[team.size_count++] = limit > 1 ? limit : 1;
    if (!team.measures || elements > MANY_ELEMENTS) {
        team.held = team.size_count - 1;
        team.opened = true;
        team.direction = -1;
        team.pause = full_pause;
    }
    team.forming = true;
    return team;
}

int carom_thread_count_size(const carom_thread_count *team) {
    bool on_trial = team->tried >= 0 && team->window % 2 == 0;
    return team->sizes[on_trial ? team->tried : team->held];
}

double carom_thread_count_mean(const carom_thread_count *team) {
    return team->seconds > 0 ? team->thread_time / team->seconds : carom_thread_count_size(team);
}

static double mean(carom_thread_count_window w) {
    return w.steps > 0 ? w.seconds / (double)w.steps : 0;
}

static bool is_full(carom_thread_count_window w) {
    return (w.steps >= WINDOW_STEPS && w.seconds >= window_seconds) ||
           (w.steps >= WINDOW_STEPS_LEAST && w.seconds >= window_seconds_long);
}

static void begin_window(carom_thread_count *team) {
    team->part = (carom_thread_count_window){0};
    team->forming = true;
}

// The first steps run on one thread: their time says how many threads have enough to do. The shortest of them counts, since
// the first touch of memory and the first search make others longer.
static void open(carom_thread_count *team) {
    double step = team->least;
    while (team->held + 1 < team->size_count && team->sizes[team->held + 1] * thread_seconds <= step)
        team->held++;
    team->opened = true;
    // The guess is a generous one, so a smaller team is tried first.
    team->direction = team->held > 0 ? -1 : 1;
    if (team->held == team->size_count - 1)
        team->pause = full_pause;
    begin_window(team);
}

// Chooses the size to try: the next in the direction that won last, or else the other one.
static void begin_trial(carom_thread_count *team) {
    int next = team->held + team->direction;
    if (next < 0 || next >= team->size_count) {
        team->direction = -team->direction;
        next = team->held + team->direction;
    }
    team->tried = next;
    team->window = 0;
    team->spent = 0;
    // The steps just made are the first measure of the size as before: they tell whether the other is hopeless.
    team->sums[0] = team->sums[1] = (carom_thread_count_window){0};
    begin_window(team);
}

static void end_trial(carom_thread_count *team, bool won) {
    if (won) {
        team->held = team->tried;
        team->refused = 0;
        team->pause = 0;
    } else {
        team->direction = -team->direction;
        team->refused++;
        // Both neighbours are tried before the first pause.
        int doublings = team->refused / 2 < DOUBLINGS_MAX ? team->refused / 2 : DOUBLINGS_MAX;
        double pause = pause_ratio * team->spent * (double)(1 << doublings) / 2;
        team->pause = team->refused == 1 ? 0 : pause > least_pause ? pause : least_pause;
    }
    team->tried = -1;
    begin_window(team);
}

// The end of a window of a trial.
static void judge(carom_thread_count *team) {
    carom_thread_count_window *sum = &team->sums[team->window % 2 == 0];
    sum->steps += team->part.steps;
    sum->seconds += team->part.seconds;
    team->window++;
    begin_window(team);
    double before = mean(team->sums[0]), now = mean(team->sums[1]);
    if (team->window == 2 && now > hopeless * before)
        end_trial(team, false);
    else if (team->window == 4)
        end_trial(team, now < (team->tried > team->held ? worth : as_good) * before);
}

bool carom_thread_count_note(carom_thread_count *team, double seconds) {
    int size = carom_thread_count_size(team);
    team->seconds += seconds;
    team->thread_time += size * seconds;
    if (!team->measures)
        return false;
    if (team->tried >= 0)
        team->spent += seconds;
    else
        team->pause -= seconds;
    // The first step of a team creates its threads and fills their caches: it counts only if it is so long that one of them
    // says enough.
    if (team->forming && !(!team->opened && seconds > window_seconds_long)) {
        team->forming = false;
        return false;
    }
    team->part.steps++;
    team->part.seconds += seconds;
    if (!team->opened) {
        team->least = team->least > 0 && team->least < seconds ? team->least : seconds;
        if (team->part.steps >= WINDOW_STEPS_LEAST || seconds > window_seconds_long)
            open(team);
    } else if (team->tried >= 0) {
        if (is_full(team->part))
            judge(team);
    } else if (team->pause <= 0) {
        begin_trial(team);
    }
    return carom_thread_count_size(team) != size;
}
