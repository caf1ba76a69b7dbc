// SPDX-License-Identifier: MIT
// Solves sparse linear systems by PETSc (linear_petsc.h; S. Balay et al., PETSc/TAO Users Manual, ANL-21/39). Symmetric systems
// are solved by conjugate gradients, others by GMRES, both preconditioned by smoothed aggregation (GAMG) with the rigid motions
// as near-null space. Options with the prefix carom_ in PETSC_OPTIONS replace any of this, for example -carom_ksp_type preonly
// -carom_pc_type cholesky -carom_pc_factor_mat_solver_type mumps.
//
// Multigrid requires the same number of unknowns at all nodes. Those that are eliminated by carom (restrained ones) therefore
// stay in the matrix of PETSc as rows of their own with nothing but a diagonal entry, of the size of others of their node;
// nodes without unknowns are left out. The rows of PETSc are thus those of blocks (rows.h), `width` of each.
//
// Norms and products of PETSc depend on the number of processes, and parallel factorisations may differ from run to run. The
// results do, too.
#include "solver/linear_petsc.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <petscksp.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "solver/probe.h"

// A residual below this multiple of |diag(A) x| is as small as that of elimination, and is accepted.
static const double rounding = 8 * DBL_EPSILON;
// The recurrence residual must fall below this multiple of the required one.
static const double residual_safety = 0.7;
// Iteration stops if a pass does not reduce the residual to this fraction.
static const double stagnation_ratio = 0.5;
// A mode is omitted if its component orthogonal to the others is smaller than this fraction of it.
static const double independence_threshold = 1e-8;

enum { RESTART = 60 }; // of GMRES

struct carom_petsc {
    carom_petsc_def def;
    MPI_Comm comm;
    const carom_sparse *matrix;
    uint64_t pattern;
    int unknowns, width, blocks; // all unknowns and blocks
    int first, count;            // the rows of the PETSc matrix that this process has
    int *place;                  // per unknown: its row in PETSc
    int64_t entry_count, hole_count;
    int *hole;     // per row that is no unknown: an unknown of the same node
    double *value; // of entries, then of holes
    bool odd;      // a value is not finite, or a diagonal entry of a symmetric matrix is not positive
    Mat A;
    KSP ksp;
    Vec b, x, r, diagonal;
    int64_t iterations;
};

// An error of PETSc; nearly always lack of memory.
static carom_status fail_petsc(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "PETSc cannot prepare or solve a system (out of memory?)");
}

static void forget(carom_petsc *p) {
    KSPDestroy(&p->ksp);
    MatDestroy(&p->A);
    VecDestroy(&p->b);
    VecDestroy(&p->x);
    VecDestroy(&p->r);
    VecDestroy(&p->diagonal);
    free(p->place);
    free(p->hole);
    free(p->value);
    p->place = p->hole = NULL;
    p->value = NULL;
    p->pattern = 0;
}

carom_status carom_petsc_create(const carom_petsc_def *def, carom_petsc **made, carom_error *error) {
    PetscBool started = PETSC_FALSE;
    carom_petsc *p = carom_allocate(1, sizeof *p);
    *made = p;
    if (!p)
        return carom_no_memory(error, "the linear solver");
    p->def = *def;
    p->comm = def->rows->shared ? PETSC_COMM_WORLD : PETSC_COMM_SELF;
    if (PetscInitialized(&started) || !started)
        return carom_fail(error, CAROM_BAD_INPUT, "PETSc has not been started (carom_parallel_start)");
    return CAROM_OK;
}

void carom_petsc_release(carom_petsc *p) {
    if (!p)
        return;
    forget(p);
    free(p);
}

