// SPDX-License-Identifier: MIT
// Finite elements: stored energy and forces as functions of the positions of nodes. An element kind, such as hex8, is a small
// table of functions over ranges [begin, end) of a block (a run of equal elements), so that the same code serves the whole
// mesh, the part of a thread and a single element of an asynchronous method.
#ifndef CAROM_ELEMENT_H
#define CAROM_ELEMENT_H

#include <stdint.h>

#include "carom/arena.h"
#include "carom/lanes.h"
#include "carom/material.h"
#include "carom/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// A run of equal elements. Arrays are owned by the model and constant after it is built.
typedef struct carom_block {
    const struct carom_element *element; // the kind
    const void *params;                  // its parameter struct
    const carom_material *material;      // NULL where the kind needs none
    const void *material_params;
    int body;         // index of the body
    int count;        // number of elements
    const int *nodes; // count * node_count global node indices; the nodes of the cell come first
    // reference quantities, filled by `prepare`, which defines their order; carom_lanes_size(count, data_size) numbers
    double *data;
    const int64_t *ids; // numbers of the elements in the file of the mesh; NULL: their index in the body
    // index in the body of each element, ascending; NULL: they follow those of the block before, or have no cells
    const int *cells;
    int node_count; // nodes per element; more than element->node_count where elements reach beyond their cells (`arrange`)
    int data_size;  // doubles of reference data per element
    int variant;    // the variant, set by `arrange`
    // Laws with history (carom_inelastic): number and form of the material points of an element, and their history variables.
    int point_count;        // 0: the law has no history
    int form;               // carom_point_form
    int history_size;       // doubles per element: point_count times those of a point
    double *history;        // variables of a state, in batches (carom_block_history); NULL: no plastic flow so far
    double *losses;         // CAROM_BLOCK_LOSSES per element, of the same state
    const carom_flow *flow; // purpose of evaluations; NULL: CAROM_USE_READ
} carom_block;

// Losses of the points of an element since the start, as compensated sums, and the part of them after the time of the last
// commit.
enum {
    CAROM_BLOCK_PLASTICITY,
    CAROM_BLOCK_PLASTICITY_REST,
    CAROM_BLOCK_VISCOSITY,
    CAROM_BLOCK_VISCOSITY_REST,
    CAROM_BLOCK_PENDING,
    CAROM_BLOCK_LOSSES
};

// Elements of one size, made of some cells of a mesh.
typedef struct carom_group {
    const struct carom_element *element;       // their element; NULL: that of the body
    int count, node_count, data_size, variant; // as in carom_block
    int *nodes;                                // count * node_count nodes of the mesh, those of the cell first
    // the cell of each, counted through all blocks of the mesh, ascending; NULL: they have none (carom_block_has_cells)
    int *cells;
    double *data; // carom_lanes_size(count, data_size) numbers, including those that `prepare` does not fill
} carom_group;

// The smooth surface controlled by a mesh, at each node k: component i is
// offset[k][i] + sum of weight[j][i] * x[nodes[j]][i] over j from begin[k] to begin[k + 1].
typedef struct carom_limit {
    int *begin;
    int *nodes;
    double (*weight)[3];
    double (*offset)[3];
} carom_limit;

// Result of `arrange`.
typedef struct carom_arrangement {
    int group_count;     // each becomes a block
    carom_group *groups; // those with cells first
    carom_limit limit;   // begin is NULL where the nodes are on the surface themselves
} carom_arrangement;

// Index of number k of element e in an array with `size` numbers per element, batch after batch:
// all lanes of the first number, all lanes of the second, and so on.
static inline int64_t carom_lane(int e, int k, int size) {
    return ((int64_t)(e / CAROM_LANES) * size + k) * CAROM_LANES + e % CAROM_LANES;
}

// Length of such an array: batches are whole.
static inline int64_t carom_lanes_size(int count, int size) {
    return ((int64_t)count + CAROM_LANES - 1) / CAROM_LANES * CAROM_LANES * size;
}

