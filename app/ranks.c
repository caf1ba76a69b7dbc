// SPDX-License-Identifier: MIT
// Starts the processes of a parallel run and lets rank 0 decide for all of them. Two programs are built from the same objects:
// `carom`, which does not use MPI and starts at once, and `carom-mpi`. With --ranks `carom` starts mpirun with `carom-mpi`; a
// `carom` that mpirun itself has started is replaced by `carom-mpi`.
#include "app/ranks.h"

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "app/message.h"
#include "carom/file.h"
#include "carom/parallel.h"
#include "carom/threads.h"

// Largest number of processes, beyond any machine: a larger one is a typing error.
enum {
    RANKS_MAX = 1 << 20,
    // Largest number of processes per core, if this is not a job of a cluster.
    PROCESSES_PER_CORE_MAX = 16
};

static bool started;

// A positive number in the environment; 0 if there is none.
static int count_from(const char *name) {
    const char *text = getenv(name);
    char *end;
    long count = text ? strtol(text, &end, 10) : 0;
    return text && end != text && !*end && count > 0 && count <= RANKS_MAX ? (int)count : 0;
}

// Open MPI and MPICH set variables of their own; Slurm sets its number of tasks in every job, which counts only if it has
// started them as MPI processes.
int carom_ranks_started(void) {
    int count = count_from("OMPI_COMM_WORLD_SIZE");
    if (!count)
        count = count_from("PMI_SIZE");
    if (!count && getenv("PMIX_RANK"))
        count = count_from("SLURM_STEP_NUM_TASKS");
    return count ? count : 1;
}

// A program in a folder of PATH.
static bool find_in_path(const char *name, char path[static CAROM_PATH_MAX]) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t size = strcspn(folders, ":");
        int length = snprintf(path, CAROM_PATH_MAX, "%.*s/%s", (int)size, size ? folders : ".", name);
        if (length < CAROM_PATH_MAX && access(path, X_OK) == 0)
            return true;
        folders += size + (folders[size] == ':');
    }
    return false;
}

