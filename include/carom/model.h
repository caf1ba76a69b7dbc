// SPDX-License-Identifier: MIT
// The model: all that stays constant in a simulation. It is built once from definitions and then only read.
//
// carom is unit free: choose any consistent set (m, kg, s; mm, t, s; ...).
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stdint.h>

#include "carom/contact.h"
#include "carom/element.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rayleigh damping of a body: forces -mass M v - stiffness K v, K the tangent stiffness of its elements without the part that
// turns with them. A mode of circular frequency w is damped by the fraction (mass / w + stiffness w) / 2 of critical damping.
typedef struct carom_damping {
    double mass;      // 1 / time, >= 0; acts on rigid motion too
    double stiffness; // time, >= 0
} carom_damping;

// The table of carom_damping.
CAROM_API const carom_param *carom_damping_params(int *count);

// Another material for some elements of a body: those of a cell set of its mesh, or those whose centre, the mean of their
// nodes, starts in a box.
typedef struct carom_material_def {
    char set[CAROM_NAME_MAX]; // empty: the box
    struct {
        bool given;
        double low[3], high[3];
    } in_box;
    carom_pick material; // from carom_materials()
} carom_material_def;

// Time dependence: a factor, the product of a soft start s^2 (3 - 2 s), s = t / ramp, that ends at t = ramp, and
// of a table of times and factors, straight between two times, constant before the first and after the last.
typedef struct carom_schedule {
    double ramp;               // time; 0: no soft start
    int count;                 // points of the table; 0: no table
    const double (*points)[2]; // time, factor; times ascending
} carom_schedule;

// An obstacle: a body without mass, element and material, of which only the shape is used: any faces, lines and points, which
// need not be connected. It moves as prescribed whatever it touches, and obstacles pass through each other. At each step its
// nodes are where the motion puts them, to rounding: displaced, then turned about an axis that is displaced with it.
//
//     x = c + d(t) + R(t) (X - c),   d(t) = integral of the velocity, or the path;   angle of R = integral of the rate
//
// or, if it has shapes, X is a point on the straight line between two of them.
typedef struct carom_obstacle_def {
    double velocity[3];          // length / time
    carom_schedule schedule;     // of the velocity
    int motion_count;            // a table of velocities instead; 0: none
    const double (*motion)[4];   // time, velocity; as the table of a schedule
    int path_count;              // a table of displacements instead of either; 0: none
    const double (*path)[4];     // time, displacement from where the mesh is; straight between two times
    double rate;                 // 1 / time, counter-clockwise seen from the tip of the axis
    carom_schedule turning;      // of the rate
    double axis[3];              // read if the rate is not zero
    double point[3];             // of the axis at the start; NaN: the centre of the box around the nodes
    int shape_count;             // successive shapes; 0: it keeps that of its mesh
    const double *shape_times;   // ascending
    const double *const *shapes; // per shape: three numbers for each node of the mesh, its position
    double cell[3]; // reference point of the moments of the load cell, moved with it; NaN: that of the axis if it turns, else
                    // the centre of the box
} carom_obstacle_def;

// One body: a mesh, an element, a material, where it starts and how it moves.
typedef struct carom_body_def {
    char name[CAROM_NAME_MAX];
    char group[CAROM_NAME_MAX]; // a name that several bodies share, by which they are selected together; empty: none
    const carom_mesh *mesh;     // read while the model is built, not kept
    carom_pick element;         // from carom_elements()
    carom_pick material;        // from carom_materials(); kind NULL where the element needs none
    int material_count;         // 0: all elements have `material`
    // of disjoint sets of elements; the other elements have `material`
    const carom_material_def *materials;
    double velocity[3];    // length / time, of all nodes at the start
    double spin[3];        // 1 / time, angular velocity at the start, about the mass centre
    carom_damping damping; // zero: none
    // not NULL: an obstacle, which has neither element nor material, nor velocity, spin and damping as above
    const carom_obstacle_def *obstacle;
    // the contact plane that the mesh was put on, for messages about its placement; empty: none
    char stands_on[CAROM_NAME_MAX];
} carom_body_def;