// Index of number k of the history of point q of element e.
static inline int64_t carom_block_history(const carom_block *block, int e, int q, int k) {
    return carom_lane(e, q * (block->history_size / block->point_count) + k, block->history_size);
}

// `count` elements of a block from e on, a multiple of CAROM_LANES unless `count` is 1, as a block. Reference data are not
// moved: their order is that of the kind.
static inline carom_block carom_block_at(const carom_block *block, int e, int count) {
    carom_block part = *block;
    part.nodes += (int64_t)e * block->node_count;
    part.count = count;
    if (block->history) {
        part.history += carom_lane(e, 0, block->history_size);
        part.losses += (int64_t)e * CAROM_BLOCK_LOSSES;
    }
    return part;
}

// One field that an element can show: "von_mises", one component.
typedef struct carom_element_field {
    const char *name; // as in the files; equal names of different elements mean the same quantity
    int components;   // 1 scalar, 3 vector, 6 symmetric tensor (xx, yy, zz, xy, yz, xz)
} carom_element_field;

// Fields of one element, parts of its energy, and points of the outline of a section.
enum { CAROM_ELEMENT_FIELDS_MAX = 8, CAROM_ELEMENT_PARTS = 2, CAROM_OUTLINE_MAX = 16 };

// Functions of an element whose nodes have frames, in place of those of positions alone: rotations R whose columns are the
// axes of a section. A wrench is a moment and a force in the axes of its node, and does the work moment . w + force . g on the
// body velocity (w, g) of the node.
typedef struct carom_framed {
    // Frames for the nodes of a mesh without frames.
    void (*frames)(const carom_block *block, const double (*X)[3], double (*R)[3][3]);
    // Computes reference data from the initial pose and adds lumped masses and principal moments of inertia (about the axes of
    // the frame) to the nodes. Fails on a degenerate element.
    carom_status (*prepare)(const carom_block *block, const double (*X)[3], const double (*R)[3][3], double *mass,
                            double (*inertia)[3], carom_error *error);
    // Stored energy of each element of the range: energy[e].
    void (*energy)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3], double *energy);
    // Minus the derivative of the energy: wrench[e * node_count + i], moment first.
    void (*wrench)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3],
                   double (*wrench)[6]);
    // 2/omega_max of each element alone, without strain.
    void (*stable_step)(const carom_block *block, int begin, int end, double *step);
    // Field number `field` of each element of the range: values[e * components + c].
    void (*field)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*R)[3][3], int field,
                  double *values);
    // The outline of the section along the first two axes, for pictures; returns the number of points, 0 if it has none.
    int (*outline)(const carom_block *block, double (*points)[2]);
} carom_framed;

// Functions for an event that involves a single element: its data are contiguous, and only the positions of its nodes are
// passed.
typedef struct carom_single {
    int data_size; // numbers per element
    // Fills the numbers of element e; the block is prepared.
    void (*prepare)(const carom_block *block, int e, const double (*X)[3], double *data);
    // force[a] = -dE/dx_a with its nodes at q[0], q[1], ...
    void (*force)(const carom_block *block, const double *data, const double (*q)[3], double (*force)[3]);
} carom_single;

// Positions, velocities and accelerations of all nodes at a kick.
typedef struct carom_kinematics {
    const double (*X)[3]; // reference positions
    const double (*x)[3]; // positions
    const double (*v)[3]; // velocities
    const double (*a)[3]; // accelerations
} carom_kinematics;

// The measures of each element from `bound`: its fastest compression or extension (1/time), the step in which it would
// be compressed by the part CAROM_SQUEEZE_MAX of itself, and its smallest volume relative to the reference.
enum { CAROM_BOUND_RATE, CAROM_BOUND_LIMIT, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES };

// Largest fraction by which a point of an element may be compressed in one step.
#define CAROM_SQUEEZE_MAX 0.5

