// SPDX-License-Identifier: MIT
// The direct solver by sequential MUMPS: multifrontal LU, or LDL^T with pivots of order one and two. P. R. Amestoy, I. S. Duff,
// J. Koster, J.-Y. L'Excellent, SIAM J. Matrix Anal. Appl. 23 (2001) 15-41; P. R. Amestoy, A. Buttari, J.-Y. L'Excellent, T.
// Mary, ACM Trans. Math. Softw. 45 (2019) 2.
//
// It works on triplets (row, column, value) counted from one. The order of elimination is our own where the nodes are located,
// else its approximate minimum fill: of the others that it comes with, PORD ends the process on small graphs, and Scotch
// carries random numbers from one analysis to the next. The BLAS beneath works with one thread while it is here, since blocking
// by threads changes the order of its sums.
#include "solver/linear.h"

#include <dlfcn.h>
#include <dmumps_c.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"

// Jobs, and the communicator that stands for the one process.
enum { JOB_START = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTORISE = 2, JOB_SOLVE = 3, THIS_PROCESS = -987654 };
enum { ORDER_GIVEN = 1, ORDER_MINIMUM_FILL = 2 };
// Errors of the factorisation that more room can mend.
enum {
    ERROR_SINGULAR = -10,
    ERROR_INTEGER_ROOM = -8,
    ERROR_REAL_ROOM = -9,
    ERROR_ALLOCATION = -13,
    ERROR_ANALYSIS_ALLOCATION = -7
};
// CNTL(3) of MUMPS: a pivot is null if the norm of its row falls below this multiple of the norm of the scaled matrix. It
// lies a few units above rounding, so that only true mechanisms are reported and ill-conditioned matrices pass.
#define NULL_PIVOT 1e-15

