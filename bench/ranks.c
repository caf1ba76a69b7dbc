// SPDX-License-Identifier: MIT
// Speed-up by several processes: whole runs by `carom run --ranks N`, one thread each, compared with `carom run --threads N`.
// The command and carom-mpi must be in the folder of this program, and mpirun in PATH. Scenes are written to a temporary
// folder, and figures are read from the summaries of the runs. Final states must be equal for all numbers of processes and
// threads.
//
// The time of a step is that of the first process without set-up, rows, audits and files. "processor" is the processor time of
// a step for elements, nodes and contact, without waiting and exchange, as the mean of all processes. On a machine with other
// load it is more reliable than the wall clock, but it does not include load imbalance.
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <carom/carom.h>
#include <carom/threads.h>

#include "bench.h"

enum { COUNTS_MAX = 16, TEXT_MAX = 4096, REPETITIONS = 3 };

// Runs up to this time (seconds) are repeated three times, and the median is taken.
static const double short_run = 30;

typedef struct options {
    int counts[COUNTS_MAX], count; // processes
    int cells;                     // along a side; 0: default of the case
    int steps;                     // 0: default of the case
    const char *name;              // of the case; NULL: all
    char programs[PATH_MAX];       // folder of carom and carom-mpi
    char folder[PATH_MAX];         // for scenes and results
} options;

// The result of one run.
typedef struct outcome {
    double command;                              // seconds of the whole command, set-up and all
    double setup;                                // seconds
    double steps;                                // number
    double step, exchange, agreement, processor; // milliseconds in a step
    double memory[2];                            // megabytes: of the first process, of any other
    char hash[32];
} outcome;

typedef struct benchmark {
    const char *name, *title;
    int cells, steps;
    bool grows; // the model grows with the number of processes
    // Writes the scene for a number of processes; returns the number of elements.
    long (*write)(int cells, int steps, int processes, FILE *file);
} benchmark;

static void put_head(const char *title, double step, int steps, FILE *file) {
    fprintf(file,
            "title: %s\nintegrator: newmark-dcr\ntime: {end: %.17g, step: %.17g}\n"
            "output: {history: {every: 1000000000}, fields: {every: 1000000000}}\nbodies:\n",
            title, step * steps, step);
}

static void put_box(const char *name, const double from[3], const double to[3], const int cells[3], FILE *file) {
    fprintf(file,
            "  - name: %s\n"
            "    mesh: {box: {from: [%g, %g, %g], to: [%g, %g, %g], elements: [%d, %d, %d], cells: tet4}}\n"
            "    element: tet4\n"
            "    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}\n",
            name, from[0], from[1], from[2], to[0], to[1], to[2], cells[0], cells[1], cells[2]);
}

// A safe step for cells of a side 1/n of material with a wave speed near 1.
static double step_of(int cells) {
    return 0.044 / cells;
}

static long write_box(int cells, int steps, int processes, FILE *file) {
    (void)processes;
    put_head("A box in free flight", step_of(cells), steps, file);
    put_box("box", (double[3]){0, 0, 0}, (double[3]){1, 1, 1}, (int[3]){cells, cells, cells}, file);
    fputs("    velocity: [0, 0, -0.1]\n    spin: [0.1, 0.2, 0.3]\ncontact: false\n", file);
    return 6L * cells * cells * cells;
}

// Doubled along x, y, z in turn as long as the number of processes is even.
static long write_weak(int cells, int steps, int processes, FILE *file) {
    int times[3] = {1, 1, 1}, axis = 0;
    for (; processes % 2 == 0; processes /= 2, axis = (axis + 1) % 3)
        times[axis] *= 2;
    times[axis] *= processes;
    put_head("A box that grows", step_of(cells), steps, file);
    put_box("box", (double[3]){0, 0, 0}, (double[3]){times[0], times[1], times[2]},
            (int[3]){cells * times[0], cells * times[1], cells * times[2]}, file);
    fputs("    velocity: [0, 0, -0.1]\n    spin: [0.1, 0.2, 0.3]\ncontact: false\n", file);
    return 6L * cells * cells * cells * times[0] * times[1] * times[2];
}

// Two bodies with non-matching meshes, which touch in the second step.
static long write_contact(int cells, int steps, int processes, FILE *file) {
    (void)processes;
    put_head("A box on another", step_of(cells), steps, file);
    put_box("lower", (double[3]){0, 0, 0}, (double[3]){1, 1, 1}, (int[3]){cells, cells, cells}, file);
    put_box("upper", (double[3]){0.1, 0.1, 1.0001}, (double[3]){1.1, 1.1, 2.0001}, (int[3]){cells, cells, cells}, file);
    fputs("    velocity: [0, 0, -0.1]\ncontact: {restitution: 0}\n", file);
    return 12L * cells * cells * cells;
}