// Positions x and reference positions X are arrays of all nodes. Forces are written per element, in batches: component i of the
// force on node a of element e at force[carom_lane(e, 3 a + i, 3 node_count)]. The model gathers them per node in a fixed
// order, so that bits do not depend on threads.
typedef struct carom_element {
    carom_kind kind;
    carom_cell_type cell; // the cells it is made of
    carom_cell_type also; // others that it can be made of as well; CAROM_CELL_POINT: none
    int node_count;       // nodes per cell, and per element where there is no `arrange`; 0: the elements are not cells
    int data_size;        // doubles of reference data per element, where there is no `arrange`
    bool needs_material;
    bool may_have_material; // a material is optional
    // States that the stored energy is never negative if that of the material is not: the kinetic energy of a stable run is
    // then bounded by the terms of the ledger. Otherwise the bound includes the internal energy that elements have lost.
    bool nonnegative;
    bool plane;                                           // in a plane z = const: z is fixed, loads along z are refused
    carom_element_field fields[CAROM_ELEMENT_FIELDS_MAX]; // ends with a NULL name
    const char *parts[CAROM_ELEMENT_PARTS];               // names of the parts of its energy, where it has `split`

    // CAROM_BAD_INPUT with the reason if this element does not support this material. NULL: every material is accepted.
    carom_status (*accepts)(const void *params, const carom_material *material, carom_error *error);
    // The points at which a law with history is evaluated, and their form; 0: the element does not support such laws. NULL: no
    // block does. `force` of such a block commits if its `flow` requires it, in whole batches or one element.
    int (*points)(const carom_block *block, carom_point_form *form);
    // Resolves parameters that are `auto` (NaN) and depend on whether the law is elastoplastic: for each block separately,
    // since materials in a body may differ. NULL: there are none.
    void (*settle)(void *params, bool flows);
    // Divides the elements of a body into groups, each of which becomes a block, where elements have other nodes than their
    // cells; NULL: each run of cells becomes a block. All memory comes from the arena. Fails on a mesh that cannot be such a
    // body.
    carom_status (*arrange)(const void *params, const carom_mesh *mesh, carom_arena *arena, carom_arrangement *arrangement,
                            carom_error *error);
    // Computes reference data and adds the lumped mass of each element to `mass` (per node). Fails on a degenerate element.
    carom_status (*prepare)(const carom_block *block, const double (*X)[3], double *mass, carom_error *error);
    // Stored energy of each element of the range: energy[e]. HUGE_VAL for an inverted element if its law forbids inversion.
    void (*energy)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy);
    // force = -dE/dx of each element of the range.
    void (*force)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force);
    // d2E/dx2 of each element of the range: a dense symmetric matrix of (3 node_count)^2 numbers each, one element after
    // another.
    void (*stiffness)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      double *stiffness);
    // The balanced force between two positions, in the layout of `force`: its work from x0 to x1 is minus the change
    // of the energy, exactly; its resultant is zero and, if the element is invariant under rotation, also its moment about the
    // middle positions (x0 + x1)/2. `tangent`, where not NULL, receives minus the derivative of the force with respect to x1,
    // which is not symmetric: dense and row by row as the stiffness, but beginning with that of element `begin`. NaN where the
    // law is undefined. NULL: the element has none.
    void (*balanced)(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force, double *tangent);
    // The largest stable step 2/omega_max of each element alone, at the positions x; never more, at most a few percent less.
    void (*stable_step)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *step);
    // A sharper stable step of a body as a whole, without strain, from all of its blocks; 0 if it is undefined, NaN if memory
    // is short. NULL: that of the stiffest element is used.
    double (*body_step)(const carom_block *blocks, int block_count, const double (*X)[3]);
    // True if elements of the block may become stiffer than at the reference, so that the step must adapt to them. NULL: they
    // never do.
    bool (*stiffens)(const carom_block *block);
    // A proven bound of the stiffness of each element of the range at the present positions: K is at most the diagonal matrix
    // of `share`, one number per node in the place of the first component of `force`. The largest sum of shares at a node over
    // its mass bounds omega^2 of the body. `measures` receives CAROM_BOUND_MEASURES numbers per element, in batches. Required
    // if `stiffens` may be true.
    void (*bound)(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                  double *measures);
    // Reference volume of each element of the range. NULL: it has none.
    void (*volume)(const carom_block *block, int begin, int end, const double (*X)[3], double *volume);
    // The energy of each element of the range in parts, whose names are in `parts`: energy[CAROM_ELEMENT_PARTS * e + part].
    // NULL: it is of one kind.
    void (*split)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy);
    // Deformation measures of each element of the range, for elements other than solids: height[e - begin] is the ratio of
    // areas, at most 0 where the law is undefined, and stretch[e - begin] the largest squared stretch of a length. NULL: a
    // solid, or not checked.
    void (*measure)(const carom_block *block, int begin, int end, const double (*x)[3], double *height, double *stretch);
    // Functions for a single element; NULL: `force` of a range of one is used. May return NULL for blocks that it does not
    // support.
    const carom_single *(*single)(const carom_block *block);
    // Field number `field` of each element of the range: values[e * components + c].
    void (*field)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                  double *values);
    // Several fields at once, which costs little more than one: values[f][(e - begin) * components + c] where values[f] is not
    // NULL, CAROM_ELEMENT_FIELDS_MAX of them. NULL: `field` is called for each.
    void (*show)(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                 double *const values[]);
    // True if the energy of the block is invariant under rotations; NULL: it never is.
    bool (*turns_freely)(const carom_block *block);
    // The measure of the section of an element: the area of a line, the thickness of a plane element. NULL: 1.
    double (*section)(const void *params);
    // Elements whose nodes have frames; the functions of positions above, from `prepare` on, are then NULL.
    const carom_framed *framed;
    // The element that implements these parameters, where they choose between elements of one name with the same cells and
    // parameters. NULL: this one (carom_element_acting).
    const struct carom_element *(*acting)(const void *params);
    // The field of a cell is a part of the value, to which the mean over the patches at its nodes must be added.
    bool parted;
} carom_element;