// Some nodes of one body, or of the bodies of a group: those that meet every condition given, in the reference configuration.
// All of them if none is given. Regions include their boundary up to CAROM_SELECTION_ROUNDING times the size of the body, and
// up to the rounding of coordinates far from the origin.
typedef struct carom_selection {
    char body[CAROM_NAME_MAX]; // name of a body or of a group
    char set[CAROM_NAME_MAX];  // in that node set of the mesh, or else of the cells of that cell set; empty: no condition
    int node;                  // the node of that number (carom_mesh_node_id); CAROM_AUTO: no condition
    struct {
        bool given;
        double low[3], high[3];
    } in_box;
    struct {
        bool given;
        double point[3], normal[3]; // any length but zero
        double within;              // distance from the plane on either side
    } on_plane;
    struct {
        bool given;
        double center[3], radius;
    } in_sphere;
    struct {
        bool given;
        double to[3]; // of the nodes that fulfil the other conditions, the nearest to this point
    } nearest;
} carom_selection;

#define CAROM_SELECTION_ROUNDING 1e-9

// The factor at a time.
CAROM_API double carom_schedule_factor(const carom_schedule *schedule, double time);

// Directions in which some nodes may not move freely. Their velocity along each direction is prescribed (0: fixed).
typedef struct carom_restraint_def {
    carom_selection where;
    bool clamped;              // nodes with frames: the frame does not turn either
    int direction_count;       // 1 to 3
    double direction[3][3];    // any length but zero, linearly independent
    double velocity[3];        // length / time; its components along the directions are imposed
    carom_schedule schedule;   // of the velocity
    int motion_count;          // a table of velocities instead of `velocity` and `schedule`; 0: none
    const double (*motion)[4]; // time, velocity; as the table of a schedule
    double from, until;        // time: active in steps whose middle is in [from, until); `until` 0: without end
} carom_restraint_def;

// A user-defined force on one node, at a time and at the positions x of all nodes; `force` is zero on entry. It is
// called for each selected node whenever forces are evaluated, several times per step and at trial positions, so it must depend
// on nothing but its arguments and constant data: the same call gives the same bits. Implicit methods take it without its
// derivative. Of a force on a plane body the z component is dropped.
typedef void (*carom_load_function)(void *context, double time, int node, const double (*x)[3], double force[3]);

// The same for all selected nodes at once, for programs in which a call is expensive: adds `factor` (of the schedule) times the
// force on node nodes[i], i < count, to force[nodes[i]]. Both arrays are over all nodes of the model; no other entry may be
// touched.
typedef void (*carom_load_array_function)(void *context, double time, double factor, int count, const int *nodes,
                                          const double (*x)[3], double (*force)[3]);

// A load, the sum of all that is not zero below. The model copies the table of the schedule.
//
// Dead loads keep size and direction; those that do not change in time have a potential, the others do work. `traction` and
// `pressure` act on faces: of a body of solid elements, faces of its surface; of a plane body, edges of its rim times the
// thickness. The selection means the faces of a face set of that name, or else all faces whose nodes meet its conditions.
typedef struct carom_load_def {
    carom_selection where;
    double force[3];         // mass length / time^2; shared equally by the selected nodes
    double acceleration[3];  // length / time^2; a force per mass on the selected nodes
    double traction[3];      // mass / (length time^2); a dead force per area of the faces as they were
    double pressure;         // mass / (length time^2); positive pushes inward
    bool dead;               // the pressure acts on the faces as they were, not as they are
    carom_schedule schedule; // of all of the above
    // A force computed by the program, times the factor of the schedule; NULL: none. Its work and its impulse are recorded as
    // those of any load that is not constant: the ledger is balanced.
    carom_load_function function;
    carom_load_array_function array_function; // instead of `function`, not together with it; NULL: none
    void *context;                            // passed to the function; must outlive the model
} carom_load_def;

// Two surfaces of solids, tied together whatever their meshes: the nodes of one (slaves) move with the faces of the other
// (docs/theory/tied.md). Between the tied faces, and only there, contact is disabled. Selections mean faces as those of a
// pressure do.
typedef struct carom_tie_def {
    carom_selection from; // slave faces; they should not be larger than the others
    carom_selection to;   // master faces
    double tolerance;     // length: nodes that would have to be moved farther are refused; NaN: a tenth of a face of `from`
} carom_tie_def;

// A point of a solid.
typedef struct carom_spot_def {
    char body[CAROM_NAME_MAX];
    double point[3]; // at the reference
} carom_spot_def;