// Numbers the rows of PETSc. False if memory is short or there are too many.
static bool number_rows(carom_petsc *p) {
    const carom_sparse *m = p->matrix;
    int last = -1, axis, most = 0;
    p->unknowns = m->size;
    p->blocks = 0;
    p->place = carom_allocate(m->size, sizeof *p->place);
    if (!p->place)
        return false;
    for (int i = 0; i < m->size; i++) {
        carom_sparse_node(m, i, &axis);
        most = axis > most ? axis : most;
    }
    // bodies in the plane have two unknowns a node
    p->width = most + 1;
    for (int i = 0; i < m->size; i++) {
        int node = carom_sparse_node(m, i, &axis);
        p->blocks += node != last;
        last = node;
        if ((int64_t)p->width * p->blocks > INT_MAX)
            return false;
        p->place[i] = p->width * (p->blocks - 1) + axis;
    }
    int end = p->def.rows->piece_end * CAROM_ROWS_PIECE;
    p->first = p->width * p->def.rows->piece_begin * CAROM_ROWS_PIECE;
    p->count = p->width * (end < p->blocks ? end : p->blocks) - p->first;
    return true;
}

// The place of every entry, and of the diagonal of rows that are no unknowns.
static bool list_entries(carom_petsc *p, PetscInt **rows, PetscInt **columns) {
    const carom_sparse *m = p->matrix;
    const carom_rows *own = p->def.rows;
    p->entry_count = m->row_begin[own->end] - m->row_begin[own->begin];
    p->hole_count = p->count - (own->end - own->begin);
    int64_t all = p->entry_count + p->hole_count, n = 0;
    *rows = carom_allocate(all, sizeof **rows);
    *columns = carom_allocate(all, sizeof **columns);
    p->value = carom_allocate(all, sizeof *p->value);
    p->hole = carom_allocate(p->hole_count, sizeof *p->hole);
    if (!*rows || !*columns || !p->value || !p->hole)
        return false;
    for (int r = own->begin; r < own->end; r++)
        for (int64_t e = m->row_begin[r]; e < m->row_begin[r + 1]; e++, n++) {
            (*rows)[n] = p->place[r];
            (*columns)[n] = p->place[m->column[e]];
        }
    // unknowns of a block ascend; a missing axis is a hole
    int next = own->begin, holes = 0;
    for (int row = p->first; row < p->first + p->count; row++) {
        if (next < own->end && p->place[next] == row) {
            next++;
            continue;
        }
        bool ahead = next < own->end && p->place[next] / p->width == row / p->width;
        p->hole[holes++] = ahead ? next : next - 1;
        (*rows)[n] = (*columns)[n] = row;
        n++;
    }
    return true;
}

// An entry of a vector of PETSc for each own unknown, zero for holes.
static bool put(carom_petsc *p, const double *from, Vec to) {
    double *values;
    if (VecGetArray(to, &values))
        return false;
    memset(values, 0, (size_t)p->count * sizeof *values);
    for (int i = p->def.rows->begin; i < p->def.rows->end; i++)
        values[p->place[i] - p->first] = from[i];
    return VecRestoreArray(to, &values) == 0;
}

static bool take(carom_petsc *p, Vec from, double *to) {
    const double *values;
    if (VecGetArrayRead(from, &values))
        return false;
    for (int i = p->def.rows->begin; i < p->def.rows->end; i++)
        to[i] = values[p->place[i] - p->first];
    return VecRestoreArrayRead(from, &values) == 0;
}

