// SPDX-License-Identifier: MIT
// Replaces the direct solver in builds without MUMPS (CAROM_MUMPS=OFF): every method that needs one is refused when it is set
// up.
#include "solver/linear.h"

#include <stddef.h>

static carom_status refuse(carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT,
                      "this carom was built without the direct solver MUMPS, which implicit methods and statics need");
}

carom_status carom_linear_create(carom_linear_kind kind, carom_linear_solver **solver, carom_error *error) {
    (void)kind;
    *solver = NULL;
    return refuse(error);
}

void carom_linear_release(carom_linear_solver *solver) {
    (void)solver;
}

carom_status carom_linear_factorise(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error) {
    (void)solver, (void)matrix;
    return refuse(error);
}

carom_status carom_linear_solve(carom_linear_solver *solver, double *x, carom_error *error) {
    (void)solver, (void)x;
    return refuse(error);
}

carom_linear_info carom_linear_information(const carom_linear_solver *solver) {
    (void)solver;
    return (carom_linear_info){0};
}