// Two points that coincide, or keep their distance, as if a rigid pin joined the elements that they are in. Their
// bodies may touch each other.
typedef struct carom_connection_def {
    carom_spot_def from, to;
} carom_connection_def;

// Relative motions that a joint permits.
typedef enum carom_joint_kind {
    CAROM_JOINT_HINGE,    // rotation about an axis
    CAROM_JOINT_BALL,     // rotation about a point
    CAROM_JOINT_SLIDER,   // translation along an axis
    CAROM_JOINT_CYLINDER, // translation along an axis and rotation about it
    CAROM_JOINT_PLANAR,   // translation normal to an axis and rotation about it
    CAROM_JOINT_UPRIGHT,  // all translations, no rotation
} carom_joint_kind;

// A joint of a rigid body with the ground or with another rigid body (docs/theory/joints.md).
typedef struct carom_joint_def {
    carom_joint_kind kind;
    char body[CAROM_NAME_MAX];
    char to[CAROM_NAME_MAX]; // another body, or "ground"
    double at[3];            // the point of a ball, or one on the axis of a hinge or a cylinder; NaN: none
    double axis[3];          // of any length; NaN: none
    bool driven;             // a motor drives it, if it is a hinge or a slider:
    double speed;            // of the body relative to `to`, about or along the axis; 1 / time, or length / time
    carom_schedule schedule; // of the speed
    double from, until;      // time: the motor is on in steps that begin in [from, until); `until` 0: without end
} carom_joint_def;

// A spring with a damper between two points, one of them a node of a rigid body. It pulls and pushes along its line.
typedef struct carom_spring_def {
    carom_spot_def from, to; // nodes of bodies, or any point of the body "ground"
    double stiffness;        // mass / time^2
    double damping;          // mass / time
    double length;           // without force; NaN: as at the start
} carom_spring_def;

// A whole model. Arrays stay with the caller; they are read while the model is built and may be freed afterwards.
typedef struct carom_model_def {
    int body_count;
    const carom_body_def *bodies; // at least one; the order is that of their nodes
    int restraint_count;
    const carom_restraint_def *restraints;
    int load_count;
    const carom_load_def *loads; // they add up
    double gravity[3];           // length / time^2
    carom_contact_def contact;
    int tie_count;
    const carom_tie_def *ties;
    int connection_count;
    const carom_connection_def *connections;
    int joint_count;
    const carom_joint_def *joints;
    int spring_count;
    const carom_spring_def *springs;
    bool skip_peaks; // the largest stresses of every step are not computed: they take up to half of the time of a run
} carom_model_def;

// Built, checked and constant. Opaque; may be shared by simulations in several threads.
typedef struct carom_model carom_model;

// Definitions to start from, so that a program need set only what differs and keeps its meaning when a field is added:
// no bodies, loads or gravity, contact on;
CAROM_API carom_model_def carom_default_model_def(void);
// a body at rest without a name, mesh, element and material;
CAROM_API carom_body_def carom_default_body_def(void);
// an obstacle at rest;
CAROM_API carom_obstacle_def carom_default_obstacle_def(void);
// all nodes of a body that is yet to be named;
CAROM_API carom_selection carom_default_selection(void);
// selected nodes that cannot move in any direction;
CAROM_API carom_restraint_def carom_default_restraint_def(void);
// a load of zero;
CAROM_API carom_load_def carom_default_load_def(void);
// and a tie of bodies that are yet to be named, with the usual tolerance.
CAROM_API carom_tie_def carom_default_tie_def(void);

// Builds a model. Fails with CAROM_BAD_INPUT and a message that names the body, set or node at fault.
// Release with carom_model_release.
CAROM_API carom_status carom_model_create(const carom_model_def *def, carom_model **model, carom_error *error);
// NULL is permitted. Simulations and views of the model must be released before.
CAROM_API void carom_model_release(carom_model *model);

// Nodes of all bodies, in the order of the bodies; bodies; and elements of all blocks.
CAROM_API int carom_model_node_count(const carom_model *model);
CAROM_API int carom_model_body_count(const carom_model *model);
CAROM_API int carom_model_element_count(const carom_model *model);
// The name of a body by its index; owned by the model.
CAROM_API const char *carom_model_body_name(const carom_model *model, int body);
// The index of a body by name, or -1.
CAROM_API int carom_model_body(const carom_model *model, const char *name);
// First node of a body, and how many it has.
CAROM_API int carom_model_body_begin(const carom_model *model, int body);
CAROM_API int carom_model_body_size(const carom_model *model, int body);
// Reference positions and lumped masses of all nodes.
CAROM_API const double (*carom_model_reference(const carom_model *model))[3];
CAROM_API const double *carom_model_mass(const carom_model *model);

