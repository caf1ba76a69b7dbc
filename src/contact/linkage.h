// SPDX-License-Identifier: MIT
// Linkages: rigid bodies that joints hold together, and perhaps by the ground (docs/theory/joints.md).
//
// A joint is a few rows, each one number g(q) of the poses of two bodies that stays zero. With the velocities v = (V, W) of the
// bodies about their mass centres, G v = 0 for the gradients G of the rows, and impulses of joints are G^T lambda: pairs of
// forces at one point and pairs of couples, so they add no momentum. All rows are products of two vectors that move with one
// body each, and for these the gradient at the mean of two poses is exact,
//
//     g(q1) - g(q0) = t G(q0, q1) (mean velocities),
//
// by which an impulse of a drift does no work if g is zero at both ends.
#ifndef CAROM_CONTACT_LINKAGE_H
#define CAROM_CONTACT_LINKAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/contact.h"

typedef enum carom_link_kind {
    CAROM_LINK_POINT,  // (y0 - y1) along an axis of space, for the points y of the joint in both bodies
    CAROM_LINK_OFFSET, // n.(y0 - y1), n fixed in the second body
    CAROM_LINK_ANGLE,  // e.n, e fixed in the first body and n in the second
    CAROM_LINK_TURN,   // how far the first body turns about an axis of the second: a motor drives it
} carom_link_kind;

typedef struct carom_link_row {
    carom_link_kind kind;
    int joint;          // of the definition
    int motor;          // that drives it; -1: it stays zero
    int body[2];        // seats in the linkage; -1: the ground
    int direction;      // of a point
    double at[2][3];    // the point, from the mass centre and in principal axes; of the ground in space. Of a turn: the axis
    double along[2][3]; // e and n, likewise
} carom_link_row;

// What the rows of one joint with the ground leave of the motion of one body: a point of the body, its hub, moves in some
// directions, and the body turns about it in some ways. In all kinds of joints the energy is a sum of one of the hub and one of
// the rotation about it, so such motions are known without impulses of rows (linkage_hub.c).
typedef struct carom_link_hub {
    double at[3];       // in space, at the start
    double arm[3];      // from the hub to the mass centre, in principal axes of the body
    double slide[3][3]; // projection of velocities of the hub on those that it can have
    int turns;          // about so many axes: 3 principal ones, 1 that is fixed in space, or none
    double axes[3][3];  // these, in rows and in principal axes of the body
    double inertia[3];  // moments of inertia about them
    double axis[3];     // the one in space
} carom_link_hub;

// As it is built; constant.
typedef struct carom_linkage {
    int body_count;
    const int *bodies; // rigid bodies, ascending; a seat is a place in this list
    int row_count;
    const carom_link_row *rows;
    int offset;                // bodies of linkages before this one
    bool grounded;             // joints hold it by the ground
    bool driven;               // a motor drives a row
    double size;               // length of the longest arm
    const carom_link_hub *hub; // of one body with one joint; NULL: rows lead its bodies
} carom_linkage;

typedef struct carom_link_pose {
    double c[3], R[3][3];
} carom_link_pose;

// Force and couple on both bodies of a row by a unit impulse of it.
typedef struct carom_link_gradient {
    double of[2][6];
} carom_link_gradient;

// A = G M^-1 G^T = L L^T. Rows that those before them imply, as one joint of a closed loop does in part, are left out.
typedef struct carom_link_factor {
    int count;
    const int *first; // column in which a row of A begins
    bool *kept;
    double *L; // count x count, the lower half
} carom_link_factor;

enum { CAROM_LINK_ROUNDS = 8 };

// The last rounds of an iteration: changes that they asked for and changes that they made (anderson.c).
typedef struct carom_link_rounds {
    int size;        // numbers of a change
    int count;       // rounds that are known
    double *change;  // what the present round asks for, and
    double *weighed; // the same in units in which its size can be judged
    double *last, *last_weighed;
    double *dz[CAROM_LINK_ROUNDS];         // per round: the change that was made, and by how much
    double *df[CAROM_LINK_ROUNDS];         // that asked for has changed with it,
    double *df_weighed[CAROM_LINK_ROUNDS]; // weighed
    double *last_step;                     // the change that was made last
} carom_link_rounds;

// Where a linkage is within a step. With a hub all that belongs to rows is empty.
typedef struct carom_linkage_space {
    carom_link_pose *from, *to; // ends of the flight
    carom_link_gradient *here;  // at the pose of the carriers
    carom_link_gradient *middle, *there;
    carom_link_factor now, then;         // at the pose of the carriers, and at the end of the flight
    double (*soft)[3][3];                // J^-1 at the end of the flight
    double (*V)[2][3], (*l)[2][3];       // velocities of mass centres and angular momenta at both ends
    double (*m)[3];                      // mean angular velocity of the flight in principal axes,
    double (*turn)[3];                   // the same in space, and
    double (*mean)[3];                   // mean velocity of the mass centre
    double *kappa, *lambda, *gap, *rate; // per row
    double *start_gap, *scratch, *scratch2;
    carom_link_rounds rounds;
    bool *active;                // per row: no motor drives it, or one that is on in this drift
    double *speed;               // rates that rows have now: 0 unless a motor drives them
    double *speeds[2];           // the same at both ends of the flight,
    double *advance;             // and how far they go in it
    double flight_work, work;    // of motors: in the flight that was found last, and in the drift so far
    double given[2][3];          // by the ground in free flight: momentum, and angular momentum about the origin
    bool arrived;                // gradients, factors and response are those of the poses `from` and the rows that are active
    double planned;              // length of the flight that was found last; 0: velocities have changed since
    double *softness;            // per body: 1/M
    double (*impulses[2])[2][3]; // per body: sums of impulses and couples
    double *sides;               // L^-1 G M^-1, column by column
    double *response;            // 6n x 6n: velocities by impulses and couples, with those of the joints
    double (*bend)[2][3];        // accelerations of the mass centre and of the angular velocity in free flight
    double (*restart)[2][3];     // velocities to which a solve goes back
} carom_linkage_space;

