// SPDX-License-Identifier: MIT
// Contact at quadrature points of one surface against faces of another: kinematics, tractions, nodal forces
// and their tangent (docs/theory/energy_momentum.md).
//
// Points lie on the slave and are projected onto the master. m is the unit normal pointing out of the
// master, and the gap of this file is g = -m.(x_s - x_m): positive if the surfaces overlap. All functions
// treat a single point; the caller sums.
#ifndef CAROM_CONTACT_QUADRATURE_TRACTIONS_H
#define CAROM_CONTACT_QUADRATURE_TRACTIONS_H

#include <stdbool.h>

// Nodes of a point: up to four of the slave facet and four of the master facet.
enum { CAROM_QUADRATURE_NODES = 8 };

// A quadrature point and the face it projects onto. Nodes of the slave come first, then those of the
// master.
typedef struct carom_quadrature_point {
    int slave_count;                    // 1 to 4 nodes of the slave side
    int corners;                        // of the master face: 2 in the plane, 3 or 4 in space; 0: a fixed frame
    int node[CAROM_QUADRATURE_NODES];   // global indices
    double N[4];                        // shape functions of the slave nodes; in a fixed frame weights of any sign
    double area;                        // weight times reference area
    double normal[3], tangent[2][3];    // of a fixed frame
    double offset;                      // of a fixed frame: m.x_m
    int body[2];                        // slave and master; -1 - p for plane p
    double friction;                    // Coulomb coefficient
    double penalty, tangential;         // traction per overlap, and per slip velocity
    double multiplier, multiplier_t[2]; // of the augmented Lagrangian; zero: penalty alone
} carom_quadrature_point;

static inline int carom_quadrature_nodes(const carom_quadrature_point *p) {
    return p->slave_count + p->corners;
}

// Parameters of the tractions that depend on the motion of a step.
typedef struct carom_quadrature_rule {
    double step;      // time
    double thickness; // distance that the surfaces keep
    bool plain;       // t_N = <eps g>, with the operators at the end of the step instead of the midpoint
} carom_quadrature_rule;

// The action at one point during a step.
typedef struct carom_traction {
    double gap;           // overlap at the end of the step
    double rate;          // dt v_N, overlap gained in the step, by the midpoint operators
    double normal;        // t_N >= 0, per area
    double tangential[2]; // t_T, covariant components
    double slip[2];       // v_T, contravariant components
    double size;          // |t_T|
    double power;         // t_T.v_T per area
    double dissipation;   // D >= 0: the power of a slipping point
    bool slips;
    double m[3];                             // normal at the end of the step
    double place[3];                         // position of the slave point then
    double force[CAROM_QUADRATURE_NODES][3]; // on each node, area included
    double after[CAROM_QUADRATURE_NODES][3]; // the same tractions by the operators at the end of the step
    // The normal part of `after`, and the tangential one with the opposite sign: after = press - drag.
    double press[CAROM_QUADRATURE_NODES][3];
    double drag[CAROM_QUADRATURE_NODES][3];
} carom_traction;

// The traction of a point whose nodes move from x0 to x1 (arrays of all nodes). False, and no force, if the
// point has no projection onto the face of the master. The forces have neither resultant nor moment about
// the midpoint positions (`after`: about x1), except for fixed frames.
bool carom_quadrature_traction(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const double (*x0)[3],
                               const double (*x1)[3], carom_traction *traction);

// Minus the derivative of traction.force with respect to x1: K[(3 a + i) 3 n + 3 b + k] for n nodes. Exact,
// by a complex step.
void carom_quadrature_tangent(const carom_quadrature_point *p, const carom_quadrature_rule *rule, const double (*x0)[3],
                              const double (*x1)[3], double *K);

// The speed at which a point slides at the positions x with the velocities v; 0 if it has no projection there.
double carom_quadrature_slide(const carom_quadrature_point *p, const double (*x)[3], const double (*v)[3]);

// Distance of a point from a face (2 to 4 corners, global nodes). `height` receives the distance from its plane, negative
// behind it, `toward` the normal at the projection. Of two faces that are equally near at a common edge, the one with the
// larger |height| is meant. HUGE_VAL if the projection does not converge.
double carom_face_distance(int corners, const int *nodes, const double (*x)[3], const double point[3], double *height,
                           double toward[3]);

// Distance of a point from the segment ab.
double carom_side_distance(const double a[3], const double b[3], const double point[3]);

#endif