// Finds `carom-mpi` in the folder of this program, or in PATH.
static bool find_program(char path[static CAROM_PATH_MAX]) {
    char self[CAROM_PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size > 0) {
        self[size] = 0;
        int length = snprintf(path, CAROM_PATH_MAX, "%s/carom-mpi", dirname(self));
        if (length < CAROM_PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return find_in_path("carom-mpi", path);
}

int carom_ranks_replace(char **argv) {
    int count = carom_ranks_started();
    if (carom_parallel_possible() || count <= 1)
        return CAROM_EXIT_DONE;
    char path[CAROM_PATH_MAX];
    if (!find_program(path)) {
        // only one process prints the message
        const char *rank = getenv("OMPI_COMM_WORLD_RANK");
        rank = rank ? rank : getenv("PMI_RANK");
        if (!rank || strcmp(rank, "0") == 0)
            carom_say_error("%d processes were started, which need carom-mpi: it is neither in the folder of carom nor in PATH "
                            "(make mpi builds it)",
                            count);
        return CAROM_EXIT_INPUT;
    }
    execv(path, argv);
    return carom_refuse("cannot start %s: %s", path, strerror(errno));
}

// True if it is the mpirun of Open MPI, which requires some options that others do not support.
static bool is_open_mpi(const char *mpirun) {
    char *path = realpath(mpirun, NULL);
    const char *name = path ? basename(path) : "";
    bool open_mpi = strcmp(name, "orterun") == 0 || strcmp(name, "prterun") == 0 || (path && strstr(path, "openmpi"));
    free(path);
    return open_mpi;
}

// Open MPI does not run as root unless two variables allow it; its own message is a page of text.
static bool may_run(bool open_mpi) {
    if (!open_mpi || geteuid() != 0 || (getenv("OMPI_ALLOW_RUN_AS_ROOT") && getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")))
        return true;
    carom_say_error("mpirun refuses to run as root: run carom as another user or, in a container, set "
                    "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    return false;
}

// More processes than cores are slow, which is noted. Many more make a machine unusable and are a typing error: refused.
static bool check_oversubscription(int count) {
    carom_set_threads(0);
    int cores = carom_threads();
    // in a job of a cluster the other processes run on other machines
    if (count <= cores || getenv("SLURM_JOB_ID") || getenv("PBS_JOBID") || getenv("LSB_JOBID"))
        return true;
    if (count > PROCESSES_PER_CORE_MAX && count > PROCESSES_PER_CORE_MAX * cores) {
        carom_say_error("--ranks %d: this machine has %d %s; mpirun with a list of hosts starts processes on others", count,
                        cores, carom_plural(cores, "core", "cores"));
        return false;
    }
    carom_say_note("%d processes share %d %s: the run is correct, but slower than with %d", count, cores,
                   carom_plural(cores, "core", "cores"), cores);
    return true;
}

// Writes the command line for mpirun: its own options, the program, and the arguments but --ranks. Options keep their order;
// operands come after "--". Returns false if memory is short.
static bool write_line(const carom_arguments *arguments, const char *mpirun, const char *program, const char *count,
                       bool open_mpi, char **line) {
    // Processes are not bound to a core each, because each has threads. More processes than cores are allowed. An exit code
    // other than 0 needs no page of text (--quiet).
    static const char *const options[] = {"--oversubscribe", "--quiet"};
    int used = 0;
    line[used++] = strdup(mpirun);
    line[used++] = strdup("-n");
    line[used++] = strdup(count);
    line[used++] = strdup("--bind-to");
    line[used++] = strdup("none");
    for (size_t i = 0; open_mpi && i < sizeof options / sizeof *options; i++)
        line[used++] = strdup(options[i]);
    line[used++] = strdup(program);
    line[used++] = strdup(arguments->command->name);
    for (int i = 0; i < arguments->value_count; i++) {
        const carom_option *option = arguments->values[i].option;
        if (strcmp(option->name, "ranks") == 0)
            continue;
        const char *value = arguments->values[i].value;
        size_t size = strlen(option->name) + strlen(value) + sizeof "--=";
        char *word = malloc(size);
        if (word)
            snprintf(word, size, option->argument ? "--%s=%s" : "--%s", option->name, value);
        line[used++] = word;
    }
    line[used++] = strdup("--");
    for (int i = 0; i < arguments->operand_count; i++)
        line[used++] = strdup(arguments->operands[i]);
    for (int i = 0; i < used; i++)
        if (!line[i])
            return false;
    return true;
}

// The process of mpirun, and the number of signals from the user that were passed on to it.
static volatile sig_atomic_t child, signals_sent;

// Seconds between two signals to mpirun.
enum { REPEAT = 1 };

// mpirun would answer SIGINT or SIGTERM by killing its processes within a second, perhaps during a checkpoint. It passes
// SIGUSR1 on, at which carom-mpi saves its state and ends. A signal sent before its processes have started is lost, so it is
// sent again until all have ended. A second signal of the user is passed on as SIGTERM and ends them quickly.
static void pass_on(int number) {
    if (number != SIGALRM)
        signals_sent++;
    if (child > 0)
        kill((pid_t)child, signals_sent > 1 ? SIGTERM : SIGUSR1);
    alarm(REPEAT);
}

// The exit code of mpirun, which is that of its processes.
static int wait_for_processes(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = pass_on};
        sigaction(numbers[i], &action, NULL);
    }
    int status = 0;
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            return CAROM_EXIT_INPUT;
    alarm(0);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    // Processes that were interrupted before they could catch the signal have ended by it. An mpirun that was ended
    // returns 1.
    return (signals_sent && code > 128) || (signals_sent > 1 && code) ? CAROM_EXIT_INTERRUPTED : code;
}

// Runs a program in its own process group: a terminal sends Ctrl-C to this process only.
static int start_program(char **line) {
    fflush(stdout);
    child = fork();
    if (child < 0)
        return carom_refuse("cannot start %s: %s", line[0], strerror(errno));
    if (child > 0)
        return wait_for_processes();
    setpgid(0, 0);
#ifdef __linux__
    // The processes must not continue if this one is killed.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    // A process that waits for others leaves the processor to them, and to other programs. On a free machine this costs
    // nothing; where others compute too, a run of two processes took ten times as long without it.
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    // the processes of mpirun always have a terminal, so colours must be disabled explicitly
    if (!isatty(STDOUT_FILENO))
        setenv("NO_COLOR", "1", 1);
    // A group in the background must not read from the terminal.
    if (freopen("/dev/null", "r", stdin))
        execv(line[0], line);
    carom_say_error("cannot start %s: %s", line[0], strerror(errno));
    _exit(CAROM_EXIT_INPUT);
}

static int start_processes(const carom_arguments *arguments, const char *mpirun, const char *program, const char *count,
                           bool open_mpi) {
    // Words that write_line adds by itself.
    enum { OWN_WORDS = 16 };
    size_t words = (size_t)arguments->value_count + (size_t)arguments->operand_count + OWN_WORDS;
    char **line = calloc(words, sizeof *line);
    int code = CAROM_EXIT_INPUT;
    if (line && write_line(arguments, mpirun, program, count, open_mpi, line))
        code = start_program(line);
    else
        carom_say_error("no memory for the command line");
    for (size_t i = 0; line && i < words; i++)
        free(line[i]);
    free(line);
    return code;
}

// Finds what is needed and starts it; returns the exit code of the run, or that of a message.
static int launch(const carom_arguments *arguments, int count, const char *text) {
    char program[CAROM_PATH_MAX], mpirun[CAROM_PATH_MAX];
    if (!find_program(program))
        return carom_refuse(
            "--ranks needs carom-mpi, which is neither in the folder of carom nor in PATH (make mpi builds it)");
    if (!find_in_path("mpirun", mpirun) && !find_in_path("mpiexec", mpirun))
        return carom_refuse("--ranks needs mpirun, which is not in PATH (Debian has it in openmpi-bin)");
    bool open_mpi = is_open_mpi(mpirun);
    if (!may_run(open_mpi))
        return CAROM_EXIT_INPUT;
    if (!check_oversubscription(count))
        return CAROM_EXIT_INPUT;
    return start_processes(arguments, mpirun, program, text, open_mpi);
}

bool carom_ranks_launch(const carom_arguments *arguments, int *code) {
    int64_t count = 1;
    int present = carom_ranks_started();
    *code = CAROM_EXIT_DONE;
    if (!carom_arguments_value(arguments, "ranks"))
        return false;
    if (!carom_arguments_whole(arguments, "ranks", 1, RANKS_MAX, &count))
        *code = CAROM_EXIT_INPUT;
    else if (present > 1 && present != count)
        *code = carom_refuse("--ranks %d: mpirun has started %d processes already; remove one of the two", (int)count, present);
    else if (present > 1 || count == 1)
        return false;
    else
        *code = launch(arguments, (int)count, carom_arguments_value(arguments, "ranks"));
    return true;
}

// Prints the message of a process that ends all others, also on a rank whose messages are suppressed.
static int print_fatal(carom_status status, const char *message) {
    fprintf(stderr, "carom: error: %s\n", message);
    return carom_exit_code(status);
}

void carom_ranks_abandon(carom_status status, const char *message) {
    if (started && carom_parallel_size() > 1)
        carom_parallel_abandon(status, message);
}

int carom_ranks_begin(void) {
    if (started || !carom_parallel_possible())
        return CAROM_EXIT_DONE;
    carom_error error = {0};
    carom_parallel_set_last_words(print_fatal);
    carom_status status = carom_parallel_start(&error);
    started = true;
    if (status == CAROM_NO_MEMORY)
        carom_ranks_abandon(status, error.message);
    if (carom_parallel_rank() > 0)
        carom_fall_silent();
    if (status)
        carom_say_error("%s", error.message);
    return carom_exit_code(status);
}

int carom_ranks_end(int code) {
    if (!started)
        return code;
    carom_parallel_broadcast(&code, sizeof code);
    carom_parallel_stop();
    return code;
}

bool carom_ranks_go_on(bool go_on) {
    if (started)
        carom_parallel_broadcast(&go_on, sizeof go_on);
    return go_on;
}
