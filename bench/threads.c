// SPDX-License-Identifier: MIT
// Speed-up by several threads: whole runs of large models and of scenes of this repository, including rows, audits and set-up.
// Final states must be equal for any number of threads.
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <carom/carom.h>
#include <carom/threads.h>

#include "bench.h"

enum { OVERRIDES_MAX = 12, COUNTS_MAX = 16 };

// A scene to run: a file below scenes/, or its text.
typedef struct trial {
    const char *name;
    const char *file, *text;
    const char *overrides[OVERRIDES_MAX];
    const char *quick[OVERRIDES_MAX]; // additional overrides of the quick form
} trial;

static const char one_block[] = "title: A block in free flight\n"
                                "integrator: newmark-dcr\n"
                                "time: {end: 0.024, step: 0.0008}\n"
                                "bodies:\n"
                                "  - name: block\n"
                                "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [69, 69, 69], cells: tet4}}\n"
                                "    element: tet4\n"
                                "    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}\n"
                                "    velocity: [0, 0, -0.1]\n"
                                "    spin: [0.1, 0.2, 0.3]\n";

static const char two_blocks[] = "title: A block on another\n"
                                 "integrator: newmark-dcr\n"
                                 "time: {end: 0.024, step: 0.0008}\n"
                                 "bodies:\n"
                                 "  - name: lower\n"
                                 "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [55, 55, 55], cells: tet4}}\n"
                                 "    element: tet4\n"
                                 "    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}\n"
                                 "  - name: upper\n"
                                 "    mesh: {box: {from: [0.1, 0.1, 1.0001], to: [1.1, 1.1, 2.0001], elements: [55, 55, 55],\n"
                                 "                 cells: tet4}}\n"
                                 "    element: tet4\n"
                                 "    material: {neo-hookean: {young: 1, poisson: 0.3, density: 1}}\n"
                                 "    velocity: [0, 0, -0.1]\n"
                                 "contact: {restitution: 0}\n";

static const char two_blocks_of_bricks[] = "title: Two blocks of 10,648 bricks each\n"
                                           "integrator: {energy-momentum: {reach: 0.05}}\n"
                                           "time: {end: 0.02, step: 0.01}\n"
                                           "bodies:\n"
                                           "  - name: top\n"
                                           "    mesh: {box: {from: [0, 0, 1.005], to: [1, 1, 2.005], elements: [22, 22, 22]}}\n"
                                           "    element: hex8\n"
                                           "    material: {neo-hookean: {young: 1.0e+5, poisson: 0.3, density: 1000}}\n"
                                           "    velocity: [0, 0, -1]\n"
                                           "  - name: base\n"
                                           "    mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [22, 22, 22]}}\n"
                                           "    element: hex8\n"
                                           "    material: {neo-hookean: {young: 1.0e+5, poisson: 0.3, density: 1000}}\n"
                                           "contact: {restitution: 1}\n";

// Lengths are chosen such that one thread needs some seconds for each, and less than one second in the quick form.
static const trial trials[] = {
    {.name = "block of tets, free", .text = one_block, .quick = {"bodies[0].mesh.box.elements=[32,32,32]", "time.end=0.016"}},
    {.name = "blocks of tets, contact",
     .text = two_blocks,
     .quick = {"bodies[0].mesh.box.elements=[24,24,24]", "bodies[1].mesh.box.elements=[24,24,24]", "time.end=0.016"}},
    {.name = "76 shells",
     .file = "papers/dcr/seventysix_cubes.yaml",
     .overrides = {"time.end=0.01"},
     .quick = {"time.end=0.002"}},
    {.name = "76 solids of 8^3 bricks",
     .file = "papers/dcr/seventysix_cubes_solid.yaml",
     .overrides = {"bodies[0].mesh.box.elements=[8,8,8]", "bodies[1].mesh.box.elements=[8,8,8]", "time.end=0.01"},
     .quick = {"time.end=0.002"}},
    {.name = "pile of 512 bodies",
     .file = "gallery/pile.yaml",
     .overrides = {"bodies[0].array.copies=[16,8,1]", "bodies[1].array.copies=[16,8,1]", "bodies[2].array.copies=[16,8,1]",
                   "bodies[3].array.copies=[16,8,1]", "contact.planes[2].point=[18,0,0]", "contact.planes[4].point=[0,8.2,0]",
                   "time.end=0.3"},
     .quick = {"time.end=0.05"}},
    {.name = "assembly, asynchronous",
     .file = "papers/asynchronous/block_assembly.yaml",
     .overrides = {"time.end=0.4"},
     .quick = {"time.end=0.05"}},
    {.name = "fragments, nonsmooth",
     .file = "papers/nonsmooth/fragments.yaml",
     .overrides = {"time.end=0.01"},
     .quick = {"time.end=0.002"}},
    {.name = "20,000 bricks, energy-mom.",
     .text = two_blocks_of_bricks,
     .quick = {"bodies[0].mesh.box.elements=[10,10,10]", "bodies[1].mesh.box.elements=[10,10,10]"}},
};

