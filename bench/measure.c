// SPDX-License-Identifier: MIT
// Clocks, medians, and the two reference measurements of the machine.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

void carom_bench_insist(carom_status status, const carom_error *error) {
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "carom-bench: %s\n", error->message);
    exit(1);
}

double carom_bench_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double carom_bench_processor_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double carom_bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// Independent chains of fused multiply-adds, enough to fill the pipelines of any processor.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
static double
chains(int times) {
    enum { CHAINS = 96 };
    double a[CHAINS], sum = 0;
    for (int c = 0; c < CHAINS; c++)
        a[c] = c;
    for (int t = 0; t < times; t++)
        for (int c = 0; c < CHAINS; c++)
            a[c] = __builtin_fma(a[c], 0.999, 0.001);
    for (int c = 0; c < CHAINS; c++)
        sum += a[c];
    // the sum is used, so that the compiler cannot remove the loop
    return 2.0 * CHAINS * times + 0 * sum;
}

double carom_bench_multiply_add(void) {
    double best = 0;
    for (int t = 0; t < 10; t++) {
        double begin = carom_bench_processor_clock(), rate = chains(1000000) / (carom_bench_processor_clock() - begin);
        best = rate > best ? rate : best;
    }
    return best;
}

double carom_bench_triad(int threads) {
    enum { SIZE = 1 << 23, TIMES = 5 };
    double *a = malloc(SIZE * sizeof *a), *b = malloc(SIZE * sizeof *b), *c = malloc(SIZE * sizeof *c), best = 0;
    if (a && b && c) {
        // first accessed by the threads that will use it
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int i = 0; i < SIZE; i++)
            a[i] = 0, b[i] = i, c[i] = 1;
        for (int t = 0; t < TIMES; t++) {
            double begin = threads == 1 ? carom_bench_processor_clock() : carom_bench_clock(), s = t;
#pragma omp parallel for schedule(static) num_threads(threads)
            for (int i = 0; i < SIZE; i++)
                a[i] = b[i] + s * c[i];
            double rate =
                3.0 * SIZE * sizeof *a / ((threads == 1 ? carom_bench_processor_clock() : carom_bench_clock()) - begin);
            // the result is used, so that the compiler cannot remove the loop
            best = rate > best && a[SIZE / 2] == SIZE / 2 + s ? rate : best;
        }
    }
    free(a);
    free(b);
    free(c);
    return best;
}
