// SPDX-License-Identifier: MIT
// Implements the direct solver of linear.h by sequential MUMPS: multifrontal LU, or LDL^T with pivots of order one and two. P.
// R. Amestoy, I. S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J. Matrix Anal. Appl. 23 (2001) 15-41; P. R. Amestoy, A. Buttari,
// J.-Y. L'Excellent, T. Mary, ACM Trans. Math. Softw. 45 (2019) 2.
//
// It works on triplets (row, column, value) counted from one. The order of elimination is that of order.c where the positions
// of nodes are known, else its approximate minimum fill: of the other orderings that it includes, PORD aborts the process on
// small graphs, and Scotch keeps the state of its random numbers between analyses. The BLAS uses one thread meanwhile, since
// blocking by threads changes the order of its sums.
//
// MUMPS cannot be interrupted, and one factorisation may take minutes. A long job is therefore done by a separate thread while
// the caller waits for it or for a request to stop. After such a request the job and its data are left to the thread, and the
// solver starts again if it is used again: MUMPS can be neither stopped nor entered twice. In carom-mpi, which has parallel
// MUMPS, there is no such thread.
#include "solver/linear.h"

#include <dmumps_c.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "base/platform.h"
#include "parallel/parallel.h"

// Jobs.
enum { JOB_START = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTORISE = 2, JOB_SOLVE = 3 };
enum { ORDER_GIVEN = 1, ORDER_MINIMUM_FILL = 2 };
// Errors of the factorisation that more workspace can resolve.
enum {
    ERROR_SINGULAR = -10,
    ERROR_INTEGER_CAPACITY = -8,
    ERROR_REAL_CAPACITY = -9,
    ERROR_ALLOCATION = -13,
    ERROR_ANALYSIS_ALLOCATION = -7
};
// CNTL(3) of MUMPS: a pivot is null if the norm of its row falls below this multiple of the norm of the scaled matrix. It is a
// few units of rounding, so that only true mechanisms are reported and ill-conditioned matrices are accepted.
#define NULL_PIVOT 1e-15

// Jobs beyond this many operations, or analyses of more unknowns, take longer than a tenth of a second.
static const double long_operations = 2e8;
enum { LONG_UNKNOWNS = 100000 };

// Milliseconds between two polls for a request to stop.
enum { POLL_MILLISECONDS = 50 };

// The stack of a thread for long jobs, at least that of a program.
enum { STACK_BYTES = 1 << 26 };

// Data of MUMPS. They belong to the solver, or to the thread of an abandoned job.
typedef struct workplace {
    DMUMPS_STRUC_C mumps;
    double *rhs; // right-hand side and solution: the caller may have returned when a long job ends
    pthread_mutex_t lock;
    pthread_cond_t finished;
    bool done, left;
} workplace;

struct carom_linear_solver {
    carom_linear_kind kind;
    workplace *work; // NULL after a job was abandoned
    bool analysed, factorised;
    uint64_t pattern;
    int64_t *entry; // symmetric: which entry of the matrix each triplet is
    int *null_pivots;
    carom_linear_info info;
};

// The number of threads of OpenBLAS, if that is the BLAS of this process.
typedef struct blas_threads {
    int (*get)(void);
    void (*set)(int);
    int before;
} blas_threads;

// A function by name; ISO C has no cast from an object to a function.
static void find_function(const char *name, void *function, size_t size) {
    void *address = carom_platform_find_symbol(name);
    memcpy(function, &address, size);
}

static blas_threads hold_blas(void) {
    blas_threads blas = {0};
    find_function("openblas_get_num_threads", &blas.get, sizeof blas.get);
    find_function("openblas_set_num_threads", &blas.set, sizeof blas.set);
    if (blas.get && blas.set && (blas.before = blas.get()) != 1)
        blas.set(1);
    return blas;
}

static void free_blas(const blas_threads *blas) {
    if (blas->get && blas->set && blas->before != 1)
        blas->set(blas->before);
}