// Orthonormalises the modes of the near-null space and passes them to multigrid.
static bool report_modes(carom_petsc *p) {
    Vec *modes;
    MatNullSpace space;
    int count = 0;
    if (p->def.mode_count == 0)
        return true;
    if (VecDuplicateVecs(p->b, p->def.mode_count, &modes))
        return false;
    bool done = true;
    for (int m = 0; m < p->def.mode_count && done; m++) {
        double before, after, part;
        done = put(p, p->def.modes + (ptrdiff_t)m * p->unknowns, modes[count]) && !VecNorm(modes[count], NORM_2, &before);
        // Gram-Schmidt twice: the result is orthogonal up to rounding
        for (int turn = 0; turn < 2 && done; turn++)
            for (int k = 0; k < count && done; k++)
                done = !VecDot(modes[count], modes[k], &part) && !VecAXPY(modes[count], -part, modes[k]);
        done = done && !VecNorm(modes[count], NORM_2, &after);
        // a mode may depend on others: the rotation of a straight bar about its axis moves no node
        if (done && after > independence_threshold * before)
            done = !VecScale(modes[count++], 1 / after);
    }
    done = done && !MatNullSpaceCreate(p->comm, PETSC_FALSE, count, modes, &space) && !MatSetNearNullSpace(p->A, space) &&
           !MatNullSpaceDestroy(&space);
    return !VecDestroyVecs(p->def.mode_count, &modes) && done;
}

// Sets the default of an option that users may override.
static bool set_default_option(const char *name, const char *value) {
    PetscBool set;
    return !PetscOptionsHasName(NULL, NULL, name, &set) && (set || !PetscOptionsSetValue(NULL, name, value));
}

// If options select MUMPS, it must count negative and null pivots: ICNTL(24) detects null pivots, and ICNTL(13) disables
// ScaLAPACK, which does not count them.
static bool set_pivot_options(void) {
    return set_default_option("-carom_mat_mumps_icntl_24", "1") && set_default_option("-carom_mat_mumps_icntl_13", "1");
}

static bool make_solver(carom_petsc *p) {
    bool symmetric = p->def.kind == CAROM_LINEAR_SYMMETRIC;
    PetscBool standard;
    PC pc;
    if ((symmetric && !set_pivot_options()) || KSPCreate(p->comm, &p->ksp) || KSPSetOptionsPrefix(p->ksp, "carom_") ||
        KSPSetOperators(p->ksp, p->A, p->A) || KSPSetType(p->ksp, symmetric ? KSPCG : KSPGMRES) || KSPGetPC(p->ksp, &pc) ||
        PCSetType(pc, PCGAMG) || KSPGMRESSetRestart(p->ksp, RESTART) || KSPSetFromOptions(p->ksp) ||
        PetscObjectTypeCompare((PetscObject)p->ksp, symmetric ? KSPCG : KSPGMRES, &standard))
        return false;
    // The norm of the true residual decides on convergence; other methods than these two may not provide it.
    return !standard ||
           (!KSPSetPCSide(p->ksp, symmetric ? PC_LEFT : PC_RIGHT) && !KSPSetNormType(p->ksp, KSP_NORM_UNPRECONDITIONED));
}

// Everything that depends on the pattern.
static bool make_matrix(carom_petsc *p) {
    PetscInt *rows = NULL, *columns = NULL;
    forget(p);
    bool done = carom_rows_all(p->def.rows, number_rows(p) && list_entries(p, &rows, &columns));
    done = done && !MatCreate(p->comm, &p->A) && !MatSetSizes(p->A, p->count, p->count, PETSC_DETERMINE, PETSC_DETERMINE) &&
           !MatSetType(p->A, MATAIJ) && !MatSetBlockSize(p->A, p->width) &&
           !MatSetPreallocationCOO(p->A, p->entry_count + p->hole_count, rows, columns) && !MatCreateVecs(p->A, &p->x, &p->b) &&
           !VecDuplicate(p->b, &p->r) && !VecDuplicate(p->b, &p->diagonal) &&
           !MatSetOption(p->A, MAT_SYMMETRIC, p->def.kind == CAROM_LINEAR_SYMMETRIC ? PETSC_TRUE : PETSC_FALSE) &&
           report_modes(p) && make_solver(p);
    free(rows);
    free(columns);
    if (done)
        p->pattern = p->matrix->pattern;
    return done;
}