// The element that implements these parameters.
static inline const carom_element *carom_element_acting(const carom_element *element, const void *params) {
    return element->acting ? element->acting(params) : element;
}

// True if a body of this element may have such cells.
static inline bool carom_element_takes(const carom_element *element, carom_cell_type type) {
    return type == element->cell || (element->also != CAROM_CELL_POINT && type == element->also);
}

// False for a block whose elements are not cells of the mesh but extend across several of them (`nodal`). A body has blocks
// with cells before such ones.
static inline bool carom_block_has_cells(const carom_block *block) {
    return block->element->node_count > 0;
}

// The number of an element as the file of its mesh gives it, for messages.
static inline int64_t carom_block_id(const carom_block *block, int element) {
    return block->ids ? block->ids[element] : block->cells ? block->cells[element] : element;
}

// The measure of the section of the elements of a block (area, thickness).
static inline double carom_block_section(const carom_block *block) {
    return block->element->section ? block->element->section(block->params) : 1;
}

// All elements: "bar", "exact-beam", "point-mass", "loop-shell", "tri3", "quad4", "tet4", "hex8", "wedge6",
// "nodal", "rigid".
CAROM_API const carom_catalogue *carom_elements(void);

// Adds an element to this catalogue, so that scenes, `carom info` and carom_pick_of can refer to it by its name. The rules
// are those of carom_register_material. A pick may also point to one that is not registered.
CAROM_API carom_status carom_register_element(const carom_element *element, carom_error *error);

// The strain of a bar.
typedef enum carom_bar_strain {
    CAROM_BAR_SMALL, // change of length along the reference axis: linear, not rotation invariant
    CAROM_BAR_GREEN, // (l^2 - L^2) / (2 L^2): exact for any rotation
    CAROM_BAR_LOG,   // ln(l/L): also exact; the conjugate stress is Kirchhoff's
} carom_bar_strain;

// `bar`: two nodes, uniaxial stress, constant section.
typedef struct carom_bar_params {
    double area; // length^2
    int strain;  // carom_bar_strain
} carom_bar_params;

// `point-mass`: one node, no stored energy.
typedef struct carom_point_mass_params {
    double mass; // mass
} carom_point_mass_params;