struct carom_rigid_bodies;

// Room for a linkage; *enough becomes false if memory is short.
void carom_linkage_reserve(const carom_linkage *linkage, carom_arena *arena, carom_linkage_space *space, bool *enough);

// Motors at a time of the run: rates of rows, and where a drift or kick begins, which motors are on.
void carom_linkage_drive(struct carom_rigid_bodies *rigid_bodies, int q, double time, bool begins);

// What follows from the poses of the bodies: gradients, their factors and the response to impulses.
void carom_linkage_arrive(struct carom_rigid_bodies *rigid_bodies, int q);
// Accelerations in free flight with the velocities w; with a hub they are found when contact asks for them.
void carom_linkage_find_bend(struct carom_rigid_bodies *rigid_bodies, int q, const double (*w)[3]);

// The flight of length t from the poses of the carriers, which stay, with velocities w. `part` is its part of the whole drift,
// which closes what rounding has left open. False if the joints cannot be closed.
bool carom_linkage_fly(struct carom_rigid_bodies *rigid_bodies, int q, double t, double part, const double (*w)[3]);
// The carriers and w take over the end of the flight.
void carom_linkage_land(struct carom_rigid_bodies *rigid_bodies, int q, double (*w)[3]);

// The change of velocities, (V, W) per body, by impulses and couples on all bodies, with those of the joints. Motors take the
// velocities w (NULL: not looked at) to their rates; returns their work.
double carom_linkage_kick(const struct carom_rigid_bodies *rigid_bodies, int q, const double (*impulse)[2][3],
                          const double (*w)[3], double (*change)[2][3]);
// The same for an impulse P at the contact of which a body carries a side, by the response.
void carom_linkage_push(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                        double (*v)[3]);
// a.(what one side adds to the velocity of a contact by an impulse b at another side, of the same linkage).
double carom_linkage_answer(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *one,
                            const carom_contact_side *other, const double a[3], const double b[3]);
// What the ground gives in answer to an impulse P at the contact; returns the work of motors.
double carom_linkage_reaction(const struct carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double P[3],
                              double impulse[3], double moment[3]);

// Bodies that joints hold together with body r, itself among them, ascending; returns how many.
int carom_linkage_mates(const struct carom_rigid_bodies *rigid_bodies, int r, const int **bodies);

// Notes the velocities of the linkage of body r, and goes back to them.
void carom_linkage_note(const struct carom_rigid_bodies *rigid_bodies, int r, const double (*v)[3]);
void carom_linkage_go_back(const struct carom_rigid_bodies *rigid_bodies, int r, double (*v)[3]);

// One body on one joint (linkage_hub.c). The response to impulses, 6 x 6, and accelerations in free flight.
void carom_link_hub_respond(const carom_link_hub *hub, double mass, const carom_link_pose *pose, double *response);
void carom_link_hub_bend(const carom_link_hub *hub, const carom_link_pose *pose, const double W[3], double bend[2][3]);
// Its flight of length t, with velocities w.
void carom_link_hub_fly(const struct carom_rigid_bodies *rigid_bodies, int q, double t, const double (*w)[3]);

// Rows (linkage_rows.c).
double carom_link_value(const carom_link_row *row, const carom_link_pose *pose);
// By how much a turn from one pose to another differs from an angle: its sine.
double carom_link_turn(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to, double angle);
void carom_link_gradient_find(const carom_link_row *row, const carom_link_pose *from, const carom_link_pose *to,
                              carom_link_gradient *gradient);
// The second derivative of g in time without accelerations; velocities (V, W) per seat.
double carom_link_bias(const carom_link_row *row, const carom_link_pose *pose, const double (*velocity)[2][3]);

// Replaces the change that a round asks for by a better one, from what the rounds before have done.
void carom_link_rounds_improve(carom_link_rounds *rounds);

// Factors (linkage_factor.c). Inverse masses and inertias per seat. Rows that are not `among` those of another pose (NULL: all)
// are left out as well.
void carom_link_factor_find(const carom_linkage *linkage, const carom_link_gradient *gradients, const double *softness,
                            const double (*soft)[3][3], const bool *among, carom_link_factor *factor);
void carom_link_factor_forward(const carom_link_factor *factor, const double *b, double *y);
void carom_link_factor_backward(const carom_link_factor *factor, double *y);

#endif
