// SPDX-License-Identifier: MIT
// Solves the linear systems of implicit methods (system.h) by elimination, conjugate gradients, a Krylov iteration or PETSc,
// with elimination as the fallback.
#include "solver/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "solver/conjugate.h"
#include "solver/krylov.h"
#include "solver/linear_petsc.h"

// The setup of multigrid takes as long as many iterations: it pays to solve each system more accurately than Newton's method
// requires.
static const double multigrid_accuracy = 1e-5;

struct carom_system {
    carom_system_def def;
    carom_system_counts counts;
    const carom_sparse *matrix;
    carom_linear_solver *linear; // of the first process, if several share the rows
    carom_linear_info info;      // of the last factorisation
    int *null_pivots;            // of these, where another process has factorised
    carom_shares entries;        // of the matrix, by processes
    double *values;              // of the first process: all of them
    int64_t value_count;
    bool tried;      // `linear` has been called to factorise the matrix
    bool factorised; // and has succeeded
    carom_iteration krylov, conjugate;
    carom_petsc *petsc;
    double *saved; // a right-hand side
};

static bool is_shared(const carom_system *s) {
    return s->def.rows && s->def.rows->shared;
}

// True on the process that does the elimination.
static bool is_first(const carom_system *s) {
    return !is_shared(s) || carom_parallel_rank() == 0;
}

carom_status carom_system_check(carom_system_method method, carom_error *error) {
    if (method != CAROM_SYSTEM_PETSC || carom_parallel_possible())
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "solver: petsc is in carom-mpi only, which make mpi builds: use that in place of carom, or solver: cg");
}

static carom_status reserve(carom_system *s, int size, carom_error *error) {
    s->saved = carom_allocate(size, sizeof *s->saved);
    s->entries.begin = carom_allocate(is_shared(s) ? (int64_t)carom_parallel_size() + 1 : 0, sizeof *s->entries.begin);
    if (!s->saved || !s->entries.begin)
        return carom_no_memory(error, "the linear solver");
    carom_petsc_def petsc = {s->def.kind, s->def.rows, s->def.mode_count, s->def.modes};
    carom_status status = s->def.method == CAROM_SYSTEM_PETSC ? carom_petsc_create(&petsc, &s->petsc, error) : CAROM_OK;
    if (!status && is_first(s))
        status = carom_linear_create(s->def.kind, &s->linear, error);
    return status;
}

carom_status carom_system_create(const carom_system_def *def, int size, carom_system **made, carom_error *error) {
    carom_system *system = carom_allocate(1, sizeof *system);
    carom_status status = CAROM_OK;
    *made = system;
    if (system) {
        system->def = *def;
        system->krylov.product.rows = system->conjugate.product.rows = def->rows;
        status = reserve(system, size, error);
    } else {
        status = carom_no_memory(error, "the linear solver");
    }
    status = CAROM_ROWS_AGREE(def->rows, status, error);
    if (status) {
        carom_system_release(system);
        *made = NULL;
    }
    return status;
}

void carom_system_release(carom_system *s) {
    if (!s)
        return;
    carom_linear_release(s->linear);
    carom_iteration_release(&s->krylov);
    carom_iteration_release(&s->conjugate);
    carom_petsc_release(s->petsc);
    free(s->null_pivots);
    free(s->entries.begin);
    free(s->values);
    free(s->saved);
    free(s);
}

static bool is_symmetric(const carom_system *s) {
    return s->def.kind == CAROM_LINEAR_SYMMETRIC;
}

// True if the matrix is solved by an iteration. It is not if the inertia of an unsymmetric matrix is required, which only
// elimination yields.
static bool iterates(const carom_system *s) {
    return s->def.method != CAROM_SYSTEM_DIRECT && (is_symmetric(s) || !s->def.inertia);
}

// Gathers the rows in the first process.
static carom_status gather_rows(carom_system *s, carom_error *error) {
    const carom_sparse *matrix = s->matrix;
    const carom_rows *rows = s->def.rows;
    int64_t count = matrix->row_begin[matrix->size];
    for (int r = 0; r <= carom_parallel_size(); r++)
        s->entries.begin[r] = matrix->row_begin[rows->unknowns.begin[r]];
    if (is_first(s) && (!s->values || s->value_count != count)) {
        free(s->values);
        s->values = carom_allocate(count, sizeof *s->values);
        s->value_count = s->values ? count : 0;
    }
    carom_status status = is_first(s) && !s->values ? carom_no_memory(error, "the linear solver") : CAROM_OK;
    status = CAROM_ROWS_AGREE(rows, status, error);
    if (!status)
        carom_parallel_gather(&s->entries, matrix->value + matrix->row_begin[rows->begin], sizeof *matrix->value, s->values);
    return status;
}

// Broadcasts the findings of the first process. Null pivots are not named if a process has no memory for their list.
static void share_findings(carom_system *s) {
    carom_parallel_broadcast(&s->info, sizeof s->info);
    int count = s->info.null_count;
    free(s->null_pivots);
    s->null_pivots = carom_allocate(count, sizeof *s->null_pivots);
    if (!carom_rows_all(s->def.rows, s->null_pivots)) {
        s->info.null_pivots = NULL;
        return;
    }
    if (is_first(s) && count)
        memcpy(s->null_pivots, s->info.null_pivots, (size_t)count * sizeof *s->null_pivots);
    carom_parallel_broadcast(s->null_pivots, count * (int64_t)sizeof *s->null_pivots);
    s->info.null_pivots = s->null_pivots;
}

