// SPDX-License-Identifier: MIT
// Internals of `loop-shell`: the data stored per element, and the shell at one quadrature point.
#ifndef CAROM_ELEMENT_SHELL_LOOP_SHELL_H
#define CAROM_ELEMENT_SHELL_LOOP_SHELL_H

#include "element/functions.h"
#include "mesh/loop_patch.h"

// How the surface is interpolated from the nodes of an element: by the table of regular patches, by weights stored per element,
// or by weights that differ between x, y and z, with offsets.
enum { CAROM_SHELL_REGULAR, CAROM_SHELL_STORED, CAROM_SHELL_AFFINE };

// Numbers per quadrature point, in batches (carom_lane), point after point: the reference metric G_11, G_22, G_12 and curvature
// B_11, B_22, B_12, the stiffness H_00, H_11, H_22, H_01, H_02, H_12 at zero strain times thickness and area, the area. Weights
// come next, point after point: n of mass, then for each of the derivatives 1, 2, 11, 22, 12 n numbers (stored), or n numbers
// for each of x, y, z (affine) and finally 15 offsets.
enum { CAROM_SHELL_METRIC, CAROM_SHELL_CURVATURE = 3, CAROM_SHELL_STIFFNESS = 6, CAROM_SHELL_AREA = 12, CAROM_SHELL_REFERENCE };

// After all weights, point after point: the numbers of the stability bound (loop_shell_bound.c), a symmetric matrix of 5 x 5
// with 15 numbers, and n weights.
enum { CAROM_SHELL_BOUND = 15 };

enum { CAROM_SHELL_ROWS = 5, CAROM_SHELL_NODES_MAX = CAROM_LOOP_NODES_MAX, CAROM_SHELL_POINTS_MAX = CAROM_LOOP_POINTS_MAX };

static inline int carom_shell_point_count(const carom_loop_shell_params *params) {
    return params->integration == CAROM_SHELL_ONE_POINT ? 1 : 3;
}

// Numbers of weights per point.
static inline int carom_shell_weight_size(int variant, int n) {
    return variant == CAROM_SHELL_REGULAR ? 0 : variant == CAROM_SHELL_STORED ? 6 * n : 16 * n + 15;
}

// Gauss points across the thickness, of laws with history: heights from -1 to 1 in ascending order, and weights that add up to
// one.
enum { CAROM_LAYERS_MIN = 2, CAROM_LAYERS_MAX = 64 };
typedef struct carom_layers {
    int count;
    double at[CAROM_LAYERS_MAX], weight[CAROM_LAYERS_MAX];
} carom_layers;

const carom_layers *carom_layers_of(int count);

// Data shared by all elements of a range.
typedef struct carom_shell {
    const carom_block *block;
    int n, point_count;
    double thickness;
    const carom_layers *layers;                             // NULL: a law without history
    const double (*N)[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR]; // of regular patches, point after point
} carom_shell;

carom_shell carom_shell_of(const carom_block *block);

// One reference number of point q of element e.
static inline double *carom_shell_data(const carom_shell *s, int e, int q, int number) {
    return &s->block->data[carom_lane(e, CAROM_SHELL_REFERENCE * q + number, s->block->data_size)];
}

// Weights of a point: row r = 0 ... 4 of component i at D[(3 r + i) * n + a].
typedef struct carom_shell_rows {
    double mass[CAROM_SHELL_NODES_MAX];
    double D[3 * CAROM_SHELL_ROWS * CAROM_SHELL_NODES_MAX];
    double offset[CAROM_SHELL_ROWS][3];
} carom_shell_rows;

void carom_shell_read_rows(const carom_shell *s, int e, int q, carom_shell_rows *rows);

// The surface at a point: derivatives a_1, a_2, a_11, a_22, a_12 of the position, unit normal, contravariant base, area
// element, metric and curvature (11, 22, 12).
typedef struct carom_shell_point {
    double y[CAROM_SHELL_ROWS][3];
    double normal[3], up[2][3];
    double J, g[3], b[3];
} carom_shell_point;

void carom_shell_place(const carom_shell *s, int e, const carom_shell_rows *rows, const double (*x)[3],
                       carom_shell_point *point);
// Membrane strains (alpha_11, alpha_22, 2 alpha_12), then bending strains (beta_11, beta_22, 2 beta_12).
void carom_shell_strain(const carom_shell *s, int e, int q, const carom_shell_point *point, double strain[6]);
// Energy of a point and, if not NULL, the forces n and moments m conjugate to the strains, their derivative, and the energy of
// the membrane strain alone; all times the area of the point. HUGE_VAL if the law is undefined.
double carom_shell_law(const carom_shell *s, int e, int q, const double strain[6], double force[6], double tangent[6][6],
                       double *membrane);

// The same for a law with history, by its layers; it commits if the block requires it. Its membrane part is the energy of
// the mean stress.
double carom_shell_layers_law(const carom_shell *s, int e, int q, const double strain[6], double force[6], double tangent[6][6],
                              double *membrane);
// Output of the layers of a point: the largest von Mises stress, and the mean thinning.
typedef struct carom_shell_shown {
    double von_mises, thinning;
} carom_shell_shown;
carom_shell_shown carom_shell_layers_show(const carom_shell *s, int e, int q, const double strain[6]);
// Points of a law with history (carom/element.h).
int carom_shell_points(const carom_block *block, carom_point_form *form);

// The derivatives z[3 r + i] of the energy with respect to y, and the second derivatives.
void carom_shell_gradient(const carom_shell_point *point, const double force[6], double z[15]);
void carom_shell_hessian(const carom_shell_point *point, const double force[6], const double tangent[6][6], double h[15][15]);
// Terms of the second derivatives: the gradients of the strains, and the geometric stiffness.
void carom_shell_strain_gradients(const carom_shell_point *point, double d[6][15]);
void carom_shell_add_geometric(const carom_shell_point *point, const double force[6], double h[15][15]);

// Reads planes such as "x=0 y=2.5" into `mirrored` and `plane` of `ends`, which are zero on entry. The error names a word that
// is not a plane.
carom_status carom_shell_read_symmetry(const char *text, carom_loop_ends *ends, carom_error *error);
carom_element_arrange carom_shell_arrange;
// True if the batched kernels below support the law of the block: only that of St. Venant and Kirchhoff, linear in strain.
bool carom_shell_is_batched(const carom_block *block);
// In batches, for the St. Venant-Kirchhoff law: forces as of any element, and membrane and bending energy of each element from
// `begin` on.
void carom_shell_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force);
void carom_shell_kernel_parts(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]);

// The von Mises stress of one element.
double carom_shell_von_mises(const carom_block *block, int e, const double (*x)[3]);
// The von Mises stress as a field, values[e] of element e. False if a batch was not computed: its values are NaN, and the
// caller computes them one element at a time.
bool carom_shell_kernel_von_mises(const carom_block *block, int begin, int end, const double (*x)[3], double *values);

// In batches, for `j2` with its history: forces as of any element.
bool carom_shell_flows_batched(const carom_block *block);
void carom_shell_flow_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force);

// Fills the numbers of the stability bound (CAROM_SHELL_BOUND); the other reference data must be there.
void carom_shell_bound_prepare(const carom_block *block, const double (*X)[3]);
carom_element_bound carom_shell_bound;
// How far the elements of a range are from their start (carom/element.h).
void carom_shell_measure(const carom_block *block, int begin, int end, const double (*x)[3], double *height, double *stretch);
void carom_shell_field(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], int field,
                       double *values);

#endif
