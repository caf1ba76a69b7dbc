// SPDX-License-Identifier: MIT
// The contact of an implicit step: all points of a model that may touch, the faces opposite of them, tractions and multipliers.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_IMPLICIT_CONTACT_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_IMPLICIT_CONTACT_H

#include "carom/arena.h"
#include "contact/quadrature/sheets.h"
#include "contact/quadrature/tractions.h"
#include "model/model.h"

// Parameters of the user; NaN: derived from the model.
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
    double *stiffness; // per body: E/h; 0 without elasticity
    double *size;      // per body: h, the size of its elements; 0 without elements
    int frame_count;   // sites 0 to frame_count - 1: points with fixed normals; the others are those of the pairing
    carom_quadrature_point *frames;

    const double (*v0)[3];    // at the beginning of the step, for velocity-dependent friction
    int site_count;           // number of points that may touch
    int *met;                 // per site: the facet opposite of it in the last search; -1: none
    int *meets;               // scratch, per site: the facet opposite of it now
    double (*multipliers)[3]; // per site: normal, and tangential

    int count; // number of sites with a facet now
    carom_quadrature_point *points;
    carom_traction *tractions;
    int *site;        // per point: its site
    double softening; // 1: full penalties
} carom_implicit_contact;

carom_status carom_implicit_contact_create(const carom_model *model, const carom_implicit_contact_def *def, double step,
                                           carom_implicit_contact *contact, carom_error *error);
void carom_implicit_contact_release(carom_implicit_contact *contact);

// Begins a step of the given length, without multipliers, from positions x0 and velocities v0, which are kept by reference.
void carom_implicit_contact_begin(carom_implicit_contact *contact, double step, const double (*x0)[3], const double (*v0)[3]);

// Finds the facet opposite of each site at the positions x. *changed: something differs from the last search.
carom_status carom_implicit_contact_pair(carom_implicit_contact *contact, const double (*x)[3], bool *changed,
                                         carom_error *error);

// Computes the tractions of the step from x0 to x1, and adds the forces of all points to those on the nodes.
void carom_implicit_contact_force(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                  double (*force)[3]);

// One pass of the augmented Lagrangian: the tractions become multipliers. Returns the largest change of a normal one, relative
// to the largest.
double carom_implicit_contact_augment(carom_implicit_contact *contact);

// True if the overlap of a point under pressure is more than a fiftieth of the size of the smaller elements. With penalties
// alone overlap grows by t_N/eps in each step of a lasting contact; multipliers prevent that.
bool carom_implicit_contact_is_deep(const carom_implicit_contact *contact);

// The largest depth by which surfaces pass each other in a step from x0 to x1 if it is more than the reach, so that contact may
// have been missed; 0 otherwise. bodies[] are the two.
carom_status carom_implicit_contact_tunnelling(carom_implicit_contact *contact, const double (*x0)[3], const double (*x1)[3],
                                               double *depth, int bodies[2], carom_error *error);

// After a step from x0 to x1: whether points can still distinguish the sides of a face of an obstacle (sheets.h).
carom_sheet_fault carom_implicit_contact_sides(const carom_implicit_contact *contact, const double (*x0)[3],
                                               const double (*x1)[3], int bodies[2]);

// The largest overlap at the end of the step, >= 0.
double carom_implicit_contact_overlap(const carom_implicit_contact *contact);

#endif
