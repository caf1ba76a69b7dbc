// SPDX-License-Identifier: MIT
// With J = dx/dr at a point of an element, r its own coordinates, det J <= 0 tells that it is inside out there, and det J/|cof
// J| is, up to a factor, its smallest height.
#include "model/deformation.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "element/element.h"
#include "element/nodal.h"
#include "element/solid_point.h"
#include "material/material.h"
#include "math/vec3.h"
#include "model/damping.h"
#include "model/model.h"

// The worst of a range of elements; -1: none.
typedef struct survey {
    int inverted; // first one that is inside out
    int thinnest, longest;
    double height, stretch; // of these
} survey;

static bool is_linear(const carom_block *block) {
    return block->material == &carom_material_linear;
}

static bool is_solid(const carom_block *block) {
    int dimension = carom_cell_dimension(block->element->cell);
    return carom_element_is_solid(block->element) && !block->element->framed && block->material &&
           (dimension == 3 || (block->element->plane && block->material->solid));
}

// Solids and shells whose law does not take every shape.
static bool is_watched(const carom_block *block) {
    bool shell = block->element->measure && !block->element->framed && block->material;
    return (is_solid(block) || shell) && !is_linear(block);
}

// det J/|cof J| of a map; cof of a plane one within the plane.
static double height_of_map(const double J[3][3], int dimension) {
    // The rows of the cofactor matrix are cross products of the rows of J.
    double C[3][3], square = 0;
    for (int i = 0; i < 3; i++) {
        carom_cross(J[(i + 1) % 3], J[(i + 2) % 3], C[i]);
        if (dimension == 3 || i < 2)
            square += carom_dot(C[i], C[i]);
    }
    // DBL_MIN keeps an element that has shrunk to a point from dividing zero by zero.
    return carom_dot(J[0], C[0]) / sqrt(square + DBL_MIN);
}

// A brick with one point sees the mean of F only: that of the map is F times the one at the centre of the reference.
static double height_of_mean(const carom_block *block, const int *nodes, const double (*x)[3], const double (*X)[3]) {
    const carom_solid_shape *shape = &carom_shape_hex8;
    double F[9], J[3][3] = {{0}}, R[3][3] = {{0}};
    carom_solid_point mean = carom_solid_mean_point(shape, block, nodes, X);
    carom_solid_deformation(shape, nodes, &mean, x, X, F);
    for (int q = 0; q < shape->point_count; q++)
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < 9; i++)
                // The mean over the points of a brick is the map at its centre, since all other terms cancel.
                R[i / 3][i % 3] += X[nodes[a]][i / 3] * shape->dN[q][a][i % 3] / shape->point_count;
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            J[i / 3][i % 3] += F[3 * (i / 3) + k] * R[k][i % 3];
    return height_of_map((carom_const_vectors)J, 3);
}

// True if a sheet has no thickness any more for which there is no stress across it.
static bool is_torn(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    if (!block->element->plane || ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRAIN)
        return false;
    carom_block one = *block;
    double energy;
    one.nodes = &block->nodes[e * block->node_count];
    one.count = 1;
    block->element->energy(&one, 0, 1, x, X, &energy);
    // Not below infinity: NaN counts as torn.
    return !(energy < HUGE_VAL);
}

// Smallest height of an element over its points; negative or zero if it is inside out.
static double height_of(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    const int *nodes = &block->nodes[shape->node_count * e];
    if (carom_solid_is_one_point(block))
        return height_of_mean(block, nodes, x, X);
    double least = HUGE_VAL;
    for (int q = 0; q < shape->point_count; q++) {
        double J[3][3] = {{0}};
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < shape->dimension; i++)
                for (int j = 0; j < shape->dimension; j++)
                    J[i][j] += x[nodes[a]][i] * shape->dN[q][a][j];
        if (shape->dimension == 2)
            // A plane map is completed by 1 across the plane.
            J[2][2] = 1;
        least = fmin(least, height_of_map((carom_const_vectors)J, shape->dimension));
    }
    return least;
}

// The largest growth of the map over its points: St. Venant and Kirchhoff's law becomes stiff by tension.
static double stretch_of(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    const int *nodes = &block->nodes[shape->node_count * e];
    double most = 0;
    for (int q = 0; q < shape->point_count; q++)
        for (int j = 0; j < shape->dimension; j++) {
            double now[3] = {0}, start[3] = {0};
            for (int a = 0; a < shape->node_count; a++) {
                carom_add_scaled(shape->dN[q][a][j], x[nodes[a]], now);
                carom_add_scaled(shape->dN[q][a][j], X[nodes[a]], start);
            }
            most = fmax(most, carom_dot(now, now) / carom_dot(start, start));
        }
    return most;
}