// MUMPS has global state: only one call at a time.
static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;

// Number of abandoned jobs that are still running.
static atomic_int left_jobs;

static void call(workplace *work, int job) {
    pthread_mutex_lock(&in_use);
    blas_threads blas = hold_blas();
    work->mumps.job = job;
    dmumps_c(&work->mumps);
    free_blas(&blas);
    pthread_mutex_unlock(&in_use);
}

// Releases the system that was analysed last.
static void clear(workplace *work) {
    DMUMPS_STRUC_C *mumps = &work->mumps;
    free(mumps->irn);
    free(mumps->jcn);
    free(mumps->a);
    free(mumps->perm_in);
    free(work->rhs);
    mumps->perm_in = mumps->irn = mumps->jcn = NULL;
    mumps->a = work->rhs = NULL;
}

static void destroy(workplace *work) {
    call(work, JOB_END);
    clear(work);
    pthread_cond_destroy(&work->finished);
    pthread_mutex_destroy(&work->lock);
    free(work);
}

// The thread of a long job. If the job was abandoned, it releases the data at the end; otherwise the caller does.
static void *work_alone(void *argument) {
    workplace *work = argument;
    call(work, work->mumps.job);
    pthread_mutex_lock(&work->lock);
    work->done = true;
    bool left = work->left;
    pthread_cond_signal(&work->finished);
    pthread_mutex_unlock(&work->lock);
    if (left) {
        destroy(work);
        atomic_fetch_sub(&left_jobs, 1);
    }
    return NULL;
}

// A program that ends while a job still runs must not unload the libraries that it uses: it exits before they are closed, or
// waits where the C library does not provide the exit status.
#ifdef __GLIBC__
static void leave_at_once(int status, void *unused) {
    (void)unused;
    if (atomic_load(&left_jobs) == 0)
        return;
    fflush(NULL);
    _exit(status);
}

static void prepare_exit(void) {
    on_exit(leave_at_once, NULL);
}
#else
static void wait_for_all(void) {
    while (atomic_load(&left_jobs) > 0)
        nanosleep(&(struct timespec){.tv_nsec = POLL_MILLISECONDS * 1000000L}, NULL);
}

static void prepare_exit(void) {
    atexit(wait_for_all);
}
#endif

// Starts the thread, with signals blocked. False if the system cannot start one.
static bool start_thread(workplace *work) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes))
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = carom_platform_start_thread(&thread, &attributes, work_alone, work) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

// Waits for the job, or for a request to stop, after which the job is abandoned. False if it was.
static bool wait_for(workplace *work) {
    pthread_mutex_lock(&work->lock);
    while (!work->done && !carom_interrupt_is_wanted()) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += POLL_MILLISECONDS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&work->finished, &work->lock, &until);
    }
    bool done = work->done;
    if (!done) {
        static atomic_flag prepared = ATOMIC_FLAG_INIT;
        work->left = true;
        atomic_fetch_add(&left_jobs, 1);
        if (!atomic_flag_test_and_set(&prepared))
            prepare_exit();
    }
    pthread_mutex_unlock(&work->lock);
    return done;
}

static bool is_long(const carom_linear_solver *solver, int job) {
    const DMUMPS_STRUC_C *mumps = &solver->work->mumps;
    // RINFOG(1) is the number of operations of the elimination, as estimated by the analysis. A solution takes far fewer; it is
    // long only where the elimination takes minutes.
    if (job == JOB_ANALYSE)
        return mumps->n > LONG_UNKNOWNS;
    return mumps->rinfog[0] > (job == JOB_SOLVE ? 1000 : 1) * long_operations;
}

