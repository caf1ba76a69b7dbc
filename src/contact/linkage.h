// SPDX-License-Identifier: MIT
// Linkages: rigid bodies connected by joints with each other and possibly with the ground (docs/theory/joints.md).
//
// A joint consists of rows, scalar constraints g(q) = 0 on the poses of two bodies. With the velocities v = (V, W) of the
// bodies about their mass centres, G v = 0 for the gradients G of the rows, and impulses of joints are G^T lambda: pairs of
// forces at one point and pairs of couples, so they add no momentum. All rows are linear in, or products of, vectors that move
// with one body each, and for these the gradient at the mean of two poses is exact,
//
//     g(q1) - g(q0) = t G(q0, q1) (mean velocities),
//
// so an impulse of a drift does no work if g is zero at both ends.
#ifndef CAROM_CONTACT_LINKAGE_H
#define CAROM_CONTACT_LINKAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/contact.h"

typedef enum carom_link_kind {
    CAROM_LINK_POINT,  // (y0 - y1) along an axis of space, for the points y of the joint in both bodies
    CAROM_LINK_OFFSET, // n.(y0 - y1), n fixed in the second body
    CAROM_LINK_ANGLE,  // e.n, e fixed in the first body and n in the second
    CAROM_LINK_TURN,   // rotation angle of the first body about an axis of the second, driven by a motor
} carom_link_kind;

typedef struct carom_link_row {
    carom_link_kind kind;
    int joint;       // of the definition
    int motor;       // the motor that drives it; -1: none, g = 0
    int body[2];     // seats in the linkage; -1: the ground
    int direction;   // of a point
    double at[2][3]; // the point, from the mass centre and in principal axes; of the ground in space. CAROM_LINK_TURN: the axis
    double along[2][3]; // e and n, likewise
} carom_link_row;

// Free motion of one body with a single joint to the ground: a point of the body, its hub, translates in some directions, and
// the body rotates about some axes through it. For all kinds of joints the kinetic energy is the sum of that of the hub and
// that of the rotation about it, so these motions are computed without impulses of rows (linkage_hub.c).
typedef struct carom_link_hub {
    double at[3];       // in space, at the start
    double arm[3];      // from the hub to the mass centre, in principal axes of the body
    double slide[3][3]; // projection of velocities of the hub on the admissible ones
    int turns;          // number of axes of rotation: 3 principal ones, 1 that is fixed in space, or none
    double axes[3][3];  // these axes, as rows, in principal axes of the body
    double inertia[3];  // moments of inertia about them
    double axis[3];     // the axis that is fixed in space, if turns = 1
} carom_link_hub;

// The definition of a linkage; constant during a run.
typedef struct carom_linkage {
    int body_count;
    const int *bodies; // rigid bodies, ascending; a seat is an index of this list
    int row_count;
    const carom_link_row *rows;
    int offset;                // number of bodies of the linkages before this one
    bool grounded;             // a joint connects it with the ground
    bool driven;               // a motor drives a row
    double size;               // length of the longest arm
    const carom_link_hub *hub; // of one body with one joint to the ground; NULL: constrained by rows
} carom_linkage;

typedef struct carom_link_pose {
    double c[3], R[3][3];
} carom_link_pose;

// Force and couple on both bodies of a row by a unit impulse of it.
typedef struct carom_link_gradient {
    double of[2][6];
} carom_link_gradient;

// unit A = unit G M^-1 G^T = L L^T. Linearly dependent rows, such as some rows of closed loops, are skipped.
typedef struct carom_link_factor {
    int count;
    double unit;      // a mass
    const int *first; // per row of A: its first column in the envelope
    bool *kept;
    double *L; // count x count, the lower half
} carom_link_factor;

enum { CAROM_LINK_ROUNDS = 8 };

// The history of an iteration with Anderson acceleration (anderson.c).
typedef struct carom_link_rounds {
    int size;                              // length of a change
    int count;                             // iterations so far
    double *change;                        // in: the change f of the plain iteration; out: the accelerated change
    double *weighed;                       // f in the units of the norm that is minimised
    double *last, *last_weighed;           // `change` (in) and `weighed` of the last iteration
    double *dz[CAROM_LINK_ROUNDS];         // per iteration: the change of z,
    double *df[CAROM_LINK_ROUNDS];         // the difference of f,
    double *df_weighed[CAROM_LINK_ROUNDS]; // and the same in the units of the norm
    double *last_step;                     // the last change of z
} carom_link_rounds;