static void join(survey *all, const survey *part) {
    // The smallest index wins among equals, so that the result does not depend on the threads.
    if (part->inverted >= 0 && (all->inverted < 0 || part->inverted < all->inverted))
        all->inverted = part->inverted;
    bool thinner = part->height < all->height || (part->height == all->height && part->thinnest < all->thinnest);
    if (part->thinnest >= 0 && thinner) {
        all->thinnest = part->thinnest;
        all->height = part->height;
    }
    bool longer = part->stretch > all->stretch || (part->stretch == all->stretch && part->longest < all->longest);
    if (part->longest >= 0 && longer) {
        all->longest = part->longest;
        all->stretch = part->stretch;
    }
}

static survey look(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    // Extrema do not depend on the order in which threads join.
    survey all = {-1, -1, -1, HUGE_VAL, -1};
    bool stiffens = block->material == &carom_material_st_venant_kirchhoff;
#pragma omp parallel if (block->count > 4096)
    {
        survey own = {-1, -1, -1, HUGE_VAL, -1};
#pragma omp for schedule(static) nowait
        for (int e = 0; e < block->count; e++) {
            double height, stretch = 0;
            if (block->element->measure) {
                block->element->measure(block, e, x, &height, &stretch);
            } else {
                height = height_of(block, e, x, X);
                stretch = stiffens ? stretch_of(block, e, x, X) : 0;
            }
            bool wrong = height <= 0 || is_torn(block, e, x, X);
            // an element that is inside out has no stable step: the thinnest of the others tells whether it was outgrown
            survey one = {wrong ? e : -1, height > 0 ? e : -1, height > 0 ? e : -1, height, stretch};
            join(&own, &one);
        }
#pragma omp critical
        join(&all, &own);
    }
    return all;
}

// "element 17 of body 'block'", by its number in the file.
static void name_element(const carom_model *model, int b, int e, char *name, size_t size) {
    const carom_block *block = &model->blocks[b];
    const carom_body *body = &model->bodies[block->body];
    long long number = e;
    for (int before = body->block_begin; before < b; before++)
        number += model->blocks[before].count;
    if (block->cells)
        number = block->cells[e];
    if (block->ids)
        number = (long long)block->ids[e];
    snprintf(name, size, "element %lld of body '%s'", number, body->name);
}

// The stable step of one element by itself: that of its batch, where reference data are in batches.
static double step_of(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    // Elements of an arrangement have their reference data in batches of lanes, so that a single one is
    // measured with those before it.
    int lane = block->element->arrange ? e % CAROM_LANES : 0;
    carom_block few = *block;
    double step[CAROM_LANES];
    few.nodes = &block->nodes[(e - lane) * block->node_count];
    few.count = lane + 1;
    if (block->element->arrange)
        few.data = block->data + carom_lane(e - lane, 0, block->data_size);
    block->element->stable_step(&few, 0, few.count, x, X, step);
    return step[lane];
}

carom_deformation_start carom_deformation_of_block(const carom_block *block, const double (*X)[3]) {
    if (!is_watched(block) || block->count == 0)
        return (carom_deformation_start){0};
    survey start = look(block, X, X);
    return (carom_deformation_start){start.height, step_of(block, start.thinnest, X, X)};
}

// The stable step of a block from that of its thinnest and its most stretched element; HUGE_VAL if neither is far from the
// start.
static double step_at(const carom_model *model, int b, const survey *now, const double (*x)[3], const double (*X)[3]) {
    const carom_block *block = &model->blocks[b];
    const carom_deformation_start *start = &model->watch_start[b];
    // Steps are examined only once an element has thinned or stretched by a tenth: until then the step of the block holds.
    static const double thin = 0.9, long_ = 1.1;
    double step = HUGE_VAL;
    if (now->height > 0 && now->height < thin * start->height)
        step = step_of(block, now->thinnest, x, X);
    if (now->height > 0 && now->stretch > long_)
        step = fmin(step, step_of(block, now->longest, x, X));
    // In proportion to the start: the stable step of a block need not be that of its elements by themselves.
    double ratio = step / start->step;
    // damping makes it smaller
    return isfinite(ratio) ? carom_damping_step(&model->bodies[block->body].damping, ratio * model->block_step[b]) : HUGE_VAL;
}

carom_deformation carom_model_watch_deformation(const carom_model *model, const double (*x)[3]) {
    const double(*X)[3] = (carom_const_vectors)model->X;
    carom_deformation watch = {.stable_step = HUGE_VAL};
    for (int b = 0; b < model->block_count; b++) {
        if (!is_watched(&model->blocks[b]))
            continue;
        survey now = look(&model->blocks[b], x, X);
        // The first inverted element of the first block is enough for a message.
        if (now.inverted >= 0 && !watch.inverted[0] && !carom_nodal_is_open(&model->blocks[b]))
            name_element(model, b, now.inverted, watch.inverted, sizeof watch.inverted);
        watch.stable_step = fmin(watch.stable_step, step_at(model, b, &now, x, X));
    }
    return watch;
}