struct carom_linear_solver {
    carom_linear_kind kind;
    DMUMPS_STRUC_C mumps;
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
    void *address = dlsym(RTLD_DEFAULT, name);
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

static void call(carom_linear_solver *solver, int job) {
    blas_threads blas = hold_blas();
    solver->mumps.job = job;
    dmumps_c(&solver->mumps);
    free_blas(&blas);
}

// Settings are numbered from one in the manual of MUMPS.
static MUMPS_INT *setting(carom_linear_solver *solver, int number) {
    return &solver->mumps.icntl[number - 1];
}

static int outcome(const carom_linear_solver *solver) {
    return solver->mumps.infog[0];
}

static carom_status complain(const carom_linear_solver *solver, const char *when, carom_error *error) {
    int code = outcome(solver);
    if (code == ERROR_ALLOCATION || code == ERROR_ANALYSIS_ALLOCATION || code == ERROR_INTEGER_ROOM || code == ERROR_REAL_ROOM)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the factors of %d unknowns", (int)solver->mumps.n);
    return carom_fail(error, CAROM_NUMERICAL, "the direct solver failed to %s %d unknowns (MUMPS error %d, %d)", when,
                      (int)solver->mumps.n, code, (int)solver->mumps.infog[1]);
}

carom_status carom_linear_create(carom_linear_kind kind, carom_linear_solver **made, carom_error *error) {
    carom_linear_solver *solver = carom_allocate(1, sizeof *solver);
    *made = solver;
    if (!solver)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the linear solver");
    solver->kind = kind;
    // SYM = 2 is a general symmetric matrix: an indefinite one, such as that of a structure beyond its limit point, must not
    // fail for the sign of a pivot. PAR = 1 lets the host itself take part in the work.
    solver->mumps.par = 1;
    solver->mumps.sym = kind == CAROM_LINEAR_SYMMETRIC ? 2 : 0;
    solver->mumps.comm_fortran = THIS_PROCESS;
    call(solver, JOB_START);
    if (outcome(solver) < 0) {
        carom_status status = complain(solver, "start with", error);
        free(solver);
        *made = NULL;
        return status;
    }
    // no messages
    for (int i = 1; i <= 4; i++)
        *setting(solver, i) = i < 4 ? -1 : 0;
    // the analysis sees the pattern alone: no permutation by values, and a fixed ordering
    *setting(solver, 6) = 0;
    *setting(solver, 12) = 1;
    *setting(solver, 28) = 1;
    // the sign of the determinant is what LU tells of negative eigenvalues
    *setting(solver, 33) = kind == CAROM_LINEAR_UNSYMMETRIC;
    // find pivots that vanish
    *setting(solver, 24) = 1;
    solver->mumps.cntl[2] = NULL_PIVOT;
    return CAROM_OK;
}

static void forget(carom_linear_solver *solver) {
    free(solver->mumps.irn);
    free(solver->mumps.jcn);
    free(solver->mumps.a);
    free(solver->mumps.perm_in);
    free(solver->entry);
    solver->mumps.perm_in = NULL;
    solver->mumps.irn = solver->mumps.jcn = NULL;
    solver->mumps.a = NULL;
    solver->entry = NULL;
    solver->analysed = solver->factorised = false;
}

void carom_linear_release(carom_linear_solver *solver) {
    if (!solver)
        return;
    forget(solver);
    call(solver, JOB_END);
    free(solver->null_pivots);
    free(solver);
}

// Triplets of the pattern; of a symmetric matrix the upper triangle.
static bool list_entries(carom_linear_solver *solver, const carom_sparse *matrix) {
    int64_t count = 0, all = matrix->row_begin[matrix->size];
    bool upper = solver->kind == CAROM_LINEAR_SYMMETRIC;
    // The pattern is symmetric and holds the whole diagonal, so the upper triangle has half of the off-diagonal entries.
    int64_t room = upper ? (all + matrix->size) / 2 : all;
    DMUMPS_STRUC_C *mumps = &solver->mumps;
    mumps->irn = carom_allocate(room, sizeof *mumps->irn);
    mumps->jcn = carom_allocate(room, sizeof *mumps->jcn);
    mumps->a = carom_allocate(room, sizeof *mumps->a);
    solver->entry = carom_allocate(upper ? room : 0, sizeof *solver->entry);
    if (!mumps->irn || !mumps->jcn || !mumps->a || !solver->entry)
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

carom_status carom_linear_analyse(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error) {
    forget(solver);
    if (!list_entries(solver, matrix)) {
        forget(solver);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the linear solver");
    }
    solver->mumps.perm_in = carom_allocate(matrix->size, sizeof *solver->mumps.perm_in);
    if (!solver->mumps.perm_in) {
        forget(solver);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the linear solver");
    }
    bool given;
    carom_status status = carom_sparse_order(matrix, solver->mumps.perm_in, &given, error);
    if (status) {
        forget(solver);
        return status;
    }
    // MUMPS wants the place of each unknown in the order of elimination, counted from one.
    for (int i = 0; given && i < matrix->size; i++)
        solver->mumps.perm_in[i]++;
    *setting(solver, 7) = given ? ORDER_GIVEN : ORDER_MINIMUM_FILL;
    // MUMPS refuses a system without unknowns, which a fully restrained model has.
    if (matrix->size > 0)
        call(solver, JOB_ANALYSE);
    if (matrix->size > 0 && outcome(solver) < 0)
        return complain(solver, "order", error);
    solver->pattern = matrix->pattern;
    solver->analysed = true;
    solver->info.analyses++;
    return CAROM_OK;
}

// The values as MUMPS wants them; false if one is not finite.
static bool take_values(carom_linear_solver *solver, const carom_sparse *matrix) {
    bool finite = true;
    for (int64_t i = 0; i < solver->mumps.nnz; i++) {
        double value = matrix->value[solver->kind == CAROM_LINEAR_SYMMETRIC ? solver->entry[i] : i];
        solver->mumps.a[i] = value;
        finite = finite && isfinite(value);
    }
    return finite;
}

static carom_status note_null_pivots(carom_linear_solver *solver, carom_error *error) {
    // INFOG(28) and PIVNUL_LIST: the rows whose pivots vanished, by the numbers of the caller.
    int count = solver->mumps.infog[27];
    solver->info.null_count = count;
    free(solver->null_pivots);
    solver->null_pivots = carom_allocate(count, sizeof *solver->null_pivots);
    solver->info.null_pivots = solver->null_pivots;
    for (int i = 0; solver->null_pivots && i < count; i++)
        solver->null_pivots[i] = solver->mumps.pivnul_list[i] - 1;
    if (!solver->null_pivots)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the linear solver");
    return count ? carom_fail(error, CAROM_NUMERICAL, "the matrix of %d unknowns is singular", (int)solver->mumps.n) : CAROM_OK;
}

carom_status carom_linear_factorise(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error) {
    if (!solver->analysed || solver->pattern != matrix->pattern || solver->mumps.n != matrix->size) {
        carom_status status = carom_linear_analyse(solver, matrix, error);
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
    // The room is an estimate that pivoting can exceed. ICNTL(14) is the reserve in per cent of it: 30, 60, ... A system that
    // needs more than twenty times the estimate is reported as lack of memory.
    for (*setting(solver, 14) = 30;; *setting(solver, 14) *= 2) {
        // MUMPS itself does not listen: the wish to stop is heard between its jobs
        if (carom_interrupt_is_wanted())
            return carom_interrupt_check(error);
        call(solver, JOB_FACTORISE);
        int code = outcome(solver);
        if ((code != ERROR_INTEGER_ROOM && code != ERROR_REAL_ROOM) || *setting(solver, 14) > 2000)
            break;
    }
    solver->info.factorisations++;
    if (outcome(solver) == ERROR_SINGULAR)
        return carom_fail(error, CAROM_NUMERICAL, "the matrix of %d unknowns is singular", matrix->size);
    if (outcome(solver) < 0)
        return complain(solver, "factorise", error);
    // INFOG(9): a number that does not fit an int comes back negative, in millions.
    int entries = solver->mumps.infog[8];
    solver->info.factor_entries = entries < 0 ? -(int64_t)1000000 * entries : entries;
    solver->info.operations = solver->mumps.rinfog[2];
    // LDL^T counts its negative pivots in INFOG(12), which by Sylvester's law of inertia are the negative eigenvalues. LU
    // knows the sign of the determinant alone, that of RINFOG(12): the parity of their number.
    solver->info.negative_pivots =
        solver->kind == CAROM_LINEAR_SYMMETRIC ? solver->mumps.infog[11] : solver->mumps.rinfog[11] < 0;
    carom_status status = note_null_pivots(solver, error);
    solver->factorised = !status;
    return status;
}

carom_status carom_linear_solve(carom_linear_solver *solver, double *x, carom_error *error) {
    if (!solver->factorised)
        return carom_fail(error, CAROM_NUMERICAL, "there is no factorisation to solve with");
    if (solver->mumps.n == 0)
        return CAROM_OK;
    // MUMPS overwrites the right-hand side with the solution and does not own it: the pointer is taken back afterwards.
    solver->mumps.rhs = x;
    solver->mumps.nrhs = 1;
    solver->mumps.lrhs = solver->mumps.n;
    call(solver, JOB_SOLVE);
    solver->mumps.rhs = NULL;
    return outcome(solver) < 0 ? complain(solver, "solve for", error) : CAROM_OK;
}

carom_linear_info carom_linear_information(const carom_linear_solver *solver) {
    return solver->info;
}
