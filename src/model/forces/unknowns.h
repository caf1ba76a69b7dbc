// SPDX-License-Identifier: MIT
// The unknowns of implicit methods: positions of nodes along axes of their own, of which those along restrained directions are
// eliminated.
#ifndef CAROM_MODEL_FORCES_UNKNOWNS_H
#define CAROM_MODEL_FORCES_UNKNOWNS_H

#include "model/forces/tied_matrix.h"
#include "model/model.h"
#include "solver/sparse.h"

typedef struct carom_unknowns {
    int node_count;
    int count;                // unknowns
    int (*index)[3];          // per node and axis: its unknown, or -1
    int *turned;              // per node: index into axes, or -1 where the axes are x, y, z
    int turned_count;         // nodes with restraints that are not along x, y, z
    double (*axes)[3][3];     // rows are the axes
    carom_tied_elements tied; // nodes that follow others have no unknowns of their own
} carom_unknowns;

// Numbers the unknowns of a model: all axes but those of restraints, z of plane bodies, and what follows by ties. Release in
// any case.
carom_status carom_unknowns_create(const carom_model *model, carom_unknowns *unknowns, carom_error *error);
void carom_unknowns_release(carom_unknowns *unknowns);

// A vector of one node from its own axes to x, y, z. In place.
void carom_unknowns_turn_back(const carom_unknowns *unknowns, int node, double vector[3]);
// A dense matrix over nodes (3 n rows and columns, row by row) from x, y, z to their axes. In place.
void carom_unknowns_turn_matrix(const carom_unknowns *unknowns, int n, const int *nodes, double *matrix);

// Between vectors of nodes in x, y, z and of unknowns. Spread sets restrained components to zero, and lets followers follow.
// Gather takes forces that followers have handed over (carom_unknowns_fold).
void carom_unknowns_gather(const carom_unknowns *unknowns, const double (*nodal)[3], double *vector);
void carom_unknowns_spread(const carom_unknowns *unknowns, const double *vector, double (*nodal)[3]);

// Hands forces on followers to the nodes that they follow. Nothing happens without ties.
void carom_unknowns_fold(const carom_unknowns *unknowns, double (*force)[3]);
// Followers follow: positions, displacements or velocities. Nothing happens without ties.
void carom_unknowns_follow(const carom_unknowns *unknowns, double (*x)[3]);

// The six rigid motions of the whole model at its reference positions, each as a vector of unknowns, one after another; turns
// are about the first node, by one over the size of the model.
enum { CAROM_UNKNOWNS_RIGID = 6 };
void carom_unknowns_rigid(const carom_unknowns *unknowns, const carom_model *model, double *modes);

#endif
