// SPDX-License-Identifier: MIT
// Sheets: faces of obstacles with two sides and no inside. Each is two facets with opposite normals (facets.h); a point of a
// body meets the one whose normal is opposite to the outward normal of the body at the point. A point behind that facet either
// overlaps the face, or lies on the far side of its body, whose near side meets the other facet. Overlap is
// small, and a body is thicker than twice the reach: if a point was behind by more than half of the reach, along its own
// normal, at the start of the step, the second case holds.
#ifndef CAROM_CONTACT_QUADRATURE_SHEETS_H
#define CAROM_CONTACT_QUADRATURE_SHEETS_H

#include "contact/quadrature/pairing.h"

// Whether a point on the facet `own` can meet the facet f of a sheet; `toward`, `height` and `distance` as of
// carom_face_distance at the positions x.
bool carom_sheet_is_met(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3],
                        const double toward[3], double height, double distance);

// The result of a check of sheets.
typedef enum carom_sheet_fault {
    CAROM_SHEET_HOLDS,
    CAROM_SHEET_PASSED,   // a point overlaps a face by more than half of the reach
    CAROM_SHEET_SQUEEZED, // the far side of a body is nearer to a face than half of the reach
} carom_sheet_fault;

// Finds a point whose side can no longer be determined after a step from x0 to x1; bodies[] are the body and the obstacle.
carom_sheet_fault carom_sheets_check(const carom_pairing *pairing, const double (*x0)[3], const double (*x1)[3], int bodies[2]);

#endif