// The cubes of scenes/papers/dcr/seventysix_cubes_solid.yaml.
static long write_cubes(int cells, int steps, int processes, FILE *file) {
    static const char *const bodies[2][3] = {
        {"block", "from: [0, 0, 0], to: [1, 1, 1]", "    array: {copies: [5, 3, 5], spacing: [1.05, 1.05, 1.05]}\n"},
        {"single", "from: [1.6, 3.2, 1.7], to: [2.6, 4.2, 2.7]", ""},
    };
    (void)processes;
    // about half of the stable step of a cell
    put_head("Seventy-six solid cubes", 7.4e-4 / cells, steps, file);
    for (int b = 0; b < 2; b++)
        fprintf(file,
                "  - name: %s\n    mesh: {box: {%s, elements: [%d, %d, %d]}}\n%s    element: hex8\n"
                "    material: {neo-hookean: {young: 2.1e5, poisson: 0.3, density: 0.7085}}\n    velocity: %s\n",
                bodies[b][0], bodies[b][1], cells, cells, cells, bodies[b][2], b ? "[30, -30, -30]" : "[-30, 30, 30]");
    fputs("contact: {restitution: 0}\n", file);
    return 76L * cells * cells * cells;
}

static const benchmark benchmarks[] = {
    {"box", "a box of %ld tetrahedra without contact", 55, 60, false, write_box},
    {"weak", "a box of %ld tetrahedra for each process, without contact", 40, 60, true, write_weak},
    {"contact", "two boxes, %ld tetrahedra, in contact", 55, 60, false, write_contact},
    {"cubes", "seventy-six cubes, %ld bricks, that fly into each other", 8, 108, false, write_cubes},
    {"start", "the start of a run of %ld tetrahedra", 4, 1, false, write_box},
};

enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

// The file as a text; NULL if it cannot be read.
static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

// The number after `key`, searched from the text `from` on; 0 if there is none.
static double number_behind(const char *text, const char *from, const char *key) {
    const char *place = strstr(text, from);
    place = place ? strstr(place, key) : NULL;
    return place ? strtod(place + strlen(key), NULL) : 0;
}

static double phase_of(const char *summary, const char *phase, const char *key) {
    char from[64];
    snprintf(from, sizeof from, "\"%s\": {", phase);
    const char *line = strstr(summary, from);
    if (!line)
        return 0;
    // a phase is a line: the next one has the same keys
    char row[TEXT_MAX];
    snprintf(row, sizeof row, "%.*s", (int)strcspn(line, "\n"), line);
    return number_behind(row, "{", key);
}

static void read_outcome(const char *summary, bool shared, outcome *o) {
    static const char *const work[] = {"elements", "nodes", "search", "hits", "rest", "following", "guards"};
    o->steps = number_behind(summary, "\"steps\"", ": ");
    o->setup = phase_of(summary, "setup", "\"seconds\": ");
    double per_step = 1e3 / o->steps;
    o->exchange = per_step * phase_of(summary, "exchange", "\"seconds\": ");
    o->agreement = per_step * phase_of(summary, "agreement", "\"seconds\": ");
    o->step = o->exchange + o->agreement;
    o->processor = 0;
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        o->step += per_step * phase_of(summary, work[i], "\"seconds\": ");
        o->processor +=
            per_step * phase_of(summary, work[i], shared ? "\"mean_processor_seconds\": " : "\"processor_seconds\": ");
    }
    o->memory[0] = 1e-6 * number_behind(summary, "\"memory\"", "[");
    o->memory[1] = 1e-6 * number_behind(summary, "\"memory\"", ", ");
    const char *hash = strstr(summary, "0x");
    snprintf(o->hash, sizeof o->hash, "%.18s", hash ? hash : "none");
}

// Runs a command with its output in a file of the folder; returns its exit code.
static int execute(const char *folder, char *const *line) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/said", folder);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int said = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (said >= 0 && dup2(said, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0)
            execv(line[0], line);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 127;
    return WEXITSTATUS(status);
}