enum { TRIALS = sizeof trials / sizeof *trials };

typedef struct outcome {
    double setup, run; // seconds
    uint64_t hash;
} outcome;

static int append(const char *const *from, const char **to, int count) {
    for (int i = 0; i < OVERRIDES_MAX && from[i]; i++)
        to[count++] = from[i];
    return count;
}

static carom_scene *load(const trial *t, bool quick) {
    const char *overrides[2 * OVERRIDES_MAX];
    int count = append(t->overrides, overrides, 0);
    if (quick)
        count = append(t->quick, overrides, count);
    carom_scene *scene;
    carom_findings findings = {0};
    carom_error error = {0};
    char path[256];
    snprintf(path, sizeof path, "scenes/%s", t->file ? t->file : "");
    carom_status status =
        t->text ? carom_scene_parse(t->text, strlen(t->text), t->name, overrides, count, &scene, &findings, &error)
                : carom_scene_load(path, overrides, count, &scene, &findings, &error);
    if (status && !error.message[0])
        snprintf(error.message, sizeof error.message, "%s: the scene is not valid", t->name);
    carom_bench_insist(status, &error);
    carom_findings_release(&findings);
    return scene;
}

static carom_sim *start(const carom_scene *scene) {
    carom_sim *sim;
    carom_error error;
    carom_bench_insist(
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error),
        &error);
    return sim;
}

// The whole run, without files.
static outcome run(const trial *t, bool quick, int threads) {
    carom_set_threads(threads);
    outcome o = {.setup = -carom_bench_clock()};
    carom_scene *scene = load(t, quick);
    carom_sim *sim = start(scene);
    o.setup += carom_bench_clock();
    carom_run_def def = carom_default_run_def();
    def.output = carom_scene_output(scene);
    def.discard = true;
    carom_summary summary;
    carom_error error;
    carom_bench_insist(carom_run(sim, &def, &summary, &error), &error);
    o.run = summary.wall_seconds;
    o.hash = summary.state_hash;
    carom_summary_release(&summary);
    carom_sim_release(sim);
    carom_scene_release(scene);
    return o;
}

// Prints the time in seconds for each number of threads, the speed-up relative to the first number, and whether states are
// equal.
static bool print_row(const char *name, const double *seconds, int count, bool equal) {
    printf("%-27s", name);
    for (int c = 0; c < count; c++)
        printf("  %7.2f", seconds[c]);
    for (int c = 1; c < count; c++)
        printf("  %5.2f", seconds[0] / seconds[c]);
    printf("%s\n", equal ? "" : "  STATES DIFFER");
    fflush(stdout);
    return equal;
}

static void print_head(const char *title, const int *counts, int count) {
    printf("%-27s", title);
    for (int c = 0; c < count; c++)
        printf("  %5d t.", counts[c]);
    for (int c = 1; c < count; c++)
        printf("  %2d t.", counts[c]);
    printf("\n");
}

static bool run_trial(const trial *t, bool quick, const int *counts, int count, double *setup) {
    double seconds[COUNTS_MAX];
    bool equal = true;
    uint64_t first = 0;
    for (int c = 0; c < count; c++) {
        outcome o = run(t, quick, counts[c]);
        seconds[c] = o.run;
        setup[c] = o.setup;
        first = c == 0 ? o.hash : first;
        equal = equal && o.hash == first;
    }
    return print_row(t->name, seconds, count, equal);
}

