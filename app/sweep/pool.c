// SPDX-License-Identifier: MIT
// Runs the points of a sweep as processes, a limited number at a time. Each executes this program: a failure of one does not
// affect the others, and each has its own threads, locks and signals. The processes have their own process groups, so that
// Ctrl-C in a terminal reaches only this one, which passes it on. If this process is killed the runs continue; the next sweep
// waits at most max_wait for those that still write, and gets the exit codes of complete ones by `carom run --resume`.
#include "app/sweep/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/message.h"
#include "app/result.h"
#include "app/run/finished.h"
#include "app/sweep/message.h"
#include "carom/lock.h"
#include "carom/profile.h"

extern char **environ;

// Seconds between two checks of a folder that another process writes to, and after which the run is started nevertheless.
static const double check_interval = 0.5, max_wait = 60;

// The signals that end a sweep, and the number received.
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings };
static volatile sig_atomic_t asked;

static void note_ending(int number) {
    (void)number;
    asked++;
}

// Only interrupts the pause in work().
static void note_child(int number) {
    (void)number;
}

// A running process. `point` is -1 in a free slot.
typedef struct slot {
    pid_t pid;
    int point;
    bool resumed;
    double began;
} slot;

typedef struct pool {
    carom_sweep *sweep;
    const carom_pool_def *def;
    slot *slots;
    double *not_before;  // of each point: time of the next check whether its folder is free; 0 at first, -1: started
    double *first_check; // of each point: time of the first check
    bool *fresh;         // the point is to be run from its start
    int running, next;   // all points before `next` have been started, or are waiting for their folder
    int passed_on;       // number of signals passed on
    struct sigaction before[ENDINGS + 1];
} pool;

static double now(void) {
    return carom_profile_clocks().wall;
}

static void catch_signals(pool *p) {
    struct sigaction ending = {.sa_handler = note_ending}, child = {.sa_handler = note_child};
    asked = 0;
    for (int i = 0; i < ENDINGS; i++)
        if (sigaction(endings[i], NULL, &p->before[i]) == 0 && p->before[i].sa_handler != SIG_IGN)
            sigaction(endings[i], &ending, NULL);
    sigaction(SIGCHLD, &child, &p->before[ENDINGS]);
}

static void release_signals(const pool *p) {
    for (int i = 0; i < ENDINGS; i++)
        sigaction(endings[i], &p->before[i], NULL);
    sigaction(SIGCHLD, &p->before[ENDINGS], NULL);
}

// True if no process writes to the folder of a point.
static bool is_free(const char *directory) {
    char path[CAROM_PATH_MAX + 16];
    struct stat info;
    snprintf(path, sizeof path, "%s/lock.carom", directory);
    if (stat(path, &info) != 0)
        return true;
    carom_lock *lock = NULL;
    carom_error error;
    bool good = carom_lock_take(directory, false, &lock, NULL, 0, &error) == CAROM_OK;
    carom_lock_release(lock);
    return good;
}

// True if the folder has a checkpoint or a complete result, so that `carom run --resume` can be used.
static bool can_resume(const char *directory) {
    carom_result result;
    if (carom_has_checkpoint(directory))
        return true;
    bool completed = carom_result_read(directory, &result, NULL) && result.completed;
    carom_result_release(&result);
    return completed;
}

static void free_line(const pool *p, char **line, int own) {
    for (int k = 0; line && k < p->sweep->study.key_count; k++)
        free(line[own + 2 * k + 1]);
    free(line);
}

// The command line of a run, a list that ends with NULL; the settings of the point are in it from `own` on. Frames are off
// unless a --set of the user, which comes later, requests them.
static char **write_line(const pool *p, int point, const char *directory, bool resume, char threads[static 16], int *own) {
    const carom_sweep *sweep = p->sweep;
    int count = 0, keys = sweep->study.key_count;
    char **line = carom_zeroed(2 * ((int64_t)sweep->set_count + keys) + 16, sizeof *line);
    if (!line)
        return NULL;
    snprintf(threads, 16, "%d", p->def->threads);
    const char *const head[] = {"carom", "run", "-o", directory, "--threads", threads};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        line[count++] = (char *)head[i];
    if (resume)
        line[count++] = (char *)"--resume";
    if (!sweep->fields) {
        line[count++] = (char *)"--set";
        line[count++] = (char *)"output.fields.every=0";
    }
    for (int i = 0; i < sweep->set_count; i++) {
        line[count++] = (char *)"--set";
        line[count++] = (char *)sweep->set[i];
    }
    *own = count;
    bool good = true;
    for (int k = 0; k < keys; k++) {
        line[count++] = (char *)"--set";
        line[count] = carom_case_setting(sweep, point, k);
        good &= line[count++] != NULL;
    }
    line[count++] = (char *)"--";
    line[count++] = (char *)sweep->scene;
    if (good)
        return line;
    free_line(p, line, *own);
    return NULL;
}

// Starts a program with its output in a file; returns 0 or an errno. Signals that are caught here have their default effect.
static int spawn(char **line, const char *log, bool append, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
        sigset_t defaults;
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGCHLD);
        // a shell may have started this program in the background, where SIGINT is ignored; a run must answer SIGTERM
        sigaddset(&defaults, SIGTERM);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        // a link of that name, in a folder of a stranger, may lead to any file
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                         O_WRONLY | O_CREAT | O_NOFOLLOW | (append ? O_APPEND : O_TRUNC), 0666);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        failure = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, line, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static carom_status start(pool *p, slot *s, int point, carom_error *error) {
    char directory[CAROM_PATH_MAX], log[CAROM_PATH_MAX], threads[16];
    int own = 0;
    carom_case_path(p->sweep, point, "", directory);
    carom_case_path(p->sweep, point, "log.txt", log);
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return carom_fail(error, CAROM_IO, "cannot make %s: %s", directory, strerror(errno));
    *s = (slot){.point = point, .began = now()};
    s->resumed = !p->fresh[point] && can_resume(directory);
    char **line = write_line(p, point, directory, s->resumed, threads, &own);
    int failure = line ? spawn(line, log, s->resumed, &s->pid) : ENOMEM;
    free_line(p, line, own);
    if (failure) {
        s->point = -1;
        return carom_fail(error, CAROM_IO, "cannot start a run: %s", strerror(failure));
    }
    p->running++;
    return CAROM_OK;
}