// A job that can be interrupted.
static carom_status perform(carom_linear_solver *solver, int job, carom_error *error) {
    workplace *work = solver->work;
    carom_status status = carom_interrupt_check(error);
    if (status)
        return status;
    work->mumps.job = job;
    work->done = false;
    // An abandoned earlier job holds MUMPS exclusively. Parallel MUMPS calls MPI, which is restricted to the main thread:
    // there, a request to stop waits for the end of the job.
    bool alone = !carom_parallel_possible() && (is_long(solver, job) || atomic_load(&left_jobs) > 0) && start_thread(work);
    if (!alone) {
        call(work, job);
        return CAROM_OK;
    }
    if (wait_for(work))
        return CAROM_OK;
    solver->work = NULL;
    solver->analysed = solver->factorised = false;
    return carom_interrupt_check(error);
}

// Settings are numbered from one in the manual of MUMPS.
static MUMPS_INT *setting(carom_linear_solver *solver, int number) {
    return &solver->work->mumps.icntl[number - 1];
}

static int outcome(const carom_linear_solver *solver) {
    return solver->work->mumps.infog[0];
}

static carom_status fail_mumps(const carom_linear_solver *solver, const char *when, carom_error *error) {
    int code = outcome(solver);
    if (code == ERROR_ALLOCATION || code == ERROR_ANALYSIS_ALLOCATION || code == ERROR_INTEGER_CAPACITY ||
        code == ERROR_REAL_CAPACITY)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the factors of %d unknowns", (int)solver->work->mumps.n);
    return carom_fail(error, CAROM_NUMERICAL, "the direct solver failed to %s %d unknowns (MUMPS error %d, %d)", when,
                      (int)solver->work->mumps.n, code, (int)solver->work->mumps.infog[1]);
}

// A workplace with the settings of the solver.
static carom_status open_workplace(carom_linear_solver *solver, carom_error *error) {
    workplace *work = carom_allocate(1, sizeof *work);
    if (!work)
        return carom_no_memory(error, "the linear solver");
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->finished, NULL);
    solver->work = work;
    // SYM = 2 is a general symmetric matrix: an indefinite one, such as that of a structure beyond its limit point, must not
    // fail for the sign of a pivot. With PAR = 1 the host takes part in the work.
    work->mumps.par = 1;
    work->mumps.sym = solver->kind == CAROM_LINEAR_SYMMETRIC ? 2 : 0;
    // Parallel MUMPS works on this process alone as well, and gives the bits of the sequential one.
    work->mumps.comm_fortran = carom_parallel_self();
    carom_status status = perform(solver, JOB_START, error);
    if (!status && outcome(solver) < 0)
        status = fail_mumps(solver, "start with", error);
    if (status) {
        // a workplace of an abandoned job is no longer here
        free(solver->work);
        solver->work = NULL;
        return status;
    }
    // no messages
    for (int i = 1; i <= 4; i++)
        *setting(solver, i) = i < 4 ? -1 : 0;
    // the analysis uses the pattern only: no permutation by values, and a fixed ordering
    *setting(solver, 6) = 0;
    *setting(solver, 12) = 1;
    *setting(solver, 28) = 1;
    // LU provides only the sign of the determinant, not the number of negative eigenvalues
    *setting(solver, 33) = solver->kind == CAROM_LINEAR_UNSYMMETRIC;
    // find pivots that vanish
    *setting(solver, 24) = 1;
    work->mumps.cntl[2] = NULL_PIVOT;
    return CAROM_OK;
}

carom_status carom_linear_create(carom_linear_kind kind, carom_linear_solver **made, carom_error *error) {
    carom_linear_solver *solver = carom_allocate(1, sizeof *solver);
    *made = solver;
    if (!solver)
        return carom_no_memory(error, "the linear solver");
    solver->kind = kind;
    carom_status status = open_workplace(solver, error);
    if (status) {
        free(solver);
        *made = NULL;
    }
    return status;
}

static void forget(carom_linear_solver *solver) {
    clear(solver->work);
    free(solver->entry);
    solver->entry = NULL;
    solver->analysed = solver->factorised = false;
}

// The thread that releases a workplace while another job holds MUMPS.
static void *destroy_alone(void *work) {
    destroy(work);
    atomic_fetch_sub(&left_jobs, 1);
    return NULL;
}