// The state of a linkage within a step. With a hub the arrays per row are empty.
typedef struct carom_linkage_space {
    carom_link_pose *from, *to;          // poses at the start and the end of the flight
    carom_link_gradient *here;           // at the present poses of the bodies
    carom_link_gradient *middle, *there; // mean of both ends of the flight; at its end
    carom_link_factor now, then;         // at the present poses of the bodies, and at the end of the flight
    double (*soft)[3][3];                // J^-1 at the end of the flight
    double (*V)[2][3], (*l)[2][3];       // velocities of mass centres and angular momenta at both ends
    double (*m)[3];                      // mean angular velocity of the flight in principal axes,
    double (*turn)[3];                   // the same in space, and
    double (*mean)[3];                   // mean velocity of the mass centre
    double *kappa, *lambda, *gap, *rate; // per row
    double *start_gap, *scratch, *scratch2;
    carom_link_rounds rounds;
    bool *active;                // per row: no motor drives it, or one that is on in this drift
    double *speed;               // prescribed rates of rows at present: 0 unless a motor drives them
    double *speeds[2];           // the same at both ends of the flight,
    double *advance;             // and their integrals over it
    double flight_work, work;    // of motors: in the last computed flight, and in the drift so far
    double given[2][3];          // by the ground in free flight: momentum, and angular momentum about the origin
    bool arrived;                // gradients, factors and response are those of the poses `from` and of the active rows
    double planned;              // length of the last computed flight; 0: velocities have changed since
    double *softness;            // per body: 1/M
    double (*impulses[2])[2][3]; // per body: sums of impulses and couples
    double *sides;               // L^-1 G M^-1, column by column; with motors A^-1 G M^-1
    double *response;            // 6n x 6n: velocities by impulses and couples, with those of the joints
    double (*bend)[2][3];        // accelerations of the mass centre and of the angular velocity in free flight
    double (*restart)[2][3];     // velocities at the start of a solve
} carom_linkage_space;

struct carom_rigid_bodies;

// Reserves the arrays of a linkage; *enough becomes false if memory is short.
void carom_linkage_reserve(const carom_linkage *linkage, carom_arena *arena, carom_linkage_space *space, bool *enough);

// Sets the rates of motors at a time of the run; if a drift or kick `begins`, also which motors are on.
void carom_linkage_drive(struct carom_rigid_bodies *rigid_bodies, int q, double time, bool begins);

// Computes gradients, their factors and the response to impulses from the poses of the bodies.
void carom_linkage_arrive(struct carom_rigid_bodies *rigid_bodies, int q);
// Computes the accelerations in free flight with the velocities w; with a hub they are computed when contact needs them.
void carom_linkage_find_bend(struct carom_rigid_bodies *rigid_bodies, int q, const double (*w)[3]);

// Computes the flight of length t from the poses of the bodies, which do not change, with velocities w. `part` is its fraction
// of the drift: it removes this fraction of the gaps by rounding. False if the iteration does not converge.
bool carom_linkage_fly(struct carom_rigid_bodies *rigid_bodies, int q, double t, double part, const double (*w)[3]);
// Copies the poses, momenta and velocities at the end of the flight to the bodies and to w.
void carom_linkage_land(struct carom_rigid_bodies *rigid_bodies, int q, double (*w)[3]);

// The change of velocities, (V, W) per body, by impulses and couples on all bodies and those of the joints. Motors bring the
// velocities w (NULL: without motors) to their rates; returns their work.
double carom_linkage_kick(const struct carom_rigid_bodies *rigid_bodies, int q, const double (*impulse)[2][3],
                          const double (*w)[3], double (*change)[2][3]);
// The same for an impulse P at a contact with a side of a body, by the response.
void carom_linkage_push(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                        double (*v)[3]);
// a.u, where u is the change of the velocity of one side by an impulse b at another side, of the same linkage.
double carom_linkage_inverse_mass(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *one,
                                  const carom_contact_side *other, const double a[3], const double b[3]);
// The reaction of the ground to an impulse P at the contact: impulse, and moment about the origin. Returns the work of motors.
double carom_linkage_reaction(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                              double impulse[3], double moment[3]);

// The bodies of the linkage of body r, including r, ascending (r alone if it has none); returns their number.
int carom_linkage_bodies(const struct carom_rigid_bodies *rigid_bodies, int r, const int **bodies);

// Stores the velocities of the linkage of body r; restores them.
void carom_linkage_store(const struct carom_rigid_bodies *rigid_bodies, int r, const double (*v)[3]);
void carom_linkage_restore(const struct carom_rigid_bodies *rigid_bodies, int r, double (*v)[3]);

// One body with one joint (linkage_hub.c): the 6 x 6 response to impulses, and accelerations in free flight.
void carom_link_hub_respond(const carom_link_hub *hub, double mass, const carom_link_pose *pose, double *response);
void carom_link_hub_bend(const carom_link_hub *hub, const carom_link_pose *pose, const double W[3], double bend[2][3]);
// Its flight of length t, with velocities w.
void carom_link_hub_fly(const struct carom_rigid_bodies *rigid_bodies, int q, double t, const double (*w)[3]);

// Rows (linkage_rows.c).
double carom_link_value(const carom_link_row *row, const carom_link_pose *pose);
// The sine of the difference between the rotation from one pose to another and an angle.
double carom_link_turn(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to, double angle);
void carom_link_gradient_find(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to,
                              carom_link_gradient *gradient);
// The second derivative of g in time without accelerations; velocities (V, W) per seat.
double carom_link_bias(const carom_link_row *row, const carom_link_pose *pose, const double (*velocity)[2][3]);

// Replaces rounds->change by the accelerated change.
void carom_link_rounds_improve(carom_link_rounds *rounds);

// Factors (linkage_factor.c). `softness`, `soft`: inverse masses and inertias per seat. Rows with among[i] false (NULL: none)
// are skipped, too. Forward: y = L^-1 b. Backward: y = unit L^-T y; both in turn: A^-1 b.
void carom_link_factor_find(const carom_linkage *linkage, const carom_link_gradient *gradients, const double *softness,
                            const double (*soft)[3][3], const bool *among, carom_link_factor *factor);
void carom_link_factor_forward(const carom_link_factor *factor, const double *b, double *y);
void carom_link_factor_backward(const carom_link_factor *factor, double *y);

#endif
