// SPDX-License-Identifier: MIT
// Replaces linear_petsc.c in the program for one process, which has no PETSc: all functions that would compute return an error.
// Methods refuse `solver: petsc` in this program before they call these functions.
#include "solver/linear_petsc.h"

static carom_status refuse(carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT, "PETSc is in carom-mpi only");
}

carom_status carom_petsc_create(const carom_petsc_def *def, carom_petsc **petsc, carom_error *error) {
    (void)def;
    *petsc = NULL;
    return refuse(error);
}

void carom_petsc_release(carom_petsc *petsc) {
    (void)petsc;
}

carom_status carom_petsc_prepare(carom_petsc *petsc, const carom_sparse *matrix, carom_error *error) {
    (void)petsc, (void)matrix;
    return refuse(error);
}

carom_status carom_petsc_solve(carom_petsc *petsc, double tolerance, int most, double *x, bool *solved, carom_error *error) {
    (void)petsc, (void)tolerance, (void)most, (void)x;
    *solved = false;
    return refuse(error);
}

carom_status carom_petsc_examine(carom_petsc *petsc, int most, carom_petsc_answer *answer, carom_error *error) {
    (void)petsc, (void)most;
    *answer = CAROM_PETSC_UNKNOWN;
    return refuse(error);
}

int64_t carom_petsc_iterations(const carom_petsc *petsc) {
    (void)petsc;
    return 0;
}