void carom_linear_release(carom_linear_solver *solver) {
    if (!solver)
        return;
    pthread_t thread;
    if (solver->work && atomic_load(&left_jobs) > 0) {
        // an abandoned job is not waited for
        atomic_fetch_add(&left_jobs, 1);
        if (pthread_create(&thread, NULL, destroy_alone, solver->work) == 0)
            pthread_detach(thread);
        else
            destroy_alone(solver->work);
    } else if (solver->work) {
        destroy(solver->work);
    }
    free(solver->entry);
    free(solver->null_pivots);
    free(solver);
}

// Triplets of the pattern; of a symmetric matrix the upper triangle.
static bool list_entries(carom_linear_solver *solver, const carom_sparse *matrix) {
    int64_t count = 0, all = matrix->row_begin[matrix->size];
    bool upper = solver->kind == CAROM_LINEAR_SYMMETRIC;
    // The pattern is symmetric and holds the whole diagonal, so the upper triangle has half of the off-diagonal entries.
    int64_t entry_count = upper ? (all + matrix->size) / 2 : all;
    DMUMPS_STRUC_C *mumps = &solver->work->mumps;
    mumps->irn = carom_allocate(entry_count, sizeof *mumps->irn);
    mumps->jcn = carom_allocate(entry_count, sizeof *mumps->jcn);
    mumps->a = carom_allocate(entry_count, sizeof *mumps->a);
    mumps->perm_in = carom_allocate(matrix->size, sizeof *mumps->perm_in);
    solver->work->rhs = carom_allocate(matrix->size, sizeof *solver->work->rhs);
    solver->entry = carom_allocate(upper ? entry_count : 0, sizeof *solver->entry);
    if (!mumps->irn || !mumps->jcn || !mumps->a || !mumps->perm_in || !solver->work->rhs || !solver->entry)
        return false;
    for (int r = 0; r < matrix->size; r++)
        for (int64_t i = matrix->row_begin[r]; i < matrix->row_begin[r + 1]; i++) {
            if (upper && matrix->column[i] < r)
                continue;
            mumps->irn[count] = r + 1;
            mumps->jcn[count] = matrix->column[i] + 1;
            if (upper)
                solver->entry[count] = i;
            count++;
        }
    mumps->n = matrix->size;
    mumps->nnz = count;
    return true;
}

// Orders the unknowns and prepares the factorisation for all matrices of this pattern.
static carom_status analyse(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error) {
    carom_status status = solver->work ? CAROM_OK : open_workplace(solver, error);
    if (status)
        return status;
    forget(solver);
    bool given = false;
    status = list_entries(solver, matrix) ? carom_sparse_order(matrix, solver->work->mumps.perm_in, &given, error)
                                          : carom_no_memory(error, "the linear solver");
    if (status) {
        forget(solver);
        return status;
    }
    // MUMPS requires the position of each unknown in the order of elimination, counted from one.
    for (int i = 0; given && i < matrix->size; i++)
        solver->work->mumps.perm_in[i]++;
    *setting(solver, 7) = given ? ORDER_GIVEN : ORDER_MINIMUM_FILL;
    // MUMPS refuses a system without unknowns, which a fully restrained model has.
    if (matrix->size > 0)
        status = perform(solver, JOB_ANALYSE, error);
    if (status)
        return status;
    if (matrix->size > 0 && outcome(solver) < 0)
        return fail_mumps(solver, "order", error);
    solver->pattern = matrix->pattern;
    solver->analysed = true;
    solver->info.analyses++;
    return CAROM_OK;
}

// The values in the order of MUMPS; false if one is not finite.
static bool take_values(carom_linear_solver *solver, const carom_sparse *matrix) {
    bool finite = true;
    for (int64_t i = 0; i < solver->work->mumps.nnz; i++) {
        double value = matrix->value[solver->kind == CAROM_LINEAR_SYMMETRIC ? solver->entry[i] : i];
        solver->work->mumps.a[i] = value;
        finite = finite && isfinite(value);
    }
    return finite;
}

