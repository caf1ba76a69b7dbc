// SPDX-License-Identifier: MIT
// The benchmark driver: selects the benchmarks and the extent of the measurement.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"

static int usage(FILE *stream, int status) {
    fprintf(
        stream,
        "usage: carom-bench [quick | full | solids | laws | guards | follow | collisions | asynchronous |\n"
        "                    energy-momentum | nonsmooth | calculix]\n"
        "       carom-bench threads [--quick] [COUNTS]\n"
        "       carom-bench gpu [--from N] [--elements N] [--kernel K] [--pair N] [--steps N]\n"
        "       carom-bench ranks [--ranks COUNTS] [--case box|weak|contact|cubes|start] [--cells N] [--steps N]\n"
        "       carom-bench one CASE ELEMENTS THREADS [SECONDS]\n"
        "quick (the default) takes a few minutes, full many; solids, laws, follow, collisions, asynchronous, energy-momentum\n"
        "and nonsmooth run that part of full; calculix runs two bars by carom and, if it is installed, by CalculiX, up to\n"
        "n = 8 (minutes); threads compares whole runs on 1, 2, 4 ... threads, or on those of COUNTS such as 1,16, in the root\n"
        "of the repository; ranks compares 1, 2, 4 ... processes with as many threads, by carom and carom-mpi in the folder\n"
        "of carom-bench, with N cells on a side of a box; `one` runs a single case for a profiler: free, impact,\n"
        "projection or floor.\n");
    return status;
}

// The modes that measure one thing, with arguments of their own or none. Returns -1 if the mode is none of these.
static int run_single(const char *mode, int count, char **arguments) {
    if (strcmp(mode, "--help") == 0 || strcmp(mode, "-h") == 0)
        return usage(stdout, 0);
    if (strcmp(mode, "one") == 0) {
        if (count < 5 || count > 6)
            return usage(stderr, 2);
        int elements = atoi(arguments[3]), threads = atoi(arguments[4]);
        double seconds = count == 6 ? atof(arguments[5]) : 5;
        if (elements < 1 || threads < 1 || !(seconds > 0))
            return usage(stderr, 2);
        return carom_bench_one_bars(arguments[2], elements, threads, seconds) ? 0 : usage(stderr, 2);
    }
    if (strcmp(mode, "threads") == 0) {
        bool quick = count > 2 && strcmp(arguments[2], "--quick") == 0;
        if (count > 3 + quick)
            return usage(stderr, 2);
        carom_bench_yield(arguments);
        return carom_bench_threads(quick, count > 2 + quick ? arguments[2 + quick] : NULL);
    }
    if (strcmp(mode, "gpu") == 0)
        return carom_bench_gpu(count - 2, arguments + 2);
    if (strcmp(mode, "ranks") == 0) {
        int code = carom_bench_ranks(count - 2, arguments + 2);
        return code == 2 ? usage(stderr, 2) : code;
    }
    if (count == 2 && strcmp(mode, "laws") == 0) {
        carom_bench_laws();
        return 0;
    }
    if (count == 2 && strcmp(mode, "energy-momentum") == 0) {
        carom_bench_energy_momentum(true);
        return 0;
    }
    if (count == 2 && strcmp(mode, "nonsmooth") == 0) {
        carom_bench_nonsmooth(true);
        return 0;
    }
    if (count == 2 && strcmp(mode, "follow") == 0) {
        carom_bench_follow(&(carom_bench_plan){.repetitions = 9});
        return 0;
    }
    return -1;
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "quick";
    int single = run_single(mode, count, arguments);
    if (single >= 0)
        return single;
    bool full = strcmp(mode, "full") == 0, solids = strcmp(mode, "solids") == 0, collisions = strcmp(mode, "collisions") == 0;
    bool calculix = strcmp(mode, "calculix") == 0, asynchronous = strcmp(mode, "asynchronous") == 0;
    if (count > 2 || (!full && !solids && !collisions && !calculix && !asynchronous && strcmp(mode, "guards") != 0 &&
                      strcmp(mode, "quick") != 0))
        return usage(stderr, 2);

    // one thread and two, even if there are more, so that ratios of different machines can be compared
    carom_bench_plan plan = {
        .repetitions = full || solids || asynchronous ? 9 : 5,
        .updates = full || solids || asynchronous ? 4e6 : 4e5,
        .most_elements = full || solids || asynchronous ? 1000000 : 100000,
        .most_threads = 2,
    };
    if (strcmp(mode, "guards") == 0) {
        carom_bench_guards(&plan);
        return 0;
    }
    if (collisions || calculix) {
        carom_bench_collisions(&plan, collisions, calculix);
        return 0;
    }
    if (asynchronous) {
        carom_bench_asynchronous(&plan, true);
        return 0;
    }
    printf("carom %s, %s: median of %d repetitions\n\n", carom_version(), mode, plan.repetitions);
    double bandwidth[2] = {carom_bench_triad(1), carom_bench_triad(plan.most_threads)};
    printf("memory, triad of 3 x 64 MB     1 thread %5.1f GB/s     %d threads %5.1f GB/s\n\n", 1e-9 * bandwidth[0],
           plan.most_threads, 1e-9 * bandwidth[1]);
    carom_bench_solids(&plan, bandwidth);
    if (solids)
        return 0;
    carom_bench_guards(&plan);
    carom_bench_follow(&plan);
    carom_bench_bars(&plan, bandwidth);
    carom_bench_multisymplectic(&plan);
    carom_bench_energy_momentum(full);
    carom_bench_nonsmooth(full);
    carom_bench_collisions(&plan, full, false);
    carom_bench_asynchronous(&plan, full);
    if (!carom_bench_broad(&plan) || !carom_bench_narrow(&plan))
        return 3;
    printf("\nmesh files\n");
    return carom_bench_mesh_read(56) ? 0 : 3;
}