// The number of a node of a body as its mesh file names it (its index in the body where the mesh brought no numbers); `node` is
// the global index.
CAROM_API int64_t carom_model_node_id(const carom_model *model, int node);
// The body that a node belongs to.
CAROM_API int carom_model_node_body(const carom_model *model, int node);

// The element blocks: connectivity, element kind, material and parameters of every element (element.h). A body has one block or
// several, in the order of the bodies; blocks and their arrays live as long as the model.
CAROM_API int carom_model_block_count(const carom_model *model);
CAROM_API const carom_block *carom_model_block(const carom_model *model, int block);

// A face of the contact surface: a triangle in space (quadrilaterals come split in two), turning counter-clockwise seen from
// outside, or a segment in the plane.
typedef struct carom_face {
    int corners;  // 3, or 2 for a segment
    int nodes[3]; // global node indices; the last one of a segment is given twice
    int body;     // index of the body
} carom_face;

// The faces with which bodies touch; 0 if no body has a surface or contact is off.
CAROM_API int carom_model_face_count(const carom_model *model);
CAROM_API carom_face carom_model_face(const carom_model *model, int face);

// Numbers of surfaces and pairs that contact must consider.
typedef struct carom_contact_extent {
    int faces;   // of the surfaces
    int bodies;  // that have such faces
    int corners; // of a face: 3, or 2 in the plane
    int pairs;   // of bars and point masses that are neighbours on a line
    int thin;    // bars, beams and point masses that can touch those faces
    int planes;  // fixed ones
} carom_contact_extent;

CAROM_API carom_contact_extent carom_model_contact_extent(const carom_model *model);
// The settings of contact, planes included, owned by the model; the pairs of the definition are not kept.
CAROM_API const carom_contact_def *carom_model_contact(const carom_model *model);
// The name of one side of a contact or of a pair record: of a body, or of plane -1 - side if it is negative.
CAROM_API const char *carom_model_side_name(const carom_model *model, int side);

// What is tied in a model.
typedef struct carom_tied {
    int ties;        // pairs of surfaces
    int connections; // pairs of points
    int nodes;       // slave nodes
    int left;        // nodes of slave surfaces that are not tied: no face lies opposite
    double distance; // by which slave nodes were moved to their master faces, at most
    double span;     // distance of two connected points, at most
    int coarse;      // ties whose slave faces are the larger ones
    double jump;     // largest difference of velocities that was taken out at the start
} carom_tied;

CAROM_API carom_tied carom_model_tied(const carom_model *model);

// 64 bits over everything that determines the motion of the model. A checkpoint belongs to one model. It does not cover
// functions of loads or of kinds that the program registered.
CAROM_API uint64_t carom_model_hash(const carom_model *model);

// Global indices of the selected nodes, ascending, to be freed with carom_free(); at least one. Fails with CAROM_BAD_INPUT and
// the name that does not exist.
CAROM_API carom_status carom_model_select(const carom_model *model, const carom_selection *where, int **nodes, int *count,
                                          carom_error *error);

// A stable step of the explicit integrators at the reference configuration: a bound h <= 2/omega_max, by whole bodies or by the
// stiffest element (docs/theory/solids.md), and with stiffness damping b, sqrt(h^2 + b^2) - b. HUGE_VAL if nothing is elastic.
CAROM_API double carom_model_stable_step(const carom_model *model);
// The same without damping.
CAROM_API double carom_model_undamped_step(const carom_model *model);

// Branches of materials that relax within a step: they count as relaxed, and their damping is missing.
typedef struct carom_unresolved {
    int count;   // of branches with a relaxation time below the step
    int body;    // of the branch with the largest product of `part` and `time`; -1: none
    double part; // its part of the stiffness against fast changes
    double time; // its relaxation time
} carom_unresolved;

CAROM_API carom_unresolved carom_model_unresolved(const carom_model *model, double step);

#ifdef __cplusplus
}
#endif
#endif