// Runs steps of a scene without rows: *steps of them, or, if this is 0, as many as possible within the budget of time.
static double take_steps(const char *path, int threads, double budget, int64_t *steps, uint64_t *hash) {
    carom_set_threads(threads);
    trial t = {.name = path, .file = path + strlen("scenes/")};
    carom_scene *scene = load(&t, false);
    carom_sim *sim = start(scene);
    carom_error error;
    double begin = carom_bench_clock();
    int64_t taken = 0;
    while (!carom_sim_done(sim) && (*steps ? taken < *steps : taken < 1 || carom_bench_clock() - begin < budget)) {
        carom_bench_insist(carom_sim_step(sim, &error), &error);
        taken++;
    }
    double seconds = carom_bench_clock() - begin;
    *steps = taken;
    *hash = carom_state_hash(carom_sim_state(sim));
    carom_sim_release(sim);
    carom_scene_release(scene);
    return seconds;
}

// Scenes of the gallery with all threads and with one: the better of two alternating runs each.
static bool run_gallery(double budget, int threads) {
    glob_t found;
    bool equal = true;
    double least = HUGE_VAL;
    char slowest[64] = "";
    if (glob("scenes/gallery/*.yaml", 0, NULL, &found) != 0)
        return true;
    printf("\nsteps of the gallery, %d threads against 1\n", threads);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int64_t steps = 0;
        uint64_t hash[2];
        double seconds[2] = {HUGE_VAL, HUGE_VAL};
        for (int turn = 0; turn < 2; turn++)
            for (int s = 0; s < 2; s++)
                seconds[s] = fmin(seconds[s], take_steps(found.gl_pathv[i], s ? threads : 1, budget, &steps, &hash[s]));
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        double ratio = seconds[0] / seconds[1];
        equal = print_row(name, seconds, 2, hash[0] == hash[1]) && equal;
        if (ratio < least) {
            least = ratio;
            snprintf(slowest, sizeof slowest, "%s", name);
        }
    }
    printf("least: %.2f, %s\n", least, slowest);
    globfree(&found);
    return equal;
}

// "1,4,16" to numbers; powers of two up to all threads of the machine without a text.
static int read_counts(const char *text, int counts[COUNTS_MAX]) {
    int count = 0;
    carom_set_threads(0);
    int most = carom_threads();
    for (int n = 1; !text && count < COUNTS_MAX; n *= 2) {
        counts[count++] = n < most ? n : most;
        if (n >= most)
            return count;
    }
    while (text && *text && count < COUNTS_MAX) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > 1024 || (*end && *end != ','))
            return 0;
        counts[count++] = (int)n;
        text = *end ? end + 1 : end;
    }
    return count;
}

// As in the command, waiting threads spin for some microseconds only. The runtime reads this setting when it is loaded.
void carom_bench_yield(char **arguments) {
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME"))
        return;
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", "1000", 1) == 0)
        execv("/proc/self/exe", arguments);
}

int carom_bench_threads(bool quick, const char *text) {
    int counts[COUNTS_MAX], count = read_counts(text, counts);
    if (count < 1 || access("scenes/gallery", R_OK) != 0) {
        fprintf(stderr, count < 1 ? "carom-bench: expected numbers of threads such as 1,4,16\n"
                                  : "carom-bench: run it in the root of the repository, where scenes/ is\n");
        return 2;
    }
    bool equal = true;
    double setup[TRIALS][COUNTS_MAX];
    printf("carom %s, threads%s: seconds of whole runs with rows and audits, and times faster than %d thread%s\n\n",
           carom_version(), quick ? ", quick form (smaller models, shorter runs)" : "", counts[0], counts[0] == 1 ? "" : "s");
    print_head("run", counts, count);
    for (int t = 0; t < TRIALS; t++)
        equal = run_trial(&trials[t], quick, counts, count, setup[t]) && equal;
    printf("\n");
    print_head("set-up", counts, count);
    for (int t = 0; t < TRIALS; t++)
        print_row(trials[t].name, setup[t], count, true);
    equal = run_gallery(quick ? 0.2 : 1, counts[count - 1]) && equal;
    printf("\n%s\n", equal ? "all states are equal on all numbers of threads" : "STATES DIFFER between numbers of threads");
    return equal ? 0 : 3;
}
