// SPDX-License-Identifier: MIT
// Functions shared by the benchmarks: clocks, medians, and reference measurements of memory bandwidth and arithmetic.
#ifndef CAROM_BENCH_BENCH_H
#define CAROM_BENCH_BENCH_H

#include <stdbool.h>

#include <carom/mesh.h>
#include <carom/model.h>

// The extent of a measurement.
typedef struct carom_bench_plan {
    int repetitions;   // number of repetitions, of which the median is shown
    double updates;    // least number of element updates per repetition
    int most_elements; // size of the largest model
    int most_threads;  // measurements use 1 thread and this number
} carom_bench_plan;

// Ends the program with the message if a step of the set-up has failed.
void carom_bench_insist(carom_status status, const carom_error *error);

// Monotonic clock, in seconds.
double carom_bench_clock(void);

// Processor time of this thread, in seconds.
double carom_bench_processor_clock(void);

// The median; sorts the values.
double carom_bench_median(double *values, int count);

// Bytes per second of a[i] = b[i] + s c[i] over arrays much larger than caches (McCalpin's STREAM triad), best of several
// repetitions; with one thread measured by processor time.
double carom_bench_triad(int threads);

// Floating point operations per second of fused multiply-adds on registers, one thread, by processor time; best of several
// repetitions.
double carom_bench_multiply_add(void);

// The benchmark of solids: prints a table.
void carom_bench_solids(const carom_bench_plan *plan, const double bandwidth[2]);

// The name of body `number` of this benchmark, NULL after the last; and its model without contact, of about `elements`
// elements.
const char *carom_bench_solid_name(int number);
carom_model *carom_bench_solid(int number, int elements);

// Forces by a GPU compared with 1 and all threads of the processor: prints tables. Options: --from N and --elements N, the
// smallest and the largest model; --kernel K, only this row of each; --pair N, tetrahedra of each of two boxes in contact, 0:
// none; --steps N. Returns the exit code of the program: 2 if the options are wrong or there is no GPU, 3 if states differ.
int carom_bench_gpu(int count, char **arguments);

// Material laws on batches: prints a table.
void carom_bench_laws(void);

// The cost of guards in free flight: prints a table.
void carom_bench_guards(const carom_bench_plan *plan);

// The cost of adaptive steps: prints a table.
void carom_bench_follow(const carom_bench_plan *plan);

// The benchmark of bars: prints a table. `bandwidth` are the triad's figures with 1 and with plan->most_threads threads.
void carom_bench_bars(const carom_bench_plan *plan, const double bandwidth[2]);

// The benchmark of bars and beams by the multisymplectic integrator: prints a table.
void carom_bench_multisymplectic(const carom_bench_plan *plan);

// The benchmark of the energy-momentum integrator: prints a table; the largest case only if `full`.
void carom_bench_energy_momentum(bool full);

// The benchmark of contacts solved simultaneously as constraints: prints a table; the largest case only if `full`.
void carom_bench_nonsmooth(bool full);

// One case of the bars for a given time, for profilers; false if there is no such case.
bool carom_bench_one_bars(const char *name, int elements, int threads, double seconds);

// The benchmark of collisions: prints a table; the largest case only if `full`. With `others`, CalculiX solves all cases of two
// bars, not only the smallest.
void carom_bench_collisions(const carom_bench_plan *plan, bool full, bool others);

// Two bars 10 x 1 x 1 along x with E = rho = 1, nu = 0 that meet at x = 0.
typedef struct carom_bench_bars_of_bricks {
    double gap;   // largest distance of each bar from x = 0
    double speed; // speed of each bar
    double step, end;
} carom_bench_bars_of_bricks;

// True if CalculiX is installed: its command ccx is in PATH.
bool carom_bench_has_calculix(void);
// The same two meshes by CalculiX: prints its processor time, the ratio to `seconds` and its energy.
void carom_bench_calculix(const carom_mesh meshes[2], const carom_bench_bars_of_bricks *bars, double seconds);

// The benchmark of the asynchronous integrator: prints tables; all sizes only if `full`.
void carom_bench_asynchronous(const carom_bench_plan *plan, bool full);

// The benchmark of the broad phase: prints a table. False if memory is short.
bool carom_bench_broad(const carom_bench_plan *plan);

// The benchmark of continuous collision detection: prints a table. False if memory is short.
bool carom_bench_narrow(const carom_bench_plan *plan);

// Whole runs on several numbers of threads, `counts` such as "1,4,16" (NULL: powers of two up to all): prints tables. Returns
// the exit code of the program: 3 if states differ.
int carom_bench_threads(bool quick, const char *counts);
// Restarts the program with threads that do not spin for long, as the command does. Must be called first.
void carom_bench_yield(char **arguments);

// Runs on several processes, by carom-mpi in the folder of this program: prints tables. Options --ranks, --case, --cells,
// --steps. Returns the exit code of the program: 2 if the options are wrong, 3 if states differ.
int carom_bench_ranks(int count, char **arguments);

// The benchmark of mesh files: 6 n^3 tetrahedra (n = 56: 1.05 million) written to the present folder, read, checked,
// renumbered and removed. False if that fails.
bool carom_bench_mesh_read(int n);

#endif