static carom_status factorise(carom_system *s, carom_error *error) {
    carom_status status = is_shared(s) ? gather_rows(s, error) : CAROM_OK;
    if (status)
        return status;
    if (is_first(s)) {
        carom_sparse whole = *s->matrix;
        whole.value = is_shared(s) ? s->values : whole.value;
        status = carom_linear_factorise(s->linear, &whole, error);
        s->info = carom_linear_information(s->linear);
    }
    if (is_shared(s))
        share_findings(s);
    return CAROM_ROWS_AGREE(s->def.rows, status, error);
}

static carom_status eliminate(carom_system *s, carom_error *error) {
    // The time of the processor, for benchmarks; no result depends on it.
    clock_t begin = clock();
    carom_status status = factorise(s, error);
    s->counts.factorising += (double)(clock() - begin) / CLOCKS_PER_SEC;
    s->counts.factorisations++;
    s->tried = true;
    s->factorised = !status;
    return status;
}

// Solves with the factors of the first process, and broadcasts the solution.
static carom_status substitute(carom_system *s, double *x, carom_error *error) {
    carom_status status = is_first(s) ? carom_linear_solve(s->linear, x, error) : CAROM_OK;
    status = CAROM_ROWS_AGREE(s->def.rows, status, error);
    if (!status && is_shared(s))
        carom_parallel_broadcast(x, s->matrix->size * (int64_t)sizeof *x);
    return status;
}

static carom_status fall_back(carom_system *s, carom_error *error) {
    s->counts.fallbacks++;
    return eliminate(s, error);
}

// Tests by the iteration whether a symmetric matrix is positive definite. If this is not shown, factorises the matrix.
static carom_status examine(carom_system *s, carom_error *error) {
    bool definite = false;
    carom_petsc_answer answer = CAROM_PETSC_UNKNOWN;
    carom_status status = CAROM_OK;
    if (s->petsc) {
        status = carom_petsc_examine(s->petsc, s->def.iterations, &answer, error);
        definite = answer == CAROM_PETSC_DEFINITE;
        if (!status && answer == CAROM_PETSC_UNKNOWN)
            status = carom_conjugate_prepare(&s->conjugate, s->matrix, error);
    }
    if (!status && answer == CAROM_PETSC_UNKNOWN)
        status = carom_conjugate_examine(&s->conjugate, s->def.iterations, &definite, error);
    return status || definite ? status : fall_back(s, error);
}

static int64_t iterations_so_far(const carom_system *s) {
    return s->krylov.iterations + s->conjugate.iterations + (s->petsc ? carom_petsc_iterations(s->petsc) : 0);
}

static carom_status prepare(carom_system *s, carom_error *error) {
    if (!iterates(s))
        return eliminate(s, error);
    carom_status status;
    if (s->petsc)
        status = carom_petsc_prepare(s->petsc, s->matrix, error);
    else if (is_symmetric(s))
        status = carom_conjugate_prepare(&s->conjugate, s->matrix, error);
    else
        status = carom_krylov_prepare(&s->krylov, s->matrix, error);
    return status || !s->def.inertia ? status : examine(s, error);
}

carom_status carom_system_prepare(carom_system *s, const carom_sparse *matrix, carom_error *error) {
    s->matrix = matrix;
    s->tried = s->factorised = false;
    int64_t before = iterations_so_far(s);
    carom_status status = prepare(s, error);
    s->counts.iterations += iterations_so_far(s) - before;
    return status;
}

static carom_status iterate(carom_system *s, double accuracy, double *x, bool *solved, carom_error *error) {
    int most = s->def.iterations;
    int64_t before = iterations_so_far(s);
    carom_status status;
    if (s->petsc)
        status = carom_petsc_solve(s->petsc, fmin(accuracy, multigrid_accuracy), most, x, solved, error);
    else if (is_symmetric(s))
        status = carom_conjugate_solve(&s->conjugate, accuracy, most, x, solved, error);
    else
        status = carom_krylov_solve(&s->krylov, accuracy, most, x, solved, error);
    s->counts.iterations += iterations_so_far(s) - before;
    return status;
}

carom_status carom_system_solve(carom_system *s, double accuracy, double *x, carom_error *error) {
    if (!s->factorised && iterates(s)) {
        size_t bytes = (size_t)s->matrix->size * sizeof *x;
        bool solved;
        memcpy(s->saved, x, bytes);
        carom_status status = iterate(s, accuracy, x, &solved, error);
        if (status || solved)
            return status;
        // the iteration fails for systems that are too stiff, and for values that are not finite
        memcpy(x, s->saved, bytes);
        status = fall_back(s, error);
        if (status)
            return status;
    }
    return substitute(s, x, error);
}

carom_linear_info carom_system_information(const carom_system *s) {
    // A matrix that was not factorised is positive definite, or its inertia was not requested.
    return s->tried ? s->info : (carom_linear_info){0};
}

carom_system_counts carom_system_work(const carom_system *s) {
    return s->counts;
}
