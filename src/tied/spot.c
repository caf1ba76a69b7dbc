// SPDX-License-Identifier: MIT
// A point of a mesh with natural coordinates u in a cell e has the position sum_a N_a(u) x_a, which is the same in all cells
// that contain the point. A point at the distance d from it moves with the deformation gradient there,
//
//     sum_a N_a x_a + F d,   F = sum_e V_e F_e / sum_e V_e,   F_e = sum_a x_a (grad N_a)^T,
//
// V_e the volumes of these cells. A single one of them would be an arbitrary choice: that of rounding, or of the numbering.
#include "tied/spot.h"

#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "mesh/cell.h"

// Cells contain a point if it is outside of them by no more than of the nearest one, up to this fraction of a cell.
static const double rounding = 1e-9;

// Weights below this fraction of the largest one are rounding.
static const double negligible = 1e-12;

// Newton's method has converged if coordinates change by less: the next change would be the square of it.
static const double converged = 1e-8;

enum { MOST_ITERATIONS = 40 };

// A cell, with the positions of its corners relative to the point.
typedef struct cell {
    carom_cell_type type;
    const int *nodes;
    double y[CAROM_CELL_NODES_MAX][3];
} cell;

static cell cell_at(const carom_cell_block *block, int e, const double (*X)[3], const double point[3]) {
    int size = carom_cell_size(block->type);
    cell c = {.type = block->type, .nodes = block->nodes + (ptrdiff_t)e * size};
    for (int a = 0; a < size; a++)
        carom_difference(X[c.nodes[a]], point, c.y[a]);
    return c;
}

// False if the point is far outside of the box around the cell.
static bool is_near(const cell *c) {
    for (int d = 0; d < 3; d++) {
        double low = c->y[0][d], high = low;
        for (int a = 1; a < carom_cell_size(c->type); a++) {
            low = fmin(low, c->y[a][d]);
            high = fmax(high, c->y[a][d]);
        }
        double margin = 0.5 * (high - low);
        if (low - margin > 0 || high + margin < 0)
            return false;
    }
    return true;
}

// The shape functions and their slopes at u, and the Jacobian matrix of the position there.
static void find_shape(const cell *c, const double u[3], double N[CAROM_CELL_NODES_MAX], double slope[CAROM_CELL_NODES_MAX][3],
                       double J[3][3]) {
    carom_cell_shape(c->type, u, N, slope);
    memset(J, 0, 9 * sizeof(double));
    for (int a = 0; a < carom_cell_size(c->type); a++)
        for (int i = 0; i < 3; i++)
            carom_add_scaled(c->y[a][i], slope[a], J[i]);
}

// The natural coordinates of the point by Newton's method. False if it does not converge.
static bool find_coordinates(const cell *c, double u[3]) {
    bool simplex = c->type != CAROM_CELL_HEX8;
    for (int d = 0; d < 3; d++)
        u[d] = simplex ? 0.25 : 0.5;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double N[CAROM_CELL_NODES_MAX], slope[CAROM_CELL_NODES_MAX][3], J[3][3], at[3] = {0}, change[3];
        find_shape(c, u, N, slope, J);
        for (int a = 0; a < carom_cell_size(c->type); a++)
            carom_add_scaled(N[a], c->y[a], at);
        if (!carom_mat3_solve((carom_const_vectors)J, at, change))
            return false;
        carom_add_scaled(-1, change, u);
        if (fmax(fabs(change[0]), fmax(fabs(change[1]), fabs(change[2]))) < converged)
            return true;
    }
    return false;
}

// How far the point is outside of a cell, and its natural coordinates.
static double find_outside(const cell *c, double u[3]) {
    if (!is_near(c) || !find_coordinates(c, u))
        return HUGE_VAL;
    bool hex = c->type == CAROM_CELL_HEX8, wedge = c->type == CAROM_CELL_WEDGE6;
    double least = hex ? 1 - u[1] : 1 - u[0] - u[1] - (wedge ? 0 : u[2]);
    if (hex)
        least = fmin(least, 1 - u[0]);
    if (hex || wedge)
        least = fmin(least, 1 - u[2]);
    for (int d = 0; d < 3; d++)
        least = fmin(least, u[d]);
    return least < 0 ? -least : 0;
}

// Adds the weights by the motion of one cell, times its volume, and returns this.
static double add_weights(const cell *c, const double u[3], const double arm[3], double *weights) {
    double N[CAROM_CELL_NODES_MAX], slope[CAROM_CELL_NODES_MAX][3], J[3][3], along[3];
    double volume = carom_cell_measure(c->type, (carom_const_vectors)c->y);
    find_shape(c, u, N, slope, J);
    // a cell without volume at the point has no gradient
    if (!carom_mat3_solve((carom_const_vectors)J, arm, along) || !(volume > 0))
        return 0;
    for (int a = 0; a < carom_cell_size(c->type); a++)
        weights[c->nodes[a]] += volume * (N[a] + carom_dot(slope[a], along));
    return volume;
}

double carom_spot_weights(const carom_mesh *mesh, const double (*X)[3], const double point[3], const double meet[3],
                          double *weights) {
    double least = HUGE_VAL, volume = 0, largest = 0, arm[3], u[3];
    carom_difference(meet, point, arm);
    memset(weights, 0, (size_t)mesh->node_count * sizeof *weights);
    // the first pass finds the least distance, the second one the cells that have it
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < mesh->block_count; b++)
            for (int e = 0; carom_cell_dimension(mesh->blocks[b].type) == 3 && e < mesh->blocks[b].count; e++) {
                cell c = cell_at(&mesh->blocks[b], e, X, point);
                double outside = find_outside(&c, u);
                if (pass == 0)
                    least = fmin(least, outside);
                else if (outside < HUGE_VAL && outside <= least + rounding)
                    volume += add_weights(&c, u, arm, weights);
            }
    if (!(volume > 0))
        return HUGE_VAL;
    for (int k = 0; k < mesh->node_count; k++)
        largest = fmax(largest, fabs(weights[k]));
    for (int k = 0; k < mesh->node_count; k++)
        weights[k] = fabs(weights[k]) > negligible * largest ? weights[k] / volume : 0;
    return least;
}