// The sine of ten degrees: the law `linear` takes a turn by this much for a strain of 1.5 %.
static const double large_turn = 0.17;

// True if the axial vector of (F - F^T)/2, the sine of the angle in a pure rotation, is large at the middle of an element.
static bool is_turned(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    const int *nodes = &block->nodes[shape->node_count * e];
    carom_solid_point point = shape->point_count > 1 ? carom_solid_mean_point(shape, block, nodes, X)
                                                     : carom_solid_point_of(shape, block, nodes, 0, X);
    double F[9];
    carom_solid_deformation(shape, nodes, &point, x, X, F);
    const double axial[3] = {0.5 * (F[7] - F[5]), 0.5 * (F[2] - F[6]), 0.5 * (F[3] - F[1])};
    return carom_dot(axial, axial) > large_turn * large_turn;
}

// The edges at a corner of an element, at positions x. Corners are counted as in VTK: on the bottom of a brick, then on its
// top.
static void edges_at(const carom_solid_shape *shape, const int *nodes, int corner, const double (*x)[3], double d[3][3]) {
    // of a triangle or a tetrahedron the first corner stands for all
    int around[3] = {1, 2, shape->dimension == 3 ? 3 : 0};
    if (shape->node_count == 8) {
        int level = corner & 4, place = corner & 3;
        around[0] = level + ((place + 1) & 3);
        around[1] = level + ((place + 3) & 3);
        around[2] = (corner + 4) & 7;
    } else if (shape->node_count == 4 && shape->dimension == 2) {
        around[0] = (corner + 1) & 3;
        around[1] = (corner + 3) & 3;
    }
    for (int i = 0; i < 3; i++)
        carom_difference(x[nodes[around[i]]], x[nodes[corner]], d[i]);
    if (shape->dimension == 2)
        d[2][0] = d[2][1] = 0, d[2][2] = 1;
}

// The sign of the volume at a corner is cheap, and if it is positive at all of them so is the map at the points between.
static bool corners_are_right(const carom_block *block, const int *nodes, const double (*x)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    bool simplex = shape->node_count == shape->dimension + 1, right = true;
    for (int c = 0; c < (simplex ? 1 : shape->node_count) && right; c++) {
        double d[3][3], normal[3];
        edges_at(shape, nodes, c, x, d);
        carom_cross(d[0], d[1], normal);
        // on the top of a brick the third edge leads down, and the first two turn with it
        right = (c & 4 ? -1 : 1) * carom_dot(normal, d[2]) > 0;
    }
    return right;
}

// True if no edge at the first corner has changed by more than a fiftieth: then the element has not turned by ten degrees.
static bool edges_are_kept(const carom_block *block, const int *nodes, const double (*x)[3], const double (*X)[3]) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    double d[3][3], D[3][3];
    bool kept = true;
    edges_at(shape, nodes, 0, x, d);
    edges_at(shape, nodes, 0, X, D);
    for (int i = 0; i < 3; i++) {
        double change[3];
        carom_difference(d[i], D[i], change);
        kept = kept && carom_dot(change, change) < 4e-4 * carom_dot(D[i], D[i]);
    }
    return kept;
}

static bool is_inside_out(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    double height, stretch;
    const int *nodes = &block->nodes[block->node_count * e];
    bool plane_stress = block->element->plane;
    if (!block->element->measure && !plane_stress && !carom_solid_is_one_point(block) && corners_are_right(block, nodes, x))
        return false;
    if (block->element->measure)
        block->element->measure(block, e, x, &height, &stretch);
    else
        height = height_of(block, e, x, X);
    return height <= 0 || (!is_linear(block) && is_torn(block, e, x, X));
}

carom_shapes carom_model_look_at_shapes(const carom_model *model, const double (*x)[3], bool followed) {
    const double(*X)[3] = (carom_const_vectors)model->X;
    int inverted = INT_MAX, rotated = INT_MAX, first = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        bool elsewhere = followed && block->element->stiffens && block->element->stiffens(block);
        bool watched = is_watched(block) && !elsewhere, linear = is_solid(block) && is_linear(block);
#pragma omp parallel for schedule(static) reduction(min : inverted, rotated) if (block->count > 4096)
        for (int e = 0; e < (watched || linear ? block->count : 0); e++) {
            if (first + e < inverted && is_inside_out(block, e, x, X))
                inverted = first + e;
            if (linear && first + e < rotated && !edges_are_kept(block, &block->nodes[block->node_count * e], x, X) &&
                is_turned(block, e, x, X))
                rotated = first + e;
        }
        first += block->count;
    }
    return (carom_shapes){inverted < INT_MAX ? inverted : -1, rotated < INT_MAX ? rotated : -1};
}
