// SPDX-License-Identifier: MIT
// The unknowns of implicit methods: positions of nodes along nodal axes; those along restrained directions are eliminated.
#ifndef CAROM_MODEL_FORCES_UNKNOWNS_H
#define CAROM_MODEL_FORCES_UNKNOWNS_H

#include "model/forces/tied_matrix.h"
#include "model/model.h"
#include "solver/sparse.h"

typedef struct carom_unknowns {
    int node_count;
    int count;                // number of unknowns
    int (*index)[3];          // per node and axis: its unknown, or -1
    int *turned;              // per node: index into axes, or -1 where the axes are x, y, z
    int turned_count;         // nodes with restraints that are not along x, y, z
    double (*axes)[3][3];     // rows are the axes
    carom_tied_elements tied; // slave nodes have no unknowns
} carom_unknowns;

// Numbers the unknowns of a model: all axes except restrained ones, z of plane bodies, and slave components of ties. Release
// also after a failure.
carom_status carom_unknowns_create(const carom_model *model, carom_unknowns *unknowns, carom_error *error);
void carom_unknowns_release(carom_unknowns *unknowns);

// Rotates a vector of one node from its axes to x, y, z, in place.
void carom_unknowns_turn_back(const carom_unknowns *unknowns, int node, double vector[3]);
// Rotates a dense matrix over nodes (3 n rows and columns, row by row) from x, y, z to their axes, in place.
void carom_unknowns_turn_matrix(const carom_unknowns *unknowns, int n, const int *nodes, double *matrix);

// Convert between vectors of nodes in x, y, z and vectors of unknowns. Spread sets restrained components to zero, and slave
// components by the ties. Gather expects forces of slave nodes to be folded onto their masters (carom_unknowns_fold).
void carom_unknowns_gather(const carom_unknowns *unknowns, const double (*nodal)[3], double *vector);
void carom_unknowns_spread(const carom_unknowns *unknowns, const double *vector, double (*nodal)[3]);

// Adds the forces on slave nodes to their masters. Nothing happens without ties.
void carom_unknowns_fold(const carom_unknowns *unknowns, double (*force)[3]);
// Sets slave components (positions, displacements or velocities) by the ties. Nothing happens without ties.
void carom_unknowns_apply_ties(const carom_unknowns *unknowns, double (*x)[3]);

// The six rigid motions of the whole model at its reference positions, each as a vector of unknowns, one after another;
// rotations are about the first node, scaled by one over the size of the model.
enum { CAROM_UNKNOWNS_RIGID = 6 };
void carom_unknowns_rigid(const carom_unknowns *unknowns, const carom_model *model, double *modes);

#endif
