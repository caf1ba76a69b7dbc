// SPDX-License-Identifier: MIT
// With J = dx/dr at a point of an element, r its own coordinates, det J <= 0 tells that it is inside out there, and det J/|cof J| is, up to a
// factor, its smallest height.
#include "model/watch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "element/solid.h"
#include "material/material.h"
#include "math/vec3.h"
#include "model/damping.h"
#include "model/model.h"

// The worst of a range of elements; -1: none.
typedef struct survey {
    int inverted; // first one that is inside out
    int thinnest;
    double height; // of the thinnest
} survey;

static const carom_solid_shape *shape_of(const carom_block *block) {
    int dimension = carom_cell_dimension(block->element->cell);
    bool solid = dimension == 3 || (dimension == 2 && block->material && block->material->solid);
    if (!solid || block->element->framed || !block->material || block->material == &carom_material_linear)
        return NULL;
    return carom_solid_shape_of(block);
}

// A brick with one point sees the mean of its map only: J at the centre.
static bool sees_mean(const carom_block *block) {
    return block->element->cell == CAROM_CELL_HEX8 &&
           ((const carom_hex8_params *)block->params)->integration == CAROM_HEX8_ONE_POINT;
}

// Smallest height of an element over its points; negative or zero if it is inside out.
static double height_of(const carom_solid_shape *shape, bool mean, const int *nodes, const double (*x)[3]) {
    double least = HUGE_VAL, J[3][3] = {{0}};
    for (int q = 0; q < shape->point_count; q++) {
        double C[3][3], square = 0;
        if (!mean)
            memset(J, 0, sizeof J);
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < shape->dimension; i++)
                for (int j = 0; j < shape->dimension; j++)
                    J[i][j] += x[nodes[a]][i] * shape->dN[q][a][j];
        if (mean && q + 1 < shape->point_count)
            continue;
        if (shape->dimension == 2)
            J[2][2] = 1;
        for (int i = 0; i < 3; i++) {
            carom_cross(J[(i + 1) % 3], J[(i + 2) % 3], C[i]);
            if (shape->dimension == 3 || i < 2)
                square += carom_dot(C[i], C[i]);
        }
        least = fmin(least, carom_dot(J[0], C[0]) / sqrt(square + DBL_MIN));
    }
    return least;
}

static void join(survey *all, const survey *part) {
    if (part->inverted >= 0 && (all->inverted < 0 || part->inverted < all->inverted))
        all->inverted = part->inverted;
    bool thinner = part->height < all->height || (part->height == all->height && part->thinnest < all->thinnest);
    if (part->thinnest >= 0 && thinner) {
        all->thinnest = part->thinnest;
        all->height = part->height;
    }
}

static survey look(const carom_block *block, const carom_solid_shape *shape, const double (*x)[3]) {
    survey all = {-1, -1, HUGE_VAL};
    bool mean = sees_mean(block);
#pragma omp parallel if (block->count > 4096)
    {
        survey own = {-1, -1, HUGE_VAL};
#pragma omp for schedule(static) nowait
        for (int e = 0; e < block->count; e++) {
            double height = height_of(shape, mean, &block->nodes[shape->node_count * e], x);
            survey one = {height <= 0 ? e : -1, e, height};
            join(&own, &one);
        }
#pragma omp critical
        join(&all, &own);
    }
    return all;
}

bool carom_model_find_inverted(const carom_model *model, const double (*x)[3], char *name, size_t size) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        const carom_solid_shape *shape = shape_of(block);
        int e = shape ? look(block, shape, x).inverted : -1;
        if (e < 0)
            continue;
        const carom_body *body = &model->bodies[block->body];
        long long number = e;
        for (int before = body->block_begin; before < b; before++)
            number += model->blocks[before].count;
        if (block->ids)
            number = (long long)block->ids[e];
        snprintf(name, size, "element %lld of body '%s'", number, body->name);
        return true;
    }
    return false;
}

// The stable step of one element by itself.
static double step_of(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    carom_block one = *block;
    double step;
    one.nodes = &block->nodes[e * block->element->node_count];
    one.count = 1;
    block->element->stable_step(&one, 0, 1, x, X, &step);
    return step;
}

double carom_model_stable_step_at(const carom_model *model, const double (*x)[3]) {
    const double(*X)[3] = (const double(*)[3])model->X;
    double smallest = HUGE_VAL;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        const carom_solid_shape *shape = shape_of(block);
        if (!shape)
            continue;
        survey now = look(block, shape, x), start = look(block, shape, X);
        if (now.thinnest < 0 || !(now.height > 0))
            continue;
        double ratio = step_of(block, now.thinnest, x, X) / step_of(block, start.thinnest, X, X);
        // damping makes it smaller
        if (isfinite(ratio))
            smallest = fmin(smallest, carom_damping_step(&model->bodies[block->body].damping, ratio * model->block_step[b]));
    }
    return smallest;
}