static carom_status note_null_pivots(carom_linear_solver *solver, carom_error *error) {
    // INFOG(28) and PIVNUL_LIST: the rows whose pivots vanished, by the numbers of the caller.
    int count = solver->work->mumps.infog[27];
    solver->info.null_count = count;
    free(solver->null_pivots);
    solver->null_pivots = carom_allocate(count, sizeof *solver->null_pivots);
    solver->info.null_pivots = solver->null_pivots;
    for (int i = 0; solver->null_pivots && i < count; i++)
        solver->null_pivots[i] = solver->work->mumps.pivnul_list[i] - 1;
    if (!solver->null_pivots)
        return carom_no_memory(error, "the linear solver");
    return count ? carom_fail(error, CAROM_NUMERICAL, "the matrix of %d unknowns is singular", (int)solver->work->mumps.n)
                 : CAROM_OK;
}

carom_status carom_linear_factorise(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error) {
    if (!solver->work || !solver->analysed || solver->pattern != matrix->pattern || solver->work->mumps.n != matrix->size) {
        carom_status status = analyse(solver, matrix, error);
        if (status)
            return status;
    }
    solver->factorised = false;
    solver->info.null_count = 0;
    if (!take_values(solver, matrix))
        return carom_fail(error, CAROM_NUMERICAL, "the matrix of %d unknowns is not finite", matrix->size);
    if (matrix->size == 0) {
        solver->factorised = true;
        return CAROM_OK;
    }
    // The workspace is an estimate that pivoting can exceed. ICNTL(14) is the reserve in per cent of it: 30, 60, ... A system
    // that needs more than twenty times the estimate is reported as lack of memory.
    for (*setting(solver, 14) = 30;; *setting(solver, 14) *= 2) {
        carom_status status = perform(solver, JOB_FACTORISE, error);
        if (status)
            return status;
        int code = outcome(solver);
        if ((code != ERROR_INTEGER_CAPACITY && code != ERROR_REAL_CAPACITY) || *setting(solver, 14) > 2000)
            break;
    }
    solver->info.factorisations++;
    if (outcome(solver) == ERROR_SINGULAR)
        return carom_fail(error, CAROM_NUMERICAL, "the matrix of %d unknowns is singular", matrix->size);
    if (outcome(solver) < 0)
        return fail_mumps(solver, "factorise", error);
    // LDL^T counts its negative pivots in INFOG(12), which by Sylvester's law of inertia are the negative eigenvalues. LU
    // provides only the sign of the determinant, that of RINFOG(12): the parity of their number.
    solver->info.negative_pivots =
        solver->kind == CAROM_LINEAR_SYMMETRIC ? solver->work->mumps.infog[11] : solver->work->mumps.rinfog[11] < 0;
    carom_status status = note_null_pivots(solver, error);
    solver->factorised = !status;
    return status;
}

carom_status carom_linear_solve(carom_linear_solver *solver, double *x, carom_error *error) {
    if (!solver->factorised)
        return carom_fail(error, CAROM_NUMERICAL, "there is no factorisation to solve with");
    if (solver->work->mumps.n == 0)
        return CAROM_OK;
    // MUMPS overwrites the right-hand side with the solution. It works on a copy: the caller may have returned by then.
    workplace *work = solver->work;
    size_t size = (size_t)work->mumps.n * sizeof *x;
    memcpy(work->rhs, x, size);
    work->mumps.rhs = work->rhs;
    work->mumps.nrhs = 1;
    work->mumps.lrhs = work->mumps.n;
    carom_status status = perform(solver, JOB_SOLVE, error);
    // an abandoned job keeps it
    if (!solver->work)
        return status;
    if (!status)
        memcpy(x, work->rhs, size);
    work->mumps.rhs = NULL;
    if (status)
        return status;
    return outcome(solver) < 0 ? fail_mumps(solver, "solve for", error) : CAROM_OK;
}

carom_linear_info carom_linear_information(const carom_linear_solver *solver) {
    return solver->info;
}
