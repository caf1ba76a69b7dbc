// SPDX-License-Identifier: MIT
// Faces of obstacles have two sides, and no inside. Each is two facets back to back (facets.h); which of them a point of a body
// meets is told by the direction in which the body looks there: the two look at each other. A point behind that facet overlaps
// the face, or lies on the far side of its body, with the face beyond the near one. Contact overlaps little, and a body is
// thicker than twice the reach: a point that was farther behind than half of the reach, along its own normal, at the start of a
// step is of the second kind.
#ifndef CAROM_CONTACT_QUADRATURE_SHEETS_H
#define CAROM_CONTACT_QUADRATURE_SHEETS_H

#include "contact/quadrature/pairing.h"

// Whether a point on the facet `own` can meet the facet f of a sheet; `toward`, `height` and `distance` as of
// carom_face_distance at the positions x.
bool carom_sheet_is_met(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3],
                        const double toward[3], double height, double distance);

// What went wrong at a sheet.
typedef enum carom_sheet_fault {
    CAROM_SHEET_HOLDS,
    CAROM_SHEET_PASSED,   // a point overlaps a face by more than half of the reach
    CAROM_SHEET_SQUEEZED, // the far side of a body came nearer to a face than half of the reach
} carom_sheet_fault;

// Looks for points that can no longer tell their side after a step from x0 to x1; bodies[] are the body and the obstacle.
carom_sheet_fault carom_sheets_check(const carom_pairing *pairing, const double (*x0)[3], const double (*x1)[3], int bodies[2]);

#endif