// Fills the free slots. A point whose folder is in use is tried again later, and started nevertheless after max_wait.
static carom_status start_some(pool *p, carom_error *error) {
    int count = p->sweep->study.point_count;
    carom_status status = CAROM_OK;
    for (int i = 0; i < p->def->jobs && !status; i++) {
        slot *s = &p->slots[i];
        for (int point = p->next; s->point < 0 && point < count && !status; point++) {
            char directory[CAROM_PATH_MAX];
            bool begun = p->not_before[point] < 0;
            if (begun || p->sweep->cases[point].status != CAROM_CASE_WAITING || p->not_before[point] > now()) {
                p->next += point == p->next && (begun || p->sweep->cases[point].status != CAROM_CASE_WAITING);
                continue;
            }
            carom_case_path(p->sweep, point, "", directory);
            if (p->first_check[point] == 0)
                p->first_check[point] = now();
            if (!is_free(directory) && now() - p->first_check[point] < max_wait) {
                p->not_before[point] = now() + check_interval;
                continue;
            }
            p->not_before[point] = -1;
            status = start(p, s, point, error);
        }
    }
    return status;
}

// Sets the status of an ended run. One that could not be resumed, because its checkpoint is damaged or its gates have changed,
// is run again from its start.
static carom_status end(pool *p, slot *s, int result, carom_error *error) {
    static const carom_case_status statuses[] = {CAROM_CASE_DONE, CAROM_CASE_GATE, CAROM_CASE_REFUSED, CAROM_CASE_FAILED};
    carom_case *run = &p->sweep->cases[s->point];
    int point = s->point, code = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    s->point = -1;
    p->running--;
    run->seconds = now() - s->began;
    if (code == CAROM_EXIT_INPUT && s->resumed && !asked) {
        p->fresh[point] = true;
        p->not_before[point] = 0;
        p->next = point < p->next ? point : p->next;
        return CAROM_OK;
    }
    if (code >= 0 && code < (int)(sizeof statuses / sizeof *statuses))
        run->status = statuses[code];
    // ended by the signal before it could catch it
    else if (asked && WIFSIGNALED(result))
        run->status = CAROM_CASE_INTERRUPTED;
    else
        run->status = code == CAROM_EXIT_INTERRUPTED ? CAROM_CASE_INTERRUPTED : CAROM_CASE_KILLED;
    carom_case_find_message(p->sweep, point, WIFSIGNALED(result) ? WTERMSIG(result) : 0);
    return p->def->ended(p->sweep, point, p->def->context, error);
}

static carom_status reap(pool *p, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < p->def->jobs; i++) {
        slot *s = &p->slots[i];
        int result;
        if (s->point >= 0 && waitpid(s->pid, &result, WNOHANG) == s->pid) {
            carom_status ended = end(p, s, result, error);
            status = status ? status : ended;
        }
    }
    return status;
}

static void interrupt_all(pool *p) {
    for (int i = 0; i < p->def->jobs; i++)
        if (p->slots[i].point >= 0)
            kill(p->slots[i].pid, SIGTERM);
}

// Runs until all points are complete, or a signal or a failure ends the sweep; no process remains in any case.
static carom_status work(pool *p, carom_error *error) {
    static const struct timespec pause = {.tv_nsec = 50000000};
    carom_status status = CAROM_OK;
    for (;;) {
        if (!status && !asked)
            status = start_some(p, error);
        if (status && p->passed_on == 0) {
            interrupt_all(p);
            p->passed_on = 1;
        }
        for (; p->passed_on < asked; p->passed_on++)
            interrupt_all(p);
        bool waits = false;
        for (int i = p->next; i < p->sweep->study.point_count && !waits && !asked && !status; i++)
            waits = p->sweep->cases[i].status == CAROM_CASE_WAITING && p->not_before[i] >= 0;
        if (p->running == 0 && !waits)
            break;
        p->def->tick(p->sweep, p->running, p->def->context);
        // a child that ends meanwhile interrupts the pause
        nanosleep(&pause, NULL);
        carom_error later;
        carom_status ended = reap(p, status ? &later : error);
        status = status ? status : ended;
    }
    if (!status && asked)
        status = carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    return status;
}

carom_status carom_pool_run(carom_sweep *sweep, const carom_pool_def *def, carom_error *error) {
    int count = sweep->study.point_count;
    pool p = {
        .sweep = sweep,
        .def = def,
        .slots = carom_zeroed(def->jobs, sizeof *p.slots),
        .not_before = carom_zeroed(count, sizeof *p.not_before),
        .first_check = carom_zeroed(count, sizeof *p.first_check),
        .fresh = carom_zeroed(count, sizeof *p.fresh),
    };
    carom_status status = CAROM_OK;
    if (!p.slots || !p.not_before || !p.first_check || !p.fresh)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the runs");
    for (int i = 0; i < def->jobs && !status; i++)
        p.slots[i].point = -1;
    if (!status) {
        catch_signals(&p);
        status = work(&p, error);
        release_signals(&p);
    }
    free(p.slots);
    free(p.not_before);
    free(p.first_check);
    free(p.fresh);
    return status;
}
