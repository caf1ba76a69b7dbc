// SPDX-License-Identifier: MIT
// The law of a block at one of its points, with the history of that point. Laws without history are evaluated directly; so are
// blocks without a state, whose points have no plastic strain.
#ifndef CAROM_ELEMENT_POINT_LAW_H
#define CAROM_ELEMENT_POINT_LAW_H

#include "carom/element.h"

// The purpose of the evaluation: to read, to try or to commit the step.
static inline carom_use carom_block_use(const carom_block *block) {
    return block->history && block->flow ? block->flow->use : CAROM_USE_READ;
}

// Records `volume` times the losses of point q of element e, after an evaluation that commits. The first point of an element
// resets pending losses.
void carom_point_book(const carom_block *block, int e, int q, double volume, const carom_losses *losses);

// Energy, and stress and tangent where not NULL, of point q of element e, as `solid` of carom_material. `volume` is the weight
// of the point in the ledger.
double carom_point_solid(const carom_block *block, int e, int q, double volume, const double F[9], double P[9], double A[81]);
// The isochoric part of these, for laws that split.
double carom_point_isochoric(const carom_block *block, int e, int q, double volume, const double F[9], double P[9],
                             double A[81]);
// The same for a bar, as `uniaxial`, and for a sheet, as `sheet` of carom_material.
carom_uniaxial carom_point_uniaxial(const carom_block *block, int e, int q, double volume, double strain);
double carom_point_sheet(const carom_block *block, int e, int q, double volume, const double metric[3], const double strain[3],
                         double stress[3], double tangent[3][3], double *thinning);

// An inner variable of point q of element e; 0 where the law has none of that name.
double carom_point_inner(const carom_block *block, int e, int q, carom_inner what);
// The mean of an inner variable over the points of element e, for a shell the largest value of its points; 0 where the law has
// no such variable.
double carom_point_show(const carom_block *block, int e, carom_inner what);

// True if points of the block may yield: their law has a plastic strain.
bool carom_block_flows(const carom_block *block);
// True if their law depends on the time between two commits.
bool carom_block_ages(const carom_block *block);

#endif