// One run of the scene in the folder by a number of processes and of threads of each. 0 processes: carom; 1: carom-mpi without
// mpirun.
static bool run_once(const options *o, int processes, int threads, outcome *found) {
    char program[PATH_MAX + 16], scene[PATH_MAX + 16], results[PATH_MAX + 16], path[PATH_MAX + 32], counts[2][16];
    snprintf(program, sizeof program, "%s/%s", o->programs, processes == 1 ? "carom-mpi" : "carom");
    snprintf(scene, sizeof scene, "%s/scene.yaml", o->folder);
    snprintf(results, sizeof results, "%s/results", o->folder);
    snprintf(counts[0], sizeof counts[0], "%d", threads);
    snprintf(counts[1], sizeof counts[1], "%d", processes);
    char *line[] = {program,     "run",     scene,       "-o",      results,
                    "--profile", "--quiet", "--threads", counts[0], processes > 1 ? "--ranks" : NULL,
                    counts[1],   NULL};
    double begin = carom_bench_clock();
    int code = execute(o->folder, line);
    found->command = carom_bench_clock() - begin;
    snprintf(path, sizeof path, "%s/summary.json", results);
    char *summary = code == 0 ? read_text(path) : NULL;
    if (summary) {
        read_outcome(summary, processes > 1, found);
    } else {
        snprintf(path, sizeof path, "%s/said", o->folder);
        char *said = read_text(path);
        fprintf(stderr, "carom-bench: %s ended with exit code %d: %s\n", program, code, said ? said : "");
        free(said);
    }
    free(summary);
    return code == 0;
}

static int by_step(const void *a, const void *b) {
    double x = ((const outcome *)a)->step, y = ((const outcome *)b)->step;
    return (x > y) - (x < y);
}

static int by_command(const void *a, const void *b) {
    double x = ((const outcome *)a)->command, y = ((const outcome *)b)->command;
    return (x > y) - (x < y);
}

// Of three runs, the one with the median time of steps, or of the whole command if `starts`. A long run is not repeated.
static bool run(const options *o, int processes, int threads, bool starts, outcome *found) {
    outcome all[REPETITIONS];
    int count = 0;
    while (count < REPETITIONS && (count == 0 || all[0].command <= short_run))
        if (!run_once(o, processes, threads, &all[count++]))
            return false;
    qsort(all, (size_t)count, sizeof *all, starts ? by_command : by_step);
    *found = all[count / 2];
    return true;
}

static bool write_scene(const options *o, const benchmark *b, int processes, long *elements) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/scene.yaml", o->folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    *elements = b->write(o->cells ? o->cells : b->cells, o->steps ? o->steps : b->steps, processes, file);
    return fclose(file) == 0;
}

static void print_row(const char *who, int number, const char *what, const outcome *o, double speedup, double share,
                      double work) {
    char row[64];
    snprintf(row, sizeof row, "%s, %d %s%s", who, number, what, number == 1 ? "" : strcmp(what, "process") ? "s" : "es");
    printf("%-23s %8.2f %9.3f %8.2f %7.2f %9.3f %9.3f %9.3f %6.2f %7.0f", row, 1e3 / o->step, o->step, speedup, share,
           o->exchange, o->agreement, o->processor, work, o->memory[0]);
    if (o->memory[1] > 0)
        printf(" %7.0f", o->memory[1]);
    else
        printf(" %7s", "-");
    printf(" %7.2f\n", o->setup);
    fflush(stdout);
}

static bool is_equal(const outcome *a, const outcome *b) {
    bool equal = strcmp(a->hash, b->hash) == 0;
    if (!equal)
        printf("STATES DIFFER: %s and %s\n", a->hash, b->hash);
    return equal;
}

// The rows for one number: of threads of one process, and of processes. `first` is the run with which others are compared.
// Returns an exit code.
static int run_count(const options *o, const benchmark *b, int count, outcome *first) {
    outcome threads, ranks;
    long elements;
    if (!write_scene(o, b, count, &elements) || !run(o, 0, count, false, &threads) || !run(o, count, 1, false, &ranks))
        return 1;
    if (first->step == 0)
        *first = threads;
    // if the model grows, so does the work
    double times = b->grows ? count : 1;
    const outcome *both[2] = {&threads, &ranks};
    for (int i = 0; i < 2; i++) {
        double speedup = times * first->step / both[i]->step;
        // the processor time of a process is that of all its threads
        double work = times * first->processor / (both[i]->processor * (i ? count : 1));
        print_row(i ? "carom-mpi" : "carom", count, i ? "process" : "thread", both[i], speedup, speedup / count, work);
    }
    return is_equal(&threads, &ranks) && (b->grows || is_equal(&threads, first)) ? 0 : 3;
}