// `tri3`, `quad4`: plane elements. A body lies in a plane z = const and stays there: velocities and loads along z are refused.
typedef struct carom_plane_element_params {
    double thickness; // length
    int plane;        // carom_plane
    int integration;  // carom_quad4_integration; `tri3` does not read it
} carom_plane_element_params;

// Quadrature of a quadrilateral.
typedef enum carom_quad4_integration {
    CAROM_QUAD4_FULL,            // four points
    CAROM_QUAD4_MEAN_DILATATION, // four points, the change of volume averaged over the quadrilateral
} carom_quad4_integration;

// How a tetrahedron evaluates the change of volume.
typedef enum carom_tet4_volume {
    CAROM_TET4_CELL,  // in each tetrahedron separately
    CAROM_TET4_NODAL, // averaged over the tetrahedra around each node
} carom_tet4_volume;

// `tet4`.
typedef struct carom_tet4_params {
    int volume; // carom_tet4_volume
} carom_tet4_params;

// Quadrature of a brick.
typedef enum carom_hex8_integration {
    CAROM_HEX8_FULL,            // eight points
    CAROM_HEX8_ONE_POINT,       // one point and stiffness against hourglass modes
    CAROM_HEX8_MEAN_DILATATION, // eight points, the change of volume averaged over the brick
} carom_hex8_integration;

// `hex8`.
typedef struct carom_hex8_params {
    int integration;  // carom_hex8_integration
    double hourglass; // pure number: fraction of the stiffness that full integration gives the hourglass modes; NaN: 0.1, or
                      // 0.005 for elastoplastic laws
} carom_hex8_params;

// `nodal`: tetrahedra and bricks with the strain smoothed over the surroundings of each node.
typedef struct carom_nodal_params {
    double stabilisation; // pure number: the part of the energy that is taken cell by cell; NaN: 0.05, or 0.01 for
                          // elastoplastic laws
} carom_nodal_params;

// Quadrature of a triangle of a shell.
typedef enum carom_shell_integration {
    CAROM_SHELL_ONE_POINT,   // the centre
    CAROM_SHELL_THREE_POINT, // exact for quadratic functions
} carom_shell_integration;

// `loop-shell`: thin shells of triangles that control a smooth surface by Loop's subdivision scheme.
typedef struct carom_loop_shell_params {
    double thickness;              // length
    int integration;               // carom_shell_integration
    int layers;                    // points across the thickness, for laws with history
    char symmetry[CAROM_TEXT_MAX]; // planes at which open edges are mirrored: "x=0 y=2.5"
    char clamped[CAROM_TEXT_MAX];  // node sets whose open edges do not turn, or "all"
} carom_loop_shell_params;

// How the section of a beam is given.
typedef enum carom_beam_section {
    CAROM_SECTION_RECTANGLE, // width and height
    CAROM_SECTION_CIRCLE,    // radius
    CAROM_SECTION_DIRECT,    // stiffnesses and inertias given as they are
} carom_beam_section;

// The shape in which a beam has no stress.
typedef enum carom_beam_natural {
    CAROM_NATURAL_STRAIGHT, // without stress when straight
    CAROM_NATURAL_MESH,     // without stress as it was meshed
} carom_beam_natural;

// `exact-beam`: two nodes with frames; the third axis is the normal of the section. Bends, twists, shears and stretches by any
// amount.
typedef struct carom_exact_beam_params {
    int section;                 // carom_beam_section
    double width, height;        // length; sides along the first and second axis
    double radius;               // length
    double shear_factor;         // pure number; of the shear stiffness G A
    double torsion_factor;       // pure number; of the torsion stiffness G (I1 + I2)
    double stretch_stiffness[3]; // force; shear along the first and second axis, and stretching
    double bend_stiffness[3];    // force length^2; bending about the first and second axis, and torsion
    double line_mass;            // mass / length
    double line_inertia[3];      // mass length; about the three axes
    double axis[3];              // direction of the first axis for a mesh without frames; zero: any normal to the beam
    int natural;                 // carom_beam_natural
} carom_exact_beam_params;

#ifdef __cplusplus
}
#endif
#endif
