// SPDX-License-Identifier: MIT
// The tangent stiffness of a model as a sparse matrix over its unknowns.
#ifndef CAROM_MODEL_FORCES_STIFFNESS_H
#define CAROM_MODEL_FORCES_STIFFNESS_H

#include "model/forces/unknowns.h"

// Fails with CAROM_BAD_INPUT and the reason if elements of a model have no stiffness matrix: those whose nodes have frames.
carom_status carom_model_has_stiffness(const carom_model *model, carom_error *error);

// Creates a zero matrix with the sparsity pattern of the model: set b of the matrix are the elements of block b. The unknowns
// and the model must outlive it.
carom_status carom_stiffness_create(const carom_model *model, const carom_unknowns *unknowns, carom_sparse **matrix,
                                    carom_error *error);

// Sets the matrix to the second derivatives of the stored energy at x; for laws with history to the derivatives of what `flow`
// requests, without a commit (NULL: of the history as it is). If `motion` is not NULL, `product` receives the stiffness
// (without restraints) times this vector of all nodes. Rows that the matrix does not keep are omitted, and the product is
// undefined at those nodes. Fails with CAROM_NO_MEMORY or CAROM_INTERRUPTED.
carom_status carom_stiffness_assemble(const carom_model *model, const carom_unknowns *unknowns, const double (*x)[3],
                                      const carom_flow *flow, const double (*motion)[3], double (*product)[3],
                                      carom_sparse *matrix, carom_error *error);

// Subtracts the derivatives of pressures that act along current face normals, each times its factor; the matrix is then not
// symmetric.
void carom_stiffness_subtract_loads(const carom_model *model, const carom_unknowns *unknowns, const double (*x)[3],
                                    const double *factors, carom_sparse *matrix);

#endif