static int run_start(const options *o, const benchmark *b) {
    long elements;
    outcome found;
    for (int c = -1; c < o->count; c++) {
        int processes = c < 0 ? 0 : o->counts[c];
        if (!write_scene(o, b, 1, &elements) || !run(o, processes, 1, true, &found))
            return 1;
        if (c < 0)
            printf(b->title, elements);
        if (c < 0)
            printf(": seconds of the whole command\ncarom %34.2f\n", found.command);
        else
            printf("carom-mpi, %3d process%-2s %16.2f\n", processes, processes == 1 ? "" : "es", found.command);
        fflush(stdout);
    }
    printf("\n");
    return 0;
}

static int run_benchmark(const options *o, const benchmark *b) {
    if (b->write == write_box && b->steps == 1)
        return run_start(o, b);
    long elements;
    outcome first = {0};
    if (!write_scene(o, b, 1, &elements))
        return 1;
    printf(b->title, elements);
    printf(", %d steps\n%-23s %8s %9s %8s %7s %9s %9s %9s %6s %15s %7s\n", o->steps ? o->steps : b->steps, "", "steps/s",
           "ms/step", "speed-up", "effic.", "exchange", "agreement", "processor", "work", "memory, others", "set-up");
    int code = 0;
    for (int c = 0; c < o->count && (code == 0 || code == 3); c++) {
        int found = run_count(o, b, o->counts[c], &first);
        code = found ? found : code;
    }
    printf("\n");
    return code;
}

// "1,2,4" to numbers; powers of two up to all processors of the machine without a text.
static bool read_counts(const char *text, options *o) {
    carom_set_threads(0);
    int most = carom_threads();
    for (int n = 1; !text && n <= most && o->count < COUNTS_MAX; n *= 2)
        o->counts[o->count++] = n;
    while (text && *text && o->count < COUNTS_MAX) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > 1024 || (*end && *end != ','))
            return false;
        o->counts[o->count++] = (int)n;
        text = *end ? end + 1 : end;
    }
    return o->count > 0;
}

static bool read_options(int count, char **arguments, options *o) {
    const char *counts = NULL;
    for (int i = 0; i < count; i += 2) {
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (!value)
            return false;
        if (strcmp(arguments[i], "--ranks") == 0)
            counts = value;
        else if (strcmp(arguments[i], "--case") == 0)
            o->name = value;
        else if (strcmp(arguments[i], "--cells") == 0)
            o->cells = atoi(value);
        else if (strcmp(arguments[i], "--steps") == 0)
            o->steps = atoi(value);
        else
            return false;
    }
    bool known = !o->name;
    for (int b = 0; b < BENCHMARKS; b++)
        known = known || strcmp(o->name, benchmarks[b].name) == 0;
    return known && o->cells >= 0 && o->steps >= 0 && read_counts(counts, o);
}

// The folder of this program, and a new one for scenes and results.
static bool find_folders(options *o) {
    char self[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0)
        return false;
    self[size] = 0;
    snprintf(o->programs, sizeof o->programs, "%s", dirname(self));
    const char *parent = getenv("TMPDIR");
    snprintf(o->folder, sizeof o->folder, "%s/carom-bench-XXXXXX", parent && *parent ? parent : "/tmp");
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/carom-mpi", o->programs);
    if (access(path, X_OK) != 0) {
        fprintf(stderr, "carom-bench: there is no carom-mpi in its folder (make mpi builds it)\n");
        return false;
    }
    return mkdtemp(o->folder) != NULL;
}

static void remove_folder(const char *folder) {
    char *line[] = {"/bin/rm", "-rf", (char *)folder, NULL};
    pid_t child = fork();
    if (child == 0) {
        execv(line[0], line);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

int carom_bench_ranks(int count, char **arguments) {
    options o = {0};
    if (!read_options(count, arguments, &o))
        return 2;
    if (!find_folders(&o))
        return 1;
    // Open MPI does not run as root, which is usual in containers, without these variables
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    int code = 0;
    carom_set_threads(0);
    printf("carom %s on %d processors: the first process, milliseconds in a step (median of %d short runs)\n\n",
           carom_version(), carom_threads(), REPETITIONS);
    for (int b = 0; b < BENCHMARKS && (code == 0 || code == 3); b++) {
        if (o.name && strcmp(o.name, benchmarks[b].name) != 0)
            continue;
        int found = run_benchmark(&o, &benchmarks[b]);
        code = found ? found : code;
    }
    remove_folder(o.folder);
    if (code == 0 && !(o.name && strcmp(o.name, "start") == 0))
        printf("all states are equal on all numbers of processes and threads\n");
    return code;
}