// The values of own rows; each hole has the diagonal entry of an unknown of its node.
static bool set_values(carom_petsc *p) {
    const carom_sparse *m = p->matrix;
    const carom_rows *own = p->def.rows;
    bool good = true;
    double *diagonal = carom_allocate(m->size, sizeof *diagonal);
    if (!carom_rows_all(own, diagonal)) {
        free(diagonal);
        return false;
    }
    carom_sparse_diagonal(m, diagonal);
    memcpy(p->value, m->value + m->row_begin[own->begin], (size_t)p->entry_count * sizeof *p->value);
    for (int64_t i = 0; i < p->entry_count; i++)
        good = good && isfinite(p->value[i]);
    for (int i = own->begin; i < own->end && p->def.kind == CAROM_LINEAR_SYMMETRIC; i++)
        good = good && diagonal[i] > 0;
    for (int64_t i = 0; i < p->hole_count; i++)
        p->value[p->entry_count + i] = diagonal[p->hole[i]] != 0 ? diagonal[p->hole[i]] : 1;
    bool done = put(p, diagonal, p->diagonal);
    free(diagonal);
    p->odd = !carom_rows_all(own, good);
    return done && (p->odd || !MatSetValuesCOO(p->A, p->value, INSERT_VALUES));
}

carom_status carom_petsc_prepare(carom_petsc *p, const carom_sparse *matrix, carom_error *error) {
    p->matrix = matrix;
    p->odd = matrix->size == 0;
    if (p->odd)
        return CAROM_OK;
    bool done = (p->pattern == matrix->pattern && p->unknowns == matrix->size) || make_matrix(p);
    // the operators are given again, or PETSc would keep the preconditioner of the last ones
    done = done && set_values(p) && (p->odd || !KSPSetOperators(p->ksp, p->A, p->A));
    return CAROM_ROWS_AGREE(p->def.rows, done ? CAROM_OK : fail_petsc(error), error);
}

// Solves for b once. *good is false if the iteration has not converged.
static bool iterate(carom_petsc *p, double tolerance, int most, bool *good) {
    KSPConvergedReason reason;
    PetscInt iterations;
    *good = false;
    // the absolute tolerance and that of divergence keep their defaults: a divergence tolerance of 0 would stop at once
    if (KSPSetTolerances(p->ksp, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, most) || KSPSolve(p->ksp, p->b, p->x) ||
        KSPGetConvergedReason(p->ksp, &reason) || KSPGetIterationNumber(p->ksp, &iterations))
        return false;
    p->iterations += iterations;
    *good = reason > 0;
    return true;
}

// r = b - A x; its norm, and the norm of diag(A) x (*size). Overwrites p->x.
static bool find_residual(carom_petsc *p, Vec b, Vec x, double *norm, double *size) {
    return !MatMult(p->A, x, p->r) && !VecAYPX(p->r, -1, b) && !VecNorm(p->r, NORM_2, norm) &&
           !VecPointwiseMult(p->x, p->diagonal, x) && !VecNorm(p->x, NORM_2, size);
}

// Solves by iterative refinement, since the norm in which an iteration of PETSc has converged may not be the required one.
static bool refine(carom_petsc *p, double tolerance, int most, Vec whole, Vec right, bool *solved) {
    double norm, first, before = HUGE_VAL, size;
    bool good = true;
    int64_t end = p->iterations + most;
    *solved = false;
    if (VecCopy(p->b, right) || VecSet(whole, 0) || VecNorm(p->b, NORM_2, &first))
        return false;
    norm = first;
    if (norm == 0)
        *solved = true;
    while (!*solved && good && isfinite(norm) && norm < stagnation_ratio * before && p->iterations < end) {
        before = norm;
        if (!iterate(p, residual_safety * tolerance * first / norm, (int)(end - p->iterations), &good))
            return false;
        if (VecAXPY(whole, 1, p->x) || !find_residual(p, right, whole, &norm, &size) || VecCopy(p->r, p->b))
            return false;
        // an iteration that stopped because of rounding may have converged far enough
        *solved = isfinite(norm) && (norm <= tolerance * first || norm <= rounding * size);
    }
    return true;
}

