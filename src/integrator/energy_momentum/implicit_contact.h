// SPDX-License-Identifier: MIT
// The contact of an implicit step: all points of a model that may touch, the faces they meet, tractions and multipliers.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_IMPLICIT_CONTACT_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_IMPLICIT_CONTACT_H

#include "carom/arena.h"
#include "contact/quadrature/sheets.h"
#include "contact/quadrature/tractions.h"
#include "model/model.h"

// The choices of a user; NaN: derived from the model.
typedef struct carom_implicit_contact_def {
    carom_slave slave;
    carom_quadrature quadrature;
    double penalty;    // force / length^3; auto: ten times E/h of the softer body
    double tangential; // force time / length^3; auto: penalty times step
    double reach;      // length; auto: volume over surface of the thinnest body
    bool plain;        // as in carom_quadrature_rule
} carom_implicit_contact_def;

// Start from {0}.
typedef struct carom_implicit_contact {
    const carom_model *model;
    carom_arena *memory; // of all arrays
    carom_implicit_contact_def def;
    carom_quadrature_rule rule;
    carom_facets facets;
    carom_pairing pairing;
    double *stiffness; // per body: E/h; 0 if it has none
    double *size;      // per body: h, the size of its elements; 0 if it has none
    int frame_count;   // end points and planes: points 0 to frame_count - 1 of `sites`, and then those of the pairing
    carom_quadrature_point *frames;

    const double (*v0)[3];    // at the beginning of the step: they tell the coefficients of friction
    int site_count;           // all that may touch
    int *met;                 // per site: the facet it met last; -1: none
    int *meets;               // scratch, per site: the facet it meets now
    double (*multipliers)[3]; // per site: normal, and tangential

    int count; // sites that meet something now
    carom_quadrature_point *points;
    carom_traction *tractions;
    int *site;        // of each point
    double softening; // 1: full penalties
} carom_implicit_contact;

carom_status carom_implicit_contact_create(const carom_model *model, const carom_implicit_contact_def *def, double step,
                                           carom_implicit_contact *contact, carom_error *error);
void carom_implicit_contact_release(carom_implicit_contact *contact);

// Begins a step of that length from the positions x0 and the velocities v0, which are kept by reference: no multipliers.
void carom_implicit_contact_begin(carom_implicit_contact *contact, double step, const double (*x0)[3], const double (*v0)[3]);

// Finds who meets whom at the positions x. *changed says whether anything is different from before.
carom_status carom_implicit_contact_pair(carom_implicit_contact *contact, const double (*x)[3], bool *changed,
                                         carom_error *error);

// Tractions of the step from x0 to x1; adds the forces of all points to those on the nodes.
void carom_implicit_contact_force(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                  double (*force)[3]);

// One pass of the augmented Lagrangian: the tractions become multipliers. Returns the largest change of a normal one, relative
// to the largest.
double carom_implicit_contact_augment(carom_implicit_contact *contact);

// Whether a point that pushes is deeper in the other side than a fiftieth of the smaller elements. Overlap grows by t_N/eps in
// each step that contact lasts at penalties alone; multipliers stop that.
bool carom_implicit_contact_is_deep(const carom_implicit_contact *contact);

// How far surfaces pass each other in a step from x0 to x1, where that is more than the reach: contact may then have been
// missed. 0: nowhere. bodies[] are the two.
carom_status carom_implicit_contact_tunnelling(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                               double *depth, int bodies[2], carom_error *error);

// After a step from x0 to x1, whether points can still tell on which side of a face of an obstacle they are (sheets.h).
carom_sheet_fault carom_implicit_contact_sides(const carom_implicit_contact *contact, const double (*x0)[3],
                                               const double (*x1)[3], int bodies[2]);

// The largest overlap at the end of the step, >= 0.
double carom_implicit_contact_overlap(const carom_implicit_contact *contact);

#endif
