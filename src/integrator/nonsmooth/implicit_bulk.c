// SPDX-License-Identifier: MIT
// Assembles, factorises and applies the matrix H = (2/h^2) M + 2 beta K of an implicit step h of nonsmooth-newmark: the
// derivative of (2/h^2) M (x - pre) - 2 beta f(x), which contact forces balance, with masses M, predicted positions pre, and
// forces f of elements with their tangent stiffness K.
#include "integrator/nonsmooth/implicit_bulk.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "model/forces/stiffness.h"

carom_status carom_implicit_bulk_create(const carom_model *model, carom_implicit_bulk *bulk, carom_error *error) {
    *bulk = (carom_implicit_bulk){.model = model};
    carom_status status = carom_unknowns_create(model, &bulk->unknowns, error);
    if (!status)
        status = carom_stiffness_create(model, &bulk->unknowns, &bulk->matrix, error);
    if (!status)
        status = carom_linear_create(CAROM_LINEAR_SYMMETRIC, &bulk->solver, error);
    if (status)
        return status;
    bulk->vector = carom_allocate(bulk->unknowns.count, sizeof *bulk->vector);
    return bulk->vector ? CAROM_OK : carom_no_memory(error, "the integrator");
}

void carom_implicit_bulk_release(carom_implicit_bulk *bulk) {
    carom_linear_release(bulk->solver);
    carom_sparse_release(bulk->matrix);
    carom_unknowns_release(&bulk->unknowns);
    free(bulk->vector);
    *bulk = (carom_implicit_bulk){0};
}

carom_status carom_implicit_bulk_factorise(carom_implicit_bulk *bulk, double h, double beta, const double (*x)[3],
                                           carom_error *error) {
    carom_status status = carom_stiffness_assemble(bulk->model, &bulk->unknowns, x, NULL, NULL, NULL, bulk->matrix, error);
    if (status)
        return status;
    for (int64_t i = 0; i < bulk->matrix->row_begin[bulk->matrix->size]; i++)
        bulk->matrix->value[i] *= 2 * beta;
    carom_sparse_add_diagonal(bulk->matrix, 2 / (h * h), bulk->model->mass);
    // a fully restrained model has no unknowns
    return bulk->matrix->size ? carom_linear_factorise(bulk->solver, bulk->matrix, error) : CAROM_OK;
}

carom_status carom_implicit_bulk_apply(carom_implicit_bulk *bulk, const double (*force)[3], double (*displacement)[3],
                                       carom_error *error) {
    carom_unknowns_gather(&bulk->unknowns, force, bulk->vector);
    carom_status status = bulk->matrix->size ? carom_linear_solve(bulk->solver, bulk->vector, error) : CAROM_OK;
    carom_unknowns_spread(&bulk->unknowns, bulk->vector, displacement);
    return status;
}