carom_status carom_petsc_solve(carom_petsc *p, double tolerance, int most, double *x, bool *solved, carom_error *error) {
    *solved = p->matrix->size == 0;
    if (p->odd)
        return CAROM_OK;
    Vec whole = NULL, right = NULL;
    carom_status status = carom_rows_interrupt(p->def.rows, error);
    if (status)
        return status;
    bool done = put(p, x, p->b) && !VecDuplicate(p->b, &whole) && !VecDuplicate(p->b, &right) &&
                refine(p, tolerance, most, whole, right, solved) && take(p, whole, x);
    VecDestroy(&whole);
    VecDestroy(&right);
    status = CAROM_ROWS_AGREE(p->def.rows, done ? CAROM_OK : fail_petsc(error), error);
    if (!status)
        carom_rows_complete(p->def.rows, x);
    return status ? status : carom_rows_interrupt(p->def.rows, error);
}

// Tests positive definiteness by conjugate gradients, as conjugate.c does, in the natural norm sqrt(r.M r).
static bool examine_curvature(carom_petsc *p, int most, bool *definite) {
    double *values;
    if (VecGetArray(p->b, &values))
        return false;
    const double *diagonal;
    if (VecGetArrayRead(p->diagonal, &diagonal))
        return false;
    for (int i = 0; i < p->count; i++)
        values[i] = sqrt(diagonal[i]) * carom_probe_number((uint64_t)(p->first + i));
    return !VecRestoreArrayRead(p->diagonal, &diagonal) && !VecRestoreArray(p->b, &values) &&
           !KSPSetNormType(p->ksp, KSP_NORM_NATURAL) &&
           iterate(p, CAROM_PROBE_OVERLOOKED / sqrt(p->unknowns), most, definite) &&
           !KSPSetNormType(p->ksp, KSP_NORM_UNPRECONDITIONED);
}

static bool examine_pivots(carom_petsc *p, PC pc, bool *definite) {
    Mat factors;
    PetscInt negative = 1, zero = 1, positive;
    *definite = false;
    // if the factorisation fails, the direct solver factorises the matrix again and reports the reason
    if (KSPSetUp(p->ksp) || PCFactorGetMatrix(pc, &factors) || MatGetInertia(factors, &negative, &zero, &positive))
        return true;
    *definite = negative == 0 && zero == 0;
    return true;
}

carom_status carom_petsc_examine(carom_petsc *p, int most, carom_petsc_answer *answer, carom_error *error) {
    PetscBool by_gradients = PETSC_FALSE, by_pivots = PETSC_FALSE;
    bool definite = p->matrix->size == 0, done = true;
    PC pc;
    *answer = definite ? CAROM_PETSC_DEFINITE : CAROM_PETSC_INDEFINITE;
    if (p->odd)
        return CAROM_OK;
    carom_status status = carom_rows_interrupt(p->def.rows, error);
    if (status)
        return status;
    done = !PetscObjectTypeCompare((PetscObject)p->ksp, KSPCG, &by_gradients) && !KSPGetPC(p->ksp, &pc) &&
           !PetscObjectTypeCompare((PetscObject)pc, PCCHOLESKY, &by_pivots);
    if (done && by_pivots)
        done = examine_pivots(p, pc, &definite);
    else if (done && by_gradients)
        done = examine_curvature(p, most, &definite);
    else
        *answer = CAROM_PETSC_UNKNOWN;
    if (definite)
        *answer = CAROM_PETSC_DEFINITE;
    status = CAROM_ROWS_AGREE(p->def.rows, done ? CAROM_OK : fail_petsc(error), error);
    return status ? status : carom_rows_interrupt(p->def.rows, error);
}

int64_t carom_petsc_iterations(const carom_petsc *p) {
    return p->iterations;
}
