// SPDX-License-Identifier: MIT
// Computes the mass centre of a mesh of uniform density: sum(V_e c_e) / sum(V_e) over its cells, with the volume (area, length)
// V_e of a cell and its centroid c_e. For a simplex c_e is the mean of its nodes. Over bilinear and trilinear cells x dV is
// integrated by two Gauss points along each axis, which is exact for solid and for plane cells: the integrand is at most cubic
// in each coordinate. The lumped masses of solid elements have the same centre.
#include "math/sum.h"
#include "math/vec3.h"
#include "mesh/cell.h"
#include "mesh/mesh.h"
#include "mesh/steps.h"

// Gauss points (1 +- 1/sqrt(3))/2 of the unit interval; their weights are one half.
static const double gauss[2] = {0.5 - 0.28867513459481288, 0.5 + 0.28867513459481288};

// The position at a point u of a bilinear or trilinear cell, and its derivatives along u.
static void map(carom_cell_type type, const double (*x)[3], const double u[3], double at[3], double along[3][3]) {
    double N[CAROM_CELL_NODES_MAX], slope[CAROM_CELL_NODES_MAX][3];
    carom_cell_shape(type, u, N, slope);
    for (int i = 0; i < 3; i++)
        at[i] = along[0][i] = along[1][i] = along[2][i] = 0;
    for (int k = 0; k < carom_cell_size(type); k++) {
        carom_add_scaled(N[k], x[k], at);
        for (int a = 0; a < carom_cell_dimension(type); a++)
            carom_add_scaled(slope[k][a], x[k], along[a]);
    }
}

// The measure of a cell; `moment` is the integral of the position.
static double cell_moment(carom_cell_type type, const double (*x)[3], double moment[3]) {
    if (type == CAROM_CELL_WEDGE6) {
        double corners[8][3];
        for (int k = 0; k < 8; k++)
            carom_copy(x[carom_wedge_as_hex[k]], corners[k]);
        return cell_moment(CAROM_CELL_HEX8, (carom_const_vectors)corners, moment);
    }
    int size = carom_cell_size(type), axes = carom_cell_dimension(type);
    double measure = 0;
    moment[0] = moment[1] = moment[2] = 0;
    // a point has the measure 1
    if (type != CAROM_CELL_QUAD4 && type != CAROM_CELL_HEX8) {
        measure = axes ? carom_cell_measure(type, x) : 1;
        for (int k = 0; k < size; k++)
            carom_add_scaled(measure / size, x[k], moment);
        return measure;
    }
    for (int p = 0; p < 1 << axes; p++) {
        double u[3] = {gauss[p & 1], gauss[p >> 1 & 1], gauss[p >> 2 & 1]}, at[3], along[3][3], n[3];
        map(type, x, u, at, along);
        carom_cross(along[0], along[1], n);
        double share = (axes == 3 ? carom_dot(n, along[2]) : carom_norm(n)) / (1 << axes);
        measure += share;
        carom_add_scaled(share, at, moment);
    }
    return measure;
}

void carom_mesh_center(const carom_mesh *mesh, double center[3]) {
    // Relative to a node, so that a body far from the origin loses no precision.
    const double origin[3] = {mesh->nodes[0][0], mesh->nodes[0][1], mesh->nodes[0][2]};
    carom_sum measure = {0}, moment[3] = {{0}};
    int dimension = carom_mesh_dimension(mesh);
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int e = 0; carom_cell_dimension(block->type) == dimension && e < block->count; e++) {
            double x[CAROM_CELL_NODES_MAX][3], part[3];
            for (int k = 0; k < size; k++)
                carom_difference(mesh->nodes[block->nodes[(int64_t)e * size + k]], origin, x[k]);
            carom_sum_add(&measure, cell_moment(block->type, (carom_const_vectors)x, part));
            for (int i = 0; i < 3; i++)
                carom_sum_add(&moment[i], part[i]);
        }
    }
    double all = carom_sum_value(&measure);
    for (int i = 0; i < 3; i++)
        // cells without any measure, which no element accepts, have no centre
        center[i] = origin[i] + (all > 0 ? carom_sum_value(&moment[i]) / all : 0);
}
