// SPDX-License-Identifier: MIT
// The matrix of an implicit step, H = (2/h^2) M + 2 beta K, with K the tangent stiffness of the elements: assembly,
// factorisation and solution for forces on nodes.
#ifndef CAROM_INTEGRATOR_NONSMOOTH_IMPLICIT_BULK_H
#define CAROM_INTEGRATOR_NONSMOOTH_IMPLICIT_BULK_H

#include "model/forces/unknowns.h"
#include "solver/linear.h"

// Start from {0}.
typedef struct carom_implicit_bulk {
    const carom_model *model;
    carom_unknowns unknowns;
    carom_sparse *matrix;
    carom_linear_solver *solver;
    double *vector; // one number per unknown
} carom_implicit_bulk;

carom_status carom_implicit_bulk_create(const carom_model *model, carom_implicit_bulk *bulk, carom_error *error);
void carom_implicit_bulk_release(carom_implicit_bulk *bulk);

// Assembles H at x and factorises it. CAROM_NUMERICAL if it is singular or not finite.
carom_status carom_implicit_bulk_factorise(carom_implicit_bulk *bulk, double h, double beta, const double (*x)[3],
                                           carom_error *error);

// H^-1 times forces on all nodes, with the last factors; zero along restrained directions.
carom_status carom_implicit_bulk_apply(carom_implicit_bulk *bulk, const double (*force)[3], double (*displacement)[3],
                                       carom_error *error);

#endif
