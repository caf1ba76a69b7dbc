// SPDX-License-Identifier: MIT
#include "solver/system.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "solver/conjugate.h"
#include "solver/krylov.h"

struct carom_system {
    carom_system_def def;
    carom_system_counts counts;
    const carom_sparse *matrix;
    carom_linear_solver *linear;
    bool tried;      // to factorise the matrix by `linear`
    bool factorised; // it was
    carom_krylov krylov;
    carom_conjugate conjugate;
    double *saved; // a right-hand side
};

carom_status carom_system_create(const carom_system_def *def, int size, carom_system **made, carom_error *error) {
    carom_system *system = carom_allocate(1, sizeof *system);
    *made = system;
    if (system)
        system->saved = carom_allocate(size, sizeof *system->saved);
    if (!system || !system->saved) {
        carom_system_release(system);
        *made = NULL;
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the linear solver");
    }
    system->def = *def;
    carom_status status = carom_linear_create(def->kind, &system->linear, error);
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
    carom_krylov_release(&s->krylov);
    carom_conjugate_release(&s->conjugate);
    free(s->saved);
    free(s);
}

static bool is_symmetric(const carom_system *s) {
    return s->def.kind == CAROM_LINEAR_SYMMETRIC;
}

// Whether the matrix is given to an iteration at all: nothing but elimination tells the inertia of one that is not symmetric.
static bool iterates(const carom_system *s) {
    return s->def.method != CAROM_SYSTEM_DIRECT && (is_symmetric(s) || !s->def.inertia);
}

static carom_status eliminate(carom_system *s, carom_error *error) {
    // The time of the processor, for benchmarks; no result depends on it.
    clock_t begin = clock();
    carom_status status = carom_linear_factorise(s->linear, s->matrix, error);
    s->counts.factorising += (double)(clock() - begin) / CLOCKS_PER_SEC;
    s->counts.factorisations++;
    s->tried = true;
    s->factorised = !status;
    return status;
}

static carom_status fall_back(carom_system *s, carom_error *error) {
    s->counts.fallbacks++;
    return eliminate(s, error);
}

// Looks at a symmetric matrix.
static carom_status examine(carom_system *s, carom_error *error) {
    carom_status status = carom_conjugate_prepare(&s->conjugate, s->matrix, error);
    if (status || !s->def.inertia)
        return status;
    bool definite;
    int64_t before = s->conjugate.iterations;
    status = carom_conjugate_examine(&s->conjugate, s->def.iterations, &definite, error);
    s->counts.iterations += s->conjugate.iterations - before;
    return status || definite ? status : fall_back(s, error);
}

carom_status carom_system_prepare(carom_system *s, const carom_sparse *matrix, carom_error *error) {
    s->matrix = matrix;
    s->tried = s->factorised = false;
    if (!iterates(s))
        return eliminate(s, error);
    return is_symmetric(s) ? examine(s, error) : carom_krylov_prepare(&s->krylov, matrix, error);
}

carom_status carom_system_solve(carom_system *s, double accuracy, double *x, carom_error *error) {
    if (!s->factorised && iterates(s)) {
        size_t bytes = (size_t)s->matrix->size * sizeof *x;
        bool solved;
        memcpy(s->saved, x, bytes);
        int64_t before = s->krylov.iterations + s->conjugate.iterations;
        carom_status status = is_symmetric(s)
                                  ? carom_conjugate_solve(&s->conjugate, accuracy, s->def.iterations, x, &solved, error)
                                  : carom_krylov_solve(&s->krylov, accuracy, s->def.iterations, x, &solved, error);
        s->counts.iterations += s->krylov.iterations + s->conjugate.iterations - before;
        if (status || solved)
            return status;
        // systems that are too stiff for it, or of positions that are not finite
        memcpy(x, s->saved, bytes);
        status = fall_back(s, error);
        if (status)
            return status;
    }
    return carom_linear_solve(s->linear, x, error);
}

carom_linear_info carom_system_information(const carom_system *s) {
    carom_linear_info info = carom_linear_information(s->linear);
    // The iteration has found this one positive definite; what is there is of an earlier one.
    if (!s->tried)
        info.negative_pivots = info.null_count = 0;
    return info;
}

carom_system_counts carom_system_work(const carom_system *s) {
    return s->counts;
}
